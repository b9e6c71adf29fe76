/**
 * The meanings of the words on the screen, behind a “?”.
 * @module
 */

import { html, useState } from './html.js';
import { Dialog } from './parts.js';
import { mark, t } from './words.js';

/** A word, and its meaning for players. @type {[string, string][]} */
const WORDS = [
  [mark('table'), mark('One game with the people who sit at it. Its link opens it.')],
  [mark('link'), mark('An address with a secret in it. Anybody who has it can sit down, or look on. Send it only to the people it is for.')],
  [mark('seat'), mark('Your place at the table. Its key was made in this browser and stays there.')],
  [mark('terms'), mark('What all agree to before the first roll: the game, and who has a part in the dice. They cannot change afterwards.')],
  [mark('roll'), mark('Dice that somebody asked for, and what became of them.')],
  [
    mark('part in a roll'),
    mark('Before the roll, each browser has fixed a secret. All secrets together make the dice, so nobody can choose or predict them alone.'),
  ],
  [mark('fair ✓'), mark('This browser has checked it: every secret was fixed before the roll, and exactly these dice follow from them.')],
  [
    mark('log'),
    mark('Everything that happened, in order, signed by who did it. Nothing in it can be changed unnoticed. Everybody has the whole log.'),
  ],
  [mark('server'), mark('Keeps the log and hands it on. It cannot choose or predict dice.')],
  [
    mark('dice checked here, result by the server'),
    mark('The dice are checked here. The server says what they come to by the rules; “rollproof verify” checks that too.'),
  ],
  [
    mark('called off'),
    mark('A roll that somebody stopped before anybody could know the dice. The same roll is still owed, with new dice. The log shows this.'),
  ],
  [
    mark('away'),
    mark(
      'Somebody who has no part in the dice until they are back, so that the others need not wait. A judge can sign away a person who is not connected. If the terms say so, all others together can do it too.',
    ),
  ],
  [mark('judge'), mark('May rule on what happened, and give dice another result. Each ruling stands in the log, with the judge’s name.')],
  [mark('game master'), mark('Calls for rolls and says how difficult they are.')],
  [mark('spectator'), mark('Sees and checks everything, and has no part in the dice.')],
  [mark('code of the table'), mark('Digits to compare without using this server, for example aloud. People with the same digits see the same log.')],
];

/**
 * The key, and the page that it opens. `more` are words of this page alone, which stand first.
 * @param {{more?: [string, string][]}} props
 */
export function Glossary({ more = [] }) {
  const [open, setOpen] = useState(false);
  return html`<button type="button" class="quiet help" aria-label=${t('What the words mean')} onclick=${() => setOpen(true)}>?</button>
    ${
      open &&
      html`<${Dialog} id="glossary" title=${t('What the words mean')} onClose=${() => setOpen(false)}>
      <dl class="glossary">${[...more, ...WORDS].map(([word, meaning]) => html`<div key=${word}><dt>${t(word)}</dt><dd>${t(meaning)}</dd></div>`)}</dl><//>`
    }`;
}
