/**
 * Before the game: who sits, a seat to take, links to send, and the start.
 * @module
 */

import { MIN_PASSPHRASE } from '../core/index.js';
import { html, useEffect, useState } from './html.js';
import { Moved } from './moved.js';
import { Qr } from './qr.js';
import { Button, Fold, Handed, roleWords, Section } from './parts.js';
import { Seats, systemTitle, Terms } from './terms.js';
import { fullName, listed, say, t } from './words.js';

/** @typedef {import('../core/snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../core/snapshot.js').AtTable} AtTable */
/** @typedef {import('../core/here.js').Here} Here */
/** @typedef {import('../core/table.js').Table} Table */

/** Characters of a name (specs/README.md, `MAX_NAME`). */
const NAME_LENGTH = 32;
/** Characters of a called name (specs/log.md, “Called names”). */
const CALLED_LENGTH = 40;

/** @param {string} name @returns {string} as a name can be (specs/log.md): a to z, 0 to 9, dot, underscore, hyphen */
export const tidy = (name) => name.normalize('NFKD').toLowerCase().trim().replace(/\s+/g, '-').replace(/[^a-z0-9._-]/g, '').replace(/^[._-]+/, '').slice(0, NAME_LENGTH);

/** Names to sit down with, for who types none. */
const NAMES = ['badger', 'bison', 'crane', 'falcon', 'ferret', 'gecko', 'heron', 'ibex', 'jackal', 'koala', 'lemur', 'lynx', 'marten', 'newt', 'otter', 'panda', 'puffin', 'raven', 'seal', 'stoat', 'swift', 'tapir', 'toad', 'wren'];
const KEPT = 'rollproof name';

/** @param {string[]} taken @returns {string} one that nobody has at this table */
function freeName(taken) {
  const free = NAMES.filter((name) => !taken.includes(name));
  return free[Math.floor(Math.random() * free.length)] ?? '';
}

/** @param {string[]} taken @returns {string} what somebody was called here last, else a name that nobody has at this table */
function nameFor(taken) {
  let kept = '';
  try { kept = (localStorage.getItem(KEPT) ?? '').trim(); } catch { /* a browser that keeps nothing */ }
  return kept !== '' && !taken.includes(kept) && !taken.includes(tidy(kept)) ? kept : freeName(taken);
}

/**
 * What was typed, as a called name, with a name for the key: of its letters, or one that is free.
 * @param {string} typed @param {string[]} taken @param {string} spare a free name @returns {{name: string, called: string | null}}
 */
export function namesOf(typed, taken, spare) {
  const called = typed.normalize('NFC').trim();
  const own = tidy(called);
  if (own === called) return { name: own, called: null };
  return { name: own === '' || taken.includes(own) ? spare : own, called };
}

/** A seat to take. `taken`: names that others have. @param {{here: Here, role: string, taken?: string[], onSit: (name: string, more: {passphrase?: string, called?: string | null}) => Promise<void>, words: string}} props */
export function Sit({ here, role, taken = [], onSit, words }) {
  const { ability } = here;
  const [name, setName] = useState('');
  const [offered, setOffered] = useState(() => nameFor(taken));
  useEffect(() => { if (taken.includes(offered)) setOffered(nameFor(taken)); }, [taken.join()]);
  const [passphrase, setPassphrase] = useState('');
  const [spare] = useState(() => freeName(taken));
  const chosen = namesOf(name.trim() === '' ? offered : name, taken, spare);
  const go = async () => {
    if (chosen.name === '') throw new Error(t('Type a name first.'));
    await onSit(chosen.name, { called: chosen.called, ...(passphrase === '' ? {} : { passphrase }) });
    try { localStorage.setItem(KEPT, chosen.called ?? chosen.name); } catch { /* then the next table offers another */ }
  };
  if (ability) {
    return html`<p class="loud doubt" role="alert">${say(ability)}</p><p>${t('You can look on, and everything is checked here all the same. To play, open the link in another browser.')}</p>`;
  }
  const submit = (/** @type {any} */ event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    event.currentTarget.closest('.sit').querySelector('button.main').click();
  };
  return html`<form class="sit" onsubmit=${(event) => event.preventDefault()}>
    <div class="field"><label for="name">${t('Your name at this table')}</label>
      <input id="name" type="text" maxlength=${CALLED_LENGTH} aria-describedby="name-hint" autocomplete="username" autocapitalize="off" spellcheck=${false} enterkeyhint="go" placeholder=${offered} value=${name}
        oninput=${(event) => setName(event.currentTarget.value)} onkeydown=${submit} />
      <p class="hint" id="name-hint" aria-live="polite">${name.trim() === '' ? offered && t('Left empty, you are called {text}.', { text: offered })
    : chosen.called === null ? '' : t('You will be called {text}. The log also has the name of your key: {name}.', { text: chosen.called, name: chosen.name })}</p></div>
    <${Fold} title=${t('To move to another device later')} hint=${t('a passphrase')} className="plain">
      <div class="field"><label for="passphrase">${t('Passphrase')} <small>${t('(may be left out; else at least {least} characters)', { least: MIN_PASSPHRASE })}</small></label>
        <input id="passphrase" type="password" autocomplete="new-password" value=${passphrase} oninput=${(event) => setPassphrase(event.currentTarget.value)} onkeydown=${submit} />
        <p class="hint">${t('Your key is made in this browser and stays in it. With a passphrase you can take the seat to another one, once. It is stretched here, and sent nowhere.')}</p></div><//>
    <${Button} kind="main" onTap=${go}>${words}<//>
    ${here.persisted === false && html`<p class="hint">${t('This browser has not promised to keep what is stored here. If it is cleared, the seat ends.')}</p>`}
    <p class="hint">${role === 'judge' || role === 'witness' || role === 'gm' ? t('This link is for a {role}.', { role: roleWords(role) }) : ''}</p>
  </form>`;
}

