/**
 * Players, as judges and the desk see them: drops and returns, penalties that are taken back, another phone.
 * @module
 */

import { readVerifierKey } from '../../../verifier/web/identities.js';
import { gameOf } from '../core/event-waiting.js';
import { TakenBack } from './event-own.js';
import { onEnter, penaltyWords, phonesToLetIn } from './event-parts.js';
import { html, useRef, useState } from './html.js';
import { Button, Fold, Section } from './parts.js';
import { mark, say, t, Told } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').Player} Player */

/** The number of players that a search shows. */
const SHOWN = 8;

/** @param {Player} player @returns {string} */
const stateOf = ({ state }) => (state === 'in' ? t('is in') : state === 'dropped' ? t('has dropped') : t('has not checked in'));

/** @param {string} reason @returns {string} @throws {Error} where nothing was typed */
function needed(reason) {
  if (reason.trim() === '') throw new Told('Say why, in a few words.');
  return reason.trim();
}

/**
 * @param {EventHere} event @param {string} text a name, a part of one, or a number
 * @returns {Player[]} who is meant; whoever is called exactly so, alone
 */
function playersCalled(event, text) {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const all = [...event.log.players.values()];
  const exactly = all.filter(({ number }) => `${number}` === wanted || event.nameOf(number).toLowerCase() === wanted);
  return exactly.length > 0 ? exactly : all.filter(({ number }) => event.nameOf(number).toLowerCase().includes(wanted));
}

/** @param {{event: EventHere, player: Player, reason: string, onDone: () => void}} props */
function OnePlayer({ event, player, reason, onDone }) {
  const senior = event.role !== 'judge';
  const { number } = player;
  const name = event.nameOf(number);
  const does = (/** @type {string} */ type) => async () => {
    await event.act(type, { number, reason: needed(reason) });
    onDone();
  };
  return html`<li><p><b>${number}</b> ${name} <span class="quietly">${stateOf(player)}</span></p>
    <p class="row">${
      player.state !== 'dropped'
        ? html`<${Button} kind="loudly" onTap=${does('drop')}>${t('Drop {name}', { name })}<//>`
        : senior
          ? html`<${Button} onTap=${does('correct-drop')}>${t('Bring {name} back', { name })}<//>`
          : html`<span class="hint">${t('A head judge or an organizer can bring {name} back, on their own screen.', { name })}</span>`
    }</p></li>`;
}

/** @param {{event: EventHere}} props */
export function People({ event }) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const found = playersCalled(event, text).slice(0, SHOWN);
  return html`<${Fold} title=${t('A player drops, or comes back')} className="card">
    <div class="field"><label for="people">${t('Name or number')}</label><input id="people" type="text" autocomplete="off" value=${text} oninput=${(/** @type {any} */ e) => setText(e.currentTarget.value)} /></div>
    <div class="field"><label for="people-why">${t('Why')}</label><input id="people-why" type="text" maxlength="400" value=${reason} oninput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} /></div>
    <ul class="tables">${found.map((player) => html`<${OnePlayer} key=${player.number} event=${event} player=${player} reason=${reason} onDone=${() => setReason('')} />`)}</ul>
    ${text.trim() !== '' && found.length === 0 && html`<p class="quietly">${t('Nobody is called so.')}</p>`}<//>`;
}

const PENALTIES = ['warning', 'game-loss', 'match-loss', 'disqualification'];

/** A penalty to choose. @param {{value: string, onChange: (penalty: string) => void}} props */
const Penalty = ({ value, onChange }) =>
  html`<div class="keys" role="group" aria-label=${t('Penalty')}>${PENALTIES.map(
    (each) => html`
      <button type="button" key=${each} class=${value === each ? 'main' : ''} aria-pressed=${value === each} onclick=${() => onChange(each)}>${penaltyWords(each)}</button>`,
  )}</div>`;

