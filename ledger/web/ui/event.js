/**
 * An event on the phones of players and judges, and on the wall (specs/page.md, "An event").
 * @module
 */

import { checkIn, newPhone } from '../core/event-keys.js';
import { formerTables } from '../core/event-table.js';
import { useConnection } from './connection.js';
import { Game } from './game.js';
import { html, useEffect, useState } from './html.js';
import { Back } from './late.js';
import { OwnPlace } from './lost.js';
import { Line, Alerts } from './alerts.js';
import { Button, Fold, go, Guarded, Handed, SaveFiles, Section } from './parts.js';
import { Qr } from './qr.js';
import { Clock, contradicting, EventCode, namesOf, Outcome, signWords, Slip } from './event-parts.js';
import { ByHandHere, CorrectedResult, OwnPenalties, OwnResults, TableNews } from './event-own.js';
import { NotIn, OtherPhones, Replaced } from './event-phone.js';
import { LookOn } from './event-public.js';
import { Calling, callsThatWait, Staff } from './event-staff.js';
import { Wall } from './event-wall.js';
import { callPeople, say, t } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').EventTableNow} EventTableNow */
/** @typedef {import('../../../verifier/web/event/log.js').Round} Round */
/** @typedef {import('../core/event-table.js').EventTable} EventTable */
/** @typedef {import('../core/index.js').ScreenHere} Here */

/**
 * Says why the own table is another than before, with a link to its rolls.
 * @param {{event: EventHere, onLook: (former: import('../core/event-table.js').Former) => void}} props
 */
function Changed({ event, onLook }) {
  const number = /** @type {number} */ (event.number);
  const former = formerTables(event.log, number);
  if (former.length === 0) return null;
  const [{ opened }] = former;
  const table = event.log.place(number)?.table?.number ?? null;
  return html`<section class="loud doubt" role="alert" aria-labelledby="changed-title"><h2 id="changed-title">${t('Your table has changed')}</h2>
    <p>${t('Table {table} was ended, and the reason is: {why}', { table: opened.table, why: /** @type {string} */ (opened.why) })}</p>
    <p>${table === null ? t('You have no table now.') : t('You sit at table {table} now, in a new game.', { table })} ${t('What was rolled before stays in the record.')}</p>
    <p class="row">${former
      .filter((each) => each.opened.game !== null)
      .map(
        (each) =>
          html`<button type="button" key=${each.opened.game} onclick=${() => onLook(each)}>${t('The rolls so far, table {table}', { table: each.opened.table })}</button>`,
      )}</p></section>`;
}

/**
 * The own table: the opponents, the clock, the slip, a judge.
 * @param {{event: EventHere, onTable: () => void}} props
 */
