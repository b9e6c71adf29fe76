/**
 * The fault of an error (specs/verification.md, "Fault").
 * @module
 */

import { fromHex, toHex } from './bytes.js';
import { leafHash, Tree } from './hashes.js';
import { checkEnd, lineAt, readEvent, signedMessage } from './lines.js';
import { Failure } from './findings.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('./findings.js').Message} Message */

/**
 * @typedef {object} Table whose keys count
 * @property {ReadonlyMap<string, import('./signatures.js').PublicKey>} byName
 * @property {ReadonlyMap<string, import('./signatures.js').PublicKey>} [joining] new keys that wait for their join
 * @property {string | null} keeper
 * @property {ReadonlySet<string>} checks who said in its join that its program knows the rules
 * @property {ReadonlyMap<number, ReadonlySet<string>>} roots that the keeper signed for more lines than hold, hex, by size
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
  const key = (event.type === 'join' && table.joining?.get(event.author)) || table.byName.get(event.author);
  if (key === undefined) return false;
  return key.verify(fromHex(event.sig), signedMessage(bytes.subarray(line.start, line.end), event));
}

/**
 * Whether a root that the keeper signed is that of the file's first lines, with this line among them.
 * @param {Uint8Array} bytes of the file @param {Line} line @param {Table} table @returns {boolean}
 */
function isInCheckpoint(bytes, line, { roots }) {
  const tree = new Tree();
  const most = Math.max(0, ...roots.keys());
  for (let each = lineAt(bytes, 0); each !== null && tree.size < most; each = lineAt(bytes, each.end + 1)) {
    try {
      checkEnd(each);
    } catch {
      return false;
    }
    tree.append(leafHash(bytes.subarray(each.start, each.end)));
    if (each.start >= line.start && roots.get(tree.size)?.has(toHex(tree.root(tree.size)))) return true;
  }
  return false;
}

/**
 * Whether the keeper signed an event or a checkpoint whose history has this line.
 * @param {Uint8Array} bytes of the file @param {Line} line @param {Table} table @returns {Promise<boolean>}
 */
export async function keeperSignedOver(bytes, line, table) {
  if (table.keeper === null) return false;
  if (isInCheckpoint(bytes, line, table)) return true;
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
  const signer = event !== null && signed ? event.author : null;
  const unseeing = failure.rulesAlone && signer !== null && !table.checks.has(signer);
  const author = unseeing ? null : signer;
  const opener = code === 'opening.index' || code === 'opening.link' ? failure.opener : null;
  /** @type {Message[]} */
  const more = unseeing ? [{ text: "{author} signed it; {author}'s program need not know the rules.", values: { author: signer } }] : [];
  let fault = opener ?? author ?? 'file';
  if (author === null || author !== table.keeper) {
    const keeper = /** @type {string} */ (table.keeper);
    if (await keeperSignedOver(bytes, line, table)) {
      fault = opener ?? author ?? keeper;
      const accepted = author !== null ? '{keeper}, the keeper, accepted it all the same.' : '{keeper}, the keeper, signed over it.';
      more.push({ text: unseeing ? '{keeper}, the keeper, knows them, and accepted it all the same.' : accepted, values: { keeper } });
    }
  }
  return { fault, message: more.length > 0 ? { all: [words, ...more] } : words };
}
