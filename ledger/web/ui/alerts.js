/**
 * Alerts that must not be missed, above everything else, until they have been read (specs/page.md).
 * @module
 */

import { fileName, save } from './files.js';
import { html, useState } from './html.js';
import { Button, SaveFiles } from './parts.js';
import { purposeWords } from './sentences.js';
import { systemOf } from './systems.js';
import { listed, say, t } from './words.js';

/** @typedef {import('../core/snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** Cheating was found. @param {{trouble: NonNullable<Snapshot['trouble']>, table: Table}} props */
const Trouble = ({ trouble, table }) => html`<section class="loud bad" role="alert">
  <h2>${t('Something here is not as it was signed')}</h2>
  <p>${say(trouble.message)}</p>
  <p>${t('This page signs and sends nothing more in this game. Save the evidence now, tell the others without using this server, and show it to a judge: rollproof compare says who signed what.')}</p>
  <div class="row"><${SaveFiles} kind="main" files=${trouble.files?.length ? trouble.files : (table.evidence?.() ?? [])}>${t('Save the evidence')}<//>
    <${SaveLog} table=${table} /></div></section>`;

/**
 * Returns whose an event was, and what it was; an empty text if it is not known here.
 * @param {Snapshot} snapshot
 * @param {number | undefined} seq
 * @returns {string}
 */
const whatOf = ({ table, game }, seq) => (seq === undefined || game === null ? '' : (purposeWords(systemOf(table?.system), game, seq) ?? ''));

/** @param {{warning: Snapshot['warnings'][number], table: Table, snapshot: Snapshot}} props */
function Warning({ warning, table, snapshot }) {
  const what = whatOf(snapshot, warning.about);
  return html`<section class="loud doubt" role="alert">
  <p>${say(warning.message)}</p>${what && html`<p><strong>${what}</strong></p>`}
  <div class="row"><${SaveFiles} files=${warning.files ?? []}>${t('Save the evidence of it')}<//>
    <${Button} onTap=${() => table.told([warning.id])}>${t('I have read this')}<//></div></section>`;
}

/** Advice of the server's that the rules contradict. @param {{lies: Snapshot['lies'], table: Table}} props */
function Lies({ lies, table }) {
  const words = {
    state: t('what the rolls came to, or how the game stands'),
    offers: t('what you can do'),
    reading: t('what a typed line says'),
    reasons: t('why a roll came to what it came to'),
  };
  return html`<section class="loud bad" role="alert"><h2>${t('The server and the rules disagree')}</h2>
    <ul>${lies.map(({ what, size }) => html`<li>${t('After {count} {count:event|events}: {what}.', { count: size, what: words[what] })}</li>`)}</ul>
    <p>${t('Until the rules were here, this page showed the server’s word. It signs nothing more until it is loaded anew. Trust what it shows now, save the evidence of the difference, and tell the others without using this server.')}</p>
    <div class="row"><${SaveFiles} kind="main" files=${table.evidence()}>${t('Save the evidence')}<//></div></section>`;
}

/** @param {Table} table @returns {{name: string, bytes: Uint8Array}[]} the log, and the checkpoint that goes with it */
export const logFiles = (table) => {
  const found = table.game.save();
  return [...(Array.isArray(found) ? found : [found, found.checkpoint])].filter((file) => file?.bytes);
};

/** @param {{table: Table, kind?: string}} props */
export function SaveLog({ table, kind = '' }) {
  const [saved, setSaved] = useState(/** @type {string[]} */ ([]));
  const onTap = () => {
    const files = logFiles(table);
    for (const file of files) save(file.name, file.bytes);
    setSaved(files.map(({ name }) => fileName(name)));
  };
  return html`<${Button} kind=${kind} onTap=${onTap}>${t('Save the log')}<//>
    ${saved.length > 0 && html`<p class="hint saved" role="status">${t('Saved among your downloads: {files}. Send that to the people who are to check the game, with this address: {address}', { files: listed(saved), address: `${location.origin}/verify` })}</p>`}`;
}

/** @param {{table: Table, snapshot: Snapshot}} props */
export function Alerts({ table, snapshot }) {
  const { trouble, warnings, differs, lies, me } = snapshot;
  return html`${trouble && html`<${Trouble} trouble=${trouble} table=${table} />`}
    ${me?.moved && html`<section class="loud doubt"><h2>${t('This seat was moved to another device')}</h2><p>${t('It goes on there. Here you look on.')}</p></section>`}
    ${
      me?.stopped &&
      !me.moved &&
      html`<section class="loud bad" role="alert"><h2>${t('This seat has stopped')}</h2><p>${say(me.stopped)}</p>
      <p>${t('It signs and opens nothing more here. A judge can take it out, or the table goes on in a new game.')}</p></section>`
    }
    ${
      differs?.length > 0 &&
      html`<section class="loud bad" role="alert"><h2>${t('The server shows other dice than were rolled')}</h2>
      <ul>${differs.map((each) => html`<li>${t('{what}: the server says {told}; checked here: {checked}.', { what: { text: whatOf(snapshot, each.roll) }, told: each.told.join(', '), checked: each.checked.join(', ') })}</li>`)}</ul>
      <p>${t('Trust what was checked here. Results that the server computed from other dice are wrong.')}</p></section>`
    }
    ${lies?.length > 0 && html`<${Lies} lies=${lies} table=${table} />`}
    ${warnings?.map((warning) => html`<${Warning} key=${warning.id} warning=${warning} table=${table} snapshot=${snapshot} />`)}`;
}

/** The connection, in a word. @param {{snapshot: Snapshot}} props */
export function Line({ snapshot }) {
  const { line, sending, stage } = snapshot;
  if (stage === 'closed' || stage === 'refused' || stage === 'deleted') return html`<span class="connection" role="status"></span>`;
  const words = snapshot.trouble
    ? t('stopped')
    : line === 'live'
      ? sending > 0
        ? t('sending to {server}…', { server: location.host })
        : t('connected')
      : line === 'away'
        ? t('no connection, trying again')
        : t('connecting…');
  return html`<span class=${`connection ${line} ${sending > 0 ? 'sending' : ''}`} role="status"><span class="dot" aria-hidden="true"></span> ${words}</span>`;
}

/** @param {string[]} names @returns {string} */
export const awaitedWords = (names) => t('waits for {names}', { names: listed(names) });
