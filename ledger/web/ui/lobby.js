/**
 * Before the game: the people who sit, links to send, and the start.
 * @module
 */

import { html, useEffect, useState } from './html.js';
import { Moved } from './moved.js';
import { Qr } from './qr.js';
import { Button, Fold, Handed, Section } from './parts.js';
import { sceneOf } from './scenes/index.js';
import { Sit } from './sit.js';
import { laterWords, Seats, systemTitle, Terms } from './terms.js';
import { fullName, listed, t } from './words.js';

/** @typedef {import('../core/snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../core/snapshot.js').AtTable} AtTable */
/** @typedef {import('../core/index.js').ScreenHere} Here */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** The links that a host sends. @param {{here: Here, table: Table, id: string}} props `id`: of the table */
export function Links({ here, table, id }) {
  const [links, setLinks] = useState(/** @type {{[role: string]: string} | null} */ (null));
  const read = () =>
    here
      .links(id)
      .then(setLinks)
      .catch(() => undefined);
  useEffect(() => void read(), [id]);
  if (links === null) return html`<p class="quietly">…</p>`;
  const words = {
    player: t('Link for players'),
    gm: t('Link for the game master'),
    judge: t('Link for a judge'),
    witness: t('Link for a witness'),
    spectator: t('Link for spectators'),
  };
  const shown = Object.entries(words).filter(([role]) => links[role]);
  const linkOf = (/** @type {[string, string]} */ [role, label]) => html`<div class="field" key=${role}>
    <span class="label">${label}</span><${Handed} text=${links[role]} label=${label} />
    ${role === first && html`<${Fold} title=${t('Show it as a QR code')} hint=${t('for a camera')} className="plain"><${Qr} text=${links[role]} label=${t('QR code of the link for players')} /><//>`}${role !== first && renew(role)}
    ${role === 'spectator' && html`<span class="label">${t('The dice alone, for a stream or a screen')}</span><${Handed} text=${links[role].replace(/\/t\/(?=[0-9a-f]{64}#)/, '/o/')} label=${t('The dice alone, for a stream or a screen')} />`}</div>`;
  const renew = (/** @type {string} */ role) =>
    html`<${Button} onTap=${async () => {
      await table.host.newLink(role);
      await read();
    }}>${t('Make a new one, which ends this')}<//>`;
  const first = links.player ? 'player' : '';
  return html`${shown.filter(([role]) => role === first).map(linkOf)}
    <${Fold} title=${t('Other links')} hint=${t('judge, spectators, a new link')} className="plain">
    ${first && html`<div class="field"><span class="label">${words.player}</span>${renew(first)}</div>`}
    ${shown.filter(([role]) => role !== first).map(linkOf)}
    <p class="hint">${t('Somebody who sits here by a link that was ended keeps the seat, until you take it away.')}</p>
    <p class="hint">${t('A link is a secret: anybody who has it can use it. The part after # is never sent to the server.')}</p><//>`;
}

