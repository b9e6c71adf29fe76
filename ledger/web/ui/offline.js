/**
 * The page without its server: a service worker that keeps the last document and files, and gives them only where the server
 * cannot be reached (specs/page.md, "Without the server"). It sees no answer of the table, and keeps none.
 * @module
 */

const CACHE = 'rollproof page';
const DOCUMENT = '/';
/** What the page needs to stand, beside its document. */
const FILES = ['/page/table.js', '/page/systems.json', '/page/ledger/web/ui/style.css', '/page/ledger/web/ui/icon.svg'];
/** Words of a language, kept for who reads it: what the browser prefers, and what was chosen as soon as it is fetched again. */
const WORDS = new Map([['de', ['/page/words-de.js', '/page/words-de-game.js']], ['ja', ['/page/words-ja.js', '/page/words-ja-game.js']]]);
const NONE = { ignoreVary: true };

/** @param {Request} request @returns {string | null} under what it is kept; null: it is no part of the page */
function keyOf(request) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return null;
  if (request.mode === 'navigate') return pathname === '/' || pathname.startsWith('/t/') ? DOCUMENT : null;
  return [...FILES, ...[...WORDS.values()].flat()].includes(pathname) ? pathname : null;
}

/**
 * What the server answers, whatever that is; what is kept, where nobody answers.
 * @param {Request} request @param {string} key @returns {Promise<Response>}
 */
async function answer(request, key) {
  const kept = await caches.open(CACHE);
  try {
    const found = await fetch(request);
    if (found.ok) await kept.put(key, found.clone());
    return found;
  } catch (error) {
    const before = await kept.match(key, NONE);
    if (before) return before;
    throw error;
  }
}

/** Fetches what the page needs, so that the first visit is enough. */
async function keep() {
  const kept = await caches.open(CACHE);
  const [first] = navigator.languages.map((each) => each.slice(0, 2)).filter((each) => each === 'en' || WORDS.has(each));
  await kept.addAll([DOCUMENT, ...FILES, ...WORDS.get(first) ?? []]);
}

addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(keep().then(() => /** @type {any} */ (globalThis).skipWaiting()));
});
addEventListener('fetch', (/** @type {any} */ event) => {
  const key = keyOf(event.request);
  if (key !== null) event.respondWith(answer(event.request, key));
});
