/**
 * JSON as specs/log.md ("Canonical form") and steps 1, 5 and 6 of specs/verification.md read it.
 *
 * `readPlain` is a parser of its own, because the rules are about the text: depth, numbers and lone surrogates count
 * in a member, too, that another of the same name replaces, and `JSON.parse` shows none of these. It is slow, so
 * `readCanonical` goes first for ordinary lines: what `JSON.parse` and `canonical` bring back to the same text has no
 * doubled name, no blank, no other escape and no number but integers within bounds.
 * @module
 */

import { MAX_DEPTH } from './constants.js';

/** @typedef {any} Json null, a boolean, a number, a string, an array of these, or an object of these */

/**
 * @typedef {object} Plain
 * @property {Json} value of doubled names the last counts; numbers that are none of ours are NaN
 * @property {boolean} surrogates a lone surrogate is escaped somewhere
 * @property {boolean} numbers a number somewhere is no integer, out of bounds, or has a fraction or an exponent
 */

/** The text is no plain JSON. */
class NotJson extends Error {}

/** The value has no canonical form: null, a number or a lone surrogate that no event has, or it is too deep. */
class NotCanonical extends Error {}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
// eslint-disable-next-line no-control-regex
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const ESCAPES = new Map(Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }));
const LITERALS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

class Parser {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.surrogates = false;
    this.numbers = false;
  }

  blanks() {
    while (this.at < this.text.length && ' \t\n\r'.includes(this.text[this.at])) this.at++;
  }

  /** @param {string} character */
  take(character) {
    if (this.text[this.at] !== character) throw new NotJson();
    this.at++;
  }

  /** @returns {string} */
  string() {
    this.take('"');
    let value = '';
    for (;;) {
      PLAIN_CHARACTERS.lastIndex = this.at;
      const run = /** @type {RegExpExecArray} */ (PLAIN_CHARACTERS.exec(this.text))[0];
      value += run;
      this.at += run.length;
      const character = this.text[this.at++];
      if (character === '"') break;
      if (character !== '\\') throw new NotJson();
      const letter = this.text[this.at++];
      if (letter === 'u') {
        const digits = this.text.slice(this.at, this.at + 4);
        if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new NotJson();
        this.at += 4;
        value += String.fromCharCode(parseInt(digits, 16));
      } else {
        const meant = ESCAPES.get(letter);
        if (meant === undefined) throw new NotJson();
        value += meant;
      }
    }
    // UTF-8 has no surrogates, so a lone one comes from an escape. A pair of which one half is escaped cannot be either.
    if (LONE_SURROGATE.test(value)) this.surrogates = true;
    return value;
  }

  /** @returns {number} */
  number() {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    if (!found) throw new NotJson();
    this.at += found[0].length;
    const value = Number(found[0]);
    if (found[1] === undefined && found[2] === undefined && Number.isSafeInteger(value)) return value;
    this.numbers = true;
    return NaN;
  }

  /** @param {number} depth levels around this value @returns {Json} */
  value(depth) {
    this.blanks();
    const first = this.text[this.at];
    let value;
    if (first === '"') value = this.string();
    else if (first === '{') value = this.object(depth + 1);
    else if (first === '[') value = this.array(depth + 1);
    else if (first === '-' || (first >= '0' && first <= '9')) value = this.number();
    else {
      const word = /[a-z]*/y;
      word.lastIndex = this.at;
      const literal = /** @type {RegExpExecArray} */ (word.exec(this.text))[0];
      if (!LITERALS.has(literal)) throw new NotJson();
      this.at += literal.length;
      value = LITERALS.get(literal);
    }
    this.blanks();
    return /** @type {Json} */ (value);
  }

  /** @param {number} depth @returns {Json} */
  object(depth) {
    if (depth > MAX_DEPTH) throw new NotJson();
    /** @type {{[name: string]: Json}} */
    const members = Object.create(null); // no prototype: "__proto__" is a name like any other
    this.take('{');
    this.blanks();
    if (this.text[this.at] !== '}') {
      for (;;) {
        this.blanks();
        const name = this.string();
        this.blanks();
        this.take(':');
        members[name] = this.value(depth);
        if (this.text[this.at] !== ',') break;
        this.at++;
      }
    }
    this.take('}');
    return members;
  }

  /** @param {number} depth @returns {Json} */
  array(depth) {
    if (depth > MAX_DEPTH) throw new NotJson();
    const items = [];
    this.take('[');
    this.blanks();
    if (this.text[this.at] !== ']') {
      for (;;) {
        items.push(this.value(depth));
        if (this.text[this.at] !== ',') break;
        this.at++;
      }
    }
    this.take(']');
    return items;
  }
}

