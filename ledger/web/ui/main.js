/**
 * The page: the screen for each address.
 * @module
 */

import { Here, IndexedDbStorage } from '../core/index.js';
import { useConnection } from './connection.js';
import { Game } from './game.js';
import { Home } from './home.js';
import { keepForLater } from './installed.js';
import { html, render, useEffect, useRef, useState } from './html.js';
import { Agree, Lobby } from './lobby.js';
import { Back } from './late.js';
import { OwnPlace } from './lost.js';
import { Alerts } from './alerts.js';
import { Guarded, SaveFiles, Section } from './parts.js';
import { Plugin } from './plugin.js';
import { RulesBar } from './rules.js';
import { loadSystems } from './systems.js';
import { systemTitle } from './terms.js';
import { Top } from './top.js';
import { callPeople, language, needTableWords, say, setLanguage, startLanguage, t } from './words.js';

/** @typedef {import('./words.js').Message} Message */
/** @typedef {import('../core/snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** The address of the window for plugins. */
const PLUGINS = '/w';

/** @param {string} link @returns {string} the role that it is for */
const roleOf = (link) => (new URL(link).hash.match(/^#(\w+)\./) ?? ['', 'spectator'])[1];

/**
 * A refusal with evidence is more than a wrong link: the server shows what cannot be.
 * @param {{table: Table, problem: Message | null}} props
 */
const Refusal = ({ table, problem }) => {
  const files = table.evidence();
  const title = t('This table cannot be opened');
  if (files.length === 0) return html`<${Nothing} id="refused" title=${title} why=${say(problem)} />`;
  return html`<section class="loud bad narrow" role="alert"><h2>${t('Something here is not as it was signed')}</h2>
    <p>${say(problem)}</p><p>${t('Nothing was signed. Save the evidence, and tell the others without using this server.')}</p>
    <p class="row"><${SaveFiles} kind="main" files=${files}>${t('Save the evidence')}<//></p></section>
    <${Nothing} id="refused" title=${title} why="" />`;
};

/** The page if there is no table to show. @param {{id: string, title: string, why: string}} props */
const Nothing = ({ id, title, why }) => html`<${Section} id=${id} title=${title} className="narrow">${why && html`<p>${why}</p>`}
  <p><a href="/">${t('To the first page')}</a></p><//>`;

/** @param {Here} here @param {string} link @returns {Table | null} null where the link is not whole, as where what stands behind # was lost on the way */
function tableAt(here, link) {
  try {
    return here.table(link);
  } catch {
    return null;
  }
}

/** An address without its secret: this browser may have a seat at that table, whose link it knows. @param {{here: Here, link: string}} props */
function Broken({ here, link }) {
  const [known, setKnown] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    const path = new URL(link).pathname;
    here
      .tables()
      .then((tables) => setKnown(tables.find((each) => new URL(each.link).pathname === path)?.link ?? null))
      .catch(() => undefined);
  }, [link]);
  return html`<${Section} id="refused" title=${t('This is not a whole link')} className="narrow">
    <p>${t('The part of the link after # is missing or damaged. Ask the sender for the whole link.')}</p>
    ${known && html`<p><a href=${known}>${t('This browser knows that table: go on there')}</a></p>`}
    <p><a href="/">${t('To the first page')}</a></p><//>`;
}

/** @param {{here: Here, table: Table, snapshot: Snapshot, role: string, rules: import('./html.js').Content}} props */
function Stage({ here, table, snapshot, role, rules }) {
  switch (snapshot.stage) {
    case 'connecting':
      return html`<p class="card quietly" role="status">${t('The table is being opened…')}</p>`;
    case 'lobby':
      return html`<${Lobby} here=${here} table=${table} snapshot=${snapshot} role=${role} />`;
    case 'agreeing':
      return html`<${Agree} table=${table} snapshot=${snapshot} />`;
    case 'refused':
      return html`<${Refusal} table=${table} problem=${snapshot.problem} />`;
    case 'deleted':
      return html`<${Nothing} id="deleted" title=${t('This table was deleted')}
      why=${t('Its host had it deleted from the server. Anybody who saved the log still has it.')} />`;
    default:
      return snapshot.game === null
        ? html`<p class="card quietly" role="status">${t('The game is being fetched and checked…')}</p>`
        : html`<${Game} here=${here} table=${table} snapshot=${snapshot} rules=${rules} />`;
  }
}

/** Milliseconds that the screen waits at most. */
const PACE = 100;

/**
 * Decides when a change is drawn. Others wait for this page's part in a roll, so that part is sent before the screen is
 * drawn anew, and the openings of a roll that waits are drawn together. All else is drawn at once.
 * @param {(snapshot: Snapshot) => void} show @returns {(snapshot: Snapshot) => void}
 */
