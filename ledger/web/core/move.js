/**
 * Moving a seat to another device (specs/page.md, "Moving").
 * @module
 */

import { fromHex, fromUtf8, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { MAX_CHAIN, MAX_PARTIES, MAX_TAGS } from '../../../verifier/web/constants.js';
import { verifierKey } from '../../../verifier/web/identities.js';
import { canonical, isObject, readCanonical } from '../../../verifier/web/json.js';
import { readCheckpoint, readNote } from '../../../verifier/web/notes.js';
import { array, called, hex32, integer, members, must, oneOf, OPENING_FILE, RECEIVED, string, text } from '../../../verifier/web/schema.js';
import { newSealingKey, ownChain, seal, secretOf, unseal } from './chains.js';
import { Refused, say } from './errors.js';
import { canBeCalled, parseTerms } from './forms.js';
import { hiddenOf, keyOfSeal, ownSeal, purposeOf, sealPurpose } from './holder.js';
import { parseLink } from './links.js';
import { checkLink, invitesThatHold } from './lobby.js';
import { keyFromSeed, random, seedOf, signerOf } from './signer.js';

/** @typedef {import('../../../verifier/web/schema.js').Check} Check */
/** @typedef {import('./memory.js').Record} Record */
/** @typedef {{salt: string, iterations: number, key: string}} Wrapped the signing key, sealed under the passphrase; hex */

export const ITERATIONS = 600_000;
/** Above this a file would only keep a browser busy. */
export const MOST_ITERATIONS = 10_000_000;
/** Characters of a passphrase: the command line's number (specs/seats.md). */
export const MIN_PASSPHRASE = 12;
/** Bytes of a file. */
export const MAX_MOVED = 4_194_304;
const KEY = utf8('rollproof/v1/page key\n');
const MEMORY = utf8('rollproof/v1/page memory\n');
const HEX = /^(?:[0-9a-f]{2})+$/;

const { subtle } = globalThis.crypto;

/** @param {string} passphrase @param {Uint8Array} salt @param {number} iterations @returns {Promise<CryptoKey>} that cannot be read */
export async function keyOf(passphrase, salt, iterations) {
  const material = await subtle.importKey('raw', utf8(passphrase), 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

/** @param {string} passphrase @throws {Refused} where it is too short to seal a key */
export function checkPassphrase(passphrase) {
  if ([...passphrase].length >= MIN_PASSPHRASE) return;
  throw new Refused(
    'passphrase',
    say(
      'The passphrase is too short: it needs at least {least} characters. Somebody who gets the file can try passphrases as fast as their machines allow.',
      {
        least: MIN_PASSPHRASE,
      },
    ),
  );
}

/**
 * @param {string} passphrase @param {Uint8Array} secret PKCS #8
 * @returns {Promise<{wrapping: CryptoKey, wrapped: Wrapped}>}
 */
export async function wrap(passphrase, secret) {
  const salt = random(16);
  const wrapping = await keyOf(passphrase, salt, ITERATIONS);
  return { wrapping, wrapped: { salt: toHex(salt), iterations: ITERATIONS, key: await seal(wrapping, secret, KEY) } };
}

/** The reason why a moved seat signs nothing more on the old device. */
export const MOVED = say('This seat was moved to another device, and goes on there.');

/** @param {Record} record @returns {boolean} whether this is why it has stopped */
export const hasMoved = ({ stopped }) => stopped !== null && 'text' in stopped && 'text' in MOVED && stopped.text === MOVED.text;

/** @param {any} seat as it is stored @param {Record | null} record @param {string | null} game @param {string} address @returns {Promise<Uint8Array>} the file */
export async function fileOf(seat, record, game, address) {
  const chains = [];
  for (const chain of record?.chains ?? []) {
    const { sealed: _sealed, ...rest } = chain;
    chains.push({ ...rest, secret: toHex(await secretOf(fromHex(/** @type {string} */ (game)), seat.sealing, chain)) });
  }
  const id = fromHex(game ?? '');
  const seals = [];
  for (const { sealed: _sealed, ...rest } of record?.seals ?? []) {
    seals.push({ ...rest, secret: toHex(await keyOfSeal(id, seat.sealing, /** @type {any} */ ({ ...rest, sealed: _sealed }))) });
  }
  /** @type {{[hidden: string]: import('./holder.js').Purpose}} */
  const hidden = {};
  for (const [each, sealed] of Object.entries(record?.hidden ?? {})) hidden[each] = await purposeOf(id, seat.sealing, each, sealed);
  const memory = utf8(
    JSON.stringify({
      called: seat.called ?? null,
      game,
      invites: seat.invites,
      link: seat.link,
      record: record && { ...record, chains, hidden, seals },
      terms: seat.terms,
      agreed: seat.agreed,
      moves: seat.moves,
    }),
  );
  const { iterations, key, salt } = seat.wrapped;
  const file = {
    format: 'rollproof/page-seat/v1',
    iterations,
    key,
    memory: await seal(seat.wrapping, memory, MEMORY),
    name: seat.name,
    salt,
    server: address,
  };
  return utf8(/** @type {string} */ (canonical(file)));
}

const NO_FILE = say('This is no file of a seat that moved.');
const hex = must((value) => typeof value === 'string' && HEX.test(value), 'hexadecimal');
const boolean = must((value) => typeof value === 'boolean', 'true or false');
const hashOrNone = (/** @type {any} */ value) => (value === '' ? null : hex32(value));
const FILE = members({
  format: oneOf('rollproof/page-seat/v1'),
  iterations: integer(ITERATIONS, MOST_ITERATIONS),
  key: hex,
  memory: hex,
  name: must(canBeCalled, 'a name'),
  salt: must((value) => hex(value) === null && value.length === 32, '16 bytes'),
  server: must((value) => typeof value === 'string' && value.length <= 2_000, 'an address'),
});

/** @param {Check} check of a line @returns {Check} of its text in canonical form */
const lineOf = (check) =>
  must((value) => {
    const found = typeof value === 'string' ? readCanonical(value) : undefined;
    return found !== undefined && check(found) === null;
  }, 'a line');

/** @param {any} value @param {number} [depth] @returns {boolean} whether it is a message, such as `errors.js` makes */
function isMessage(value, depth = 0) {
  if (depth > 4 || !isObject(value)) return false;
  if ('all' in value) return Array.isArray(value.all) && value.all.every((/** @type {any} */ each) => isMessage(each, depth + 1));
  const values = value.values ?? {};
  const fits = (/** @type {any} */ each) =>
    typeof each === 'string' ||
    Number.isSafeInteger(each) ||
    isMessage(each, depth + 1) ||
    (isObject(each) && Array.isArray(each.names) && each.names.every((/** @type {any} */ one) => typeof one === 'string'));
  return typeof value.text === 'string' && isObject(values) && Object.values(values).every(fits);
}
const message = must((value) => isMessage(value), 'a message');

const CHAIN = members({
  length: integer(2, MAX_CHAIN),
  moved: boolean,
  opened: integer(0, MAX_CHAIN),
  opening: (value) => (value === '' ? null : lineOf(OPENING_FILE)(value)),
  replaced: boolean,
  request: hashOrNone,
  secret: hex32,
  tip: hex32,
});
const SEAL = members({ count: integer(2, MAX_TAGS), first: integer(1, 2 ** 40), secret: hex32, tag: hex32 });
const PURPOSE = members({ salt: hex32, text });
const receipt = must((value) => {
  const note = isObject(value) && typeof value.note === 'string' ? readNote(utf8(value.note)) : null;
  const checkpoint = note && readCheckpoint(note);
  return (
    checkpoint !== null &&
    members({ leaf: hashOrNone, note: string, root: hex32, size: integer(1) })(value) === null &&
    checkpoint.size === value.size &&
    toHex(checkpoint.root) === value.root
  );
}, 'a receipt');
const MANY = 10_000;
/** Each is worked out anew, from its last link down. */
const MAX_CHAINS = 64;
/** Of one role (specs/network.md, “The table”). */
const MAX_INVITES = 64;
const RECORD = members(
  {
    acknowledged: members({ authors: array(must(canBeCalled, 'a name'), 0, MAX_PARTIES), request: hashOrNone }),
    chains: array(CHAIN, 0, MAX_CHAINS),
    denied: hashOrNone,
    head: members({ leaf: hashOrNone, size: integer(0) }),
    lines: array(string, 0, MANY),
    number: integer(0, 2 ** 40),
    hidden: must(
      (value) => isObject(value) && Object.entries(value).every(([hash, purpose]) => hex32(hash) === null && PURPOSE(purpose) === null),
      'purposes',
    ),
    received: array(lineOf(RECEIVED), 0, MANY),
    receipts: array(receipt, 0, MANY),
    seals: array(SEAL, 0, MANY),
    signed: must(
      (value) => isObject(value) && Object.entries(value).every(([leaf, seq]) => hex32(leaf) === null && integer(0)(seq) === null),
      'hashes',
    ),
    stopped: (value) => (value === null ? null : message(value)),
    voided: hashOrNone,
    warnings: array(members({ files: array(members({ name: string, text: string }), 0, MANY), id: string, message }), 0, MANY),
  },
  { at: string },
);
const MEMORY_FORM = members({
  agreed: boolean,
  called: (value) => (value === null ? null : called(value)),
  game: (value) => (value === null ? null : hex32(value)),
  invites: array(must(isObject, 'an invite'), 0, MAX_INVITES),
  link: string,
  moves: integer(1, 2 ** 40),
  record: (value) => (value === null ? null : RECORD(value)),
  terms: string,
});

/**
 * Checks every member of the sealed content, before anything of it is stored or shown.
 * @param {any} memory @param {string} address of this server @returns {Promise<void>} @throws {Refused}
 */
async function checkMemory(memory, address) {
  if (MEMORY_FORM(memory) !== null || (memory.game === null) !== (memory.record === null)) throw new Refused('moved.file', NO_FILE);
  const link = parseLink(memory.link);
  if (link.address !== address) throw elsewhere(link.address);
  const terms = parseTerms(memory.terms);
  const invites = await invitesThatHold(terms, link.table, memory.invites);
  if (invites.length !== memory.invites.length) throw new Refused('moved.file', NO_FILE);
  await checkLink(link, memory.terms, terms, invites);
}

/** @param {string} server @returns {Refused} */
const elsewhere = (server) =>
  new Refused(
    'moved.server',
    say('This file is of a seat at another server, {server}, and cannot be taken here. Nothing was changed.', { server: server.slice(0, 200) }),
  );

/** @param {Uint8Array} bytes @param {string} address of this server @returns {any} the file @throws {Refused} */
function parseFile(bytes, address) {
  const text = bytes.length > MAX_MOVED ? null : fromUtf8(bytes);
  const file = /** @type {any} */ (text === null ? undefined : readCanonical(text.trimEnd()));
  if (file === undefined || FILE(file) !== null) throw new Refused('moved.file', NO_FILE);
  if (file.server.replace(/\/+$/, '') !== address) throw elsewhere(file.server);
  return file;
}

/**
 * The signing key, as PKCS #8.
 * @param {string} name @param {Uint8Array} secret @returns {Promise<import('./signer.js').Signer>} @throws {Refused}
 */
async function readSigner(name, secret) {
  try {
    const { publicKey } = await keyFromSeed(seedOf(secret));
    return await signerOf(verifierKey(name, publicKey), secret);
  } catch {
    throw new Refused('moved.file', NO_FILE);
  }
}

/**
 * Opens a file with its passphrase. Its chains are opened for no roll from now on.
 * @param {Uint8Array} bytes @param {string} passphrase @param {string} address of this server
 * @returns {Promise<{seat: any, game: string | null, record: Record | null}>} `seat` as it is stored
 * @throws {Refused} `moved.file`, `moved.server`, `moved.passphrase`
 */
export async function readFile(bytes, passphrase, address) {
  const file = parseFile(bytes, address);
  const wrapping = await keyOf(passphrase, fromHex(file.salt), file.iterations);
  let secret;
  let memory;
  try {
    secret = await unseal(wrapping, file.key, KEY);
    memory = JSON.parse(fromUtf8(await unseal(wrapping, file.memory, MEMORY)) ?? '');
  } catch {
    throw new Refused('moved.passphrase', say('The passphrase does not open this file, or the file was changed.'));
  }
  const signer = await readSigner(file.name, secret);
  secret.fill(0);
  try {
    await checkMemory(memory, address);
  } catch (error) {
    throw error instanceof Refused && error.code === 'moved.server' ? error : new Refused('moved.file', NO_FILE);
  }
  const sealing = await newSealingKey();
  const { game, record } = memory;
  const chains = [];
  for (const { secret: link, ...rest } of record?.chains ?? []) {
    const own = await ownChain(fromHex(game), file.name, sealing, fromHex(link), rest.length);
    if (own.tip !== rest.tip) throw new Refused('moved.file', NO_FILE);
    chains.push({ ...rest, sealed: own.sealed, moved: true });
  }
  const seals = [];
  for (const { secret: key, ...rest } of record?.seals ?? []) {
    const { own } = await ownSeal(fromHex(game), file.name, sealing, fromHex(key), rest.first, rest.count);
    if (own.tag !== rest.tag) throw new Refused('moved.file', NO_FILE);
    seals.push(own);
  }
  /** @type {{[hash: string]: string}} */
  const hidden = {};
  for (const [hash, purpose] of Object.entries(record?.hidden ?? {})) {
    if (hiddenOf(fromHex(game), file.name, /** @type {any} */ (purpose)) !== hash) throw new Refused('moved.file', NO_FILE);
    hidden[hash] = await sealPurpose(fromHex(game), sealing, hash, /** @type {any} */ (purpose));
  }
  const seat = {
    key: signer.key,
    name: signer.name,
    signing: signer.signing,
    sealing,
    wrapping,
    called: memory.called,
    invites: memory.invites,
    link: memory.link,
    terms: memory.terms,
    wrapped: { salt: file.salt, iterations: file.iterations, key: file.key },
    agreed: memory.agreed,
    moves: memory.moves,
    posted: true,
    left: false,
  };
  return { seat, game, record: record && { ...record, chains, hidden, lines: [], seals } };
}

/** @param {string} table @param {string} role @returns {string} where a seat is stored */
export const seatKey = (table, role) => `${table} ${role}`;
