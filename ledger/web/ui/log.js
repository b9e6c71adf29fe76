/**
 * The log as people read it: newest on top, results first.
 * @module
 */

import { html, useEffect, useMemo, useRef, useState } from './html.js';
import { Dice, diceOf, diceWords, showsResult, Struck } from './dice.js';
import { Signed } from './act.js';
import { eventWords } from './event-words.js';
import { Fold, Section } from './parts.js';
import { Person } from './person.js';
import { sceneOf } from './scenes/index.js';
import { takenBackWords } from './taking-back.js';
import { inPlaceWords, voidedRolls } from './replacing.js';
import { purposeWords, sentence } from './sentences.js';
import { ShareRoll } from './share.js';
import { behindWords, isBehind, outcomeWords, ownOutcome, secretPurpose, shownWords } from './secrets.js';
import { calledOf, clock, language, t } from './words.js';
import { fairWords, Why, withoutWords } from './why.js';

/** @typedef {import('../core/advice.js').Advised} Advised */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').ShownEvent} ShownEvent */
/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */
/** @typedef {import('../core/snapshot.js').ShownRuling} ShownRuling */
/** @typedef {import('./systems.js').System} System */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** Entries that are shown at first, and at each tap on *more*. */
const SHOWN = 40;
/** Milliseconds that the page waits for the server's words for dice before it announces the dice alone. */
const WAIT = 1200;

/** @type {ShownRoll[]} */
const NONE = [];
const REQUESTS = new Set(['roll', 'reroll']);
/** Events that only serve others; the whole log shows them. */
const SILENT = new Set(['commit', 'reveal', 'disclose', 'open', 'seal']);
const KINDS = /** @type {const} */ (['told', 'rolls', 'judged', 'all']);

/** @param {InGame} snapshot @returns {Map<number, any>} the server's words for rolls, by the number of the request */
export const toldRolls = (snapshot) => new Map((snapshot.advice?.state?.rolls ?? []).map((/** @type {any} */ roll) => [roll.roll, roll]));

/** @param {ShownRoll[]} rolls @param {ShownRoll} roll @returns {ShownRoll[]} what rolled dice of it again */
export const rerollsOf = (rolls, roll) => rolls.filter((each) => each.type === 'reroll' && each.ended === 'reveal' && each.body?.roll === roll.seq);

/** @param {ShownRoll} roll verified @param {InGame['game']} game @param {System | null} system @returns {string} what it was for, by its own event */
export const purposeOf = (roll, game, system) => (roll.body?.sealed === undefined ? sentence(system, roll, game, 2).text : secretPurpose(roll));

/**
 * @param {ShownRoll} roll @param {Advised} told @param {InGame['game']} game @param {System | null} system @param {ShownRoll[]} [again]
 * @param {import('../core/holder.js').Outcome | null} [own] what it came to, of a secret roll that this party holds
 * @returns {string} for who listens: what counts comes first
 */
export function announced(roll, told, game, system, again = [], own = null) {
  if (isBehind(roll)) return own === null ? `${behindWords(roll)}.` : `${t('Only you see this')}: ${outcomeWords(roll, own)}.`;
  const dice = diceWords(diceOf(roll, told, again));
  const purpose = { text: purposeOf(roll, game, system) }; // each part of it is isolated already
  const result = showsResult(roll, told) ? '' : (told?.summary?.replaceAll('~~', '') ?? '');
  if (roll.ended === 'reveal') {
    const first = result
      ? t('{author} {result}. {dice}. {purpose}.', { author: roll.author, purpose, dice, result })
      : t('{author}: {dice}. {purpose}.', { author: roll.author, purpose, dice });
    return `${first} ${fairWords(roll)}`;
  }
  return `${t('{author}, {purpose}.', { author: roll.author, purpose })} ${fairWords(roll)}`;
}

/** The rulings about an event. @param {{rulings: ShownRuling[]}} props */
const Rulings = ({ rulings }) =>
  rulings.map(
    (ruling) =>
      html`<p class="ruling" key=${ruling.seq}>${t('{judge} ruled ({ruling}): {text}', {
        judge: ruling.judge ?? ruling.author,
        ruling: rulingWords(ruling.ruling ?? ruling.body?.ruling),
        text: ruling.text ?? ruling.body?.text ?? '',
      })}</p>`,
  );

/** @param {string} ruling @returns {string} */
export const rulingWords = (ruling) => ({ void: t('void'), correct: t('corrected'), uphold: t('upheld'), penalty: t('a penalty') })[ruling] ?? ruling;

/**
 * Returns whether the result of a roll is still to come. Its dice are checked here, so they are there before the
 * server's result. A place is kept for the result.
 * @param {InGame} snapshot @param {ShownRoll} roll @returns {boolean}
 */
