// node tests/web/core.mjs    drives ledger/web/core: one command a line on standard input, its answer a line on standard output
//   {"id": N, "do": NAME, "who": NAME, "with": {…}}  ->  {"id": N, "value": …} or {"id": N, "error": {…}}
// Whatever is tried is tried with storages and Here's that live in this process: a browser that is closed is one that is
// left behind, and its storage is taken up by the next.

import { createInterface } from 'node:readline';

import * as core from '../../ledger/web/core/index.js';
import { codeOf, parseCode } from '../../ledger/web/core/code.js';
import { Unstored } from '../../ledger/web/core/errors.js';
import { checkLink, checkOpened, checkSeat, checkStart, invitesThatHold, isEnded, seatsThatHold } from '../../ledger/web/core/lobby.js';
import { goingOn, lookAtSuccessions } from '../../ledger/web/core/lost.js';
import { parseSeat, parseStart, parseTerms } from '../../ledger/web/core/forms.js';
import { invitationOf, tokenOf } from '../../ledger/web/core/links.js';
import { seal, unseal } from '../../ledger/web/core/chains.js';
import { MIN_PASSPHRASE } from '../../ledger/web/core/move.js';
import { openFile } from '../../ledger/web/core/profile.js';
import { fromHex, toHex, utf8 } from '../../verifier/web/bytes.js';
import { canonical } from '../../verifier/web/json.js';
import { newSealingKey } from '../../ledger/web/core/chains.js';
import { Follower, Misfit } from '../../ledger/web/core/follower.js';
import { Forked } from '../../ledger/web/core/guard.js';
import { Memory } from '../../ledger/web/core/memory.js';
import { Seat } from '../../ledger/web/core/seat.js';
import { newSigner } from '../../ledger/web/core/signer.js';
import { MemoryLocks } from '../../ledger/web/core/turns.js';
import { Failure } from '../../verifier/web/findings.js';
import { checkOpening } from '../../verifier/web/openings.js';
import { follow, successionLineFlaw } from '../../verifier/web/succession.js';
import { Engine } from './engine.mjs';

const PATIENCE = (Number(process.env.ROLLPROOF_PATIENCE || 60) * 1000) / 3; // milliseconds for a condition to come true
const TIMES = { first: 20, longest: 200, missing: 50, patience: 5_000 };
const storages = new Map();
const keys = new Map();
/** @type {Map<string, {here: any, table: any, gates: RegExp[], clock: number, posts: string[], sent: string[]}>} `sent`: all that leaves */
const players = new Map();

/** @type {Map<string, {signer: any, sealing: any, storage: any, locks: any}>} seats by themselves, without a server */
const seats = new Map();

const plain = (value) => JSON.parse(JSON.stringify(value ?? null, (_, each) => (each instanceof Uint8Array ? new TextDecoder().decode(each) : each)));
const player = (who) => players.get(who);

/** Without any secret of a link, a snapshot can be shown to anybody. */
const summary = (snapshot) => plain({ ...snapshot, game: snapshot.game && { ...snapshot.game, events: snapshot.game.events.length } });

function until(table, condition, limit) {
  const test = new Function('s', `return (${condition})`);
  return new Promise((resolve, reject) => {
    let end = () => {};
    const timer = setTimeout(() => {
      end();
      reject(new Error(`never: ${condition} in ${JSON.stringify(summary({ ...table.snapshot, advice: null })).slice(0, 3_000)}`));
    }, limit);
    end = table.subscribe((snapshot) => {
      if (!test(snapshot)) return;
      clearTimeout(timer);
      queueMicrotask(() => end());
      resolve(summary(snapshot));
    });
  });
}

