/**
 * The window for plugins: the page that it talks to, what that page asks for, and the player's tap (specs/window.md).
 * @module
 */

import { PluginDesk } from '../core/index.js';
import { Act, signedWords } from './act.js';
import { useConnection } from './connection.js';
import { html, useEffect, useLayoutEffect, useState } from './html.js';
import { Alerts } from './alerts.js';
import { Button, Guarded, Section } from './parts.js';
import { guardTaps, rest, useRest } from './rest.js';
import { RulesBar } from './rules.js';
import { systemOf } from './systems.js';
import { systemTitle } from './terms.js';
import { Top } from './top.js';
import { Tray } from './tray.js';
import { callPeople, needTableWords, t } from './words.js';

/** @typedef {import('../core/here.js').Here} Here */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../core/table.js').Table} Table */
/** @typedef {Awaited<ReturnType<Here['tables']>>[number]} KnownTable */
/** @typedef {{table: Table, link: string}} Chosen */

/** Origins that nobody on the way can imitate: those of TLS, and of the own machine. */
const SECURE = /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/u;

/** @param {string} code @returns {string} why the connection is over */
const endWords = (code) =>
  ({
    flood: t('That page sent more than a plugin may send.'),
    trouble: t('This browser signs nothing more at this table: open the table itself, and read why.'),
    closed: t('The game is over.'),
  })[code] ?? t('You ended it.');

/**
 * Says why nothing can be tapped in a window as small as this. It stands above all else, since the rest may not be
 * seen.
 */
function Small() {
  if (useRest() !== 'small') return null;
  return html`<p class="problem" role="alert">${t('This window is too small to read what you would sign: make it larger.')}</p>`;
}

/** Says why nothing can be tapped at the moment. */
function Resting() {
  const state = useRest();
  return html`<p class=${`hint resting ${state}`} aria-hidden="true">${state === 'soon' ? t('One moment: read first.') : ' '}</p>`;
}

/** Leads to the table's page, in a window that this one's opener has no hold of. @param {{href: string}} props */
const ToTable = ({ href }) => html`<a href=${href} target="_blank" rel="noopener noreferrer">${t('Open the table itself')}</a>`;

/** @param {{desk: PluginDesk, here: Here, onTable: (chosen: Chosen) => void}} props */
function Question({ desk, here, onTable }) {
  const [known, setKnown] = useState(/** @type {KnownTable[] | null} */ (null));
  useEffect(() => {
    here.tables().then(async (all) => {
      await needTableWords();
      setKnown(all.filter(({ name }) => name));
    });
  }, []);
  useLayoutEffect(rest, [known]);
  const choose = (/** @type {KnownTable} */ each) => {
    const table = here.table(each.link);
    desk.choose(table);
    onTable({ table, link: each.link });
  };
  return html`<${Section} id="asks" title=${t('{origin} would like to roll with you', { origin: desk.origin ?? '' })} className="narrow">
    <p>${t('It would see the rolls of one table of yours from now on, with names, and may ask you to roll.')}</p>
    <p>${t('Nothing is signed unless you tap for it here. No key of yours leaves this browser.')}</p>
    ${!SECURE.test(desk.origin ?? '') && html`<p class="hint">${t('Its address is not secure (http): anybody on its network can pose as that page.')}</p>`}
    ${known?.length === 0 && html`<p class="problem">${t('This browser has no seat at a table here. Open the link of your table, sit down, and try again.')}</p>`}
    ${known !== null && known.length > 0 && html`<h3>${t('Which table?')}</h3>`}
    <ul class="known">${(known ?? []).map(
      (
        each,
      ) => html`<li key=${each.link}><button type="button" class="chosen" onclick=${() => choose(each)}><strong>${each.title || t('Table without a title')}</strong>
        <span class="quietly">${[systemTitle(/** @type {any} */ (each)), each.name].filter(Boolean).join(' · ')}</span></button></li>`,
    )}</ul>
    <${Resting} /><p class="row"><${Button} onTap=${() => desk.decline()}>${t('No')}<//></p><//>`;
}

/** @param {{desk: PluginDesk, asked: import('../core/window.js').Asked, table: Table, snapshot: InGame}} props */
function Request({ desk, asked, table, snapshot }) {
  const meant = { type: 'roll', body: asked.body };
  const words = signedWords(table, snapshot, meant);
  useLayoutEffect(rest, [asked.id, words]);
  return html`<${Section} id="request" title=${t('{origin} asks you to sign:', { origin: desk.origin ?? '' })}>
    ${asked.readAs && html`<p class="hint read-as">${asked.readAs}</p>`}
    <${Act} table=${table} snapshot=${snapshot} type="roll" body=${asked.body} kind="main" advice=${asked.words}
      onDone=${(/** @type {number} */ seq) => desk.signed(seq)} onSigning=${(/** @type {boolean} */ signing) => desk.setSigning(signing)} />
    <${Resting} /><p class="row"><${Button} onTap=${() => desk.decline()}>${t('No')}<//></p><//>`;
}