/** @param {{event: EventHere}} props */
export function Penalize({ event }) {
  const [who, setWho] = useState('');
  const [kind, setKind] = useState('warning');
  const [text, setText] = useState('');
  const [given, setGiven] = useState(/** @type {import('./words.js').Message | null} */ (null));
  const found = playersCalled(event, who);
  const give = async () => {
    if (who.trim() === '') throw new Told('Type a name or a number first.');
    if (found.length === 0) throw new Told('Nobody is called {name}, and nobody has that number.', { name: who.trim() });
    if (found.length > 1) throw new Told('Several are called so: choose one.');
    const [{ number }] = found;
    await event.act('penalty', { number, penalty: kind, text: needed(text) });
    setGiven({
      text: mark('Given to {name}, who sees it on their phone: {penalty} ({why})'),
      values: { name: event.nameOf(number), penalty: penaltyWords(kind), why: text.trim() },
    });
    setText('');
    setWho('');
    setKind('warning');
  };
  return html`<${Fold} title=${t('Give a penalty')} className="card">
    <div class="field"><label for="penalty-who">${t('Name or number')}</label><input id="penalty-who" type="text" autocomplete="off" value=${who} oninput=${(/** @type {any} */ e) => setWho(e.currentTarget.value)} />
      ${who.trim() !== '' && found.length === 1 && html`<p class="hint">${t('{name}, number {number}', { name: event.nameOf(found[0].number), number: found[0].number })}</p>`}
      ${
        found.length > 1 &&
        html`<p class="row">${found.slice(0, SHOWN).map(({ number }) => html`<button type="button" key=${number} onclick=${() => setWho(`${number}`)}>${t('{name}, number {number}', { name: event.nameOf(number), number })}</button>`)}</p>`
      }</div>
    <${Penalty} value=${kind} onChange=${setKind} />
    <div class="field"><label for="penalty-text">${t('Why')}</label><input id="penalty-text" type="text" maxlength="400" value=${text} oninput=${(/** @type {any} */ e) => setText(e.currentTarget.value)} /></div>
    <p class="row"><${Button} kind="loudly" onTap=${give}>${t('Give it')}<//></p>
    ${given && html`<p class="lead" role="status">${say(given)}</p>`}<//>`;
}

/** A penalty that stands, and its correction. @param {{event: EventHere, line: number}} props */
function OnePenalty({ event, line }) {
  const { number, penalty, text, by } = /** @type {import('../../../verifier/web/event/log.js').Penalty} */ (event.log.penalties.get(line));
  const [kind, setKind] = useState(penalty);
  const [reason, setReason] = useState('');
  const correct = (/** @type {{penalty?: string}} */ more) => event.act('correct-penalty', { line, reason: needed(reason), ...more });
  return html`<li><p>${t('{name}, number {number}', { name: event.nameOf(number), number })}: <strong>${penaltyWords(penalty)}</strong> <q>${text}</q>
      <span class="quietly">${t('by {judge}, line {line} of the record', { judge: by, line })}</span></p>
    ${
      event.role !== 'judge' &&
      !event.log.closed &&
      html`<${Fold} title=${t('Correct it, or take it back')} className="plain">
      <div class="field"><label for=${`penalty-${line}`}>${t('Why')}</label><input id=${`penalty-${line}`} type="text" maxlength="400" value=${reason} oninput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} /></div>
      <${Penalty} value=${kind} onChange=${setKind} />
      <p class="row"><${Button} disabled=${kind === penalty} onTap=${() => correct({ penalty: kind })}>${t('Make it this')}<//><${Button} onTap=${() => correct({})}>${t('Take it back')}<//></p>
      ${penalty === 'disqualification' && html`<p class="hint">${t('The player stays dropped then, until somebody brings the player back.')}</p>`}<//>`
    }</li>`;
}

/** The penalties that stand, the latest first, and those that were taken back. @param {{event: EventHere}} props */
export function Penalties({ event }) {
  const lines = [...event.log.penalties.keys()].sort((one, other) => other - one);
  const back = [...event.log.takenBack].sort(([one], [other]) => other - one);
  if (lines.length + back.length === 0) return null;
  return html`<${Fold} title=${t('Penalties: {count}', { count: lines.length })} className="card penalties"><ul class="tables">${lines.map((line) => html`<${OnePenalty} key=${line} event=${event} line=${line} />`)}
    ${back.map(([line, penalty]) => html`<li key=${line}><p>${t('{name}, number {number}', { name: event.nameOf(penalty.number), number: penalty.number })}: <${TakenBack} penalty=${penalty} /></p></li>`)}</ul><//>`;
}

