/**
 * The log of an organized event, line by line (specs/event.md): chain, signatures, offices, and what follows from acts.
 *
 * A phone checks by itself who signed what, and all that its own table follows from. The schemas of acts are looked at
 * as far as that goes; the whole is for `rollproof verify`.
 * @module
 */

import { concat, fromHex, fromUtf8, toHex, u64, utf8 } from '../../../verifier/web/bytes.js';
import { hasSmallOrder } from '../../../verifier/web/ed25519.js';
import { leafHash, Tree } from '../../../verifier/web/hashes.js';
import { readVerifierKey } from '../../../verifier/web/identities.js';
import { canonical, isObject, readCanonical } from '../../../verifier/web/json.js';
import { sha256 } from '../../../verifier/web/sha256.js';
import { holds } from './forms.js';

/** @typedef {{number: number, name: string, claim: string | null, key: string | null, state: 'registered' | 'in' | 'dropped', before: 'registered' | 'in'}} Player */
/** @typedef {{key: string, role: string, until: number | null}} Person */
/** @typedef {{number: number, sides: number[][], line: number | null, claim: {seq: number, sides: any[], signed: number[]} | null, result: any[] | null, by: string | null, extended: number, left: string | null, byHand: string | null}} EventTableNow */
/** @typedef {{number: number, tables: Map<number, EventTableNow>, byes: number[], state: 'pairing' | 'running' | 'ended', paired: number, minutes: number, started: string, pauses: {begin: number, end: number}[]}} Round the pauses of its clock, in milliseconds */
/** @typedef {{table: number, sides: number[][], keys: string[], game: string | null, cancelled: boolean}} Opened */
/** @typedef {{seq: number, time: string, round: number, judges: string[], tables: Map<number, Opened>}} Opening */
/** @typedef {{kind: 'call' | 'appeal' | 'answer', round: number, table: number, done: boolean, by: string, text: string, time: string, of: number | null}} Call */

const ZEROS = '0'.repeat(64);
const MAX_BEHIND = 1_024;
const MAX_PARTIES = 64;
const MAX_LINE = 65_535;
const PLAYER = /^p[0-9]+$/;
const STAFF = ['organizer', 'head', 'judge'];
/** @type {{[type: string]: string[]}} */
const BY = {
  ...Object.fromEntries(
    ['appoint', 'dismiss', 'register', 'pair', 'start', 'end', 'close', 'correct-pairing', 'correct-key'].map((type) => [type, ['organizer']]),
  ),
  ...Object.fromEntries(['pause', 'correct-result', 'correct-penalty', 'correct-drop'].map((type) => [type, ['organizer', 'head']])),
  ...Object.fromEntries(['extend', 'by-hand', 'answer', 'penalty'].map((type) => [type, STAFF])),
  ...Object.fromEntries(['check-in', 'drop', 'slip'].map((type) => [type, [...STAFF, 'player']])),
  ...Object.fromEntries(['call', 'appeal', 'agree'].map((type) => [type, ['player']])),
};
const OF_KEEPER = ['opened', 'seal'];

