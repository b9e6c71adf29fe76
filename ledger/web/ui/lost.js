/**
 * A lost browser: its owner asks in a new one to go on, the others allow it, and the old browser says so
 * (specs/page.md).
 * @module
 */

import { html, useState } from './html.js';
import { Button, Fold, Section } from './parts.js';
import { BringIn } from './profile.js';
import { fullName, listed, t } from './words.js';

/** @typedef {import('../core/index.js').ScreenHere} Here */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').ShownNewKey} NewKey */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** @param {InGame} snapshot @returns {NewKey[]} of others, of which this party is to know */
export const newKeysFor = ({ game, me }) => (me?.seated ? game.newKeys.filter((each) => !each.own) : []);

/** @param {InGame} snapshot @returns {NewKey | undefined} one for whom this party can do something now */
export const dueKey = (snapshot) =>
  newKeysFor(snapshot).find(({ name, mine, recovered }) => {
    const party = snapshot.game.parties.find((each) => each.name === name);
    if (party?.away) return mine && !recovered;
    return snapshot.table.away === 'others' && !party?.calledBy.includes(snapshot.me?.name ?? '');
  });

/** The claim of somebody who asks, and who confirms it. @param {{snapshot: InGame, asked: NewKey}} props */
function Claim({ snapshot, asked }) {
  const { name } = asked;
  const { host } = snapshot.table;
  return html`
    ${
      asked.recovered
        ? asked.asks
          ? html`<p>${t('The browser of {name} is lost, and {name} has a new one: the recovery key of {name} says so. It goes on there with everything that is {name}’s.', { name })}</p>`
          : html`<p>${t('The log names a new key for {name}, signed by the recovery key of {name}. This page sees nobody who asks for it with a link of this table: it may be the server’s own doing. When {name} is back, it has no effect.', { name })}</p>`
        : html`<p>${t('Somebody with the link claims to be {name}, in a new browser. Ask {name} without using this server: the new browser gets everything that is {name}’s. All others, two or more, must agree, and the log names them.', { name })}</p>`
    }
    ${asked.several && html`<p class="loud doubt" role="alert">${t('Two ask for the place of {name}, so one of them is somebody else.', { name })}</p>`}
    ${!asked.recovered && html`<p>${t('Let {name} read out the code of the new key. This one’s is {code}.', { name, code: asked.code })}</p>`}
    ${!asked.asks && !asked.recovered && html`<p class="loud doubt" role="alert">${t('Only the server says so: nobody has asked with a link of this table. It may be the server’s own doing. Do not agree before you have asked {name} and {host}.', { name, host })}</p>`}`;
}

/** @param {string} key @returns {string} by which a part of the page is told from another's */
export const signOf = (key) => key.split('+')[1];

/**
 * The actions of this party now, and what is missing.
 * @param {{table: Table, snapshot: InGame, asked: NewKey}} props
 */
function LetGoOn({ table, snapshot, asked }) {
  const { name, key, recovered } = asked;
  const { game, me } = snapshot;
  const party = game.parties.find((each) => each.name === name);
  const mine = game.parties.find((each) => each.name === me?.name);
  if (party === undefined || mine === undefined || mine.away) return null;
  if (!recovered && asked.agreed.length + asked.awaited.length < 2) {
    return html`<p>${t('With two at the table only the recovery key can do it: {name} asks again with the profile’s file, or you go on in a new game.', { name })}</p>`;
  }
  if (!party.away && snapshot.table.away !== 'others') {
    return html`<p>${t('{name} is not away, and by the terms of this table the others cannot say so: it waits until {name} or a judge does.', { name })}</p>`;
  }
  const called = party.calledBy.includes(mine.name);
  const may = party.away ? asked.mine && !recovered : mine.calls && !called;
  const hint = recovered
    ? t('This tap says that {name} is away: then the new browser goes on.', { name })
    : party.away
      ? t('This tap says that you agree to the new key.')
      : t('This tap says that {name} is away. When all others have said so, a second one agrees to the new key.', { name });
  return html`
    ${may && html`<${Button} kind="main" onTap=${() => table.admissions.letGoOn(key)}>${t('Let {name} go on', { name })}<//><p class="hint">${hint}</p>`}
    ${!party.away && called && html`<p class="waits">${t('You have said that {name} is away. It takes effect when all others have said so, and the server has not heard from {name} for 15 seconds.', { name })}</p>`}
    ${party.away && recovered && html`<p class="waits">${t('{name} goes on as soon as the new browser is there.', { name })}</p>`}
    ${party.away && !recovered && asked.agreed.length > 0 && asked.awaited.length > 0 && html`<p class="waits">${t('{names} agreed. Still missing: {others}.', { names: listed(asked.agreed), others: listed(asked.awaited) })}</p>`}
    ${!recovered && asked.awaited.length === 0 && html`<p class="waits">${t('{name} goes on as soon as the new browser is there.', { name })}</p>`}`;
}

/** Requests to go on, as those who play see them. @param {{table: Table, snapshot: InGame}} props */
export function NewKeys({ table, snapshot }) {
  if (snapshot.stage !== 'playing' || snapshot.trouble) return null;
  return newKeysFor(snapshot).map((asked) => {
    const { name, key } = asked;
    return html`<${Section} key=${key} id=${`lost-${signOf(key)}`} title=${t('{name} has a new browser?', { name })} className="late">
      <${Claim} snapshot=${snapshot} asked=${asked} /><${LetGoOn} table=${table} snapshot=${snapshot} asked=${asked} />
      ${
        snapshot.table.mine &&
        asked.asks &&
        html`<${Fold} title=${t('Not {name}?', { name })} className="plain">
        <p class="hint">${t('The person you turn away cannot ask again with the same key. With the link they can, under another key.')}</p>
        <${Button} kind="danger" onTap=${() => table.host.unseat(key)}>${t('Turn this key away')}<//><//>`
      }<//>`;
  });
}