/** @param {EventHere} event @param {string} text @returns {{player: Player, key: string} | null} the player whose new key it is */
function offeredKey(event, text) {
  const key = text.trim().replace(/^.*#staff\./, '');
  const name = readVerifierKey(key)?.name ?? '';
  const player = /^p[0-9]+$/.test(name) ? event.log.players.get(Number(name.slice(1))) : undefined;
  return player === undefined ? null : { player, key };
}

/** @param {EventHere} event @param {import('../../../verifier/web/event/log.js').EventTableNow} table @returns {Promise<boolean>} whether a judge can let another phone into its game: all have sat down there */
async function canBeLetIn(event, table) {
  const judges = [...event.log.people.values()].some(({ role, until }) => until === null && role !== 'organizer');
  const game = gameOf(event.log, table);
  await event.lookAtTables();
  return judges && game !== null && event.missing.get(game)?.length === 0;
}

/** @typedef {{line: number | null, table: number, number: number}} Given a new phone for an open table; `line`: of the record, in which its game begins */

/**
 * Return whether a judge still has to let a phone in that was given here. The organizer's own act counts, whatever the server
 * says: until the server has named the phone and names it no more, or the table has a result or another game.
 * @param {EventHere} event @param {Given | null} given @returns {boolean}
 */
function useToLetIn(event, given) {
  const named = useRef(/** @type {Given | null} */ (null));
  if (given === null) return false;
  const { table, number, line } = given;
  const now = event.log.place(number);
  if (now?.round.state !== 'running' || now.table?.line !== line || now.table.result !== null) return false;
  if (!phonesToLetIn(event).some((each) => each.table === table && each.players.includes(number))) return named.current !== given;
  named.current = given;
  return true;
}

/**
 * Gives a player the key that another phone has shown. A player at an open table goes on there when a judge lets the
 * phone in; if none can, the table begins a new game.
 * @param {EventHere} event @param {{player: import('../../../verifier/web/event/log.js').Player, key: string}} found
 * @param {string} tablet whose device it is; empty: the player's own
 * @returns {Promise<{given: Given} | {done: import('./words.js').Message}>} `given`: a judge still has to let it in
 */
async function giveKey(event, { player: { number, state }, key }, tablet) {
  if (state === 'dropped') throw new Told('{name} has dropped: bring {name} back first.', { name: event.nameOf(number) });
  if (state === 'registered') await event.act('check-in', { key, number, ...(tablet === '' ? {} : { tablet }) });
  else if (event.role !== 'organizer') throw new Told('Only an organizer gives a player who has checked in another key.');
  else await event.act('correct-key', { key, number, reason: t('another phone') });
  const place = event.log.place(number);
  const open = state === 'in' && place?.round.state === 'running' && place.table?.result === null ? place : null;
  if (!open?.table) return { done: { text: mark('{name} goes on with the new phone.'), values: { name: event.nameOf(number) } } };
  const { sides, number: table, line } = open.table;
  if (await canBeLetIn(event, open.table)) return { given: { line, table, number } };
  await event.act('correct-pairing', { cancelled: [], reason: t('another phone'), round: open.round.number, tables: [{ sides, table }] });
  return { done: { text: mark('Table {table} goes on in a new game, with the new phone.'), values: { table } } };
}

/**
 * The player whose phone it is, to look at, and the button that gives it.
 * @param {{event: EventHere, player: import('../../../verifier/web/event/log.js').Player, tablet: string, onTablet: (tablet: string) => void, onGive: () => Promise<void>}} props
 */
const GivePhone = ({
  event,
  player: { number, state },
  tablet,
  onTablet,
  onGive,
}) => html`<p class="lead">${t('{name}, number {number}: look whether it is this person.', { name: event.nameOf(number), number })}</p>
      <p class="hint">${t('From then on this phone alone acts for the player. At an open table a judge then lets it into the game. Where not all have sat down, or there is no judge, the table begins a new game.')}</p>
      ${
        state === 'registered' &&
        html`<div class="field"><label for="phone-tablet">${t('A device of yours? Whose, and who sits there')}</label><input id="phone-tablet" type="text" maxlength="400" value=${tablet} oninput=${(/** @type {any} */ e) => onTablet(e.currentTarget.value)} />
        <p class="hint">${t('Empty: it is the player’s own phone.')}</p></div>`
      }
      ${
        state === 'in' && event.role !== 'organizer'
          ? html`<p class="lead" role="status">${t('Only an organizer can do this: send {name} to the desk.', { name: event.nameOf(number) })}</p>`
          : html`<p class="row"><${Button} kind="main" onTap=${onGive}>${t('Give the phone to {name}', { name: event.nameOf(number) })}<//></p>`
      }`;

/**
 * A player's new phone: its key is typed here, or comes by the code that the phone shows.
 * @param {{event: EventHere}} props
 */
export function AnotherPhone({ event }) {
  const [text, setText] = useState(event.offered ?? '');
  const [tablet, setTablet] = useState('');
  const [done, setDone] = useState(/** @type {import('./words.js').Message | null} */ (null));
  const [given, setGiven] = useState(/** @type {Given | null} */ (null));
  const key = text.trim();
  const found = offeredKey(event, text);
  const waits = useToLetIn(event, given);
  const has = found !== null && found.player.key === found.key;
  const give = async () => {
    if (found === null) throw new Told('This is no key of a player here.');
    const result = await giveKey(event, found, tablet.trim());
    if ('given' in result) setGiven(result.given);
    else setDone(result.done);
    setText('');
    setTablet('');
    history.replaceState(null, '', `/e/${event.id}#staff`); // loaded anew, it is not offered again
  };
  return html`<${Section} id="phone" title=${event.role === 'organizer' ? t('Another phone, or a lost code') : t('A player without a code')}>
    <p class="hint">${t('The player opens the event on the other phone, types the number, and shows you the code that appears. Scan it with this phone, or paste the key here.')}${event.role !== 'organizer' && ` ${t('A player who has checked in already gets another phone at the desk.')}`}</p>
    <div class="field"><label for="phone-key">${t('Key of the phone')}</label><input id="phone-key" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" value=${text} oninput=${(
      /** @type {any} */ e,
    ) => {
      setDone(null);
      setText(e.currentTarget.value);
    }} onkeydown=${onEnter} /></div>
    ${key !== '' && found === null && html`<p class="problem" role="status">${readVerifierKey(key) === null ? t('This is no key of a player here.') : t('This is no player’s key. A judge or organizer is appointed under “Judges and organizers”.')}</p>`}
    ${has && html`<p class="lead" role="status">${t('{name} has this phone already.', { name: event.nameOf(found.player.number) })}</p>`}
    ${found !== null && !has && html`<${GivePhone} event=${event} player=${found.player} tablet=${tablet} onTablet=${setTablet} onGive=${give} />`}
    ${given && waits && html`<p class="lead" role="status">${t('A judge has to go to table {table} now, and let the phone of {name} into the game.', { table: given.table, name: event.nameOf(given.number) })}</p>`}
    ${done && html`<p class="lead" role="status">${say(done)}</p>`}<//>`;
}
