/**
 * The terms of a table in words, to which a player agrees.
 * @module
 */

import { html } from './html.js';
import { postsWords, publicWords, roleWords } from './parts.js';
import { KeyName, Person } from './person.js';
import { secretTerms } from './secrets.js';
import { systemOf } from './systems.js';
import { listed, t, word } from './words.js';

/** @typedef {import('../core/snapshot.js').ShownTable} ShownTable */

/** @param {ShownTable} table of a snapshot @returns {string} */
export const systemTitle = (table) => {
  const system = systemOf(table.system);
  return system ? word(system.title) : table.system;
};

/** @param {unknown} value @returns {string} */
const settingWords = (value) => (typeof value === 'boolean' ? (value ? t('yes') : t('no')) : String(value));

/** @param {ShownTable} table of a snapshot @returns {string[]} */
export function termsWords(table) {
  const system = systemOf(table.system);
  const told = [t('The game: {title}.', { title: systemTitle(table) })];
  for (const [name, value] of Object.entries(table.options ?? {})) {
    const setting = system?.options.find((each) => each.name === name);
    told.push(t('{what}: {value}.', { what: setting?.title ? word(setting.title) : name, value: settingWords(value) }));
  }
  told.push(
    table.contributors === 'all'
      ? t('Dice: everybody at the table except judges has a part in every roll, and so has the server. A roll waits for anybody who is not there.')
      : table.contributors === 'roller'
        ? t('Dice: the person who rolls, the server and the witnesses have a part in a roll; the others need not be there.')
        : t('Dice: only {names} have a part in every roll. If all of these worked together, they could choose dice. The others need not be there.', {
            names: listed(table.contributors),
          }),
  );
  if (table.serversJudge) {
    told.push(
      t(
        "The server's judge calls off a roll that has waited for {seconds} s. The operator of the server runs this judge too, and could call off a roll whose dice they do not like. The log counts and shows each.",
        { seconds: table.serversJudge.after },
      ),
    );
    told.push(
      table.away === 'others'
        ? t('All others together can then sign away the people it named, until they are back, and go on.')
        : t('The next roll waits again for the people it named, if they contribute.'),
    );
  } else {
    told.push(
      t(
        'A roll waits for everybody who has a part in it, however long. If somebody cannot come back, the person who gives the last part can call the roll off before giving it. A judge can too. Otherwise the game ends there.',
      ),
    );
  }
  if (table.posts !== null) told.push(postsWords(table.posts));
  if (table.public !== null) told.push(publicWords(table.public));
  told.push(...secretTerms(table));
  if (table.strike !== null)
    told.push(
      t(
        'After a mis-tap, all who play can together take back the latest roll, before anything is played on it. Its dice stay in sight, and the log shows who agreed.',
      ),
    );
  told.push(t('{keeper} keeps the log: this server. It orders the events, and can neither choose nor predict dice.', { keeper: table.keeper }));
  told.push(t('What is rolled here counts: digital dice, agreed to by everybody.'));
  return told;
}

/** Returns who can still come in when the game has begun. @param {ShownTable} table @returns {string} */
export function laterWords(table) {
  const roles = listed(table.admits.map(roleWords));
  if (table.admits.length === 0) return t('When the game has begun, nobody can come in.');
  return table.mine
    ? t('When the game has begun, you can still let somebody in who asks by a link for: {roles}.', { roles })
    : t('When the game has begun, {host} can still let somebody in who asks by a link for: {roles}.', { host: table.host, roles });
}

/** @param {{table: ShownTable, later?: boolean}} props `later` false: another part of the screen says who can come in later */
export const Terms = ({ table, later = true }) =>
  html`<ul class="terms">${[...termsWords(table), ...(later ? [laterWords(table)] : [])].map((each) => html`<li>${each}</li>`)}</ul>`;

/** @param {{seats: (Partial<import('../core/snapshot.js').ShownSeat> & {name: string, role: string})[], children?: (seat: {name: string}) => import('./html.js').Content}} props who plays, in party order */
export const Seats = ({ seats, children = undefined }) =>
  html`<ul class="people">${seats.map(
    (seat) => html`<li key=${seat.key ?? seat.name} class="here">
  <span class="dot" aria-hidden="true"></span><${Person} name=${seat.name} className="" /><${KeyName} name=${seat.name} />${seat.mine && html` <span class="you">${t('(you)')}</span>`}
  <span class="role">${roleWords(seat.role)}</span>${children?.(seat)}</li>`,
  )}</ul>`;
