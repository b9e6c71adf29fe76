/**
 * The page without its server: a service worker that keeps the last documents and files, and gives them only where the server
 * cannot be reached (specs/page.md, "Without the server"). It sees no answer of a table or an event, and keeps none.
 * @module
 */

const CACHE = 'rollproof page';
/** The files that each kind of page needs, by the key of its document: that of a table, and that of an event. */
const FILES = new Map([
  ['/', ['/page/table.js', '/page/systems.json', '/page/ledger/web/ui/style.css', '/page/ledger/web/ui/icon.svg']],
  [
    '/e/',
    [
      '/page/event.js',
      '/page/ledger/web/vendor/uqr.module.js',
      '/page/systems.json',
      '/page/ledger/web/ui/style.css',
      '/page/ledger/web/ui/icon.svg',
    ],
  ],
]);
/**
 * Words of the reader's language, which are kept: the language that the browser prefers, and the chosen one as soon as
 * it is fetched again.
 */
const LANGUAGES = ['de', 'ja'];
/** @param {string} language @param {string} document @returns {string[]} */
const wordsOf = (language, document) => ['', '-game', ...(document === '/e/' ? ['-event'] : [])].map((part) => `/page/words-${language}${part}.js`);
const KNOWN = new Set([...FILES.values(), ...LANGUAGES.map((language) => wordsOf(language, '/e/'))].flat());
const NONE = { ignoreVary: true };

/** @param {string} path @returns {string | null} the key of the document that stands there */
const documentAt = (path) => (path.startsWith('/e/') ? '/e/' : path === '/' || path.startsWith('/t/') ? '/' : null);

/** @param {Request} request @returns {string | null} under what it is kept; null: it is no part of the page */
function keyOf(request) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return null;
  if (request.mode === 'navigate') return documentAt(pathname);
  return KNOWN.has(pathname) ? pathname : null;
}

/**
 * Returns the server's answer, whatever it is; if nobody answers, what is kept.
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

/** Fetches the files that the open pages need, so that the first visit is enough. */
async function keep() {
  const kept = await caches.open(CACHE);
  const [first] = navigator.languages.map((each) => each.slice(0, 2)).filter((each) => each === 'en' || LANGUAGES.includes(each));
  const pages = await /** @type {any} */ (globalThis).clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const { url } of pages) {
    const { pathname } = new URL(url);
    const document = documentAt(pathname);
    if (document === null) continue;
    await kept.addAll([.../** @type {string[]} */ (FILES.get(document)), ...(LANGUAGES.includes(first) ? wordsOf(first, document) : [])]);
    const found = await fetch(pathname);
    if (found.ok) await kept.put(document, found);
  }
}

addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(keep().then(() => /** @type {any} */ (globalThis).skipWaiting()));
});
addEventListener('fetch', (/** @type {any} */ event) => {
  const key = keyOf(event.request);
  if (key !== null) event.respondWith(answer(event.request, key));
});
