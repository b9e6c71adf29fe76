/**
 * SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104) without promises.
 *
 * WebCrypto has both, and answers each time by way of another thread: a log of 100,000 events takes half a million such
 * answers, more than its signatures take. What a verifier hashes is public; who hashes secrets calls `forget`. `selfTest` compares
 * what this module computes with the platform's WebCrypto, before anything is judged by it.
 * @module
 */

const BLOCK = 64;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const K = Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
  0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

/** The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
const INITIAL = Int32Array.from([0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]);

// Written anew by every call, so that hashing leaves nothing behind to collect.
const schedule = new Int32Array(64);
const tail = new Uint8Array(2 * BLOCK);
const padded = new Uint8Array(BLOCK);
const inner = new Int32Array(8);
const outer = new Int32Array(8);

/** Clears what the last call left: whoever hashes a secret calls it. */
export function forget() {
  for (const each of [schedule, tail, padded, inner, outer]) each.fill(0);
}

/** FIPS 180-4, section 6.2.2. @param {Int32Array} state of 8 words @param {Uint8Array} data @param {number} at of the block */
function compress(state, data, at) {
  const w = schedule;
  for (let t = 0, i = at; t < 16; t++, i += 4) {
    w[t] = (data[i] << 24) | (data[i + 1] << 16) | (data[i + 2] << 8) | data[i + 3];
  }
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15];
    const y = w[t - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = (s1 + w[t - 7] + s0 + w[t - 16]) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let t = 0; t < 64; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[t] + w[t]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/**
 * The hash of `before`, of whole blocks and in `state` already, and `data`.
 * @param {Int32Array} state is changed @param {number} before bytes @param {Uint8Array} data @returns {Uint8Array}
 */
function finish(state, before, data) {
  const whole = data.length - (data.length % BLOCK);
  for (let at = 0; at < whole; at += BLOCK) compress(state, data, at);
  const rest = data.length - whole;
  const end = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
  tail.fill(0);
  for (let i = 0; i < rest; i++) tail[i] = data[whole + i];
  tail[rest] = 0x80;
  let bits = (before + data.length) * 8;
  for (let i = end - 1; bits > 0; i--, bits = Math.floor(bits / 256)) tail[i] = bits % 256;
  for (let at = 0; at < end; at += BLOCK) compress(state, tail, at);
  const hash = new Uint8Array(32);
  for (let i = 0; i < 32; i++) hash[i] = state[i >> 2] >>> (24 - 8 * (i & 3));
  return hash;
}

/** @param {Uint8Array} data @returns {Uint8Array} 32 bytes */
export const sha256 = (data) => finish(INITIAL.slice(), 0, data);

/** @param {Int32Array} state becomes that after the padded key @param {Uint8Array} key 32 bytes @param {number} pad @returns {Int32Array} */
function keyed(state, key, pad) {
  padded.fill(pad);
  for (let i = 0; i < key.length; i++) padded[i] ^= key[i];
  state.set(INITIAL);
  compress(state, padded, 0);
  return state;
}

/** @param {Uint8Array} key always 32 bytes here @param {Uint8Array} message @returns {Uint8Array} 32 bytes */
export function hmac(key, message) {
  if (key.length !== 32) throw new RangeError('keys have 32 bytes');
  const hash = finish(keyed(inner, key, 0x36), BLOCK, message);
  const code = finish(keyed(outer, key, 0x5c), BLOCK, hash);
  hash.fill(0);
  return code;
}

/** @type {Promise<void> | null} */
let tested = null;

/** Compares this module with the platform's WebCrypto once. @returns {Promise<void>} @throws {Error} where they differ */
export function selfTest() {
  tested ??= compareWithPlatform();
  return tested;
}

async function compareWithPlatform() {
  const { subtle } = globalThis.crypto;
  /** @type {(one: Uint8Array, other: ArrayBuffer) => boolean} */
  const same = (one, other) => new Uint8Array(other).every((byte, i) => byte === one[i]);
  // Every length around one and two blocks, with bytes that follow from one another.
  let key = sha256(new Uint8Array(0));
  for (let length = 0; length <= 3 * BLOCK; length++) {
    const data = new Uint8Array(length);
    for (let i = 0; i < length; i++) data[i] = key[i % 32] ^ (i * 7);
    const platformKey = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const holds = same(sha256(data), await subtle.digest('SHA-256', data)) && same(hmac(key, data), await subtle.sign('HMAC', platformKey, data));
    if (!holds) throw new Error('SHA-256 differs from that of the platform: nothing can be judged here');
    key = sha256(data);
  }
}