/** What a seat by itself does upon a log that somebody shows it; null where it does nothing. */
async function shown({ signer, sealing, storage, locks }, { game, lines, checkpoint, openings, now, what, given }) {
  const log = new Follower(game);
  await log.takeAll(lines.map((line) => utf8(line)));
  if (checkpoint !== null) await log.takeCheckpoint(utf8(checkpoint));
  const seat = new Seat(signer, sealing, new Memory(storage, locks, game, signer.key), log, () => now, 16);
  const held = new Map();
  for (const line of openings) {
    if ((await checkOpening(log.game, utf8(line))) !== null) continue;
    const { opening } = JSON.parse(line);
    held.set(opening.author, opening);
  }
  switch (what) {
    case 'enter':
      return seat.enter(log.game.place(signer.name).joined ? 'commit' : 'join');
    case 'tend': {
      const due = seat.holder.due(await seat.memory.look());
      return due === null ? null : seat.enter(due);
    }
    case 'show':
      return seat.show(given.request);
    case 'sign':
      return seat.sign(seat.unsigned(given.type, given.body));
    case 'open':
      return seat.open(held);
    case 'void':
      return seat.void(given.missing);
    case 'decline':
      return seat.decline();
    case 'acknowledge':
      return held.has(given.author) ? seat.acknowledge(held.get(given.author)) : null;
    default:
      throw new TypeError(what);
  }
}