/** A line that does not hold, with the code of specs/event.md. */
export class EventFailure extends Error {
  /** @param {string} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** @type {(sure: unknown, code: string) => asserts sure} */
function must(sure, code) {
  if (!sure) throw new EventFailure(code);
}

/** @param {string} label @param {any} value @returns {Uint8Array} */
const labelled = (label, value) => concat(utf8(`rollproof/v1/${label}\n`), utf8(/** @type {string} */ (canonical(value))));

/** What the author of an act signs. @param {{act: any, at: string, by: string, event: string, type: string, upon: string}} act */
export const actMessage = ({ act, at, by, event, type, upon }) => labelled('act', { act, at, by, event, type, upon });

/** What a claim code's key signs. @param {string} event @param {string} key */
export const claimMessage = (event, key) => labelled('claim', { event, key });

/** @param {string} key @returns {import('../../../verifier/web/identities.js').Identity} @throws {EventFailure} */
function identity(key, code = 'player.key') {
  const found = typeof key === 'string' ? readVerifierKey(key) : null;
  must(found && !hasSmallOrder(found.publicKey), code);
  return /** @type {any} */ (found);
}

/** @param {{sides: number[][]}[]} tables */
const playersOf = (tables) => tables.flatMap(({ sides }) => sides.flat());

export class EventLog {
  /** @param {string} id of the event, hex */
  constructor(id) {
    this.id = id;
    /** @type {any} the act of line 0 */
    this.terms = null;
    this.keeper = '';
    this.keeperKey = new Uint8Array(32);
    this.size = 0;
    this.head = ZEROS;
    this.time = '';
    this.tree = new Tree();
    this.closed = false;
    /** @type {Map<string, number>} leaf → number, of the latest lines */
    this.recent = new Map();
    /** @type {Set<string>} signatures of acts in them */
    this.acts = new Set();
    /** @type {Map<string, Person>} */
    this.people = new Map();
    /** @type {Map<number, Player>} */
    this.players = new Map();
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
    /** @type {Map<number, {number: number, penalty: string, text: string}>} that stand, by line */
    this.penalties = new Map();
    /** @type {Set<string>} public keys that somebody had */
    this.known = new Set();
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

  /** Takes the next line. @param {Uint8Array} bytes without its line feed @throws {EventFailure} and is then unchanged */
  async take(bytes) {
    try {
      await this.step(bytes);
    } catch (error) {
      throw error instanceof EventFailure ? error : new EventFailure('line.malformed'); // an act without what its schema asks for
    }
  }

  /** @param {Uint8Array} bytes */
  async step(bytes) {
    must(bytes.length <= MAX_LINE, 'line.too-long');
    const text = fromUtf8(bytes);
    /** @type {any} */
    const line = text === null ? undefined : readCanonical(text);
    must(line !== undefined, 'line.not-canonical');
    must(
      isObject(line) && isObject(line.body) && isObject(line.body.act) && typeof line.sig === 'string' && /^[0-9a-f]{128}$/.test(line.sig),
      'line.malformed',
    );
    must(line.seq === this.size, 'chain.seq');
    must(line.prev === this.head, 'chain.prev');
    const { type, body } = line;
    const leaf = toHex(leafHash(bytes));
    if (this.size === 0) {
      must(leaf === this.id, 'chain.game');
      must(type === 'open', 'open.terms');
      this.readTerms(line);
    } else {
      must(line.game === this.id, 'chain.game');
      must(type !== 'open', 'open.terms');
    }
    must(line.author === this.keeper, 'author.unknown');
    const { sig: _sig, ...rest } = line;
    must(await holds(this.keeperKey, line.sig, labelled('event log', rest)), 'signature.invalid');
    must(typeof line.time === 'string' && line.time >= this.time, 'time.backwards');
    must(!this.closed, 'event.closed');
    if (OF_KEEPER.includes(type)) this.apply(type, body.act, this.keeper, line);
    else await this.takeAct(line);
    if (this.size === 0) this.know(this.terms);
    this.size += 1;
    this.head = leaf;
    this.time = line.time;
    this.tree.append(fromHex(leaf));
    this.recent.set(leaf, line.seq);
    if (this.recent.size > MAX_BEHIND) this.recent.delete(/** @type {string} */ (this.recent.keys().next().value));
  }

  /** E1. @param {any} line */
  readTerms({ author, body }) {
    const { act, by } = body;
    must(act.event === 'rollproof/event/v1' && Array.isArray(act.organizers) && act.organizers.length > 0, 'open.terms');
    const keys = [act.keeper, ...act.organizers].map((key) => identity(key, 'open.terms'));
    must(new Set(keys.map(({ name }) => name)).size === keys.length && keys.every(({ name }) => !PLAYER.test(name)), 'open.terms');
    must(new Set(keys.map(({ publicKey }) => toHex(publicKey))).size === keys.length, 'open.terms');
    must(author === keys[0].name && by === keys[1].name, 'open.terms');
    this.terms = act;
    this.keeper = keys[0].name;
    this.keeperKey = keys[0].publicKey;
  }

  /** @param {any} terms */
  know(terms) {
    this.known.add(toHex(this.keeperKey));
    for (const key of terms.organizers) {
      const { name, publicKey } = identity(key);
      this.people.set(name, { key, role: 'organizer', until: null });
      this.known.add(toHex(publicKey));
    }
  }

  /** E2 to E6. @param {any} line */
  async takeAct({ type, body, game, seq, time }) {
    const { act, at, by, sig, upon } = body;
    const opens = this.size === 0;
    let role = opens ? 'organizer' : this.roleOf(by);
    let key = opens ? act.organizers[0] : this.keyOf(by);
    if (type === 'check-in' && PLAYER.test(by)) {
      role = 'player';
      key = typeof act.key === 'string' && readVerifierKey(act.key)?.name === by ? act.key : null;
    }
    must(role && key, 'act.author');
    must(opens || BY[type]?.includes(role), 'act.role');
    if (role === 'player' && (type === 'check-in' || type === 'drop')) must(`p${act.number}` === by, 'act.role');
    const upto = opens ? 0 : this.recent.get(upon);
    must(opens ? upon === ZEROS : upto !== undefined, 'act.upon');
    must(typeof sig === 'string' && /^[0-9a-f]{128}$/.test(sig), 'act.signature');
    must(await holds(identity(key).publicKey, sig, actMessage({ act, at, by, event: game, type, upon })), 'act.signature');
    must(!this.acts.has(sig), 'act.again');
    if (type === 'check-in' && role === 'player') await this.checkClaim(act);
    if (!opens) this.apply(type, act, by, { seq, time, upto });
    this.acts.add(sig);
  }

  /** E14. @param {any} act */
  async checkClaim({ number, claim, key }) {
    const player = this.players.get(number);
    if (player?.state !== 'registered') return; // said before it
    const right = typeof claim === 'string' && /^[0-9a-f]{128}$/.test(claim) && player.claim !== null;
    must(right && (await holds(fromHex(/** @type {string} */ (player.claim)), claim, claimMessage(this.id, key))), 'player.claim');
  }

  /** @param {string} type @param {any} act @param {string} by @param {any} line */
  apply(type, act, by, line) {
    switch (type) {
      case 'appoint':
        return this.appoint(act);
      case 'dismiss':
        return this.dismiss(act, line);
      case 'register':
        return this.register(act);
      case 'check-in':
      case 'correct-key':
        return this.keyed(type, act, by);
      case 'drop':
      case 'correct-drop':
        return this.dropped(type, act);
      case 'penalty':
      case 'correct-penalty':
        return this.penalize(type, act, line);
      case 'pair':
        return this.pair(act, line);
      case 'start':
        return this.start(act, line);
      case 'opened':
        return this.opened(act);
      case 'correct-pairing':
        return this.repair(act, line);
      case 'extend': {
        this.table(this.in(act.round, ['running']), act.table).extended += act.minutes;
        return;
      }
      case 'pause':
        return this.pause(act, line);
      case 'by-hand': {
        this.table(this.in(act.round, ['running']), act.table).byHand = act.text;
        return;
      }
      case 'call':
      case 'answer':
      case 'appeal':
        return this.called(type, act, by, line);
      case 'slip':
      case 'correct-result':
        return this.slip(type, act, by, line);
      case 'agree':
        return this.agree(act, by);
      case 'end':
        return this.end(act);
      case 'close':
        must(this.round === null || this.round.state === 'ended', 'round.running');
        this.closed = true;
        return undefined;
      case 'seal':
        this.in(act.round, ['running', 'ended']);
        return undefined;
      default:
        throw new EventFailure('type.unknown');
    }
  }

  /** @param {any} act */
  appoint({ key, role }) {
    const { name, publicKey } = identity(key, 'appoint.person');
    const taken = this.people.has(name) || name === this.keeper || this.known.has(toHex(publicKey));
    must(!taken && !PLAYER.test(name) && STAFF.includes(role), 'appoint.person');
    this.people.set(name, { key, role, until: null });
    this.known.add(toHex(publicKey));
  }

  /** @param {any} act @param {any} line */
  dismiss({ name }, { seq }) {
    const person = this.people.get(name);
    must(person && person.until === null, 'appoint.person');
    must(
      [...this.people].some(([each, { role, until }]) => each !== name && until === null && role === 'organizer'),
      'appoint.person',
    );
    person.until = seq;
  }

  /** @param {any} act */
  register({ players }) {
    const numbers = new Set(this.players.keys());
    const claims = new Set([...this.players.values()].map(({ claim }) => claim).filter((claim) => claim !== null));
    for (const { number, claim } of players) {
      must(Number.isSafeInteger(number) && !numbers.has(number) && !claims.has(claim), 'player.number');
      numbers.add(number);
      if (claim !== undefined) claims.add(claim);
    }
    for (const { number, name, claim } of players) {
      this.players.set(number, { number, name, claim: claim ?? null, key: null, state: 'registered', before: 'registered' });
    }
  }

  /** @param {number} number @returns {Player} */
  registered(number) {
    const player = this.players.get(number);
    must(player, 'player.unknown');
    return player;
  }

  /** @param {string} type @param {any} act @param {string} by */
  keyed(type, { number, key, claim, tablet }, by) {
    const player = this.registered(number);
    must(player.state === (type === 'check-in' ? 'registered' : 'in'), 'player.state');
    const { name, publicKey } = identity(key);
    must(name === `p${number}` && !this.known.has(toHex(publicKey)), 'player.key');
    if (type === 'check-in') must(by === name ? tablet === undefined : claim === undefined, 'player.claim');
    player.key = key;
    player.state = 'in';
    this.known.add(toHex(publicKey));
  }

  /** @param {any} act @param {any} line */
  pause({ minutes, round }, { time }) {
    const { pauses } = this.in(round, ['running']);
    const begin = Math.max(Date.parse(time), pauses.at(-1)?.end ?? 0);
    pauses.push({ begin, end: begin + minutes * 60_000 });
  }

  /** @param {string} type @param {any} act */
  dropped(type, { number }) {
    const player = this.registered(number);
    must((player.state === 'dropped') === (type === 'correct-drop'), 'player.state');
    if (type === 'drop') this.takeOut(player);
    else player.state = player.before;
  }

  /** @param {Player} player */
  takeOut(player) {
    if (player.state === 'dropped') return;
    player.before = player.state;
    player.state = 'dropped';
  }

  /** @param {string} type @param {any} act @param {any} line */
  penalize(type, act, { seq }) {
    const before = type === 'penalty' ? null : this.penalties.get(act.line);
    must(before !== undefined, 'penalty.unknown');
    const number = before === null ? act.number : before.number;
    const player = this.registered(number);
    if (before !== null) this.penalties.delete(act.line);
    if (act.penalty !== undefined) this.penalties.set(seq, { number, penalty: act.penalty, text: act.text ?? act.reason });
    if (act.penalty === 'disqualification') this.takeOut(player);
  }

  /** @param {any[]} tables @param {(table: number) => boolean} known E18 */
  checkTables(tables, known) {
    const seen = new Set();
    for (const { table, sides } of tables) {
      must(!seen.has(table) && !known(table) && sides.flat().length <= 32, 'pairing.table');
      seen.add(table);
    }
  }

  /** @param {number[]} whole @param {number[]} fresh E19 */
  checkPlayers(whole, fresh) {
    must(new Set(whole).size === whole.length, 'pairing.player');
    must(
      fresh.every((number) => this.players.get(number)?.state === 'in'),
      'pairing.player',
    );
  }

  /** @param {any} pairing @returns {EventTableNow} */
  newTable({ table, sides }) {
    return { number: table, sides, line: null, claim: null, result: null, by: null, extended: 0, left: null, byHand: null };
  }

  /** @param {any} act @param {any} line */
  pair({ round, tables, byes }, { seq }) {
    const latest = this.round;
    const current = latest?.state === 'pairing' ? latest : null;
    const due = this.rounds.length + (current === null ? 1 : 0);
    must(latest?.state !== 'running' && round === due && round <= this.terms.rounds, 'round.order');
    this.checkTables(tables, (table) => current?.tables.has(table) ?? false);
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
      pauses: [],
    };
    if (current === null) this.rounds.push(now);
    for (const each of tables) now.tables.set(each.table, this.newTable(each));
    now.byes = [...now.byes, ...byes];
    now.paired = seq;
  }

