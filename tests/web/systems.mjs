// node tests/web/systems.mjs < systems.json    each member wrong in every way: what is refused, and what is done with what is not
// Told in the end: {"tried", "taken", "problems"}, as JSON.

import { readdirSync, readFileSync } from 'node:fs';

import { eventWords, onOneLine } from '../../ledger/web/ui/event-words.js';
import { sentence } from '../../ledger/web/ui/sentences.js';
import { knowSystems, systemOf, systems, systemsProblem } from '../../ledger/web/ui/systems.js';

const text = readFileSync(0, 'utf8');
const good = JSON.parse(text);
const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
const deepValue = JSON.parse(`${'{"kind":"array","least":0,"most":null,"items":'.repeat(10_000)}{"kind":"any"}${'}'.repeat(10_000)}`);
const WRONG = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  'x',
  '',
  'constructor',
  '__proto__',
  'x'.repeat(65_536),
  '('.repeat(50),
  [],
  [null],
  [[]],
  {},
  ['x', 'x', 'x'],
  { text: '{#x} {~x} {@x} {x:+d}', when: '((' },
  '{#dice} {~dice} {@dice} {dice:+d}',
  '=',
  '!a=b>c',
  { kind: 'constructor' },
  { kind: 'object', object: 'constructor' },
  JSON.parse('{"__proto__":{"en":"x"}}'),
  deep,
  deepValue,
];
const NAMES = ['constructor', '__proto__', 'toString', '', 'x'.repeat(65_536)];

/** Where something stands, without the names that any may have. */
const shapeOf = (path, value) =>
  path
    .map((step, i) =>
      typeof step === 'number' ? '#' : ['events', 'objects', 'systems', 'sentences', 'references', 'roles'].includes(path[i - 1]) ? '*' : step,
    )
    .join('/') + (value?.kind ?? typeof value);

/** @returns {Map<string, (string | number)[][]>} of each shape some places */
function places(value, path = [], found = new Map()) {
  const shape = shapeOf(path, value);
  const some = found.get(shape) ?? [];
  if (some.length < 1) found.set(shape, [...some, path]);
  if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) places(each, [...path, Array.isArray(value) ? Number(name) : name], found);
  }
  return found;
}

/** @param {(holder: any, step: string | number) => void} change @returns {any} a copy with one place changed: what is not changed is the same */
function changed(value, [step, ...rest], change) {
  const copy = Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value));
  if (rest.length === 0) change(copy, step);
  else copy[step] = changed(value[step], rest, change);
  return copy;
}

/** Of each system an event of each kind, from the logs of the vectors. @type {Map<string, [string, any]>} */
const events = new Map(
  ['logs', 'systems'].flatMap((folder) => {
    const at = new URL(`../../specs/vectors/${folder}/`, import.meta.url);
    return readdirSync(at)
      .filter((file) => /holds\S*\.jsonl$/.test(file))
      .flatMap((file) => {
        const lines = readFileSync(new URL(file, at), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        return lines.map((event) => [
          `${lines[0].body.system} ${event.type} ${event.body.what ?? event.body.for ?? ''}`,
          [lines[0].body.system, event],
        ]);
      });
  }),
);

const log = { rolls: [], events: [...events.values()].map(([, event]) => event) };

/** What a page does with what it takes. @throws whatever goes wrong */
function used(value) {
  knowSystems(value);
  for (const each of systems()) if (typeof each.title !== 'string') throw new Error('a title that is no text');
  for (const [id, event] of events.values()) {
    const line = [onOneLine(eventWords(systemOf(id), event)), ...[1, 2].map((form) => sentence(systemOf(id), event, log, form).text)].join('\n');
    if (typeof line !== 'string' || line.includes('undefined') || line.includes('[object')) throw new Error(`${event.type}: ${line.slice(0, 200)}`);
  }
}

const problems = [];
let tried = 0;
let taken = 0;
async function take(about, value) {
  tried++;
  try {
    if (systemsProblem(value) !== null) return;
    taken++;
    used(value);
  } catch (error) {
    problems.push(`${about}: ${String(error.stack).slice(0, 400)}`);
  }
}

used(good);
for (const value of WRONG) await take('the whole', value);
for (const [shape, [path]] of [...places(good)].flatMap(([shape, some]) => some.map((each) => [shape, [each]]))) {
  if (path.length === 0) continue;
  for (const value of WRONG)
    await take(
      `${shape} = wrong ${WRONG.indexOf(value)}`,
      changed(good, path, (holder, step) => {
        holder[step] = value;
      }),
    );
  await take(
    `${shape} missing`,
    changed(good, path, (holder, step) => {
      if (Array.isArray(holder)) holder.splice(Number(step), 1);
      else delete holder[step];
    }),
  );
  for (const name of NAMES) {
    await take(
      `${shape} called ${name.slice(0, 20)}`,
      changed(good, path, (holder, step) =>
        Object.defineProperty(holder, name, { value: holder[step], enumerable: true, configurable: true, writable: true }),
      ),
    );
  }
}
process.stdout.write(JSON.stringify({ tried, taken, events: events.size, problems: problems.slice(0, 20) }));
