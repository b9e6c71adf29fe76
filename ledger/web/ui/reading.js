/**
 * The page's answer to a line that somebody typed.
 * @module
 */

import { shown } from '../../../verifier/web/words.js';
import { html } from './html.js';
import { t } from './words.js';

/**
 * Says how a typed line was read, or why it cannot be, with a tap for each line that could be.
 * @param {{problem: string, lines?: string[], readAs: string, onLine?: (line: string) => void}} props
 */
export const Reading = ({ problem, lines = [], readAs, onLine = undefined }) => html`
  ${problem && html`<p class="problem">${problem}</p>`}
  ${
    lines.length > 0 &&
    onLine &&
    html`<div class="instead"><p class="hint">${t('This would be read. Tap to use it:')}</p>${lines.map(
      (line) => html`<button type="button" class="quiet" key=${line} onclick=${() => onLine(line)}>${shown(line)}</button>`,
    )}</div>`
  }
  ${readAs && html`<p class="hint read-as">${readAs}</p>`}`;
