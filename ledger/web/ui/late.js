/**
 * Newcomers to a game that has begun: somebody asks, the host lets them in with one tap, the others consent
 * (specs/page.md).
 * @module
 */

import { Act } from './act.js';
import { html, useRef } from './html.js';
import { dueKey, signOf } from './lost.js';
import { Sit } from './sit.js';
import { Button, Fold, roleWords, Section, useAgo } from './parts.js';
import { Terms } from './terms.js';
import { fullName, listed, t } from './words.js';

/** @typedef {import('../core/index.js').ScreenHere} Here */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** Somebody asks to come in, and this browser is the host's. @param {{table: Table, snapshot: InGame}} props */
const Asking = ({ table, snapshot }) =>
  snapshot.table.asking
    .map(({ key, name: of, role, alike }) => ({ key, name: fullName(of), role, alike }))
    .map(
      ({ key, name, role, alike }) => html`<div class="asks" key=${key}>
  <p>${role === 'player' ? t('{name} asks to come in.', { name }) : t('{name} asks to come in, as {role}.', { name, role: roleWords(role) })}</p>
  ${alike !== null && html`<p class="loud doubt" role="alert">${t('{name} looks like {other}, but is somebody else: ask who that is, without using this server.', { name, other: fullName(alike) })}</p>`}
  <${Button} kind="main" onTap=${() => table.admissions.letIn(key)}>${t('Let {name} in', { name })}<//>
  <p class="hint">${
    role === 'judge'
      ? t('When everybody who plays has agreed, {name} may rule and call rolls off. This tap says that you agree.', { name })
      : t(
          '{name} is in the next roll. When everybody who plays has agreed, {name} also has a say in who is signed away. This tap says that you agree.',
          { name },
        )
  }</p>
  <${Fold} title=${t('Not {name}?', { name })} className="plain">
    <p class="hint">${t('The person you turn away cannot ask again with the same key. With the link they can, under another key.')}</p>
    <${Button} kind="danger" onTap=${() => table.host.unseat(key)}>${t('Turn {name} away', { name })}<//><//></div>`,
    );

/** Somebody came later, and this party has not consented yet. @param {{table: Table, snapshot: InGame}} props */
const Consents = ({ table, snapshot }) =>
  snapshot.game.newcomers
    .filter((each) => each.mine)
    .map(
      ({ name, role, admit, byHost }) => html`<div class="asks" key=${admit}>
  <p>${
    role === 'judge'
      ? t('{name} came later, as judge. When everybody who plays has agreed, {name} may rule and call rolls off; until then nothing.', { name })
      : t('{name} came later, and rolls like everybody. When everybody who plays has agreed, {name} also has a say in who is signed away.', { name })
  }</p>
  ${!byHost && html`<p class="loud doubt" role="alert">${t('The server let {name} in by itself, without the agreement of {host}: the server may control {name}.', { name, host: snapshot.table.host })}</p>`}
  <${Act} table=${table} snapshot=${snapshot} type="consent" body=${{ admit }} short=${t('Agree to {name}', { name })} /></div>`,
    );

/** Newcomers, as the host and those who play see them. @param {{table: Table, snapshot: InGame}} props */
export function ComingIn({ table, snapshot }) {
  const { game, me, stage, trouble } = snapshot;
  const mine = game.newcomers.find((each) => each.name === me?.name);
  const asked = game.newcomers.some((each) => each.mine);
  const waits = mine !== undefined && mine.role === 'judge' && mine.awaited.length > 0;
  if (stage !== 'playing' || trouble || (snapshot.table.asking.length === 0 && !asked && !waits)) return null;
  return html`<${Section} id="late" title=${t('Somebody comes')} className="late">
    <${Asking} table=${table} snapshot=${snapshot} /><${Consents} table=${table} snapshot=${snapshot} />
    ${waits && html`<p class="waits">${t('You came later, and judge when everybody who plays has agreed to it. Still missing: {names}.', { names: listed(mine.awaited) })}</p>`}<//>`;
}

/**
 * The page of somebody who has come by a link after the game began.
 * @param {{here: Here, table: Table, snapshot: InGame}} props
 */