  /** @param {any} act @param {any} line */
  start({ round, minutes }, { seq, time, upto }) {
    const current = this.round;
    must(current && current.state === 'pairing' && current.number === round && current.tables.size > 0, 'round.order');
    must(upto >= current.paired, 'round.unseen');
    current.state = 'running';
    current.minutes = minutes;
    current.started = time;
    this.openTables(current, [...current.tables.keys()], seq, time);
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
      tables.set(number, { table: number, sides: table.sides, keys, game: null, cancelled: false });
    }
    const judges = [...this.people.values()].filter(({ role, until }) => until === null && role !== 'organizer').map(({ key }) => key);
    this.openings.set(seq, { seq, time, round: round.number, judges, tables });
  }

  /** @param {any} act */
  opened({ line, games }) {
    const opening = this.openings.get(line);
    const seen = new Set();
    for (const { table, game } of games) {
      const found = opening?.tables.get(table);
      must(found && found.game === null && !seen.has(table) && !this.games.has(game) && !seen.has(game), 'table.line');
      seen.add(table).add(game);
    }
    for (const { table, game } of games) {
      const found = /** @type {Opened} */ (/** @type {Opening} */ (opening).tables.get(table));
      found.game = game;
      this.games.set(game, { opening: /** @type {Opening} */ (opening), table: found });
    }
  }

