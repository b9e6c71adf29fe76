/**
 * What can go wrong, and the words for it. Nothing secret stands in an error.
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

/** Lines that are offered in the place of one that cannot be read, at most. */
const MOST_LINES = 4;

class WordsError extends Error {
  /** @param {Message} words */
  constructor(words) {
    super(render(words, 'en'));
    this.name = new.target.name;
    this.words = words;
  }
}

/** Somebody says no: the server, with a code of specs/network.md or of a finding, or this program itself. */
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
    /** Lines that would be read in the place of what was typed. @type {string[]} */
    this.lines = Array.isArray(lines) ? lines.filter((line) => typeof line === 'string').slice(0, MOST_LINES) : [];
    /** In the language that was asked for where the server said it, else in English; `words` has both. */
    this.detail = this.message;
  }
}

/** Another event came first, and what was wanted may not make sense any more. */
export class Changed extends WordsError {
  constructor() {
    super(say('Something else came first. Look at what has changed, and choose again.'));
  }
}

/** The seat signs and opens nothing more in this game. */
export class Stopped extends WordsError {}

/** What the server showed cannot be: nothing more is sent in this game. */
export class Cheated extends WordsError {
  /** @param {Message} words @param {File[]} [files] */
  constructor(words, files = []) {
    super(words);
    this.files = files;
  }
}

/** No answer came, or none of this protocol. */
export class Away extends WordsError {
  /** @param {Message} [words] */
  constructor(words = say('The server cannot be reached.')) {
    super(words);
  }
}

/** The browser's storage took or gave nothing: it is full, or closed. What it was about left nowhere, and is tried again. */
export class Unstored extends Away {
  /** @param {unknown} error what the browser said */
  constructor(error) {
    const { name, message } = /** @type {{name?: string, message?: string}} */ (error ?? {});
    super(
      say(
        'This browser did not keep what it must remember ({problem}). What was to be sent then was not sent. Make room on this device, or leave the private window; it is tried again by itself.',
        { problem: name || message || String(error) },
      ),
    );
  }
}
