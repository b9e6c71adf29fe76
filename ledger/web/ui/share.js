/**
 * Links to one roll, for people who are not at the table: a long one with the proof in it, and a short one that the
 * server keeps.
 * @module
 */

import { rollLink } from '../core/share.js';
import { utf8 } from '../../../verifier/web/bytes.js';
import { save } from './files.js';
import { html, useEffect, useRef, useState } from './html.js';
import { Button, Handed, problemWords } from './parts.js';
import { t } from './words.js';

/** @typedef {import('../core/index.js').ScreenTable} Table */

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
      const proof = table.sharing.proofOf(seq, names);
      const link = await rollLink(new URL('/verify', location.href).href, proof);
      if (!over) {
        setMade({ link, proof });
        setProblem('');
      }
    };
    make().catch((/** @type {unknown} */ error) => {
      if (!over) setProblem(problemWords(error));
    });
    return () => {
      over = true;
    };
  }, [open, names]);
  if (!open) return html`<p><${Button} kind="quiet" onTap=${() => setOpen(true)}>${t('Show this roll to somebody')}<//></p>`;
  return html`<div class="share">
    <p>${t('If somebody opens this link, their browser checks the roll. The link shows that these dice were fair, and nothing about other rolls.')}</p>
    <p class="hint">${t('You cannot take this back: the proof is in the link, and so are the names. Without a tick, the page does not show them.')}</p>
    <p><label><input type="checkbox" checked=${names} onchange=${(event) => setNames(event.currentTarget.checked)} /> ${t('Show the names')}</label></p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      made &&
      html`<${Handed} text=${made.link} label=${t('The link to this roll')} />
      <p><${Button} onTap=${() => save(`roll-${seq}.roll`, utf8(made.proof))}>${t('Save it as a file')}<//></p>`
    }
    <${Short} table=${table} seq=${seq} names=${names} />
  </div>`;
}

/**
 * The short link. The party that asked for the roll makes it and takes it back, and others read whether there is one.
 * @param {{table: Table, seq: number, names: boolean}} props
 */
function Short({ table, seq, names }) {
  const [found, setFound] = useState(/** @type {import('../core/share.js').Published[] | null} */ (null));
  const here = useRef(true);
  useEffect(
    () => () => {
      here.current = false;
    },
    [],
  );
  const look = async () => {
    const rolls = (await table.sharing.published()).filter(({ request }) => request === seq);
    if (here.current) setFound(rolls);
  };
  useEffect(() => {
    look().catch(() => undefined);
  }, []); // if the server does not say, there is none to be shown
  const own = table.sharing.isOwnRoll(seq);
  const change = (/** @type {() => Promise<unknown>} */ doing) => async () => {
    await doing();
    await look();
  };
  if (!own) {
    return (found ?? [])
      .slice(0, 1)
      .map(({ party }) => html`<p key=${party} class="hint">${t('{name} has published this roll under a short link.', { name: party })}</p>`);
  }
  return html`<div class="short">
    ${found?.map(
      ({ names: shown, roll }) => html`<div key=${roll}>
      <p class="hint">${shown ? t('The short link, with names') : t('The short link, without names')}</p>
      <${Handed} text=${table.sharing.publishedLink(roll)} label=${shown ? t('The short link, with names') : t('The short link, without names')} />
      <p><${Button} kind="quiet" onTap=${change(() => table.sharing.revoke(roll))}>${t('Take this link back')}<//></p></div>`,
    )}
    ${
      found?.length === 0 &&
      html`<p class="hint">${t('Or a short link, which this server keeps until you take it back. A chat shows its dice as a picture. Everybody at the table can see that the roll is published. Without names, the page shows no names, but the proof in it has them.')}</p>
      <p><${Button} onTap=${change(() => table.sharing.publish(seq, names))}>${names ? t('Publish it under a short link, with names') : t('Publish it under a short link, without names')}<//></p>`
    }
  </div>`;
}
