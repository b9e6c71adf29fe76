// node tests/web/event_changes.mjs LANGUAGE    a bundle on standard input; what was changed at its tables, a line each
import { readFileSync } from 'node:fs';

import { changeWords } from '../../verifier/web/changes.js';
import { verifyBundle } from '../../verifier/web/event/bundle.js';
import { addWords, render } from '../../verifier/web/words.js';

const language = process.argv[2];
for (const name of language === 'en' ? [] : [`words-${language}.js`, `words-${language}-event.js`]) {
  const [words] = Object.values(await import(`../../verifier/web/${name}`));
  addWords(language, words);
}
const { event } = await verifyBundle(new Uint8Array(readFileSync(0)));
for (const game of event.games) for (const change of game.changes ?? []) console.log(render(changeWords(change, game), language));
