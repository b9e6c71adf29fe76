/**
 * Why a roll was fair: in plain words first, then step by step, then by hand.
 * @module
 */

import { Struck } from './dice.js';
import { html, useEffect, useState } from './html.js';
import { Fold, problemWords } from './parts.js';
import { behindWords, isBehind, shownWords } from './secrets.js';
import { listed, say, t } from './words.js';

/**
 * Whom a roll was made without: who had no part in it, and who had one under a key that others let in.
 * @param {ShownRoll} roll @returns {{absent: string[], rekeyed: string[]}}
 */
function madeWithout({ without, contributors }) {
  const rekeyed = without.filter((name) => contributors.includes(name));
  return { absent: without.filter((name) => !rekeyed.includes(name)), rekeyed };
}

/** @param {ShownRoll} roll @returns {string} whom it was made without; empty where nobody */
export function withoutWords(roll) {
  const { absent, rekeyed } = madeWithout(roll);
  const words = [];
  if (absent.length > 0) words.push(t('without {names}', { names: listed(absent) }));
  if (rekeyed.length > 0) words.push(t('new key: {names}', { names: listed(rekeyed) }));
  return words.join(' · ');
}

/** @param {ShownRoll} roll @returns {string} on one line */
export function fairWords(roll) {
  const names = listed(roll.contributors);
  if (isBehind(roll)) return behindWords(roll);
  if (roll.ended === 'reveal') {
    const { absent } = madeWithout(roll);
    if (roll.fair && absent.length > 0) {
      return t('Fair: {names} each had a part in it, {others} had none; this browser has checked it.', { names, others: listed(absent) });
    }
    return roll.fair
      ? t('Fair: {names} each had a part in it; this browser has checked it.', { names })
      : t('This browser has not found these dice to be fair.');
  }
  if (roll.ended === 'void') return t('No dice: it was called off before they were shown.');
  if (roll.ended === 'close') return t('No dice: the game was closed while it waited.');
  return t('Not rolled yet: it waits for everybody’s part.');
}

/** @typedef {import('../core/advice.js').Advised} Advised */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/**
 * The name of each part of a step.
 * @param {{part: import('../../../verifier/web/explain.js').Part, title: string}} props
 */
const Part = ({ part, title }) => {
  if ('say' in part) return html`<p>${say(part.say)}</p>`;
  if ('byHand' in part) {
    return html`<div class="hand" tabindex="0" role="group" aria-label=${t('By hand')}><code>$ ${part.byHand.command}</code><samp>${part.byHand.prints}</samp></div>`;
  }
  const { head, rows } = part.table;
  return html`<div class="wide" tabindex="0" role="group" aria-label=${title}><table>
    <thead><tr>${head.map((each) => html`<th scope="col">${t(each)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
};

/**
 * The explanation of a roll: asked for again when the roll, or what it came to, has changed.
 * @param {Table} table @param {ShownRoll} roll @param {Advised} told
 * @returns {{found: Awaited<ReturnType<Table['game']['explain']>> | null, problem: string}} `found`: null until it is there
 */
function useExplanation(table, roll, told) {
  const [found, setFound] = useState(/** @type {Awaited<ReturnType<Table['game']['explain']>> | null} */ (null));
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let over = false;
    table.game.explain(roll.seq).then(
      (each) => {
        if (!over) setFound(each);
      },
      (/** @type {unknown} */ error) => {
        if (!over) setProblem(problemWords(error));
      },
    );
    return () => {
      over = true;
    };
  }, [roll.seq, roll.end, told?.text, told?.status]);
  return { found, problem };
}

/** Why a roll was fair, as a list. @param {{roll: ShownRoll, keeper: string}} props */
function Because({ roll, keeper }) {
  const names = listed(roll.contributors);
  const { absent, rekeyed } = madeWithout(roll);
  const unaccepted = absent.filter((name) => roll.unaccepted.includes(name));
  return html`<ol class="because">
      <li>${t('Before this roll {names} each fixed a chain of secrets: nobody can change it afterwards, and nobody else knows it.', { names })}</li>
      <li>${t('{author} asked for the dice. {keeper}, the server, signed that request, so it could not be changed or exchanged any more.', { author: roll.author, seq: roll.seq, keeper })}</li>
      ${isBehind(roll) && html`<li>${t('Before the roll was asked for, {holder} had fixed a secret for it, which nobody else knows. The dice follow from this secret and from a secret of each of {names}. So only {holder} knows the dice, and {holder} cannot change them.', { holder: String(roll.holder), names })}</li>`}
      ${roll.shown !== null && html`<li>${shownWords(roll)}</li>`}
      ${
        roll.ended === 'reveal' &&
        !isBehind(roll) &&
        html`
        <li>${t('Only after that did each give one secret, signed for this roll and no other. All secrets together make the dice, so nobody could choose or predict them unless all of {names} worked together.', { names })}</li>
        <li>${t('This browser has checked it itself: each signature, that each secret is the one that was fixed before, and that exactly these dice follow from them.')}</li>`
      }
      ${
        absent.length > 0 &&
        html`<li>${
          unaccepted.length === 0
            ? t('{names} had been signed away by somebody else, and has accepted this roll since.', { names: listed(absent) })
            : t(
                '{names} had been signed away by somebody else, and had no part in these dice. Until {waiting} accepts them they count in no luck and no season.',
                { names: listed(absent), waiting: listed(unaccepted) },
              )
        }</li>`
      }
      ${
        rekeyed.length > 0 &&
        html`<li>${t('{names} had a part in these dice with a new key, which others let into the game. No key proves that it is the same person, so the dice count in no luck and no season.', { names: listed(rekeyed) })}</li>`
      }
      ${roll.ended === 'void' && html`<li>${t('It was called off, before the dice could be known. The secrets for it are used up, and the same roll is owed.', { seq: roll.end ?? '' })}</li>`}
    </ol>`;
}

/** @param {{table: Table, roll: ShownRoll, told: Advised, snapshot: InGame}} props */
export function Why({ table, roll, told, snapshot }) {
  const { found, problem } = useExplanation(table, roll, told);
  const { steps, reasons, own } = found ?? { steps: [], reasons: [], own: false };
  return html`<div class="why">
    <${Because} roll=${roll} keeper=${snapshot.game.parties.find((party) => party.role === 'keeper')?.name ?? ''} />
    ${
      reasons.length > 0 &&
      html`<h4>${own ? t('What the dice came to, by the rules') : t('What the dice came to, by the rules (the server says so)')}</h4>
      <ul class="reasons">${reasons.map(({ clause, text }) => html`<li><${Struck} text=${text} />${clause && html` <span class="clause">${clause}</span>`}</li>`)}</ul>`
    }
    ${problem && html`<p class="problem">${problem}</p>`}
    ${found === null && !problem && html`<p class="quietly">${t('Being worked out…')}</p>`}
    ${
      steps.length > 0 &&
      html`<${Fold} title=${t('Step by step, with lines to redo it by hand')} className="plain">
      <p class="hint">${t('Lines that begin with $ are for a shell with openssl 3, xxd and sed. Their output ends with the line below.')}</p>
      ${steps.map(({ title, parts }) => html`<section><h4>${say(title)}</h4>${parts.map((part) => html`<${Part} part=${part} title=${say(title)} />`)}</section>`)}<//>`
    }
  </div>`;
}
