/**
 * What the owner of a seat is warned of in one game, until it is read (specs/page.md, "What it does by itself, and what it
 * asks for").
 * @module
 */

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./errors.js').Message} Message */
/** @typedef {{id: string, message: Message, files: File[]}} Warning */

/** The warnings that automatic work was refused, that a clock is wrong, and that something was not stored. */
export const BY_ITSELF = 'by itself';
export const CLOCK = 'clock';
export const UNSTORED = 'unstored';

/** What passes and comes again: it is said each time. */
const AGAIN = new Set([BY_ITSELF, CLOCK, UNSTORED]);

export class Warnings {
  /** @param {import('./lifetime.js').Lifetime} life */
  constructor(life) {
    this.life = life;
    /** @type {Map<string, Warning>} until they are read */
    this.unread = new Map();
    /** @type {Set<string>} */
    this.read = new Set();
  }

  /** @returns {Warning[]} */
  get all() {
    return [...this.unread.values()];
  }

  /** Warns, unless that is said already or was read. @param {string} id @param {Message} message @param {File[]} [files] */
  add(id, message, files = []) {
    if (this.unread.has(id) || this.read.has(id)) return;
    this.unread.set(id, { id, message, files });
    this.life.changed();
  }

  /** Takes back what is no longer so. @param {string} id */
  remove(id) {
    this.unread.delete(id);
  }

  /** @param {string[]} ids of those that were read */
  markRead(ids) {
    for (const id of ids) if (this.unread.delete(id) && !AGAIN.has(id)) this.read.add(id);
  }
}
