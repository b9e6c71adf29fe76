/**
 * Now: the parties that the game waits for, and what this party can do.
 * @module
 */

import { same } from '../core/rules.js';
import { html, useEffect, useMemo, useRef, useState } from './html.js';
import { Act, canAct } from './act.js';
import { choiceWords } from './choices.js';
import { decidedByDice, diceFor, inTray } from './decisions.js';
import { Fields, startValues, useBody, useLine } from './fields.js';
import { AskIn, useAsked } from './late.js';
import { WasHere } from './lost.js';
import { SaveLog } from './alerts.js';
import { Moved } from './moved.js';
import { Button, Fold, go, Section, useAgo, useKeptFocus, useLate } from './parts.js';
import { Reading } from './reading.js';
import { inPlaceWords, voidedRolls } from './replacing.js';
import { sceneOf } from './scenes/index.js';
import { BehindMyScreen } from './secrets.js';
import { calledIn, calledOf, duration, listed, t } from './words.js';

/** Parts above the keys: whoever is led there has the keys in view too. */
export const ABOVE = new Set(['back', 'gone', 'said']);

/** @typedef {import('../core/index.js').ScreenHere} Here */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('./systems.js').System} System */
/** @typedef {import('../core/index.js').ScreenTable} Table */
/** @typedef {import('./fields.js').Values} Values */
/** @typedef {import('./fields.js').Action} Action */

/** @param {Action} action @returns {string} the same action, however often it is offered */
export const keyOf = (action) => JSON.stringify([action.type, action.label, action.body, action.fields.map(({ name }) => name)]);

