/**
 * The log of an organized event, line by line: steps 1 to 14 and 29 (specs/event.md, "Verification"), for whole logs
 * (`verify.js`) and for logs that grow. The options of the system are not checked here.
 * @module
 */

import { fromHex, fromUtf8, toHex } from '../bytes.js';
import { MAX_LINE, NO_HASH } from '../constants.js';
import { Failure } from '../findings.js';
import { leafHash, Tree } from '../hashes.js';
import { readVerifierKey } from '../identities.js';
import { canonical, isObject, member, readPlain } from '../json.js';
import { checkBody, checkChain, checkEnd, checkTime, readEvent, signedMessage } from '../lines.js';
import { sha256 } from '../sha256.js';
import { PublicKey } from '../signatures.js';
import { SYSTEMS } from '../systems.js';
import { actMessage, ACTS, bodyOf, claimMessage, EVENT_FORMAT, LABEL_LINE, OF_KEEPER } from './acts.js';

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
const MAX_AT_TABLE = 32;
const STEP = 29;
const PLAYER = /^p[0-9]+$/;
const STAFF = ['organizer', 'head', 'judge'];
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

/**
 * @param {number} rule @param {string} code @param {string} text @param {{[name: string]: import('../findings.js').Value}} [values]
 * @returns {never} @throws {Failure}
 */
function refuse(rule, code, text, values = {}) {
  throw new Failure(STEP, code, text, values, { clause: `E${rule}` });
}

/** @param {{sides: number[][]}[]} tables */
const playersOf = (tables) => tables.flatMap(({ sides }) => sides.flat());

/** @param {Uint8Array} line without its line feed @returns {string | null} the format of the event that it opens, known or not; null: it opens none */
export function formatOf(line) {
  const text = line.length > MAX_LINE ? null : fromUtf8(line);
  const value = text === null ? undefined : readPlain(text)?.value;
  const body = isObject(value) && member(value, 'type') === 'open' ? member(value, 'body') : undefined;
  const act = isObject(body) ? member(body, 'act') : undefined;
  const format = isObject(act) ? member(act, 'event') : undefined;
  return typeof format === 'string' && format.startsWith('rollproof/event/') ? format : null;
}

/** Steps 1 and 2. @param {Uint8Array | null} line the first, without its line feed; null: there is none @throws {Failure} */
export function checkFirst(line) {
  if (line === null) throw new Failure(1, 'file.empty', 'The file is empty.');
  const format = formatOf(line);
  if (format === null) throw new Failure(1, 'file.not-a-log', 'The file is no event log: its first line opens no event.');
  if (format !== EVENT_FORMAT) {
    const values = { actual: format, expected: EVENT_FORMAT };
    throw new Failure(
      2,
      'file.version',
      "The log has format '{actual}'; this program reads '{expected}'. Use a newer program to judge it.",
      values,
      values,
    );
  }
}

/** @param {string} text @param {{[name: string]: import('../findings.js').Value}} [values] @returns {Failure} */
const noTerms = (text, values = {}) =>
  new Failure(10, 'open.terms', "The event's terms are not valid: {problem}.", { problem: { text, values } }, { clause: 'E1' });

