/**
 * A link to one roll, for whoever is not at the table: it has the proof in it.
 * @module
 */

import { rollLink } from '../core/share.js';
import { utf8 } from '../../../verifier/web/bytes.js';
import { save } from './files.js';
import { html, useEffect, useState } from './html.js';
import { Button, Handed, problemWords } from './parts.js';
import { t } from './words.js';

/** @typedef {import('../core/table.js').Table} Table */

/** @param {{table: Table, seq: number}} props */
export function ShareRoll({ table, seq }) {
  const [open, setOpen] = useState(false);
  const [names, setNames] = useState(false);
  const [made, setMade] = useState(/** @type {{link: string, proof: string} | null} */ (null));
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (!open) return undefined;
    let over = false;
    const make = async () => {
      const proof = table.proofOf(seq, names);
      const link = await rollLink(new URL('/verify', location.href).href, proof);
      if (!over) { setMade({ link, proof }); setProblem(''); }
    };
    make().catch((/** @type {unknown} */ error) => { if (!over) setProblem(problemWords(error)); });
    return () => { over = true; };
  }, [open, names]);
  if (!open) return html`<p><${Button} kind="quiet" onTap=${() => setOpen(true)}>${t('Show this roll to somebody')}<//></p>`;
  return html`<div class="share">
    <p>${t('Whoever opens this link has their browser check the roll. It shows that these dice were fair, and nothing of other rolls.')}</p>
    <p class="hint">${t('What you give away stays given: the proof is in the link, names too. Without a tick the page does not show them.')}</p>
    <p><label><input type="checkbox" checked=${names} onchange=${(event) => setNames(event.currentTarget.checked)} /> ${t('Show the names')}</label></p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${made && html`<${Handed} text=${made.link} label=${t('The link to this roll')} />
      <p><${Button} onTap=${() => save(`roll-${seq}.roll`, utf8(made.proof))}>${t('Save it as a file')}<//></p>`}
  </div>`;
}