function Mine({ event, onTable }) {
  const number = /** @type {number} */ (event.number);
  const place = event.log.place(number);
  const player = event.log.players.get(number);
  if (player?.state === 'dropped')
    return html`<${Section} id="mine" title=${t('You have dropped')}><p>${t('You play no further round. If that is a mistake, tell a judge.')}</p><//>`;
  if (event.log.closed)
    return html`<${Section} id="mine" title=${t('The event is over')}><p>${t('Thank you for playing.')}</p><${OwnResults} event=${event} /><//>`;
  if (place === null || (place.table === null && !place.bye) || place.round.state === 'ended') {
    return html`<${Section} id="mine" title=${t('You are in')}><p class="lead">${place?.round.state === 'ended' ? t('Round {round} is over.', { round: place.round.number }) : t('Nothing to do until the round begins.')}</p>
      <p class="quietly">${place !== null && place.round.number >= event.log.terms.rounds ? t('That was the last round.') : t('Your table appears here by itself.')}</p>${place?.table && html`<${Result} event=${event} table=${place.table} round=${place.round} />`}<//>`;
  }
  const { round, table } = place;
  if (table === null)
    return html`<${Section} id="mine" title=${t('Round {round}', { round: round.number })}><p class="lead">${t('You have a bye: no opponent this round.')}</p><${Clock} event=${event} round=${round} /><//>`;
  const others = table.sides.filter((side) => !side.includes(number)).flat();
  const game = place.opened?.game ?? null;
  const open = openCall(event, table, round);
  const call = () => event.act('call', { round: round.number, table: table.number, text: t('another phone') }).then(() => undefined);
  const phone = game === null || round.state !== 'running' || table.result !== null ? null : event.table();
  return html`${phone !== null && html`<${NotIn} key=${phone.gameId} table=${phone.table} called=${open !== null} onCall=${call} />`}
    <${Section} id="mine" title=${t('Round {round}, table {table}', { round: round.number, table: table.number })} className="mine">
      ${event.at !== null && event.at !== table.number && html`<p class="loud doubt" role="alert">${t('This is table {other}. You sit at table {table}.', { other: event.at, table: table.number })}</p>`}
      <p class="lead">${others.length > 0 ? t('against {names}', { names: namesOf(event, others) }) : t('You play alone.')}</p>
      <${Clock} event=${event} round=${round} extended=${table.extended} />
      ${table.byHand !== null && html`<${ByHandHere} table=${table} />`}
      <p class="row">${
        game !== null
          ? html`<button type="button" class=${table.byHand === null ? 'main' : ''} onclick=${onTable}>${table.byHand === null ? t('To the table') : t('The rolls so far')}</button>`
          : html`<span class="quietly" role="status">${round.state === 'pairing' ? t('The round has not started yet.') : t('The table is being opened…')}</span>`
      }</p><//>
    <${Result} event=${event} table=${table} round=${round} />
    ${round.state === 'running' && html`<${CallJudge} event=${event} table=${table} round=${round} />`}`;
}

/** The present slip of the own table. @param {{event: EventHere, table: EventTableNow, round: Round}} props */
function Result({ event, table, round }) {
  const [again, setAgain] = useState(false);
  const mine = table.sides.findIndex((side) => side.includes(/** @type {number} */ (event.number)));
  if (round.state === 'pairing') return null;
  const words = (/** @type {any[]} */ sides) => html`<${Outcome} event=${event} table=${table} sides=${sides} mine=${mine} />`;
  if (table.result !== null)
    return html`<${Section} id="result" title=${t('The result stands')}>${words(table.result)}<${CorrectedResult} event=${event} table=${table} /><//>`;
  const sign = async (/** @type {any[]} */ sides) => {
    await event.act('slip', { round: round.number, sides, table: table.number });
    setAgain(false);
  };
  const { claim } = table;
  if (claim !== null && !again) {
    const signed = claim.signed.includes(mine);
    const claims = contradicting(table);
    const own = claims.length > 0 ? table.claims.get(mine) : undefined;
    const agree =
      !signed &&
      html`<${Button} kind=${own ? '' : 'main'} onTap=${() => event.act('agree', { slip: claim.seq })}>${signWords(claim.sides, mine)}<//>`;
    const again_ = html`<button type="button" onclick=${() => setAgain(true)}>${t('It was otherwise')}</button>`;
    if (claims.length > 0)
      return html`<${Section} id="result" title=${t('Your results differ')} className="due">
      ${own && html`<p class="said">${t('You signed:')}</p>${words(own)}`}
      ${claims.filter(([at]) => at !== mine).map(([at, sides]) => html`<p class="said" key=${at}>${t('{names} signed:', { names: namesOf(event, table.sides[at]) })}</p>${words(sides)}`)}
      <p class="hint">${t('No result stands until you sign the same. If you cannot agree, call a judge, who sees what each of you signed.')}</p>
      <p class="row">${agree}${again_}</p><//>`;
    return html`<${Section} id="result" title=${signed ? t('Your opponent signs next') : t('Is this right?')} className=${signed ? '' : 'due'}>${words(claim.sides)}
      <p class="row">${agree}${again_}</p><//>`;
  }
  return html`<${Section} id="result" title=${t('When the match is over')}><${Slip} event=${event} table=${table} mine=${mine} onSign=${sign} /><//>`;
}