/**
 * @param {string} text
 * @returns {Plain | null} null where it is no plain JSON: grammar, or more than MAX_DEPTH levels
 */
export function readPlain(text) {
  const parser = new Parser(text);
  try {
    const value = parser.value(0);
    if (parser.at !== text.length) return null;
    return { value, surrogates: parser.surrogates, numbers: parser.numbers };
  } catch (error) {
    if (error instanceof NotJson) return null;
    throw error;
  }
}

/** @param {string} a @param {string} b @returns {number} by code points */
export function byCodePoint(a, b) {
  const one = [...a];
  const other = [...b];
  for (let i = 0; i < one.length && i < other.length; i++) {
    const difference = /** @type {number} */ (one[i].codePointAt(0)) - /** @type {number} */ (other[i].codePointAt(0));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

const SURROGATE = /[\ud800-\udfff]/;

/** @param {Json} value @param {number} depth @returns {string} */
function write(value, depth) {
  // JSON.stringify escapes in strings just what the specification escapes, and lone surrogates, which are refused.
  if (typeof value === 'string') {
    if (SURROGATE.test(value) && LONE_SURROGATE.test(value)) throw new NotCanonical();
    return JSON.stringify(value);
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new NotCanonical();
    return String(value); // minus zero is written 0
  }
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null || depth >= MAX_DEPTH) throw new NotCanonical();
  if (Array.isArray(value)) {
    let text = '[';
    for (let i = 0; i < value.length; i++) text += (i ? ',' : '') + write(value[i], depth + 1);
    return text + ']';
  }
  const names = Object.keys(value);
  // UTF-16 units are in the order of code points where there is no surrogate among them.
  names.sort(names.some((name) => SURROGATE.test(name)) ? byCodePoint : undefined);
  let text = '{';
  for (let i = 0; i < names.length; i++) {
    text += (i ? ',' : '') + write(names[i], 0) + ':' + write(value[names[i]], depth + 1);
  }
  return text + '}';
}

/** @param {Json} value @returns {string | null} its canonical form, null where it has none */
export function canonical(value) {
  try {
    return write(value, 0);
  } catch (error) {
    if (error instanceof NotCanonical) return null;
    throw error;
  }
}

/**
 * Whether `JSON.stringify` writes the value in its canonical form, lone surrogates apart: objects have their members in order,
 * numbers are safe integers, nothing is null or too deep. False where that takes a closer look.
 * @param {Json} value @param {number} depth @returns {boolean}
 */
function isPlainlyOrdered(value, depth) {
  if (typeof value !== 'object') return typeof value !== 'number' || Number.isSafeInteger(value);
  if (value === null || depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isPlainlyOrdered(value[i], depth + 1)) return false;
    return true;
  }
  let before = '';
  for (const name in value) {
    if (name < before || SURROGATE.test(name) || !isPlainlyOrdered(value[name], depth + 1)) return false;
    before = name;
  }
  return true;
}

/**
 * @param {string} text
 * @returns {Json | undefined} the value where the text is its canonical form, else undefined: `readPlain` says why
 */
export function readCanonical(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // Most lines are just what the platform writes, much quicker than `write` does. The platform writes no value that is
  // thousands of levels deep, it throws: so depth is looked at first.
  if (!text.includes('\\ud') && isPlainlyOrdered(value, 0) && JSON.stringify(value) === text) return value;
  return canonical(value) === text ? value : undefined;
}

/** @param {unknown} value @returns {value is {[name: string]: Json}} */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A member of an object's own: not one that JavaScript's objects inherit.
 * @param {{[name: string]: Json}} object @param {string} name @returns {Json | undefined}
 */
export const member = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);
