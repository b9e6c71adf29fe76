/**
 * Offices at an event: a key for the desk or a judge, and the organizer who appoints it.
 * @module
 */

import { readVerifierKey } from '../../../verifier/web/identities.js';
import { beStaff, isTaken } from '../core/event-keys.js';
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
  const taken = seat !== null && isTaken(event, seat.name);
  if (seat === null || other || taken) {
    const make = async () => {
      await beStaff(event, tidy(name));
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

/** What somebody has become, in one sentence each. */
const NOW = { judge: mark('{name} is a judge now.'), head: mark('{name} is head judge now.'), organizer: mark('{name} is an organizer now.') };

/** Somebody in office, and the way out of it. @param {{event: EventHere, name: string, role: string}} props */
function InOffice({ event, name, role }) {
  const [reason, setReason] = useState('');
  const dismiss = async () => {
    if (reason.trim() === '') throw new Told('Say why, in a few words.');
    await event.act('dismiss', { name, reason: reason.trim() });
  };
  const last = role === 'organizer' && [...event.log.people.values()].filter((each) => each.until === null && each.role === role).length < 2;
  return html`<li><p><strong>${name}</strong> <span class="quietly">${officeWords(role)}</span></p>
    ${
      !last &&
      html`<${Fold} title=${t('Dismiss {name}', { name })} className="plain"><p class="hint">${t('{name} signs nothing more at this event. For another office a new key is made, under another name.', { name })}</p>
      <div class="field"><label for=${`dismiss-${name}`}>${t('Why')}</label><input id=${`dismiss-${name}`} type="text" maxlength="400" value=${reason} oninput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} /></div>
      <p class="row"><${Button} kind="loudly" onTap=${dismiss}>${t('Dismiss')}<//></p><//>`
    }</li>`;
}

/**
 * The people in office, and those to appoint, by the key that the other screen shows. The office is chosen anew each
 * time.
 * @param {{event: EventHere}} props
 */
export function Appoint({ event }) {
  const [text, setText] = useState('');
  const [role, setRole] = useState(/** @type {keyof typeof NOW | null} */ (null));
  const [done, setDone] = useState(/** @type {import('./words.js').Message | null} */ (null));
  const key = text.trim();
  const appoint = async () => {
    const found = readVerifierKey(key);
    if (found === null) throw new Told('This is no key: paste all of what the other screen shows.');
    const { name } = found;
    if (/^p[0-9]+$/.test(name)) throw new Told('This is the key of a player’s phone: paste it under “Another phone, or a lost code”.');
    if (role === null) throw new Told('Choose the office of {name} first.', { name });
    await event.act('appoint', { key, role });
    setDone({ text: NOW[role], values: { name } });
    setText('');
    setRole(null);
  };
  const offices = /** @type {(keyof typeof NOW)[]} */ (Object.keys(NOW));
  return html`<${Fold} title=${t('Judges and organizers')} className="card">
    <ul class="tables">${[...event.log.people]
      .filter(([, { until }]) => until === null)
      .map(([name, person]) => html`<${InOffice} key=${name} event=${event} name=${name} role=${person.role} />`)}</ul>
    <p class="hint">${t('A judge, or whoever helps at the desk, opens this page with {end} behind the address, types a name, and shows a key. Paste it here.', { end: '#staff' })}</p>
    <div class="field"><label for="appoint-key">${t('Key to appoint')}</label><input id="appoint-key" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go" value=${text} oninput=${(
      /** @type {any} */ e,
    ) => {
      setDone(null);
      setText(e.currentTarget.value);
    }} onkeydown=${onEnter} /></div>
    <div class="keys" role="group" aria-label=${t('Office')}>${offices.map(
      (each) => html`
      <button type="button" key=${each} class="key" aria-pressed=${role === each} onclick=${() => setRole(each)}>${officeWords(each)}</button>`,
    )}</div>
    <p class="hint">${t('Whoever registers players or gives them phones at the desk is an organizer.')}</p>
    <p class="row"><${Button} key=${key} kind="main" onTap=${appoint}>${t('Appoint')}<//></p>
    ${done && html`<p class="lead" role="status">${say(done)}</p>`}<//>`;
}