/** @param {EventHere} event @param {EventTableNow} table @param {Round} round @returns {import('../../../verifier/web/event/log.js').Call | null} of the table that nobody has answered */
const openCall = (event, table, round) =>
  [...event.log.calls.values()].find((call) => call.round === round.number && call.table === table.number && call.kind !== 'answer' && !call.done) ??
  null;

/** @param {{event: EventHere, table: EventTableNow, round: Round}} props */
function CallJudge({ event, table, round }) {
  const [text, setText] = useState('');
  const calls = [...event.log.calls].filter(([, call]) => call.round === round.number && call.table === table.number);
  const open = openCall(event, table, round);
  const answered = calls.filter(([, { kind }]) => kind === 'answer').at(-1);
  /** The words of the call that an answer is about; an appeal has none, so it is the call that was appealed. */
  const asked = (/** @type {import('../../../verifier/web/event/log.js').Call} */ answer) => {
    for (let call = event.log.calls.get(answer.of ?? -1); call !== undefined; call = event.log.calls.get(call.of ?? -1))
      if (call.kind === 'call') return call.text ? html`<q>${call.text}</q>` : t('without a word');
    return '';
  };
  const call = async () => {
    await event.act('call', { round: round.number, table: table.number, text });
    setText('');
  };
  return html`<${Section} id="judge" title=${t('A judge')}>
    ${
      answered &&
      html`<p class="earlier-call">${t('An earlier call:')} ${asked(answered[1])} <strong>${t('{judge} said:', { judge: answered[1].by })}</strong> <q>${answered[1].text}</q></p>
      ${!answered[1].done && !open && html`<p class="row"><${Button} onTap=${() => event.act('appeal', { answer: answered[0], text: '' })}>${t('Ask the head judge')}<//></p>`}`
    }
    ${
      open
        ? html`<p class="lead" role="status">${open.kind === 'appeal' ? t('The head judge is called.') : t('A judge is called, and comes.')}</p>`
        : html`<div class="field"><label for="why">${t('Why, in a word (you need not say)')}</label><input id="why" type="text" maxlength="200" value=${text} oninput=${(/** @type {any} */ e) => setText(e.currentTarget.value)} /></div>
      <p class="row"><${Button} kind="loudly" onTap=${call}>${t('Call a judge')}<//></p>`
    }<//>`;
}

/** Browsers inside other apps, and windows of a Wi-Fi login, may lose their storage when they close. */
const INSIDE = /\bFBA[NV]\b|Instagram|\bLine\/|MicroMessenger|\bTwitter|Snapchat|BytedanceWebview|; wv\)|CaptiveNetworkSupport|CaptivePortalLogin/;
/** Milliseconds by which a phone's clock may be off before the page says so. */
const OFF = 120_000;

/** Warns of what may go wrong with this phone, before its key is made. @param {{event: EventHere}} props */
function Doubts({ event }) {
  const minutes = Math.round(Math.abs(event.ahead) / 60_000);
  return html`${INSIDE.test(navigator.userAgent) && html`<p class="loud doubt" role="alert">${t('This page is open inside another app, or in the window of a Wi-Fi login. Your key would be gone when that closes: open the link in your phone’s own browser.')}</p>`}
    ${Math.abs(event.ahead) > OFF && html`<p class="loud doubt" role="alert">${t('The clock of this device is {count} {count:minute|minutes} off. Set it: what you sign is dated by it.', { count: minutes })}</p>`}`;
}

/** Milliseconds without a new line of the event after which a player who is not in it is not expected any more. */
const QUIET = 2_000;

