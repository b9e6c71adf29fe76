/**
 * A core without keys or server, for tests of the screens: it gives snapshots of the form that core gives (what a test
 * puts into `globalThis.FAKE` before), and a game of any dice that plays by itself as far as the screens need.
 *
 * Tests serve it in place of `ledger/web/core/index.js`.
 * @module
 */

/** @typedef {import('../../ledger/web/core/index.js').ScreenHere} ScreenHere */
/** @typedef {import('../../ledger/web/core/index.js').ScreenTable} ScreenTable */
/** @typedef {import('../../ledger/web/core/snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../../ledger/web/core/snapshot.js').ShownGame} ShownGame */
/** @typedef {import('../../ledger/web/core/snapshot.js').ShownTable} ShownTable */
/** @typedef {import('../../ledger/web/core/snapshot.js').Me} Me */
/** @typedef {import('../../ledger/web/core/advice.js').Told} Told */
/** @typedef {Partial<Told> & {size: number}} PartOfTold */
/** @typedef {Omit<Partial<Snapshot>, 'advice'> & {advice?: PartOfTold | null}} PartOfSnapshot */
/**
 * @typedef {object} Fake what a test puts there
 * @property {PartOfSnapshot} [snapshot] at the beginning @property {ShownGame} [game] after everybody has agreed @property {PartOfTold} [advice] the same
 * @property {ScreenHere['ability']} [ability] @property {ScreenHere['me']} [me] @property {Awaited<ReturnType<ScreenHere['tables']>>} [tables]
 * @property {boolean} [changed] the next event comes too late
 */
/**
 * Functions of a test's, which answer as the rules do.
 * @typedef {{FAKE?: Fake, fake?: Table, rulesSign?: (request: string) => Promise<string>, rulesRead?: (request: string) => Promise<string>}} Given
 */

export const MIN_PASSPHRASE = 12;
export const lateRoles = () => ['player', 'gm', 'witness', 'judge'];
/** @param {string} system */
export const takesSecrets = (system) => system === 'dice-1';
export class Changed extends Error {}
export class Refused extends Error {
  /** @param {string} code @param {object} [more] */
  constructor(code, more = {}) {
    super(code);
    Object.assign(this, { code, ...more });
  }
}

// It is served in the place of core's own index, beside which this stands.
// @ts-expect-error
export { PluginDesk } from './window.js';

export class IndexedDbStorage {
  static async open() {
    return new IndexedDbStorage();
  }
}

const given = /** @type {Given} */ (globalThis);
const fake = given.FAKE ?? {};
const NOW = '2026-11-22T14:30:00.000Z';

/** @param {string} text @param {{[name: string]: string | number}} [values] */
const message = (text, values = {}) => ({ text, values });

/** @param {PartOfTold} part @returns {Told} advice of a server's */
const wholeAdvice = (part) => ({ state: null, actions: [], whole: true, own: false, ...part });

/** @param {PartOfSnapshot} part @returns {Snapshot} a whole one */
export const whole = ({ advice = null, ...part }) => ({
  stage: 'lobby',
  problem: null,
  table: null,
  me: null,
  game: null,
  differs: [],
  lies: [],
  rules: null,
  line: 'live',
  leader: true,
  warnings: [],
  trouble: null,
  sending: 0,
  ...part,
  advice: advice && wholeAdvice(advice),
});

/** @param {string} name @returns {{name: string, bytes: Uint8Array}} a file to save */
const file = (name) => ({ name, bytes: new TextEncoder().encode('{}\n') });

/** @implements {ScreenTable} */
class Table {
  /** @param {string} link */
  constructor(link) {
    this.link = link;
    this.snapshot = whole(fake.snapshot ?? {});
    /** @type {Set<(snapshot: Snapshot) => void>} */
    this.listeners = new Set();
    /** @type {{type: string, body: any, known: boolean}[] | undefined} */
    this.signed = undefined;
    /** Advice about an own event does not come. */
    this.late = false;
    // The parts of a table, in one.
    this.admissions = this;
    this.game = this;
    this.host = this;
    this.sharing = this;
    this.sitting = this;
    given.fake = this;
  }

  /** @returns {ShownGame} */
  get shown() {
    return /** @type {ShownGame} */ (this.snapshot.game);
  }

