/**
 * The organizer's desk: walk-ins, lists in and out, the round.
 * @module
 */

import { bundle, register, screenCode } from '../core/event-desk.js';
import { csvText, readLinks, readPairings, readPlayers } from '../core/event-lists.js';
import { Appoint } from './event-appoint.js';
import { EventCode, namesOf, Seated } from './event-parts.js';
import { PairByHand } from './event-pair.js';
import { PlayerCards, Print } from './event-print.js';
import { VerifiedGames, verified, verifyRounds } from './event-verified.js';
import { saveList, saveResults } from './event-results.js';
import { fileName, save } from './files.js';
import { html, useState } from './html.js';
import { Button, Fold, Handed, Section } from './parts.js';
import { Qr } from './qr.js';
import { t, Told } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('./event-print.js').Handed} Handed */

/**
 * The numbers of tables without a result, or of players registered here, that are named; and of players who are not in.
 */
const LACKING = 8;
const MISSING = 40;

/**
 * A list from another program. The same file can be chosen again when it is repaired: browsers tell of no choice that
 * changes nothing, so none is kept.
 * @param {{id: string, label: string, onText: (text: string) => void}} props
 */
function ListIn({ id, label, onText }) {
  const [name, setName] = useState('');
  const read = async (/** @type {any} */ e) => {
    const input = e.currentTarget;
    const [file] = input.files;
    if (!file) return;
    setName(file.name);
    onText(await file.text());
    input.value = '';
  };
  return html`<div class="field"><label for=${id}>${label}</label>
  <input id=${id} type="file" accept=".csv,text/csv,text/plain" onchange=${read} />
  ${name !== '' && html`<p class="hint" role="status">${t('Read: {file}', { file: name })}</p>`}</div>`;
}

/** @param {{problems: {line: number, problem: any}[]}} props */
const Problems = ({ problems }) =>
  problems.length === 0
    ? null
    : html`<ul class="problem" role="alert">${problems.slice(0, 50).map(({ line, problem }) => html`<li key=${line}>${t('Line {line}: {problem}', { line, problem })}</li>`)}</ul>`;

/**
 * Cards with codes to hand out: of the players just registered, or from the list of links that was saved.
 * @param {{event: EventHere, made: Handed[], onPrint: (players: Handed[]) => void}} props
 */
function CodesOnPaper({ event, made, onPrint }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const list = text === null ? null : readLinks(text, { address: event.here.address, event: event.id });
  const print = (/** @type {Handed[]} */ players) =>
    html`<p class="row"><button type="button" class="main" onclick=${() => onPrint(players)}>${t('Print {count} {count:card|cards}', { count: players.length })}</button></p>`;
  return html`<${Fold} title=${t('Players’ codes on paper')} className="plain"><p class="hint">${t('A card for each player to cut out, with name, number and code. Only this screen and the saved list have the codes: the server does not.')}</p>
    ${
      made.length > 0 &&
      html`<p>${t('Registered here: {names}', {
        names: namesOf(
          event,
          made.slice(0, LACKING).map(({ number }) => number),
        ),
      })}${made.length > LACKING ? ' …' : ''}</p>${print(made)}`
    }
    <${ListIn} id="links-file" label=${t('The list with the links, as it was saved')} onText=${setText} />
    ${list && html`<${Problems} problems=${list.problems} />${list.problems.length === 0 && list.players.length > 0 && print(list.players)}`}<//>`;
}

/** @param {EventHere} event @param {string} code @returns {string} */
const linkOf = (event, code) => `${event.here.address}/e/${event.id}#${code}`;

/** @param {EventHere} event @returns {import('../../../verifier/web/event/log.js').Player[]} its players, by number */
const byNumber = (event) => [...event.log.players.values()].sort((a, b) => a.number - b.number);

