/**
 * The log of an organized event, line by line: steps 1 to 14 and 29 (specs/event.md, "Verification"), for whole logs
 * (`verify.js`) and for logs that grow. Rules on people, rounds and results stand in modules of their own. The options of
 * the system are not checked here.
 * @module
 */

import { fromHex, toHex } from '../bytes.js';
import { NO_HASH } from '../constants.js';
import { Failure } from '../findings.js';
import { leafHash, Tree } from '../hashes.js';
import { readVerifierKey } from '../identities.js';
import { canonical } from '../json.js';
import { checkBody, checkChain, checkEnd, checkTime, readEvent, signedMessage } from '../lines.js';
import { sha256 } from '../sha256.js';
import { PublicKey } from '../signatures.js';
import { actMessage, ACTS, bodyOf, claimMessage, LABEL_LINE, OF_KEEPER } from './acts.js';
import { appoint, checkIn, correctKey, dismiss, drop, penalize, register } from './people-rules.js';
import { refuse } from './refusals.js';
import { agree, callJudge, correctResult, slip } from './result-rules.js';
import { close, correctPairing, end, extend, nameGames, pair, pause, playByHand, seal, start } from './round-rules.js';
import { PLAYER, STAFF, checkFirst, readTerms } from './terms.js';

/** @typedef {import('../identities.js').Identity} Identity */
/** @typedef {import('../schema.js').Event} Line */
/** @typedef {{number: number, name: string, claim: string | null, key: string | null, state: 'registered' | 'in' | 'dropped', before: 'registered' | 'in'}} Player */
/** @typedef {{key: string, role: string, since: number, until: number | null}} Person */
/** @typedef {{number: number, sides: number[][], line: number | null, claim: {seq: number, sides: any[], signed: number[]} | null, claims: Map<number, any[]>, result: any[] | null, by: string | null, extended: number, left: string | null, byHand: string | null, corrected: Correction | null}} EventTableNow `claims`: of each side the result that it signed last */
/** @typedef {{by: string, reason: string, was: any[]}} Correction the latest one of a result, and the result before it */
/** @typedef {{number: number, penalty: string, text: string, by: string}} Penalty `text`: why, in the words of who gave or corrected it last */
/** @typedef {{number: number, tables: Map<number, EventTableNow>, byes: number[], state: 'pairing' | 'running' | 'ended', paired: number, minutes: number, started: string, ended: string, paused: number, pauses: {begin: number, end: number}[]}} Round the pauses of its clock, in milliseconds; `paused` is their sum in minutes */
/** @typedef {{table: number, sides: number[][], keys: string[], game: string | null, cancelled: boolean, why: string | null, size: number, root: string}} Opened `why` it was cancelled; size and root as they were sealed last */
/** @typedef {{seq: number, time: string, round: number, judges: string[], organizers: string[], tables: Map<number, Opened>}} Opening keys of staff in office at that line */
/** @typedef {{kind: 'call' | 'appeal' | 'answer', round: number, table: number, done: boolean, by: string, text: string, time: string, of: number | null}} Call */
/** @typedef {{seq: number, time: string, upto: number, claimed: boolean}} Where the number of the line, its time, that of the line which its author had seen, and whether the claim code signed the key */
/** @typedef {{terms: any, keeper: Identity, organizers: Identity[]}} Opened0 what line 0 says */

const MAX_EVENT_LINES = 1_000_000;
const MAX_BEHIND = 1_024;
/** @type {{[type: string]: string[]}} */
const BY = {
  ...Object.fromEntries(
    ['open', 'appoint', 'dismiss', 'register', 'pair', 'start', 'end', 'close', 'correct-pairing', 'correct-key'].map((type) => [
      type,
      ['organizer'],
    ]),
  ),
  ...Object.fromEntries(['pause', 'correct-result', 'correct-penalty', 'correct-drop'].map((type) => [type, ['organizer', 'head']])),
  ...Object.fromEntries(['extend', 'by-hand', 'answer', 'penalty'].map((type) => [type, STAFF])),
  ...Object.fromEntries(['check-in', 'drop', 'slip'].map((type) => [type, [...STAFF, 'player']])),
  ...Object.fromEntries(['call', 'appeal', 'agree'].map((type) => [type, ['player']])),
};

