// Sentences and details of events, as the page makes them: `node sentences.mjs SYSTEMS.json EVENTS.json [WORDS.js LANGUAGE]`.
// EVENTS has objects with `system`, `type`, `body`, `author`, `log` ({rolls, events}) and `people`; out comes an array in their order.
import { readFileSync, writeSync } from 'node:fs';

const page = '../../ledger/web/ui/';
const { knowSystems, systemOf } = await import(`${page}systems.js`);
const { eventWords, onOneLine } = await import(`${page}event-words.js`);
const { sentence } = await import(`${page}sentences.js`);
const { callPeople } = await import(`${page}words.js`);

const [, , systems, events] = process.argv;
knowSystems(JSON.parse(readFileSync(systems, 'utf8')));
const told = JSON.parse(readFileSync(events, 'utf8')).map(({ system, log = { rolls: [], events: [] }, people = [], ...event }) => {
  callPeople(people);
  const of = systemOf(system);
  const [button, inLog] = [1, 2].map((form) => sentence(of, event, log, form));
  return { button: button.text, log: inLog.text, left: button.left, whole: button.whole, details: onOneLine(eventWords(of, event)) };
});
const out = Buffer.from(JSON.stringify(told));
for (let at = 0; at < out.length; ) {
  try {
    at += writeSync(1, out, at);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
  }
}
