/**
 * Addresses of scripts, where a page's policy asks for Trusted Types: its own worker, and one that was made here of files
 * whose hashes were compared. Nothing else in these modules makes a script of a text.
 * @module
 */

/** Where the service worker of the table stands (specs/page.md, "Without the server"). */
export const OFFLINE = '/page/ledger/web/ui/offline.js';

const trusted = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('rollproof', {
  createScriptURL: (/** @type {string} */ address) => {
    if (address === OFFLINE || address.startsWith('blob:')) return address;
    throw new TypeError('no script of this page');
  },
});

/** @param {string} address @returns {string} as a browser with Trusted Types takes it */
export const scriptAddress = (address) => (trusted ? trusted.createScriptURL(address) : address);
