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
  <p>${t('It is a participant of its own: your key was made here and stays here, every line is checked here, and your part in each roll is given by itself. Everything else is signed by a tap on a button that says what is signed.')}</p>
  <p>${t('The code of this page comes from the server, so a cheating server could send a cheating page, and no page can tell that of itself. To find out, compare its hash with the one that {command} prints at the end of its lines on a machine that you trust; and check the saved log there.', { command: 'rollproof web-manifest' })}</p>
  <p class="hint">${t('The manifest of this page:')} <code>${manifest() || '–'}</code></p>
  <p>${t('What dice mean, what can be done, and how a typed line is read is worked out here, by the rules themselves, once they are loaded: then nothing is signed that they refuse. Until then it is the server’s word, and marked as such. The rules are the same program as {command}, and no second opinion.', { command: 'rollproof verify' })}</p>
  ${licences() && html`<p class="hint"><a href=${licences()} target="_blank" rel="noopener">${t('Licences of what the rules run on')}</a></p>`}
<//>`;
