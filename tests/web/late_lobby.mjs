// node tests/web/late_lobby.mjs    which paths a browser asks for at a table where somebody who plays is missing: at an event's
// table, whose terms are of the event's log, and at one with a lobby

import { LateLobby } from '../../ledger/web/core/late-lobby.js';
import { TableLobby } from '../../ledger/web/core/table-lobby.js';

const place = (name) => ({ party: { name, role: 'player', verifierKey: `key of ${name}` }, joined: true, left: false, away: false });
const game = { phase: 'idle', places: new Map(['alice', 'bob'].map((name) => [name, place(name)])) };
const play = { game, inbox: { here: ['alice'] } };

async function asked(learn) {
  const found = [];
  const status = new AbortController();
  const seat = { record: { name: 'alice', key: 'key of alice' }, expect() {} };
  const connection = {
    times: { missing: 0 },
    sleep: async () => {},
    pause: () => 0,
    stream(path) {
      found.push(path);
      status.abort();
      return [];
    },
  };
  const lobby = new TableLobby({ link: { table: 'T' }, connection, seat });
  learn(lobby);
  await new LateLobby({ connection, status, seat, lobby, game: { isOn: true, play }, entry: { isHost: false } }).follow();
  return found;
}

const event = await asked((lobby) => lobby.know({ admits: ['judge'] }));
const served = await asked((lobby) => {
  lobby.terms = { admits: [] };
  lobby.line = 'terms';
});
process.stdout.write(JSON.stringify({ event, served }));
