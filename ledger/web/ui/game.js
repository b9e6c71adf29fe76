/**
 * The game: the tray, now, the log, the table, luck, save, about. A judge’s screen has rulings first, and below for whom the table waits.
 * @module
 */

import { About } from './about.js';
import { canAct } from './act.js';
import { html, useEffect, useMemo, useRef, useState } from './html.js';
import { KeepSafe } from './keep.js';
import { ComingIn, GoOn, useAsked } from './late.js';
import { NewKeys } from './lost.js';
import { Announcer, Log, purposeOf, toldRolls } from './log.js';
import { Luck } from './luck.js';
import { ABOVE, ActionForm, keyOf, Now, Status, useActions, Waiting } from './now.js';
import { Button, Fold, go, Guarded, Section } from './parts.js';
import { TheTable } from './people.js';
import { Save } from './save.js';
import { sceneOf } from './scenes/index.js';
import { Settings, useAwake } from './screen.js';
import { naturalsOf, sentence } from './sentences.js';
import { systemOf } from './systems.js';
import { Tray } from './tray.js';
import { clock, language, t } from './words.js';

/** @typedef {import('../core/index.js').ScreenHere} Here */
/** @typedef {import('./fields.js').Action} Action */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** @param {string} id of a part @returns {boolean} whether the tab Now leads to it: not where it is in view below the keys, for then the keys are meant */
function leads(id) {
  const { top, height = 0 } = document.getElementById(`${id}-title`)?.getBoundingClientRect() ?? {};
  const tray = document.querySelector('.tray')?.getBoundingClientRect().bottom ?? 0;
  return top !== undefined && height > 0 && (ABOVE.has(id) || top < tray || top > innerHeight - BAR);
}

/** Pixels of the bar of parts, at most. */
const BAR = 64;

/** @param {{parts: string[][], due: boolean, calls: boolean, snapshot: InGame}} props `due`: the part "Now" has something that waits for this party; `calls`: others ask it of this party */
function Parts({ parts, due, calls, snapshot }) {
  const asked = useAsked(snapshot);
  const marked = due || asked !== null;
  const first = () => ['back', 'gone', 'said', asked?.id ?? '', 'next', ...(calls ? ['asked'] : [])].find(leads) ?? 'now';
  return html`<nav class="parts" aria-label=${t('Parts of this page')}>${parts.map(
    ([
      id,
      words,
    ]) => html`<button type="button" key=${id} class=${marked && id === 'now' ? 'due' : ''} onclick=${() => go(id === 'now' ? first() : id)}>${words}
      ${marked && id === 'now' && html`<span class="unseen">${t('(something waits for you)')}</span>`}</button>`,
  )}</nav>`;
}

/** Faces of a roll that are named where it is ruled about. */
const LISTED = 12;

/** What is ruled about, and its dice by number where they can be given another result. @param {{snapshot: InGame, seq: number, dice: boolean}} props */
function RuledAbout({ snapshot, seq, dice }) {
  const event = snapshot.game.events.find((each) => each.seq === seq);
  const roll = snapshot.game.rolls.find((each) => each.seq === seq);
  if (!event) return null;
  const what = {
    text: roll
      ? purposeOf(roll, snapshot.game, systemOf(snapshot.table?.system))
      : sentence(systemOf(snapshot.table?.system), event, snapshot.game, 2).text,
  };
  const faces = (roll?.ended === 'reveal' && naturalsOf(snapshot.game, seq, Infinity)) || [];
  const shown = faces.map((face, i) => t('die {number} shows {face}', { number: i + 1, face })).join(t(', '));
  const values = { author: event.author, time: clock(event.time), what };
  const came = faces.length > LISTED ? [...faces.slice(0, LISTED), '…'] : faces;
  return html`<p>${faces.length > 0 ? t('About this: {author}, {what}: {faces} ({time}).', { ...values, faces: came.join(' ') }) : t('About this: {author}, {what} ({time}).', values)}</p>
    ${dice && faces.length > 0 && html`<p class="hint">${t('Its dice, by number: {dice}. “1=6” says that die 1 counts as 6; without dice the ruling is in words alone.', { dice: { text: shown } })}</p>`}`;
}

/** The words for a ruling about a roll that others have followed. They stand last, where they move no key. @param {{snapshot: InGame, seq: number}} props */
function EarlierRoll({ snapshot: { game }, seq }) {
  const later = game.rolls.some((roll) => roll.seq === seq) && game.rolls.findLast((roll) => roll.seq > seq && roll.type === 'roll');
  return (
    later &&
    html`<p class="loud doubt" role="status">${t('This is an earlier roll. The latest one is of {author}, at {time}.', { author: later.author, time: clock(later.time) })}</p>`
  );
}

/** Rulings that change what a roll came to. */
const CHANGES = new Set(['void', 'correct']);

