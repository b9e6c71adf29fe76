/**
 * Signing by a tap. The words of the button are made from the very event that the tap signs (specs/page.md).
 * @module
 */

import { same } from '../core/rules.js';
import { html, useEffect, useRef, useState } from './html.js';
import { eventWords, onOneLine } from './event-words.js';
import { Fold, go, problemWords, useLate } from './parts.js';
import { sentence } from './sentences.js';
import { systemOf } from './systems.js';
import { listed, t, Told } from './words.js';

/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** @typedef {{type: string, body: {[name: string]: unknown}}} Meant */

/**
 * Returns the letters and digits alone: two texts that differ only in other characters say the same.
 * @param {string} text
 * @returns {string}
 */
const bare = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** @param {string} whole @param {string} text @returns {boolean} whether all words of a text stand in another, in any order */
function hasWords(whole, text) {
  const words = new Set(bare(whole).split(' '));
  return bare(text)
    .split(' ')
    .every((each) => words.has(each));
}

/** Events that nobody takes back: the page asks twice before it signs them. */
const ENDS = new Set(['leave']);

/**
 * Milliseconds that buttons wait for advice about the newest lines. Advice may never come, and nothing depends on it.
 */
const CATCH_UP = 2000;

/** @param {Table} table @param {Meant} meant @returns {import('../core/play.js').Prepared | null} what would be signed now, or null where nothing can be at the moment */
function preparedOrNull(table, { type, body }) {
  try {
    return table.game.prepare(type, body);
  } catch {
    return null;
  }
}

/** @param {Snapshot} snapshot @returns {boolean} whether this party plays */
const isPlaying = ({ stage, me, trouble, game }) =>
  stage === 'playing' && me !== null && me.seated && !me.moved && !me.stopped && !trouble && game !== null && game.phase !== 'closed';

/** @param {Snapshot} snapshot @returns {boolean} whether anything of this party's can come now */
export const canAct = (snapshot) => isPlaying(snapshot) && snapshot.game?.waiting === null && snapshot.game.phase === 'idle';

/**
 * Returns whether the page knows what is next. Until the server's advice is about all lines, its older offers belong to
 * the step before. If advice stays behind for longer (somebody writes without a pause), the page no longer waits for
 * it.
 * @param {Snapshot} snapshot @returns {boolean}
 */
function useCaughtUp({ advice, game }) {
  const known = advice === null || advice.size >= (game?.size ?? 0);
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    setWaited(false);
    if (known) return undefined;
    const timer = setTimeout(() => setWaited(true), CATCH_UP);
    return () => clearTimeout(timer);
  }, [known]);
  return known || waited;
}

/**
 * The signed event, member by member. It is folded, unless the sentence leaves something out.
 * @param {{words: import('./event-words.js').EventWords, whole: boolean}} props
 */
export const Signed = ({ words, whole }) =>
  words.parts.length > 0 &&
  html`<${Fold} className="plain signed" open=${!whole} title=${t('What is signed')}>
  <dl class="members"><div><dt>${t('what')}</dt><dd>${words.kind}</dd></div>
    ${words.parts.map(({ title, value }) => html`<div key=${title}><dt>${title}</dt><dd>${value}</dd></div>`)}</dl><//>`;

/**
 * The event that a tap would sign now, in words.
 * @param {Table} table
 * @param {InGame} snapshot
 * @param {Meant} meant
 * @returns {string}
 */
export const signedWords = (table, snapshot, meant) =>
  sentence(systemOf(snapshot.table?.system), preparedOrNull(table, meant)?.event ?? meant, snapshot.game, 1).text;

/**
 * Says, before somebody leaves, which roll they owe, what every report will say of that, and where it is made again.
 * @param {{snapshot: InGame, party: string, onBack: () => void}} props `onBack`: nobody leaves now
 */
function Owed({ snapshot, party, onBack }) {
  const { advice, game, me, table } = snapshot;
  const owed = game.owed.find((each) => each.party === party);
  if (owed === undefined) return null;
  const { text } = sentence(systemOf(table.system), owed, game, 1);
  const offered = advice?.actions.some(({ due, type, body }) => due && type === owed.type && same(body, owed.body));
  return html`<p>${
    party === me?.name
      ? t('You still owe a roll that was called off: {roll}. Every report of this game will say that you left without making it again.', {
          roll: { text },
        })
      : t('{name} still owes a roll that was called off: {roll}. Every report of this game will say that {name} left without making it again.', {
          name: party,
          roll: { text },
        })
  }</p>
    ${
      party === me?.name &&
      offered &&
      html`<p><button type="button" onclick=${() => {
        onBack();
        go('now');
      }}>${t('Make that roll first')}</button></p>`
    }`;
}

