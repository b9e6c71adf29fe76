// Node loads this first in every process that a test starts while a change is tried (NODE_OPTIONS): one module has
// another source than on disk.

import { readFileSync } from 'node:fs';
import { register } from 'node:module';

const file = process.env.ROLLPROOF_MUTANT_SCRIPT;
if (file) {
  const { url, source } = JSON.parse(readFileSync(file, 'utf8'));
  const hooks = `export const load = (asked, context, next) => (asked.split('?')[0] === ${JSON.stringify(url)}
    ? { format: 'module', source: ${JSON.stringify(source)}, shortCircuit: true } : next(asked, context));`;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
