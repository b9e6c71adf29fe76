/**
 * Players, as judges and the desk see them: drops and returns, penalties that are taken back, another phone.
 * @module
 */

import { readVerifierKey } from '../../../verifier/web/identities.js';
import { onEnter, penaltyWords } from './event-parts.js';
import { html, useState } from './html.js';
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

/** @param {{event: EventHere, player: Player, reason: string, onDone: () => void}} props */
function OnePlayer({ event, player, reason, onDone }) {
  const senior = event.role !== 'judge';
  const { number } = player;
  const does = (/** @type {string} */ type, /** @type {any} */ act) => async () => {
    await event.act(type, { ...act, reason: needed(reason) });
    onDone();
  };
  const penalties = [...event.log.penalties].filter(([, each]) => each.number === number);
  return html`<li><p><b>${number}</b> ${event.nameOf(number)} <span class="quietly">${stateOf(player)}</span></p>
    ${penalties.map(
      ([line, each]) => html`<p class="row" key=${line}>${t('{penalty} ({why})', { penalty: penaltyWords(each.penalty), why: each.text })}
      ${senior && html`<${Button} onTap=${does('correct-penalty', { line })}>${t('Take it back')}<//>`}</p>`,
    )}
    <p class="row">${
      player.state !== 'dropped'
        ? html`<${Button} kind="loudly" onTap=${does('drop', { number })}>${t('Drop {name}', { name: event.nameOf(number) })}<//>`
        : senior && html`<${Button} onTap=${does('correct-drop', { number })}>${t('Bring {name} back', { name: event.nameOf(number) })}<//>`
    }</p></li>`;
}

/** @param {{event: EventHere}} props */
export function People({ event }) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const wanted = text.trim().toLowerCase();
  const found =
    wanted === ''
      ? []
      : [...event.log.players.values()]
          .filter(({ number }) => `${number}` === wanted || event.nameOf(number).toLowerCase().includes(wanted))
          .slice(0, SHOWN);
  return html`<${Fold} title=${t('A player drops, or comes back')} className="card">
    <div class="field"><label for="people">${t('Name or number')}</label><input id="people" type="text" autocomplete="off" value=${text} oninput=${(/** @type {any} */ e) => setText(e.currentTarget.value)} /></div>
    <div class="field"><label for="people-why">${t('Why')}</label><input id="people-why" type="text" maxlength="400" value=${reason} oninput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} /></div>
    <ul class="tables">${found.map((player) => html`<${OnePlayer} key=${player.number} event=${event} player=${player} reason=${reason} onDone=${() => setReason('')} />`)}</ul>
    ${wanted !== '' && found.length === 0 && html`<p class="quietly">${t('Nobody is called so.')}</p>`}<//>`;
}

/** @param {EventHere} event @param {string} text @returns {{player: Player, key: string} | null} the player whose new key it is */
function offeredKey(event, text) {
  const key = text.trim().replace(/^.*#staff\./, '');
  const name = readVerifierKey(key)?.name ?? '';
  const player = /^p[0-9]+$/.test(name) ? event.log.players.get(Number(name.slice(1))) : undefined;
  return player === undefined ? null : { player, key };
}

/**
 * A player's new phone: its key is typed here, or comes by the code that the phone shows.
 * @param {{event: EventHere}} props
 */
export function AnotherPhone({ event }) {
  const [text, setText] = useState(event.offered ?? '');
  const [tablet, setTablet] = useState('');
  const [done, setDone] = useState(/** @type {import('./words.js').Message | null} */ (null));
  const key = text.trim();
  const found = offeredKey(event, text);
  const has = found !== null && found.player.key === found.key;
  const give = async () => {
    if (found === null) throw new Told('This is no key of a player here.');
    const {
      player: { number, state },
      key,
    } = found;
    if (state === 'dropped') throw new Told('{name} has dropped: bring {name} back first.', { name: event.nameOf(number) });
    if (state === 'registered') await event.act('check-in', { key, number, ...(tablet.trim() === '' ? {} : { tablet: tablet.trim() }) });
    else if (event.role !== 'organizer') throw new Told('Only an organizer gives a player who has checked in another key.');
    else await event.act('correct-key', { key, number, reason: t('another phone') });
    const place = event.log.place(number);
    if (state === 'in' && place?.round.state === 'running' && place.table !== null && place.table.result === null) {
      const { sides, number: table } = place.table;
      await event.act('correct-pairing', { cancelled: [], reason: t('another phone'), round: place.round.number, tables: [{ sides, table }] });
      setDone({ text: mark('Table {table} goes on in a new game, with the new phone.'), values: { table } });
    } else setDone({ text: mark('{name} goes on with the new phone.'), values: { name: event.nameOf(number) } });
    setText('');
    setTablet('');
    history.replaceState(null, '', `/e/${event.id}#staff`); // loaded anew, it is not offered again
  };
  return html`<${Section} id="phone" title=${t('Another phone, or a lost code')}>
    <p class="hint">${t('The player opens the event on the other phone, types the number, and shows you the code that appears. Scan it with the phone on which you are an organizer, or paste the key here.')}</p>
    <div class="field"><label for="phone-key">${t('Key of the phone')}</label><input id="phone-key" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" value=${text} oninput=${(
      /** @type {any} */ e,
    ) => {
      setDone(null);
      setText(e.currentTarget.value);
    }} onkeydown=${onEnter} /></div>
    ${key !== '' && found === null && html`<p class="problem" role="status">${readVerifierKey(key) === null ? t('This is no key of a player here.') : t('This is no player’s key. A judge or organizer is appointed under “Judges and organizers”.')}</p>`}
    ${has && html`<p class="lead" role="status">${t('{name} has this phone already.', { name: event.nameOf(found.player.number) })}</p>`}
    ${
      found !== null &&
      !has &&
      html`<p class="lead">${t('{name}, number {number}: look whether it is this person.', { name: event.nameOf(found.player.number), number: found.player.number })}</p>
      <p class="hint">${t('From then on this phone alone acts for the player. A table that is open begins a new game; the old one stays in the record.')}</p>
      ${
        found.player.state === 'registered' &&
        html`<div class="field"><label for="phone-tablet">${t('A device of yours? Whose, and who sits there')}</label><input id="phone-tablet" type="text" maxlength="400" value=${tablet} oninput=${(/** @type {any} */ e) => setTablet(e.currentTarget.value)} />
        <p class="hint">${t('Empty: it is the player’s own phone.')}</p></div>`
      }
      <p class="row"><${Button} kind="main" onTap=${give}>${t('Give the phone to {name}', { name: event.nameOf(found.player.number) })}<//></p>`
    }
    ${done && html`<p class="quietly" role="status">${say(done)}</p>`}<//>`;
}
