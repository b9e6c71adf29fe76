/**
 * The rule of specs/log.md ("Signatures") in plain integers. Checks 1 to 3 compare bytes and go before every signature;
 * check 4, the equation, settles what a platform's WebCrypto refuses or cannot be asked. All inputs are public, so
 * nothing here needs to take the same time for all inputs.
 * @module
 */

import { concat, equal, fromHex } from './bytes.js';

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SQRT_OF_MINUS_ONE = 19681161376707505956807079304988542015446066515923890162744021073123829784752n;
const BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202n;
const BASE_Y = 46316835694926478169428394003475163141307993866256225615783033603165251855960n;

/** The encodings of points of small order, sign bit cleared. */
const SMALL_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map(fromHex);

/** @param {Uint8Array} bytes little-endian @returns {bigint} */
function integer(bytes) {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]);
  return value;
}

/** @param {Uint8Array} bytes 32 bytes @returns {Uint8Array} the same with the top bit cleared */
function unsigned(bytes) {
  const copy = bytes.slice();
  copy[31] &= 0x7f;
  return copy;
}

/** @param {Uint8Array} encoding 32 bytes @returns {boolean} */
export const hasSmallOrder = (encoding) =>
  SMALL_ORDER.some((known) => {
    for (let i = 0; i < 31; i++) if (encoding[i] !== known[i]) return false;
    return (encoding[31] & 0x7f) === known[31];
  });

/** Check 2: below p = 2^255 - 19, sign bit cleared. @param {Uint8Array} encoding 32 bytes @returns {boolean} */
function isCanonical(encoding) {
  if ((encoding[31] & 0x7f) !== 0x7f) return true;
  for (let i = 30; i > 0; i--) if (encoding[i] !== 0xff) return true;
  return encoding[0] < 0xed;
}

/** Checks 2 and 3 for one of A and R. @param {Uint8Array} encoding 32 bytes @returns {boolean} */
export const isPlausible = (encoding) => isCanonical(encoding) && !hasSmallOrder(encoding);

const L_BYTES = Uint8Array.from({ length: 32 }, (_, i) => Number((L >> BigInt(8 * i)) & 255n));

/** Check 1: below L. @param {Uint8Array} s 32 bytes, little-endian @returns {boolean} */
export function isReduced(s) {
  for (let i = 31; i >= 0; i--) if (s[i] !== L_BYTES[i]) return s[i] < L_BYTES[i];
  return false;
}

/** @typedef {{x: bigint, y: bigint, z: bigint, t: bigint}} Point extended coordinates: x = X/Z, y = Y/Z, xy = T/Z */

/** @param {bigint} a @returns {bigint} */
const mod = (a) => {
  const rest = a % P;
  return rest < 0n ? rest + P : rest;
};

/** @param {bigint} base @param {bigint} exponent @returns {bigint} */
function power(base, exponent) {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/** @param {bigint} x @param {bigint} y @returns {Point} */
const affine = (x, y) => ({ x, y, z: 1n, t: mod(x * y) });
const IDENTITY = affine(0n, 1n);
const BASE = affine(BASE_X, BASE_Y);

/** RFC 8032, section 5.1.4; complete, so it doubles too. @param {Point} p @param {Point} q @returns {Point} */
function add(p, q) {
  const a = mod((p.y - p.x) * (q.y - q.x));
  const b = mod((p.y + p.x) * (q.y + q.x));
  const c = mod(2n * p.t * q.t * D);
  const d = mod(2n * p.z * q.z);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return { x: mod(e * f), y: mod(g * h), z: mod(f * g), t: mod(e * h) };
}

/** RFC 8032, section 5.1.3. @param {Uint8Array} encoding @returns {Point | null} null where it is no point */
function decode(encoding) {
  const y = integer(unsigned(encoding));
  const sign = BigInt(encoding[31] >> 7);
  if (y >= P) return null;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = mod(u * v ** 3n * power(mod(u * v ** 7n), (P - 5n) / 8n));
  const check = mod(v * x * x);
  if (check === mod(-u)) x = mod(x * SQRT_OF_MINUS_ONE);
  else if (check !== u) return null;
  if (x === 0n && sign === 1n) return null;
  if ((x & 1n) !== sign) x = mod(-x);
  return affine(x, y);
}

/** @param {Point} point @returns {Uint8Array} */
function encode(point) {
  const inverse = power(point.z, P - 2n);
  const x = mod(point.x * inverse);
  let y = mod(point.y * inverse);
  const bytes = new Uint8Array(32);
  for (let i = 0; i < 32; i++, y >>= 8n) bytes[i] = Number(y & 255n);
  bytes[31] |= Number(x & 1n) << 7;
  return bytes;
}

/**
 * Check 4, without cofactor: encode([S]B - [k]A) is R, byte for byte.
 * @param {Uint8Array} key A, 32 bytes @param {Uint8Array} signature R || S, 64 bytes @param {Uint8Array} message
 * @returns {Promise<boolean>}
 */
export async function equationHolds(key, signature, message) {
  const point = decode(key);
  if (point === null) return false;
  const r = signature.subarray(0, 32);
  const s = integer(signature.subarray(32));
  const k = integer(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-512', concat(r, key, message)))) % L;
  const negative = affine(mod(-point.x), point.y);
  const both = add(BASE, negative);
  let sum = IDENTITY;
  for (let bit = 252n; bit >= 0n; bit--) {
    sum = add(sum, sum);
    const [ofS, ofK] = [(s >> bit) & 1n, (k >> bit) & 1n];
    if (ofS && ofK) sum = add(sum, both);
    else if (ofS) sum = add(sum, BASE);
    else if (ofK) sum = add(sum, negative);
  }
  return equal(encode(sum), r);
}
