/**
 * The forms of events and of the protocol's bodies (specs/log.md, "The event"; specs/protocol.md, "Event bodies").
 * Bodies and options of the systems of rules are only looked at as far as they must be objects.
 * @module
 */

import { FORMAT, MAX_CALLED, MAX_CHAIN, MAX_DICE, MAX_PARTIES, MAX_PLAYERS, MAX_TAGS, MAX_TEXT } from './constants.js';
import { isName } from './identities.js';
import { isObject } from './json.js';
import { UNSEEN } from './unseen.js';
import { mark } from './words.js';

/** @typedef {import('./json.js').Json} Json */
/** @typedef {{path: string, text: string}} Problem where in the value, and what is wrong there */
/** @typedef {(value: Json) => Problem | null} Check what is wrong, null if nothing is */

/**
 * @typedef {object} Event
 * @property {string} author
 * @property {any} body
 * @property {string} game
 * @property {string} prev
 * @property {number} seq
 * @property {string} sig
 * @property {string} time
 * @property {string} type
 */

// Joiners stand behind what is not ASCII and no joiner; besides U+200D behind U+FE0F, and U+FE0F within a keycap.
const JOINERS = '\\u200c\\u200d\\ufe0f';
const JOINED = `(?<=[^\\u0000-\\u007f${JOINERS}])[${JOINERS}]|(?<=\\ufe0f)\\u200d|(?<=[#*0-9])\\ufe0f(?=\\u20e3)`;
const SEEN = `[^${UNSEEN}${JOINERS}]*`;
const TEXT = new RegExp(`^${SEEN}(?:(?:${JOINED})${SEEN})*$`, 'u');
const HEX32 = /^[0-9a-f]{64}$/;
const HEX64 = /^[0-9a-f]{128}$/;
const TIME = /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** @param {unknown} value @returns {boolean} exactly YYYY-MM-DDTHH:MM:SS.mmmZ, of a date that exists */
export function isTime(value) {
  const found = typeof value === 'string' ? TIME.exec(value) : null;
  if (!found) return false;
  const [year, month, day] = found.slice(1).map(Number);
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
}

/** @param {unknown} value @returns {boolean} */
export function isText(value) {
  if (typeof value !== 'string' || !TEXT.test(value)) return false;
  return value.length <= MAX_TEXT || [...value].length <= MAX_TEXT;
}

/** @param {string} text @param {string} [path] @returns {Problem} */
const wrong = (text, path = '') => ({ path, text });

/** @param {Problem} problem @returns {string} */
export const describe = ({ path, text }) => `${path === '' ? 'the whole' : path.replace(/^\./, '')} ${text}`;

/** @param {(value: any) => boolean} test @param {string} what @returns {Check} */
export const must = (test, what) => (value) => (test(value) ? null : wrong(`must be ${what}`));

export const hex32 = must((value) => typeof value === 'string' && HEX32.test(value), '64 hexadecimal digits');
export const hex64 = must((value) => typeof value === 'string' && HEX64.test(value), '128 hexadecimal digits');
export const name = must(isName, 'a name');
export const string = must((value) => typeof value === 'string', 'a string');
export const text = must(isText, 'a text');
/** What somebody is called. */
export const called = must(
  (value) => isText(value) && /^[^ ]$|^[^ ].*[^ ]$/su.test(value) && [...value].length <= MAX_CALLED,
  `a text of 1 to ${MAX_CALLED} characters that neither begins nor ends with a blank`,
);
export const requiredText = must((value) => isText(value) && value !== '', 'a text that is not empty');
export const object = must(isObject, 'an object');

/** @param {number} least @param {number} [most] @returns {Check} */
export const integer = (least, most = Number.MAX_SAFE_INTEGER) =>
  must((value) => Number.isSafeInteger(value) && value >= least && value <= most, `an integer from ${least} to ${most}`);

/** @param {...string} words @returns {Check} */
export const oneOf = (...words) => must((value) => words.includes(value), words.map((word) => `"${word}"`).join(' or '));

/** @param {Check} item @param {number} least @param {number} most @returns {Check} */
export const array = (item, least, most) => (value) => {
  if (!Array.isArray(value)) return wrong('must be an array');
  if (value.length < least || value.length > most) return wrong(`must have ${least} to ${most} items`);
  for (const [i, each] of value.entries()) {
    const problem = item(each);
    if (problem !== null) return wrong(problem.text, `[${i}]${problem.path}`);
  }
  return null;
};

/** @param {{[name: string]: Check}} needed @param {{[name: string]: Check}} [optional] @returns {Check} */
export const members = (needed, optional = {}) => {
  const names = Object.keys(needed);
  return (value) => {
    if (!isObject(value)) return wrong('must be an object');
    for (const each of names) if (!Object.hasOwn(value, each)) return wrong('is missing', `.${each}`);
    for (const each of Object.keys(value)) {
      const check = Object.hasOwn(needed, each) ? needed[each] : Object.hasOwn(optional, each) ? optional[each] : null;
      if (check === null) return wrong('is no member here', `.${each}`);
      const problem = check(value[each]);
      if (problem !== null) return wrong(problem.text, `.${each}${problem.path}`);
    }
    return null;
  };
};

/** The roles that somebody can take after a game has begun. */
export const LATE_ROLES = ['player', 'gm', 'witness', 'judge'];
const lateRole = oneOf(...LATE_ROLES);
const ROLES = oneOf(mark('keeper'), mark('player'), mark('gm'), mark('judge'), mark('witness'));
const names = (/** @type {number} */ least) => array(name, least, MAX_PARTIES);
const opening = members({ author: name, index: integer(1, MAX_CHAIN), link: hex32, sig: hex64 });
const openings = array(opening, 0, MAX_PARTIES);
const rollIndex = integer(0);

