// Node loads this first in every process that a test starts while tests are recorded (NODE_OPTIONS): which lines of
// verifier/web and ledger/web ran during which test is written beside the file that names the test.

import { appendFileSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

const folder = process.env.ROLLPROOF_RECORDED;
const EVERY = 50;

if (folder) {
  const session = new Session();
  session.connect();
  const post = (how, what) => {
    let told;
    session.post(how, what, (_error, result) => {
      told = result;
    });
    return told;
  };
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const named = () => readFileSync(`${folder}/now`, 'utf8');
  let on = named();
  const take = () => {
    const lines = {};
    for (const { url, functions } of post('Profiler.takePreciseCoverage').result) {
      if (/\/(verifier|ledger)\/web\//.test(url)) lines[fileURLToPath(url)] = ran(readFileSync(fileURLToPath(url), 'utf8'), functions);
    }
    if (Object.keys(lines).length > 0) appendFileSync(`${folder}/node-${process.pid}`, `${JSON.stringify([on, lines])}\n`);
    on = named();
  };
  setInterval(() => {
    if (named() !== on) take();
  }, EVERY).unref();
  process.on('exit', take);
}

/** The numbers of the lines that ran. */
function ran(text, functions) {
  const counts = new Int32Array(text.length).fill(-1);
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges) counts.fill(count, startOffset, endOffset);
  }
  const found = [];
  let at = 0;
  for (const [number, line] of text.split('\n').entries()) {
    if (counts[at + line.length - line.trimStart().length] > 0) found.push(number + 1);
    at += line.length + 1;
  }
  return found;
}
