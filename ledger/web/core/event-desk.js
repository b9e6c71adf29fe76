/**
 * An organizer's names and codes: they are made here, and the log gets their hashes (specs/event.md, "Names and
 * claims").
 * @module
 */

import { concat, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { canonical } from '../../../verifier/web/json.js';
import { sha256 } from '../../../verifier/web/sha256.js';
import { tokenOf } from './links.js';
import { derived, fromBase64Url, keyFromSeed, random, toBase64Url } from './signer.js';
import { json } from './transport.js';

/** @typedef {{name: string, number: number, code: string}} Handed to hand to one person */

const AT_ONCE = 300;

/** @returns {string} a claim code that begins with a letter or digit */
function newCode() {
  for (;;) {
    const code = toBase64Url(random(32));
    if (/^[A-Za-z0-9]/.test(code)) return code;
  }
}

/**
 * Registers players, each with a claim code whose token the server gets; their names go to the server's names file.
 * @param {import('./event.js').EventHere} event @param {{name: string, number: number}[]} players @returns {Promise<Handed[]>}
 */
export async function register(event, players) {
  const made = [];
  for (const { name, number } of players) {
    const code = newCode();
    const secret = /** @type {Uint8Array} */ (fromBase64Url(code));
    const salt = random(32);
    const claim = toHex((await keyFromSeed(await derived(secret, 'rollproof/v1/claim key\n'))).publicKey);
    const hash = toHex(sha256(concat(utf8('rollproof/v1/name\n'), salt, utf8(name))));
    const token = await tokenOf(secret);
    made.push({
      name,
      number,
      code,
      salt: toHex(salt),
      claim,
      hash,
      digest: toHex(sha256(Uint8Array.from(token.match(/../g) ?? [], (each) => parseInt(each, 16)))),
    });
  }
  for (let at = 0; at < made.length; at += AT_ONCE) {
    await event.act('register', { players: made.slice(at, at + AT_ONCE).map(({ claim, hash, number }) => ({ claim, name: hash, number })) });
  }
  for (let at = 0; at < made.length; at += AT_ONCE) {
    const tokens = made.slice(at, at + AT_ONCE).map(({ number, digest }) => ({ party: `p${number}`, token: digest }));
    await post(event, 'tokens', JSON.stringify({ tokens }));
  }
  await addNames(event, made);
  return made.map(({ name, number, code }) => ({ name, number, code }));
}

/** @param {import('./event.js').EventHere} event @param {string} what @param {string} body */
async function post(event, what, body) {
  event.connection.token = await event.token();
  await event.connection.ask('POST', `/v1/events/${event.id}/${what}`, { body: utf8(body) });
}

/** @param {import('./event.js').EventHere} event @param {{name: string, number: number, salt: string}[]} made */
async function addNames(event, made) {
  let before = [];
  try {
    before = json((await event.connection.ask('GET', `/v1/events/${event.id}/names`, { patience: 0 })).bytes).names;
  } catch {
    /* there are none yet */
  }
  const names = [...before, ...made.map(({ name, number, salt }) => ({ name, number, salt }))].sort((a, b) => a.number - b.number);
  await post(event, 'names', /** @type {string} */ (canonical({ event: event.id, names })));
  for (const { name, number } of made) event.names.set(number, name);
}

/**
 * Makes a code for a screen, which signs nothing. @param {import('./event.js').EventHere} event
 * @param {'wall' | 'stream'} party that everybody in the hall sees: it reads names; or strangers: it reads games alone @returns {Promise<string>}
 */
export async function screenCode(event, party) {
  const code = newCode();
  const token = await tokenOf(/** @type {Uint8Array} */ (fromBase64Url(code)));
  const digest = toHex(sha256(Uint8Array.from(token.match(/../g) ?? [], (each) => parseInt(each, 16))));
  await post(event, 'tokens', JSON.stringify({ tokens: [{ party, token: digest }] }));
  return code;
}

/** Fetches the bundle from the server. @param {import('./event.js').EventHere} event @returns {Promise<Uint8Array>} */
export async function bundle(event) {
  event.connection.token = await event.token();
  return (await event.connection.ask('GET', `/v1/events/${event.id}/bundle`, { most: 1_000_000_000 })).bytes;
}
