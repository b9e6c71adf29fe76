/**
 * A seat that goes to another device (specs/page.md, "Moving").
 * @module
 */

import { fromHex, fromUtf8, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { readVerifierKey, verifierKey } from '../../../verifier/web/identities.js';
import { canonical, readCanonical } from '../../../verifier/web/json.js';
import { members, must, string } from '../../../verifier/web/schema.js';
import { newSealingKey, ownChain, seal, secretOf, unseal } from './chains.js';
import { Refused, say } from './errors.js';
import { keyFromSeed, random, signerOf } from './signer.js';

/** @typedef {import('./memory.js').Record} Record */
/** @typedef {{salt: string, iterations: number, key: string}} Wrapped the signing key, sealed under the passphrase; hex */

export const ITERATIONS = 600_000;
/** Above this a file would only keep a browser busy. */
const MOST_ITERATIONS = 100_000_000;
const KEY = utf8('rollproof/v1/page key\n');
const MEMORY = utf8('rollproof/v1/page memory\n');
const HEX = /^(?:[0-9a-f]{2})+$/;

const { subtle } = globalThis.crypto;

/** @param {string} passphrase @param {Uint8Array} salt @param {number} iterations @returns {Promise<CryptoKey>} that cannot be read */
async function keyOf(passphrase, salt, iterations) {
  const material = await subtle.importKey('raw', utf8(passphrase), 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
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

/** Why a seat signs nothing more where it was. */
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
  const memory = utf8(JSON.stringify({ game, link: seat.link, record: record && { ...record, chains }, terms: seat.terms, agreed: seat.agreed, moves: seat.moves }));
  const { iterations, key, salt } = seat.wrapped;
  const file = {
    format: 'rollproof/page-seat/v1', iterations, key, memory: await seal(seat.wrapping, memory, MEMORY), name: seat.name, salt, server: address,
  };
  return utf8(/** @type {string} */ (canonical(file)));
}

const hex = must((value) => typeof value === 'string' && HEX.test(value), 'hexadecimal');
const FILE = members({
  format: must((value) => value === 'rollproof/page-seat/v1', 'the format'),
  iterations: must((value) => Number.isSafeInteger(value) && value >= ITERATIONS && value <= MOST_ITERATIONS, 'iterations'),
  key: hex, memory: hex, name: string, salt: must((value) => hex(value) === null && value.length === 32, '16 bytes'), server: string,
});

/**
 * What a file has, opened with its passphrase. Its chains are opened for no roll from now on.
 * @param {Uint8Array} bytes @param {string} passphrase
 * @returns {Promise<{seat: any, game: string | null, record: Record | null}>} `seat` as it is stored
 * @throws {Refused} `moved.file`, `moved.passphrase`
 */
export async function readFile(bytes, passphrase) {
  const text = fromUtf8(bytes);
  const file = /** @type {any} */ (text === null ? undefined : readCanonical(text.trimEnd()));
  if (file === undefined || FILE(file) !== null) throw new Refused('moved.file', say('This is no file of a seat that moved.'));
  const wrapping = await keyOf(passphrase, fromHex(file.salt), file.iterations);
  let secret;
  let memory;
  try {
    secret = await unseal(wrapping, file.key, KEY);
    memory = JSON.parse(fromUtf8(await unseal(wrapping, file.memory, MEMORY)) ?? '');
  } catch {
    throw new Refused('moved.passphrase', say('The passphrase does not open this file, or the file was changed.'));
  }
  const { publicKey } = await keyFromSeed(secret.slice(-32));
  const signer = await signerOf(verifierKey(file.name, publicKey), secret);
  if (readVerifierKey(signer.key) === null) throw new Refused('moved.file', say('This is no file of a seat that moved.'));
  const sealing = await newSealingKey();
  const { game, record } = memory;
  const chains = [];
  for (const { secret: link, ...rest } of record?.chains ?? []) {
    const own = await ownChain(fromHex(game), file.name, sealing, fromHex(link), rest.length);
    chains.push({ ...rest, sealed: own.sealed, moved: true });
  }
  const seat = {
    key: signer.key, name: signer.name, signing: signer.signing, sealing, wrapping, link: memory.link, terms: memory.terms,
    wrapped: { salt: file.salt, iterations: file.iterations, key: file.key }, agreed: memory.agreed, moves: memory.moves, posted: true, left: false,
  };
  return { seat, game, record: record && { ...record, chains, lines: [] } };
}

/** @param {string} table @param {string} role @returns {string} where a seat is stored */
export const seatKey = (table, role) => `${table} ${role}`;