/** Somebody asks for the place of this very party; or its name goes on under another key. @param {{snapshot: InGame}} props */
export function OwnPlace({ snapshot }) {
  const { game, me, stage } = snapshot;
  if (stage !== 'playing' || me === null) return null;
  if (me.replaced) {
    return html`<p class="loud doubt" role="alert">${t('{name} goes on under another key. This browser has no part in this game any more. If the other one is not you, save the log, and tell the others without using this server.', { name: me.name })}</p>`;
  }
  if (!me.seated || !game.newKeys.some((each) => each.own)) return null;
  const away = game.parties.some((each) => each.mine && each.away);
  return html`<p class="loud doubt" role="alert">${
    away
      ? t('Somebody asks to go on as you, in a new browser. If that is not you, say that you are back: then this has no effect.')
      : t('Somebody asks to go on as you, in a new browser. As long as you are here, this has no effect. If that is not you, tell the others.')
  }</p>`;
}

/**
 * The form in a browser without a seat, whose owner played here and asks to go on.
 * @param {{here: Here, table: Table, snapshot: InGame}} props
 */
export function WasHere({ here, table, snapshot }) {
  const { me } = snapshot;
  const [brought, setBrought] = useState(false);
  if (me === null) return null;
  if (me.goesOn !== null) return html`<${Waits} snapshot=${snapshot} />`;
  if (me.lost.length === 0 || here.ability) return null;
  return html`<${Fold} title=${t('I was here, and my browser is lost')} className="plain">
    <p>${t('You can go on with a new key. Bring in the file of your profile, if you saved one: then nobody else has to agree.')}</p>
    ${brought ? html`<p role="status">${t('This is you from now on. The file is used up: save a new one.')}</p>` : html`<${BringIn} here=${here} me=${here.me} onDone=${() => setBrought(true)} />`}
    <p class="hint">${t('The others see who you say you are. By this tap you agree to the terms, as you did before.')}</p>
    <p class="row">${me.lost.map((each) => html`<${Button} key=${each.name} onTap=${() => table.admissions.askToGoOn(each.name)}>${t('I was {name} here', { name: fullName(each.name) })}<//>`)}</p><//>`;
}

/** Says what the request waits for. @param {{snapshot: InGame}} props */
function Waits({ snapshot }) {
  const me = /** @type {import('../core/snapshot.js').Me} */ (snapshot.me);
  const { recovered, away, awaited, out, waits, code } = /** @type {import('../core/snapshot.js').GoingOn} */ (me.goesOn);
  const { name } = me;
  const { host } = snapshot.table;
  if (out)
    return html`<p class="loud doubt" role="alert">${t('{host} has turned you away, or so this server says. Ask {host} without using this server.', { host })}</p>`;
  const whom = snapshot.game.parties.filter(
    (each) => ['player', 'gm', 'witness'].includes(each.role) && each.joined && !each.left && each.name !== name,
  );
  if (!recovered && whom.length < 2) {
    return html`<p class="loud doubt" role="alert">${t('With two at the table only the recovery key can do it. Without the profile’s file the table goes on in a new game.')}</p>`;
  }
  return html`<p class="waits" role="status">${
    recovered
      ? away
        ? t('You are about to go on as {name}.', { name })
        : t('Your recovery key says that you are {name}. You go on as soon as the others say that your old browser is away. Leave this page open.', {
            name,
          })
      : waits
        ? t('You go on as {name} when these agree: {names}. Leave this page open.', { name, names: listed(awaited) })
        : t('The others are asked to let you go on as {name}: {names}. Talk to them without using this server, and leave this page open.', {
            name,
            names: listed(awaited),
          })
  }</p>
  ${!recovered && html`<p>${t('The code of your key, to read out to them: {code}', { code })}</p>`}`;
}