/** Checks in at the door: one tap with the code in the link, otherwise one field. @param {{event: EventHere}} props */
function Door({ event }) {
  const [code, setCode] = useState('');
  const [player, setPlayer] = useState(/** @type {any} */ (undefined));
  const [looking, setLooking] = useState(event.code !== null);
  useEffect(() => {
    event.player().then(setPlayer);
    if (event.line !== 'live') return undefined;
    const timer = setTimeout(() => setLooking(false), QUIET);
    return () => clearTimeout(timer);
  }, [event.log.size, event.code, event.line]);
  const { ability } = event.here;
  const check = async () => {
    await checkIn(event, code.trim() || event.code || '');
    // Somebody who copies the address does not copy the code.
    history.replaceState(null, '', `/e/${event.id}`);
  };
  if (ability)
    return html`<p class="loud doubt" role="alert">${say(ability)}</p><p>${t('Scan the code with your phone’s own browser, or go to the desk.')}</p>`;
  if (player?.state === 'in')
    return html`<${Section} id="door" title=${t('Somebody has checked in with this code')} className="narrow"><p class="loud doubt">${t('If that was you, use the phone with which you did. If not, go to the desk: they give you another key.')}</p><//>`;
  if (!player && event.code !== null && looking)
    return html`<${Section} id="door" title=${t('Check in')} className="narrow"><p role="status">${t('Your registration is being looked for…')}</p><//>`;
  return html`<${Section} id="door" title=${t('Check in')} className="narrow"><${Doubts} event=${event} />
    ${
      event.code !== null && player
        ? html`<p class="lead">${t('You are {name}, number {number}.', { name: event.nameOf(player.number), number: player.number })}</p>`
        : html`<div class="field"><label for="code">${t('Your code')}</label><input id="code" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" value=${code} oninput=${(/** @type {any} */ e) => setCode(e.currentTarget.value)} />
      <p class="hint">${t('It came with your registration. Without one, go to the desk.')}</p></div>`
    }
    <p class="row"><${Button} kind="main" onTap=${check}>${t('I am here')}<//></p>
    <p class="hint">${t('This makes a key in this browser, with which your phone plays all day. Use the same phone, and this browser.')}</p><//>`;
}

/** @param {EventHere} event @returns {boolean} whether this phone has a key that the desk has not given to its player yet */
const waitsForDesk = ({ seat, number, code, isReplaced }) => Boolean(seat?.number) && number === null && code === null && !isReplaced;

/**
 * A phone whose player has no code, or has lost an earlier phone. It makes a key, which the desk gives to the player.
 * @param {{event: EventHere}} props
 */
function LostPhone({ event }) {
  const [number, setNumber] = useState('');
  const { seat } = event;
  if (waitsForDesk(event)) {
    const link = `${event.here.address}/e/${event.id}#staff.${seat.key}`;
    return html`<${Section} id="lost" title=${t('Show this at the desk')} className="narrow"><p class="lead">${t('Number {number}', { number: seat.number })}</p>
      <${Qr} text=${link} label=${t('Key of the phone')} /><${Handed} text=${seat.key} label=${t('Key of the phone')} />
      <p class="quietly" role="status">${t('The organizer scans it, and gives the phone to you. This screen goes on by itself.')}</p><//>`;
  }
  return html`<${Fold} title=${t('No code, or another phone than before')} className="card">
    <div class="field"><label for="lost-number">${t('Your number')}</label><input id="lost-number" type="text" inputmode="numeric" value=${number} oninput=${(/** @type {any} */ e) => setNumber(e.currentTarget.value)} /></div>
    <p class="row"><${Button} onTap=${() => newPhone(event, Number(number))}>${t('Make a key for this phone')}<//></p><//>`;
}

/** @param {{event: EventHere}} props */
function Leave({ event }) {
  const number = /** @type {number} */ (event.number);
  return html`<${Fold} title=${t('Drop from the event')} className="card"><p>${t('You play no further round. The head judge or the organizer can bring you back.')}</p>
    <p class="row"><${Button} kind="loudly" onTap=${() => event.act('drop', { number, reason: 'player' })}>${t('Drop')}<//></p><//>`;
}

/**
 * The player who acts now, of those who share this device.
 * @param {{event: EventHere, onChange: (number: number | null) => Promise<void>}} props
 */