/**
 * The terms that permit what is not so in every game.
 * @typedef {object} Permissions
 * @property {string[]} [admits] the roles in which somebody may come when the game has begun
 * @property {'others'} [away] all other contributors together may sign a party away
 * @property {'kept' | 'everyone'} [sealed] game masters, or players too, may hold secret rolls
 * @property {'all'} [strike] all who play can take the latest roll back together
 */

/** Members of event 0, and of a table's terms, which become event 0. A further permission is declared here. @type {{[name: string]: Check}} */
export const PERMISSIONS = {
  admits: array(lateRole, 1, LATE_ROLES.length),
  away: oneOf('others'),
  sealed: oneOf('kept', 'everyone'),
  strike: oneOf('all'),
};

/** An opening, where it stands by itself. */
export const OPENING = opening;

/** The eight members of an event (step 5). */
export const EVENT = members({
  author: name,
  body: object,
  game: hex32,
  prev: hex32,
  seq: integer(0),
  sig: hex64,
  time: must(isTime, 'a time'),
  type: string,
});

/** A receipt for an opening (specs/protocol.md). */
export const RECEIVED = members({
  author: name,
  format: oneOf('rollproof/received/v1'),
  game: hex32,
  index: integer(1, MAX_CHAIN),
  link: hex32,
  receiver: name,
  request: hex32,
  sig: hex64,
});

/** An opening by itself (specs/protocol.md). */
export const OPENING_FILE = members({
  format: oneOf('rollproof/opening/v1'),
  game: hex32,
  opening,
  request: hex32,
});

/** A show of a secret roll in a file beside the log. */
export const SHOWN = members({ format: oneOf('rollproof/show/v1'), game: hex32, request: hex32, secret: hex32 }, { salt: hex32, text: requiredText });

/** The form of a succession alone (specs/profile.md). */
export const SUCCESSION = members({
  format: oneOf('rollproof/succession/v1'),
  key: string,
  named: hex64,
  new: string,
  new_sig: hex64,
  recovery: hex32,
  sig: hex64,
  time: must(isTime, 'a time'),
});

/** An act of an event as its line has it: signed by its author. @param {Check} act @returns {Check} */
export const signed = (act) => members({ act, at: must(isTime, 'a time'), by: name, sig: hex64, upon: hex32 });

/** The acts of an event that count at its tables too (specs/event.md, "Acts"). */
export const APPOINT = members({ key: string, role: oneOf(mark('organizer'), mark('head'), 'judge') });
export const CORRECT_KEY = members({ key: string, number: integer(1, MAX_PLAYERS), reason: requiredText });

/** The protocol's members of a request for a secret roll. */
export const SEALED = members({ sealed: name, sides: array(integer(1), 1, MAX_DICE) }, { hidden: hex32 });

/** Bodies by type (step 9): those of the systems of rules only have to be objects. @type {ReadonlyMap<string, Check>} */
export const BODIES = new Map(
  Object.entries({
    open: members(
      {
        contributors: (value) => (value === 'all' || value === 'roller' ? null : names(2)(value)),
        format: oneOf(FORMAT),
        nonce: hex32,
        options: object,
        parties: array(members({ key: string, role: ROLES }, { called }), 2, MAX_PARTIES),
        system: string,
        title: text,
      },
      {
        ...PERMISSIONS,
        host: string,
        continues: members({ game: hex32, root: hex32, size: integer(1) }),
        event: members({ id: hex32, organizers: array(string, 1, MAX_PARTIES) }),
        judge: name,
      },
    ),
    join: members({}, { checks: oneOf('rules'), recovery: hex32 }),
    commit: members({ length: integer(2, MAX_CHAIN), tip: hex32 }, { link: hex32 }),
    roll: object,
    reroll: object,
    reveal: members({
      naturals: array(integer(1), 0, MAX_DICE),
      openings,
      roll_index: rollIndex,
      sides: array(integer(1), 0, MAX_DICE),
    }),
    void: members({ missing: names(0), roll_index: rollIndex }, { secret: hex32 }),
    disclose: members({ openings, roll_index: rollIndex }),
    ignore: object,
    store: object,
    modify: object,
    resolve: object,
    declare: object,
    ruling: members(
      {
        ruling: oneOf('void', 'correct', 'uphold', 'penalty'),
        subject: integer(-Number.MAX_SAFE_INTEGER),
        text: requiredText,
      },
      {
        party: name,
        results: array(members({ die: integer(1), result: integer(-Number.MAX_SAFE_INTEGER) }), 0, MAX_DICE),
      },
    ),
    away: members({ party: name }, { burned: hex32 }),
    back: members({ party: name }, { accept: oneOf('rolls') }),
    admit: members({ key: string, role: lateRole }, { appointment: signed(APPOINT), called, word: members({ head: hex32, sig: hex64 }) }),
    replace: members({ key: string }, { correction: signed(CORRECT_KEY), succession: SUCCESSION }),
    consent: members({ admit: integer(0) }),
    strike: members({ roll: integer(0) }),
    object: members({ opening, request: integer(0) }),
    seal: members({ tags: array(hex32, 2, MAX_TAGS) }, { secret: hex32 }),
    show: members({ request: integer(0), secret: hex32 }, { naturals: array(integer(1), 0, MAX_DICE), salt: hex32, text: requiredText }),
    leave: members({ party: name }, { burned: hex32 }),
    close: members({}, { openings }),
  }),
);