function paced(show) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let size = -1;
  let latest = /** @type {Snapshot | null} */ (null);
  const draw = () => {
    clearTimeout(timer);
    timer = undefined;
    size = latest?.game?.size ?? -1;
    show(/** @type {Snapshot} */ (latest));
  };
  return (snapshot) => {
    latest = snapshot;
    const { game } = snapshot;
    const mayWait = game?.waiting?.mine === 'to open' || (game?.waiting && game.size === size);
    if (!mayWait) draw();
    else timer ??= setTimeout(draw, PACE);
  };
}

/** @param {{here: Here, table: Table, link: string, onLanguage: (language: import('./words.js').Language) => void}} props */
function TablePage({ here, table, link, onLanguage }) {
  const [snapshot, setSnapshot] = useState(table.snapshot);
  useConnection(table, paced(setSnapshot));
  callPeople([...(snapshot.table?.seats ?? []), ...(snapshot.table?.asking ?? []), ...(snapshot.game?.parties ?? [])]);
  const bar = RulesBar({ table, snapshot }); // it is called in each stage: rules are loaded in the lobby already
  const stage = useRef(snapshot.stage);
  useEffect(() => {
    if (stage.current !== 'connecting' && stage.current !== snapshot.stage) {
      document.getElementById('main')?.focus({ preventScroll: true });
      scrollTo(0, 0); // a player who has agreed at the end of the terms is scrolled to the tray
    }
    stage.current = snapshot.stage;
  }, [snapshot.stage]);
  const title = snapshot.table ? snapshot.table.title || systemTitle(snapshot.table) : '';
  const due =
    snapshot.stage === 'agreeing' ||
    (snapshot.table?.asking ?? []).length > 0 ||
    (snapshot.game?.newcomers ?? []).some((/** @type {any} */ each) => each.mine) ||
    (snapshot.game?.newKeys ?? []).some((/** @type {any} */ each) => each.mine) ||
    (snapshot.advice?.actions ?? []).some((/** @type {any} */ action) => action?.due);
  useEffect(() => {
    document.title = `${due ? '● ' : ''}${title ? `${title} · ` : ''}Rollproof`;
  }, [title, due]);
  return html`<a class="skip" href="#main" onclick=${(event) => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  }}>${t('To the content')}</a>
    <${Top} title=${title || 'Rollproof'} snapshot=${snapshot} onLanguage=${onLanguage} />
    <main id="main" tabindex="-1">${snapshot.game && html`<${Guarded} on=${snapshot}><${OwnPlace} snapshot=${snapshot} /><${Back} table=${table} snapshot=${snapshot} /><//>`}<${Alerts} table=${table} snapshot=${snapshot} />
      <${Guarded} on=${snapshot}><${Stage} here=${here} table=${table} snapshot=${snapshot} role=${roleOf(link)} rules=${bar} /><//></main>`;
}

/** @param {{here: Here}} props */
function App({ here }) {
  const [, again] = useState(0);
  const link = location.pathname.startsWith('/t/') ? location.href : null;
  const [table] = useState(() => (link === null ? null : tableAt(here, link)));
  const onLanguage = async (/** @type {import('./words.js').Language} */ chosen) => {
    await setLanguage(chosen);
    here.language = language();
    table?.game.advise();
    again((count) => count + 1);
  };
  useEffect(() => {
    // Another link in the same tab, with other words behind #, is another table: begin anew.
    const changed = () => location.reload();
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  if (link !== null && table === null) {
    return html`<${Top} title="" snapshot=${null} onLanguage=${onLanguage} /><main id="main" tabindex="-1"><${Broken} here=${here} link=${link} /></main>`;
  }
  if (table) return html`<${TablePage} here=${here} table=${table} link=${link} onLanguage=${onLanguage} />`;
  if (location.pathname.replace(/\/$/u, '') === PLUGINS) return html`<${Plugin} here=${here} onLanguage=${onLanguage} />`;
  return html`<${Top} title="" snapshot=${null} onLanguage=${onLanguage} /><main id="main" tabindex="-1"><${Home} here=${here} /></main>`;
}

async function start() {
  await startLanguage();
  if (location.pathname.replace(/\/$/u, '') === PLUGINS) await needTableWords();
  const root = document.createElement('div');
  root.id = 'page';
  document.body.append(root);
  try {
    const [here] = await Promise.all([
      Here.open({ address: location.origin, storage: await IndexedDbStorage.open().catch(() => null), language: language() }),
      loadSystems('/page/systems.json'),
    ]);
    render(html`<${App} here=${here} />`, root);
    keepForLater();
  } catch (error) {
    console.error(error);
    render(
      html`<main class="card narrow"><h1>Rollproof</h1><p role="alert">${t('This page could not start: {problem}', { problem: String(error) })}</p></main>`,
      root,
    );
  }
}

start();
