// node tests/web/regexes.mjs    what takes text of strangers, with long hostile texts: milliseconds of the slowest, by function, as JSON

import { parseLink } from '../../ledger/web/core/links.js';
import { readFile } from '../../ledger/web/core/move.js';
import { parseCode } from '../../ledger/web/core/code.js';
import { partsOf } from '../../ledger/web/ui/scenes/line.js';
import { weaponOf } from '../../ledger/web/ui/scenes/weapons.js';
import { utf8 } from '../../verifier/web/bytes.js';
import { kindOf } from '../../verifier/web/attachments.js';
import { readCanonical, readPlain } from '../../verifier/web/json.js';
import { readNote } from '../../verifier/web/notes.js';
import { parsePolicy } from '../../verifier/web/policy.js';
import { isText, isTime } from '../../verifier/web/schema.js';
import { canonical } from '../../verifier/web/json.js';
import { shown } from '../../verifier/web/words.js';

const LONG = 50_000;
const PARTS = [
  '/',
  ' ',
  '\n',
  '\t',
  '.',
  '-',
  '"',
  '\\',
  '\\"',
  'a',
  '0',
  '9',
  '{',
  '[',
  ',',
  'é\u200d',
  '1\ufe0f\u20e3',
  '/t/',
  ' melee',
  ' a melee 1 2',
  'A: 1 ',
  'quorum ',
  '— a ',
  '+',
  'http://',
  '\ud800',
  '\u05d0',
  'a.',
  '|',
  ' | ',
  '4+ ',
];
const texts = PARTS.flatMap((part) => {
  const run = part.repeat(Math.ceil(LONG / part.length));
  return [run, `${run}\u0001`, `x${run}x`, `"${run}`, `http://a${run}b/t/${'0'.repeat(64)}#player.${'A'.repeat(43)}`];
});
const file = (server) =>
  utf8(
    canonical({ format: 'rollproof/page-seat/v1', iterations: 600_000, key: '00', memory: '00', name: 'bob', salt: '00'.repeat(16), server }) ?? '',
  );
const takes = {
  parseLink,
  parseCode,
  weaponOf,
  partsOf,
  isText,
  isTime,
  shown,
  readPlain,
  readCanonical,
  readNote: (text) => readNote(utf8(`${text}\n\n${text}\n`)),
  kindOf: (text) => kindOf(utf8(text), 'x'),
  parsePolicy: (text) => parsePolicy(utf8(`${text}\n`)),
  readFile: (text) => void readFile(file(text), 'x', 'http://elsewhere').catch(() => {}),
};
const slowest = {};
for (const [name, take] of Object.entries(takes)) {
  slowest[name] = 0;
  for (const text of texts) {
    const began = process.cpuUsage();
    try {
      take(text);
    } catch {
      /* refused, as it may be */
    }
    slowest[name] = Math.max(slowest[name], Math.round(process.cpuUsage(began).user / 1000));
  }
  if (process.argv.includes('--tell')) console.error(name, slowest[name]);
}
process.stdout.write(JSON.stringify(slowest));
process.exit(0);
