/**
 * Has the browser keep the page for times when its server cannot be reached (specs/page.md, "Without the server").
 * @module
 */

import { OFFLINE, scriptAddress } from '../../../verifier/web/trusted.js';

/** Milliseconds that the page is left to itself before that. */
const LATER = 3000;

/** Keeps the page for times when its server cannot be reached, if the browser can. */
export function keepForLater() {
  if (!navigator.serviceWorker) return;
  setTimeout(() => navigator.serviceWorker.register(scriptAddress(OFFLINE), { scope: '/', updateViaCache: 'none' }).catch(() => undefined), LATER);
}
