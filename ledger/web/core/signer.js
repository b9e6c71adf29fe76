/**
 * Keys that sign: made here, and from then on used by the platform alone (specs/page.md, "Keys and memory").
 * @module
 */

import { concat, equal, fromHex, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { readVerifierKey, verifierKey } from '../../../verifier/web/identities.js';

const { subtle } = globalThis.crypto;

/** PKCS #8 of an Ed25519 key (RFC 8410) before its 32 bytes. */
const PKCS8 = fromHex('302e020100300506032b657004220420');

/** @param {Uint8Array} secret PKCS #8 @returns {Uint8Array} the key's 32 bytes @throws {Error} where it is no such key */
export function seedOf(secret) {
  if (secret.length !== PKCS8.length + 32 || !equal(secret.subarray(0, PKCS8.length), PKCS8)) throw new Error('no Ed25519 key');
  return secret.slice(PKCS8.length);
}

/** @param {number} length @returns {Uint8Array} */
export const random = (length) => globalThis.crypto.getRandomValues(new Uint8Array(length));

/** A key with the name of its owner. */
export class Signer {
  /** @param {string} key the verifier key @param {CryptoKey} signing */
  constructor(key, signing) {
    this.key = key;
    this.signing = signing;
    const identity = /** @type {import('../../../verifier/web/identities.js').Identity} */ (readVerifierKey(key));
    this.name = identity.name;
    this.publicKey = identity.publicKey;
  }

  /** @param {Uint8Array} message @returns {Promise<string>} hex, 64 bytes */
  async sign(message) {
    return toHex(new Uint8Array(await subtle.sign('Ed25519', this.signing, message)));
  }
}

/**
 * @param {string} name of the owner @param {boolean} [readable] a storage that has no keys of its own kind can read it
 * @returns {Promise<{signer: Signer, secret: Uint8Array}>} `secret` is the PKCS #8, to be wrapped at once, or dropped
 */
export async function newSigner(name, readable = false) {
  const pair = /** @type {CryptoKeyPair} */ (await subtle.generateKey('Ed25519', true, ['sign', 'verify']));
  const secret = new Uint8Array(await subtle.exportKey('pkcs8', pair.privateKey));
  const publicKey = new Uint8Array(await subtle.exportKey('raw', pair.publicKey));
  return { signer: await signerOf(verifierKey(name, publicKey), secret, readable), secret };
}

/** @param {string} key the verifier key @param {Uint8Array} secret PKCS #8 @param {boolean} [readable] @returns {Promise<Signer>} */
export async function signerOf(key, secret, readable = false) {
  return new Signer(key, await subtle.importKey('pkcs8', secret, 'Ed25519', readable, ['sign']));
}

/**
 * A key from its seed (RFC 8032).
 * @param {Uint8Array} seed 32 bytes
 * @returns {Promise<{publicKey: Uint8Array, sign: (message: Uint8Array) => Promise<string>}>} signatures in hex
 */
export async function keyFromSeed(seed) {
  const pkcs8 = concat(PKCS8, seed);
  const { x } = await subtle.exportKey('jwk', await subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']));
  const signing = await subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
  return {
    publicKey: /** @type {Uint8Array} */ (fromBase64Url(/** @type {string} */ (x))),
    sign: async (message) => toHex(new Uint8Array(await subtle.sign('Ed25519', signing, message))),
  };
}

/** @param {Uint8Array} secret @param {string} info @returns {Promise<Uint8Array>} HKDF-SHA256, no salt, 32 bytes */
export async function derived(secret, info) {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(info) };
  return new Uint8Array(await subtle.deriveBits(how, key, 256));
}

/** @param {Uint8Array} bytes @returns {string} without padding */
export const toBase64Url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** @param {string} text without padding @returns {Uint8Array | null} null where it is not canonical */
export function fromBase64Url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  return toBase64Url(bytes) === text ? bytes : null;
}