export class EventLog {
  /** @param {string | null} [expected] the id that the event must have, hex */
  constructor(expected = null) {
    this.expected = expected;
    /** The id (hex), once line 0 is taken. */
    this.id = expected ?? NO_HASH;
    /** @type {any} the act of line 0 */
    this.terms = null;
    this.keeper = '';
    this.keeperKey = new Uint8Array(32);
    this.size = 0;
    this.head = NO_HASH;
    this.time = '';
    this.tree = new Tree();
    this.closed = false;
    /**
     * The latest lines, by leaf hash: their numbers, and hashes of their acts' signed bytes. @type {Map<string, {seq:
     * number, signed: string}>}
     */
    this.recent = new Map();
    /** These hashes. @type {Set<string>} */
    this.acts = new Set();
    /** @type {Map<string, Person>} */
    this.people = new Map();
    /** @type {Map<number, Player>} */
    this.players = new Map();
    /** Claim keys that are registered, hex. @type {Set<string>} */
    this.claims = new Set();
    /** @type {Round[]} */
    this.rounds = [];
    /** @type {Map<number, Opening>} by line */
    this.openings = new Map();
    /** @type {Map<string, {opening: Opening, table: Opened}>} by game */
    this.games = new Map();
    /** @type {Map<number, {round: number, table: EventTableNow}>} by line */
    this.slips = new Map();
    /** @type {Map<number, Call>} by line */
    this.calls = new Map();
    /** @type {Map<number, Penalty>} that stand, by line */
    this.penalties = new Map();
    /** @type {Map<number, Penalty & {back: {by: string, reason: string}}>} that were taken back, by line, and by whom */
    this.takenBack = new Map();
    /** @type {Set<string>} public keys that somebody had */
    this.known = new Set();
    /** All verifier keys that any person had. @type {Set<string>} */
    this.keys = new Set();
    /** The acts that count at tables too, as bodies in canonical form, and their lines. @type {Map<string, number>} */
    this.words = new Map();
    /** Of such an act's line: the time of the line that ended it, a `dismiss` or a later correction. @type {Map<number, string>} */
    this.ended = new Map();
    /** The latest correction of a player's key: its line, by number. @type {Map<number, number>} */
    this.rekeyed = new Map();
    /** The count and first line of each notice. @type {Map<string, {count: number, seq: number}>} */
    this.counts = new Map();
    /** @type {Map<string, PublicKey>} by public key, hex */
    this.ready = new Map();
  }

  /** @returns {Round | null} the latest */
  get round() {
    return this.rounds.at(-1) ?? null;
  }

  /** @param {string} name @returns {string | null} */
  roleOf(name) {
    const person = this.people.get(name);
    if (person) return person.until === null ? person.role : null;
    return this.playerNamed(name)?.key ? 'player' : null;
  }

  /** @param {string} name @returns {Player | null} */
  playerNamed(name) {
    const player = PLAYER.test(name) ? this.players.get(Number(name.slice(1))) : undefined;
    return player && `p${player.number}` === name ? player : null;
  }

  /** @param {string} name @returns {string | null} the key that counts now */
  keyOf(name) {
    const person = this.people.get(name);
    if (person) return person.until === null ? person.key : null;
    return this.playerNamed(name)?.key ?? null;
  }

  /** @param {Uint8Array} publicKey @param {string} sig hex @param {Uint8Array} message @returns {Promise<boolean>} */
  holds(publicKey, sig, message) {
    const hex = toHex(publicKey);
    const key = this.ready.get(hex) ?? PublicKey.soon(publicKey);
    this.ready.set(hex, key);
    return key.verify(fromHex(sig), message);
  }