/** @param {InGame} snapshot @param {number} seq of what is ruled about @returns {string} why such a ruling would have no effect; empty: it would */
function standsVoid({ game }, seq) {
  const struck = (/** @type {number} */ roll) =>
    game.takenBack.some((each) => each.roll === roll) || game.rulings.some((each) => each.ruling === 'void' && each.subject === roll);
  const ruling = game.rulings.find((each) => each.seq === seq);
  if (struck(ruling?.subject ?? seq))
    return t(
      'This stays void: no ruling makes it count again. To let a roll count after all, have the same roll made again, and correct the dice of the new roll to what these showed.',
    );
  return ruling === undefined ? '' : t('A ruling is not taken back. Rule on the roll itself: the latest correction of its dice counts.');
}

/** @type {() => {[ruling: string]: string}} */
const rulingNames = () => ({ void: t('Void'), correct: t('Correct'), uphold: t('Uphold'), penalty: t('Penalty') });

/** The choice of a ruling. @param {{rulings: Action[], kind: string, onChoose: (kind: string) => void}} props */
const RulingKeys = ({ rulings, kind, onChoose }) =>
  html`<fieldset class="field"><legend>${t('What is ruled')}</legend><div class="keys">${rulings.map(
    ({ body, label }) => html`
        <label class="key" key=${body.ruling}>
        <input type="radio" name="ruling" checked=${kind === body.ruling} onchange=${() => onChoose(body.ruling)} /><span>${rulingNames()[body.ruling] ?? label}</span></label>`,
  )}</div></fieldset>`;

/**
 * Returns the form of a ruling. Dice are numbered above their field, which says that they can be left out; what has no
 * dice has no field for them.
 * @param {InGame} snapshot @param {Action | undefined} action @param {number | null} ruled @returns {Action | undefined}
 */
function rulingForm({ game }, action, ruled) {
  const isRoll = game.rolls.some((roll) => roll.seq === ruled && roll.ended === 'reveal');
  return (
    action && {
      ...action,
      fields: action.fields.flatMap((field) => (field.name !== 'results' ? [field] : isRoll ? [{ ...field, told: true }] : [])),
    }
  );
}

/** @param {InGame} snapshot @param {number | null} ruled @returns {number[]} dice of the roll that no correction makes count */
function ignoredDice(snapshot, ruled) {
  if (ruled === null || sceneOf(snapshot.table?.system).ignoredStay !== true) return [];
  const dice = toldRolls(snapshot).get(ruled)?.dice ?? [];
  return dice.filter((/** @type {any} */ die) => die.status === 'ignored').map((/** @type {any} */ { die }) => die);
}

/**
 * The form of a ruling.
 * @param {{table: Table, snapshot: InGame, rulings: Action[], ruled: number | null, setRuled: (seq: number | null) => void}} props
 */
function Ruling({ table, snapshot, rulings, ruled, setRuled }) {
  const [kind, setKind] = useState('');
  const standing = ruled === null ? '' : standsVoid(snapshot, ruled);
  const possible = rulings.filter(({ body }) => standing === '' || !CHANGES.has(body.ruling));
  const chosen = rulingForm(
    snapshot,
    possible.find(({ body }) => body.ruling === kind),
    ruled,
  );
  const ignored = kind === 'correct' ? ignoredDice(snapshot, ruled) : [];
  const idle = (/** @type {any} */ { results }) =>
    results?.length > 0 && results.every((/** @type {any} */ { die }) => ignored.includes(die)) ? t('changes nothing: this die does not count') : '';
  return html`
      ${possible.length > 0 && html`<${RulingKeys} rulings=${possible} kind=${kind} onChoose=${setKind} />`}
      ${standing && html`<p class="hint" id="stands-void">${standing}</p>`}
      ${ruled !== null && html`<${RuledAbout} snapshot=${snapshot} seq=${ruled} dice=${chosen?.fields.some((field) => field.name === 'results') === true} />`}
      ${ignored.length > 0 && html`<p class="hint">${t('A correction cannot make a die count. Give its number to the die that counts, or void the roll.')}</p>`}
      ${
        chosen &&
        ruled !== null &&
        html`<${ActionForm} key=${`${kind} ${ruled}`} table=${table} snapshot=${snapshot} action=${chosen} values=${{ subject: ruled }} settled="subject" idle=${idle} onDone=${() => {
          setKind('');
          setRuled(null);
        }} />`
      }
      ${
        ruled === null &&
        possible.length > 0 &&
        html`<p class="hint">${t('Each entry of the log has a button “Rule” for what is ruled about it.')}</p>
        ${chosen && html`<p><${Button} onTap=${() => go('log')}>${t('Choose it in the log')}<//></p>`}`
      }`;
}

/** Who of the table is not here. @param {{snapshot: InGame}} props */
function Missing({ snapshot }) {
  const missing = snapshot.game.parties.filter(
    (party) => party.joined && !party.left && !['keeper', 'judge'].includes(party.role) && (party.away || !party.here),
  );
  return html`<h3>${t('Who is here')}</h3>
      ${missing.length === 0 && html`<p class="quietly">${t('Everybody is here.')}</p>`}
      <ul class="awaited">${missing.map((party) => html`<li>${party.away ? t('{party} is away', { party: party.name }) : t('{party} is not connected', { party: party.name })}</li>`)}</ul>`;
}

