/**
 * Another phone at an open table: what a judge does there, and what the phone shows until it is let in (specs/page.md, "An event").
 * @module
 */

import { html, useEffect, useState } from './html.js';
import { Button, Section } from './parts.js';
import { listed, t } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../core/event-table.js').EventTable} EventTable */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').ShownWaiting} ShownWaiting */
/** @typedef {import('../core/table.js').Table} Table */

/**
 * One player with another phone: one tap, and one confirmation that says all that it does.
 * @param {{at: EventTable, name: string, waiting: ShownWaiting | null}} props
 */
function LetIn({ at, name, waiting }) {
  const [asked, setAsked] = useState(false);
  const due = waiting?.awaited.includes(name) === true;
  if (waiting !== null && !due)
    return html`<p class="waits">${t('A roll waits for {names}. When its dice are there, {name} can go on.', { names: listed(waiting.awaited), name })}</p>`;
  if (!asked)
    return html`<p>${t('The organizer has given {name} another phone, and the game goes on with the old one until you say that it is gone. Look whether it is {name} who holds the other one.', { name })}</p>
      <p class="row"><button type="button" class="main" onclick=${() => setAsked(true)}>${t('{name} goes on with the other phone', { name })}</button></p>`;
  // The closer too, as long as it has not opened: it opens last.
  const missing = (waiting?.contributors ?? []).filter((each) => waiting?.awaited.includes(each) && waiting.absent.includes(each));
  const go = () => at.letOtherPhone(name, waiting?.seq ?? null, missing);
  const notYet = html`<button type="button" onclick=${() => setAsked(false)}>${t('Not yet')}</button>`;
  if (waiting === null)
    return html`<p>${t('You sign that {name} is away. Then the other phone is let in and comes back by itself.', { name })}</p>
      <p class="row"><${Button} kind="main" onTap=${go}>${t('Yes, the old phone is gone')}<//>${notYet}</p>`;
  const { closer } = waiting;
  return html`<p>${t('A roll waits for the old phone. You call it off, and sign that {name} is away. The same roll is then owed, with new dice, and the other phone is let in and comes back by itself.', { name })}</p>
    <p>${
      closer === name
        ? t(
            'First {name} says to you that the old phone has not given its part in this roll, and will not any more. If the old phone still works, {name} taps “Take no part in this roll” on it. Without that word do not call the roll off: the server may know the dice.',
            { name },
          )
        : t(
            'First ask {closer}, by another way than this server. The screen of {closer} says whether its part in this roll is given. If it is not, {closer} taps “Take no part in this roll” there, and you call the roll off. If it is, do not: the server may know the dice.',
            { closer },
          )
    }</p>
    <p class="row"><${Button} kind="danger" onTap=${go}>${t('{closer} has told me so: call the roll off, and {name} goes on', { closer, name })}<//>${notYet}</p>`;
}

/** The players at a judge's table who have another phone. @param {{at: EventTable, snapshot: InGame}} props */
export function OtherPhones({ at, snapshot }) {
  const { game, me, stage, trouble } = snapshot;
  if (stage !== 'playing' || trouble || me?.role !== 'judge' || !me.seated) return null;
  const phones = me.joined || game.waiting !== null ? at.otherPhones : []; // else it joins in a moment
  return phones.map(
    ({ name, comes }) => html`<${Section} key=${name} id=${`phone-${name}`} title=${t('{name} has another phone', { name })} className="late">
    ${
      comes
        ? html`<p class="waits" role="status">${t('The other phone is let in now: its page must be open.')}</p>`
        : !me.joined
          ? html`<p class="waits">${t('A roll waits, and you had not come to this table before it was asked for, so you cannot call it off. {closer} can, on the own screen, as long as {closer} has not given a part in the roll. Otherwise the desk corrects the pairing of this table, and it begins a new game.', { closer: game.waiting?.closer ?? '' })}</p>`
          : html`<${LetIn} key=${game.waiting?.seq ?? ''} at=${at} name=${name} waiting=${game.waiting} />`
    }<//>`,
  );
}

/**
 * On the other phone, until it is in the game of its table. @param {{table: Table, called: boolean, onCall: () => Promise<void>}} props
 * `called`: a judge is called to the table
 */
export function NotIn({ table, called, onCall }) {
  const [snapshot, setSnapshot] = useState(table.snapshot);
  useEffect(() => table.subscribe(setSnapshot), [table]);
  const awaits = snapshot.me?.awaits ?? null;
  if (awaits === null) return null;
  return html`<${Section} id="not-in" title=${t('This is your phone now')} className="due">${
    awaits === 'server'
      ? html`<p role="status">${t('The judge has let it in. It joins your table’s game by itself.')}</p>`
      : html`<p class="lead">${t('A judge has to come to your table, and let this phone into the game. Nothing that was rolled is lost.')}</p>
      ${!called && html`<p class="row"><${Button} kind="main" onTap=${onCall}>${t('Call a judge for this')}<//></p>`}`
  }<//>`;
}

/** On the old phone, when the desk has given the player another one. @param {{event: EventHere}} props */
export const Replaced = ({ event }) => html`<${Section} id="replaced" title=${t('Another phone acts for you now')} className="narrow">
    <p class="loud doubt" role="alert">${t('The desk has given the number {number} to another phone. This one signs nothing more at the event. If the other phone is not yours, tell the organizer at once.', { number: event.seat.number })}</p><//>`;