function Shared({ event, onChange }) {
  const { seats, seat } = event;
  if (seats.length < 2 && (seats.length === 0 || seat !== null)) return null;
  return html`<p class="row shared" role="group" aria-label=${t('Players on this device')}>${seats.map(
    ({ number }) =>
      html`<button key=${number} type="button" class="key" aria-pressed=${seat?.number === number} onclick=${() => onChange(number)}>${event.nameOf(number)}</button>`,
  )}</p>`;
}

/** Lets another player sit down at this device. @param {{event: EventHere}} props */
function AnotherPlayer({ event }) {
  return html`<${Fold} title=${t('Another player on this device')} className="card"><p>${t('Each of you has a key of your own here, and the device opens for all of you. Whoever holds it can act for all: share it only with people whom you trust.')}</p>
    <p class="row"><${Button} onTap=${() => event.change(null)}>${t('Let another player in')}<//></p><//>`;
}

/** The own table, with the way back. @param {{here: Here, at: EventTable, onBack: () => void, children?: any}} props */
function AtTable({ here, at, onBack, children }) {
  const { table } = at;
  const [snapshot, setSnapshot] = useState(table.snapshot);
  useEffect(() => {
    const stop = table.subscribe(setSnapshot);
    Promise.resolve(table.connect()).catch(() => undefined);
    return stop;
  }, [table]);
  const files = table.evidence();
  return html`<p class="row back"><button type="button" onclick=${onBack}>${t('← To the event')}</button><${Line} snapshot=${snapshot} /></p>${children}
    ${snapshot.game && html`<${Guarded} on=${snapshot}><${OwnPlace} snapshot=${snapshot} /><${Back} table=${table} snapshot=${snapshot} /><${OtherPhones} at=${at} snapshot=${snapshot} /><//>`}
    <${Alerts} table=${table} snapshot=${snapshot} />
    ${
      snapshot.stage === 'refused'
        ? html`<section class="loud bad narrow" role="alert"><h2>${t('Something here is not as it was signed')}</h2><p>${say(snapshot.problem)}</p>
      ${files.length > 0 && html`<p class="row"><${SaveFiles} kind="main" files=${files}>${t('Save the evidence')}<//></p>`}</section>`
        : snapshot.game === null
          ? html`<p class="card quietly" role="status">${t('The game is being fetched and checked…')}</p>`
          : html`<${Guarded} on=${snapshot}><${Game} here=${here} table=${table} snapshot=${snapshot} /><//>`
    }`;
}

/** What the browser remembers of a step to a table. */
const AT_TABLE = 'at a table';

/** The event's part of the page of a table: its time, its result, a judge. @param {{event: EventHere, at: EventTable, onBack: () => void}} props */
function AtEvent({ event, at, onBack }) {
  const { opening, opened } = at;
  const round = event.log.rounds[opening.round - 1];
  const table = opened.cancelled ? undefined : round?.tables.get(opened.table);
  if (round === undefined || table === undefined) return null;
  const calls = !event.staff && event.number !== null && round.state === 'running' && table.result === null;
  return html`<${TableNews} event=${event} round=${round} table=${table} onBack=${onBack} />${calls && html`<${Fold} title=${t('Call a judge')} className="plain calls-judge"><${CallJudge} event=${event} table=${table} round=${round} /><//>`}`;
}

/** @param {{here: Here, event: EventHere}} props */
function Inside({ here, event }) {
  const [at, setAt] = useState(/** @type {EventTable | null} */ (null));
  const toTable = (/** @type {number | null} */ number) => {
    setAt(event.table(number));
    scrollTo(0, 0);
  };
  const lookBack = (/** @type {import('../core/event-table.js').Former} */ former) => {
    setAt(event.lookBack(former));
    scrollTo(0, 0);
  };
  /** Back from a table, the page scrolls to the top, where there may be news. */
  const leave = () => {
    event.past = null;
    setAt(null);
    scrollTo(0, 0);
  };
  /** A table is a step of its own: the phone's own Back leads to the event. */
  const back = () => {
    leave();
    if (history.state === AT_TABLE) history.back();
  };
  useEffect(() => {
    if (at === null) return undefined;
    history.scrollRestoration = 'manual';
    if (history.state !== AT_TABLE) history.pushState(AT_TABLE, '');
    addEventListener('popstate', leave);
    return () => removeEventListener('popstate', leave);
  }, [at]);
  useEffect(() => {
    // at another table or in another round, back to the notice of it
    const mine = event.number !== null && !event.staff ? event.log.place(event.number)?.opened?.game : at?.gameId;
    if (at !== null && mine !== at.gameId && at.gameId !== event.past) back();
  }, [event.log.size]);
  const change = async (/** @type {number | null} */ number) => {
    await event.change(number);
    if (at !== null) toTable(null);
  };
  callPeople([...event.names].map(([number, called]) => ({ name: `p${number}`, called })));
  const shared = html`<${Shared} event=${event} onChange=${change} />`;
  if (event.cheated)
    return html`<section class="loud bad narrow" role="alert"><h2>${t('Something here is not as it was signed')}</h2><p>${say(event.problem)}</p>
    <p class="row"><${SaveFiles} kind="main" files=${event.files()}>${t('Save the evidence')}<//></p></section>`;
  if (event.log.size === 0)
    return html`<p class="card quietly" role="status">${event.problem ? say(event.problem) : t('The event is being fetched and checked…')}</p>`;
  if (event.wall) return html`<${Wall} event=${event} />`;
  const toQueue = () => {
    if (at !== null) back();
    setTimeout(() => go('queue')); // when it is there
  };
  const calling = event.staff && html`<${Calling} event=${event} onQueue=${toQueue} />`;
  if (at !== null)
    return html`${calling}<${AtTable} key=${`${at.gameId} ${at.own?.key}`} here=${here} at=${at} onBack=${back}>${event.staff ? null : shared}<${AtEvent} event=${event} at=${at} onBack=${back} />${at.gameId === event.past && html`<p class="loud doubt">${t('This game was ended. Nothing more is rolled in it.')}</p>`}<//>`;
  if (event.staff) return html`${calling}<${Staff} event=${event} onTable=${toTable} />`;
  if (event.number === null)
    return html`<div class="narrow">${shared}</div>${event.isReplaced ? html`<${Replaced} event=${event} />` : !waitsForDesk(event) && html`<${Door} event=${event} />`}${!event.here.ability && html`<${LostPhone} event=${event} />`}<${LookOn} event=${event} />`;
  return html`<div class="narrow">${shared}<${OwnPenalties} event=${event} /><${Changed} event=${event} onLook=${lookBack} /><${Mine} event=${event} onTable=${() => toTable(null)} />${event.log.players.get(event.number)?.state === 'in' && !event.log.closed && html`<${AnotherPlayer} event=${event} /><${Leave} event=${event} />`}
    <p class="quietly">${t('You are {name}, number {number}.', { name: event.nameOf(event.number), number: event.number })}</p>
    <${Fold} title=${t('Does everybody see the same event?')} className="card"><${EventCode} event=${event} /><p class="hint">${t('The wall shows the code too. Who has the same code for the same number of lines sees the same event; otherwise tell a judge.')}</p><//></div>`;
}

/** @param {{here: Here, event: EventHere, onTitle: () => void}} props */
export function EventPage({ here, event, onTitle }) {
  const [, again] = useState(0);
  const title = event.log.terms?.title ?? '';
  const calls = event.staff ? callsThatWait(event).length : 0;
  useEffect(() => {
    document.title = `${calls > 0 ? `(${calls}) ` : ''}${title ? `${title} · ` : ''}Rollproof`;
    onTitle();
  }, [title, calls]);
  useConnection(event, () => again((count) => count + 1));
  return html`${event.line === 'away' && html`<p class="loud doubt" role="status">${t('The server does not answer. What you sign is sent when it is back.')}</p>`}
    ${event.problem !== null && !event.cheated && event.log.size > 0 && html`<p class="loud doubt" role="alert">${say(event.problem)}</p>`}
    <${Guarded} on=${event.log.size}><${Inside} here=${here} event=${event} /><//>`;
}