/** E1. @param {Line} line @returns {Opened0} @throws {Failure} */
function readTerms({ author, body: { act, by } }) {
  const [keeper, ...organizers] = [act.keeper, ...act.organizers].map((text) => {
    const found = readVerifierKey(text);
    if (found === null) throw noTerms('{text} is no verifier key that is valid', { text });
    return found;
  });
  const keys = [keeper, ...organizers];
  const several = (/** @type {string[]} */ each) => new Set(each).size < keys.length;
  if (several(keys.map(({ name }) => name)) || several(keys.map(({ publicKey }) => toHex(publicKey)))) {
    throw noTerms('two of keeper and organizers share a name or a key');
  }
  if (keys.some(({ name }) => PLAYER.test(name))) throw noTerms("p and a number is a player's name");
  if (author !== keeper.name || by !== organizers[0].name) throw noTerms('the keeper writes it, and the first organizer signs it');
  if ([...new Set(act.results)].sort().join() !== act.results.join()) throw noTerms('what a slip has of each side is sorted, each once');
  if (!SYSTEMS.has(act.system)) {
    throw new Failure(
      3,
      'file.system',
      "The log was made for the rules '{actual}', which this program does not have.",
      { actual: act.system },
      { expected: [...SYSTEMS.keys()].sort().join(', '), actual: act.system },
    );
  }
  return { terms: act, keeper, organizers };
}

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
    /** @type {Set<string>} public keys that somebody had */
    this.known = new Set();
    /** All verifier keys that any person had. @type {Set<string>} */
    this.keys = new Set();
    /** The acts that count at tables too, as bodies in canonical form, and their lines. @type {Map<string, number>} */
    this.words = new Map();
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
        return this.appoint(act, where);
      case 'dismiss':
        return this.dismiss(act, where);
      case 'register':
        return this.register(act);
      case 'check-in':
        return this.checkIn(act, by, where);
      case 'correct-key':
        return this.rekey(act, where);
      case 'drop':
      case 'correct-drop':
        return this.dropped(type, act, where);
      case 'penalty':
      case 'correct-penalty':
        return this.penalize(type, act, by, where);
      case 'pair':
        return this.pair(act, where);
      case 'start':
        return this.start(act, where);
      case 'opened':
        return this.opened(act);
      case 'seal':
        return this.seal(act);
      case 'correct-pairing':
        return this.repair(act, where);
      case 'extend': {
        this.table(this.in(act.round, ['running']), act.table).extended += act.minutes;
        return undefined;
      }
      case 'pause':
        return this.pause(act, where);
      case 'by-hand':
        return this.byHand(act, where);
      case 'call':
      case 'answer':
      case 'appeal':
        return this.called(type, act, by, where);
      case 'slip':
        return this.slip(act, by, where);
      case 'correct-result':
        return this.correctResult(act, by, where);
      case 'agree':
        return this.agree(act, by);
      case 'end':
        return this.end(act, where);
      default:
        return this.close();
    }
  }

  /** @param {any} act @param {Where} where */
  appoint({ key, role }, { seq }) {
    const found = readVerifierKey(key);
    if (found === null) {
      return refuse(8, 'appoint.person', 'Nobody can be appointed with this key: {problem}.', {
        problem: { text: '{text} is no verifier key that is valid', values: { text: key } },
      });
    }
    const { name, publicKey } = found;
    if (this.people.has(name) || name === this.keeper || this.known.has(toHex(publicKey)) || PLAYER.test(name)) {
      refuse(8, 'appoint.person', "{name} cannot be appointed: the name or the key is a player's, or was somebody's before.", { name });
    }
    this.people.set(name, { key, role, since: seq, until: null });
    return this.know(key, found);
  }

  /** @param {any} act @param {Where} where */
  dismiss({ name }, { seq }) {
    const person = this.people.get(name);
    if (person === undefined || person.until !== null) return refuse(9, 'appoint.person', '{name} has no office here that could end.', { name });
    const left = [...this.people.values()].some((each) => each !== person && each.until === null && each.role === 'organizer');
    if (!left) refuse(9, 'appoint.person', '{name} is the last organizer: an event has one.', { name });
    person.until = seq;
    return undefined;
  }

  /** @param {any} act */
  register({ players }) {
    const numbers = new Set();
    const claims = new Set();
    for (const { number, claim } of players) {
      if (this.players.has(number) || numbers.has(number) || this.claims.has(claim) || claims.has(claim)) {
        refuse(10, 'player.number', "Player {number} is registered already, or has somebody else's claim code.", { number });
      }
      numbers.add(number);
      if (claim !== undefined) claims.add(claim);
    }
    for (const { number, name, claim = null } of players) {
      this.players.set(number, { number, name, claim, key: null, state: 'registered', before: 'registered' });
      if (claim !== null) this.claims.add(claim);
    }
  }

  /** E11. @param {number} number @returns {Player} */
  registered(number) {
    return this.players.get(number) ?? refuse(11, 'player.unknown', 'Player {number} is not registered.', { number });
  }

  /** E13. @param {string} key @param {number} number @returns {Identity} of a key that the player can have @throws {Failure} */
  newKey(key, number) {
    const found = readVerifierKey(key);
    if (found === null) {
      return refuse(13, 'player.key', 'Player {number} cannot have this key: {problem}.', {
        number,
        problem: { text: '{text} is no verifier key that is valid', values: { text: key } },
      });
    }
    if (found.name !== `p${number}` || this.known.has(toHex(found.publicKey))) {
      refuse(13, 'player.key', "Player {number} cannot have this key: it has another name than p{number}, or is somebody's.", { number });
    }
    return found;
  }

  /** @param {any} act @param {string} by @param {Where} where */
  checkIn({ number, key, claim, tablet }, by, { seq, claimed }) {
    const player = this.registered(number);
    if (player.state === 'in') refuse(12, 'player.state', 'Player {number} is checked in already.', { number });
    if (player.state === 'dropped') refuse(12, 'player.state', 'Player {number} has dropped.', { number });
    const found = this.newKey(key, number);
    const desk = by !== found.name;
    if (desk ? claim !== undefined : tablet !== undefined || !claimed) {
      refuse(14, 'player.claim', 'The claim code of player {number} did not sign this key.', { number });
    }
    player.key = key;
    player.state = 'in';
    this.know(key, found);
    this.count('event.desk', seq, desk ? 1 : 0);
    this.count('event.tablet', seq, tablet === undefined ? 0 : 1);
  }

  /** @param {any} act @param {Where} where */
  rekey({ number, key }, { seq }) {
    const player = this.registered(number);
    if (player.state !== 'in') refuse(12, 'player.state', 'Player {number} is not checked in.', { number });
    const found = this.newKey(key, number);
    player.key = key;
    this.know(key, found);
    this.count('event.rekeyed', seq);
  }

  /** @param {any} act @param {Where} where */
  pause({ minutes, round }, { time }) {
    const current = this.in(round, ['running']);
    const begin = Math.max(Date.parse(time), current.pauses.at(-1)?.end ?? 0);
    current.pauses.push({ begin, end: begin + minutes * 60_000 });
    current.paused += minutes;
  }

  /** @param {any} act @param {Where} where */
  byHand({ round, table, text }, { seq }) {
    const found = this.table(this.in(round, ['running']), table);
    this.count('event.by-hand', seq, found.byHand === null ? 1 : 0);
    found.byHand = text;
  }

  /** @param {'drop' | 'correct-drop'} type @param {any} act @param {Where} where */
  dropped(type, { number }, { seq }) {
    const player = this.registered(number);
    if (type === 'drop') {
      if (player.state === 'dropped') refuse(12, 'player.state', 'Player {number} has dropped.', { number });
      return this.takeOut(player);
    }
    if (player.state !== 'dropped') refuse(12, 'player.state', 'Player {number} has not dropped.', { number });
    player.state = player.before;
    return this.count('event.corrected', seq);
  }

  /** @param {Player} player */
  takeOut(player) {
    if (player.state === 'dropped') return;
    player.before = player.state;
    player.state = 'dropped';
  }

  /** @param {'penalty' | 'correct-penalty'} type @param {any} act @param {string} by @param {Where} where */
  penalize(type, act, by, { seq }) {
    const before = type === 'penalty' ? { number: act.number } : this.penalties.get(act.line);
    if (before === undefined) return refuse(29, 'penalty.unknown', 'Line {line} is no penalty that stands.', { line: act.line });
    const { number } = before;
    const player = this.registered(number);
    if (type === 'correct-penalty') {
      this.penalties.delete(act.line);
      this.count('event.corrected', seq);
    }
    if (act.penalty !== undefined) this.penalties.set(seq, { number, penalty: act.penalty, text: act.text ?? act.reason, by });
    if (act.penalty === 'disqualification') this.takeOut(player);
    return undefined;
  }

  /** E18. @param {any[]} tables @param {ReadonlyMap<number, unknown>} known */
  checkTables(tables, known) {
    const seen = new Set();
    for (const { table, sides } of tables) {
      if (seen.has(table) || known.has(table)) refuse(18, 'pairing.table', 'Table {table} stands in the round twice.', { table });
      if (sides.flat().length > MAX_AT_TABLE) {
        refuse(18, 'pairing.table', 'Table {table} has more than {most} players.', { table, most: MAX_AT_TABLE });
      }
      seen.add(table);
    }
  }

  /** E19. @param {number[]} whole @param {number[]} fresh */
  checkPlayers(whole, fresh) {
    const seen = new Set();
    for (const number of whole) {
      if (seen.has(number)) refuse(19, 'pairing.player', 'Player {number} stands in the round twice.', { number });
      seen.add(number);
    }
    const absent = fresh.find((number) => this.players.get(number)?.state !== 'in');
    if (absent !== undefined) refuse(19, 'pairing.player', 'Player {number} cannot be paired: not checked in, or dropped.', { number: absent });
  }

  /** @param {any} pairing @returns {EventTableNow} */
  newTable({ table, sides }) {
    return {
      number: table,
      sides,
      line: null,
      claim: null,
      claims: new Map(),
      result: null,
      by: null,
      extended: 0,
      left: null,
      byHand: null,
      corrected: null,
    };
  }

  /** @param {any} act @param {Where} where */
  pair({ round, tables, byes }, { seq }) {
    const latest = this.round;
    const current = latest?.state === 'pairing' ? latest : null;
    const due = this.rounds.length + (current === null ? 1 : 0);
    if (latest?.state === 'running' || round !== due || round > this.terms.rounds) {
      refuse(15, 'round.order', 'Round {round} cannot be paired now: the next one is round {due}, when no round runs.', { round, due });
    }
    this.checkTables(tables, current?.tables ?? new Map());
    const fresh = [...byes, ...playersOf(tables)];
    this.checkPlayers([...(current === null ? [] : [...current.byes, ...playersOf([...current.tables.values()])]), ...fresh], fresh);
    const now = current ?? {
      number: round,
      tables: new Map(),
      byes: [],
      state: /** @type {const} */ ('pairing'),
      paired: seq,
      minutes: 0,
      started: '',
      ended: '',
      paused: 0,
      pauses: [],
    };
    if (current === null) this.rounds.push(now);
    for (const each of tables) now.tables.set(each.table, this.newTable(each));
    now.byes = [...now.byes, ...byes];
    now.paired = seq;
  }

  /** @param {any} act @param {Where} where */
  start({ round, minutes }, { seq, time, upto }) {
    const current = this.round;
    if (current === null || current.state !== 'pairing' || current.number !== round || current.tables.size === 0) {
      return refuse(15, 'round.order', 'Round {round} cannot start: it is not the one that is being paired, or has no table.', { round });
    }
    if (upto < current.paired) {
      refuse(20, 'round.unseen', 'Who starts round {round} had not seen its last pairings, which are in line {line}.', {
        round,
        line: current.paired,
      });
    }
    Object.assign(current, { state: 'running', minutes, started: time });
    return this.openTables(current, [...current.tables.keys()], seq, time);
  }

  /** @param {Round} round @param {number[]} numbers @param {number} seq @param {string} time */
  openTables(round, numbers, seq, time) {
    const tables = new Map();
    for (const number of numbers) {
      const table = /** @type {EventTableNow} */ (round.tables.get(number));
      table.line = seq;
      const keys = table.sides
        .flat()
        .map((each) => this.players.get(each)?.key)
        .filter((key) => typeof key === 'string');
      tables.set(number, { table: number, sides: table.sides, keys, game: null, cancelled: false, why: null, size: 0, root: '' });
    }
    const staff = [...this.people.values()].filter(({ until }) => until === null);
    const [organizers, judges] = [true, false].map((organizes) =>
      staff.filter(({ role }) => (role === 'organizer') === organizes).map(({ key }) => key),
    );
    this.openings.set(seq, { seq, time, round: round.number, judges, organizers, tables });
  }

  /** @param {any} act */
  opened({ line, games }) {
    const opening = this.openings.get(line);
    const seen = new Set();
    for (const { table, game } of games) {
      const found = opening?.tables.get(table);
      if (found === undefined || found.game !== null || seen.has(table)) {
        refuse(21, 'table.line', 'Line {line} does not open table {table}, or its game was named before.', { line, table });
      }
      if (this.games.has(game) || seen.has(game)) {
        refuse(21, 'table.line', 'Game {game} is that of another table.', { game: game.slice(0, 12) });
      }
      seen.add(table).add(game);
    }
    for (const { table, game } of games) {
      const found = /** @type {Opened} */ (/** @type {Opening} */ (opening).tables.get(table));
      found.game = game;
      this.games.set(game, { opening: /** @type {Opening} */ (opening), table: found });
    }
  }

  /** @param {any} act */
  seal({ round, games }) {
    this.in(round, ['running', 'ended']);
    const sizes = new Map();
    for (const { game, size, table } of games) {
      const found = this.games.get(game);
      if (found === undefined || found.opening.round !== round || found.table.table !== table) {
        return refuse(28, 'table.seal', 'Game {game} was not opened for table {table} of round {round}.', { game: game.slice(0, 12), table, round });
      }
      if (size <= (sizes.get(game) ?? found.table.size)) {
        refuse(28, 'table.seal', 'Game {game} is sealed already, with as many events or more.', { game: game.slice(0, 12) });
      }
      sizes.set(game, size);
    }
    for (const { game, root, size } of games) Object.assign(/** @type {{table: Opened}} */ (this.games.get(game)).table, { root, size });
    return undefined;
  }

  /** E16. @param {number} number @param {string[]} states @returns {Round} @throws {Failure} */
  in(number, states) {
    const round = this.rounds[number - 1];
    if (round !== undefined && states.includes(round.state)) return round;
    return refuse(16, 'round.state', 'It cannot be written for round {round} as that stands.', { round: number });
  }

  /** E17. @param {Round} round @param {number} number @returns {EventTableNow} @throws {Failure} */
  table(round, number) {
    return round.tables.get(number) ?? refuse(17, 'table.unknown', 'Round {round} has no table {table}.', { round: round.number, table: number });
  }

  /** E22. @param {string} by @param {EventTableNow} table @returns {number} the position of the author's side @throws {Failure} */
  seat(by, table) {
    const player = this.playerNamed(by);
    const side = player === null ? -1 : table.sides.findIndex((each) => each.includes(player.number));
    return side >= 0 ? side : refuse(22, 'act.seat', '{by} does not sit at table {table}.', { by, table: table.number });
  }

  /** @param {'call' | 'appeal' | 'answer'} kind @param {any} act @param {string} by @param {Where} where */
  called(kind, act, by, { seq, time }) {
    if (kind === 'call') {
      const { round, table, text } = act;
      this.seat(by, this.table(this.in(round, ['running']), table));
      this.calls.set(seq, { kind, round, table, done: false, by, text, time, of: null });
      return;
    }
    const of = kind === 'answer' ? act.call : act.answer;
    const call = this.calls.get(of);
    if (kind === 'answer') {
      if (call === undefined || call.kind === 'answer' || call.done) {
        return refuse(23, 'call.unknown', 'Line {line} is no call that waits for an answer.', { line: of });
      }
      const same = call.kind === 'appeal' && this.calls.get(/** @type {number} */ (call.of))?.by === by;
      if (call.kind === 'appeal' && (same || this.roleOf(by) === 'judge')) {
        refuse(24, 'call.head', '{by} cannot answer this appeal: a head judge or organizer does, who did not give the answer.', { by });
      }
    } else {
      if (call === undefined || call.kind !== 'answer' || call.done) {
        return refuse(23, 'call.unknown', 'Line {line} is no answer that can be appealed.', { line: of });
      }
      this.seat(by, this.table(this.rounds[call.round - 1], call.table));
    }
    const { round, table } = call;
    call.done = true;
    this.calls.set(seq, { kind, round, table, done: kind === 'answer' && call.kind === 'appeal', by, text: act.text, time, of });
  }

  /** E26, without the reason. @param {EventTableNow} table @param {any[]} sides @throws {Failure} */
  checkForm(table, sides) {
    const names = [...this.terms.results].sort();
    if (sides.length === table.sides.length && sides.every((side) => Object.keys(side).sort().join() === names.join())) return;
    refuse(26, 'slip.form', 'A slip of table {table} has {count} sides, each with: {names}.', {
      table: table.number,
      count: table.sides.length,
      names: names.join(', '),
    });
  }

  /** E25. @param {EventTableNow} table @throws {Failure} */
  checkOpen(table) {
    if (table.result !== null) refuse(25, 'slip.stands', 'Table {table} has a match result that stands.', { table: table.number });
  }

  /** @param {any} act @param {string} by @param {Where} where */
  slip({ round, sides, table: number, reason }, by, { seq }) {
    const table = this.table(this.in(round, ['running', 'ended']), number);
    const staff = STAFF.includes(/** @type {string} */ (this.roleOf(by)));
    const side = staff ? null : this.seat(by, table);
    this.checkOpen(table);
    this.checkForm(table, sides);
    if (staff !== (reason !== undefined)) refuse(26, 'slip.form', 'A slip has a reason just where a judge or organizer writes it.');
    if (side === null || table.sides.length === 1) Object.assign(table, { result: sides, by, claim: null });
    else table.claim = { seq, sides, signed: [side] };
    if (side !== null) table.claims.set(side, sides);
    this.count('event.judged', seq, staff ? 1 : 0);
    this.slips.set(seq, { round, table });
  }

  /** @param {any} act @param {string} by @param {Where} where */
  correctResult({ round, sides, table: number, reason }, by, { seq }) {
    const table = this.table(this.in(round, ['running', 'ended']), number);
    if (table.result === null) refuse(25, 'slip.stands', 'Table {table} has no match result that could be corrected.', { table: number });
    this.checkForm(table, sides);
    Object.assign(table, { result: sides, by, corrected: { by, reason, was: table.result } });
    this.count('event.corrected', seq);
  }

  /** @param {any} act @param {string} by */
  agree({ slip }, by) {
    const found = this.slips.get(slip);
    const table = found && this.rounds[found.round - 1].tables.get(found.table.number);
    if (found === undefined || table !== found.table) {
      return refuse(27, 'slip.side', 'Line {line} is no slip of a table of this event.', { line: slip });
    }
    const side = this.seat(by, table);
    this.checkOpen(table);
    const { claim } = table;
    if (claim === null || claim.seq !== slip || claim.signed.includes(side)) {
      const text = "{by} cannot agree to slip {line}: a later one took its place, or {by}'s side has signed it.";
      return refuse(27, 'slip.side', text, { by, line: slip });
    }
    claim.signed.push(side);
    table.claims.set(side, claim.sides);
    if (claim.signed.length === table.sides.length) Object.assign(table, { result: claim.sides, by, claim: null });
    return undefined;
  }

  /** @param {any} act @param {Where} where */
  repair({ round, tables, cancelled, byes, reason }, { seq, time }) {
    const current = this.in(round, ['pairing', 'running']);
    const fresh = tables.map((/** @type {any} */ each) => each.table);
    this.checkTables(tables, new Map());
    const gone = new Set(fresh);
    for (const number of cancelled) {
      if (!current.tables.has(number) || gone.has(number)) {
        refuse(18, 'pairing.table', 'Table {table} cannot be cancelled: it is not in the round, or stands there twice.', { table: number });
      }
      gone.add(number);
    }
    const kept = playersOf([...current.tables.values()].filter(({ number }) => !gone.has(number)));
    const now = byes ?? current.byes;
    this.checkPlayers([...kept, ...now, ...playersOf(tables)], [...playersOf(tables), ...(byes ?? [])]);
    const changed = [...gone].filter((number) => current.tables.has(number));
    for (const number of changed) {
      const line = current.tables.get(number)?.line ?? null;
      const opened = line === null ? undefined : this.openings.get(line)?.tables.get(number);
      if (opened) Object.assign(opened, { cancelled: true, why: reason });
      current.tables.delete(number);
    }
    for (const each of tables) current.tables.set(each.table, this.newTable(each));
    current.byes = now;
    current.paired = seq;
    if (current.state !== 'running') return;
    this.openTables(current, fresh, seq, time);
    this.count('event.repaired', seq, changed.length);
  }

  /** @param {any} act @param {Where} where */
  end({ round, left }, { seq, time }) {
    const current = this.in(round, ['running']);
    for (const { table } of left) this.table(current, table);
    const reasons = new Map();
    for (const { table, reason } of left) {
      if (reasons.has(table)) refuse(30, 'round.left', 'Table {table} is left twice.', { table });
      reasons.set(table, reason);
    }
    const wrong = [...current.tables.values()].find((table) => (table.result === null) !== reasons.has(table.number));
    if (wrong !== undefined) {
      refuse(30, 'round.left', 'Table {table} must have a match result or be left with a reason, and not both.', { table: wrong.number });
    }
    for (const [number, reason] of reasons) this.table(current, number).left = reason;
    Object.assign(current, { state: 'ended', ended: time });
    this.count('event.left', seq, left.length);
  }

  close() {
    const { round } = this;
    if (round !== null && round.state !== 'ended') {
      refuse(31, 'round.running', 'Round {round} has not ended: the event cannot close.', { round: round.number });
    }
    this.closed = true;
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