export function AskIn({ here, table, snapshot }) {
  const { me } = snapshot;
  const { host } = snapshot.table;
  if (me === null) return null;
  if (me.asks === 'asked') {
    return html`<p class="waits" role="status">${t('{host} is asked to let you in, {name}. Leave this page open: you are in the next roll from then on.', { host, name: me.name })}</p>`;
  }
  if (snapshot.table.ended) {
    return html`<p class="loud doubt" role="alert">${t('{host} has made a new link in the place of this one: ask for it.', { host })}</p>`;
  }
  const taken = [...snapshot.game.parties, ...snapshot.table.seats].flatMap(({ name, called }) => (called === null ? [name] : [name, called]));
  return html`${me.asks === 'out' && html`<p class="loud doubt" role="alert">${t('{host} has turned you away, or so this server says. Ask {host} without using this server.', { host })}</p>`}
    <p>${t('The game has begun. Ask {host} to let you in.', { host })}</p>
    <${Sit} here=${here} role=${me.role} taken=${taken} onSit=${(/** @type {string} */ name, /** @type {{passphrase?: string, called?: string | null}} */ more) => table.admissions.ask(name, more)} words=${t('Agree to the terms, and ask to come in')} />
    <${Fold} title=${t('What is agreed to')} className="plain"><${Terms} table=${snapshot.table} /><//>`;
}

/**
 * Those who are gone, and whether this party has a say in going on without them. `mine` is undefined if this party can
 * do nothing about it now.
 * @param {InGame} snapshot
 */
function useGone(snapshot) {
  const { game, me, stage, trouble } = snapshot;
  // Only the stream says who is here: the time before it stood does not count, whenever the roll was asked for.
  const live = useAgo(useSince(game.waiting !== null && snapshot.line === 'live' ? `${game.waiting.seq}` : ''));
  const without = signable(snapshot, game.phase === 'idle' ? game.unlinked : []);
  const stands = useAgo(useSince(without.join()));
  const own = game.parties.find((party) => party.name === me?.name);
  const mine = stage !== 'playing' || trouble || !me?.seated || own?.away ? undefined : own;
  const missing = mine ? goneOf(snapshot, live > PATIENCE) : [];
  const gone = missing.length > 0 ? missing : mine && stands > PATIENCE ? without : [];
  const say = mine && (mine.calls || (mine.role === 'judge' && !game.newcomers.some((each) => each.name === mine.name)));
  const names = listed(gone);
  const title = missing.length > 0 ? t('{names} did not open', { names }) : t('Nobody can roll without {names}', { names });
  return { mine, missing, gone, say, title };
}

/**
 * Returns the part that waits for an answer of this party, and the words that lead there; null if none does.
 * @param {InGame} snapshot @returns {{id: string, words: string} | null}
 */
export function useAsked(snapshot) {
  const { gone, say, title } = useGone(snapshot);
  const { game, me, stage, table, trouble } = snapshot;
  if (stage !== 'playing' || trouble) return null;
  if (me?.seated && game.parties.some((party) => party.name === me.name && party.away)) return { id: 'back', words: t('You are away') };
  if (gone.length > 0 && say) return { id: 'gone', words: title };
  if (table.asking.length > 0 || game.newcomers.some((each) => each.mine)) return { id: 'late', words: t('Somebody comes') };
  const back = dueKey(snapshot);
  return back ? { id: `lost-${signOf(back.key)}`, words: t('{name} has a new browser?', { name: back.name }) } : null;
}

/**
 * Somebody did not open, or has no link for the next roll, and is gone, and the terms let the others go on. One tap
 * signs them away, and calls the roll off if this party closes it and has not opened.
 * @param {{table: Table, snapshot: InGame}} props
 */
export function GoOn({ table, snapshot }) {
  const { game } = snapshot;
  const { mine, missing, gone, say, title } = useGone(snapshot);
  const said = calledBy(snapshot);
  const saidFor = useAgo(useSince(said.join()));
  if (mine === undefined) return null;
  if (gone.length === 0) return saidFor > SETTLED ? said.map((name) => html`<${Said} key=${name} snapshot=${snapshot} name=${name} />`) : null;
  const names = listed(gone);
  const late = game.newcomers.some((each) => each.name === mine.name);
  if (!say) return html`<${Section} id="gone" title=${title} className="late"><${NoSay} snapshot=${snapshot} gone=${gone} late=${late} /><//>`;
  return html`<${Section} id="gone" title=${title} className="late">
    <p>${
      missing.length > 0
        ? t('The others can go on without {names}, until {names} is back. The same roll is then owed, and its dice are new.', { names })
        : t(
            'Before the next roll the page of {names} has to prepare for it, and {names} is not here. The others can go on without {names}, until {names} is back.',
            { names },
          )
    }</p>
    <${Button} kind="main" onTap=${() => table.game.goOnWithout(gone)}>${t('Go on without {names}', { names })}<//><//>`;
}

