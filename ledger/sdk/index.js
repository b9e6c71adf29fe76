/**
 * A participant at a table of Rollproof, in a few names: for browsers and Node. README.md says how it is used.
 *
 * What it stands on (`ledger/web/core`) is what the table's own page runs: it verifies each line, opens by itself, signs
 * nothing unasked but what specs/seats.md says, and sends again what did not come.
 * @module
 */

import { Away, Cheated, Here, IndexedDbStorage, parseLink, Refused, Stopped } from '../web/core/index.js';
import { say } from '../web/core/errors.js';
import { calledName, meaningOf, toldRoll } from '../web/core/rolled.js';
import { isAddress } from '../web/core/links.js';
import { rollLink } from '../web/core/share.js';
import { render } from '../../verifier/web/words.js';

export { Away, Changed, Cheated, IndexedDbStorage, MemoryStorage, Refused, Stopped } from '../web/core/index.js';
export { Conflict } from '../web/core/storage.js';

/** @typedef {import('../web/core/storage.js').Storage} Storage */
/** @typedef {import('../web/core/table.js').Table} Table */
/** @typedef {import('../web/core/snapshot.js').Snapshot} Snapshot */

/** Milliseconds: how long a roll's meaning is waited for, and after how long it is told whom a roll waits for. */
const MEANING = 2_000;
const WAITS = 1_000;
/** How long a roll waits until all who play have agreed; after that it is refused. */
const PATIENCE = 30_000;
const EVENTS = ['roll', 'waits', 'seats', 'here', 'line', 'warning', 'cheated'];
/** @type {Set<string>} before whose word to the terms nobody rolls */
const PLAY = new Set(['player', 'gm']);

/** @type {WeakMap<Storage, Map<string, Promise<Here>>>} of each storage, by the server's address */
const all = new WeakMap();
/** @type {Promise<Storage> | null} */
let usual = null;

/** @returns {Promise<Storage>} where nothing else was said: IndexedDB @throws {Refused} where there is none */
async function usualStorage() {
  if (globalThis.indexedDB === undefined) {
    throw new Refused(
      'storage',
      say('Give a storage: one in a folder, or a MemoryStorage for a test. A seat without one would be lost with this program.'),
    );
  }
  usual ??= IndexedDbStorage.open();
  return usual;
}

/** @template T @param {string} address @param {() => Promise<T>} ask @returns {Promise<T>} @throws {Away} which says who did not answer */
async function named(address, ask) {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Away && error.name === 'Away')
      throw new Away(
        say('{address} is not there, or is no server of this kind: {problem} Look whether it runs and the address is right, and ask again.', {
          address,
          problem: error.message,
        }),
      );
    throw error;
  }
}

/** @param {number | {roll: number}} roll @returns {number} its number */
const numberOf = (roll) => (typeof roll === 'number' ? roll : roll?.roll);

/** @param {string} address @param {Storage | undefined} given @param {any} [means] @returns {Promise<Here>} */
async function hereOf(address, given, means = {}) {
  const storage = given ?? (await usualStorage());
  const known = all.get(storage) ?? new Map();
  all.set(storage, known);
  const server = address.replace(/\/+$/, '');
  const here = known.get(server) ?? Here.open({ address: server, storage, ...means });
  known.set(server, here);
  return here;
}

/**
 * Opens a table as its host.
 * @param {string} address of the server
 * @param {{system?: string, title?: string, options?: any, roles?: string[], contributors?: 'all' | 'roller' | string[],
 *   away?: 'others' | null, judgeAfter?: number | null, storage?: Storage}} [what]
 * @returns {Promise<{table: string, links: {[role: string]: string}}>} @throws {Refused | import('../web/core/errors.js').Away}
 */
export async function openTable(address, { storage, system = 'dice-1', ...what } = {}) {
  if (!isAddress(address)) {
    throw new Refused('malformed', say('“{address}” is no address of a server: it begins with http:// or https://.', { address: String(address) }));
  }
  const here = await hereOf(address, storage);
  return named(address, () => here.openTable({ system, ...what }));
}

/**
 * Takes a seat by a link, or goes on with the one that the storage has.
 * @param {string} link
 * @param {{name?: string, called?: string, own?: boolean, storage?: Storage, agree?: (terms: any) => boolean | Promise<boolean>}} how `name`: of the
 *   key, not of a spectator's; `called`: what people read, in any script; `own`: a key for this table alone
 * @returns {Promise<Player>} @throws {Refused | import('../web/core/errors.js').Away}
 */