/**
 * Returns whether a tap signs now (`free`) or a moment later (`soon`): another's line has come, or another's roll is
 * being opened. After an own tap it does not: a second tap counts for nothing.
 * @param {InGame} snapshot
 * @returns {{free: boolean, soon: boolean, spend: (seq: number) => void}} `spend`: this button has signed event `seq`
 */
function useTurn(snapshot) {
  const [signed, setSigned] = useState(-1);
  const caughtUp = useCaughtUp(snapshot);
  const { waiting, size } = snapshot.game;
  const free = canAct(snapshot) && caughtUp && size > signed; // a snapshot without the own event is older
  const rested = useRef(false);
  if (free) rested.current = true;
  const late = useLate(waiting?.seq ?? null);
  const soon = rested.current && isPlaying(snapshot) && !late && waiting?.author !== snapshot.me?.name;
  const spend = (/** @type {number} */ seq) => {
    rested.current = false;
    setSigned(seq);
  };
  return { free, soon, spend };
}

/** @param {unknown} error @returns {{text: string, changed: boolean}} `changed`: another event came before this one */
function problemOf(error) {
  const changed = /** @type {any} */ (error)?.name === 'Changed' || /** @type {any} */ (error)?.constructor?.name === 'Changed';
  return {
    changed,
    text: changed ? t('Somebody was faster, and this may mean something else now. If you still want it, tap again.') : problemWords(error),
  };
}

/**
 * Signs what is meant, if it is still the event whose words stand on the button, and keeps what went wrong.
 * @param {{table: Table, snapshot: InGame, type: string, body: {[name: string]: unknown} | null, onDone?: (seq: number) => void, onSigning?: (signing: boolean) => void}} props
 * @param {import('./event-words.js').EventWords} words on the button
 * @param {ReturnType<typeof useTurn>} turn
 * @returns {{busy: boolean, problem: {text: string, changed: boolean} | null, sign: () => Promise<void>}}
 */
function useSigning({ table, snapshot, type, body, onDone, onSigning }, words, { free, spend }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(/** @type {{text: string, changed: boolean} | null} */ (null));
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  const { size } = snapshot.game;
  useEffect(() => setProblem(null), [JSON.stringify([type, body])]);
  // An error about that line, or about that state of the game, no longer holds.
  useEffect(() => setProblem((now) => (now?.changed ? now : null)), [snapshot.line, size]);
  const sign = async () => {
    setBusy(true);
    setProblem(null);
    onSigning?.(true);
    try {
      const now = table.game.prepare(type, body);
      if (onOneLine(eventWords(systemOf(snapshot.table?.system), now.event)) !== onOneLine(words))
        throw new Told('This has changed meanwhile: look at it, and tap again.');
      const { seq } = await table.game.sign(now, free && now.event.seq === size); // lines may have come that are not on the screen
      if (!here.current) return;
      spend(seq);
      onDone?.(seq);
    } catch (error) {
      if (here.current) setProblem(problemOf(error));
    } finally {
      onSigning?.(false);
      if (here.current) setBusy(false);
    }
  };
  return { busy, problem, sign };
}

/**
 * Asks once more before a party leaves for good.
 * @param {{snapshot: InGame, party: string, off: boolean, busy: boolean, onYes: () => void, onNo: () => void}} props
 */
const AskedTwice = ({
  snapshot,
  party,
  off,
  busy,
  onYes,
  onNo,
}) => html`<div class="asked" role="alert"><p>${party === snapshot.me?.name ? t('Leave the game for good? Nobody can let you back in.') : t('Take {name} out of the game for good?', { name: party })}</p>
      <${Owed} snapshot=${snapshot} party=${party} onBack=${onNo} />
      ${off && !busy && snapshot.game.waiting !== null && html`<p>${t('A roll waits: nobody can leave before it is over or called off.')}</p>`}
      <div class="row"><button type="button" class="danger" aria-disabled=${off ? 'true' : null} onclick=${onYes}>${t('Yes')}</button><button type="button" onclick=${onNo}>${t('No')}</button></div></div>`;

