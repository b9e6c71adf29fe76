/**
 * A core without keys or server, for tests of the screens: it gives snapshots of the form that core gives (what a test
 * puts into `globalThis.FAKE` before), and a game of any dice that plays by itself as far as the screens need.
 *
 * Tests serve it in place of `ledger/web/core/index.js`.
 * @module
 */

export const MIN_PASSPHRASE = 12;
export const lateRoles = () => ['player', 'gm', 'witness', 'judge'];
export const takesSecrets = (system) => system === 'dice-1';
export class Changed extends Error {}
export class Refused extends Error {}
export class Stopped extends Error {}
export class Cheated extends Error {}

export { PluginDesk } from './window.js';

export class IndexedDbStorage {
  static async open() {
    return new IndexedDbStorage();
  }
}

const told = globalThis.FAKE ?? {};
const NOW = '2026-11-22T14:30:00.000Z';

const message = (text, values = {}) => ({ text, values });

/** @param {object} snapshot a part of one @returns {object} a whole one */
export const whole = (snapshot) => ({
  stage: 'lobby',
  problem: null,
  table: null,
  me: null,
  game: null,
  advice: null,
  differs: [],
  line: 'live',
  leader: true,
  warnings: [],
  trouble: null,
  sending: 0,
  ...snapshot,
});

class Table {
  constructor(link) {
    this.link = link;
    this.snapshot = whole(told.snapshot ?? {});
    this.listeners = new Set();
    globalThis.fake = this;
  }

  know() {}

  subscribe(listener) {
    this.listeners.add(listener);
    listener(this.snapshot);
    return () => this.listeners.delete(listener);
  }

  /** What a test, or this fake itself, changes. */
  change(more) {
    this.snapshot = { ...this.snapshot, ...more };
    for (const listener of this.listeners) listener(this.snapshot);
  }

  async connect() {}
  close() {}
  async sit(name) {
    const { table, me } = this.snapshot;
    this.change({
      table: { ...table, seats: [...table.seats, { name, role: me?.role ?? 'player', key: `${name}+1`, mine: true }], canStart: true },
      me: { name, role: 'player', seated: true, joined: false, moved: false, movable: false, stopped: null },
    });
  }

  async start() {
    this.change({ stage: 'agreeing' });
  }
  async agree() {
    this.change({ stage: 'playing', game: told.game, advice: told.advice });
  }
  prepare(type, body) {
    return { type, body, event: { author: this.snapshot.me.name, type, body, seq: this.snapshot.game.size, time: NOW } };
  }

  async sign({ type, body }, known = true) {
    this.signed = [...(this.signed ?? []), { type, body, known }];
    if (told.changed) {
      told.changed = false;
      throw new Changed();
    }
    if (globalThis.rulesSign) {
      const { seq, snapshot } = JSON.parse(await globalThis.rulesSign(JSON.stringify({ type, body })));
      this.change(snapshot);
      return { seq };
    }
    const { game } = this.snapshot;
    const seq = game.size;
    const event = { seq, author: this.snapshot.me.name, type, body, time: NOW, leaf: '00', line: '' };
    if (type !== 'roll') {
      this.change({
        game: { ...game, size: seq + 1, events: [...game.events, event] },
        advice: { ...this.snapshot.advice, size: this.late ? seq : seq + 1 },
      });
      return { seq };
    }
    const [, many, sides] = /(\d*)d(\d+)/.exec(body.dice ?? 'd20');
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
    this.change({
      game: {
        ...game,
        size: seq + 2,
        events: [...game.events, event, { ...event, seq: seq + 1, type: 'reveal', author: 'host', body: {} }],
        rolls: [...game.rolls, roll],
      },
      advice: { ...this.snapshot.advice, size: seq + 2 },
    });
    return { seq };
  }

  async read(request) {
    const { line, typed } = request;
    if (globalThis.rulesRead) {
      const { refused, ...found } = JSON.parse(await globalThis.rulesRead(JSON.stringify({ party: this.snapshot.me.name, ...request })));
      if (refused) throw Object.assign(new Refused('notation'), { detail: refused, code: 'notation' });
      return found;
    }
    const text = line ?? typed?.dice ?? '';
    if (line !== undefined && !/^\d*d\d+$/.test(text))
      throw Object.assign(new Refused('notation'), { words: message('{text} is no dice', { text }), code: 'notation' });
    return { body: line !== undefined ? { dice: line } : { ...typed }, words: text };
  }

  async explain(seq) {
    return {
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

  async void() {}
  async decline() {}
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
  compareCode(text) {
    return /\d{30}/.test(text.replace(/[\s-]/g, '')) ? { size: 17, mine: this.snapshot.game.code, theirs: '1' } : null;
  }
  save() {
    return { name: 'tavern.jsonl', bytes: new TextEncoder().encode('{}\n') };
  }
  evidence() {
    return [{ name: 'there.jsonl', bytes: new TextEncoder().encode('{}\n') }];
  }
  told(ids) {
    this.change({ warnings: this.snapshot.warnings.filter(({ id }) => !ids.includes(id)) });
  }
}

export class Here {
  static async open() {
    return new Here();
  }

  constructor() {
    this.ability = told.ability ?? null;
    this.me = told.me ?? null;
  }
  async server() {
    return { name: 'dice.example.org', keep_days: 90, keeper: 'host+1', judge: 'host-judge+1', systems: [], limits: {}, time: NOW };
  }
  async tables() {
    return told.tables ?? [];
  }
  async openTable() {
    return { table: 'ab'.repeat(32), links: await this.links() };
  }
  async links() {
    const at = (role) => `${location.origin}/t/${'ab'.repeat(32)}#${role}.pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8pZ3vQ8w`;
    return { player: at('player'), judge: at('judge'), spectator: at('spectator') };
  }

  table(link) {
    return new Table(link);
  }
  async take() {
    return this.links().then(({ player }) => ({ link: player }));
  }
}