/** How many players are in, and who is not. @param {{event: EventHere}} props */
function WhoIsIn({ event }) {
  const players = byNumber(event);
  const [missing, dropped] = ['registered', 'dropped'].map((is) => players.filter(({ state }) => state === is).map(({ number }) => number));
  return html`<p class="lead">${t('{count} of {all} {all:player|players} {count:is|are} in.', { count: players.filter(({ state }) => state === 'in').length, all: players.length })}</p>
    ${missing.length > 0 && html`<p>${t('Not in yet: {names}', { names: namesOf(event, missing.slice(0, MISSING)) })}${missing.length > MISSING ? ' …' : ''}</p>`}
    ${dropped.length > 0 && html`<p>${t('Dropped: {names}', { names: namesOf(event, dropped.slice(0, MISSING)) })}${dropped.length > MISSING ? ' …' : ''}</p>`}`;
}

/** @param {EventHere} event */
const saveWhoIsIn = (event) =>
  saveList(
    event,
    'players',
    csvText(
      ['number', 'name', 'state'],
      byNumber(event)
        .filter(({ state }) => state === 'in')
        .map(({ number, state }) => [number, event.names.get(number) ?? '', state]),
    ),
  );

/** Registers one player, and shows the code to scan. @param {{event: EventHere, onMade: (players: Handed[]) => void}} props */
function WalkIn({ event, onMade }) {
  const [name, setName] = useState('');
  const [handed, setHanded] = useState(/** @type {Handed | null} */ (null));
  const add = async () => {
    const { players, problems } = readPlayers(`name\n"${name.trim().replaceAll('"', '""')}"`, event.log.players.keys());
    if (name.trim() === '') throw new Told('Type a name first.');
    if (problems.length > 0) throw new Told(problems[0].problem);
    const [{ code, ...walkIn }] = await register(event, players);
    const made = { ...walkIn, link: linkOf(event, code) };
    setHanded(made);
    onMade([made]);
    setName('');
  };
  return html`<div class="field"><label for="walk-in">${t('A walk-in’s name')}</label><input id="walk-in" type="text" maxlength="100" value=${name} oninput=${(/** @type {any} */ e) => setName(e.currentTarget.value)} /></div>
    <p class="row"><${Button} kind="main" onTap=${add}>${t('Register')}<//></p>
    ${
      handed &&
      html`<div class="handed-code"><p>${t('{name} is number {number}. Let them scan this, and nobody else:', { name: handed.name, number: handed.number })}</p>
      <${Qr} text=${handed.link} label=${t('Link of {name}', { name: handed.name })} /><${Handed} text=${handed.link} label=${t('Link of {name}', { name: handed.name })} />
      <p class="row"><button type="button" onclick=${() => setHanded(null)}>${t('Done')}</button></p></div>`
    }`;
}

/** Registers all players of a list, and saves their links. @param {{event: EventHere, onMade: (players: Handed[]) => void}} props */
function PlayerList({ event, onMade }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const [registered, setRegistered] = useState(0);
  const list = text === null ? null : readPlayers(text, event.log.players.keys());
  const all = async () => {
    if (list === null) return;
    const made = (await register(event, list.players)).map(({ code, ...each }) => ({ ...each, link: linkOf(event, code) }));
    saveList(
      event,
      'codes',
      csvText(
        ['number', 'name', 'link'],
        made.map(({ number, name, link }) => [number, name, link]),
      ),
    );
    setText(null);
    setRegistered(made.length);
    onMade(made);
  };
  return html`<${Fold} title=${t('A list of players (CSV)')} className="plain"><${ListIn} id="players-file" label=${t('The list')} onText=${setText} />
      ${registered > 0 && text === null && html`<p role="status">${t('{count} {count:player|players} {count:is|are} registered. Their links are in the file that was saved.', { count: registered })}</p>`}
      ${
        list &&
        html`<${Problems} problems=${list.problems} />${
          list.problems.length === 0 &&
          html`<p>${t('{count} {count:player|players} would be registered.', { count: list.players.length })}</p>
        <p class="row"><${Button} kind="main" onTap=${all}>${t('Register them, and save their links')}<//></p>`
        }`
      }<//>`;
}

