// node tests/web/speed.mjs LOG [TIMES]   verifying a log beside the bare WebCrypto checks of its signatures, in turns

import { readFile } from 'node:fs/promises';

import { fromHex, utf8 } from '../../verifier/web/bytes.js';
import { openingMessage } from '../../verifier/web/dice.js';
import { leafHash } from '../../verifier/web/hashes.js';
import { readVerifierKey } from '../../verifier/web/identities.js';
import { verifyLog } from '../../verifier/web/index.js';
import { signedMessage } from '../../verifier/web/lines.js';

const [path, times = '5'] = process.argv.slice(2);
const bytes = new Uint8Array(await readFile(path));
const { subtle } = globalThis.crypto;

/** Every signature of the log, made ready: what is timed is `subtle.verify` alone. */
async function signaturesOf(log) {
  const lines = new TextDecoder().decode(log).trimEnd().split('\n').map((text) => ({ bytes: utf8(text), event: JSON.parse(text) }));
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

/** Wall time, and processor time, which says more where others work on the machine. */
const timed = async (work) => {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, processor: (user + system) / 1000 };
};
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)].toFixed(2);

const all = await signaturesOf(bytes);
const ratios = [];
for (let i = 0; i < Number(times); i++) {
  const bare = await timed(async () => {
    for (let at = 0; at < all.length; at += 1024) {
      await Promise.all(all.slice(at, at + 1024).map(([key, sig, message]) => subtle.verify('Ed25519', key, sig, message)));
    }
  });
  const whole = await timed(async () => {
    const report = await verifyLog(bytes);
    if (report.verdict !== 'holds') throw new Error(JSON.stringify(report.findings));
  });
  ratios.push([whole.wall / bare.wall, whole.processor / bare.processor]);
  console.log(`${all.length} signatures: ${Math.round(bare.wall)} ms bare (${Math.round(bare.processor)} of processor), `
    + `${Math.round(whole.wall)} ms verified (${Math.round(whole.processor)})`);
}
console.log(`median ratio: ${median(ratios.map(([wall]) => wall))}, of processor time ${median(ratios.map(([, time]) => time))}`);