  /**
   * Takes the next line.
   * @param {Uint8Array} bytes without its line feed @returns {Promise<void>} @throws {Failure} and is then unchanged
   */
  async take(bytes) {
    const opens = this.size === 0;
    if (opens) checkFirst(bytes);
    if (this.size >= MAX_EVENT_LINES) {
      throw new Failure(4, 'event.too-long', 'An event log has at most {most} lines.', { most: MAX_EVENT_LINES }, { clause: 'E32' });
    }
    checkEnd({ start: 0, end: bytes.length, terminated: true });
    const line = readEvent(bytes);
    const { type, body, seq, time } = line;
    checkChain(line, this.size, opens ? NO_HASH : this.id, this.head);
    const check = ACTS.get(type);
    checkBody(line, check && bodyOf(type));
    checkBody({ ...line, body: body.act }, check);
    if ((type === 'open') !== opens) {
      throw new Failure(10, 'open.terms', 'An event log begins with its only open; this is line {seq}.', { seq }, { clause: 'E1' });
    }
    const leaf = toHex(leafHash(bytes));
    const opened = opens ? readTerms(line) : null;
    if (this.expected !== null && opens && this.expected !== leaf) {
      const values = { actual: leaf, expected: this.expected };
      throw new Failure(10, 'expect.game', 'This is the log of game {actual}, not of the one asked for.', values, values);
    }
    await this.checkKeeper(line, bytes, opened?.keeper ?? { name: this.keeper, publicKey: this.keeperKey });
    checkTime(line, this.time);
    if (this.closed) refuse(7, 'event.closed', 'The event is closed: nothing follows.');
    const signed = OF_KEEPER.has(type) ? '' : await this.takeAct(line, opened);
    if (signed === '') this.apply(type, body.act, this.keeper, { seq, time, upto: seq, claimed: false });
    if (opened !== null) this.begin(opened, leaf);
    if (type === 'appoint' || type === 'correct-key') this.words.set(/** @type {string} */ (canonical(body)), seq);
    this.size += 1;
    this.head = leaf;
    this.time = time;
    this.tree.append(fromHex(leaf));
    this.recent.set(leaf, { seq, signed });
    this.acts.add(signed);
    if (this.recent.size > MAX_BEHIND) {
      const [[oldest, { signed: gone }]] = this.recent;
      this.recent.delete(oldest);
      this.acts.delete(gone);
    }
  }

  /** Steps 11 and 12. @param {Line} line @param {Uint8Array} bytes @param {{name: string, publicKey: Uint8Array}} keeper @throws {Failure} */
  async checkKeeper(line, bytes, { name, publicKey }) {
    if (line.author !== name) {
      const values = { actual: line.author, expected: name };
      throw new Failure(11, 'author.unknown', '{actual} does not keep this event: {expected} writes its lines.', values, values);
    }
    if (await this.holds(publicKey, line.sig, signedMessage(bytes, line, LABEL_LINE))) return;
    throw new Failure(12, 'signature.invalid', "The signature of this event is not {author}'s: it is not what {author} signed.", { author: name });
  }

  /** @param {Opened0} opened @param {string} id */
  begin({ terms, keeper, organizers }, id) {
    this.terms = terms;
    this.id = id;
    this.keeper = keeper.name;
    this.keeperKey = keeper.publicKey;
    this.know(terms.keeper, keeper);
    for (const [i, each] of organizers.entries()) {
      this.people.set(each.name, { key: terms.organizers[i], role: 'organizer', since: 0, until: null });
      this.know(terms.organizers[i], each);
    }
  }

  /** @param {string} key that somebody has from now on @param {Identity} identity */
  know(key, { publicKey }) {
    this.known.add(toHex(publicKey));
    this.keys.add(key);
  }

  /** @param {string} code of a notice @param {number} seq @param {number} [more] */
  count(code, seq, more = 1) {
    if (more === 0) return;
    const found = this.counts.get(code) ?? { count: 0, seq };
    this.counts.set(code, { ...found, count: found.count + more });
  }