/** @param {Action} action @returns {string} its label, with people by what they are called */
function labelOf({ label, body }) {
  const text = calledIn(label, Object.values(body));
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * The actions of this party, as last offered between two rolls. While a roll waits none is possible, and a form that
 * somebody was filling in stays where it is. So do the actions that are not possible while another has to decide
 * (`held`).
 * @param {InGame} snapshot @returns {Action[]}
 */
export function useActions(snapshot) {
  const kept = useRef({ size: 0, actions: /** @type {Action[]} */ ([]) });
  const { advice, game, me } = snapshot;
  const { size, actions } = kept.current;
  // Offers of a line ago are better than none, if somebody writes faster than the server advises.
  if (advice && game?.phase === 'idle' && advice.size !== size && (advice.size === game.size || actions.length === 0)) {
    const waits = advice.state?.waits?.party ?? me?.name;
    const mine = game.events.slice(size).some((event) => event.author === me?.name);
    kept.current = { size: advice.size, actions: waits === me?.name || mine ? advice.actions : withHeld(actions, advice.actions) };
  }
  // The tray takes a roll back, by the own log.
  return kept.current.actions.filter((action) => action.type !== 'strike');
}

/** @param {Action[]} before @param {Action[]} now @returns {Action[]} each in the place that it had; what cannot be done now too, unless it was due */
function withHeld(before, now) {
  const offered = new Map(now.map((action) => [keyOf(action), action]));
  const stays = before.flatMap((action) => {
    const found = offered.get(keyOf(action));
    offered.delete(keyOf(action));
    return found ?? (action.due ? [] : { ...action, held: true });
  });
  return [...stays, ...offered.values()];
}

/** @param {Action[]} actions @param {string} type @param {{[name: string]: any} | null} body @returns {boolean} whether it stands there, and cannot be done while another decides */
function isHeld(actions, type, body) {
  const fits = actions.filter(
    (action) => action.type === type && Object.entries(action.body).every(([name, value]) => JSON.stringify(body?.[name]) === JSON.stringify(value)),
  );
  return fits.length > 0 && fits.every((action) => action.held);
}

/**
 * An action as a form; if nothing is left to fill in, only its button.
 * @param {{table: Table, snapshot: InGame, action: Action, values?: Values, settled?: string, onDone?: () => void, kind?: string, idle?: (body: any) => string}} props
 *   `idle`: why a body would change nothing; empty: it does. `settled`: a field that is not asked for, as what it says stands beside the form
 */
export function ActionForm({
  table,
  snapshot,
  action,
  values: given = {},
  settled = undefined,
  onDone = undefined,
  kind = 'main',
  idle = undefined,
}) {
  const [values, setValues] = useState(() => ({ ...startValues(action.fields), ...given }));
  const { body: whole, problem, words, readAs, reading, missing } = useBody(table, action, values);
  const nothing = (whole && idle?.(whole)) || '';
  const body = nothing ? null : whole;
  const asked = action.fields.filter((field) => field.name !== settled);
  const [first, later] = [asked.filter((field) => field.required), asked.filter((field) => !field.required)];
  const dice = diceFor(snapshot, action);
  const done = () => {
    setValues({ ...startValues(action.fields), ...given });
    onDone?.();
  };
  return html`<div class="action">
    <${Fields} fields=${first} values=${values} onChange=${setValues} dice=${dice} />
    ${
      later.length > 0 &&
      (later.length <= (first.length === 0 ? 2 : 1)
        ? html`<${Fields} fields=${later} values=${values} onChange=${setValues} dice=${dice} />`
        : html`<${Fold} title=${t('More')} hint=${later.map((field) => field.label).join(t(', '))} className="plain">
        <${Fields} fields=${later} values=${values} onChange=${setValues} dice=${dice} /><//>`)
    }
    <div aria-live="polite"><${Reading} problem=${problem} readAs=${readAs} /></div>
    <${Act} table=${table} snapshot=${snapshot} type=${action.type} body=${body} kind=${kind} held=${action.held} onDone=${done}
      advice=${words} missing=${reading ? t('being read…') : missing.length > 0 ? t('first: {what}', { what: missing.join(t(', ')) }) : problem ? t('cannot be read yet') : nothing} />
  </div>`;
}

/**
 * A line to type, which the server reads into a body.
 * @param {{table: Table, snapshot: InGame, request: {action?: Action}, example: string, label: string, type?: string, kind?: string, id?: string}} props
 */
export function Line({ table, snapshot, request, example, label, type = 'roll', kind = 'main', id = 'line' }) {
  const [line, setLine] = useState('');
  const typed = useRef(0); // counts what somebody has typed: text that is typed while a line is being sent stays, even the same line again
  const before = typed.current;
  const { body, problem, lines, words, readAs, reading } = useLine(table, request, line);
  const take = (/** @type {string} */ text) => {
    setLine(text);
    document.getElementById(id)?.focus(); // Enter signs it there
  };
  const submit = (/** @type {any} */ event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    const button = event.currentTarget.closest('.line').querySelector('button.sign');
    // A line that is being read has no words yet. The next Enter is on the button, which then has them.
    if (line.trim() !== '' && reading) button.focus();
    else button.click();
  };
  return html`<div class="line">
    <div class="field"><label for=${id}>${label}</label>
      <input id=${id} class="typed" type="text" autocomplete="off" autocapitalize="off" spellcheck=${false} enterkeyhint="go" aria-describedby=${`${id}-hint`}
        value=${line} oninput=${(event) => {
          typed.current += 1;
          setLine(event.currentTarget.value);
        }} onkeydown=${submit} />
      <p class="hint" id=${`${id}-hint`}>${t('such as {example}', { example })}
        ${line === '' && html` <button type="button" class="quiet small" onclick=${() => setLine(example)}>${t('Use this')}</button>`}</p></div>
    <div aria-live="polite"><${Reading} problem=${problem} lines=${lines} readAs=${readAs} onLine=${take} /></div>
    <${Act} table=${table} snapshot=${snapshot} type=${body && request.action ? request.action.type : type} body=${body} kind=${kind} held=${request.action?.held} advice=${words}
      missing=${reading ? t('being read…') : problem ? t('cannot be read yet') : t('first type what to roll')} onDone=${() => {
        if (typed.current === before) setLine('');
      }} />
  </div>`;
}

/**
 * Returns whether a part has something in it, and most of that is out of view: above the screen, behind the tray or below.
 * @param {string} id @param {InGame} snapshot @returns {boolean}
 */
function useOutOfView(id, snapshot) {
  const [isOut, setIsOut] = useState(false);
  useEffect(() => {
    const part = document.getElementById(`${id}-title`);
    if (!part || part.childElementCount === 0) return setIsOut(false);
    const tray = Math.max(0, document.querySelector('.tray')?.getBoundingClientRect().height ?? 0);
    const seen = new IntersectionObserver(([{ intersectionRatio }]) => setIsOut(intersectionRatio < HALF), {
      rootMargin: `-${Math.round(tray)}px 0px 0px`,
      threshold: HALF,
    });
    seen.observe(part);
    return () => seen.disconnect();
  }, [id, snapshot]);
  return isOut;
}

const HALF = 0.5;

/**
 * The one line above the keys, whose place is always there: who comes, who rolls, whose turn it is. The actions for it
 * stand below the keys.
 * @param {{snapshot: InGame, turns?: boolean}} props `turns` false: another part of the screen says whose turn it is
 */
export function Status({ snapshot, turns = true }) {
  const { game, table, advice, me } = snapshot;
  const late = useLate(game.waiting?.seq ?? null);
  const awaited = useAsked(snapshot);
  const isFar = { next: useOutOfView('next', snapshot), asked: useOutOfView('asked', snapshot) };
  const to = (/** @type {string} */ id, /** @type {string} */ words, arrow = '↓') =>
    html`<button type="button" class="quiet small" onclick=${() => go(id)}>${words} <span aria-hidden="true">${arrow}</span></button>`;
  if (snapshot.stage !== 'playing' || snapshot.trouble) return null;
  if (awaited) return to(awaited.id, awaited.words, ABOVE.has(awaited.id) ? '↑' : '↓');
  if (game.waiting) return late ? to('waiting', t('{author} rolls.', { author: game.waiting.author })) : null;
  const { asks, says } = sceneOf(table?.system);
  /** @type {Action[]} */
  const actions = advice?.actions ?? [];
  const isAsked = (/** @type {Action} */ action) => Boolean(asks?.(action)) && !isAskedAgain(snapshot, action);
  const turn = turns && game.unagreed.length === 0 ? turnWords(snapshot) : ''; // the tray says who must agree
  const said = says?.({ snapshot, actions }) ?? '';
  const asked = (said !== '' || actions.some(isAsked)) && actions.every((action) => !action.due || isAsked(action));
  const mine = advice?.state?.waits?.party === me?.name;
  const words = mine ? turn || said : said || turn; // what is asked of this party comes before what others owe
  if (asked && words !== '' && me?.seated) return isFar.asked ? to('asked', words) : words;
  if (mine && turn !== '' && isFar.next) return to('next', turn);
  return [turns && goneWords(snapshot), turn].filter(Boolean).join(' ');
}

/**
 * The parties that have left since this party wrote last, until it writes again; and those that are away.
 * @param {InGame} snapshot
 * @returns {string}
 */
function goneWords({ game, me }) {
  const last = game.events.findLastIndex((event) => event.author === me?.name);
  const left = game.events.slice(last + 1).flatMap((event) => (event.type === 'leave' && event.body.party !== me?.name ? [event.body.party] : []));
  const away = game.parties.filter((party) => party.away && !party.left && party.name !== me?.name).map((party) => party.name);
  return [left.length > 0 && t('{names} left the game.', { names: listed(left) }), away.length > 0 && t('Away: {names}.', { names: listed(away) })]
    .filter(Boolean)
    .join(' ');
}

/** Says whose turn it is between two rolls, if the rules know it. @param {InGame} snapshot @returns {string} */
function turnWords({ advice, game, me, stage, trouble }) {
  const waits = advice?.state?.waits ?? null;
  if (trouble || game.waiting || stage !== 'playing' || !waits) return '';
  const choice = choiceWords(waits.choice);
  return waits.party === me?.name
    ? t('It is your turn: {choice}.', { choice })
    : t('The table waits for {party}: {choice}.', { party: waits.party, choice });
}

/** The parties that a roll waits for. @param {{table: Table, snapshot: InGame, judge?: boolean}} props */
export function Waiting({ table, snapshot, judge = false }) {
  const waiting = snapshot.game?.waiting ?? null;
  const ago = useAgo(waiting?.since ?? null);
  const late = useLate(waiting?.seq ?? null);
  if (snapshot.trouble) return null;
  if (!waiting) return judge ? html`<p class="quietly">${turnWords(snapshot) || t('The table waits for nobody.')}</p>` : null;
  if (!late) return judge ? html`<p class="quietly">${t('{author} rolls.', { author: waiting.author })}</p>` : null;
  // The closer's turn comes when all others have opened.
  const names = waiting.awaited.length > 1 ? waiting.awaited.filter((/** @type {string} */ name) => name !== waiting.closer) : waiting.awaited;
  const slow = ago > 4000;
  const me = snapshot.me?.name;
  const sent = waiting.mine === 'opened' && me !== undefined && names.includes(me);
  return html`<div class=${`waits ${slow ? 'slow' : ''}`}>
    <p id="waiting-title" tabindex="-1">${
      names.length === 0
        ? t('Everybody has had a part in the roll: the server shows the dice next.')
        : sent && names.length === 1
          ? t('Your part was sent: the server has not handed it on yet.')
          : t('The roll waits for {names}.', { names: listed(names) })
    }
      ${slow && html` <span class="since">${t('For {time}.', { time: duration(ago) })}</span>`}</p>
    ${slow && names.some((/** @type {string} */ name) => name !== me) && html`<p class="hint">${t('Their page has to be open and online: then the dice come by themselves. Nobody can roll in their place.')}</p>`}
    ${slow && waiting.mine !== null && html`<${OwnPart} table=${table} waiting=${waiting} declined=${snapshot.game.declined} />`}
    ${
      slow &&
      waiting.mine === 'closer' &&
      html`<${Fold} title=${t('Call this roll off')} className="plain">
      <p>${t('Your part is not given yet, so nobody can know the dice. What everybody had ready for it is used up, and you owe the same roll.')}</p>
      <${CallOff} table=${table} missing=${names.filter((/** @type {string} */ name) => name !== me && waiting.absent.includes(name))} />
    <//>`
    }
    ${judge && html`<${JudgeVoid} key=${waiting.seq} table=${table} snapshot=${snapshot} waiting=${waiting} />`}
  </div>`;
}

/**
 * Says whether this party's own part in a roll that waits is given: a judge who is to call the roll off asks for that. The
 * closer can make sure that it is not given any more.
 * @param {{table: Table, waiting: import('../core/snapshot.js').ShownWaiting, declined: boolean}} props
 */
function OwnPart({ table, waiting, declined }) {
  if (declined)
    return html`<p class="own-part" role="status">${t('This device takes no part in this roll any more. You or a judge can call it off.')}</p>`;
  if (waiting.mine === 'opened') return html`<p class="own-part">${t('This device has given its part in this roll.')}</p>`;
  if (waiting.mine !== 'closer') return null;
  return html`<div class="own-part"><p><strong>${t('This device has not given its part in this roll.')}</strong> ${t('It gives it by itself when the others have.')}</p>
    <${Button} onTap=${() => table.game.decline()}>${t('Take no part in this roll')}<//>
    <p class="hint">${t('If a judge is to call the roll off, tap this first: then your part stays not given, and nobody can know the dice.')}</p></div>`;
}

/**
 * The button of a void, which says for whom the roll waits. A void names the closer too, who opens last and waits for the
 * others: where the button does not, a line beside it says whom the signature names.
 * @param {{table: Table, missing: string[], closer?: string, disabled?: boolean}} props
 */
function CallOff({ table, missing, closer = undefined, disabled = false }) {
  const names = missing.length > 1 ? missing.filter((name) => name !== closer) : missing;
  return html`<${Button} kind="danger" disabled=${disabled} onTap=${() => table.game.void(missing)}>
  ${names.length === 0 ? t('Call this roll off') : t('Call this roll off; it waits for {names}', { names: listed(names) })}<//>
  ${names.length < missing.length && html`<p class="hint">${t('You sign that these gave no part: {names}.', { names: listed(missing) })}</p>`}`;
}

/**
 * A judge calls a roll off: only on the closer's word (specs/protocol.md, "The course of a roll"), and only who sat
 * here before the roll was asked for.
 * @param {{table: Table, snapshot: InGame, waiting: import('../core/snapshot.js').ShownWaiting}} props
 */
function JudgeVoid({ table, snapshot, waiting }) {
  const [told, setTold] = useState(false);
  const { closer } = waiting;
  const others = waiting.absent;
  const [pressed, setMissing] = useState(() => [...new Set([closer, ...waiting.awaited])]);
  const missing = pressed.filter((name) => others.includes(name));
  const press = (/** @type {string} */ name) => setMissing(missing.includes(name) ? missing.filter((one) => one !== name) : [...missing, name]);
  if (!snapshot.me?.joined) {
    const judges = snapshot.game.parties
      .filter(({ role, joined, left, key }) => role === 'judge' && joined && !left && key !== snapshot.table.serversJudge?.key)
      .map(({ name }) => name);
    return html`<p class="hint">${t('You had not sat down at this table before the roll was asked for, so you cannot call it off.')}
      ${judges.length > 0 && ` ${t('A judge who sits here can: {names}.', { names: listed(judges) })}`}
      ${t('{closer} can too, on the own screen, as long as {closer} has not given a part in the roll. Otherwise the table goes on in a new game; at an event the desk corrects the pairing of this table.', { closer })}</p>`;
  }
  return html`<${Fold} title=${t('Call this roll off, as judge')} className="plain">
    <p>${t('{closer} gives the last part in this roll. Ask {closer} in person, and not through this server: “Has your phone given its part?” Call the roll off only when {closer} says: “No, and it will not any more.” If it has, the server may know the dice already.', { closer })}</p>
    <p class="hint">${t('The screen of {closer} says whether its part is given. There {closer} taps “Take no part in this roll”: then the answer stays true. If it is the phone of {closer} that is gone, its owner’s word counts.', { closer })}</p>
    <fieldset class="field"><legend>${t('Who gave no part')}</legend><div class="keys">
      ${others.map((name) => html`<button type="button" class="key" key=${name} aria-pressed=${missing.includes(name) ? 'true' : 'false'} onclick=${() => press(name)}>${calledOf(name)}</button>`)}
    </div></fieldset>
    <label class="check"><input type="checkbox" checked=${told} onchange=${(event) => setTold(event.currentTarget.checked)} />
      <span>${t('{closer} has told me so, by another way', { closer })}</span></label>
    <${CallOff} table=${table} missing=${waiting.contributors.filter((/** @type {string} */ name) => missing.includes(name))} closer=${closer} disabled=${!told} />
  <//>`;
}

