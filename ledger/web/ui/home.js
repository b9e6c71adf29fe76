/**
 * Home: a table to open (open.js), and the tables that this browser knows.
 * @module
 */

import { save, zip } from './files.js';
import { html, useEffect, useState } from './html.js';
import { awaitedWords, logFiles } from './alerts.js';
import { About } from './about.js';
import { Moved } from './moved.js';
import { Open } from './open.js';
import { You } from './profile.js';
import { Button, Section } from './parts.js';
import { systemTitle } from './terms.js';
import { callPeople, clock, listed, needTableWords, t, Told } from './words.js';

/** @typedef {import('../core/snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../core/index.js').ScreenHere} Here */

/** Milliseconds that the page waits for one table's state, and milliseconds until it asks again. */
const ASKED = 6000;
const EVERY = 20_000;

/** @param {Snapshot} snapshot @returns {string} */
function stateWords(snapshot) {
  const { stage, game } = snapshot;
  callPeople([...(snapshot.table?.seats ?? []), ...(game?.parties ?? [])]);
  if (snapshot.trouble) return t('something here is not as it was signed: look at it');
  if (stage === 'lobby') return t('not started; {count} {count:sits|sit} there', { count: snapshot.table?.seats.length ?? 0 });
  if (stage === 'closed') return t('over; {events}', { events: { events: game?.size ?? 0 } });
  if (stage === 'deleted') return t('deleted from the server');
  if (stage === 'refused') return t('not found here');
  if (stage === 'agreeing') return t('started: waits for you to agree');
  if (!game) return t('…');
  const waits = game.waiting?.awaited ?? (snapshot.advice?.state?.waits ? [snapshot.advice.state.waits.party] : []);
  const size = t('{rolls}', { rolls: { rolls: game.rolls.length } });
  return waits.length > 0 ? `${size}; ${awaitedWords(waits)}` : size;
}

/** @param {Snapshot} snapshot @returns {boolean} whether the server has shown all that it has, or shows nothing more */
const isSettled = ({ stage, line, trouble }) =>
  ['closed', 'deleted', 'refused'].includes(stage) || (stage !== 'connecting' && line === 'live') || trouble !== null;

/** @type {Promise<any>} */
let visited = Promise.resolve();

/**
 * Looks at one table after the other: streams of many tables at once would use up the browser's connections.
 * @param {Here} here @param {string} link @param {(snapshot: Snapshot) => boolean} look at each snapshot; true ends the visit, and so does time
 * @returns {Promise<any>} the table, as it was left
 */
function visit(here, link, look) {
  visited = visited.then(async () => {
    const table = here.table(link);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, ASKED);
      const done = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
      table.subscribe((snapshot) => {
        if (look(snapshot)) done();
      });
      Promise.resolve(table.connect()).catch(done);
    });
    table.close();
    return table;
  });
  return visited;
}

/** @typedef {Awaited<ReturnType<Here['tables']>>[number]} KnownTable */

/** The tables' states, which the page asks for once in a while. @param {Here} here @param {KnownTable[]} known */
function useStates(here, known) {
  const [states, setStates] = useState(/** @type {{[table: string]: any}} */ ({}));
  useEffect(() => {
    let over = false;
    const ask = async () => {
      for (const each of known) {
        if (over) return;
        await visit(here, each.link, (snapshot) => {
          if (snapshot.stage !== 'connecting') setStates((before) => ({ ...before, [each.link]: snapshot }));
          return (
            isSettled(snapshot) && (snapshot.game === null || snapshot.advice !== null || snapshot.stage === 'closed' || snapshot.trouble !== null)
          );
        });
      }
    };
    ask();
    const timer = setInterval(ask, EVERY);
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [known]);
  return states;
}

/**
 * Returns one link for each table, even if its host looked at it by several: the link of a seat, otherwise the one for
 * spectators.
 * @param {any[]} all @returns {any[]}
 */
const onceEach = (all) =>
  all.filter((each) => {
    const same = all.filter(({ table }) => table === each.table);
    return same.some(({ name }) => name) ? each.name : each === (same.find(({ role }) => role === 'spectator') ?? same[0]);
  });

/** The tables that this browser knows. @param {{here: Here, known: KnownTable[]}} props */
function Known({ here, known }) {
  const states = useStates(here, known);
  const all = async () => {
    const files = [];
    const lacking = [];
    const once = known.filter((each, i) => known.findIndex(({ table }) => table === each.table) === i);
    for (const each of once) {
      const table = await visit(here, each.link, isSettled);
      if (table.snapshot.game !== null) files.push(...logFiles(table));
      if (!isSettled(table.snapshot)) lacking.push(each.title || t('Table without a title'));
    }
    if (files.length > 0) save('rollproof-logs.zip', zip(files));
    if (lacking.length > 0)
      throw new Told('The server did not answer for {names}: the logs in this browser may lack their latest events.', { names: listed(lacking) });
    if (files.length === 0) throw new Told('None of these games has begun.');
  };
  return html`<${Section} id="known" title=${t('Tables of this browser')}>
    <ul class="known">${known.map(
      (/** @type {any} */ each) => html`<li key=${each.link}><a href=${each.link}><strong>${each.title || t('Table without a title')}</strong>
      <span class="quietly">${[systemTitle(each), each.name === here.me?.name ? (here.me?.called ?? each.name) : each.name, each.host && t('opened by you'), clock(each.opened)].filter(Boolean).join(' · ')}</span>
      <span class="state">${states[each.link] ? stateWords(states[each.link]) : '…'}</span></a></li>`,
    )}</ul>
    <p class="row"><${Button} onTap=${all}>${t('Save all logs (zip)')}<//></p>
  <//>`;
}

/** @param {{here: Here}} props */
export function Home({ here }) {
  const [known, setKnown] = useState(/** @type {any[]} */ ([]));
  const [server, setServer] = useState(/** @type {any} */ (null));
  const [away, setAway] = useState(false);
  const [, again] = useState(0);
  useEffect(() => {
    here.tables().then(async (/** @type {any[]} */ all) => {
      if (all.length > 0) await needTableWords();
      setKnown(onceEach(all));
    });
    here
      .server()
      .then(setServer)
      .catch(() => setAway(true));
  }, []);
  return html`<div class="intro"><h1>${t('Dice that everybody can check')}</h1>
    <p class="lead">${t('A table is a link. Each player’s browser has a part in every roll, and checks it: nobody can choose or predict the dice, this server neither.')}</p></div>
    ${away && html`<p class="loud doubt" role="status">${t('The server does not answer. The tables below are as this browser holds them; what was to be sent waits, and a new table needs the server.')}</p>`}
    <div class="columns"><div class="column"><${Open} here=${here} server=${server} /></div>
    <div class="column">${known.length > 0 && html`<${Known} here=${here} known=${known} />`}
      <${You} here=${here} onChange=${() => again((count) => count + 1)} />
      ${!here.ability && html`<${Moved} here=${here} />`}
      <${Section} id="doubt" title=${t('In doubt?')}>
        <p><a href="/verify">${t('Verify a saved log in this browser')}</a></p>
        ${server && html`<p class="hint">${t('This server is called {name}.', { name: server.name })} ${server.keep_days === null ? t('Games stay here until their host deletes them.') : t('Closed games stay here for {count} {count:day|days}.', { count: server.keep_days })}</p>`}
      <//><${About} /></div></div>`;
}
