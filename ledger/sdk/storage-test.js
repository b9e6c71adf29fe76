/**
 * What a storage owes a seat, tried: for who writes a storage of their own. README.md, "Storage".
 * @module
 */

import { Conflict } from '../web/core/storage.js';

/** @typedef {import('../web/core/storage.js').Storage} Storage */

/** @param {boolean} holds @param {string} what */
function check(holds, what) {
  if (!holds) throw new Error(`this storage does not hold: ${what}`);
}

/** @param {boolean} readable @returns {Promise<CryptoKeyPair>} */
const newKey = (readable) => /** @type {Promise<CryptoKeyPair>} */ (crypto.subtle.generateKey('Ed25519', readable, ['sign', 'verify']));

/** A storage that is tried, and what was found to hold of it. */
class Trial {
  /** @type {string[]} */
  held = [];

  /** @param {() => Promise<Storage>} open @param {(storage: Storage) => Promise<void> | void} crash @param {Storage} storage opened */
  constructor(open, crash, storage) {
    this.open = open;
    this.crash = crash;
    this.storage = storage;
  }

  /** Crashes the storage, and opens it again. */
  async again() {
    await this.crash(this.storage);
    this.storage = await this.open();
  }

  /** @param {boolean} found @param {string} what */
  holds(found, what) {
    check(found, what);
    this.held.push(what);
  }
}

/** @param {Trial} trial */
async function tryUnwritten(trial) {
  const { storage } = trial;
  trial.holds(
    (await storage.get('memory', 'none')) === undefined && (await storage.all('memory')).length === 0 && (await storage.lines('none')).length === 0,
    'what was never written is not there',
  );
}

/** Keys and bytes come back as they were. @param {Trial} trial */
async function tryValues(trial) {
  const pair = await newKey(trial.storage.readsKeys ?? false);
  await trial.storage.write([{ store: 'seats', key: 'a', value: { signing: pair.privateKey, bytes: Uint8Array.of(1, 2, 255) } }]);
  await trial.again();
  const found = await trial.storage.get('seats', 'a');
  check(found !== undefined, 'what was written is there after a crash');
  const { signing, bytes } = found;
  const message = Uint8Array.of(7);
  const signature = await crypto.subtle.sign('Ed25519', signing, message);
  trial.holds(await crypto.subtle.verify('Ed25519', pair.publicKey, signature, message), 'a key that was written signs after a crash');
  trial.holds(bytes instanceof Uint8Array && bytes.join() === '1,2,255', 'bytes come back as bytes');
}

/** Transactions: what was written stands, and a record of another number is refused. @param {Trial} trial */
async function tryTransactions(trial) {
  await trial.storage.write([
    { store: 'memory', key: 'x', value: { number: 1, chains: [{ opened: 1 }] } },
    { store: 'games', key: 'x', value: { number: 1 } },
  ]);
  await trial.again();
  const { storage } = trial;
  trial.holds(
    (await storage.get('memory', 'x')).chains[0].opened === 1 && (await storage.get('games', 'x')).number === 1,
    'what was written stands after a crash',
  );

  let refused = false;
  try {
    await storage.write([
      { store: 'games', key: 'x', value: { number: 9 } },
      { store: 'memory', key: 'x', value: { number: 9 }, number: 0 },
    ]);
  } catch (error) {
    refused = error instanceof Conflict;
  }
  trial.holds(
    refused && (await storage.get('games', 'x')).number === 1,
    'a record of another number is a Conflict, and nothing of the transaction is written',
  );
  await storage.write([{ store: 'memory', key: 'x', value: { number: 2 }, number: 1 }]);
  await storage.write([{ store: 'memory', key: 'new', value: { number: 1 }, number: 0 }]);
}

/** A copy that is changed, and a record that is taken away, of those that `tryTransactions` wrote. @param {Trial} trial */
async function tryCopiesAndRemovals(trial) {
  const copy = await trial.storage.get('memory', 'x');
  copy.number = 77;
  trial.holds((await trial.storage.get('memory', 'x')).number === 2, 'what is read is a copy');

  await trial.storage.write([
    { store: 'memory', key: 'new', value: undefined },
    { store: 'memory', key: 'other', value: { number: 1 } },
  ]);
  await trial.again();
  const { storage } = trial;
  trial.holds((await storage.get('memory', 'new')) === undefined && (await storage.all('memory')).length === 2, 'what was taken away is gone');
}

/** @param {Trial} trial */
async function tryLines(trial) {
  const line = (/** @type {string} */ text) => new TextEncoder().encode(text);
  await trial.storage.putLines('g', 0, [line('0'), line('1'), line('zwölf')]);
  await trial.storage.putLines('g', 1, [line('one')]);
  await trial.again();
  trial.holds(
    (await trial.storage.lines('g')).map((each) => new TextDecoder().decode(each)).join() === '0,one',
    'lines from a number on make room for others',
  );
}

/** Crashes while a transaction is written, and after. @param {Trial} trial */
async function tryCrashes(trial) {
  for (let round = 1; round <= 20; round++) {
    const written = trial.storage.write([
      { store: 'memory', key: 'left', value: { round } },
      { store: 'games', key: 'right', value: { round } },
    ]);
    written.catch(() => {}); // the crash may come first
    if (round % 2 === 0) await written;
    await trial.again();
    const { storage } = trial;
    const [left, right] = [(await storage.get('memory', 'left'))?.round ?? 0, (await storage.get('games', 'right'))?.round ?? 0];
    check(left === right, 'a transaction that a crash cut off happened whole or not at all');
    check(round % 2 !== 0 || left === round, 'a transaction that was said to be done stands after a crash');
  }
  trial.held.push('a transaction that a crash cut off happened whole or not at all');
}

/** @param {Trial} trial */
async function tryAtTheSameTime(trial) {
  const { storage } = trial;
  await Promise.all(Array.from({ length: 20 }, (_, at) => storage.write([{ store: 'tables', key: `t${at}`, value: { at } }])));
  await trial.again();
  trial.holds((await trial.storage.all('tables')).length === 20, 'transactions at the same time all stand');
}

/**
 * Tries a storage. `open` opens it, at one and the same place each time; `crash` ends its program, or does as if: what was
 * not on the disk is lost. Take a fresh place for each call.
 * @param {{open: () => Promise<Storage>, crash: (storage: Storage) => Promise<void> | void}} how
 * @returns {Promise<string[]>} what was found to hold @throws {Error} that says what does not
 */
export async function checkStorage({ open, crash }) {
  const trial = new Trial(open, crash, await open());
  for (const part of [tryUnwritten, tryValues, tryTransactions, tryCopiesAndRemovals, tryLines, tryCrashes, tryAtTheSameTime]) await part(trial);
  await crash(trial.storage);
  return trial.held;
}
