/**
 * The seat of this browser at one table: its record in the storage, and whether the lobby shows it.
 * @module
 */

export class TableSeat {
  /** @param {import('./storage.js').Storage} storage @param {string} at its key there */
  constructor(storage, at) {
    this.storage = storage;
    this.at = at;
    /** @type {any} as it is stored; null: this browser has none here */
    this.record = null;
    /** The server has shown it. */
    this.sat = false;
    /** The server no longer shows it: the host has taken it away, or so the server says. */
    this.out = false;
  }

  /** Reads what is stored. */
  async load() {
    this.record = (await this.storage.get('seats', this.at)) ?? null;
  }

  /** Takes up what is stored. */
  async recall() {
    await this.load();
    this.sat = this.isPosted;
  }

  /** Stores a record; it is this table's seat when it is stored, and not before. @param {any} record */
  async store(record) {
    await this.storage.write([{ store: 'seats', key: this.at, value: record }]);
    this.record = record;
  }

  /** Stores another seat, which the server has not shown. @param {any} record */
  async begin(record) {
    await this.store(record);
    this.sat = false;
    this.out = false;
  }

  /** Removes the record of a seat that the server refused. */
  async remove() {
    this.record = null;
    await this.storage.write([{ store: 'seats', key: this.at, value: undefined }]);
  }

  /** Makes room for another seat, which is stored over this one. */
  setAside() {
    this.record = null;
  }

  /** Whether the server has taken it, and it was not moved away. */
  get isPosted() {
    return this.record?.posted === true && this.record.left !== true;
  }

  /** A lobby is followed now: a seat that the server took before stands in it, or was taken away meanwhile, and is never shown. */
  expect() {
    this.sat ||= this.isPosted;
  }

  /** @param {import('./forms.js').Seat[]} seats that the lobby shows */
  lookAt(seats) {
    const sits = seats.some((each) => each.key === this.record?.key);
    this.sat ||= sits;
    this.out = this.sat && !sits;
  }
}