const isComing = ({ line, advice }, roll) =>
  roll.ended === 'reveal' && !isBehind(roll) && line === 'live' && advice !== null && advice.size <= (roll.end ?? 0);

/** A judge's way from an entry to its ruling. @param {{seq: number, game: InGame['game'], system: System | null, onRule: (seq: number) => void}} props */
const RuleOn = ({ seq, game, system, onRule }) =>
  html`<button type="button" class="quiet small" aria-label=${t('Rule on {what}', { what: { text: purposeWords(system, game, seq) ?? '' } })} onclick=${() => onRule(seq)}>${t('Rule')}</button>`;

/** A result of so many numbers that the dice above say it sooner. */
const LONG_LIST = /(?:\d{1,9}, ){8}/u;

/** @param {{table: Table, snapshot: InGame, roll: ShownRoll, told: Advised, again: ShownRoll[], system: System | null, rulings: ShownRuling[], inPlace: string, coming: boolean, onRule?: (seq: number) => void}} props */
function RollEntry({ table, snapshot, roll, told, again, system, rulings, inPlace, coming, onRule }) {
  const scene = sceneOf(snapshot.table?.system);
  const dice = diceOf(roll, told, again, scene.passed?.(told));
  // A note that only repeats the summary is left out.
  const notes = isBehind(roll) ? [] : (told?.notes ?? []).filter((/** @type {string} */ note) => !told.summary || !note.endsWith(told.summary));
  const large = (roll.ended === 'reveal' && !isBehind(roll) && told && scene.result?.({ roll, told })) || null;
  const own = isBehind(roll) ? ownOutcome(snapshot, roll) : null;
  const standing = roll.ended === null ? 'waits' : isBehind(roll) ? 'behind' : roll.ended !== 'reveal' ? 'off' : roll.fair ? 'fair' : 'wrong';
  const taken = takenBackWords(snapshot.game, roll);
  return html`<li class=${`entry roll ${standing} ${taken || told?.status === 'struck' ? 'struck' : ''}`} id=${`event-${roll.seq}`}>
    <p class="head"><${Person} name=${roll.author} /> <span class="purpose">${isBehind(roll) ? behindWords(roll) : purposeOf(roll, snapshot.game, system)}</span>
      ${standing !== 'waits' && onRule && html`<${RuleOn} seq=${roll.seq} game=${snapshot.game} system=${system} onRule=${onRule} />`}<time datetime=${roll.time}>${clock(roll.time)}</time></p>
    ${inPlace && html`<p class="in-place quietly">${inPlace}</p>`}
    ${own && html`<p class="only-you"><strong>${t('Only you see this')}</strong> ${outcomeWords(roll, own)}</p>`}${roll.shown !== null && html`<p class="quietly">${shownWords(roll)}</p>`}
    ${dice.length > 0 && html`<${Dice} dice=${dice} legend=${notes.length === 0} />`}
    ${
      coming
        ? html`<p class="result coming"><span aria-hidden="true">…</span><span class="unseen">${t('what it comes to is being asked for')}</span></p>`
        : large
          ? html`<p class="result large">${large}</p>`
          : told?.summary &&
            roll.ended === 'reveal' &&
            !isBehind(roll) &&
            html`<p class=${`result ${LONG_LIST.test(told.summary) ? 'long' : ''}`}><${Struck} text=${told.summary} />${!snapshot.advice?.own && !showsResult(roll, told) && html` <small class="advised">${t('dice checked here, result by the server')}</small>`}</p>`
    }
    ${notes.length > 0 && html`<ul class="notes">${notes.map((/** @type {string} */ note) => html`<li><${Struck} text=${note} /></li>`)}</ul>`}
    ${scene.roll && !isBehind(roll) && html`<${scene.roll} table=${table} snapshot=${snapshot} system=${system} roll=${roll} told=${told} />`}
    ${(taken || told?.status === 'struck') && html`<p class="ruling">${taken || t('A judge ruled it void: nothing comes of it.')}</p>`}
    <${Rulings} rulings=${rulings} />
    <${Fold} className="plain fairness" title=${html`<span class="sign" aria-hidden="true">${{ fair: '✓', wrong: '✗', off: '–', waits: '…', behind: '◐' }[standing]}</span> ${standing === 'fair' ? [t('fair'), withoutWords(roll)].filter(Boolean).join(' · ') : standing === 'behind' ? t('not shown') : fairWords(roll)}`}>
      ${standing === 'fair' && html`<p>${fairWords(roll)}</p>`}<${Signed} words=${eventWords(system, roll)} whole=${true} /><${Why} table=${table} roll=${roll} told=${told} snapshot=${snapshot} />
      ${standing === 'fair' && !Object.hasOwn(roll.body, 'sealed') && html`<${ShareRoll} table=${table} seq=${roll.seq} />`}
    <//>
  </li>`;
}

