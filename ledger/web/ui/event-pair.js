/**
 * A pairing that is made by hand at the desk, for walk-ins, and for players without an opponent in the round.
 * @module
 */

import { html, useState } from './html.js';
import { Button, Fold } from './parts.js';
import { mark, say, t, Told } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').Round} Round */

/** The number that stands for a bye among the players; no player has it. */
const BYE = '0';

/** @param {EventHere} event @param {Round | null} round @returns {number[]} who is in, and has neither table nor bye in the round, by name */
function unpaired(event, round) {
  const paired = new Set(round === null ? [] : [...round.byes, ...[...round.tables.values()].flatMap(({ sides }) => sides.flat())]);
  return [...event.log.players.values()]
    .filter(({ number, state }) => state === 'in' && !paired.has(number))
    .map(({ number }) => number)
    .sort((a, b) => event.nameOf(a).localeCompare(event.nameOf(b), document.documentElement.lang, { numeric: true }));
}

/** A player to choose. @param {{id: string, label: string, event: EventHere, numbers: number[], value: string, onChange: (value: string) => void, children?: any}} props */
const Who = ({ id, label, event, numbers, value, onChange, children }) => html`<div class="field"><label for=${id}>${label}</label>
  <select id=${id} value=${value} onchange=${(/** @type {any} */ e) => onChange(e.currentTarget.value)}><option value="">${t('Choose')}</option>${children}
  ${numbers.map((number) => html`<option key=${number} value=${number}>${t('{name}, number {number}', { name: event.nameOf(number), number })}</option>`)}</select></div>`;

/** @param {{event: EventHere}} props */
export function PairByHand({ event }) {
  const [one, setOne] = useState('');
  const [other, setOther] = useState('');
  const [number, setNumber] = useState('');
  const [done, setDone] = useState(/** @type {import('./words.js').Message | null} */ (null));
  const { round, rounds, terms } = event.log;
  const now = round === null || round.state === 'ended' ? null : round;
  const due = now?.number ?? rounds.length + 1;
  if (due > terms.rounds) return null;
  const free = unpaired(event, now);
  const next = Math.max(0, ...(now?.tables.keys() ?? [])) + 1;
  const pair = async () => {
    if (one === '' || other === '' || one === other) throw new Told('Choose two players.');
    const table = number.trim() === '' ? next : /^[1-9][0-9]{0,3}$/.test(number.trim()) ? Number(number) : NaN;
    if (Number.isNaN(table)) throw new Told('{text} is no number of a table.', { text: number.trim() });
    const [byes, tables] = other === BYE ? [[Number(one)], []] : [[], [{ sides: [[Number(one)], [Number(other)]], table }]];
    if (now?.state === 'running') {
      const all = byes.length > 0 ? { byes: [...now.byes, ...byes] } : {};
      await event.act('correct-pairing', { ...all, cancelled: [], reason: t('paired at the desk'), round: due, tables });
    } else await event.act('pair', { byes, round: due, tables });
    const values = { table, name: event.nameOf(Number(one)), other: event.nameOf(Number(other)) };
    setDone(byes.length > 0 ? { text: mark('{name} has a bye.'), values } : { text: mark('Table {table}: {name} against {other}.'), values });
    setOne('');
    setOther('');
    setNumber('');
  };
  return html`<${Fold} title=${t('Pair two by hand')} className="plain">
    <p class="hint">${free.length === 0 ? t('Everybody who is in has a table or a bye.') : now?.state === 'running' ? t('The round runs: their table opens at once.') : t('Who is in, and has neither table nor bye in round {round}.', { round: due })}</p>
    <${Who} id="pair-one" label=${t('First player')} event=${event} numbers=${free} value=${one} onChange=${setOne} />
    <${Who} id="pair-other" label=${t('Second player')} event=${event} numbers=${free} value=${other} onChange=${setOther}><option value=${BYE}>${t('None: a bye')}</option><//>
    ${other !== BYE && html`<div class="field"><label for="pair-table">${t('Number of the table')}</label><input id="pair-table" type="text" inputmode="numeric" placeholder=${next} value=${number} oninput=${(/** @type {any} */ e) => setNumber(e.currentTarget.value)} /></div>`}
    <p class="row"><${Button} onTap=${pair}>${t('Pair them')}<//></p>
    ${done && html`<p role="status">${say(done)}</p>`}<//>`;
}
