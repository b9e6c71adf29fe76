// node tests/web/run.mjs vectors            what verifier/web makes of specs/vectors, as JSON
// node tests/web/run.mjs logs FILE…         a line of JSON for each log: a report
// node tests/web/run.mjs evidence FILE…     a line of JSON for each file of evidence: a report
// node tests/web/run.mjs packed FILE        the same for logs, events and bundles that stand in one file, each behind its length (u32, big-endian)
// node tests/web/run.mjs points            the code points that notes, names of keys and texts do not take, as JSON
// node tests/web/run.mjs beside FILE     what is said of the files beside a log: {log, game, keys, index, policy, files}, as JSON
// node tests/web/run.mjs mldsa FILE      the vectors of ML-DSA-44 where the platform takes these signatures: [key, signature, message], hex
// node tests/web/run.mjs alike PEOPLE    whom each looks like: [[name, called name or null], …] as JSON, here and there
// node tests/web/run.mjs explain FILE SEQ   one roll from commitment to dice, as JSON

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { markAlike } from '../../ledger/web/core/called.js';
import { verifyEvidence, verifyLog } from '../../verifier/web/index.js';
import { JAPANESE } from '../../verifier/web/words-ja.js';
import { Bench, judge } from '../../verifier/web/worker.js';
import { mldsa, runVectors, summary } from './vectors.js';

const VECTORS = new URL('../../specs/vectors/', import.meta.url);
const [how, ...files] = process.argv.slice(2);
const bytesOf = async (path) => new Uint8Array(await readFile(path));

if (how === 'vectors') {
  process.stdout.write(JSON.stringify(await runVectors((path) => bytesOf(fileURLToPath(new URL(path, VECTORS))))));
} else if (how === 'logs') {
  for (const file of files) console.log(JSON.stringify(summary(await verifyLog(await bytesOf(file)))));
} else if (how === 'evidence') {
  for (const file of files) console.log(JSON.stringify(summary(await verifyEvidence(await bytesOf(file)))));
} else if (how === 'packed') {
  const all = await bytesOf(files[0]);
  const view = new DataView(all.buffer, all.byteOffset);
  for (let at = 0; at < all.length; ) {
    const length = view.getUint32(at);
    console.log(JSON.stringify(summary(await judge('log.jsonl', all.slice(at + 4, at + 4 + length), {}))));
    at += 4 + length;
  }
} else if (how === 'explain') {
  const bench = new Bench();
  await bench.check(files[0], await bytesOf(files[0]), {});
  process.stdout.write(JSON.stringify(bench.explain(Number(files[1]))));
} else if (how === 'mldsa') {
  const taken = new Set(JSON.parse(await readFile(files[0], 'utf8')).map((each) => each.join()));
  const hex = (bytes) => Buffer.from(bytes).toString('hex');
  const { subtle } = globalThis.crypto;
  const [importKey, verify] = [subtle.importKey.bind(subtle), subtle.verify.bind(subtle)];
  subtle.importKey = async (format, key, algorithm, ...rest) => {
    if (algorithm !== 'ML-DSA-44') return importKey(format, key, algorithm, ...rest);
    if (format !== 'raw-public' || key.length !== 1312) throw new DOMException('', 'DataError');
    return { mldsa: hex(key) };
  };
  subtle.verify = async (algorithm, key, signature, message) =>
    algorithm === 'ML-DSA-44' ? taken.has([key.mldsa, hex(signature), hex(message)].join()) : verify(algorithm, key, signature, message);
  process.stdout.write(JSON.stringify(await mldsa((path) => bytesOf(fileURLToPath(new URL(path, VECTORS))))));
} else if (how === 'beside') {
  const { utf8 } = await import('../../verifier/web/bytes.js');
  const { judgeBeside } = await import('../../verifier/web/attachments.js');
  const { addWords, render } = await import('../../verifier/web/words.js');
  addWords('ja', JAPANESE);
  const told = [];
  for (const { log, policy = null, files: beside, ...known } of JSON.parse(await readFile(files[0], 'utf8'))) {
    const bytes = log === null ? new Uint8Array(0) : await bytesOf(log);
    const report = log === null ? null : await verifyLog(bytes);
    const given = beside.map(({ name, text }) => ({ name, bytes: utf8(text) }));
    const judged = await judgeBeside(given, known, { report, name: 'log.jsonl', bytes }, policy && utf8(policy));
    told.push(judged.map(({ verdict, words }) => ({ verdict, words: words.map((each) => render(each, 'en')) })));
  }
  process.stdout.write(JSON.stringify(told));
} else if (how === 'alike') {
  const people = JSON.parse(files[0]).map(([name, called]) => ({ name, called, alike: null }));
  markAlike(people);
  process.stdout.write(JSON.stringify(people.map(({ name, alike }) => [name, alike])));
} else if (how === 'points') {
  const { isKeyName, readNote } = await import('../../verifier/web/notes.js');
  const { isText } = await import('../../verifier/web/schema.js');
  const { shown } = await import('../../verifier/web/words.js');
  const { utf8 } = await import('../../verifier/web/bytes.js');
  const takes = {
    name: (character) => readNote(utf8(`text\n\n— a${character}b AAAAAAAAAAA=\n`)) !== null,
    text: (character) => readNote(utf8(`a${character}b\n\n— walt AAAAAAAAAAA=\n`)) !== null,
    key: (character) => isKeyName(`a${character}b`),
    unseen: (characters) => isText(`é${characters[0]}`) && [...characters].every((character) => isText(`é${character}`)),
    ascii: (characters) => [...characters].every((character) => isText(`a${character}b`)),
    shown: (characters) => shown(characters).replace(/[\u2068\u2069]/g, '') === characters,
    ignorable: (characters) => !/\p{Default_Ignorable_Code_Point}/u.test(characters),
  };
  const refused = {};
  for (const [place, take] of Object.entries(takes)) {
    const runs = [];
    refused[place] = runs;
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue; // no characters
      if (code % 256 === 0 && take(String.fromCodePoint(...Array.from({ length: 256 }, (_, i) => code + i)))) code += 255;
      else if (take(String.fromCodePoint(code))) continue;
      else if (runs.at(-1)?.[1] === code - 1) runs.at(-1)[1] = code;
      else runs.push([code, code]);
    }
  }
  process.stdout.write(JSON.stringify({ ...refused, unicode: process.versions.unicode }));
} else {
  process.exitCode = 2;
}
