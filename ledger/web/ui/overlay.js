/**
 * The tray alone, on nothing: for a stream, or a table's screen (specs/page.md, "The overlay"). It runs in an origin of its own,
 * makes and keeps no key, and signs nothing.
 * @module
 */

import { addWords } from '../../../verifier/web/words.js';
import { EventHere } from '../core/event.js';
import { Here, MemoryStorage } from '../core/index.js';
import { memoryTurns } from '../core/turns.js';
import { useConnection } from './connection.js';
import { html, render, useState } from './html.js';
import { Guarded } from './parts.js';
import { knowSystems, systemOf } from './systems.js';
import { Tray } from './tray.js';
import { callPeople, say, setLanguage, t } from './words.js';

/** @typedef {import('../core/snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** Links of this role seat nobody: the address of an overlay stands in programs, scenes and recordings. */
const LOOKS_ON = '#spectator.';
/** A table of an event, and the code of a stream. */
const OF_EVENT = /^#table\.([0-9]{1,4})\.([A-Za-z0-9_-]{43})$/;

/** @param {{words: string, bad?: boolean}} props */
const Note = ({ words, bad = false }) => html`<p class=${`note ${bad ? 'bad' : ''}`} role=${bad ? 'alert' : 'status'}>${words}</p>`;

/** Returns the text in place of dice; null if there is none. @param {Snapshot} snapshot @returns {string | null} */
function wrong({ trouble, differs, lies, stage, problem }) {
  if (trouble) return `${t('Something here is not as it was signed')}: ${say(trouble.message)}`;
  if (differs.length > 0) return t('The server shows other dice than were rolled');
  if (lies.length > 0) return t('The server and the rules disagree');
  if (stage === 'refused') return `${t('This table cannot be opened')}: ${say(problem)}`;
  if (stage === 'deleted') return t('This table was deleted');
  return null;
}

/** @param {{table: Table, people?: {name: string, called: string}[]}} props `people`: who is called otherwise than by the name of the key */
function Overlay({ table, people = [] }) {
  const [snapshot, setSnapshot] = useState(table.snapshot);
  useConnection(table, setSnapshot);
  callPeople([...(snapshot.game?.parties ?? []), ...people]);
  const bad = wrong(snapshot);
  if (bad !== null) return html`<${Note} words=${bad} bad=${true} />`;
  return html`${snapshot.game && html`<${Guarded} on=${snapshot}><${Tray} table=${table} snapshot=${/** @type {any} */ (snapshot)} system=${systemOf(snapshot.table?.system)} /><//>`}
    ${snapshot.line === 'away' && html`<${Note} words=${t('no connection, trying again')} />`}`;
}

/**
 * Returns the game of an event's table in the present round.
 * @param {{event: EventHere, number: number}} props of the table
 */
function OfEvent({ event, number }) {
  const [, again] = useState(0);
  useConnection(event, () => again((count) => count + 1));
  if (event.cheated) return html`<${Note} words=${say(event.problem)} bad=${true} />`;
  const at = event.table(number);
  if (at === null) return event.line === 'away' ? html`<${Note} words=${t('no connection, trying again')} />` : null;
  const people = [...event.log.players.keys()].map((player) => ({ name: `p${player}`, called: t('Number {number}', { number: player }) }));
  return html`<${Overlay} key=${at.gameId} table=${at.table} people=${people} />`;
}

/**
 * Begins. The document has all that is needed: nothing is fetched but the table.
 * @param {{[text: string]: string}} words of the document's language
 */
export async function show(words) {
  const language = /** @type {import('./words.js').Language} */ (document.documentElement.lang);
  if (language !== 'en') addWords(language, words);
  await setLanguage(language, false, true);
  knowSystems(JSON.parse(document.getElementById('systems')?.textContent ?? ''));
  const root = document.createElement('main');
  document.body.append(root);
  addEventListener('hashchange', () => location.reload());
  const ofEvent = OF_EVENT.exec(location.hash);
  if (ofEvent === null && !location.hash.startsWith(LOOKS_ON)) {
    render(
      html`<${Note} bad=${true} words=${t('Only the link for spectators works here: an address that others may see must not give a seat.')} />`,
      root,
    );
    return;
  }
  const storage = new MemoryStorage();
  const { locks, channels: channel } = memoryTurns(storage);
  const here = new Here({ address: location.origin, storage, locks, channel, language });
  if (ofEvent !== null) {
    const [, table, code] = ofEvent;
    const event = location.pathname.replace(/^\/o\//, '');
    const followed = new EventHere(here, { address: location.origin, event, code, wall: false, stream: true, staff: false, offered: null, at: null });
    render(html`<${OfEvent} event=${followed} number=${Number(table)} />`, root);
    return;
  }
  const table = here.table(`${location.origin}${location.pathname.replace(/^\/o\//, '/t/')}${location.hash}`);
  render(html`<${Overlay} table=${table} />`, root);
}
