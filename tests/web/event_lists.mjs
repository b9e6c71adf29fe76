// node tests/web/event_lists.mjs    lists as JSON on standard input are read as the desk reads them; what came of each, as JSON
import { readFileSync } from 'node:fs';

import { csvText, readPairings, readPlayers, resultsText } from '../../ledger/web/core/event-lists.js';

const { players, pairings, names, taken, rows, round, results } = JSON.parse(readFileSync(0, 'utf8'));
const known = new Map(names);
process.stdout.write(
  JSON.stringify({
    players: players.map((text) => readPlayers(text, taken)),
    pairings: pairings.map((text) => readPairings(text, known)),
    text: csvText(['a', 'b'], rows),
    results: resultsText({ ...round, tables: new Map(round.tables.map((table) => [table.number, table])) }, results, known),
  }),
);