export async function join(link, { name, called, own, storage, agree = () => true } = {}) {
  if (typeof link !== 'string' || link.trim() === '') throw new Refused('malformed', say('No link was given.'));
  const parsed = parseLink(link);
  const here = await hereOf(parsed.address, storage);
  const table = here.table(parsed);
  await table.connect();
  const player = new Player(table, agree);
  try {
    if (parsed.role !== 'spectator' && !table.seat.record?.posted) {
      if (name === undefined) throw new Refused('table.name', say('Give the name with which you sit down.'));
      await named(parsed.address, () => table.sitting.sit(name, { called, own }));
    }
  } catch (error) {
    player.end();
    throw error;
  }
  return player;
}

/** @param {import('../web/core/snapshot.js').ShownParty} party @param {import('../web/core/snapshot.js').ShownGame} game @returns {boolean} whether no roll waits for its word to the terms */
const isReady = ({ name, role, joined, left }, { newcomers }) => joined || left || !PLAY.has(role) || newcomers.some((each) => each.name === name);

/** Somebody at a table: a seat, or a spectator. */
export class Player {
  /** @param {Table} table @param {(terms: any) => boolean | Promise<boolean>} agree */
  constructor(table, agree) {
    this.table = table;
    /** @type {Map<string, Set<(what: any) => void>>} */
    this.listeners = new Map();
    this.consent = agree;
    /** @type {Promise<void> | null} */
    this.agreeing = null;
    /** @type {unknown} why it did not join */
    this.failure = null;
    /** @type {Set<number>} rolls that were told of */
    this.told = new Set();
    this.seen = { warnings: new Set(), waits: '', trouble: false };
    /** What was told last, for who listens later. @type {{[event: string]: string | string[]}} */
    this.latest = { line: 'connecting' };
    /** `end` was called. */
    this.over = false;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    this.stop = table.subscribe((snapshot) => this.look(snapshot));
  }

  /** @returns {string} of the seat; of a spectator empty */
  get name() {
    return this.table.seat.record?.name ?? '';
  }