  /** @param {number} number @param {string[]} states @returns {Round} */
  in(number, states) {
    const round = this.rounds[number - 1];
    must(round && states.includes(round.state), 'round.state');
    return round;
  }

  /** @param {Round} round @param {number} number @returns {EventTableNow} */
  table(round, number) {
    const table = round.tables.get(number);
    must(table, 'table.unknown');
    return table;
  }

  /** @param {string} by @param {EventTableNow} table @returns {number} the position of the author's side */
  seat(by, table) {
    const player = this.playerNamed(by);
    const side = player === null ? -1 : table.sides.findIndex((each) => each.includes(player.number));
    must(side >= 0, 'act.seat');
    return side;
  }

  /** @param {'call' | 'answer' | 'appeal'} kind @param {any} act @param {string} by @param {any} line */
  called(kind, act, by, { seq, time }) {
    const of = kind === 'answer' ? act.call : kind === 'appeal' ? act.answer : null;
    const call = of === null ? null : this.calls.get(of);
    if (kind === 'call') this.seat(by, this.table(this.in(act.round, ['running']), act.table));
    else {
      must(call && !call.done && (call.kind === 'answer') === (kind === 'appeal'), 'call.unknown');
      if (kind === 'appeal') this.seat(by, this.table(this.rounds[call.round - 1], call.table));
      else if (call.kind === 'appeal') must(this.roleOf(by) !== 'judge' && this.calls.get(/** @type {number} */ (call.of))?.by !== by, 'call.head');
      call.done = true;
    }
    const { round, table } = call ?? act;
    this.calls.set(seq, { kind, round, table, done: kind === 'answer' && call?.kind === 'appeal', by, text: act.text, time, of });
  }

