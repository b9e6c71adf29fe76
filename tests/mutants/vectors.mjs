// node tests/mutants/vectors.mjs FILE    what verifier/web makes of the vectors, piece by piece, against what stands in FILE
// The first piece that comes out otherwise is printed. Where there is no FILE it is written, from what comes out.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { KINDS } from '../web/vectors.js';

const VECTORS = new URL('../../specs/vectors/', import.meta.url);
const AT_ONCE = 12; // logs

const [file] = process.argv.slice(2);
const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
const bytesOf = async (path) => new Uint8Array(readFileSync(new URL(path, VECTORS)));
const index = JSON.parse(readFileSync(new URL('logs/index.json', VECTORS), 'utf8'));
const { logs, ...kinds } = KINDS;
const pieces = Object.entries(kinds)
  .reverse()
  .map(([kind, made]) => [kind, () => made(bytesOf)]);
for (let at = 0; at < index.length; at += AT_ONCE) {
  const these = new TextEncoder().encode(JSON.stringify(index.slice(at, at + AT_ONCE)));
  pieces.push([`logs from ${at}`, () => logs(async (path) => (path === 'logs/index.json' ? these : bytesOf(path)))]);
}

const made = {};
for (const [name, make] of pieces) {
  made[name] = JSON.stringify(await make());
  if (known && known[name] !== made[name]) {
    console.log(name);
    process.exit(0);
  }
}
if (!known) writeFileSync(file, JSON.stringify(made));
