/**
 * Storage in a browser: IndexedDB. What a seat must remember is written with `durability: 'strict'`.
 * @module
 */

import { Unstored } from './errors.js';
import { Conflict, STORES } from './storage.js';

/** @typedef {import('./storage.js').Change} Change */
/** @typedef {import('./storage.js').Storage} Storage */
/** @typedef {import('./storage.js').StoreName} StoreName */

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answered = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {IDBTransaction} transaction @returns {Promise<void>} when it is complete, and on the disk if it is strict */
const completed = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
  });

/** @param {string} name @returns {Promise<IDBDatabase>} */
async function opened(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    for (const store of STORES) request.result.createObjectStore(store);
    request.result.createObjectStore('lines');
  };
  return answered(request);
}

/** @implements {Storage} */
export class IndexedDbStorage {
  /** @param {string} name @param {IDBDatabase} database */
  constructor(name, database) {
    this.name = name;
    this.database = database;
    this.closed = false;
    this.use(database);
  }

  /** @param {string} [name] @returns {Promise<IndexedDbStorage>} */
  static async open(name = 'rollproof') {
    return new IndexedDbStorage(name, await opened(name));
  }

  /** @param {IDBDatabase} database */
  use(database) {
    this.database = database;
    this.closed = false;
    // Another tab with a newer page wants to change the stores.
    database.onversionchange = () => database.close();
    database.onclose = () => {
      this.closed = true;
    };
  }

  /** Does work; a database that the browser has closed is opened again. @template T @param {() => Promise<T>} work @returns {Promise<T>} @throws {Unstored | Conflict} */
  async tried(work) {
    try {
      if (this.closed) this.use(await opened(this.name));
      return await work();
    } catch (error) {
      if (error instanceof Conflict) throw error;
      this.closed ||= error instanceof DOMException && error.name === 'InvalidStateError';
      throw new Unstored(error);
    }
  }

  /** @param {StoreName} store @param {string} key */
  async get(store, key) {
    return this.tried(() => answered(this.database.transaction(store).objectStore(store).get(key)));
  }

  /** @param {StoreName} store */
  async all(store) {
    return this.tried(() => answered(this.database.transaction(store).objectStore(store).getAll()));
  }

  /** @param {Change[]} changes */
  async write(changes) {
    return this.tried(() => this.writeAll(changes));
  }

  /** @param {Change[]} changes */
  async writeAll(changes) {
    const names = [...new Set(changes.map(({ store }) => store))];
    const transaction = this.database.transaction(names, 'readwrite', { durability: 'strict' });
    const done = completed(transaction);
    let conflict = false;
    for (const { store, key, value, number } of changes) {
      const records = transaction.objectStore(store);
      const put = () => {
        if (value === undefined) records.delete(key);
        else records.put(value, key);
      };
      if (number === undefined) {
        put();
        continue;
      }
      const found = records.get(key);
      found.onsuccess = () => {
        if ((found.result?.number ?? 0) === number) return put();
        conflict = true;
        transaction.abort();
      };
    }
    try {
      await done;
    } catch (error) {
      throw conflict ? new Conflict() : error;
    }
  }

  /** @param {string} game */
  async lines(game) {
    return this.tried(() => answered(this.database.transaction('lines').objectStore('lines').getAll(range(game, 0))));
  }

  /** @param {string} game @param {number} from @param {Uint8Array[]} lines */
  async putLines(game, from, lines) {
    await this.tried(async () => {
      const transaction = this.database.transaction('lines', 'readwrite', { durability: 'relaxed' });
      const done = completed(transaction);
      const store = transaction.objectStore('lines');
      store.delete(range(game, from));
      lines.forEach((line, i) => store.put(line, [game, from + i]));
      await done;
    });
  }

  async persist() {
    return (await globalThis.navigator?.storage?.persist?.()) ?? null;
  }

  close() {
    this.database.close();
  }
}

/** @param {string} game @param {number} from @returns {IDBKeyRange} */
const range = (game, from) => IDBKeyRange.bound([game, from], [game, Number.MAX_SAFE_INTEGER]);