/** Others can go on without somebody, and this party has no say in that. @param {{snapshot: InGame, gone: string[], late: boolean}} props `late`: it is a newcomer */
function NoSay({ snapshot, gone, late }) {
  const others = mayCall(snapshot, gone);
  return html`${others.length > 0 && html`<p>${t('Who can go on without {names}: {others}.', { names: listed(gone), others: listed(others) })}</p>`}
    ${late && html`<p>${t('You came later, and have no say in that before everybody who plays has agreed to it.')}</p>`}`;
}

/** This party has said that somebody is away, and it has no effect yet. @param {{snapshot: InGame, name: string}} props */
function Said({ snapshot, name }) {
  const party = snapshot.game.parties.find((each) => each.name === name);
  const others = mayCall(snapshot, [name]).filter((each) => each !== snapshot.me?.name && !party?.calledBy.includes(each));
  return html`<${Section} id="said" title=${t('You go on without {name}', { name })} className="late"><p>${
    others.length > 0
      ? t('It takes effect when all who have a say in it have said so too. Still missing: {others}.', { others: listed(others) })
      : t(
          'It takes effect when the server finds that {name} is gone: the latest roll was called off because {name} did not open, and {name} has not been connected for 15 seconds.',
          { name },
        )
  }</p><//>`;
}

/**
 * A party that was away is back with one tap, which stands above all else.
 * @param {{table: Table, snapshot: InGame}} props
 */
export function Back({ table, snapshot }) {
  const { game, me, stage, trouble } = snapshot;
  const mine = game.parties.find((party) => party.name === me?.name);
  if (stage !== 'playing' || trouble || !me?.seated || !mine?.away) return null;
  const missed = game.rolls.filter((roll) => roll.unaccepted.includes(mine.name)).length;
  return html`<${Section} id="back" title=${t('You are away')} className="late"><p>${t('The others go on without you. Your part in the dice begins again when you are back.')}</p>
    <${Act} table=${table} snapshot=${snapshot} type="back" body=${{ party: mine.name }} kind="main" short=${t('I am back')} />
    ${
      missed > 0 &&
      html`<p>${t('Rolls that were made without you: {count}. They are marked so, and count in no luck and no season until you accept them.', { count: missed })}</p>
      <${Act} table=${table} snapshot=${snapshot} type="back" body=${{ accept: 'rolls', party: mine.name }} short=${t('I am back, and accept them')} />`
    }<//>`;
}

/**
 * Milliseconds that a roll waits for somebody who is not here before the page offers to go on: the server waits as
 * long.
 */
const PATIENCE = 15_000;

/** Milliseconds after which a signed event has its effect, or needs more for it. */
const SETTLED = 2000;

/**
 * Returns the time since which something stands as it does; null while nothing does.
 * @param {string} what
 * @returns {number | null} milliseconds, by this clock
 */
function useSince(what) {
  const seen = useRef(/** @type {{what: string, since: number}} */ ({ what: '', since: 0 }));
  if (seen.current.what !== what) seen.current = { what, since: Date.now() };
  return what === '' ? null : seen.current.since;
}

/** @param {InGame} snapshot @param {boolean} late whether this page has seen it wait for long @returns {string[]} who did not open, and whom this party can sign away now */
function goneOf(snapshot, late) {
  const { waiting, missing } = snapshot.game;
  if (waiting === null) return signable(snapshot, missing);
  return late && waiting.mine === 'closer'
    ? signable(
        snapshot,
        waiting.absent.filter((name) => waiting.awaited.includes(name)),
      )
    : [];
}

/** @param {InGame} snapshot @param {string[]} names @returns {string[]} who of them is gone, and can be signed away; not whom this party has called */
function signable({ game, line, me, table }, names) {
  if (table.away !== 'others' || line !== 'live') return [];
  return game.parties
    .filter(
      (party) =>
        names.includes(party.name) &&
        party.name !== me?.name &&
        !party.here &&
        party.joined &&
        !party.left &&
        !party.away &&
        !party.calledBy.includes(me?.name ?? ''),
    )
    .map((party) => party.name);
}

/** @param {InGame} snapshot @returns {string[]} whom this party has called away, without effect so far */
function calledBy({ game, me }) {
  return game.parties.filter((party) => party.calledBy.includes(me?.name ?? '')).map((party) => party.name);
}

/** @param {InGame} snapshot @param {string[]} gone @returns {string[]} who, but the keeper, has a say in whether the others go on without them */
function mayCall({ game }, gone) {
  return game.parties.filter((party) => party.calls && party.role !== 'keeper' && !gone.includes(party.name)).map((party) => party.name);
}
