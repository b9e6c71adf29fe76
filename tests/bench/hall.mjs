// node tests/bench/hall.mjs    phones of an event: official page cores, each with a storage of its own; what is done, as JSON on standard input
//   {"address", "event", "players": [{"number", "code"}], "seconds": {"in", "play", "every"}, "events", "line": {"delay", "loss"}}
// Tells one JSON line for each phase: "in" when all have checked in, "published" when all see the first round, "open" when all
// tables go on, "done" when all have played, "filled" when each log has so many events, "again" when all see the second round's tables.

import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';

import { Here, MemoryStorage } from '../../ledger/web/core/index.js';
import { EventHere } from '../../ledger/web/core/event.js';
import { checkIn } from '../../ledger/web/core/event-keys.js';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { address, event, players, seconds, events, line } = JSON.parse((await lines.next()).value);
const tell = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, Math.max(0, time)));

/**
 * Let all phones of this program share the results of `verify`: they see the same lines, and in a hall each of them has a
 * processor of its own. What is signed, and all else that a phone does, each does by itself.
 */
function shareVerified(subtle) {
  const [importKey, verify] = [subtle.importKey.bind(subtle), subtle.verify.bind(subtle)];
  const bytes = (given) => (given instanceof ArrayBuffer ? new Uint8Array(given) : given);
  const [keys, names, verified] = [new Map(), new Map(), new Map()];
  subtle.importKey = async (format, raw, algorithm, extractable, uses) => {
    if (format !== 'raw' || uses.join() !== 'verify') return importKey(format, raw, algorithm, extractable, uses);
    const name = Buffer.from(raw).toString('hex');
    if (!keys.has(name)) keys.set(name, await importKey(format, raw, algorithm, extractable, uses));
    names.set(keys.get(name), name);
    return keys.get(name);
  };
  subtle.verify = (algorithm, key, signature, data) => {
    if (!names.has(key)) return verify(algorithm, key, signature, data);
    const what = createHash('sha256').update(names.get(key)).update(bytes(signature)).update(bytes(data)).digest('base64');
    if (!verified.has(what)) verified.set(what, verify(algorithm, key, signature, data));
    return verified.get(what);
  };
}

shareVerified(crypto.subtle);

/** The phones' network: each request is late, and some are lost, half of them behind the server, which has taken them. */
async function network(...request) {
  const lost = Math.random() < line.loss;
  await sleep(line.delay / 2);
  if (lost && Math.random() < 0.5) throw new TypeError('lost on the way there');
  const answer = await fetch(...request);
  await sleep(line.delay / 2);
  if (!lost) return answer;
  await answer.body?.cancel();
  throw new TypeError('lost on the way back');
}

async function until(holds, limit = 120_000) {
  const end = Date.now() + limit;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`never: ${holds}`);
    await sleep(50); // 200 phones of one program look
  }
}

const phones = [];
for (const { number, code } of players) {
  const here = await Here.open({ address, storage: new MemoryStorage(), links: 64, fetch: network });
  const phone = new EventHere(here, { address, event, code, wall: false, staff: false });
  phones.push({ number, code, phone });
}

const errors = [];
const checkIns = await Promise.all(
  phones.map(async ({ phone, code, number }, at) => {
    await sleep((seconds.in * 1_000 * at) / phones.length);
    const began = performance.now();
    try {
      await phone.connect();
      await until(() => phone.log.players.has(number));
      await checkIn(phone, code);
    } catch (error) {
      errors.push(`check-in: ${error.message}`);
    }
    return performance.now() - began;
  }),
);
tell({ phase: 'in', checkIns, errors });

/** Waits until a table of a round is open for each phone. @param {number} number of the round @returns {Promise<(number | null)[]>} milliseconds after its start */
const tablesOpen = (number) =>
  Promise.all(
    phones.map(async ({ phone, number: player }) => {
      try {
        await until(() => phone.log.place(player)?.round.number === number && (phone.log.place(player).opened?.game ?? null) !== null);
        return Date.now() + phone.ahead - Date.parse(phone.log.round.started);
      } catch (error) {
        errors.push(`round ${number}: ${error.message}`);
        return null;
      }
    }),
  );

// The pairings come: each phone shows them by itself.
const published = await Promise.all(
  phones.map(async ({ phone, number }) => {
    try {
      await until(() => phone.log.place(number) !== null);
      return Date.now() + phone.ahead - Date.parse(phone.log.time);
    } catch (error) {
      errors.push(`pairings: ${error.message}`);
      return null;
    }
  }),
);
tell({ phase: 'published', published, errors });

// The round: each phone sees by itself when its table is open, joins, and sees when it goes on.
const opened = await Promise.all(
  phones.map(async (each) => {
    const { phone, number } = each;
    try {
      await until(() => (phone.log.place(number)?.opened?.game ?? null) !== null);
      const seen = Date.now() + phone.ahead;
      const started = Date.parse(phone.log.round.started);
      const { table } = phone.table();
      each.at = table;
      await table.connect();
      await until(
        () =>
          table.game.play !== null &&
          [...table.game.play.game.places.values()]
            .filter(({ party }) => party.role === 'player')
            .every(({ joined, chain }) => joined && chain !== null),
      );
      return [seen - started, Date.now() + phone.ahead - started];
    } catch (error) {
      errors.push(`table: ${error.message}`);
      return [null, null];
    }
  }),
);
tell({ phase: 'open', opened, errors });

await lines.next();
const dice = [];
const end = Date.now() + seconds.play * 1_000;
await Promise.all(
  phones.map(async ({ phone, number, at: mine }, at) => {
    const table = phone.log.place(number)?.table;
    if (!table || mine === undefined) return void errors.push(`never at a table: ${number}`);
    if (table.sides[0][0] !== number) return; // the first of the table rolls, and the others open by themselves
    const others = phones.filter((each) => table.sides.flat().includes(each.number));
    await sleep((seconds.every * 1_000 * at) / phones.length);
    while (Date.now() < end) {
      const began = performance.now();
      try {
        const { seq } = await mine.game.sign(mine.game.prepare('roll', { dice: 'd20' }));
        await until(() => others.every((each) => each.at.game.play.game.rollAt.get(seq)?.ended === 'reveal'), 60_000);
        dice.push([performance.timeOrigin + began, performance.now() - began]);
      } catch (error) {
        errors.push(`roll: ${error.message}`);
      }
      await sleep(seconds.every * 1_000 - (performance.now() - began));
    }
  }),
);
tell({ phase: 'done', dice, errors });

// Logs as they are after a long round.
await Promise.all(
  phones.map(async ({ phone, number, at: mine }) => {
    if (mine === undefined || phone.log.place(number)?.table?.sides[0][0] !== number) return;
    while (mine.game.play.log.size < events) {
      try {
        const { seq } = await mine.game.sign(mine.game.prepare('roll', { dice: 'd20' }));
        await until(() => mine.game.play.game.rollAt.get(seq)?.ended === 'reveal', 60_000);
      } catch (error) {
        return void errors.push(`roll: ${error.message}`);
      }
    }
  }),
);
tell({ phase: 'filled', errors });

await lines.next();
tell({ phase: 'again', again: await tablesOpen(2), errors });
for (const { phone } of phones) phone.close();
process.exit(0);