  /** @returns {string} */
  get me() {
    return this.snapshot.me?.name ?? '';
  }

  know() {}
  async knowAgain() {}

  /** @param {(snapshot: Snapshot) => void} listener */
  subscribe(listener) {
    this.listeners.add(listener);
    listener(this.snapshot);
    return () => void this.listeners.delete(listener);
  }

  /** What a test, or this fake itself, changes. @param {PartOfSnapshot} more */
  change(more) {
    this.snapshot = whole({ ...this.snapshot, ...more });
    for (const listener of this.listeners) listener(this.snapshot);
  }

  async connect() {}
  close() {}
  /** @param {string} name */
  async sit(name) {
    const { me } = this.snapshot;
    const table = /** @type {ShownTable} */ (this.snapshot.table);
    const seat = { name, called: null, role: me?.role ?? 'player', key: `${name}+1`, mine: true, alike: null };
    this.change({
      table: { ...table, seats: [...table.seats, seat], canStart: true },
      me: {
        name,
        role: 'player',
        seated: true,
        joined: false,
        bound: false,
        moved: false,
        movable: false,
        stopped: null,
        asks: null,
        goesOn: null,
        lost: [],
        replaced: false,
        awaits: null,
      },
    });
  }
  /** @param {string} name */
  async ask(name) {
    this.change({ me: { .../** @type {Me} */ (this.snapshot.me), name, asks: 'asked' } });
  }
  async letIn() {}
  async letGoOn() {}
  /** @param {string} name */
  async askToGoOn(name) {
    const goesOn = { recovered: false, away: false, waits: false, awaited: [], out: false, code: '' };
    this.change({ me: { .../** @type {Me} */ (this.snapshot.me), name, asks: null, goesOn } });
  }
  async unseat() {}
  async newLink() {
    return `${this.link}2`;
  }

  async start() {
    this.change({ stage: 'agreeing' });
  }
  async agree() {
    this.change({ stage: 'playing', game: fake.game, advice: fake.advice });
  }
  /** @param {string} type @param {any} body */
  prepare(type, body) {
    const { id, size } = this.shown;
    return { type, body, event: { author: this.me, type, body, seq: size, time: NOW, game: id, prev: '' } };
  }

  /** @param {{type: string, body: any}} prepared @param {boolean} [known] */
  async sign({ type, body }, known = true) {
    this.signed = [...(this.signed ?? []), { type, body, known }];
    if (fake.changed) {
      fake.changed = false;
      throw new Changed();
    }
    if (given.rulesSign) {
      const { seq, snapshot } = JSON.parse(await given.rulesSign(JSON.stringify({ type, body })));
      this.change(snapshot);
      return { seq };
    }
    const { shown: game } = this;
    const seq = game.size;
    const event = { seq, author: this.me, type, body, time: NOW, leaf: '00', prev: '', line: '' };
    const advised = (/** @type {number} */ size) => ({ .../** @type {Told} */ (this.snapshot.advice), size });
    if (type !== 'roll') {
      this.change({ game: { ...game, size: seq + 1, events: [...game.events, event] }, advice: advised(this.late ? seq : seq + 1) });
      return { seq };
    }
    const [, many, sides] = /(\d*)d(\d+)/.exec(body.dice ?? 'd20') ?? [];
    const naturals = Array.from({ length: Number(many || 1) }, (_, i) => ((7 * (seq + i)) % Number(sides)) + 1);
    const roll = {
      ...event,
      index: game.rolls.length,
      naturals,
      sides: naturals.map(() => Number(sides)),
      ended: 'reveal',
      end: seq + 1,
      contributors: ['host', 'alice', 'bob'],
      fair: true,
      without: [],
      unaccepted: [],
      holder: null,
      shown: null,
      purpose: '',
    };
    const reveal = { ...event, seq: seq + 1, type: 'reveal', author: 'host', body: {} };
    this.change({
      game: { ...game, size: seq + 2, events: [...game.events, event, reveal], rolls: [...game.rolls, roll] },
      advice: advised(seq + 2),
    });
    return { seq };
  }