/** The links that a host sends. @param {{links: {[role: string]: string}, table: Table, onNew: () => void}} props */
export function Links({ links, table, onNew }) {
  const words = {
    player: t('Link for players'), gm: t('Link for the game master'), judge: t('Link for a judge'), witness: t('Link for a witness'), spectator: t('Link for spectators'),
  };
  const shown = Object.entries(words).filter(([role]) => links[role]);
  const linkOf = (/** @type {[string, string]} */ [role, label]) => html`<div class="field" key=${role}>
    <span class="label">${label}</span><${Handed} text=${links[role]} label=${label} />
    ${role === first && html`<${Fold} title=${t('Show it as a QR code')} hint=${t('for a camera')} className="plain"><${Qr} text=${links[role]} label=${t('QR code of the link for players')} /><//>`}${role !== first && renew(role)}</div>`;
  const renew = (/** @type {string} */ role) => html`<${Button} onTap=${async () => { await table.newLink(role); onNew(); }}>${t('Make a new one, which ends this')}<//>`;
  const first = links.player ? 'player' : '';
  return html`${shown.filter(([role]) => role === first).map(linkOf)}
    <${Fold} title=${t('Other links')} hint=${t('judge, spectators, a new link')} className="plain">
    ${first && html`<div class="field"><span class="label">${words.player}</span>${renew(first)}</div>`}
    ${shown.filter(([role]) => role !== first).map(linkOf)}
    <p class="hint">${t('Who sits here by a link that was ended keeps the seat, until you take it away.')}</p>
    <p class="hint">${t('A link is a secret: whoever has it can use it. What stands behind # is never sent to the server.')}</p><//>`;
}

/** @param {Table} table @param {(snapshot: Snapshot) => boolean} holds @returns {Promise<void>} when it does */
const until = (table, holds) => new Promise((resolve) => {
  /** @type {(() => void) | null} */
  let stop = null;
  stop = table.subscribe((snapshot) => {
    if (!holds(snapshot)) return;
    resolve();
    queueMicrotask(() => stop?.());
  });
});

