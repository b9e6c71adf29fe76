/**
 * A seat that comes from another device (specs/page.md, "Moving").
 * @module
 */

import { html, useState } from './html.js';
import { Button, Fold } from './parts.js';
import { t, Told } from './words.js';

/** @typedef {import('../core/index.js').ScreenHere} Here */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** @param {{here: Here, table?: Table}} props without a table: the file says which one it is */
export function Moved({ here, table = undefined }) {
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [passphrase, setPassphrase] = useState('');
  const take = async () => {
    if (!file) throw new Told('Choose the file first.');
    if (table) await table.take(file, passphrase);
    else location.assign((await here.take(file, passphrase)).link);
  };
  return html`<${Fold} title=${t('I have a seat on another device')} className="card">
    <p>${t('On the other device choose “Move this seat”, and bring the file that it saves here. From then on the seat is here, and nowhere else.')}</p>
    <form onsubmit=${(event) => event.preventDefault()}>
      <div class="field"><label for="moved">${t('The file')}</label><input id="moved" type="file" accept=".json,application/json" onchange=${(event) => setFile(event.currentTarget.files?.[0] ?? null)} /></div>
      <div class="field"><label for="moved-passphrase">${t('Its passphrase')}</label><input id="moved-passphrase" type="password" autocomplete="current-password" value=${passphrase} oninput=${(event) => setPassphrase(event.currentTarget.value)} /></div>
      <${Button} onTap=${take}>${t('Take the seat here')}<//></form><//>`;
}
