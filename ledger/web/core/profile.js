/**
 * A profile: one key of a person at one server, the file that replaces it when its browser is lost, and the succession
 * to the new key (specs/profile.md).
 * @module
 */

import { fromHex, fromUtf8, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { readVerifierKey } from '../../../verifier/web/identities.js';
import { canonical, readCanonical } from '../../../verifier/web/json.js';
import { array, called, hex32, hex64, integer, members, must, oneOf, text, SUCCESSION } from '../../../verifier/web/schema.js';
import { canRecover, isSignedWith, namingMessage, successionFlaw, successionMessage } from '../../../verifier/web/succession.js';
import { Refused, say } from './errors.js';
import { key } from './forms.js';
import { checkPassphrase, ITERATIONS, keyOf, MOST_ITERATIONS } from './move.js';
import { keyFromSeed, newSigner, random, Signer } from './signer.js';

/** @typedef {import('../../../verifier/web/succession.js').Succession} Succession */
/**
 * @typedef {object} Profile as it is stored
 * @property {string} server @property {string} key the verifier key @property {string} name of the key
 * @property {string | null} called @property {CryptoKey} signing
 * @property {string | null} file as it was saved; its secret opens with its passphrase alone
 * @property {Succession[]} successions how it came to its key
 * @property {boolean} offered its owner was asked once to save the file
 */
/** @typedef {{key: string, name: string, called: string | null, kept: boolean, offered: boolean, successions: number}} ShownProfile */

/** Bytes of a file. */
export const MAX_PROFILE = 65_536;
const MAX_SUCCESSIONS = 64;
const { subtle } = globalThis.crypto;

/** @param {number} bytes */
const hex = (bytes) =>
  must((value) => typeof value === 'string' && value.length === 2 * bytes && /^[0-9a-f]*$/.test(value), `${2 * bytes} hexadecimal digits`);
const FILE = members(
  {
    format: oneOf('rollproof/profile/v1'),
    iterations: integer(ITERATIONS, MOST_ITERATIONS),
    key,
    named: hex64,
    nonce: hex(12),
    recovery: hex32,
    salt: hex(16),
    sealed: hex(48),
    successions: array(SUCCESSION, 0, MAX_SUCCESSIONS),
  },
  { called, server: text },
);

/** An address without slashes at its end; a pattern would take the square of how many there are. @param {string} address */
function withoutSlashes(address) {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/** The problems of a file, by code. */
const FLAWS = {
  'profile.malformed': say('This is no file of a profile, or it is damaged.'),
  'profile.passphrase': say('The passphrase does not open this file, or the file was changed.'),
  'profile.key': say('This file holds another recovery key than it says.'),
  'profile.named': say('The key of this file has not named its recovery key.'),
  'profile.successions': say('The changes of key in this profile do not hold.'),
};

/** @param {keyof typeof FLAWS} code @returns {Refused} */
const flaw = (code) => new Refused(code, FLAWS[code]);

/** @param {any} file @returns {Uint8Array} all members but what is sealed */
const besideOf = ({ sealed: _sealed, ...rest }) => utf8(/** @type {string} */ (canonical(rest)));

/** @param {Profile} profile @returns {ShownProfile} */
export const shownProfile = ({ key, name, called: as, file, offered, successions }) => ({
  key,
  name,
  called: as,
  kept: file !== null,
  offered,
  successions: successions.length,
});

/** @param {string} server @param {string} name @param {string | null} as what its owner is called @param {boolean} readable @returns {Promise<Profile>} nowhere stored yet */
export async function newProfile(server, name, as, readable) {
  const { signer, secret } = await newSigner(name, readable);
  secret.fill(0); // it stays in this browser, and is in no file
  return { server, key: signer.key, name, called: as, signing: signer.signing, file: null, successions: [], offered: false };
}

/**
 * The file of a profile that has none: it names a recovery key, whose secret is in the file alone.
 * @param {Profile} profile @param {string} passphrase @returns {Promise<string>} its line @throws {Refused}
 */
export async function newFile(profile, passphrase) {
  checkPassphrase(passphrase);
  const seed = random(32);
  const recovery = toHex((await keyFromSeed(seed)).publicKey);
  const [nonce, salt] = [random(12), random(16)];
  const file = {
    ...(profile.called === null ? {} : { called: profile.called }),
    format: 'rollproof/profile/v1',
    iterations: ITERATIONS,
    key: profile.key,
    named: await new Signer(profile.key, profile.signing).sign(namingMessage(profile.key, recovery)),
    nonce: toHex(nonce),
    recovery,
    salt: toHex(salt),
    server: profile.server,
    successions: profile.successions,
  };
  const wrapping = await keyOf(passphrase, salt, ITERATIONS);
  const sealed = await subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData: besideOf(file) }, wrapping, seed);
  seed.fill(0);
  return `${canonical({ ...file, sealed: toHex(new Uint8Array(sealed)) })}\n`;
}