/** @param {{event: EventHere, onPrint: (players: Handed[]) => void}} props */
function Players({ event, onPrint }) {
  const [made, setMade] = useState(/** @type {Handed[]} */ ([]));
  const add = (/** @type {Handed[]} */ more) => setMade([...made, ...more]);
  return html`<${Section} id="register" title=${t('Players')}>
    <${WhoIsIn} event=${event} />
    <${WalkIn} event=${event} onMade=${add} />
    <${PlayerList} event=${event} onMade=${add} />
    <${CodesOnPaper} event=${event} made=${made} onPrint=${onPrint} />
    <p class="row"><${Button} onTap=${() => saveWhoIsIn(event)}>${t('Save who is in (CSV)')}<//></p><//>`;
}

/** @param {{event: EventHere, tables: {table: number, sides: number[][]}[]}} props */
const Preview = ({ event, tables }) =>
  html`<ul class="preview">${tables.map(({ table, sides }) => html`<li key=${table}><b>${table}</b> ${sides.map((side) => t('{names}', { names: namesOf(event, side) })).join(' : ')}</li>`)}</ul>`;

/**
 * Publishes the pairings of a round from a list.
 * @param {{event: EventHere, number: number, text: string | null, onText: (text: string | null) => void}} props `number`: of the round
 */
function Pairings({ event, number, text, onText }) {
  const list = text === null ? null : readPairings(text, event.names, event.log.players); // names may still be on their way
  const publish = async () => {
    if (list === null) return;
    for (let at = 0; at === 0 || at < list.tables.length; at += 600) {
      await event.act('pair', { byes: at === 0 ? list.byes : [], round: number, tables: list.tables.slice(at, at + 600) });
    }
    onText(null);
  };
  return html`<${ListIn} id="pairings-file" label=${t('Pairings from your tool (CSV)')} onText=${onText} />
      ${
        list &&
        html`<${Problems} problems=${list.problems} />${
          list.problems.length === 0 &&
          html`<${Preview} event=${event} tables=${list.tables} />
        ${list.byes.length > 0 && html`<p>${t('With a bye: {names}', { names: namesOf(event, list.byes) })}</p>`}
        <p class="row"><${Button} kind="main" onTap=${publish}>${t('Publish')}<//><button type="button" onclick=${() => onText(null)}>${t('Not yet')}</button></p>`
        }`
      }`;
}

/** The first tables without a result. @param {{event: EventHere, open: import('../../../verifier/web/event/log.js').EventTableNow[]}} props */
const Lacking = ({ event, open }) => html`<ul class="tables lacking">${open
  .sort((a, b) => a.number - b.number)
  .slice(0, LACKING)
  .map(
    (each) =>
      html`<li key=${each.number}><p><strong>${t('Table {table}', { table: each.number })}</strong> ${t('{names}', { names: namesOf(event, each.sides.flat()) })}
              <span class="quietly">${each.claim === null ? '' : t('waits for a signature')}</span> <${Seated} event=${event} table=${each} /></p></li>`,
  )}
        ${open.length > LACKING && html`<li class="quietly">${t('and {count} {count:table|tables} more', { count: open.length - LACKING })}</li>`}</ul>`;

/**
 * The end of the round: why tables are left without a result, the results to save, and what its games' dice were.
 * @param {EventHere} event
 */
