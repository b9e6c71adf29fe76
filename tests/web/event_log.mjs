// node tests/web/event_log.mjs    event logs, as JSON on standard input, are read as a phone reads them; what came of each, as JSON
import { readFileSync } from 'node:fs';

import { EventLog } from '../../ledger/web/core/event-log.js';
import { canonical } from '../../verifier/web/json.js';
import { leafHash } from '../../verifier/web/hashes.js';
import { toHex, utf8 } from '../../verifier/web/bytes.js';

const { logs, tables } = JSON.parse(readFileSync(0, 'utf8'));

async function read(lines) {
  const log = new EventLog(toHex(leafHash(utf8(lines[0]))));
  for (const line of lines) {
    try {
      await log.take(utf8(line));
    } catch (error) {
      return { log, size: log.size, code: error.code ?? String(error) };
    }
  }
  return { log, size: log.size, code: null };
}

const found = [];
let first = null;
for (const lines of logs) {
  const { log, size, code } = await read(lines);
  first ??= log;
  found.push({ size, code, root: size > 0 ? toHex(log.tree.root(size)) : null });
}
const zeros = tables.map(({ line, table }) => {
  const opening = first.openings.get(line);
  return canonical(first.eventZero(opening, opening.tables.get(table)));
});
process.stdout.write(JSON.stringify({ found, zeros }));
