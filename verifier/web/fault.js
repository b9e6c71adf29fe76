/**
 * Whose fault it is (specs/verification.md, "Fault").
 * @module
 */

import { fromHex, toHex } from './bytes.js';
import { leafHash } from './hashes.js';
import { checkEnd, lineAt, readEvent, signedMessage } from './lines.js';
import { Failure } from './findings.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('./findings.js').Message} Message */

/**
 * @typedef {object} Table whose keys count
 * @property {ReadonlyMap<string, import('./signatures.js').PublicKey>} byName
 * @property {string | null} keeper
 */

/** @param {Uint8Array} bytes @param {Line} line @returns {Event | null} null where it is not canonical, or no event */
function decode(bytes, line) {
  try {
    return readEvent(bytes.subarray(line.start, line.end));
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/**
 * @param {Uint8Array} bytes @param {Line} line @param {Event} event @param {Table} table
 * @returns {Promise<boolean>} whether its author is a party, and signed it
 */
async function isSigned(bytes, line, event, table) {
  const key = table.byName.get(event.author);
  return key !== undefined && key.verify(fromHex(event.sig), signedMessage(bytes.subarray(line.start, line.end), event));
}

/**
 * Rule 4: a later event by the keeper leads back to this line.
 * @param {Uint8Array} bytes of the file @param {Line} line @param {Table} table @returns {Promise<boolean>}
 */
async function keeperSignedOver(bytes, line, table) {
  if (table.keeper === null) return false;
  let before = line;
  for (let next = lineAt(bytes, line.end + 1); next !== null; next = lineAt(bytes, next.end + 1)) {
    try {
      checkEnd(next);
    } catch {
      return false;
    }
    const event = decode(bytes, next);
    if (event === null) return false;
    if (event.prev !== toHex(leafHash(bytes.subarray(before.start, before.end)))) return false;
    if (event.author === table.keeper && (await isSigned(bytes, next, event, table))) return true;
    before = next;
  }
  return false;
}

/**
 * @param {Uint8Array} bytes of the file @param {Line} line that failed @param {Failure} failure @param {Table} table
 * @returns {Promise<{fault: string, message: Message}>} the message with what the keeper did
 */
export async function findFault(bytes, line, failure, table) {
  const { step, code, words } = failure;
  if (step <= 4 || step === 7 || code.startsWith('expect.')) return { fault: 'file', message: words };
  const event = decode(bytes, line);
  const signed = event !== null && (await isSigned(bytes, line, event, table));
  const author = event !== null && signed ? event.author : null;
  const opener = code === 'opening.index' || code === 'opening.link' ? failure.opener : null;
  if (author === null || author !== table.keeper) {
    const over = await keeperSignedOver(bytes, line, table);
    const keeper = /** @type {string} */ (table.keeper);
    if (over && author === null) {
      const more = { text: '{keeper}, the keeper, signed over it.', values: { keeper } };
      return { fault: opener ?? keeper, message: { all: [words, more] } };
    }
    if (over) {
      const more = { text: '{keeper}, the keeper, accepted it all the same.', values: { keeper } };
      return { fault: opener ?? /** @type {string} */ (author), message: { all: [words, more] } };
    }
  }
  return { fault: opener ?? author ?? 'file', message: words };
}
