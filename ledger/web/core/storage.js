/**
 * Storage: records in stores, by key, and the lines of games. A record can hold a signing key (`CryptoKey`).
 *
 * `write` is one transaction, on the disk when it is done: all of it or nothing. A change with a `number` is made only if
 * the record that stands there has this `number` (0: there is none), so that nothing is written over what another tab wrote.
 * @module
 */

/** @typedef {'seats' | 'hosts' | 'tables' | 'games' | 'memory' | 'profiles'} StoreName */
/** @typedef {{store: StoreName, key: string, value: any, number?: number}} Change a value of `undefined` takes the record away */

/**
 * @typedef {object} Storage
 * @property {(store: StoreName, key: string) => Promise<any>} get a copy, or undefined
 * @property {(store: StoreName) => Promise<any[]>} all
 * @property {(changes: Change[]) => Promise<void>} write or a Conflict; each of these may raise an Unstored
 * @property {(game: string) => Promise<Uint8Array[]>} lines of a game, from its first
 * @property {(game: string, from: number, lines: Uint8Array[]) => Promise<void>} putLines those from `from` on make room
 * @property {() => Promise<boolean | null>} persist asks that it be kept; null: nobody can say
 * @property {() => void} close
 * @property {boolean} [readsKeys] it must read a key to keep it, as a file must: so keys that are made for it can be read
 */

/** @type {StoreName[]} */
export const STORES = ['seats', 'hosts', 'tables', 'games', 'memory', 'profiles'];

/** Another tab wrote in between. */
export class Conflict extends Error {}

/** @param {any} value @returns {any} a copy in which keys are the same keys */
function copy(value) {
  if (typeof value !== 'object' || value === null || value instanceof CryptoKey) return value;
  if (value instanceof Uint8Array) return value.slice();
  if (Array.isArray(value)) return value.map(copy);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each)]));
}

/** Storage that ends with the program: for programs in Node, and tests. @implements {Storage} */
export class MemoryStorage {
  constructor() {
    /** @type {Map<StoreName, Map<string, any>>} */
    this.stores = new Map(STORES.map((store) => [store, new Map()]));
    /** @type {Map<string, Uint8Array[]>} */
    this.logs = new Map();
  }

  /** @param {StoreName} store @returns {Map<string, any>} */
  store(store) {
    return /** @type {Map<string, any>} */ (this.stores.get(store));
  }

  /** @param {StoreName} store @param {string} key */
  async get(store, key) {
    return copy(this.store(store).get(key));
  }

  /** @param {StoreName} store */
  async all(store) {
    return [...this.store(store).values()].map(copy);
  }

  /** @param {Change[]} changes @throws {Conflict} */
  check(changes) {
    for (const { store, key, number } of changes) {
      if (number !== undefined && (this.store(store).get(key)?.number ?? 0) !== number) throw new Conflict();
    }
  }

  /** @param {Change[]} changes */
  async write(changes) {
    this.check(changes);
    for (const { store, key, value } of changes) {
      if (value === undefined) this.store(store).delete(key);
      else this.store(store).set(key, copy(value));
    }
  }

  /** @param {string} game */
  async lines(game) {
    return (this.logs.get(game) ?? []).slice();
  }

  /** @param {string} game @param {number} from @param {Uint8Array[]} lines */
  async putLines(game, from, lines) {
    this.logs.set(game, [...(this.logs.get(game) ?? []).slice(0, from), ...lines.map((line) => line.slice())]);
  }

  /** @returns {Promise<boolean | null>} */
  async persist() {
    return null;
  }

  close() {}
}
