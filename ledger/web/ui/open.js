/**
 * The form for a new table: the game, and folded what most leave as it is (specs/page.md, "Opening a table").
 * @module
 */

import { html, useState } from './html.js';
import { Sit, tidy } from './lobby.js';
import { Button, Fold, roleWords, Section } from './parts.js';
import { inLanguage, systemOf, systems } from './systems.js';
import { language, t } from './words.js';

/** @typedef {import('../core/advice.js').Advised} Advised */
/** @typedef {import('../core/here.js').Here} Here */
/** @typedef {import('./systems.js').Member} Member */

/** How long a roll waits before the server's judge calls it off, in seconds: what is offered, and what can be agreed to (specs/network.md). */
const AFTER = 120;
const LONGEST = 604_800;

/** @param {import('./systems.js').System} system @returns {{[name: string]: unknown}} */
const defaults = (system) => Object.fromEntries(system.options.map(({ name, default: known, value }) => [name,
  known ?? (value.kind === 'boolean' ? false : value.kind === 'literal' ? value.values[0]?.value : value.kind === 'integer' ? value.least ?? 0 : '')]));

/** One of the options of a game. @param {{setting: Member, value: any, onChange: (value: any) => void}} props */
function Setting({ setting, value, onChange }) {
  const { name, value: kind } = setting;
  const title = setting.title ? inLanguage(setting.title, language()) : name;
  const id = `set-${name}`;
  if (kind.kind === 'boolean') {
    return html`<label class="check"><input type="checkbox" checked=${value === true} onchange=${(event) => onChange(event.currentTarget.checked)} /> <span>${title}</span></label>`;
  }
  const number = kind.kind === 'integer';
  return html`<div class="field"><label for=${id}>${title}</label>${kind.kind === 'literal'
    ? html`<select id=${id} onchange=${(event) => onChange(kind.values[Number(event.currentTarget.value)].value)}>
        ${kind.values.map((each, i) => html`<option value=${i} selected=${each.value === value}>${inLanguage(each.title, language())}</option>`)}</select>`
    : html`<input id=${id} type="text" inputmode=${number ? 'numeric' : 'text'} value=${value ?? ''}
        oninput=${(event) => onChange(number ? Number(event.currentTarget.value) : event.currentTarget.value)} />`}</div>`;
}

/** One of several, with a word for it. @param {{name: string, chosen: boolean, onChoose: () => void, words: string, look?: string}} props */
const Choice = ({ name, chosen, onChoose, words, look = 'choice' }) => html`<label class=${look}>
  <input type="radio" name=${name} checked=${chosen} onchange=${onChoose} /><span>${words}</span></label>`;

/**
 * Who has a part in each roll.
 * @param {{chosen: 'all' | 'roller' | 'named', onChoose: (chosen: 'all' | 'roller' | 'named') => void, names: string, onNames: (names: string) => void, keeper: string}} props
 */
const Contributors = ({ chosen, onChoose, names, onNames, keeper }) => html`<fieldset class="field"><legend>${t('Who has a part in a roll')}</legend><div class="choices">
  <${Choice} name="contributors" chosen=${chosen === 'all'} onChoose=${() => onChoose('all')}
    words=${t('Everybody: one honest player is enough for fair dice. Each page has to be open.')} />
  <${Choice} name="contributors" chosen=${chosen === 'roller'} onChoose=${() => onChoose('roller')}
    words=${t('Whoever rolls, and the keeper: for large tables of friends. The others’ pages need not be open.')} />
  <${Choice} name="contributors" chosen=${chosen === 'named'} onChoose=${() => onChoose('named')}
    words=${t('Those whom I name, and the keeper: if all of these worked together, they could choose dice. The others trust that one of them is honest; their pages need not be open.')} /></div>
  ${chosen === 'named' && html`<div class="field"><label for="named">${t('Their names, with commas')}</label>
    <input id="named" type="text" autocomplete="off" autocapitalize="off" spellcheck=${false} aria-describedby="named-hint" value=${names}
      oninput=${(event) => onNames(event.currentTarget.value)} />
    <p class="hint" id="named-hint">${t('The names with which they will sit down, yours too if you have a part; {keeper}, the keeper, has one without being named. The game can start when all of them sit there.', { keeper })}</p></div>`}
</fieldset>`;

/**
 * What becomes of a roll that waits for somebody who does not come back.
 * @param {{offered: boolean, judge: boolean, onJudge: (judge: boolean) => void, after: string, onAfter: (after: string) => void,
 *   away: boolean, onAway: (away: boolean) => void}} props `offered`: the server has a judge
 */
const Waiting = ({ offered, judge, onJudge, after, onAfter, away, onAway }) => html`<fieldset class="field"><legend>${t('When somebody does not come back')}</legend><div class="choices">
  <${Choice} name="waiting" chosen=${!judge} onChoose=${() => onJudge(false)}
    words=${t('A roll waits, however long. Whoever closes it can call it off before opening, or a judge among you; else the game ends there.')} />
  ${offered && html`<${Choice} name="waiting" chosen=${judge} onChoose=${() => onJudge(true)}
    words=${t('The server’s judge calls a roll off that has waited too long. Keeper and judge are one hand: the server could do so with dice that it does not like. The log counts and shows each.')} />`}</div>
  ${!offered && html`<p class="hint">${t('This server offers no judge of its own.')}</p>`}
  ${judge && html`<div class="field"><label for="after">${t('Seconds that a roll waits before that')}</label>
      <input id="after" type="text" inputmode="numeric" autocomplete="off" value=${after} oninput=${(event) => onAfter(event.currentTarget.value)} /></div>
    <label class="check"><input type="checkbox" checked=${away} onchange=${(event) => onAway(event.currentTarget.checked)} /> <span>${t('all others together may then sign away whom it named, and go on')}</span></label>`}
</fieldset>`;

