/**
 * Asks, after the first game that was closed here, whether its owner keeps the profile safe (specs/profile.md).
 * @module
 */

import { html, useState } from './html.js';
import { Button, Section } from './parts.js';
import { Keep } from './profile.js';
import { t } from './words.js';

/** @typedef {import('../core/index.js').ScreenHere} Here */

/** Asks once, after the first game that was closed here. @param {{here: Here, closed: boolean}} props */
export function KeepSafe({ here, closed }) {
  const [, again] = useState(0);
  const [done, setDone] = useState(false);
  const { me } = here;
  if (!closed || me === null || ((me.kept || me.offered) && !done)) return null;
  if (done) return html`<p class="card narrow" role="status">${t('Saved. Keep the file where you still have it if you lose this device.')}</p>`;
  return html`<${Section} id="keep" title=${t('Keep yourself safe?')} className="late">
    <p>${t('If this browser is lost, a file makes you a new key, and shows that it is yours: for a season, a league, the same friends. It signs in no game.')}</p>
    <${Keep} here=${here} me=${me} onDone=${() => setDone(true)}><${Button} onTap=${async () => {
      await here.profileOffered();
      again((count) => count + 1);
    }}>${t('Not now')}<//><//><//>`;
}