  /** @param {EventTableNow} table @param {any[]} sides E26, without the reason */
  checkForm(table, sides) {
    const names = [...this.terms.results].sort().join();
    must(sides.length === table.sides.length && sides.every((side) => Object.keys(side).sort().join() === names), 'slip.form');
  }

  /** @param {string} type @param {any} act @param {string} by @param {any} line */
  slip(type, act, by, { seq }) {
    const table = this.table(this.in(act.round, ['running', 'ended']), act.table);
    const staff = STAFF.includes(/** @type {string} */ (this.roleOf(by)));
    const side = staff ? null : this.seat(by, table);
    must((table.result === null) === (type === 'slip'), 'slip.stands');
    this.checkForm(table, act.sides);
    if (type === 'slip') must(staff === (act.reason !== undefined), 'slip.form');
    if (staff || table.sides.length === 1) Object.assign(table, { result: act.sides, by, claim: null });
    else table.claim = { seq, sides: act.sides, signed: [/** @type {number} */ (side)] };
    if (type === 'slip') this.slips.set(seq, { round: act.round, table });
  }

  /** @param {any} act @param {string} by */
  agree({ slip }, by) {
    const found = this.slips.get(slip);
    const table = found && this.rounds[found.round - 1].tables.get(found.table.number);
    must(found && table === found.table, 'slip.side');
    const side = this.seat(by, table);
    must(table.result === null, 'slip.stands');
    const { claim } = table;
    must(claim !== null && claim.seq === slip && !claim.signed.includes(side), 'slip.side');
    claim.signed.push(side);
    if (claim.signed.length === table.sides.length) Object.assign(table, { result: claim.sides, by, claim: null });
  }