/**
 * The texts on a button, and beside it for who listens.
 * @param {import('./event-words.js').EventWords} words @param {{text: string, left: string[]}} sentence of the event; `left`: what it leaves out
 * @param {{type: string, empty: boolean, short: string}} how
 * @returns {{main: string, said: string, heard: string}} `main`: large; `said`: in small below; `heard`: where a face is drawn
 */
function buttonTexts(words, { text, left }, { type, empty, short }) {
  const others = words.parts
    .filter(({ name }) => left.includes(name) && name !== 'hidden') // only a hash, which nobody reads, stands in the fold alone
    .map(({ title, value }) => `${title}: ${value}`);
  return {
    main: short || (!empty ? text : type === 'roll' ? t('Roll') : words.kind),
    said: [...(short && !hasWords(short, text) ? [text] : []), ...others].join(' · '),
    heard: [text, ...others].join(' · '),
  };
}

/**
 * Signs one event in one tap. `advice` is the server's word for it; it stands beside the button and not on it.
 * @param {{table: Table, snapshot: InGame, type: string, body: {[name: string]: unknown} | null, advice?: string, kind?: string,
 *   missing?: string, held?: boolean, onDone?: (seq: number) => void, onSigning?: (signing: boolean) => void, onAdd?: () => void, short?: string, face?: import('./html.js').Content}} props
 *   `body` null: there is no event yet, and `missing` says what is missing.
 *   `held`: it cannot be done while another has to decide
 *   `short`: what is large on the button where the event's own words stand beside it in small
 *   `onDone`: with the number of the event; `onSigning`: when signing begins and when it is over
 *   `face`: what is drawn on a key; the event's own words are heard, and seen where the scene shows them. `onAdd`: of a long press on it
 */
export function Act(props) {
  const { table, snapshot, type, body, advice = '', kind = '', missing = '', held = false, onAdd, short = '', face = null } = props;
  const [asked, setAsked] = useState(false);
  useEffect(() => setAsked(false), [JSON.stringify([type, body])]);
  // The words are those of the event that core would sign now. If core made another event of the request, they say so.
  const system = systemOf(snapshot.table?.system);
  const event = (body !== null && preparedOrNull(table, { type, body })?.event) || { type, body: body ?? {} };
  const words = eventWords(system, event);
  const own = sentence(system, event, snapshot.game, 1);
  const turn = useTurn(snapshot);
  const { busy, problem, sign } = useSigning(props, words, turn);
  const off = busy || held || body === null || !(turn.free || turn.soon);
  const tap = async () => {
    if (off) return;
    const asks = ENDS.has(type) && !asked;
    setAsked(asks);
    if (!asks) await sign();
  };
  const hold =
    onAdd &&
    ((/** @type {Event} */ event) => {
      event.preventDefault();
      onAdd();
    });
  // Nobody can roll before all have a link. Their pages commit by themselves, unless they are gone.
  const waitsFor = busy && ['roll', 'reroll'].includes(type) ? snapshot.game.unlinked : [];
  const { main, said, heard } = buttonTexts(words, own, { type, empty: body === null, short });
  return html`<div class="act">
    <button type="button" class=${`sign ${kind} ${face === null ? '' : 'face'} ${busy ? 'busy' : ''} ${body === null ? 'empty' : ''}`} aria-disabled=${off ? 'true' : null} onclick=${tap} oncontextmenu=${hold}>
      ${face}<span class="verb">${main}</span>
      ${
        face !== null
          ? html`<span class="unseen"> ${heard}</span>`
          : body === null
            ? missing && html`<span class="said">${missing}</span>`
            : said && html`<span class="said">${said}</span>`
      }
      ${busy && html`<span class=${face === null ? 'said' : 'unseen'}>${t('being signed and sent…')}</span>`}
    </button>
    ${asked && html`<${AskedTwice} snapshot=${snapshot} party=${String(body?.party ?? '')} off=${off} busy=${busy} onYes=${tap} onNo=${() => setAsked(false)} />`}
    ${waitsFor.length > 0 && html`<p class="waits" role="status">${t('Waits for {names}, whose page has to prepare for the next roll.', { names: listed(waitsFor) })}</p>`}
    ${advice && !bare(`${main} ${said}`).includes(bare(advice)) && html`<p class="advice">${advice}</p>`}
    ${face === null && body !== null && html`<${Signed} words=${words} whole=${own.whole} />`}
    ${problem !== null && html`<p class=${`problem ${problem.changed ? 'changed' : ''}`} role="alert">${problem.text}</p>`}
  </div>`;
}
