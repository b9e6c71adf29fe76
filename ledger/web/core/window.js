/**
 * The messages between the window for plugins and the page that opened it (specs/window.md). It signs nothing and has
 * no key: requests wait here for the player's tap.
 * @module
 */

import { Refused } from './errors.js';
import { calledName, meaningOf, toldRoll } from './rolled.js';

/** @typedef {import('./snapshot.js').Snapshot} Snapshot */
/** @typedef {import('./table.js').Table} Table */
/** @typedef {{id: number, body: any, words: string, readAs: string}} Asked a roll that waits for the player's tap */
/** @typedef {'alone' | 'asks' | 'chosen' | 'connected' | 'over'} Phase `asks`: somebody asks to be connected; `chosen`: a table was chosen, whose game is not here yet */

export const FORMAT = 'rollproof/window/v1';
/** UTF-16 units of a message. */
export const MAX_WINDOW_MESSAGE = 4_096;
/** Messages in so many milliseconds. */
export const MAX_WINDOW_RATE = 30;
const RATE_OVER = 10_000;
const MAX_LINE = 500;
/** Milliseconds to wait for the result of dice. */
const MEANING = 2_000;

/** What each message has besides `format`, `id` and `type`. @type {{[type: string]: string[]}} */
const MEMBERS = { hello: [], roll: ['line'], cancel: ['of'] };