  /** @param {any} act @param {any} line */
  repair({ round, tables, cancelled, byes }, { seq, time }) {
    const current = this.in(round, ['pairing', 'running']);
    const fresh = tables.map((/** @type {any} */ each) => each.table);
    this.checkTables(tables, () => false);
    const gone = new Set(fresh);
    for (const number of cancelled) {
      must(current.tables.has(number) && !gone.has(number), 'pairing.table');
      gone.add(number);
    }
    const kept = playersOf([...current.tables.values()].filter(({ number }) => !gone.has(number)));
    const now = byes ?? current.byes;
    this.checkPlayers([...kept, ...now, ...playersOf(tables)], [...playersOf(tables), ...(byes ?? [])]);
    for (const number of gone) {
      const line = current.tables.get(number)?.line ?? null;
      const opened = line === null ? undefined : this.openings.get(line)?.tables.get(number);
      if (opened) opened.cancelled = true;
      current.tables.delete(number);
    }
    for (const each of tables) current.tables.set(each.table, this.newTable(each));
    current.byes = now;
    current.paired = seq;
    if (current.state === 'running') this.openTables(current, fresh, seq, time);
  }

  /** @param {any} act */
  end({ round, left }) {
    const current = this.in(round, ['running']);
    const reasons = new Map();
    for (const { table, reason } of left) {
      this.table(current, table);
      must(!reasons.has(table), 'round.left');
      reasons.set(table, reason);
    }
    must(
      [...current.tables.values()].every((table) => (table.result === null) === reasons.has(table.number)),
      'round.left',
    );
    for (const [number, reason] of reasons) this.table(current, number).left = reason;
    current.state = 'ended';
  }

  // --- tables ------------------------------------------------------------------------------------------------------

  /**
   * Event 0 of a table without its `sig`, which follows from the log (specs/event.md, "Event tables").
   * @param {Opening} opening @param {Opened} opened @returns {any}
   */
  eventZero(opening, { table, keys }) {
    const { contributors, options, system, title, keeper, away } = this.terms;
    const players = keys.map((key) => ({ key, role: 'player' }));
    const judges = opening.judges.slice(0, MAX_PARTIES - 1 - players.length).map((key) => ({ key, role: 'judge' }));
    const nonce = toHex(sha256(concat(utf8('rollproof/v1/event table\n'), fromHex(this.id), u64(opening.seq), u64(table))));
    const body = {
      admits: ['judge'],
      ...(away === undefined ? {} : { away }),
      contributors,
      format: 'rollproof/v1',
      nonce,
      options,
      parties: [{ key: keeper, role: 'keeper' }, ...players, ...judges],
      system,
      title: `${title}, round ${opening.round}, table ${table}`,
    };
    return { author: this.keeper, body, game: ZEROS, prev: ZEROS, seq: 0, time: opening.time, type: 'open' };
  }

  /**
   * Which member of a first line is not as the event says; null: none.
   * @param {Uint8Array} first without its line feed @param {Opening} opening @param {Opened} opened @returns {string | null}
   */
  differs(first, opening, opened) {
    const zero = this.eventZero(opening, opened);
    const text = fromUtf8(first);
    /** @type {any} */
    const given = text === null ? undefined : readCanonical(text);
    if (!isObject(given) || !isObject(given.body) || toHex(leafHash(first)) !== opened.game) return 'line';
    const names = (/** @type {any} */ a, /** @type {any} */ b) => [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
    const other = (/** @type {any} */ a, /** @type {any} */ b, /** @type {string} */ name) =>
      canonical(a[name] ?? null) !== canonical(b[name] ?? null);
    const body = names(zero.body, given.body).find((name) => other(zero.body, given.body, name));
    return (
      names(zero, given).find((name) => !['sig', 'body'].includes(name) && other(zero, given, name)) ?? (body === undefined ? null : `body.${body}`)
    );
  }

  /** Where a player sits now. @param {number} number @returns {{round: Round, table: EventTableNow | null, bye: boolean, opening: Opening | null, opened: Opened | null} | null} */
  place(number) {
    const round = this.round;
    if (round === null) return null;
    const table = [...round.tables.values()].find(({ sides }) => sides.flat().includes(number)) ?? null;
    const opening = table?.line == null ? null : (this.openings.get(table.line) ?? null);
    return { round, table, bye: round.byes.includes(number), opening, opened: (table && opening?.tables.get(table.number)) ?? null };
  }
}