/**
 * What a judge sees: rulings, whose place is the first, and for whom the table waits.
 * @param {{table: Table, snapshot: InGame, ruled: number | null, setRuled: (seq: number | null) => void}} props
 */
function Judge({ table, snapshot, ruled, setRuled }) {
  const actions = useActions(snapshot);
  const rulings = actions.filter(({ type }) => type === 'ruling');
  const others = actions.filter(({ type }) => type !== 'ruling');
  return html`<${Section} id="rulings" title=${t('Rule')} className="ruling-form" beside=${html`<p class="status" role="status"><${Status} snapshot=${snapshot} turns=${false} /></p>`}>
      <${Ruling} table=${table} snapshot=${snapshot} rulings=${rulings} ruled=${ruled} setRuled=${setRuled} />
      ${
        others.length > 0 &&
        html`<${Fold} title=${t('Somebody is away, back, or leaves')} className="plain">
        <div class="offers">${others.map(
          (action) => html`
          <${ActionForm} key=${keyOf(action)} table=${table} snapshot=${snapshot} action=${action} kind="" />`,
        )}</div><//>`
      }
      ${ruled !== null && html`<${EarlierRoll} snapshot=${snapshot} seq=${ruled} />`}
      ${!canAct(snapshot) && html`<p class="quietly">${t('While a roll waits, no ruling is possible.')}</p>`}
    <//>
    <${Section} id="now" title=${t('The table waits')} className="now">
      <${Waiting} table=${table} snapshot=${snapshot} judge=${true} />
      <${Missing} snapshot=${snapshot} />
    <//>`;
}

/** Milliseconds by which what nobody looks at first may be late. */
const LATER = 150;

/**
 * What stands below or beside: it follows a moment later, so that dice are drawn sooner.
 * @param {{snapshot: InGame, make: (snapshot: InGame) => import('./html.js').Content}} props
 */
function Later({ snapshot, make }) {
  const [shown, setShown] = useState(snapshot);
  const latest = useRef(snapshot);
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  latest.current = snapshot;
  useEffect(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setShown(latest.current);
    }, LATER);
  }, [snapshot]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useMemo(() => make(shown), [shown, language()]);
}

/**
 * Nothing that comes and goes in a game that goes on stands above the keys: whoever taps hits what was there.
 * @param {{here: Here, table: Table, snapshot: InGame, rules: import('./html.js').Content}} props `rules`: how far they are
 */
export function Game({ here, table, snapshot, rules }) {
  const system = systemOf(snapshot.table?.system);
  const judge = snapshot.me?.role === 'judge' && snapshot.me.seated;
  const [ruled, setRuled] = useState(/** @type {number | null} */ (null));
  const onRule = judge
    ? (/** @type {number} */ seq) => {
        setRuled(seq);
        go('rulings');
      }
    : undefined;
  const parts = [
    ['now', t('Now')],
    ['log', t('Log')],
    ['table', t('Table')],
    ['luck', t('Luck')],
    ['save', t('Save')],
  ];
  const { advice } = snapshot;
  const { asks } = sceneOf(snapshot.table?.system);
  const actions = useActions(snapshot);
  const calls = actions.some((action) => asks?.(action));
  useAwake(snapshot.stage === 'playing' && snapshot.me?.seated === true);
  return html`<${Guarded} on=${advice}><${Announcer} snapshot=${snapshot} system=${system} /><//>
    <${Guarded} on=${advice}><${Tray} table=${table} snapshot=${snapshot} system=${system} /><//>
    <div class="game">
      <div class="side"><${KeepSafe} here=${here} closed=${snapshot.stage === 'closed'} /><${Guarded} on=${snapshot}><${GoOn} table=${table} snapshot=${snapshot} /><//><${Guarded} on=${advice}>${
        judge
          ? html`<${Judge} table=${table} snapshot=${snapshot} ruled=${ruled} setRuled=${setRuled} />`
          : html`<${Now} here=${here} table=${table} snapshot=${snapshot} system=${system} />`
      }<//><${Guarded} on=${snapshot}><${ComingIn} table=${table} snapshot=${snapshot} /><${NewKeys} table=${table} snapshot=${snapshot} /><//>${rules}</div>
      <div class="middle"><${Guarded} on=${advice}><${Log} table=${table} snapshot=${snapshot} system=${system} onRule=${onRule} /><//></div>
      <div class="other"><${Later} snapshot=${snapshot} make=${(
        /** @type {InGame} */ shown,
      ) => html`<${Guarded} on=${shown.advice}><${TheTable} here=${here} table=${table} snapshot=${shown} system=${system} /><//>
        <${Luck} snapshot=${shown} />
        <${Save} here=${here} table=${table} snapshot=${shown} />
        <${Settings} /><${About} snapshot=${shown} />`} /></div>
    </div><${Parts} parts=${parts} due=${calls || actions.some((action) => action.due)} calls=${calls} snapshot=${snapshot} />`;
}
