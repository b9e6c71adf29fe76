/**
 * Bytes: hexadecimal, base64, UTF-8 and the two encodings of numbers and names that signed messages use.
 * @module
 */

const ENCODER = new TextEncoder();
// A byte order mark is part of the text, and so no JSON and no note.
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64_VALUE = new Map([...BASE64].map((character, value) => [character, value]));

/** @param {string} text @returns {Uint8Array} */
export const utf8 = (text) => ENCODER.encode(text);

/**
 * @param {Uint8Array} bytes
 * @returns {string | null} null where they are no UTF-8
 */
export function fromUtf8(bytes) {
  try {
    return DECODER.decode(bytes);
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes @returns {string} lower-case hexadecimal */
export function toHex(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += HEX[bytes[i]];
  return text;
}

/** @param {number} code of a character @returns {number} 0 to 15 */
const nibble = (code) => (code < 58 ? code - 48 : code - 87);

/** @param {string} text lower-case hexadecimal, checked by the caller @returns {Uint8Array} */
export function fromHex(text) {
  const bytes = new Uint8Array(text.length >> 1);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (nibble(text.charCodeAt(2 * i)) << 4) | nibble(text.charCodeAt(2 * i + 1));
  }
  return bytes;
}

/** @param {Uint8Array} bytes @returns {string} the standard alphabet, with padding */
export function toBase64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const word = (bytes[i] << 16) | ((left > 1 ? bytes[i + 1] : 0) << 8) | (left > 2 ? bytes[i + 2] : 0);
    text += BASE64[word >> 18] + BASE64[(word >> 12) & 63];
    text += left > 1 ? BASE64[(word >> 6) & 63] : '=';
    text += left > 2 ? BASE64[word & 63] : '=';
  }
  return text;
}

/**
 * @param {string} text
 * @returns {Uint8Array | null} null where it is not canonical base64: other characters, padding, bits that are not zero
 */
export function fromBase64(text) {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let at = 0;
  for (let i = 0; i < text.length; i += 4) {
    let word = 0;
    for (let j = 0; j < 4; j++) {
      const character = text[i + j];
      const padded = i + j >= text.length - padding;
      const value = padded ? 0 : BASE64_VALUE.get(character);
      if (value === undefined) return null;
      word = (word << 6) | value;
    }
    for (let shift = 16; shift >= 0 && at < bytes.length; shift -= 8) bytes[at++] = (word >> shift) & 255;
  }
  return toBase64(bytes) === text ? bytes : null;
}

/** @param {...Uint8Array} parts @returns {Uint8Array} */
export function concat(...parts) {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @param {Uint8Array} a @param {Uint8Array} b @returns {boolean} All data here is public: time may depend on it. */
export function equal(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** @param {number} number a safe integer, 0 or more @returns {Uint8Array} eight bytes, big-endian */
export function u64(number) {
  const bytes = new Uint8Array(8);
  for (let i = 7, rest = number; rest > 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256;
  return bytes;
}

/** @param {string} name ASCII, at most 255 characters @returns {Uint8Array} its length in one byte, and the name */
export function lp(name) {
  const bytes = new Uint8Array(name.length + 1);
  bytes[0] = name.length;
  for (let i = 0; i < name.length; i++) bytes[i + 1] = name.charCodeAt(i);
  return bytes;
}
