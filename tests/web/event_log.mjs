// node tests/web/event_log.mjs    an event log, as JSON on standard input; event 0 of each table that is asked for, as JSON
import { readFileSync } from 'node:fs';

import { utf8 } from '../../verifier/web/bytes.js';
import { EventLog } from '../../verifier/web/event/log.js';
import { eventZero } from '../../verifier/web/event/tables.js';
import { canonical } from '../../verifier/web/json.js';

const { lines, tables } = JSON.parse(readFileSync(0, 'utf8'));
const log = new EventLog();
for (const line of lines) await log.take(utf8(line));
const zeros = tables.map(({ line, table }) => {
  const opening = log.openings.get(line);
  return canonical(eventZero(log, opening, opening.tables.get(table)));
});
process.stdout.write(JSON.stringify(zeros));