const commands = {
  async seat(who, { name }) {
    const { signer } = await newSigner(name);
    seats.set(who, { signer, sealing: await newSealingKey(), storage: new core.MemoryStorage(), locks: new MemoryLocks() });
    return signer.key;
  },
  async shown(who, given) {
    try {
      return await shown(seats.get(who), given);
    } catch (error) {
      if ([Failure, Misfit, Forked, core.Refused, core.Stopped].some((kind) => error instanceof kind)) return null;
      throw error;
    }
  },
  async here(who, { address, storage = who, clock = 0, links, times = {} }) {
    if (!storages.has(storage)) storages.set(storage, new core.MemoryStorage());
    const self = { here: null, table: null, gates: [], clock, posts: [], sent: [] };
    const fetch = async (url, how = {}) => {
      const path = `${how.method ?? 'GET'} ${new URL(url).pathname}`;
      self.sent.push(
        JSON.stringify([how.method ?? 'GET', String(url), how.headers ?? {}, how.body === undefined ? '' : new TextDecoder().decode(how.body)]),
      );
      if (self.gates.some((gate) => gate.test(path))) return new Promise(() => {});
      if (how.method === 'POST') self.posts.push(`${path} ${new TextDecoder().decode(how.body)}`);
      return globalThis.fetch(url, how);
    };
    self.here = await core.Here.open({
      address,
      storage: storages.get(storage),
      fetch,
      now: () => Date.now() + self.clock,
      times: { ...TIMES, ...times },
      links: links ?? undefined,
    });
    players.set(who, self);
    return self.here.ability;
  },
  gate: async (who, { paths }) => {
    player(who).gates = paths.map((path) => new RegExp(path));
  },
  clock: async (who, { ahead }) => {
    player(who).clock = ahead;
  },
  posts: async (who) => player(who).posts,
  sent: async (who) => player(who).sent,
  hide: async (who, { text }) => player(who).table.game.hide(text),
  show: (who, { request }) => player(who).table.game.show(request),
  showFile: (who, { request }) => player(who).table.game.showFile(request),
  open: (who, what) => player(who).here.openTable(what),
  tables: (who) => player(who).here.tables(),
  links: (who, { table }) => player(who).here.links(table),
  async table(who, { link }) {
    const self = player(who);
    self.table = self.here.table(link);
    await self.table.connect();
    return summary(self.table.snapshot);
  },
  sit: (who, { name = who, passphrase, called = null, own = false }) => player(who).table.sitting.sit(name, { passphrase, called, own }),
  seatKey: async (who) => player(who).table.seat.record.key,
  unseat: (who, { key }) => player(who).table.host.unseat(key),
  newLink: (who, { role }) => player(who).table.host.newLink(role),
  ask: (who, { name = who }) => player(who).table.admissions.ask(name),
  letIn: (who, { key }) => player(who).table.admissions.letIn(key),
  askToGoOn: (who, { name }) => player(who).table.admissions.askToGoOn(name),
  letGoOn: (who, { key }) => player(who).table.admissions.letGoOn(key),
  start: (who, { keys }) => player(who).table.host.start(keys),
  agree: (who) => player(who).table.game.agree(),
  prepare: async (who, { type, body }) => player(who).table.game.prepare(type, body),
  sign: (who, { type, body }) => player(who).table.game.sign(player(who).table.game.prepare(type, body)),
  signPrepared: (who, { prepared, known = true }) => player(who).table.game.sign(prepared, known),
  void: (who, { missing }) => player(who).table.game.void(missing),
  decline: (who) => player(who).table.game.decline(),
  closeGame: (who) => player(who).table.host.closeGame(),
  deleteTable: (who) => player(who).table.host.deleteTable(),
  told: (who, { ids }) => player(who).table.told(ids),
  explain: (who, { seq }) => player(who).table.game.explain(seq),
  read: (who, { request }) => player(who).table.game.read(request),
  save: async (who) => player(who).table.game.save(),
  evidence: async (who) => player(who).table.evidence(),
  events: async (who) => player(who).table.snapshot.game.events,
  snapshot: async (who) => summary(player(who).table.snapshot),
  until: (who, { condition, limit = PATIENCE }) => until(player(who).table, condition, limit),
  close: async (who) => void player(who).table.close(),
  async move(who) {
    return await (await player(who).table.move()).text();
  },
  take: (who, { file, passphrase }) => player(who).here.take(utf8(file), passphrase),
  me: async (who) => player(who).here.me,
  keepProfile: async (who, { passphrase }) => player(who).here.keepProfile(passphrase),
  bringIn: (who, { file, passphrase }) => player(who).here.bringIn(utf8(file), passphrase),
  successions: async (who) => player(who).here.successions(),
  openProfile: async (_, { file, passphrase, server }) => void (await openFile(utf8(file), passphrase, server)),
  successionFlaw: (_, { line }) => successionLineFlaw(line),
  followSuccessions: (_, { lines }) => {
    const { newest, split, joined } = follow(lines.map((/** @type {string} */ line) => JSON.parse(line)));
    return { newest: Object.fromEntries(newest), split, joined };
  },
  // Another file with the same passphrase, whose maker has changed what stands in it, or what is sealed there.
  async forge(_, { file, passphrase, change }) {
    const found = JSON.parse(file);
    if (!keys.has(file)) {
      const material = await crypto.subtle.importKey('raw', utf8(passphrase), 'PBKDF2', false, ['deriveKey']);
      const how = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(found.salt), iterations: found.iterations };
      keys.set(file, await crypto.subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']));
    }
    const key = keys.get(file);
    const [forMemory, forKey] = ['memory', 'key'].map((what) => utf8(`rollproof/v1/page ${what}\n`));
    const all = {
      file: found,
      memory: JSON.parse(new TextDecoder().decode(await unseal(key, found.memory, forMemory))),
      secret: await unseal(key, found.key, forKey),
    };
    new Function('all', `with (all) { ${change} }`)(all);
    const sealed = { key: await seal(key, all.secret, forKey), memory: await seal(key, utf8(all.text ?? JSON.stringify(all.memory)), forMemory) };
    return canonical({ ...found, ...sealed });
  },
  // A disk that is full, a storage that the browser has closed: what of it raises.
  async fail(_, { storage, methods }) {
    const found = storages.get(storage);
    for (const method of ['get', 'all', 'lines', 'write', 'putLines']) delete found[method];
    for (const method of methods)
      found[method] = async () => {
        throw new Unstored(new DOMException('', 'QuotaExceededError'));
      };
  },
  stored: async (_, { storage }) => Object.fromEntries([...storages.get(storage).stores].map(([store, records]) => [store, records.size])),
  minPassphrase: async () => MIN_PASSPHRASE,
  // Python in a worker, as far as core sees it: a process here.
  async know(who, { python, held = false }) {
    const self = player(who);
    self.engine = new Engine(python);
    self.engine.hold(held);
    self.table.game.know(self.engine);
  },
  hold: async (who, { held }) => player(who).engine.hold(held),
  killEngine: async (who) => player(who).engine.kill(),
  asked: async (who) => player(who).engine.asked,
  lies: async (who) => player(who).table.game.play.rules.files,
  advise: async (who) => player(who).table.game.advise(),
  async reset() {
    for (const { table, engine } of players.values()) {
      table?.close();
      engine?.close();
    }
    players.clear();
    storages.clear();
  },
  wake: async (who) => player(who).table.wake(),
  // A thief's copy of everything, or what a backup has.
  async clone(_, { storage, to }) {
    const copy = new core.MemoryStorage();
    for (const [store, records] of storages.get(storage).stores) {
      for (const [key, value] of records) await copy.write([{ store, key, value }]);
    }
    for (const [game, lines] of storages.get(storage).logs) copy.logs.set(game, lines.slice());
    storages.set(to, copy);
  },
  // What a browser may lose without a seat's memory being lost.
  async forgetLines(_, { storage }) {
    storages.get(storage).logs.clear();
    storages.get(storage).store('games').clear();
  },
  memory: async (_, { storage }) => [...storages.get(storage).store('memory').values()],
  compareCode: async (who, { text }) => player(who).table.game.compareCode(text),
  // What follows tries functions by themselves.
  codes: async (_, { texts }) => texts.map(codeOf),
  parsedCodes: async (_, { texts }) => texts.map(parseCode),
  async vectors(_, { vectors }) {
    const flawOf = async (work) => {
      try {
        await work();
        return null;
      } catch (error) {
        if (error instanceof core.Refused) return error.code;
        throw error;
      }
    };
    const terms = parseTerms(vectors.terms);
    const table = toHex((await import('../../verifier/web/sha256.js')).sha256(utf8(vectors.terms)));
    const seats = vectors.seats.map(parseSeat);
    const results = {
      links: [],
      tables: [],
      starts: [],
      opened: [],
      invited_links: [],
      ended: [],
      invited_seats: [],
      going_on: [],
      going_on_forms: [],
    };
    for (const each of vectors.links) {
      let found = {};
      const flaw = await flawOf(async () => {
        const link = core.parseLink(each.link);
        const invitation = await invitationOf(link.role, link.secret);
        found = {
          address: link.address,
          table: link.table,
          role: link.role,
          secret: toHex(link.secret),
          token: await tokenOf(link.secret),
          token_hash: invitation.token,
          invitation_key: invitation.key,
          again: core.formatLink(link),
        };
      });
      results.links.push({ flaw, ...found });
    }
    for (const each of vectors.tables) {
      results.tables.push(await flawOf(async () => checkLink(core.parseLink(each.link), each.terms, parseTerms(each.terms))));
    }
    const { sha256 } = await import('../../verifier/web/sha256.js');
    const tableOf = (each) => (each.terms ? [parseTerms(each.terms), toHex(sha256(utf8(each.terms)))] : [terms, table]);
    const seatsOf = (each) => (each.seats ? each.seats.map((seat) => parseSeat(seat)) : seats);
    for (const each of vectors.invited_links) {
      const link = core.parseLink(each.link);
      const made = await invitesThatHold(
        terms,
        table,
        each.invites.map((line) => JSON.parse(line)),
      );
      results.invited_links.push(await flawOf(() => checkLink(link, vectors.terms, terms, made)));
      results.ended.push(each.flaw === null && (await isEnded(terms, made, link)));
    }
    for (const each of vectors.invited_seats) {
      const made = await invitesThatHold(
        terms,
        table,
        each.invites.map((line) => JSON.parse(line)),
      );
      results.invited_seats.push(await flawOf(() => checkSeat(terms, table, parseSeat(each.seat), made)));
    }
    const log = new Follower(JSON.parse(vectors.lost_log[1]).game);
    await log.takeAll(vectors.lost_log.map((line) => utf8(line)));
    for (const each of vectors.going_on) {
      const shown = await seatsThatHold(terms, table, [...seats, JSON.parse(each.goes_on)]);
      await lookAtSuccessions(shown);
      results.going_on.push(goingOn(log.game, shown).length);
      results.going_on_forms.push(await flawOf(() => parseSeat(each.goes_on)));
    }
    for (const each of vectors.starts) {
      results.starts.push(await flawOf(async () => checkStart(...tableOf(each), seatsOf(each), parseStart(each.start))));
    }
    for (const each of vectors.opened) {
      const start = parseStart(each.start ?? vectors.start);
      results.opened.push(await flawOf(() => checkOpened(...tableOf(each), seatsOf(each), start, utf8(each.line), each.game)));
    }
    return results;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, do: name, who = '', with: given = {} } = JSON.parse(line);
  Promise.resolve()
    .then(() => commands[name](who, given))
    .then((value) => ({ id, value: plain(value) }))
    .catch((error) => ({
      id,
      error: {
        name: error.name,
        message: error.message,
        code: error.code ?? null,
        status: error.status ?? null,
        lines: error.lines ?? [],
        stack: error.stack,
      },
    }))
    .then((answer) => process.stdout.write(`${JSON.stringify(answer)}\n`));
}
process.exit(0);
