// node tests/web/event_phone.mjs    logs of tables as JSON on standard input; for each whether p1 comes back by itself, and which judge signed p1 away
import { readFileSync } from 'node:fs';

import { comesBack, judgeAway } from '../../ledger/web/core/lost.js';
import { utf8 } from '../../verifier/web/bytes.js';
import { verifyLog } from '../../verifier/web/index.js';

const found = [];
for (const log of JSON.parse(readFileSync(0, 'utf8'))) {
  const { state } = await verifyLog(utf8(log));
  found.push([comesBack(state, state.place('p1')), judgeAway(state, 'p1')]);
}
process.stdout.write(JSON.stringify(found));
