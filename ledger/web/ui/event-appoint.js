/**
 * Offices at an event: a key for the desk or a judge, and the organizer who appoints it.
 * @module
 */

import { readVerifierKey } from '../../../verifier/web/identities.js';
import { onEnter } from './event-parts.js';
import { html, useState } from './html.js';
import { Button, Fold, Handed, Section } from './parts.js';
import { Qr } from './qr.js';
import { tidy } from './sit.js';
import { mark, say, t, Told } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */

/** @param {string} role @returns {string} */
const officeWords = (role) => ({ judge: t('Judge'), head: t('Head judge'), organizer: t('Organizer') })[role] ?? role;

/** A key for the desk, or for a judge, until an organizer has appointed it. @param {{event: EventHere}} props */
export function Appointed({ event }) {
  const [name, setName] = useState('');
  const [other, setOther] = useState(false);
  const { seat } = event;
  if (event.here.ability) return html`<p class="loud doubt" role="alert">${say(event.here.ability)}</p>`;
  const taken = seat !== null && event.isTaken(seat.name);
  if (seat === null || other || taken) {
    const make = async () => {
      await event.beStaff(tidy(name));
      setName('');
      setOther(false);
    };
    return html`<${Section} id="staff" title=${t('Judges and desk')} className="narrow">
      ${taken ? html`<p class="loud doubt" role="alert">${t('{name} is a name that somebody has, or had, at this event. Nobody can appoint you by it: take another name.', { name: seat.name })}</p>` : html`<p>${t('Make a key in this browser. The organizer appoints it; then the judges’ queue stands here.')}</p>`}
      <div class="field"><label for="staff-name">${t('Your name')}</label><input id="staff-name" type="text" autocapitalize="off" enterkeyhint="go" value=${name} oninput=${(/** @type {any} */ e) => setName(e.currentTarget.value)} onkeydown=${onEnter} /></div>
      <p class="row"><${Button} kind="main" onTap=${make}>${t('Make a key')}<//>${other && !taken && html`<button type="button" onclick=${() => setOther(false)}>${t('Keep the name {name}', { name: seat.name })}</button>`}</p><//>`;
  }
  return html`<${Section} id="staff" title=${t('Waiting to be appointed')} className="narrow"><p class="lead">${t('Your name here: {name}', { name: seat.name })}</p>
    <p>${t('Show this to the organizer, or send the key. This screen goes on by itself.')}</p>
    <${Qr} text=${seat.key} label=${t('Your key as a QR code')} /><${Handed} text=${seat.key} label=${t('Your key')} />
    <p class="row"><button type="button" onclick=${() => setOther(true)}>${t('Another name')}</button></p>
    <p class="hint">${t('An organizer’s desk appoints you under “Judges and organizers”.')}</p>
    <p class="hint">${t('At a command line: rollproof event appoint EVENT KEY --role ROLE, which is judge, head or organizer')}</p><//>`;
}

/**
 * The people in office, and those to appoint, by the key that the other screen shows.
 * @param {{event: EventHere}} props
 */
export function Appoint({ event }) {
  const [text, setText] = useState('');
  const [role, setRole] = useState('judge');
  const [done, setDone] = useState(/** @type {import('./words.js').Message | null} */ (null));
  const key = text.trim();
  const appoint = async () => {
    const found = readVerifierKey(key);
    if (found === null) throw new Told('This is no key: paste all of what the other screen shows.');
    const { name } = found;
    if (/^p[0-9]+$/.test(name)) throw new Told('This is the key of a player’s phone: paste it under “Another phone, or a lost code”.');
    await event.act('appoint', { key, role });
    setDone({ text: mark('{name} is appointed.'), values: { name } });
    setText('');
  };
  return html`<${Fold} title=${t('Judges and organizers')} className="card">
    <ul class="tables">${[...event.log.people]
      .filter(([, { until }]) => until === null)
      .map(
        ([name, person]) => html`<li key=${name}><p><strong>${name}</strong> <span class="quietly">${officeWords(person.role)}</span></p></li>`,
      )}</ul>
    <p class="hint">${t('A judge, or whoever helps at the desk, opens this page with {end} behind the address, types a name, and shows a key. Paste it here.', { end: '#staff' })}</p>
    <div class="field"><label for="appoint-key">${t('Key to appoint')}</label><input id="appoint-key" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go" value=${text} oninput=${(
      /** @type {any} */ e,
    ) => {
      setDone(null);
      setText(e.currentTarget.value);
    }} onkeydown=${onEnter} /></div>
    <div class="keys" role="group" aria-label=${t('Office')}>${['judge', 'head', 'organizer'].map(
      (each) => html`
      <button type="button" key=${each} class="key" aria-pressed=${role === each} onclick=${() => setRole(each)}>${officeWords(each)}</button>`,
    )}</div>
    <p class="row"><${Button} key=${key} kind="main" onTap=${appoint}>${t('Appoint')}<//></p>
    ${done && html`<p class="quietly" role="status">${say(done)}</p>`}<//>`;
}