/**
 * An entry, which is drawn anew only when something of it has changed: the log is most of the screen.
 * @param {{on: unknown[], make: () => import('./html.js').Content}} props
 */
const Kept = ({ on, make }) => useMemo(make, [JSON.stringify(on)]);

/** Events that begin another part of the game; they group the log. @param {ShownEvent} event */
const isScene = ({ type, body }) => type === 'declare' && body.what === 'phase';

/** @param {{event: ShownEvent, game: InGame['game'], system: System | null, rulings: ShownRuling[], onRule?: (seq: number) => void}} props */
function EventEntry({ event, game, system, rulings, onRule }) {
  const { text } = sentence(system, event, game, 2);
  const words = eventWords(system, event);
  return html`<li class=${`entry event ${isScene(event) ? 'scene' : ''}`} id=${`event-${event.seq}`}>
    <p class="head"><${Person} name=${event.author} /> <span class="purpose">${text}</span>
      ${onRule && html`<${RuleOn} seq=${event.seq} game=${game} system=${system} onRule=${onRule} />`}
      <time datetime=${event.time}>${clock(event.time)}</time></p>
    ${words.parts.length > 1 && html`<${Signed} words=${words} whole=${true} />`}
    <${Rulings} rulings=${rulings} />
  </li>`;
}

/** @param {ShownRoll[]} rolls @returns {Map<number, ShownRoll[]>} what rolled dice of a roll again, by its number */
function rerollsBySubject(rolls) {
  /** @type {Map<number, ShownRoll[]>} */
  const found = new Map();
  for (const roll of rolls)
    if (roll.type === 'reroll' && roll.ended === 'reveal') found.set(roll.body?.roll, [...(found.get(roll.body?.roll) ?? NONE), roll]);
  return found;
}

/** @param {ShownRuling[]} rulings @returns {Map<number, ShownRuling[]>} by the event that each is about; a ruling on a ruling stands at both */
function rulingsBySubject(rulings) {
  const found = new Map();
  for (const ruling of rulings) {
    for (let on = ruling; on !== undefined; ) {
      const { subject } = on;
      found.set(subject, [...(found.get(subject) ?? []), ruling]);
      on = /** @type {ShownRuling} */ (rulings.find(({ seq }) => seq === subject));
    }
  }
  return found;
}

/**
 * What the entries of the log show beside their events.
 * @param {InGame} snapshot
 */
function useEntries(snapshot) {
  const { game } = snapshot;
  return {
    told: useMemo(() => toldRolls(snapshot), [snapshot.advice]),
    rolls: useMemo(() => new Map(game.rolls.map((roll) => [roll.seq, roll])), [game.rolls]),
    again: useMemo(() => rerollsBySubject(game.rolls), [game.rolls]),
    about: useMemo(() => rulingsBySubject(game.rulings), [game.rulings]),
    placed: useMemo(() => voidedRolls(game), [game.rolls, game.rulings]).placed,
    called: game.parties.map((party) => party.called),
  };
}

/** @typedef {ReturnType<typeof useEntries>} Entries */

/**
 * Returns whether the filters show an event.
 * @param {ShownEvent} event @param {{who: string, kind: typeof KINDS[number]}} filters @param {Entries} entries
 */
function passes(event, { who, kind }, { about, rolls }) {
  if (who !== '' && event.author !== who) return false;
  if (kind === 'all') return true;
  if (kind === 'rolls') return REQUESTS.has(event.type);
  if (kind === 'judged')
    return event.type === 'ruling' || event.type === 'void' || about.has(event.seq) || (rolls.get(event.seq)?.ended ?? 'reveal') !== 'reveal';
  return !SILENT.has(event.type);
}

/** @param {{game: InGame['game'], who: string, kind: string, onWho: (who: string) => void, onKind: (kind: typeof KINDS[number]) => void}} props */
function Filters({ game, who, kind, onWho, onKind }) {
  const kinds = { told: t('The game'), rolls: t('Rolls'), judged: t('Rulings, called off'), all: t('Every event') };
  return html`<div class="filters">
      <label class="unseen" for="who">${t('Whose')}</label>
      <select id="who" onchange=${(event) => onWho(event.currentTarget.value)}>
        <option value="" selected=${who === ''}>${t('Everybody')}</option>
        ${game.parties.map(({ name }) => html`<option value=${name} selected=${who === name}>${calledOf(name)}</option>`)}
      </select>
      <label class="unseen" for="kind">${t('What kind')}</label>
      <select id="kind" onchange=${(event) => onKind(/** @type {typeof KINDS[number]} */ (event.currentTarget.value))}>
        ${KINDS.map((each) => html`<option value=${each} selected=${kind === each}>${kinds[each]}</option>`)}
      </select>
    </div>`;
}