function useEnd(event) {
  const { round } = event.log;
  const [reason, setReason] = useState('');
  const [games, setGames] = useState(/** @type {import('./event-verified.js').Verified | null} */ (null));
  const open = round === null ? [] : [...round.tables.values()].filter(({ result }) => result === null);
  const end = async () => {
    if (open.length > 0 && reason.trim() === '') throw new Told('Say why tables are left without a result.');
    await event.act('end', { left: open.map(({ number }) => ({ reason: reason.trim(), table: number })), round: round?.number });
    setReason('');
    saveResults(event, /** @type {any} */ (round));
    setGames('now');
    try {
      setGames(await verifyRounds(event));
    } catch (error) {
      setGames(null);
      throw error;
    }
  };
  return { open, reason, setReason, games, end };
}

/** @param {{event: EventHere}} props */
function TheRound({ event }) {
  const { round, rounds, terms } = event.log;
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const [minutes, setMinutes] = useState('50');
  const { open, reason, setReason, games, end } = useEnd(event);
  const pairing = round === null || round.state === 'ended';
  const due = rounds.length + (pairing ? 1 : 0);
  return html`<${Section} id="round" title=${pairing && due > terms.rounds ? t('All rounds are over') : pairing ? t('Next: round {round}', { round: due }) : t('Round {round}', { round: round.number })}>
    ${pairing && due <= terms.rounds && html`<${Pairings} event=${event} number=${due} text=${text} onText=${setText} />`}
    ${
      round?.state === 'pairing' &&
      html`<div class="field"><label for="minutes">${t('Minutes')}</label><input id="minutes" type="text" inputmode="numeric" value=${minutes} oninput=${(/** @type {any} */ e) => setMinutes(e.currentTarget.value)} /></div>
      <p class="row"><${Button} kind="main" onTap=${() => event.act('start', { minutes: Number(minutes) || 50, round: round.number })}>${t('Start the round')}<//></p>`
    }
    ${
      round?.state === 'running' &&
      html`<p>${open.length === 0 ? t('All tables have a result.') : t('Tables without a result: {count}', { count: open.length })}</p>
      ${open.length > 0 && html`<${Lacking} event=${event} open=${open} />`}
      ${open.length > 0 && html`<div class="field"><label for="left">${t('Why they are left')}</label><input id="left" type="text" maxlength="400" value=${reason} oninput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} /></div>`}
      <p class="row"><${Button} kind=${open.length === 0 ? 'main' : ''} onTap=${end}>${t('End the round')}<//></p>`
    }
    ${round !== null && round.state !== 'pairing' && html`<p class="row"><${Button} onTap=${() => saveResults(event, round)}>${t('Save the results (CSV)')}<//></p>`}
    ${pairing && html`<${VerifiedGames} verified=${games} />`}
    ${due > terms.rounds && pairing && html`<p class="lead">${t('Late slips and corrections are taken until the event is closed. Then save the bundle: the one file that proves the event.')}</p><${Close} event=${event} />`}<${PairByHand} event=${event} /><${Pause} event=${event} /><${Repair} event=${event} /><//>`;
}

/** Corrects wrong pairings, before or after the round has begun. @param {{event: EventHere}} props */
function Repair({ event }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const [gone, setGone] = useState('');
  const [reason, setReason] = useState('');
  const [done, setDone] = useState(0);
  const { round } = event.log;
  if (round === null || round.state === 'ended') return null;
  const list = text === null ? { tables: [], byes: [], problems: [] } : readPairings(text, event.names, event.log.players);
  const cancelled = gone
    .split(/[^0-9]+/)
    .filter((each) => each !== '')
    .map(Number);
  const correct = async () => {
    if (reason.trim() === '') throw new Told('Say why, in a few words.');
    await event.act('correct-pairing', {
      ...(list.byes.length > 0 ? { byes: list.byes } : {}),
      cancelled,
      reason: reason.trim(),
      round: round.number,
      tables: list.tables,
    });
    setDone(list.tables.length + cancelled.length);
    setText(null);
    setGone('');
    setReason('');
  };
  return html`<${Fold} title=${t('Correct the pairings')} className="plain"><p class="hint">${t('Tables of the list are new, or take the place of those with the same number. A table that is open begins a new game; the old one stays in the record.')}</p>
    <${ListIn} key=${done} id="repair-file" label=${t('Only the tables that change (CSV)')} onText=${setText} /><${Problems} problems=${list.problems} />
    <${Preview} event=${event} tables=${list.tables} />
    <div class="field"><label for="repair-gone">${t('Tables that are cancelled')}</label><input id="repair-gone" type="text" inputmode="numeric" value=${gone} oninput=${(/** @type {any} */ e) => setGone(e.currentTarget.value)} /></div>
    <div class="field"><label for="repair-why">${t('Why')}</label><input id="repair-why" type="text" maxlength="400" value=${reason} oninput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} /></div>
    ${list.problems.length === 0 && (list.tables.length > 0 || cancelled.length > 0) && html`<p class="row"><${Button} kind="loudly" onTap=${correct}>${t('Correct them')}<//></p>`}
    ${done > 0 && text === null && gone === '' && html`<p role="status">${t('Corrected: {count} {count:table|tables}.', { count: done })}</p>`}<//>`;
}

