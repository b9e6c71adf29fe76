/**
 * About this page: who could change it, and how that would be noticed (specs/page.md).
 * @module
 */

import { html } from './html.js';
import { Fold } from './parts.js';
import { licences } from './rules.js';
import { t } from './words.js';

/** The hash of the manifest, as it stands in the first document. */
const manifest = () => document.querySelector('meta[name="rollproof-manifest"]')?.getAttribute('content') ?? '';

export const About = () => html`<${Fold} title=${t('About this page')} className="card about">
  <p>${t('This page takes part by itself: it made your key and keeps it, checks every line, and gives your part in each roll. It signs anything else only when you tap a button that says what is signed.')}</p>
  <p>${t('The code of this page comes from the server, so a cheating server could send a cheating page. A page cannot find this out by itself. Compare its hash with the one that {command} prints at the end of its lines on a machine that you trust. Check the saved log there too.', { command: 'rollproof web-manifest' })}</p>
  <p class="hint">${t('The manifest of this page:')} <code>${manifest() || '–'}</code></p>
  <p>${t('Once the rules are loaded, this page works out what dice mean, what can be done, and how a typed line is read. It then signs nothing that the rules refuse. Until then it shows the server’s word, and marks it as such. The rules are the same program as {command}, not a second opinion.', { command: 'rollproof verify' })}</p>
  ${licences() && html`<p class="hint"><a href=${licences()} target="_blank" rel="noopener">${t('Licences of what the rules run on')}</a></p>`}
<//>`;
