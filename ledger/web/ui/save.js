/**
 * Save: the log, and what goes with it; the seat on another device; the end.
 * @module
 */

import { TableCode } from './code.js';
import { fileName, save } from './files.js';
import { again } from './open.js';
import { html, useState } from './html.js';
import { SaveLog } from './alerts.js';
import { Button, Fold, Section } from './parts.js';
import { storyOf } from './story.js';
import { t } from './words.js';

/** @typedef {import('../core/index.js').ScreenHere} Here */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** @param {{words: string, question: string, onTap: () => unknown, kind?: string}} props */
const Certain = ({ words, question, onTap, kind = 'danger' }) => {
  const [asked, setAsked] = useState(false);
  return asked
    ? html`<p>${question}</p><div class="row"><${Button} kind=${kind} onTap=${onTap}>${words}<//><${Button} onTap=${() => setAsked(false)}>${t('No')}<//></div>`
    : html`<${Button} onTap=${() => setAsked(true)}>${words}<//>`;
};

/** @param {{here: Here, table: Table, snapshot: InGame}} props */
export function Save({ here, table, snapshot }) {
  const { me } = snapshot;
  const host = snapshot.table?.mine === true;
  return html`<${Section} id="save" title=${t('Save')} className="save">
    <p>${t('This browser holds the whole log. Whoever has the file can check every roll:')} <a href="/verify">${t('on the page that checks logs')}</a> ${t('or, with code that this server never touched, by the program')} <code>rollproof verify</code></p>
    <p class="row"><${SaveLog} table=${table} /> <${Button} onTap=${() => save(`${fileName(snapshot.table.title || 'rollproof')}.html`, storyOf(snapshot))}>${t('Save the story')}<//></p>
    <p class="hint">${t('The story is a page to read and keep; the log is the proof.')}</p>
    ${host && snapshot.stage === 'closed' && html`<${Button} kind="main" onTap=${() => again(here, table)}>${t('Play again: a new table like this one')}<//>`}
    <${TableCode} table=${table} snapshot=${snapshot} />
    ${
      me?.seated &&
      me.movable &&
      !me.moved &&
      snapshot.stage !== 'closed' &&
      html`<${Fold} title=${t('Move this seat to another device')} className="plain">
      <p>${t('This browser stops for good, and saves a file that only your passphrase opens. Take it on the other device, at the same link.')}</p>
      <${Certain} words=${t('Move this seat')} question=${t('From now on this browser signs and opens nothing in this game. Move?')}
        onTap=${async () => save(`${me.name}.rollproof-seat.json`, await table.move())} /><//>`
    }
    ${
      host &&
      snapshot.stage === 'playing' &&
      html`<${Fold} title=${t('End the game')} className="plain">
      <p>${t('The server closes it. Everybody keeps the whole log.')}</p>
      <${Certain} words=${t('Close the game')} onTap=${() => table.host.closeGame()}
        question=${snapshot.game?.waiting ? t('A roll waits: it will be left without dice. Close the game for everybody?') : t('Close the game for everybody?')} /><//>`
    }
    ${
      host &&
      snapshot.stage === 'closed' &&
      html`<${Fold} title=${t('Delete it from the server')} className="plain">
      <p>${t('The server forgets the lines, seats and links. Anybody who saved the log still has it.')}</p>
      <${Certain} words=${t('Delete')} question=${t('Delete this game from the server, for everybody?')} onTap=${() => table.host.deleteTable()} /><//>`
    }
  <//>`;
}