/** The host starts with those who sit. @param {{table: Table, snapshot: AtTable}} props */
function Start({ table, snapshot }) {
  const { seats } = snapshot.table;
  const others = seats.filter((seat) => !seat.mine);
  const [out, setOut] = useState(/** @type {string[]} */ ([]));
  const chosen = seats.filter((seat) => !out.includes(seat.key));
  const names = chosen.map((seat) => seat.name);
  const mine = chosen.some((seat) => seat.mine);
  const start = async () => {
    await table.start(chosen.map((seat) => seat.key));
    if (!mine) return;
    // Who starts has the terms and the players before it, and agrees to them with the same tap: the button says so. Core has
    // compared event 0 with them when the game is there.
    await until(table, (/** @type {any} */ { stage }) => stage !== 'lobby');
    if (table.snapshot.stage === 'agreeing') await table.agree();
  };
  const playing = chosen.some((seat) => seat.role === 'player');
  const { contributors, keeper } = snapshot.table;
  const lacking = Array.isArray(contributors) ? contributors.filter((name) => name !== keeper && !names.includes(name)) : [];
  return html`${seats.length > 1 && html`<fieldset class="field"><legend>${t('Who plays')}</legend><div class="keys">
      ${seats.map((seat) => html`<button type="button" class="key" key=${seat.key} aria-pressed=${out.includes(seat.key) ? 'false' : 'true'}
        onclick=${() => setOut(out.includes(seat.key) ? out.filter((key) => key !== seat.key) : [...out, seat.key])}><bdi>${fullName(seat.name)}</bdi></button>`)}</div></fieldset>`}
    ${others.length > 0 && html`<${Fold} title=${t('Take somebody out')} className="plain">
      <p class="hint">${t('Whom you take out cannot sit here again with the same key. Who has the link can with another: make a new one too.')}</p>
      ${others.map((seat) => html`<${Button} key=${seat.key} kind="danger" onTap=${() => table.unseat(seat.key)}>${t('Take {name} out', { name: fullName(seat.name) })}<//>`)}<//>`}
    ${seats.length === 1 && mine && html`<p class="hint">${t('Nobody else sits here yet: send the link first.')}</p>`}
    <${Button} kind=${seats.length > 1 ? 'main' : ''} disabled=${!playing || lacking.length > 0} onTap=${start}>${!playing ? t('Start: nobody sits here yet')
    : lacking.length > 0 ? t('Start: it waits for {names} to sit down here, with a part in every roll', { names: listed(lacking) })
    : mine ? t('Start with {names}, and agree to the terms', { names: listed(names) }) : t('Start with {names}', { names: listed(names) })}<//>
    <p class="hint">${t('Whom you mean is yours to say: look whether these are the people whom you sent the link.')} ${snapshot.table.admits.length > 0
    ? t('Who comes later asks you by the same link.') : t('Nobody can come in later.')}</p>`;
}

/** @param {{here: Here, table: Table, snapshot: AtTable, role: string}} props */
export function Lobby({ here, table, snapshot, role }) {
  const terms = snapshot.table;
  const mine = terms.seats.find((seat) => seat.mine);
  const [links, setLinks] = useState(/** @type {any} */ (null));
  const readLinks = () => void Promise.resolve(here.links(terms.id)).then(setLinks).catch(() => undefined);
  useEffect(() => {
    if (terms.mine) readLinks();
  }, [terms.id, terms.mine]);
  return html`<div class="columns">
    <div class="column">
      ${!mine && terms.out && html`<p class="loud doubt" role="alert">${t('You do not sit here any more: {host} has taken you out, or so this server says. Ask {host} by another way. You can sit down again, with another key.', { host: terms.host })}</p>`}
      ${!mine && terms.ended && html`<p class="loud doubt" role="alert">${t('{host} has made a new link in the place of this one: ask for it.', { host: terms.host })}</p>`}
      ${!mine && role !== 'spectator' && !terms.ended && html`<${Section} id="seat" title=${t('Take a seat')}>
        <${Sit} here=${here} role=${role} taken=${[terms.keeper, ...terms.seats.flatMap((seat) => [seat.name, ...(seat.called === null ? [] : [seat.called])])]} onSit=${(/** @type {string} */ name, /** @type {{passphrase?: string, called?: string | null}} */ more) => table.sit(name, more)} words=${t('Sit down')} /><//>`}
      ${!mine && role !== 'spectator' && !here.ability && html`<${Moved} here=${here} table=${table} />`}
      ${terms.mine && html`<${Section} id="links" title=${t('Invite')}>${links ? html`<${Links} links=${links} table=${table} onNew=${readLinks} />` : html`<p class="quietly">…</p>`}<//>`}
      <${Section} id="sits" title=${t('Who sits here')}>
        ${terms.seats.length === 0 ? html`<p class="quietly">${t('Nobody yet.')}</p>` : html`<${Seats} seats=${terms.seats} />`}
        ${terms.seats.filter((seat) => seat.alike !== null).map((seat) => html`<p class="loud doubt" role="alert" key=${`alike ${seat.key}`}>${t('{name} looks like {other}, and is somebody else: ask by another way who that is.', { name: fullName(seat.name), other: fullName(seat.alike ?? '') })}</p>`)}
        ${mine && !terms.mine && html`<p class="waits" role="status">${t('You sit here. {host} starts the game; leave this page open.', { host: terms.host })}</p>`}
        ${role === 'spectator' && !terms.mine && html`<p class="waits" role="status">${t('You look on. The game begins when {host} starts it.', { host: terms.host })}</p>`}
        ${terms.mine && html`<${Start} table=${table} snapshot=${snapshot} />`}
      <//>
    </div>
    <div class="column">
      <${Section} id="terms" title=${t('What is agreed to')}>
        <p>${[systemTitle(terms), terms.contributors === 'all' ? t('Everybody at the table has a part in every roll.') : ''].filter(Boolean).join(t('. '))}</p>
        <${Fold} title=${t('All terms')} className="plain" open=${terms.contributors !== 'all' || Boolean(terms.serversJudge) || terms.sealed !== null}><${Terms} table=${terms} /><//>
        <p class="hint">${t('Opened by {host}. These terms are signed, and cannot change any more.', { host: terms.host })}</p>
        ${terms.mine && !terms.serversJudge && html`<p class="hint">${t('To have the server’s judge call off a roll that waits too long, open another table: there choose “Go on without them”.')}</p>`}<//>
    </div></div>`;
}

/** After the start: one tap on the terms. @param {{table: Table, snapshot: AtTable}} props */
export function Agree({ table, snapshot }) {
  const terms = snapshot.table;
  const parties = snapshot.game?.parties ?? terms.seats;
  return html`<${Section} id="agree" title=${t('{host} has started the game', { host: terms.host })} className="narrow">
    <p>${t('This browser has compared it with the table that you sat down at: it is the same.')}</p>
    <h3>${t('Who plays')}</h3><${Seats} seats=${parties.map((/** @type {any} */ party) => ({ ...party, mine: party.name === snapshot.me?.name }))} />
    <h3>${t('What is agreed to')}</h3><${Terms} table=${terms} />
    <${Button} kind="main" onTap=${() => table.agree()}>${t('Agree to these terms and play as {name}', { name: snapshot.me?.name ?? '' })}<//>
  <//>`;
}
