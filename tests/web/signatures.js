/**
 * The signatures of a log by themselves, for Node and for Chromium: what verifying it is compared with.
 * @module
 */

import { fromHex, utf8 } from '../../verifier/web/bytes.js';
import { openingMessage } from '../../verifier/web/dice.js';
import { leafHash } from '../../verifier/web/hashes.js';
import { readVerifierKey } from '../../verifier/web/identities.js';
import { signedMessage } from '../../verifier/web/lines.js';

const { subtle } = globalThis.crypto;

/** Every signature of the log, made ready: what is timed is `subtle.verify` alone. */
export async function signaturesOf(log) {
  const lines = new TextDecoder()
    .decode(log)
    .trimEnd()
    .split('\n')
    .map((text) => ({ bytes: utf8(text), event: JSON.parse(text) }));
  const game = await leafHash(lines[0].bytes);
  const keys = new Map();
  for (const { key } of lines[0].event.body.parties) {
    const { name, publicKey } = await readVerifierKey(key);
    keys.set(name, await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']));
  }
  const all = [];
  for (const { bytes: line, event } of lines) {
    all.push([keys.get(event.author), fromHex(event.sig), signedMessage(line, event)]);
    for (const { author, index, link, sig } of event.type === 'reveal' ? event.body.openings : []) {
      all.push([keys.get(author), fromHex(sig), openingMessage(game, fromHex(event.prev), author, index, fromHex(link))]);
    }
  }
  return all;
}

/** Checks them, some at once. @param {[CryptoKey, Uint8Array, Uint8Array][]} all */
export async function checkAll(all) {
  for (let at = 0; at < all.length; at += 1024) {
    await Promise.all(all.slice(at, at + 1024).map(([key, sig, message]) => subtle.verify('Ed25519', key, sig, message)));
  }
}
