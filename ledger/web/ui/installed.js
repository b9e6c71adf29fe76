/**
 * Has the browser keep the page for when its server cannot be reached (specs/page.md, "Without the server").
 * @module
 */

import { OFFLINE, scriptAddress } from '../../../verifier/web/trusted.js';

/** How long the page is left to itself before, in milliseconds. */
const LATER = 3000;

/** Keeps the page for when its server cannot be reached, where the browser does that. */
export function keepForLater() {
  if (!navigator.serviceWorker) return;
  setTimeout(() => navigator.serviceWorker.register(scriptAddress(OFFLINE), { scope: '/', updateViaCache: 'none' }).catch(() => undefined), LATER);
}