  /** @param {{line?: string, typed?: {[name: string]: string}}} request */
  async read(request) {
    const { line, typed } = request;
    if (given.rulesRead) {
      const { refused, lines, ...found } = JSON.parse(await given.rulesRead(JSON.stringify({ party: this.me, ...request })));
      if (refused) throw new Refused('notation', { detail: refused, lines });
      return found;
    }
    const text = line ?? typed?.dice ?? '';
    if (line !== undefined && !/^\d*d\d+$/.test(text)) throw new Refused('notation', { words: message('{text} is no dice', { text }) });
    return { body: line !== undefined ? { dice: line } : { ...typed }, words: text, reading: null };
  }

  /** @param {number} seq */
  async explain(seq) {
    return {
      own: false,
      steps: [
        {
          title: message('Step 1: the event'),
          parts: [
            {
              say: message('Event {seq}, {type}, signed by {author} at {time}; its leaf hash is {leaf}.', {
                seq,
                type: 'roll',
                author: 'alice',
                time: NOW,
                leaf: 'ab'.repeat(32),
              }),
            },
            { byHand: { command: `sed -n '${seq + 1}p' game.jsonl | openssl dgst -sha256`, prints: 'ab'.repeat(32) } },
          ],
        },
        {
          title: message('Step 2: the commitments'),
          parts: [
            {
              table: {
                head: ['contributor', 'event', 'tip'],
                rows: [
                  ['host', '1', 'cd'.repeat(32)],
                  ['alice', '3', 'ef'.repeat(32)],
                ],
              },
            },
          ],
        },
      ],
      reasons: [{ clause: 'D5', text: 'The three highest of four dice are kept.' }],
    };
  }

  async void() {
    return { seq: this.shown.size };
  }
  async decline() {}
  async goOnWithout() {}
  async take() {}
  advise() {}
  wake() {}
  async move() {
    return new Blob(['{}']);
  }
  async closeGame() {
    this.change({ stage: 'closed' });
  }
  async deleteTable() {
    this.change({ stage: 'deleted' });
  }
  /** @param {string} text */
  compareCode(text) {
    return /\d{30}/.test(text.replace(/[\s-]/g, '')) ? { size: 17, mine: this.shown.code, theirs: '1' } : null;
  }
  save() {
    return { ...file('tavern.jsonl'), checkpoint: null };
  }
  evidence() {
    return [file('here.jsonl')];
  }
  /** @param {string[]} ids */
  async told(ids) {
    this.change({ warnings: this.snapshot.warnings.filter(({ id }) => !ids.includes(id)) });
  }

  hide() {
    return '00'.repeat(64);
  }
  async show() {
    return { seq: this.shown.size };
  }
  /** @param {number} request */
  async showFile(request) {
    return file(`${request}.show`);
  }
  proofOf() {
    return '{}\n';
  }
  /** @param {number} seq */
  isOwnRoll(seq) {
    return this.shown.rolls.some((roll) => roll.seq === seq && roll.author === this.me);
  }
  /** @returns {Promise<import('../../ledger/web/core/share.js').Published[]>} */
  async published() {
    return [];
  }
  async publish() {
    return this.publishedLink('r');
  }
  /** @param {string} roll */
  publishedLink(roll) {
    return `${location.origin}/r/${roll}`;
  }
  async revoke() {}
}

/** @implements {ScreenHere} */
export class Here {
  static async open() {
    return new Here();
  }

  constructor() {
    this.ability = fake.ability ?? null;
    this.me = fake.me ?? null;
    /** @type {boolean | null} */
    this.persisted = null;
    /** @type {string | null} */
    this.language = null;
  }
  async server() {
    return { name: 'dice.example.org', keep_days: 90, keeper: 'host+1', judge: 'host-judge+1', systems: [], limits: {}, time: NOW };
  }
  async tables() {
    return fake.tables ?? [];
  }
  async openTable() {
    return { table: 'ab'.repeat(32), links: await this.links() };
  }
  async links() {
    /** @param {string} role */
    const at = (role) => `${location.origin}/t/${'ab'.repeat(32)}#${role}.pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8w`;
    return { player: at('player'), judge: at('judge'), spectator: at('spectator') };
  }

  /** @param {string} link @returns {any} what else a real one has is no screen's */
  table(link) {
    return new Table(link);
  }
  async take() {
    return this.links().then(({ player }) => ({ link: player }));
  }
  async bringIn() {}
  async keepProfile() {
    return file('alice.rollproof-profile.json');
  }
  async profileOffered() {}
  async successions() {
    return file('alice.succession');
  }
}