/**
 * Actions that need something filled in are folds, the others buttons.
 * @param {{table: Table, snapshot: InGame, actions: Action[]}} props
 */
const Listed = ({ table, snapshot, actions }) =>
  actions.map((action) =>
    action.fields.length === 0
      ? html`<${Act} key=${keyOf(action)} table=${table} snapshot=${snapshot} type=${action.type} body=${action.body} held=${action.held} advice=${labelOf(action)} />`
      : html`<${Fold} key=${keyOf(action)} title=${labelOf(action)} className="offer"><${ActionForm} table=${table} snapshot=${snapshot} action=${action} /><//>`,
  );

/**
 * Return whether an action asks anew for a roll that was called off. It is whole as it stands, so no form of a system's takes it.
 * @param {InGame} snapshot @param {Action} action @returns {boolean}
 */
const isAskedAgain = ({ game, me }, action) =>
  action.due &&
  action.fields.length === 0 &&
  (game?.rolls ?? []).some((roll) => roll.ended === 'void' && roll.author === me?.name && roll.type === action.type && same(roll.body, action.body));

/** What lets this browser's key into the game. @param {import('../core/snapshot.js').Me} me @returns {string} */
function awaitsWords({ awaits, role }) {
  if (awaits === 'judge') return t('This phone plays for you when a judge has come to the table and let it in.');
  return role === 'judge'
    ? t('You can judge here as soon as the server lets you in. It does so when no roll waits.')
    : t('A judge has let this phone in: it joins the game by itself.');
}

