/**
 * Showing one roll: its proof, made from this browser's log (specs/roll-proof.md), and a link with it; and what a
 * party signs, so that its server keeps the proof under a short link, or no longer.
 * @module
 */

import { toHex, utf8 } from '../../../verifier/web/bytes.js';
import { inclusionPath, leafHash } from '../../../verifier/web/hashes.js';
import { canonical } from '../../../verifier/web/json.js';
import { sha256 } from '../../../verifier/web/sha256.js';
import { Refused, say } from './errors.js';
import { signed } from './forms.js';
import { random } from './signer.js';

/** @typedef {import('../../../verifier/web/schema.js').Event} Event */
/** @typedef {import('./signer.js').Signer} Signer */
/** @typedef {{names: boolean, party: string, request: number, roll: string}} Published a roll that a server shows, as it tells it */

/**
 * @param {string[]} lines of a log @param {number} request @param {{size: number, note: string} | null} checkpoint @param {boolean} names shown
 * @returns {string} the file @throws {Refused} where there are no dice, or the keeper has not signed over them
 */
export function rollProof(lines, request, checkpoint, names) {
  if (checkpoint === null || checkpoint.size < request + 2) {
    throw new Refused('share', say('The keeper has not signed over these dice yet: try again in a moment.'));
  }
  const log = lines.slice(0, checkpoint.size);
  /** @type {Event[]} */
  const events = log.map((line) => JSON.parse(line));
  const dice = events[request + 1];
  if (dice.type !== 'reveal' || Object.hasOwn(events[request].body, 'sealed')) {
    throw new Refused('share', say('Event {seq} has no dice that everybody could see.', { seq: request }));
  }
  const joins = events.slice(0, request).filter(({ type }) => type === 'join');
  const named = [events[request].author, ...dice.body.openings.map((/** @type {{author: string}} */ each) => each.author)];
  const name = named.find((each) => joins.filter(({ author }) => author === each).length > 1);
  if (name !== undefined) {
    throw new Refused('share', say('{name} goes on under a new key, and only the whole log shows by whose word.', { name }));
  }
  const authors = new Set(dice.body.openings.map((/** @type {{author: string}} */ each) => each.author));
  /** @type {Map<string, number>} of each party the latest commit before the roll */
  const commits = new Map();
  const chosen = new Set([0, request, request + 1]);
  for (const { author, body, seq, type } of events) {
    if (type === 'commit' && seq < request && authors.has(author)) commits.set(author, seq);
    const ruled = type === 'ruling' && [request, request + 1].includes(body.subject);
    if (type === 'admit' || ruled || (type === 'strike' && body.roll === request)) chosen.add(seq);
  }
  for (const seq of commits.values()) chosen.add(seq);
  const leaves = log.map((line) => leafHash(utf8(line)));
  const shown = [...chosen].sort((a, b) => a - b).map((index) => ({ index, line: log[index], proof: inclusionPath(leaves, index).map(toHex) }));
  return `${canonical({ checkpoint: checkpoint.note, format: 'rollproof/roll/v1', lines: shown, names })}\n`;
}

/** @param {string} page where rolls are shown @param {string} proof @returns {Promise<string>} a link that has all of it behind `#` */
export async function rollLink(page, proof) {
  const stream = new Blob([proof]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `${page}#roll=${btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')}`;
}

/** @param {Signer} party @param {string} game @param {number} request @param {boolean} names shown @returns {Promise<string>} */
export const newPublish = (party, game, request, names) =>
  signed(party, 'publish', { format: 'rollproof/publish/v1', game, names, nonce: toHex(random(32)), party: party.name, request });

/** @param {Signer} party @param {string} game @param {string} roll the link's id @returns {Promise<string>} */
export const newRevoke = (party, game, roll) => signed(party, 'revoke', { format: 'rollproof/revoke/v1', game, party: party.name, roll });

/** @param {string} publish @returns {string} what stands in its link */
export const idOfPublished = (publish) => toHex(sha256(utf8(publish)).subarray(0, 16));