/**
 * Opens a file, and checks all that is in it.
 * @param {Uint8Array} bytes @param {string} passphrase @param {string} server the address of this page
 * @returns {Promise<{file: any, recovery: {sign: (message: Uint8Array) => Promise<string>}}>} @throws {Refused} with a code of specs/profile.md
 */
export async function openFile(bytes, passphrase, server) {
  const line = bytes.length > MAX_PROFILE ? null : fromUtf8(bytes);
  const file = /** @type {any} */ (line === null ? undefined : readCanonical(line.replace(/\n$/, '')));
  if (file === undefined || FILE(file) !== null || !canRecover(file.recovery, [file.key])) throw flaw('profile.malformed');
  if (file.server !== undefined && withoutSlashes(file.server) !== server) {
    throw new Refused(
      'profile.server',
      say('This file is of a profile at another server, {server}, and cannot be used here. Nothing was changed.', {
        server: file.server.slice(0, 200),
      }),
    );
  }
  const seed = await unsealed(file, passphrase);
  const recovery = await keyFromSeed(seed);
  seed.fill(0);
  if (toHex(recovery.publicKey) !== file.recovery) throw flaw('profile.key');
  const { publicKey } = /** @type {any} */ (readVerifierKey(file.key));
  if (!(await isSignedWith(publicKey, file.named, namingMessage(file.key, file.recovery)))) throw flaw('profile.named');
  const later = [...file.successions.slice(1).map((/** @type {Succession} */ each) => each.key), file.key];
  for (const [i, each] of file.successions.entries()) {
    if ((await successionFlaw(each)) !== null || each.new !== later[i]) throw flaw('profile.successions');
  }
  return { file, recovery };
}

/** @param {any} file @param {string} passphrase @returns {Promise<Uint8Array>} the recovery key's secret @throws {Refused} */
async function unsealed(file, passphrase) {
  const wrapping = await keyOf(passphrase, fromHex(file.salt), file.iterations);
  try {
    return new Uint8Array(
      await subtle.decrypt({ name: 'AES-GCM', iv: fromHex(file.nonce), additionalData: besideOf(file) }, wrapping, fromHex(file.sealed)),
    );
  } catch {
    throw flaw('profile.passphrase');
  }
}

/**
 * Makes a new key, the successor of a file's key.
 * @param {Uint8Array} bytes @param {string} passphrase @param {string} server @param {string} time @param {boolean} readable
 * @returns {Promise<Profile>} nowhere stored yet @throws {Refused}
 */
export async function restoredProfile(bytes, passphrase, server, time, readable) {
  const { file, recovery } = await openFile(bytes, passphrase, server);
  const { name } = /** @type {any} */ (readVerifierKey(file.key));
  const made = await newProfile(server, name, file.called ?? null, readable);
  const told = { key: file.key, new: made.key, recovery: file.recovery, time };
  const message = successionMessage(told);
  const succession = {
    ...told,
    format: 'rollproof/succession/v1',
    named: file.named,
    new_sig: await new Signer(made.key, made.signing).sign(message),
    sig: await recovery.sign(message),
  };
  return { ...made, successions: [...file.successions, succession] };
}

/** @param {Profile} profile @returns {Uint8Array} a succession a line */
export const successionLines = ({ successions }) => utf8(successions.map((each) => `${canonical(each)}\n`).join(''));