/** Events that change who is at the table stand apart from the game's own. */
const ABOUT_SEATS = new Set(['leave', 'away', 'back']);

/**
 * The actions of this party by where they stand.
 * @param {InGame} snapshot @param {Action[]} actions
 * @returns {{[place in 'offered' | 'due' | 'lined' | 'game' | 'seats']: Action[]}} `offered`: to the system's own keys; `lined`: one line
 *   to type; `game`: all else of the game; `seats`: of who is at the table
 */
function placesOf(snapshot, actions) {
  const scene = sceneOf(snapshot.table?.system);
  const again = actions.filter((action) => isAskedAgain(snapshot, action));
  const offered = actions.filter((action) => !again.includes(action));
  const due = [...again, ...offered.filter((action) => action.due && !scene.takes?.(action))];
  const rest = offered.filter((action) => !action.due && !scene.takes?.(action));
  const lined = scene.quick ? [] : rest.filter((action) => action.line && action.type === 'roll').slice(0, 1);
  const others = rest.filter((action) => !lined.includes(action) || action.fields.length > 1);
  const isHere = (/** @type {unknown} */ name) =>
    snapshot.game.parties.some((party) => party.name === name && party.here && name !== snapshot.me?.name);
  return {
    offered,
    due,
    lined,
    game: others.filter((action) => !ABOUT_SEATS.has(action.type)),
    seats: others.filter((action) => ABOUT_SEATS.has(action.type) && !(action.type === 'away' && isHere(action.body.party))),
  };
}

