/**
 * The forms of an event log's acts, and their signed bytes (specs/event.md, "Lines" and "Acts").
 * @module
 */

import { concat, utf8 } from '../bytes.js';
import { MAX_PLAYERS } from '../constants.js';
import { canonical } from '../json.js';
import {
  APPOINT,
  array,
  CORRECT_KEY,
  hex32,
  hex64,
  integer,
  isText,
  members,
  must,
  name,
  object,
  oneOf,
  requiredText,
  signed,
  string,
  text,
} from '../schema.js';

/** @typedef {import('../schema.js').Check} Check */

export const EVENT_FORMAT = 'rollproof/event/v1';
export const LABEL_LINE = utf8('rollproof/v1/event log\n');
const MAX_ROUNDS = 200;
const MAX_TABLE = 9_999;

/** @param {string} label @param {any} value @returns {Uint8Array} */
const labelled = (label, value) => concat(utf8(`rollproof/v1/${label}\n`), utf8(/** @type {string} */ (canonical(value))));

/**
 * The signed bytes of an act. @param {{act: any, at: string, by: string, event: string, type: string, upon: string}}
 * act
 */
export const actMessage = ({ act, at, by, event, type, upon }) => labelled('act', { act, at, by, event, type, upon });

/** The bytes that a claim code's key signs. @param {string} event @param {string} key */
export const claimMessage = (event, key) => labelled('claim', { event, key });

/** @type {Check} */
const any = () => null;
/** The number of a player. */
export const number = integer(1, MAX_PLAYERS);
const round = integer(1, MAX_ROUNDS);
const table = integer(1, MAX_TABLE);
const minutes = integer(1, 600);
const line = integer(0);
const reason = requiredText;
const title = must((value) => isText(value) && value !== '' && [...value].length <= 400, 'a text of 1 to 400 characters');
const penalty = oneOf('warning', 'game-loss', 'match-loss', 'disqualification');
const pairings = array(members({ sides: array(array(number, 1, 8), 1, 8), table }), 0, 600);
const byes = array(number, 0, 1_000);
const small = integer(0, 99);
const results = array(members({}, { conceded: integer(0, 1), drawn: small, points: integer(-1_000_000, 1_000_000), won: small }), 1, 8);

/** Acts by type (step 9). Only the systems know their options. @type {ReadonlyMap<string, Check>} */
export const ACTS = new Map(
  Object.entries({
    open: members(
      {
        contributors: oneOf('all', 'roller'),
        event: string,
        keeper: string,
        nonce: hex32,
        options: object,
        organizers: array(string, 1, 8),
        results: array(oneOf('conceded', 'drawn', 'points', 'won'), 1, 4),
        rounds: round,
        system: string,
        title,
      },
      { away: oneOf('others') },
    ),
    appoint: APPOINT,
    dismiss: members({ name, reason }),
    register: members({ players: array(members({ name: hex32, number }, { claim: hex32 }), 1, 300) }),
    'check-in': members({ key: string, number }, { claim: hex64, tablet: requiredText }),
    drop: members({ number, reason }),
    pair: members({ byes, round, tables: pairings }),
    start: members({ minutes: integer(1, 1_440), round }),
    opened: members({ games: array(members({ game: hex32, table }), 1, 300), line }),
    extend: members({ minutes, reason, round, table }),
    pause: members({ minutes, reason, round }),
    'by-hand': members({ round, table, text: requiredText }),
    call: members({ round, table, text }),
    answer: members({ call: line, text: requiredText }),
    appeal: members({ answer: line, text }),
    slip: members({ round, sides: results, table }, { reason }),
    agree: members({ slip: line }),
    penalty: members({ number, penalty, text: requiredText }),
    'correct-pairing': members({ cancelled: array(table, 0, 600), reason, round, tables: pairings }, { byes }),
    'correct-result': members({ reason, round, sides: results, table }),
    'correct-penalty': members({ line, reason }, { penalty }),
    'correct-drop': members({ number, reason }),
    'correct-key': CORRECT_KEY,
    seal: members({ games: array(members({ game: hex32, root: hex32, size: integer(1), table }), 1, 300), round }),
    end: members({ left: array(members({ reason, table }), 0, 600), round }),
    close: members({}),
  }),
);

/** Types that the keeper writes itself. */
export const OF_KEEPER = new Set(['opened', 'seal']);

const KEPT = members({ act: any });
const SIGNED = signed(any);

/** The body of a line, except its act. @param {string} type @returns {Check} */
export const bodyOf = (type) => (OF_KEEPER.has(type) ? KEPT : SIGNED);