/**
 * Returns the entry of an event, drawn anew only when something of it has changed.
 * @param {ShownEvent} event @param {Entries} entries
 * @param {{table: Table, snapshot: InGame, system: System | null, onRule?: (seq: number) => void}} props
 */
function entryOf(event, { told, rolls, again, about, placed, called }, { table, snapshot, system, onRule }) {
  const { seq, leaf } = event;
  const { game, advice } = snapshot;
  const roll = rolls.get(seq);
  const rulings = about.get(seq) ?? [];
  const always = [leaf, rulings, called, language(), new Date().getDate()];
  if (!roll)
    return html`<${Kept} key=${seq} on=${always} make=${() => html`<${EventEntry} event=${event} game=${game} system=${system} rulings=${rulings} onRule=${onRule} />`} />`;
  const scene = sceneOf(snapshot.table?.system);
  const hasOwnWords = scene.roll !== undefined || scene.result !== undefined;
  const advised = told.get(seq) ?? null;
  const rerolls = again.get(seq) ?? NONE;
  const coming = isComing(snapshot, roll);
  const voided = placed.get(seq);
  const inPlace = voided === undefined ? '' : inPlaceWords(voided);
  const changes = [
    roll,
    inPlace,
    advised,
    rerolls,
    coming,
    advice?.own,
    hasOwnWords && advice?.size,
    isBehind(roll) && game.secrets,
    takenBackWords(game, roll),
  ];
  return html`<${Kept} key=${seq} on=${[...always, ...changes]} make=${() => html`<${RollEntry} table=${table} snapshot=${snapshot} system=${system} roll=${roll}
        told=${advised} again=${rerolls} rulings=${rulings} inPlace=${inPlace} coming=${coming} onRule=${onRule} />`} />`;
}

/** @param {{table: Table, snapshot: InGame, system: System | null, onRule?: (seq: number) => void}} props */
export function Log(props) {
  const { game } = props.snapshot;
  const [filters, setFilters] = useState({ who: '', kind: /** @type {typeof KINDS[number]} */ ('told') });
  const [most, setMost] = useState(SHOWN);
  const entries = useEntries(props.snapshot);
  const filter = (/** @type {Partial<typeof filters>} */ part) => {
    setFilters({ ...filters, ...part });
    setMost(SHOWN);
  };
  const shown = game.events.filter((event) => passes(event, filters, entries)).reverse();
  return html`<${Section} id="log" title=${t('The log')} className="log">
    <${Filters} game=${game} ...${filters} onWho=${(/** @type {string} */ who) => filter({ who })} onKind=${(/** @type {typeof KINDS[number]} */ kind) => filter({ kind })} />
    ${shown.length === 0 && html`<p class="quietly">${t('Nothing yet.')}</p>`}
    <ol class="entries" reversed>${shown.slice(0, most).map((event) => entryOf(event, entries, props))}</ol>
    ${shown.length > most && html`<button type="button" class="quiet" onclick=${() => setMost(most + 4 * SHOWN)}>${t('Show more ({count} left)', { count: shown.length - most })}</button>`}
  <//>`;
}

/**
 * Results in words for people who listen: each once, when it is there, and none of those from before the page was
 * opened.
 * @param {{snapshot: InGame, system: System | null}} props
 */
export function Announcer({ snapshot, system }) {
  const seen = useRef(/** @type {Set<string> | null} */ (null));
  const [lines, setLines] = useState(/** @type {{seq: number, text: string}[]} */ ([]));
  const latest = useRef(snapshot);
  latest.current = snapshot;
  const { game } = snapshot;
  useEffect(() => {
    if (!game) return;
    const over = game.rolls.filter((/** @type {any} */ roll) => roll.ended !== null);
    const marked = over.map((/** @type {any} */ roll) => ({ roll, mark: `${roll.seq} ${roll.shown ?? ''}` })); // a secret roll once more when it is shown
    if (seen.current === null) {
      seen.current = new Set(marked.map(({ mark }) => mark));
      return;
    }
    for (const { roll, mark } of marked) {
      if (seen.current.has(mark)) continue;
      seen.current.add(mark);
      const began = Date.now();
      const tell = () => {
        const now = latest.current;
        if ((now.advice?.size ?? 0) <= (roll.end ?? 0) && Date.now() - began < WAIT) {
          setTimeout(tell, 60);
          return;
        }
        const text = announced(roll, toldRolls(now).get(roll.seq) ?? null, now.game, system, rerollsOf(now.game.rolls, roll), ownOutcome(now, roll));
        setLines((before) => [...before.slice(-9), { seq: roll.seq, text }]);
      };
      tell();
    }
  }, [game?.rolls]);
  return html`<div class="unseen" role="log" aria-live="polite" aria-label=${t('Results')}>${lines.map(({ seq, text }) => html`<p key=${`${seq} ${text}`}>${text}</p>`)}</div>`;
}