/** Stops the clock for everybody. @param {{event: EventHere}} props */
function Pause({ event }) {
  const [minutes, setMinutes] = useState('10');
  const [reason, setReason] = useState('');
  const { round } = event.log;
  if (round?.state !== 'running') return null;
  const pause = async () => {
    if (reason.trim() === '') throw new Told('Say why, in a few words.');
    await event.act('pause', { minutes: Number(minutes), reason: reason.trim(), round: round.number });
    setReason('');
  };
  return html`<${Fold} title=${t('Pause the round')} className="plain"><p class="hint">${t('The clock of all tables stands still for so long, and goes on by itself.')}</p>
    <div class="field"><label for="pause-minutes">${t('Minutes')}</label><input id="pause-minutes" type="text" inputmode="numeric" value=${minutes} oninput=${(/** @type {any} */ e) => setMinutes(e.currentTarget.value)} /></div>
    <div class="field"><label for="pause-why">${t('Why')}</label><input id="pause-why" type="text" maxlength="400" value=${reason} oninput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} /></div>
    <p class="row"><${Button} onTap=${pause}>${t('Pause now')}<//></p><//>`;
}

/** A link for a stream: the dice of one table. @param {{event: EventHere}} props */
function Stream({ event }) {
  const [table, setTable] = useState('');
  const [link, setLink] = useState('');
  const make = async () => {
    if (!/^[1-9][0-9]{0,3}$/.test(table.trim())) throw new Told('{text} is no number of a table.', { text: table.trim() });
    setLink(`${event.here.address}/o/${event.id}#table.${table.trim()}.${await screenCode(event, 'stream')}`);
  };
  return html`<${Fold} title=${t('A link for a stream')} className="plain"><p class="hint">${t('An overlay with the dice of one table, in every round. It shows numbers and no names: everybody may see it.')}</p>
    <div class="field"><label for="stream-table">${t('Number of the table')}</label><input id="stream-table" type="text" inputmode="numeric" value=${table} oninput=${(/** @type {any} */ e) => setTable(e.currentTarget.value)} /></div>
    <p class="row"><${Button} onTap=${make}>${t('Make the link')}<//></p>
    ${link && html`<${Handed} text=${link} label=${t('Link for the stream')} />`}<//>`;
}

