// node tests/web/speed.mjs LOG [TIMES]   verifying a log beside the bare WebCrypto checks of its signatures, in turns

import { readFile } from 'node:fs/promises';

import { verifyLog } from '../../verifier/web/index.js';
import { checkAll, signaturesOf } from './signatures.js';

const [path, times = '5'] = process.argv.slice(2);
const bytes = new Uint8Array(await readFile(path));

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
  const bare = await timed(() => checkAll(all));
  const whole = await timed(async () => {
    const report = await verifyLog(bytes);
    if (report.verdict !== 'holds') throw new Error(JSON.stringify(report.findings));
  });
  ratios.push([whole.wall / bare.wall, whole.processor / bare.processor]);
  console.log(
    `${all.length} signatures: ${Math.round(bare.wall)} ms bare (${Math.round(bare.processor)} of processor), ` +
      `${Math.round(whole.wall)} ms verified (${Math.round(whole.processor)})`,
  );
}
console.log(`median ratio: ${median(ratios.map(([wall]) => wall))}, of processor time ${median(ratios.map(([, time]) => time))}`);