/** @param {string} text names as they were typed @returns {string[]} as they can be, once each */
function namesOf(text) {
  const names = [...new Set(text.split(/[,、，]/).map(tidy).filter((name) => name !== ''))];
  if (names.length === 0) throw new Error(t('Name at least one who has a part in each roll besides the keeper.'));
  return names;
}

/** @param {string} text seconds as they were typed @returns {number} */
function secondsOf(text) {
  const seconds = Number(text.normalize('NFKC').trim());
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= LONGEST) return seconds;
  throw new Error(t('A roll waits for 1 to {most} seconds before the server’s judge calls it off.', { most: LONGEST }));
}

/** A table to open. `server`: what it says of itself; null until it has. @param {{here: Here, server: Advised}} props */
export function Open({ here, server }) {
  const all = systems();
  const [id, setId] = useState(all[0]?.id ?? '');
  const system = /** @type {import('./systems.js').System} */ (systemOf(id));
  const [options, setOptions] = useState(/** @type {{[system: string]: any}} */ ({}));
  const chosen = options[id] ?? (system ? defaults(system) : {});
  const [title, setTitle] = useState('');
  const [contributors, setContributors] = useState(/** @type {'all' | 'roller' | 'named'} */ ('all'));
  const [named, setNamed] = useState('');
  const [judge, setJudge] = useState(false);
  const [after, setAfter] = useState(String(AFTER));
  const [away, setAway] = useState(true);
  const [seat, setSeat] = useState('player');
  const roles = ['player', ...['gm'].filter((role) => system?.roles.includes(role)), 'judge', 'witness', 'spectator'];
  const [given, setGiven] = useState(['player', 'gm', 'judge', 'spectator']);
  const taken = seat !== '' && !roles.includes(seat) ? 'player' : seat;
  const open = async (/** @type {string} */ name, /** @type {object} */ more) => {
    const wanted = new Set([...given, 'player', ...(taken === '' ? ['spectator'] : [taken])]);
    const { links } = await here.openTable({
      system: id,
      name: name === '' ? undefined : name,
      options: chosen,
      contributors: contributors === 'named' ? namesOf(named) : contributors,
      title: title.trim(),
      roles: roles.filter((role) => wanted.has(role)),
      ...(judge ? { judgeAfter: secondsOf(after), ...(away ? { away: 'others' } : {}) } : {}),
    });
    const link = links[taken === '' ? 'spectator' : taken];
    if (taken !== '') {
      const table = here.table(link);
      try {
        await table.connect();
        await table.sit(name, more);
      } finally { table.close(); }
    }
    location.assign(link);
  };
  if (here.ability) return html`<${Section} id="open" title=${t('Open a table')}><${Sit} here=${here} role="player" onSit=${open} words="" /><//>`;
  if (!system) return html`<p class="problem" role="alert">${t('This server tells of no games.')}</p>`;
  return html`<${Section} id="open" title=${t('Open a table')}>
    <fieldset class="field"><legend>${t('The game')}</legend><div class="choices">${all.map((each) => html`
      <${Choice} key=${each.id} name="system" chosen=${each.id === id} onChoose=${() => setId(each.id)} words=${inLanguage(each.title, language())} />`)}</div></fieldset>
    ${system.options.length > 0 && html`<fieldset class="field"><legend>${t('Options')}</legend>${system.options.map((setting) => html`
      <${Setting} key=${setting.name} setting=${setting} value=${chosen[setting.name]}
        onChange=${(/** @type {unknown} */ value) => setOptions({ ...options, [id]: { ...chosen, [setting.name]: value } })} />`)}</fieldset>`}
    <div class="field"><label for="title">${t('Title')} <small>${t('(may be left out)')}</small></label>
      <input id="title" type="text" maxlength="200" autocomplete="off" value=${title} oninput=${(event) => setTitle(event.currentTarget.value)} /></div>
    <${Fold} title=${t('More')} hint=${t('my seat, links, whose dice, who does not come back')} className="plain">
      <fieldset class="field"><legend>${t('My seat')}</legend><div class="keys">
        ${[...roles.filter((role) => role !== 'spectator'), ''].map((role) => html`
          <${Choice} key=${role} look="key" name="seat" chosen=${role === taken} onChoose=${() => setSeat(role)}
            words=${role === '' ? t('none: I only open it') : roleWords(role)} />`)}</div></fieldset>
      <fieldset class="field"><legend>${t('Links for')}</legend><div class="keys">${roles.map((role) => html`<button type="button" class="key" key=${role}
        aria-pressed=${role === 'player' || given.includes(role) ? 'true' : 'false'} aria-disabled=${role === 'player' ? 'true' : null}
        onclick=${() => role !== 'player' && setGiven(given.includes(role) ? given.filter((one) => one !== role) : [...given, role])}>${roleWords(role)}</button>`)}</div></fieldset>
      <${Contributors} chosen=${contributors} onChoose=${setContributors} names=${named} onNames=${setNamed} keeper=${server?.keeper.split('+')[0] ?? t('keeper')} />
      <${Waiting} offered=${server?.judge != null} judge=${judge} onJudge=${setJudge} after=${after} onAfter=${setAfter} away=${away} onAway=${setAway} />
    <//>
    ${taken === '' ? html`<${Button} kind="main" onTap=${() => open('', {})}>${t('Open the table')}<//>`
    : html`<${Sit} here=${here} role="player" onSit=${open} words=${t('Open the table and sit down')} />`}
  <//>`;
}