  /** @param {'roll' | 'waits' | 'seats' | 'here' | 'line' | 'warning' | 'cheated'} event @param {(what: any) => void} listener @returns {() => void} ends it */
  on(event, listener) {
    if (!EVENTS.includes(event))
      throw new Refused('event.unknown', say('There is no event “{event}”; there are {events}.', { event, events: EVENTS.join(', ') }));
    const those = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, those.add(listener));
    if (Object.hasOwn(this.latest, event)) queueMicrotask(() => those.has(listener) && listener(this.latest[event]));
    return () => void those.delete(listener);
  }

  /** Tells what stands, where it has changed. @param {'seats' | 'here' | 'line'} event @param {string | string[]} what */
  stands(event, what) {
    if (String(this.latest[event]) === String(what)) return;
    this.latest[event] = what;
    this.tell(event, what);
  }

  /** @param {string} event @param {any} what */
  tell(event, what) {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(what);
  }

  /** @param {Snapshot} snapshot */
  look(snapshot) {
    const { game, trouble, line } = snapshot;
    this.stands('line', line);
    if (snapshot.stage === 'lobby' && snapshot.table !== null) {
      this.stands(
        'seats',
        snapshot.table.seats.map((each) => each.name),
      );
    }
    if (snapshot.stage === 'agreeing' && this.agreeing === null) this.agreeing = this.agrees(snapshot);
    if (game !== null) {
      for (const roll of game.rolls) {
        if (roll.ended === null || this.told.has(roll.seq)) continue;
        this.told.add(roll.seq);
        const before = this.latest.line !== 'live';
        void this.rollOf(roll.seq).then((each) => each && this.tell('roll', { ...each, before }));
      }
      this.stands(
        'here',
        game.parties.filter((each) => each.here).map((each) => each.name),
      );
      this.lookAtWaiting(game);
    }
    for (const { id, message, files } of snapshot.warnings) {
      if (this.seen.warnings.has(id)) continue;
      this.seen.warnings.add(id);
      this.tell('warning', { id, text: render(message, 'en'), files });
    }
    if (trouble !== null && !this.seen.trouble) {
      this.seen.trouble = true;
      this.tell('cheated', new Cheated(trouble.message, trouble.files));
    }
  }

  /** @param {import('../web/core/snapshot.js').ShownGame} game */
  lookAtWaiting(game) {
    const waits = game.waiting === null ? '' : `${game.waiting.seq} ${game.waiting.awaited.join(' ')}`;
    if (waits === this.seen.waits) return;
    this.seen.waits = waits;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer =
      game.waiting === null
        ? null
        : setTimeout(() => {
            this.timer = null;
            const now = this.table.snapshot.game?.waiting ?? null;
            // Who opens last waits for the others, and nobody for them before.
            if (now !== null)
              this.tell('waits', { roll: now.seq, for: now.awaited.filter((name, _, all) => all.length === 1 || name !== now.closer) });
          }, WAITS);
  }

  /** @param {Snapshot} snapshot */
  async agrees(snapshot) {
    try {
      if (!(await this.consent(snapshot.table))) throw new Refused('agree', say('The terms of this table were not agreed to.'));
      await this.table.game.agree();
    } catch (error) {
      this.failure = error;
      this.table.changed();
    }
  }

  /** @template T @param {(snapshot: Snapshot) => T | null | undefined | false} find @returns {Promise<T>} as soon as there is something @throws {unknown} */
  until(find) {
    return new Promise((resolve, reject) => {
      let end = () => {};
      const look = (/** @type {Snapshot} */ snapshot) => {
        const { trouble, problem, stage } = snapshot;
        const found = find(snapshot);
        if (found) resolve(found);
        else if (trouble !== null) reject(new Cheated(trouble.message, trouble.files));
        else if (this.failure !== null) reject(this.failure);
        else if (stage === 'refused' || stage === 'deleted') reject(new Refused(stage, problem ?? say('The host had this table deleted.')));
        else return;
        queueMicrotask(() => end());
      };
      end = this.table.subscribe(look);
    });
  }

  /** Waits for something, but no longer than so many milliseconds. @param {number} time @param {(snapshot: Snapshot) => any} find */
  async within(time, find) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const over = new Promise((resolve) => {
      timer = setTimeout(resolve, time);
    });
    await Promise.race([this.until(find).catch(() => null), over]);
    clearTimeout(timer);
  }

  /**
   * As the host: starts with all who sit here, when those who are named do.
   * @param {{with?: string[]}} [how] @returns {Promise<void>} when the game has begun here
   */
  async start({ with: names = [] } = {}) {
    this.goesOn();
    const { mine } = await this.until(({ table }) => table);
    if (!mine) throw new Refused('table.host', say('Only the host starts a table, with the storage that opened it.'));
    if (this.table.snapshot.game !== null) {
      await this.begun();
      return;
    }
    const seats = await this.until(
      ({ table }) => names.every((name) => table?.seats.some((each) => each.name === name)) && table?.canStart && table.seats,
    );
    await this.table.host.start(seats.map((each) => each.key));
    await this.begun();
  }

  /** @returns {Promise<void>} when the game has begun, and this seat has joined and committed to a chain */
  async begun() {
    this.goesOn();
    await this.until(
      ({ game, me }) =>
        game !== null &&
        (me === null || game.parties.some((each) => each.mine && each.joined && (each.links !== null || each.role === 'judge' || !this.contributes))),
    );
  }

  /** Whether rolls can wait for this seat. */
  get contributes() {
    const contributors = this.table.snapshot.table?.contributors;
    return !Array.isArray(contributors) || contributors.includes(this.name);
  }

  /**
   * Rolls, and waits for the dice.
   * @param {string | object} what a line as the game writes it, which the server reads (`4d6kh3 + 2 for Strength`), or the body itself
   * @returns {Promise<import('./index.js').Roll>} @throws {Refused} also where the roll was called off
   */
  async roll(what) {
    if (typeof what !== 'string' && (typeof what !== 'object' || what === null)) {
      throw new Refused('malformed', say('Say what to roll: a line such as d20 + 5, or a body.'));
    }
    await this.begun();
    // Everybody agrees in a program of their own, some a moment later.
    await this.within(PATIENCE, ({ game }) => game?.parties.every((each) => isReady(each, game)));
    const body = typeof what === 'string' ? await this.read(what) : what;
    const { seq } = await this.act('roll', body);
    const roll = await this.until(({ game }) => game?.rolls.find((each) => each.seq === seq && each.ended !== null));
    if (roll.ended !== 'reveal') throw new Refused('voided', say('Roll {seq} was called off, and is owed: ask for the same again.', { seq }));
    return /** @type {any} */ (await this.rollOf(seq));
  }

  /** @param {string} line of a roll @returns {Promise<any>} the body that it means @throws {Refused | Away} */
  async read(line) {
    try {
      return (await this.table.game.read({ line, type: 'roll', party: this.name })).body;
    } catch (error) {
      if (!(error instanceof Away)) throw error;
      const away = new Away(say('The server gave no answer, and could not read the line. Nothing was signed: ask again.'));
      throw Object.assign(away, { signed: false });
    }
  }

  /** @throws {Stopped} after `end` */
  goesOn() {
    if (this.over) throw new Stopped(say('This seat was ended in this program. Join again, with the same link and storage.'));
  }

  /**
   * A roll that has ended: its dice as this program has verified them, and what they come to as the server says.
   * @param {number} seq @returns {Promise<any>} null where there is none
   */
  async rollOf(seq) {
    const roll = this.table.snapshot.game?.rolls.find((each) => each.seq === seq);
    if (roll === undefined) return null;
    if (roll.ended === 'reveal') {
      await this.within(MEANING, (snapshot) => meaningOf(snapshot, roll));
    }
    return toldRoll(this.table.snapshot, roll);
  }

  /** What people read for a party's name. @param {string} name of its key @returns {string} the name itself, where it is called nothing else */
  calledOf(name) {
    return calledName(this.table.snapshot, name);
  }

  /** Signs any event. @param {string} type @param {any} body @returns {Promise<{seq: number}>} when the keeper has signed over it */
  async act(type, body) {
    this.goesOn();
    return this.table.game.sign(this.table.game.prepare(type, body));
  }

  /** The table as it stands, verified; plain data. @returns {Snapshot} */
  show() {
    return this.table.snapshot;
  }

  /** Calls off the roll that waits, as its closer or as a judge. @param {string[]} [missing] who did not open @returns {Promise<{seq: number}>} */
  async void(missing = []) {
    this.goesOn();
    return this.table.game.void(missing);
  }

  /** As the host: has the game closed. @returns {Promise<void>} when it is */
  async close() {
    this.goesOn();
    await this.table.host.closeGame();
    await this.until(({ stage }) => stage === 'closed');
  }

  /** The log, for `rollproof verify`, and the keeper's checkpoint of it. */
  log() {
    return this.table.game.save();
  }

  /**
   * A link to one roll, with its proof in it (specs/roll-proof.md): for a chat. Whoever opens it has their browser check it.
   * @param {number | {roll: number}} roll or its number @param {{names?: boolean}} [how] `names`: the page shows them; they are in the link in any case
   * @returns {Promise<string>} @throws {Refused} where it has no dice
   */
  async share(roll, { names = false } = {}) {
    const number = numberOf(roll);
    if (!this.table.snapshot.game?.rolls.some((each) => each.seq === number)) {
      throw new Refused('roll.none', say('There is no roll {number} here.', { number: String(number) }));
    }
    return rollLink(`${this.table.link.address}/verify`, this.table.sharing.proofOf(number, names));
  }

  /**
   * Has the server show one's own roll under a short link, until it is taken back (specs/roll-proof.md).
   * @param {number | {roll: number}} roll or its number @param {{names?: boolean}} [how] `names`: the page shows them; the proof in it has them in any case
   * @returns {Promise<string>} the link @throws {Refused} where the roll is another's, or has no dice that everybody saw
   */
  async publish(roll, { names = false } = {}) {
    this.goesOn();
    return this.table.sharing.publish(numberOf(roll), names);
  }

  /** The rolls of this game that are published. @returns {Promise<{roll: number, link: string, by: string, names: boolean}[]>} */
  async published() {
    const found = await this.table.sharing.published();
    return found.map(({ request, roll, party, names }) => ({ roll: request, link: this.table.sharing.publishedLink(roll), by: party, names }));
  }

  /** Takes an own short link back. @param {string} link @returns {Promise<void>} @throws {Refused} where it is another's, or none */
  async revoke(link) {
    this.goesOn();
    const roll = /\/r\/([0-9a-f]{32})$/u.exec(link)?.[1];
    if (roll === undefined) throw new Refused('malformed', say('This is no short link to a roll: it has the form ADDRESS/r/ROLL.'));
    return this.table.sharing.revoke(roll);
  }

  /** What people read to each other, to see whether all have the same log. @returns {string} */
  code() {
    return this.table.snapshot.game?.code ?? '';
  }

  /** Leaves the table alone; whoever joins with the same storage goes on. */
  end() {
    this.over = true;
    this.stop();
    if (this.timer !== null) clearTimeout(this.timer);
    this.table.close();
  }
}
