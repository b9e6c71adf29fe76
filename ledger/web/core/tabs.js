/**
 * The tabs of one seat in this browser: one leads, follows the stream and tells the others (specs/page.md, "Two tabs").
 * @module
 */

import { utf8 } from '../../../verifier/web/bytes.js';
import { isObject } from '../../../verifier/web/json.js';
import { inTurn } from './turns.js';

/** @typedef {import('./stream.js').StreamEvent} StreamEvent */

const LINES = ['connecting', 'live', 'away'];

export class Tabs {
  /** @param {{channels: import('./turns.js').Channels, locks: import('./turns.js').Locks}} means */
  constructor({ channels, locks }) {
    this.channels = channels;
    this.locks = locks;
    /** Whether this tab leads. Without a seat each tab does. */
    this.leader = false;
    /** @type {import('./turns.js').Channel | null} */
    this.channel = null;
  }

  /** @param {string} name of the seat in its game @param {(message: any) => void} hear what the others tell, unchecked */
  open(name, hear) {
    this.channel = this.channels(`rollproof ${name}`, hear);
  }

  /** Works when no other tab of the seat leads. @param {string} name as in `open` @param {() => Promise<void>} work @param {AbortSignal} signal ends the waiting */
  inTurn(name, work, signal) {
    return inTurn(this.locks, `rollproof stream ${name}`, work, signal);
  }

  lead() {
    this.leader = true;
  }

  /** Tells the other tabs. @param {any} message */
  post(message) {
    this.channel?.post(message);
  }

  close() {
    this.channel?.close();
    this.channel = null;
  }
}

/** @param {any} message @returns {boolean} whether it has a form in which one tab tells another: one with another version of the page may have others */
export const isTold = (message) =>
  isObject(message) &&
  (message.name === '#trouble' ||
    message.name === '#hello' ||
    message.name === '#memory' ||
    (message.name === '#line' && LINES.includes(message.line)) ||
    (['line', 'checkpoint', 'opening', 'received', 'here'].includes(message.name) &&
      typeof message.id === 'string' &&
      message.data instanceof Uint8Array));

/** @param {string} name @param {string} text @returns {StreamEvent} as the stream would tell it */
export const streamEvent = (name, text) => ({ name, data: utf8(text), id: '' });
