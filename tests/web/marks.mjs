// node tests/web/marks.mjs FILE…   takes each line of these logs on trial, and takes it back: a line of JSON for each log, with the first event
//                                  behind which the state is another than before, and what differs, or null

import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';

import { Failure } from '../../verifier/web/findings.js';
import { Steps } from '../../verifier/web/steps.js';

const whole = { depth: Number.POSITIVE_INFINITY, maxArrayLength: null, maxStringLength: null, compact: false };
const state = ({ game, before, tree }) => inspect({ game, before, size: tree.size }, whole);

/** @param {Steps} steps @param {Uint8Array} line @returns {boolean} whether it was taken */
function tried(steps, line) {
  try {
    steps.take(line);
    return true;
  } catch (failure) {
    if (failure instanceof Failure) return false;
    throw failure;
  }
}

/** @param {Uint8Array[]} lines @returns {Promise<string | null>} */
async function changed(lines) {
  const steps = new Steps();
  await steps.take(lines[0]);
  for (const [seq, line] of lines.entries()) {
    if (seq === 0) continue;
    const before = state(steps);
    const back = steps.mark();
    const taken = tried(steps, line);
    back();
    const after = state(steps);
    if (after !== before) {
      const [was, is] = [before.split('\n'), after.split('\n')];
      return `${seq}: ${is.find((each, i) => each !== was[i])}`;
    }
    if (!taken) return null;
    steps.take(line);
    await Promise.all(steps.demands().map((each) => each.holds));
  }
  return null;
}

for (const file of process.argv.slice(2)) {
  const text = await readFile(file);
  const lines = [];
  for (let at = 0, end = text.indexOf(10); end >= 0; at = end + 1, end = text.indexOf(10, at)) lines.push(new Uint8Array(text.subarray(at, end)));
  console.log(JSON.stringify([file, await changed(lines)]));
}
