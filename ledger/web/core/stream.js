/**
 * Server-sent events (HTML Living Standard, 9.2), as far as this protocol has them, read with `fetch`.
 * Input is bounded: a server that never ends an event is disconnected.
 * @module
 */

import { fromUtf8 } from '../../../verifier/web/bytes.js';
import { Away, say } from './errors.js';

/** @typedef {{name: string, data: Uint8Array, id: string}} StreamEvent a comment, which says that all is well, has no name */

/** Bytes of an event: a line, or a checkpoint with all its signatures. */
const MAX_EVENT = 300_000;
const LF = 0x0a;
const EMPTY = new Uint8Array(0);

/** @param {Uint8Array[]} parts @returns {Uint8Array} */
function joined(parts) {
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Parses the events of bytes that come in pieces. */
export class EventParser {
  constructor() {
    /** @type {Uint8Array[]} of the line that has not ended */
    this.parts = [];
    this.length = 0;
    this.name = '';
    this.id = '';
    /** @type {Uint8Array | null} */
    this.data = null;
  }

  /** @param {Uint8Array} chunk @returns {StreamEvent[]} that it ends @throws {Away} */
  feed(chunk) {
    /** @type {StreamEvent[]} */
    const events = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      this.parts.push(chunk.subarray(start, end));
      const event = this.line(joined(this.parts));
      if (event !== null) events.push(event);
      this.parts = [];
      this.length = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      this.parts.push(chunk.slice(start));
      this.length += chunk.length - start;
      if (this.length > MAX_EVENT) throw new Away(say('The server sent an event without end.'));
    }
    return events;
  }

  /** @param {Uint8Array} bytes of a line @returns {StreamEvent | null} */
  line(bytes) {
    const line = bytes[bytes.length - 1] === 0x0d ? bytes.subarray(0, -1) : bytes;
    if (line.length === 0) {
      const event = this.data === null ? null : { name: this.name || 'message', data: this.data, id: this.id };
      this.name = '';
      this.id = '';
      this.data = null;
      return event;
    }
    const colon = line.indexOf(0x3a);
    if (colon === 0) return { name: '', data: EMPTY, id: '' };
    const field = fromUtf8(colon < 0 ? line : line.subarray(0, colon)) ?? '';
    const rest = colon < 0 ? EMPTY : line.subarray(line[colon + 1] === 0x20 ? colon + 2 : colon + 1);
    if (field === 'event') this.name = fromUtf8(rest) ?? '';
    else if (field === 'id') this.id = fromUtf8(rest) ?? '';
    else if (field === 'data') {
      this.data = this.data === null ? rest.slice() : joined([this.data, Uint8Array.of(LF), rest]);
      if (this.data.length > MAX_EVENT) throw new Away(say('The server sent an event without end.'));
    }
    return null;
  }
}