/** @param {{desk: PluginDesk, table: Table, link: string, snapshot: Snapshot}} props */
function Connected({ desk, table, link, snapshot }) {
  const { game } = snapshot;
  const shown = game !== null && desk.phase === 'connected';
  return html`${shown && desk.asked !== null && html`<${Request} key=${desk.asked.id} desk=${desk} asked=${desk.asked} table=${table} snapshot=${/** @type {InGame} */ (snapshot)} />`}
    ${shown && html`<${Guarded} on=${snapshot}><${Tray} table=${table} snapshot=${/** @type {InGame} */ (snapshot)} system=${systemOf(snapshot.table?.system)} below=${false} /><//>`}
    <${Section} id="plugin" title=${t('Connected with {origin}', { origin: desk.origin ?? '' })}>
      ${
        desk.phase === 'chosen'
          ? html`<p role="status">${t('As soon as you sit in the game, have agreed to its terms, and it has begun, that page can ask you to roll.')}</p>`
          : desk.asked === null && html`<p role="status">${t('It sees the rolls of this table, and asks here when you are to roll.')}</p>`
      }
      <p class="row"><${Button} onTap=${() => (desk.phase === 'chosen' ? desk.decline() : desk.end('disconnected'))}>${t('Disconnect')}<//> <${ToTable} href=${link} /></p><//>`;
}

/** @param {{here: Here, onLanguage: (language: import('./words.js').Language) => void}} props */
export function Plugin({ here, onLanguage }) {
  const [, again] = useState(0);
  const [chosen, setChosen] = useState(/** @type {Chosen | null} */ (null));
  const table = chosen?.table ?? null;
  const [snapshot, setSnapshot] = useState(/** @type {Snapshot | null} */ (null));
  const [desk] = useState(() => {
    const { opener } = window;
    const post = (/** @type {string} */ data, /** @type {string} */ origin) => opener?.postMessage(data, origin);
    return opener === null ? null : new PluginDesk(post, () => again((count) => count + 1));
  });
  useEffect(() => {
    if (desk === null) return undefined;
    guardTaps();
    const { opener } = window;
    const hear = (/** @type {MessageEvent} */ event) => {
      if (event.source === opener) desk.hear(event);
    };
    addEventListener('message', hear);
    desk.begin();
    return () => removeEventListener('message', hear);
  }, []);
  useConnection(table, (now) => {
    setSnapshot(now);
    desk?.look(now);
  });
  useLayoutEffect(() => rest(), [desk?.phase]);
  callPeople(snapshot?.game?.parties ?? []);
  const over = desk?.phase === 'over';
  return html`<${Top} title=${snapshot?.table ? snapshot.table.title || systemTitle(snapshot.table) : ''} snapshot=${over ? null : snapshot} onLanguage=${onLanguage} />
    <main id="main" tabindex="-1" class="plugin"><${Small} />
    ${table !== null && snapshot !== null && html`<${Alerts} table=${table} snapshot=${snapshot} />${!over && html`<${RulesBar} table=${table} snapshot=${snapshot} />`}`}
    <${Guarded} on=${snapshot}><${What} desk=${desk} here=${here} chosen=${chosen} snapshot=${snapshot} onTable=${setChosen} /><//></main>`;
}

/** @param {{desk: PluginDesk | null, here: Here, chosen: Chosen | null, snapshot: Snapshot | null, onTable: (chosen: Chosen) => void}} props */
function What({ desk, here, chosen, snapshot, onTable }) {
  if (desk === null)
    return html`<${Section} id="alone" title=${t('A window for plugins')} className="narrow"><p>${t('This window is for a page of another site that rolls with you. No such page opened it.')}</p>
      <p><a href="/">${t('To the first page')}</a></p><//>`;
  if (desk.phase === 'over')
    return html`<${Section} id="over" title=${t('Not connected any more')} className="narrow"><p>${endWords(desk.code)}</p>
      <p>${t('You can close this window.')}</p><//>`;
  if (desk.phase === 'asks') return html`<${Question} desk=${desk} here=${here} onTable=${onTable} />`;
  if (chosen !== null && snapshot !== null) return html`<${Connected} desk=${desk} table=${chosen.table} link=${chosen.link} snapshot=${snapshot} />`;
  return html`<p class="card quietly" role="status">${t('Waits for the page that opened this window…')}</p>`;
}