/**
 * Returns what a system's keys get. The components stay the same for a table: what somebody types in them stays too.
 * @param {Table} table @param {InGame} snapshot @param {Action[]} actions that are offered
 */
function useSceneProps(table, snapshot, actions) {
  const props = useMemo(
    () => ({
      Act: (/** @type {any} */ more) =>
        html`<${Act} table=${table} snapshot=${props.snapshot} held=${isHeld(props.actions, more.type, more.body)} ...${more} />`,
      ActionForm: (/** @type {any} */ more) => html`<${ActionForm} table=${table} snapshot=${props.snapshot} ...${more} />`,
      Line: (/** @type {any} */ more) => html`<${Line} table=${table} snapshot=${props.snapshot} ...${more} />`,
      // Dice that are chosen by a tap in the tray are chosen nowhere else.
      isInTray: (/** @type {Action} */ action) => decidedByDice(props.actions, inTray(props.snapshot.game.rolls).roll?.seq ?? -1).includes(action),
      snapshot,
      actions,
    }),
    [table],
  );
  return Object.assign(props, { snapshot, actions });
}

/** What this party owes the game. @param {{table: Table, snapshot: InGame, actions: Action[]}} props */
const Due = ({ table, snapshot, actions }) => html`<div class="due"><h3>${t('To do')}</h3>
        ${actions.map((action) =>
          action.fields.length === 0
            ? html`<${Act} key=${keyOf(action)} table=${table} snapshot=${snapshot} type=${action.type} body=${action.body} kind="main" advice=${labelOf(action)} />`
            : html`<div class="offer" key=${keyOf(action)}><h4>${labelOf(action)}</h4><${ActionForm} table=${table} snapshot=${snapshot} action=${action} /></div>`,
        )}</div>`;

