/**
 * The links to an event: of a player with a claim code, of staff, of the wall, of a table's printed code
 * (specs/event.md, "At a server").
 * @module
 */

import { Refused, say } from './errors.js';
import { derived, fromBase64Url, keyFromSeed } from './signer.js';

/** @typedef {{address: string, event: string, code: string | null, wall: boolean, staff: boolean, offered: string | null, at: number | null, stream?: boolean}} EventLink `stream`: a screen of strangers; `offered`: a player's key that the desk is shown; `at`: the table whose printed code was scanned */

const LINK =
  /^(https?:\/\/[^\s#?]+?)\/e\/([0-9a-f]{64})(?:#(?:(staff)(?:\.(p[0-9]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44,60}))?|table\.([0-9]{1,4})|(wall\.)?([A-Za-z0-9_-]{43})))?$/;

/** @param {string} text @returns {EventLink} @throws {Refused} */
export function parseEventLink(text) {
  const found = text.length > 2_000 ? null : LINK.exec(text.replace(/#$/, '').trim());
  const [, address = '', event = '', staff, offered = null, at, wall, code = null] = found ?? [];
  if (!found || (code !== null && fromBase64Url(code) === null)) throw new Refused('malformed', say('This is no link to an event: copy it whole.'));
  return { address, event, code, wall: wall !== undefined, staff: staff !== undefined, offered, at: at === undefined ? null : Number(at) };
}

/** The key of a claim code, which signs a check-in. @param {string} code @returns {Promise<{publicKey: Uint8Array, sign: (message: Uint8Array) => Promise<string>}>} */
export async function claimKey(code) {
  return keyFromSeed(await derived(/** @type {Uint8Array} */ (fromBase64Url(code)), 'rollproof/v1/claim key\n'));
}
