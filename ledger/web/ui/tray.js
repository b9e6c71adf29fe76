/**
 * The tray: the latest roll, always in view (specs/page.md, "The tray").
 * @module
 */

import { canAct } from './act.js';
import { came, Decide, decidedByDice, inTray, usePicking } from './decisions.js';
import { diceOf, faceOf, LargeDice, Shape, showsResult, Struck } from './dice.js';
import { html, useEffect, useMemo, useRef, useState } from './html.js';
import { purposeOf, rerollsOf, rulingWords, toldRolls } from './log.js';
import { useActions } from './now.js';
import { Dialog, useAgo, useLate } from './parts.js';
import { Person } from './person.js';
import { sceneOf } from './scenes/index.js';
import { Alone, useFelt } from './screen.js';
import { behindWords, isBehind, OwnSecret, ownOutcome } from './secrets.js';
import { purposeWords } from './sentences.js';
import { takenBackWords, TakingBack } from './taking-back.js';
import { calledOf, duration, listed, t } from './words.js';
import { fairWords, Why, withoutWords } from './why.js';

/** @typedef {import('../core/advice.js').Advised} Advised */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */
/** @typedef {import('./systems.js').System} System */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** Milliseconds that dice tumble, and the delay of each further die. */
const TUMBLE = 420;
const LATER = 25;

/**
 * Returns whose turn it is to open: the closer's comes when all others have opened.
 * @param {import('../core/snapshot.js').ShownWaiting} waiting
 * @returns {string[]}
 */
const awaitedOf = ({ awaited, closer }) => (awaited.length > 1 ? awaited.filter((name) => name !== closer) : awaited);

/**
 * The server's result: the number large, its meaning behind it.
 * @param {string} summary
 * @param {string[]} notes
 * @returns {{before: string, number: string, after: string}}
 */
function partsOf(summary, notes) {
  const found = /^(.*?)=\s*([-−]?\d+(?:, [-−]?\d+)*(?![,\d]))(.*)$/su.exec(summary);
  const said = notes.find((note) => note.includes(summary)) ?? '';
  const after = (found?.[3] ?? '') + said.slice(said.lastIndexOf(summary) + summary.length);
  return { before: found ? found[1].trim() : '', number: found ? found[2] : '', after: (found ? after : summary).replace(/^[\s,;:、。；：]+/u, '') };
}

/** Results that are read at a glance; a longer list says less than its dice. */
const GLANCE = 4;

/** @param {{roll: ShownRoll, told: Advised, coming: boolean, scene: import('./scenes/index.js').Scene, snapshot: InGame}} props */
function Result({ roll, told, coming, scene, snapshot }) {
  if (coming) return html`<p class="outcome coming"><span aria-hidden="true">…</span></p>`;
  const large = (told && scene.result?.({ roll, told, snapshot })) || null;
  if (large) return html`<p class="outcome worded">${large}</p>`;
  if (!told?.summary) return html`<p class="outcome">${roll.naturals?.length === 1 && roll.body?.deck === undefined ? '' : ' '}</p>`;
  const { before, number, after } = partsOf(
    told.summary,
    (told.notes ?? []).filter((/** @type {unknown} */ note) => typeof note === 'string'),
  );
  return html`<p class="outcome">${before && html`<span class="quietly"><${Struck} text=${before} /></span> `}
    ${number && number.split(', ').length <= GLANCE && html`<span class="unseen">${t('total')}</span> <strong class="total">${number}</strong>`}
    ${after && html` <span class="means"><${Struck} text=${after} /></span>`}
    ${!snapshot.advice?.own && !showsResult(roll, told) && html`<small class="advised">${t('dice checked here, result by the server')}</small>`}</p>`;
}

/**
 * The badge: small; a tap shows what stands behind it.
 * @param {{table: Table, snapshot: InGame, roll: ShownRoll, told: Advised}} props
 */