/** @param {Table} table @param {(snapshot: Snapshot) => boolean} holds @returns {Promise<void>} when it does */
const until = (table, holds) =>
  new Promise((resolve) => {
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
    await table.host.start(chosen.map((seat) => seat.key));
    if (!mine) return;
    // Whoever starts sees the terms and the players before, and agrees to them with the same tap: the button says so.
    // Core has compared event 0 with them by the time the game is there.
    await until(table, (/** @type {any} */ { stage }) => stage !== 'lobby');
    if (table.snapshot.stage === 'agreeing') await table.game.agree();
  };
  const playing = chosen.some((seat) => seat.role === 'player');
  const { contributors, keeper } = snapshot.table;
  const lacking = Array.isArray(contributors) ? contributors.filter((name) => name !== keeper && !names.includes(name)) : [];
  return html`${
    seats.length > 1 &&
    html`<fieldset class="field"><legend>${t('Who plays')}</legend><div class="keys">
      ${seats.map(
        (seat) => html`<button type="button" class="key" key=${seat.key} aria-pressed=${out.includes(seat.key) ? 'false' : 'true'}
        onclick=${() => setOut(out.includes(seat.key) ? out.filter((key) => key !== seat.key) : [...out, seat.key])}><bdi>${fullName(seat.name)}</bdi></button>`,
      )}</div></fieldset>`
  }
    ${
      others.length > 0 &&
      html`<${Fold} title=${t('Take somebody out')} className="plain">
      <p class="hint">${t('The person you take out cannot sit here again with the same key. With the link they can, under another key: make a new link too.')}</p>
      ${others.map((seat) => html`<${Button} key=${seat.key} kind="danger" onTap=${() => table.host.unseat(seat.key)}>${t('Take {name} out', { name: fullName(seat.name) })}<//>`)}<//>`
    }
    ${seats.length === 1 && mine && html`<p class="hint">${t('Nobody else sits here yet: send the link first.')}</p>`}
    <${Button} kind=${seats.length > 1 ? 'main' : ''} disabled=${!playing || lacking.length > 0} onTap=${start}>${
      !playing
        ? t('Start: nobody sits here yet')
        : lacking.length > 0
          ? t('Start: waits for {names} to sit down; they have a part in every roll', { names: listed(lacking) })
          : mine
            ? t('Start with {names}, and agree to the terms', { names: listed(names) })
            : t('Start with {names}', { names: listed(names) })
    }<//>
    <p class="hint">${t('Only you can know whether these are the people to whom you sent the link: look at their names.')}</p>`;
}

/** @param {{here: Here, table: Table, snapshot: AtTable, role: string}} props */
export function Lobby({ here, table, snapshot, role }) {
  const terms = snapshot.table;
  const mine = terms.seats.find((seat) => seat.mine);
  return html`<div class="columns">
    <div class="column">
      ${!mine && terms.out && html`<p class="loud doubt" role="alert">${t('You do not sit here any more: {host} has taken you out, or so this server says. Ask {host} without using this server. You can sit down again, with another key.', { host: terms.host })}</p>`}
      ${!mine && terms.ended && html`<p class="loud doubt" role="alert">${t('{host} has made a new link in the place of this one: ask for it.', { host: terms.host })}</p>`}
      ${
        !mine &&
        role !== 'spectator' &&
        !terms.ended &&
        html`<${Section} id="seat" title=${t('Take a seat')}>
        <${Sit} here=${here} role=${role} taken=${[terms.keeper, ...terms.seats.flatMap((seat) => [seat.name, ...(seat.called === null ? [] : [seat.called])])]} onSit=${(/** @type {string} */ name, /** @type {{passphrase?: string, called?: string | null}} */ more) => table.sitting.sit(name, more)} words=${t('Sit down')} /><//>`
      }
      ${!mine && role !== 'spectator' && !here.ability && html`<${Moved} here=${here} table=${table} />`}
      ${terms.mine && html`<${Section} id="links" title=${t('Invite')}><${Links} here=${here} table=${table} id=${terms.id} /><//>`}
      <${Section} id="sits" title=${t('Who sits here')}>
        ${terms.seats.length === 0 ? html`<p class="quietly">${t('Nobody yet.')}</p>` : html`<${Seats} seats=${terms.seats} />`}
        ${terms.seats.filter((seat) => seat.alike !== null).map((seat) => html`<p class="loud doubt" role="alert" key=${`alike ${seat.key}`}>${t('{name} looks like {other}, but is somebody else: ask who that is, without using this server.', { name: fullName(seat.name), other: fullName(seat.alike ?? '') })}</p>`)}
        ${sceneOf(terms.system).needsMaster && !terms.seats.some((seat) => seat.role === 'gm') && html`<p class="loud doubt" role="alert">${terms.mine ? t('This game needs a game master, and nobody who sits here is one: send somebody the link for the game master, below “Other links”.') : t('This game needs a game master, and nobody who sits here is one: ask {host} for that link.', { host: terms.host })}</p>`}
        ${mine && !terms.mine && html`<p class="waits" role="status">${t('You sit here. {host} starts the game; leave this page open.', { host: terms.host })}</p>`}
        ${role === 'spectator' && !terms.mine && html`<p class="waits" role="status">${t('You look on. The game begins when {host} starts it.', { host: terms.host })}</p>`}
        ${terms.mine && html`<${Start} table=${table} snapshot=${snapshot} />`}
      <//>
    </div>
    <div class="column">
      <${Section} id="terms" title=${t('What is agreed to')}>
        <p>${[systemTitle(terms), terms.contributors === 'all' ? t('Everybody at the table has a part in every roll.') : ''].filter(Boolean).join(t('. '))}</p>
        <${Fold} title=${t('All terms')} className="plain" open=${terms.contributors !== 'all' || Boolean(terms.serversJudge) || terms.posts !== null || terms.public !== null || terms.sealed !== null}><${Terms} table=${terms} later=${false} /><//>
        <p>${laterWords(terms)}</p>
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
    <${Button} kind="main" onTap=${() => table.game.agree()}>${t('Agree to these terms and play as {name}', { name: snapshot.me?.name ?? '' })}<//>
  <//>`;
}