/** @param {string} data @returns {any} undefined: it is no message of this protocol */
function parse(data) {
  let found;
  try {
    found = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (typeof found !== 'object' || found === null || found.format !== FORMAT) return undefined;
  if (typeof found.type !== 'string' || !Object.hasOwn(MEMBERS, found.type)) return undefined;
  const wanted = ['format', 'id', 'type', ...MEMBERS[found.type]].sort().join();
  if (Object.keys(found).sort().join() !== wanted || !Number.isSafeInteger(found.id) || found.id < 1) return undefined;
  if (found.type === 'roll' && !isLine(found.line)) return undefined;
  if (found.type === 'cancel' && !Number.isSafeInteger(found.of)) return undefined;
  return found;
}

/** @param {unknown} line @returns {boolean} */
const isLine = (line) => typeof line === 'string' && line.trim() !== '' && [...line].length <= MAX_LINE;

/** The window's side of one connection. */
export class PluginDesk {
  /**
   * @param {(data: string, origin: string) => void} post sends to the opener, if it is of that origin
   * @param {() => void} changed there is something else to show @param {() => number} [now] milliseconds
   */
  constructor(post, changed, now = Date.now) {
    this.post = post;
    this.changed = changed;
    this.now = now;
    /** @type {Phase} */
    this.phase = 'alone';
    /** @type {string | null} whom this window talks to */
    this.origin = null;
    /** The reason of its end. */
    this.code = '';
    this.hello = 0;
    this.lastId = 0;
    /** @type {number[]} */
    this.times = [];
    /** @type {Table | null} */
    this.table = null;
    /** @type {Asked | null} */
    this.asked = null;
    /** A line is being read. @type {number | null} its message */
    this.reading = null;
    this.signing = false;
    /** The latest reported roll. */
    this.last = -1;
    /** @type {Map<number, number>} rolls that were asked for here → their messages */
    this.mine = new Map();
    /** @type {Map<number, number>} rolls that have ended → when that was seen */
    this.ended = new Map();
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
  }

  /** Announces that the window is ready. */
  begin() {
    this.post(JSON.stringify({ format: FORMAT, type: 'ready' }), '*');
  }

  /** @param {string} type @param {object} more */
  say(type, more) {
    if (this.origin !== null) this.post(JSON.stringify({ format: FORMAT, type, ...more }), this.origin);
  }

  /** @param {number | null} id @param {string} code @param {string} [text] */
  refuse(id, code, text = '') {
    this.say('refused', { id, code, text });
  }

  /** @param {string} code */
  end(code) {
    if (this.phase === 'over') return;
    this.say('bye', { code });
    this.phase = 'over';
    this.code = code;
    this.asked = null;
    this.reading = null;
    if (this.timer !== null) clearTimeout(this.timer);
    this.changed();
  }

  /**
   * Takes a message of the opener's; of anybody else's it must not be called.
   * @param {{data: unknown, origin: string, ports: readonly unknown[]}} message
   */
  hear(message) {
    const { origin } = message;
    if (this.phase === 'over' || !/^https?:\/\//u.test(origin) || (this.origin !== null && origin !== this.origin)) return;
    if (this.isFlooded()) {
      this.end('flood');
      return;
    }
    const { data, ports } = message;
    const found = typeof data === 'string' && data.length <= MAX_WINDOW_MESSAGE && ports.length === 0 ? parse(data) : undefined;
    if (this.origin === null) {
      if (found?.type !== 'hello') return;
      this.origin = origin;
    }
    if (found === undefined || found.id <= this.lastId) {
      this.refuse(null, 'malformed');
      return;
    }
    this.lastId = found.id;
    if (found.type === 'hello') this.greet(found.id);
    else if (this.phase !== 'connected') this.refuse(found.id, 'not-connected');
    else if (found.type === 'roll') void this.ask(found.id, found.line);
    else this.cancel(found.id, found.of);
  }

  /** @returns {boolean} whether more came than a plugin sends */
  isFlooded() {
    const now = this.now();
    this.times = [...this.times.filter((time) => now - time < RATE_OVER), now];
    return this.times.length > MAX_WINDOW_RATE;
  }

  /** @param {number} id */
  greet(id) {
    if (this.phase !== 'alone') {
      this.refuse(id, 'not-connected');
      return;
    }
    this.hello = id;
    this.phase = 'asks';
    this.changed();
  }

  /** @param {number} id @param {string} line */
  async ask(id, line) {
    if (this.asked !== null || this.reading !== null) {
      this.refuse(id, 'busy');
      return;
    }
    const table = /** @type {Table} */ (this.table);
    this.reading = id;
    try {
      const { body, words, reading } = await table.game.read({ line: line.trim(), type: 'roll', party: table.snapshot.me?.name });
      if (this.reading !== id) return; // taken back
      this.asked = { id, body, words: words ?? '', readAs: reading ?? '' };
    } catch (error) {
      const told = error instanceof Refused ? [error.detail, ...error.lines].join('\n') : '';
      if (this.reading === id) this.refuse(id, error instanceof Refused ? 'unreadable' : 'away', told);
    } finally {
      if (this.reading === id) this.reading = null;
    }
    this.changed();
  }

  /** @param {number} id @param {number} of */
  cancel(id, of) {
    if (this.signing || (this.asked?.id !== of && this.reading !== of)) {
      this.refuse(id, 'nothing');
      return;
    }
    this.asked = null;
    this.reading = null;
    this.refuse(of, 'cancelled');
    this.changed();
  }

  // --- what the player does -----------------------------------------------------------------------------------------------

  /** Connects the plugin with a table. @param {Table} table whose snapshots are given to `look` */
  choose(table) {
    if (this.phase !== 'asks') return;
    this.table = table;
    this.phase = 'chosen';
    this.changed();
  }

  /** Says no: to the connection, or to what is asked. */
  decline() {
    if (this.phase === 'asks' || this.phase === 'chosen') {
      this.refuse(this.hello, 'declined');
      this.end('disconnected');
    } else if (this.asked !== null && !this.signing) {
      this.refuse(this.asked.id, 'declined');
      this.asked = null;
      this.changed();
    }
  }

  /** What was asked for is in the log. @param {number} seq */
  signed(seq) {
    if (this.asked === null) return;
    this.mine.set(seq, this.asked.id);
    this.asked = null;
    this.changed();
  }

  /** @param {boolean} signing */
  setSigning(signing) {
    this.signing = signing;
    if (!signing && this.table !== null) this.look(this.table.snapshot);
  }

  // --- what the plugin is told ----------------------------------------------------------------------------------------------

  /** @param {Snapshot} snapshot of the table */
  look(snapshot) {
    const { game, me, table, stage, trouble } = snapshot;
    if (this.phase === 'chosen' && stage === 'playing' && game !== null && me !== null && table !== null) {
      this.last = game.rolls.filter((roll) => roll.ended !== null).at(-1)?.seq ?? -1;
      this.phase = 'connected';
      this.say('connected', {
        id: this.hello,
        table: { game: game.id, title: table.title, system: table.system },
        me: { name: me.name, called: calledName(snapshot, me.name), role: me.role },
      });
      this.changed();
    }
    if (this.phase !== 'connected' || game === null) return;
    this.tell(snapshot);
    if (trouble !== null || stage === 'refused' || stage === 'deleted') this.end('trouble');
    else if (stage === 'closed' && this.ended.size === 0) this.end('closed');
  }

  /** Tells of rolls that have ended, each once and in their order. @param {Snapshot} snapshot */
  tell(snapshot) {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const { game, me } = /** @type {import('./snapshot.js').InGame} */ (snapshot);
    for (const roll of game.rolls) {
      if (roll.ended === null || roll.seq <= this.last) continue;
      const since = this.ended.get(roll.seq) ?? this.now();
      this.ended.set(roll.seq, since);
      const left = since + MEANING - this.now();
      const waits = roll.ended === 'reveal' && left > 0 && meaningOf(snapshot, roll) === undefined;
      if (waits) this.timer = setTimeout(() => this.table && this.look(this.table.snapshot), left);
      if (waits || (this.signing && roll.author === me?.name)) return;
      this.ended.delete(roll.seq);
      this.last = roll.seq;
      const id = this.mine.get(roll.seq);
      this.mine.delete(roll.seq);
      if (roll.body?.sealed !== undefined) continue; // of a secret roll nobody elsewhere is told anything
      const told = toldRoll(snapshot, roll);
      if (id === undefined) this.say('roll', { roll: told });
      else this.say('rolled', { id, roll: told });
    }
  }
}
