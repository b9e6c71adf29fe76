/**
 * A server: a method for each path of specs/network.md. Answers are not verified here.
 * @module
 */

import { utf8 } from '../../../verifier/web/bytes.js';
import { isSeq, json, odd, Transport } from './transport.js';

/** @typedef {import('./transport.js').Answer} Answer */

const MAX_LINES_ANSWER = 1_024 * 65_536;

export class Connection extends Transport {
  // --- tables ------------------------------------------------------------------------------------------------------

  /** @returns {Promise<any>} */
  async server() {
    return json((await this.ask('GET', '/v1/server')).bytes);
  }

  /** @param {string} terms the line @returns {Promise<string>} the table's id, as the server tells it */
  async openTable(terms) {
    return json((await this.ask('POST', '/v1/tables', { body: utf8(terms) })).bytes).table;
  }

  /** @param {string} table @param {number} [patience] @returns {Promise<any>} the table as it stands, unchecked */
  async table(table, patience) {
    return json((await this.ask('GET', `/v1/tables/${table}`, { patience })).bytes);
  }

  /** @param {string} table @param {'seats' | 'admit' | 'unseat' | 'invites' | 'start' | 'close' | 'delete' | 'replace'} what @param {string} body @returns {Promise<any>} */
  async atTable(table, what, body) {
    const { bytes } = await this.ask('POST', `/v1/tables/${table}/${what}`, { body: utf8(body) });
    return what === 'start' || what === 'close' || what === 'admit' || what === 'replace' ? json(bytes) : null;
  }

  // --- games -------------------------------------------------------------------------------------------------------

  /** @param {string} game @param {string} body @returns {Promise<string>} a token */
  async access(game, body) {
    const { token } = json((await this.ask('POST', `/v1/games/${game}/access`, { body: utf8(body) })).bytes);
    if (!/^[0-9a-f]{64}$/.test(token)) throw odd();
    return token;
  }

  /** @param {string} game @param {number} from @param {number} [patience] @returns {Promise<{lines: Uint8Array[], size: number}>} */
  async lines(game, from, patience) {
    const { bytes, headers } = await this.ask('GET', `/v1/games/${game}/log?from=${from}`, { most: MAX_LINES_ANSWER, patience });
    const size = headers.get('Rollproof-Size') ?? '';
    if (!/^\d{1,15}$/.test(size)) throw odd();
    const lines = [];
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(0x0a, at);
      lines.push(bytes.slice(at, end < 0 ? bytes.length : end));
      at = end < 0 ? bytes.length : end + 1;
    }
    return { lines, size: Number(size) };
  }

  /** @param {string} game @param {number} [patience] @returns {Promise<Uint8Array>} the keeper's latest */
  async checkpoint(game, patience) {
    return (await this.ask('GET', `/v1/games/${game}/checkpoint`, { patience })).bytes;
  }

  /** Asked until there is an answer. @param {string} game @param {Uint8Array} line @returns {Promise<{checkpoint: string, seq: number}>} */
  async offer(game, line) {
    return this.taken(await this.ask('POST', `/v1/games/${game}/lines`, { body: line, patience: Infinity }));
  }

  /** @param {Answer} answer @returns {{checkpoint: string, seq: number}} */
  taken(answer) {
    const { checkpoint, seq } = json(answer.bytes);
    if (typeof checkpoint !== 'string' || !isSeq(seq)) throw odd();
    return { checkpoint, seq };
  }

  /** Asked until there is an answer. @param {string} game @param {string} opening as it travels @returns {Promise<any>} the keeper's receipt as an object, or null */
  async handIn(game, opening) {
    return json((await this.ask('POST', `/v1/games/${game}/openings`, { body: utf8(opening), patience: Infinity })).bytes).received ?? null;
  }

  /** @param {string} game @param {string} received as it travels */
  async acknowledge(game, received) {
    await this.ask('POST', `/v1/games/${game}/received`, { body: utf8(received), patience: 0 });
  }

  /** @param {string} game @param {Uint8Array} log from its first line on */
  async catchUp(game, log) {
    await this.ask('POST', `/v1/games/${game}/catch-up`, { body: log, type: 'application/jsonl' });
  }

  /** @param {string} game @param {string} publish @returns {Promise<string>} the link's id */
  async publish(game, publish) {
    return json((await this.ask('POST', `/v1/games/${game}/rolls`, { body: utf8(publish) })).bytes).roll;
  }

  /** @param {string} game @returns {Promise<import('./share.js').Published[]>} those that are shown: the server's word */
  async published(game) {
    const { rolls } = json((await this.ask('GET', `/v1/games/${game}/rolls`)).bytes);
    if (!Array.isArray(rolls)) throw odd();
    return rolls.filter((each) => typeof each?.party === 'string' && isSeq(each.request) && /^[0-9a-f]{32}$/.test(each.roll));
  }

  /** @param {string} roll @param {string} revoke */
  async revoke(roll, revoke) {
    await this.ask('POST', `/v1/rolls/${roll}/revoke`, { body: utf8(revoke) });
  }

  /** Advice: what has a path of its own, as JSON. @param {string} method @param {string} path @param {any} [body] @returns {Promise<any>} */
  async advice(method, path, body) {
    const sent = body === undefined ? {} : { body: utf8(JSON.stringify(body)) };
    return json((await this.ask(method, path, { ...sent, patience: 0 })).bytes);
  }
}
