// node tests/web/run.mjs vectors            what verifier/web makes of specs/vectors, as JSON
// node tests/web/run.mjs logs FILE…         a line of JSON for each log: a report
// node tests/web/run.mjs packed FILE        the same for logs that stand in one file, each behind its length (u32, big-endian)
// node tests/web/run.mjs japanese          the Japanese of each message
// node tests/web/run.mjs explain FILE SEQ   one roll from commitment to dice, as JSON

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { verifyLog } from '../../verifier/web/index.js';
import { JAPANESE } from '../../verifier/web/words-ja.js';
import { Bench } from '../../verifier/web/worker.js';
import { runVectors, summary } from './vectors.js';

const VECTORS = new URL('../../specs/vectors/', import.meta.url);
const [how, ...files] = process.argv.slice(2);
const bytesOf = async (path) => new Uint8Array(await readFile(path));

if (how === 'vectors') {
  process.stdout.write(JSON.stringify(await runVectors((path) => bytesOf(fileURLToPath(new URL(path, VECTORS))))));
} else if (how === 'logs') {
  for (const file of files) console.log(JSON.stringify(summary(await verifyLog(await bytesOf(file)))));
} else if (how === 'packed') {
  const all = await bytesOf(files[0]);
  const view = new DataView(all.buffer, all.byteOffset);
  for (let at = 0; at < all.length;) {
    const length = view.getUint32(at);
    console.log(JSON.stringify(summary(await verifyLog(all.slice(at + 4, at + 4 + length)))));
    at += 4 + length;
  }
} else if (how === 'explain') {
  const bench = new Bench();
  await bench.check(files[0], await bytesOf(files[0]), {});
  process.stdout.write(JSON.stringify(bench.explain(Number(files[1]))));
} else if (how === 'japanese') {
  process.stdout.write(JSON.stringify(JAPANESE));
} else {
  process.exitCode = 2;
}