/** The end for good, asked back. @param {{event: EventHere}} props */
function Close({ event }) {
  const [asked, setAsked] = useState(false);
  const without = event.log.rounds.flatMap(({ number, tables }) =>
    [...tables.values()].filter(({ result }) => result === null).map((table) => ({ round: number, table })),
  );
  const named = without.slice(0, LACKING);
  return html`<p class="hint">${t('Nothing can be added then: no late slip, no correction.')}</p>
  ${
    without.length > 0 &&
    html`<div class="loud doubt"><p>${t('Tables without a result: {count}', { count: without.length })}</p><ul>${named.map(
      ({ round, table }) =>
        html`<li key=${`${round} ${table.number}`}>${t('Round {round}, table {table}: {names}', { round, table: table.number, names: namesOf(event, table.sides.flat()) })}${table.claim === null ? '' : ` (${t('waits for a signature')})`}</li>`,
    )}</ul>${without.length > LACKING && html`<p>${t('and {count} {count:table|tables} more', { count: without.length - LACKING })}</p>`}</div>`
  }
  ${
    asked
      ? html`<p role="alert"><strong>${t('Close the event for good? Nobody can undo this.')}</strong></p>
      <p class="row"><${Button} kind="danger" onTap=${() => event.act('close', {})}>${t('Yes, close it')}<//><button type="button" onclick=${() => setAsked(false)}>${t('Not yet')}</button></p>`
      : html`<p class="row"><button type="button" class="loudly" onclick=${() => setAsked(true)}>${t('Close it for good')}</button></p>`
  }`;
}

/** The file that proves the event. It is verified here when it is saved. @param {{event: EventHere}} props */
function Bundle({ event }) {
  const [games, setGames] = useState(/** @type {import('./event-verified.js').Verified | null} */ (null));
  const saveBundle = async () => {
    const bytes = await bundle(event);
    save(`${fileName(event.log.terms.title)}.bundle`, bytes);
    setGames(await verified(bytes));
  };
  return html`<p class="row"><${Button} kind=${event.log.closed ? 'main' : ''} onTap=${saveBundle}>${t('Save the bundle')}<//></p>
    <${VerifiedGames} verified=${games} />`;
}

/** The steps that are left when the event is closed. @param {{event: EventHere}} props */
const Over = ({ event }) => html`<${Section} id="over" title=${t('The event is closed')}>
    <p class="lead">${t('Nothing more can be added or corrected. Save the bundle, and keep it: the one file that proves the event.')}</p>
    <${Bundle} event=${event} /><//>`;

/** @param {{event: EventHere}} props */
function Screens({ event }) {
  const [wall, setWall] = useState('');
  const { round, rounds, closed, terms } = event.log;
  const between = !closed && (round === null || round.state === 'ended');
  return html`<${Fold} title=${closed ? t('The wall') : t('The wall, the bundle, the end')} className="card">
    <p class="row"><${Button} onTap=${async () => setWall(`${event.here.address}/e/${event.id}#wall.${await screenCode(event, 'wall')}`)}>${t('A link for the wall')}<//></p>
    ${wall && html`<${Handed} text=${wall} label=${t('Link for the wall')} /><p class="hint">${t('It shows names: open it on the hall’s screen alone.')}</p>`}
    ${!closed && html`<${Stream} event=${event} />`}
    <${EventCode} event=${event} />
    ${between && rounds.length < terms.rounds && html`<${Fold} title=${t('Close the event')} className="plain"><${Close} event=${event} /><//>`}
    ${!closed && html`<p class="hint">${t('The event goes on: a bundle that is saved now has what there is so far.')}</p><${Bundle} event=${event} />`}<//>`;
}

/** @param {{event: EventHere, children?: any}} props `children`: the tables, which stand below the round */
export function Desk({ event, children }) {
  const { closed, round } = event.log;
  const [cards, setCards] = useState(/** @type {Handed[] | null} */ (null));
  const players = html`<${Players} key="players" event=${event} onPrint=${setCards} />`;
  return html`${closed && html`<${Over} event=${event} />`}${!closed && round === null && players}${!closed && html`<${TheRound} key="round" event=${event} />`}
    ${children}${!closed && round !== null && players}${!closed && html`<${Appoint} key="appoint" event=${event} />`}<${Print} key="print" event=${event} /><${Screens} key="screens" event=${event} />
    ${cards && html`<${PlayerCards} key="cards" event=${event} players=${cards} onDone=${() => setCards(null)} />`}`;
}