/** Why nothing can be done here, and how a lost seat is found again. @param {{here: Here, table: Table, me: InGame['me']}} props */
const LookingOn = ({ here, table, me }) => html`<p class="quietly">${
  me === null
    ? t('You look on: this link has no seat. Everything is checked here all the same.')
    : t('You look on: you have no seat in this game, in this browser. Everything is checked here all the same.')
}</p>
      ${
        me !== null &&
        !here.ability &&
        html`<p class="hint">${t('Did you have a seat here? Its keys were only in this browser. If you or the browser cleared the site’s data, those keys are gone. Go on with a new one, as above, and tell the others without using this server.')}</p>
      <${Moved} here=${here} table=${table} />`
      }`;

/**
 * What a seated party can do: due actions, the system's quick ways, and all else one tap away.
 * @param {{table: Table, snapshot: InGame, system: System | null, actions: Action[]}} props
 */
function OwnActions({ table, snapshot, system, actions }) {
  const scene = sceneOf(snapshot.table?.system);
  const { offered, due, lined, game, seats } = placesOf(snapshot, actions);
  const props = useSceneProps(table, snapshot, offered);
  const own = snapshot.game.parties.find((party) => party.name === snapshot.me?.name);
  const { due: voided } = useMemo(() => voidedRolls(snapshot.game), [snapshot.game.rolls, snapshot.game.rulings]);
  const inPlace = voided.filter(({ roll }) => roll.author === snapshot.me?.name).slice(-1);
  return html`
      ${due.length > 0 && html`<${Due} table=${table} snapshot=${snapshot} actions=${due} />`}
      ${scene.quick && html`<div class="quick"><${scene.quick} table=${table} system=${system} ...${props} /></div>`}
      ${lined.map(
        (action) => html`<${Line} key="line" table=${table} snapshot=${snapshot} request=${{ action }}
        example=${action.line?.example ?? ''} label=${labelOf(action)} kind=${due.length > 0 ? '' : 'main'} />`,
      )}
      ${actions.some(({ type }) => type === 'roll') && inPlace.map((voided) => html`<${Act} key=${`in place ${voided.roll.seq}`} table=${table} snapshot=${snapshot} type="roll" body=${voided.roll.body} short=${inPlaceWords(voided)} />`)}
      <${BehindMyScreen} table=${table} snapshot=${snapshot} />
      ${
        game.length > 0 &&
        html`<${Fold} title=${t('Everything else')} hint=${t('{count} {count:way|ways}', { count: game.length })}>
        <${Listed} table=${table} snapshot=${snapshot} actions=${game} /><//>`
      }
      ${
        seats.length > 0 &&
        html`<${Fold} title=${t('Who is here')} hint=${t('away, back, leave')}>
        <${Listed} table=${table} snapshot=${snapshot} actions=${seats} /><//>`
      }
      ${scene.next && html`<div class="quick next-step" id="next-title" tabindex="-1"><${scene.next} table=${table} system=${system} ...${props} /></div>`}
      ${scene.asked && html`<div class="quick asked-for" id="asked-title" tabindex="-1"><${scene.asked} table=${table} system=${system} ...${props} /></div>`}
      ${actions.length === 0 && canAct(snapshot) && html`<p class="quietly">${own?.left ? t('You have left this game. You can look on, and save its log.') : snapshot.advice ? t('There is nothing for you to do at the moment.') : t('What you can do is being asked for…')}</p>`}`;
}

/**
 * What this party can do now, and what the game waits for.
 * @param {{here: Here, table: Table, snapshot: InGame, system: System | null}} props
 */
export function Now({ here, table, snapshot, system }) {
  const actions = useActions(snapshot);
  useKeptFocus('now');
  const { me, stage } = snapshot;
  const looksOn = !me?.seated && me?.asks !== 'asked' && me?.goesOn == null && me?.awaits == null;
  return html`<${Section} id="now" title=${t('Now')} className="now" beside=${html`<p class="status" role="status"><${Status} snapshot=${snapshot} /></p>`}>
    ${stage === 'closed' && html`<p class="quietly">${t('The game is over. Its log is whole, here and with everybody: save it, verify it.')}</p><p><${SaveLog} table=${table} kind="main" /></p>`}
    ${
      stage === 'playing' &&
      html`
      ${me?.asks && html`<${AskIn} here=${here} table=${table} snapshot=${snapshot} />`}
      ${me?.awaits && html`<p class="waits" role="status">${awaitsWords(me)}</p>`}
      ${!me?.seated && html`<${WasHere} here=${here} table=${table} snapshot=${snapshot} />`}
      ${looksOn && html`<${LookingOn} here=${here} table=${table} me=${me} />`}
      ${me?.seated && html`<${OwnActions} table=${table} snapshot=${snapshot} system=${system} actions=${actions} />`}`
    }
    <${Waiting} table=${table} snapshot=${snapshot} />
  <//>`;
}