  /**
   * E2 to E6, and the effects of the act.
   * @param {Line} line @param {Opened0 | null} opened of line 0 @returns {Promise<string>} the hash of what its author signed, hex @throws {Failure}
   */
  async takeAct({ type, body, game, seq, time }, opened) {
    const { act, at, by, sig, upon } = body;
    const key = opened === null ? this.checkAuthor(type, act, by) : opened.organizers[0];
    const upto = opened === null ? this.recent.get(upon)?.seq : upon === NO_HASH ? 0 : undefined;
    if (upto === undefined) {
      refuse(4, 'act.upon', '{by} signed this act upon a line that is none of the {most} before it: in another history, or long ago.', {
        by,
        most: MAX_BEHIND,
      });
    }
    const message = actMessage({ act, at, by, event: game, type, upon });
    if (!(await this.holds(key.publicKey, sig, message))) {
      refuse(5, 'act.signature', "The signature of this act is not {by}'s: it is not what {by} signed.", { by });
    }
    const signed = toHex(sha256(message));
    if (this.acts.has(signed)) refuse(6, 'act.again', 'This act of {by} stands in the log already.', { by });
    const claimed = type === 'check-in' && (await this.isClaimed(act));
    if (opened === null) this.apply(type, act, by, { seq, time, upto, claimed });
    return signed;
  }

  /** E2 and E3. @param {string} type @param {any} act @param {string} by @returns {Identity} whose signature it must have @throws {Failure} */
  checkAuthor(type, act, by) {
    const own = type === 'check-in' && PLAYER.test(by);
    const role = own ? 'player' : this.roleOf(by);
    const text = own ? act.key : this.keyOf(by);
    const key = text === null ? null : readVerifierKey(text);
    if (role === null || key === null || (own && key.name !== by)) refuse(2, 'act.author', '{by} is nobody who takes part in this event.', { by });
    if (!BY[type].includes(role)) refuse(3, 'act.role', '{by} ({role}) does not write {type}.', { by, role, type });
    if (role === 'player' && (type === 'check-in' || type === 'drop') && `p${act.number}` !== by) {
      refuse(3, 'act.role', '{by} is not player {number}: players act for themselves.', { by, number: act.number });
    }
    return key;
  }

  /** Whether a claim code signed the key of a check-in (E14). @param {any} act @returns {Promise<boolean>} */
  async isClaimed({ number, claim, key }) {
    const registered = this.players.get(number)?.claim ?? null;
    return claim !== undefined && registered !== null && this.holds(fromHex(registered), claim, claimMessage(this.id, key));
  }

  /** @param {string} type @param {any} act @param {string} by @param {Where} where @throws {Failure} and is then unchanged */
  apply(type, act, by, where) {
    switch (type) {
      case 'appoint':
        return appoint(this, act, where);
      case 'dismiss':
        return dismiss(this, act, where);
      case 'register':
        return register(this, act);
      case 'check-in':
        return checkIn(this, act, by, where);
      case 'correct-key':
        return correctKey(this, act, where);
      case 'drop':
      case 'correct-drop':
        return drop(this, type, act, where);
      case 'penalty':
      case 'correct-penalty':
        return penalize(this, type, act, by, where);
      case 'pair':
        return pair(this, act, where);
      case 'start':
        return start(this, act, where);
      case 'opened':
        return nameGames(this, act);
      case 'seal':
        return seal(this, act);
      case 'correct-pairing':
        return correctPairing(this, act, where);
      case 'extend':
        return extend(this, act);
      case 'pause':
        return pause(this, act, where);
      case 'by-hand':
        return playByHand(this, act, where);
      case 'call':
      case 'answer':
      case 'appeal':
        return callJudge(this, type, act, by, where);
      case 'slip':
        return slip(this, act, by, where);
      case 'correct-result':
        return correctResult(this, act, by, where);
      case 'agree':
        return agree(this, act, by);
      case 'end':
        return end(this, act, where);
      default:
        return close(this);
    }
  }

  /**
   * Returns the player's current table. @param {number} number @returns {{round: Round, table: EventTableNow | null,
   * bye: boolean, opening: Opening | null, opened: Opened | null} | null}
   */
  place(number) {
    const round = this.round;
    if (round === null) return null;
    let table = null; // asked for with each line, and by hundreds of phones in a hall: nothing is copied
    for (const each of round.tables.values()) if (each.sides.some((side) => side.includes(number))) table = each;
    const opening = table?.line == null ? null : (this.openings.get(table.line) ?? null);
    return { round, table, bye: round.byes.includes(number), opening, opened: (table && opening?.tables.get(table.number)) ?? null };
  }
}