function Fair({ table, snapshot, roll, told }) {
  const [open, setOpen] = useState(false);
  return html`<button type="button" class=${`badge ${roll.fair ? 'fair' : 'wrong'}`} onclick=${() => setOpen(true)}><span>${roll.fair ? t('fair ✓') : t('not found fair ✗')}</span></button>
    ${
      open &&
      html`<${Dialog} id="fair" title=${t('Why this roll is fair')} onClose=${() => setOpen(false)}><p>${fairWords(roll)}</p>
      <${Why} table=${table} roll=${roll} told=${told} snapshot=${snapshot} /><//>`
    }`;
}

/**
 * Returns what a roll was for, without what its result says.
 * @param {ShownRoll} roll
 * @param {InGame} snapshot
 * @param {System | null} system
 * @returns {string}
 */
function briefPurpose(roll, { game, table }, system) {
  const told = roll.ended === 'reveal' ? (sceneOf(table?.system).resultTells ?? []) : [];
  const body = Object.fromEntries(Object.entries(roll.body).filter(([name]) => !told.includes(name)));
  return purposeOf({ ...roll, body }, game, system);
}

/**
 * @param {import('../core/snapshot.js').ShownRuling} ruling @param {import('./dice.js').ShownDie[]} dice of what is ruled on
 * @returns {string} who ruled what, why, and what counts in the place of what the dice show
 */
function ruledWords({ author, ruling, text, results }, dice) {
  if (ruling !== 'correct' || results === undefined)
    return t('{judge} ruled ({ruling}): {text}', { judge: author, ruling: rulingWords(ruling), text: text ?? '' });
  const what = results.map((/** @type {{die: number, result: number}} */ { die: number, result }) => {
    const die = dice.find((each) => each.number === number);
    const values = { die: number, natural: die ? faceOf(die) : '?', result };
    return die?.status === 'ignored'
      ? t('die {die}: {natural} → {result}, still does not count', values)
      : t('die {die}: {natural} → {result}', values);
  });
  return t('Corrected by the judge {judge}, {dice}: {reason}', { judge: author, dice: { text: what.join(t('; ')) }, reason: text ?? '' });
}

/**
 * What judges ruled on the roll that is there; and the latest ruling on another event, if it came after these dice.
 * @param {{snapshot: InGame, system: System | null, told: Map<number, Advised>, latest: ShownRoll, roll: ShownRoll, dice: import('./dice.js').ShownDie[]}} props
 */
function Ruled({ snapshot: { game }, system, told, latest, roll, dice }) {
  const isHere = (/** @type {{subject: number}} */ { subject }) => subject === roll.seq || subject === latest.seq;
  const other = game.rulings.findLast((ruling) => ruling.seq > came(latest) && !isHere(ruling));
  const ruled = other && game.rolls.find(({ seq }) => seq === other.subject);
  return html`${game.rulings.filter(isHere).map((ruling) => html`<p class="ruling" key=${ruling.seq}>${ruledWords(ruling, dice)}</p>`)}
    ${other && html`<p class="ruling other"><strong>${purposeWords(system, game, other.subject)}</strong> ${ruledWords(other, ruled ? diceOf(ruled, told.get(ruled.seq) ?? null, rerollsOf(game.rolls, ruled)) : [])}</p>`}`;
}

/**
 * A tumble that ends on the dice that are there.
 * @param {number | null} seq of the latest roll with dice; null: none yet
 */
function useTumble(seq) {
  const tray = useRef(/** @type {HTMLElement | null} */ (null));
  const seen = useRef(seq);
  useEffect(() => {
    if (seen.current === seq) return;
    seen.current = seq;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    [...(tray.current?.querySelectorAll('.die') ?? [])].forEach((die, i) =>
      die.animate(
        [
          { transform: `translate(${i % 2 ? 40 : -40}%, -90%) rotate(${i % 2 ? 260 : -260}deg) scale(.7)`, opacity: 0.2 },
          { transform: 'translate(0, 6%) rotate(12deg)', opacity: 1, offset: 0.75 },
          { transform: 'none' },
        ],
        { duration: TUMBLE, delay: Math.min(i, 10) * LATER, easing: 'cubic-bezier(.2, .7, .3, 1)', fill: 'backwards' },
      ),
    );
  }, [seq]);
  return tray;
}

/** Letters of names for which the low tray has room; the table names all. */
const NAMED = 40;

/**
 * The steps before the first dice.
 * @param {InGame} snapshot
 * @param {boolean} below whether one rolls below the tray
 * @param {import('./fields.js').Action[]} actions what can be done now @returns {string}
 */
function firstWords(snapshot, below, actions) {
  const { me, stage, game } = snapshot;
  if (stage === 'closed') return t('The game is over. No dice were rolled.');
  if (game.unagreed.map(calledOf).join('').length > NAMED) return t('No dice yet: {count} must still agree.', { count: game.unagreed.length });
  if (game.unagreed.length > 0) return t('No dice yet: {names} must still agree.', { names: listed(game.unagreed) });
  if (me?.seated && me.role === 'judge') return t('No dice yet. What the players roll is seen here.');
  if (!me?.seated || !below) return t('No dice yet. As soon as somebody rolls, they are seen here.');
  const first = actions.some(({ type }) => type === 'roll') ? '' : (sceneOf(snapshot.table?.system).first?.({ snapshot, actions }) ?? '');
  if (first !== '') return first;
  if (actions.length > 0 && !actions.some(({ type }) => type === 'roll')) return t('No dice yet. First comes what stands below.');
  return t('No dice yet. Roll below: everybody sees them here at once.');
}

/** @param {{table: Table, snapshot: InGame, system: System | null, below?: boolean}} props `below`: one rolls below it */
export function Tray({ table, snapshot, system, below = true }) {
  const { game } = snapshot;
  const { waiting } = game;
  const scene = sceneOf(snapshot.table?.system);
  const told = useMemo(() => toldRolls(snapshot), [snapshot.advice]);
  const { latest, roll } = inTray(game.rolls);
  const late = useLate(waiting?.seq ?? null);
  const ago = useAgo(late ? (waiting?.since ?? null) : null);
  const advised = (roll && told.get(roll.seq)) ?? null;
  const dice = roll ? diceOf(roll, advised, rerollsOf(game.rolls, roll), scene.passed?.(advised)) : [];
  const coming = latest?.ended === 'reveal' && snapshot.line === 'live' && snapshot.advice !== null && snapshot.advice.size <= (latest.end ?? 0);
  const behind = roll !== undefined && isBehind(roll);
  const own = behind && !waiting ? ownOutcome(snapshot, roll) : null;
  const shownSeq = dice.length > 0 || own !== null ? (latest?.seq ?? null) : null;
  const tray = useTumble(shownSeq);
  useFelt(shownSeq);
  const [alone, setAlone] = useState(false);
  const actions = useActions(snapshot);
  const decided = roll && canAct(snapshot) ? decidedByDice(actions, roll.seq) : [];
  const pick = usePicking(decided, latest?.seq ?? -1);
  const asked = waiting && game.events.find((event) => event.seq === waiting.seq);
  const none = !(waiting && late) && !roll;
  const low = useRef(false); // whether it has been low on this screen
  low.current ||= none;
  const opens = low.current ? 'opens' : '';
  const title = html`<h2 class="unseen" id="tray-title">${t('The dice')}</h2><${Alone} alone=${alone} setAlone=${setAlone} />`;
  if (waiting && late) {
    const names = awaitedOf(waiting);
    const mine = snapshot.me?.name !== undefined && names.length === 1 && names[0] === snapshot.me.name;
    return html`<section class=${`tray waits ${opens}`} aria-labelledby="tray-title" ref=${tray}>${title}
      <p class="what"><${Person} name=${waiting.author} /> <span class="purpose">${(asked && purposeOf(/** @type {any} */ (asked), game, system)) || t('rolls…')}</span></p>
      <div class="felt"><p class="awaits">${names.length === 0 ? t('The dice are on their way…') : mine ? t('Waits for your own page to reach the server.') : t('Waits for {names}', { names: listed(names) })}</p></div>
      <p class="outcome"><span class="since">${ago >= 1000 && t('For {time}.', { time: duration(ago) })}</span></p></section>`;
  }
  if (none || !latest || !roll) {
    return html`<section class="tray none" aria-labelledby="tray-title" ref=${tray}>${title}
      <div class="felt"><p class="blanks" aria-hidden="true">${[4, 6, 20, 12, 8].map((sides) => html`<span class="blank"><${Shape} sides=${sides} /></span>`)}</p></div>
      <p class="outcome first">${waiting ? html`<${Person} name=${waiting.author} /> <span class="purpose">${t('rolls…')}</span>` : firstWords(snapshot, below, actions)}</p></section>`;
  }
  if (behind) {
    // A screen for the whole table has only what everybody may read.
    return html`<section class=${`tray behind ${opens} ${waiting ? 'past' : ''} ${own && !alone ? 'own' : ''}`} aria-labelledby="tray-title" ref=${tray}>${title}
      <p class="what"><${Person} name=${waiting?.author ?? latest.author} /> <span class="purpose">${waiting ? t('rolls…') : ''}</span></p>
      ${
        own && !alone
          ? html`<${OwnSecret} table=${table} snapshot=${snapshot} roll=${roll} outcome=${own} />`
          : html`<div class="felt"><p class="awaits">${behindWords(roll)}</p></div><p class="outcome"></p>`
      }</section>`;
  }
  const taken = takenBackWords(game, roll);
  return html`<section class=${`tray ${opens} ${waiting ? 'past' : ''} ${taken || advised?.status === 'struck' ? 'struck' : ''}`} aria-labelledby="tray-title" ref=${tray}>${title}
    <p class="what"><${Person} name=${waiting?.author ?? latest.author} /> <span class="purpose">${waiting ? t('rolls…') : briefPurpose(latest, snapshot, system)}</span>
      ${latest.ended === 'reveal' && !waiting && html`<${Fair} table=${table} snapshot=${snapshot} roll=${latest} told=${advised} />${latest.without.length > 0 && html` <small class="quietly">${withoutWords(latest)}</small>`}`}</p>
    <div class="felt" tabindex=${dice.length > 0 ? '0' : null} role=${dice.length > 0 ? 'group' : null} aria-labelledby=${dice.length > 0 ? 'tray-title' : null}>${dice.length > 0 ? html`<${LargeDice} key=${latest.seq} dice=${dice} pick=${pick} />` : html`<p class="awaits">${fairWords(latest)}</p>`}</div>
    ${taken ? html`<p class="outcome taken-back">${taken}</p>` : latest.ended === 'reveal' ? html`<${Result} roll=${roll} told=${advised} coming=${coming} scene=${scene} snapshot=${snapshot} />` : html`<p class="outcome"></p>`}
    <${Ruled} snapshot=${snapshot} system=${system} told=${told} latest=${latest} roll=${roll} dice=${dice} />
    ${pick && html`<${Decide} table=${table} snapshot=${snapshot} actions=${decided} dice=${dice} pick=${pick} />`}
    ${!waiting && !alone && roll === latest && html`<${TakingBack} table=${table} snapshot=${snapshot} roll=${latest} purpose=${purposeOf(latest, game, system)} />`}
    ${!taken && advised?.status === 'struck' && html`<p class="ruling">${t('A judge ruled it void: nothing comes of it.')}</p>`}</section>`;
}
