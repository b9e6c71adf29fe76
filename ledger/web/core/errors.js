/**
 * The errors, and their words. An error contains nothing secret.
 * @module
 */

import { render } from '../../../verifier/web/words.js';

/** @typedef {import('../../../verifier/web/findings.js').Message} Message */
/** @typedef {{name: string, bytes: Uint8Array}} File to save */

/**
 * Words for people: a template that stands for the message, and its values.
 * @param {string} text @param {{[name: string]: import('../../../verifier/web/findings.js').Value}} [values] @returns {Message}
 */
export const say = (text, values = {}) => ({ text, values });

/** The most lines that are offered instead of one that cannot be read. */
const MOST_LINES = 4;

class WordsError extends Error {
  /** @param {Message} words */
  constructor(words) {
    super(render(words, 'en'));
    this.name = new.target.name;
    this.words = words;
  }
}

/** A refusal: by the server, with a code of specs/network.md or of a finding, or by this program itself. */
export class Refused extends WordsError {
  /**
   * @param {string} code @param {Message} words
   * @param {{status?: number, clause?: string | null, size?: number | null, lines?: unknown}} [more] `status` 0: this program itself
   */
  constructor(code, words, { status = 0, clause = null, size = null, lines = [] } = {}) {
    super(words);
    this.code = code;
    this.status = status;
    this.clause = clause;
    this.size = size;
    /** Lines that can be read instead of the typed one. @type {string[]} */
    this.lines = Array.isArray(lines) ? lines.filter((line) => typeof line === 'string').slice(0, MOST_LINES) : [];
    /** The server's words in the requested language, else English; `words` has both. */
    this.detail = this.message;
  }
}

/** Another event came first, and this one may no longer make sense. */
export class Changed extends WordsError {
  constructor() {
    super(say('Something else came first. Look at what has changed, and choose again.'));
  }
}

/** The seat signs and opens nothing more in this game. */
export class Stopped extends WordsError {}

/** The server cheated: nothing more is sent in this game. */
export class Cheated extends WordsError {
  /** @param {Message} words @param {File[]} [files] */
  constructor(words, files = []) {
    super(words);
    this.files = files;
  }
}

/** There was no answer, or none of this protocol. */
export class Away extends WordsError {
  /** @param {Message} [words] */
  constructor(words = say('The server cannot be reached.')) {
    super(words);
  }
}

/** The browser's storage failed: it is full, or closed. Nothing was sent, and the work is tried again. */
export class Unstored extends Away {
  /** @param {unknown} error what the browser said */
  constructor(error) {
    const { name, message } = /** @type {{name?: string, message?: string}} */ (error ?? {});
    super(
      say(
        'This browser could not save what it must remember ({problem}), so it did not send what came after. Make room on this device, or leave the private window. The browser tries again by itself.',
        { problem: name || message || String(error) },
      ),
    );
  }
}
