/**
 * The public witnesses' cosignatures of an event (specs/event.md, "At a server"). The server names them; here it is
 * checked
 * that keeper and witness signed, and that what they signed are the lines that are here.
 * @module
 */

import { toHex, utf8 } from '../../../verifier/web/bytes.js';
import { isCosignedBy, isSignedBy, readCheckpoint, readNote } from '../../../verifier/web/notes.js';
import { readCosignerKey } from '../../../verifier/web/policy.js';
import { PublicKey } from '../../../verifier/web/signatures.js';
import { tableCode } from './code.js';
import { Away, Refused, say } from './errors.js';
import { json } from './transport.js';

/** Milliseconds between two requests for cosignatures. */
const LOOK = 5_000;

/** @typedef {{name: string, size: number}} Witnessed how many of the lines that are here a witness has cosigned */

/** @param {import('../../../verifier/web/event/log.js').EventLog} log @returns {string} the event's code, of the lines that are here */
export const eventCode = (log) => tableCode(log.id, log.size, toHex(log.tree.root(log.size)));

/**
 * @param {import('../../../verifier/web/event/log.js').EventLog} log @param {{key: string, note: string | null}} given
 * @returns {Promise<{found: Witnessed, forked: boolean}>} forked: the keeper signed other lines than those that are here
 */
async function judge(log, { key, note: text }) {
  const witness = readCosignerKey(key);
  if (witness === null) return { found: { name: '?', size: 0 }, forked: false };
  const found = { name: witness.name, size: 0 };
  const note = text === null ? null : readNote(utf8(text));
  const head = note === null ? null : readCheckpoint(note);
  if (note === null || head === null || head.game !== log.id || head.size > log.size) return { found, forked: false };
  if (!(await isSignedBy(note, log.keeper, await PublicKey.from(log.keeperKey)))) return { found, forked: false };
  if (toHex(head.root) !== toHex(log.tree.root(head.size))) return { found, forked: true };
  return { found: { ...found, size: (await isCosignedBy(note, witness)) ? head.size : 0 }, forked: false };
}

/**
 * @param {import('./event.js').EventHere} event
 * @returns {Promise<{witnesses: Witnessed[], forked: Uint8Array | null}>} of each witness that the server asks; `forked`: a checkpoint of other lines than those that are here
 */
async function witnessed(event) {
  const { cosigned } = json((await event.connection.ask('GET', `/v1/events/${event.id}/cosigned`, { patience: 0 })).bytes);
  const witnesses = [];
  for (const given of cosigned) {
    const { found, forked } = await judge(event.log, given);
    if (forked) return { witnesses, forked: utf8(given.note) };
    witnesses.push(found);
  }
  return { witnesses, forked: null };
}

/** Looks again and again at what witnesses have cosigned, and compares it with the lines that are here. @param {import('./event.js').EventHere} event */
export async function watchWitnesses(event) {
  while (!event.stop.signal.aborted && !event.cheated) {
    try {
      if (event.log.size > 0) {
        const { witnesses, forked } = await witnessed(event);
        if (forked !== null) {
          event.cheats(
            [forked],
            say(
              'The server has signed another history of this event than the one that is here. Nothing more is signed on it: tell the organizer, and save what shows it.',
            ),
          );
          return;
        }
        event.witnesses = witnesses;
        event.changed();
      }
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
    }
    await event.connection.sleep(LOOK);
  }
}
