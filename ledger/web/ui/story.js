/**
 * The story of a game as a page to keep: the players, and each roll in words. It has no script, and asks for nothing.
 * @module
 */

import { diceOf, diceWords } from './dice.js';
import { html, render } from './html.js';
import { purposeOf, rerollsOf, toldRolls } from './log.js';
import { roleWords } from './parts.js';
import { sentence } from './sentences.js';
import { systemOf } from './systems.js';
import { systemTitle } from './terms.js';
import { clock, language, t } from './words.js';
import { behindWords, isBehind } from './secrets.js';
import { fairWords } from './why.js';

/** @typedef {import('../core/snapshot.js').InGame} InGame */

/** Events that people tell of; the whole log has the others. */
const TOLD = new Set(['declare', 'leave', 'away', 'back', 'ruling', 'strike', 'void', 'close']);
const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}li{margin:.5rem 0}time,small{color:#565b66}ol{padding:0;list-style:none}@media(prefers-color-scheme:dark){body{background:#131519;color:#e8e6e1}time,small{color:#a6abb6}}';

/** @param {{snapshot: InGame}} props */
function Story({ snapshot }) {
  const { game, table } = snapshot;
  const system = systemOf(table?.system);
  const told = toldRolls(snapshot);
  const rolls = new Map(game.rolls.map((roll) => [roll.seq, roll]));
  return html`<main><h1>${table?.title || systemTitle(table)}</h1>
    ${table?.title && html`<p>${systemTitle(table)}</p>`}
    <p>${game.parties.map(({ name, role }) => `${name} (${roleWords(role)})`).join(', ')}</p>
    <ol>${game.events
      .filter((event) => rolls.has(event.seq) || TOLD.has(event.type))
      .map((event) => {
        const roll = rolls.get(event.seq);
        const head = html`<time datetime=${event.time}>${clock(event.time)}</time> <strong>${event.author}</strong>`;
        if (!roll) return html`<li>${head} ${sentence(system, event, game, 2).text}</li>`;
        if (isBehind(roll)) return html`<li>${head} <small>${behindWords(roll)}</small></li>`;
        const said = told.get(roll.seq) ?? null;
        const dice = diceWords(diceOf(roll, said, rerollsOf(game.rolls, roll)));
        return html`<li>${head} ${purposeOf(roll, game, system)}: ${dice} ${said?.summary && html`<strong>${said.summary.replaceAll('~~', '')}</strong>`}<br /><small>${fairWords(roll)}</small></li>`;
      })}</ol>
    <p><small>${t('The dice are as this browser checked them. What they came to is as the server counted it. The log itself is the proof: {command} checks it.', { command: 'rollproof verify' })}</small></p></main>`;
}

/** @param {InGame} snapshot @returns {Blob} a page of HTML */
export function storyOf(snapshot) {
  const holder = document.createElement('div');
  render(html`<${Story} snapshot=${snapshot} />`, holder);
  const head = document.implementation.createHTMLDocument(snapshot.table?.title || 'Rollproof');
  head.documentElement.lang = language();
  const policy = head.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "default-src 'none'; style-src 'unsafe-inline'";
  const charset = head.createElement('meta');
  charset.setAttribute('charset', 'utf-8');
  head.head.prepend(charset, policy);
  head.body.append(...holder.childNodes);
  // This page's own policy lets no style into a document that it makes: it is put into the text.
  const text = head.documentElement.outerHTML.replace('</head>', `<style>${STYLE}</style></head>`);
  return new Blob([`<!doctype html>\n${text}\n`], { type: 'text/html' });
}
