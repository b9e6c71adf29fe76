/**
 * The page of an event (specs/page.md, "An event"): one script of its own, so that a table's page is no larger for it.
 * @module
 */

import { EventHere } from '../core/event.js';
import { parseEventLink } from '../core/event-link.js';
import { Here, IndexedDbStorage } from '../core/index.js';
import { EventPage } from './event.js';
import { EVENT_WORDS } from './event-glossary.js';
import { html, render, useEffect, useState } from './html.js';
import { keepForLater } from './installed.js';
import { loadSystems } from './systems.js';
import { Top } from './top.js';
import { language, say, setLanguage, startLanguage, t } from './words.js';

/** @param {{here: Here}} props */
function App({ here }) {
  const [, again] = useState(0);
  const [event] = useState(() => new EventHere(here, parseEventLink(location.href)));
  const onLanguage = async (/** @type {import('./words.js').Language} */ chosen) => {
    await setLanguage(chosen);
    here.language = language();
    again((count) => count + 1);
  };
  useEffect(() => {
    // another code in the same tab is another player: begin anew
    const changed = () => location.reload();
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return html`<${Top} title=${event.log.terms?.title ?? ''} snapshot=${null} words=${EVENT_WORDS} onLanguage=${onLanguage} />
    <main id="main" tabindex="-1"><${EventPage} here=${here} event=${event} onTitle=${() => again((count) => count + 1)} /></main>`;
}

async function start() {
  await startLanguage();
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
    const problem = say(/** @type {any} */ (error)?.words) || String(error);
    render(
      html`<main class="card narrow"><h1>Rollproof</h1><p role="alert">${t('This page could not start: {problem}', { problem })}</p></main>`,
      root,
    );
  }
}

start();
