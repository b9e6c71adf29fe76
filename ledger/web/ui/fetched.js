/**
 * Modules that are no part of the joined script; the page fetches them when they are wanted.
 * @module
 */

/**
 * Fetches a module of the page. The document has its hash (`ledger/page/assets.py`), and no other bytes run.
 * @param {string} path below `/page/` @param {string} name under which the document has its hash @returns {Promise<any>}
 */
export function fetchModule(path, name) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.integrity = document.querySelector(`meta[name="rollproof-${name}"]`)?.getAttribute('content') ?? '';
  link.href = `/page/${path}`;
  document.head.append(link);
  return import(link.href);
}
