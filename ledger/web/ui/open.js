/**
 * The form for a new table: the game, and, folded, the choices that most leave as they are (specs/page.md, "Opening a
 * table").
 * @module
 */

import { lateRoles, takesSecrets } from '../core/index.js';
import { html, useState } from './html.js';
import { Sit, tidy } from './sit.js';
import { Button, Fold, go, postsWords, publicWords, roleWords, Section } from './parts.js';
import { sceneOf } from './scenes/index.js';
import { systemOf, systems } from './systems.js';
import { calledOf, listed, t, Told, word } from './words.js';

/** @typedef {import('../core/advice.js').Advised} Advised */
/** @typedef {import('../core/index.js').ScreenHere} Here */
/** @typedef {import('./systems.js').Member} Member */

/**
 * Seconds that a roll waits before the server's judge calls it off: those that are offered, and those that can be
 * agreed to (specs/network.md).
 */
const AFTER = 120;
const LONGEST = 604_800;

/** @param {import('./systems.js').System} system @returns {{[name: string]: unknown}} */
const defaults = (system) =>
  Object.fromEntries(
    system.options.map(({ name, default: known, value }) => [
      name,
      sceneOf(system.id).options?.[name] ??
        known ??
        (value.kind === 'boolean' ? false : value.kind === 'literal' ? value.values[0]?.value : value.kind === 'integer' ? (value.least ?? 0) : ''),
    ]),
  );

/**
 * Sits down at a table that was opened here. The page that opens next connects by itself.
 * @param {Here} here @param {string} link @param {string} name @param {{called?: string | null}} more
 */
async function sitDown(here, link, name, more) {
  const table = here.table(link);
  try {
    await table.connect();
    await table.sitting.sit(name, more);
  } finally {
    table.close();
  }
}

/**
 * Opens a table like one that is over, and sits down at it by the same name; its link is then sent to the others.
 * @param {Here} here @param {import('../core/index.js').ScreenTable} table
 */
export async function again(here, table) {
  const { table: terms, me } = table.snapshot;
  if (terms === null) return;
  const seat = me?.role ?? 'spectator';
  const server = await here.server();
  const { links } = await here.openTable({
    system: terms.system,
    name: me?.name,
    options: terms.options,
    title: terms.title,
    roles: Object.keys((await here.links(terms.id)) ?? { player: '' }),
    contributors: terms.contributors,
    ...(terms.serversJudge ? { judgeAfter: terms.serversJudge.after, away: terms.away } : {}),
    posts: terms.posts !== null && terms.posts === server?.posts?.name,
    public: terms.public !== null && terms.public === server?.public,
    sealed: terms.sealed,
    strike: terms.strike,
  });
  const link = links[seat] ?? Object.values(links)[0];
  if (me) await sitDown(here, link, me.name, { called: calledOf(me.name) === me.name ? null : calledOf(me.name) });
  location.assign(link);
}

/** Asks whether something is so. @param {{checked: boolean, onChange: (checked: boolean) => void, words: string}} props */
const Check = ({ checked, onChange, words }) =>
  html`<label class="check"><input type="checkbox" checked=${checked} onchange=${(event) => onChange(event.currentTarget.checked)} /> <span>${words}</span></label>`;

/** One of the options of a game. @param {{setting: Member, value: any, onChange: (value: any) => void}} props */
function Setting({ setting, value, onChange }) {
  const { name, value: kind } = setting;
  const title = setting.title ? word(setting.title) : name;
  const id = `set-${name}`;
  if (kind.kind === 'boolean') {
    return html`<${Check} checked=${value === true} onChange=${onChange} words=${title} />`;
  }
  const number = kind.kind === 'integer';
  return html`<div class="field"><label for=${id}>${title}</label>${
    kind.kind === 'literal'
      ? html`<select id=${id} onchange=${(event) => onChange(kind.values[Number(event.currentTarget.value)].value)}>
        ${kind.values.map((each, i) => html`<option value=${i} selected=${each.value === value}>${word(each.title)}</option>`)}</select>`
      : html`<input id=${id} type="text" inputmode=${number ? 'numeric' : 'text'} value=${value ?? ''}
        oninput=${(event) => onChange(number ? Number(event.currentTarget.value) : event.currentTarget.value)} />`
  }</div>`;
}

/** One of several, with a word for it. @param {{name: string, chosen: boolean, onChoose: () => void, words: string, look?: string}} props */
const Choice = ({ name, chosen, onChoose, words, look = 'choice' }) => html`<label class=${look}>
  <input type="radio" name=${name} checked=${chosen} onchange=${onChoose} /><span>${words}</span></label>`;

/**
 * The choice of who has a part in each roll.
 * @param {{chosen: 'all' | 'roller' | 'named', onChoose: (chosen: 'all' | 'roller' | 'named') => void, names: string, onNames: (names: string) => void, keeper: string}} props
 */
const Contributors = ({
  chosen,
  onChoose,
  names,
  onNames,
  keeper,
}) => html`<fieldset class="field"><legend>${t('Who has a part in a roll')}</legend><div class="choices">
  <${Choice} name="contributors" chosen=${chosen === 'all'} onChoose=${() => onChoose('all')}
    words=${t('Everybody: one honest player is enough for fair dice. Each page has to be open.')} />
  <${Choice} name="contributors" chosen=${chosen === 'roller'} onChoose=${() => onChoose('roller')}
    words=${t('The person who rolls, and the server: for large tables of friends. The others’ pages need not be open.')} />
  <${Choice} name="contributors" chosen=${chosen === 'named'} onChoose=${() => onChoose('named')}
    words=${t('Those whom I name, and the server. If all of these worked together, they could choose dice. The others trust that one of them is honest; the pages of the others need not be open.')} /></div>
  ${
    chosen === 'named' &&
    html`<div class="field"><label for="named">${t('Their names, with commas')}</label>
    <input id="named" type="text" autocomplete="off" autocapitalize="off" spellcheck=${false} aria-describedby="named-hint" value=${names}
      oninput=${(event) => onNames(event.currentTarget.value)} />
    <p class="hint" id="named-hint">${t('The names under which they will sit down. Add yours if you have a part. {keeper}, the server, has a part without being named. The game can start when all of them are seated.', { keeper })}</p></div>`
  }
</fieldset>`;

/**
 * The choice of what becomes of the game when somebody is gone, in one plain question (specs/page.md, "Opening a
 * table").
 * @param {{offered: boolean, asked: boolean, chosen: 'on' | 'wait' | null, onChoose: (chosen: 'on' | 'wait') => void}} props `offered`: the
 * server has a judge; `asked`: the table waits for the answer
 */
const Gone = ({
  offered,
  asked,
  chosen,
  onChoose,
}) => html`<fieldset class="field"><legend id="phone-title" tabindex="-1">${t('If somebody’s phone dies?')}</legend>
  ${asked && chosen === null && html`<p class="problem" role="alert">${t('Choose one of these, and then open the table.')}</p>`}<div class="choices">
  ${offered && html`<${Choice} name="gone" chosen=${chosen === 'on'} onChoose=${() => onChoose('on')} words=${t('Go on without them')} />`}
  <${Choice} name="gone" chosen=${chosen === 'wait'} onChoose=${() => onChoose('wait')} words=${t('Wait for them')} /></div>
  <p class="hint">${
    chosen === 'on'
      ? t(
          'The server’s judge calls off a roll that has waited too long, and those who are there go on. Somebody who comes back is back with one tap. The operator of the server runs its judge too, and could call off a roll whose dice they do not like. The log counts and shows each.',
        )
      : chosen === 'wait'
        ? t(
            'A roll waits, however long, and nobody gains a second roll by waiting. The person who rolls can call it off before giving their own part. A judge among you can too. Otherwise the game ends there.',
          )
        : t('Choose one. Go on: the server could have a roll made again. Wait: one of you can stop the game by staying away.')
  }
    ${!offered && ` ${t('This server offers no judge of its own.')}`}</p></fieldset>`;

/** @param {string} text names as they were typed @returns {string[]} as they can be, once each */
function namesOf(text) {
  const names = [
    ...new Set(
      text
        .split(/[,、，]/)
        .map(tidy)
        .filter((name) => name !== ''),
    ),
  ];
  if (names.length === 0) throw new Told('Name at least one person, besides the server, who has a part in each roll.');
  return names;
}

/** @param {string} text seconds as they were typed @returns {number} */
function secondsOf(text) {
  const seconds = Number(text.normalize('NFKC').trim());
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= LONGEST) return seconds;
  throw new Told('A roll waits for 1 to {most} seconds before the server’s judge calls it off.', { most: LONGEST });
}

/** @typedef {'on' | 'wait'} Going whether the others go on without somebody who is gone */
/** @typedef {'all' | 'roller' | 'named'} Contribution who has a part in each roll */

/**
 * The answers of the form. Null: not answered; then what is usual in such a game holds.
 * `options`: by the game's id; `named`, `after`: as typed; `given`: roles that get a link.
 */
const UNANSWERED = {
  options: /** @type {{[system: string]: any}} */ ({}),
  title: '',
  contributors: /** @type {Contribution} */ ('all'),
  named: '',
  gone: /** @type {Going | null} */ (null),
  after: String(AFTER),
  later: true,
  seat: /** @type {string | null} */ (null),
  screened: false,
  posts: false,
  shown: false,
  struck: /** @type {boolean | null} */ (null),
  given: ['player', 'gm', 'judge', 'spectator'],
};

/**
 * Returns what the answers come to at a server, for one of its games.
 * @param {string} id of the game @param {typeof UNANSWERED} answers @param {Advised} server
 * @returns {{options: {[name: string]: any}, screen: boolean, master: boolean, roles: string[], seat: string, links: Set<string>,
 *   admits: string[], strikes: boolean, goes: Going | null}} `screen`: the game master rolls behind one; `master`: the game needs a game
 *   master; `seat`: the role of whoever opens, empty: none; `links`: roles that get a link; `goes`: null where the form has to ask
 */
function planOf(id, answers, server) {
  const system = systemOf(id);
  const screen = answers.screened && takesSecrets(id);
  const roles = ['player', ...['gm'].filter((role) => system?.roles.includes(role)), 'judge', 'witness', 'spectator'];
  // Whoever opens a table with a screen, as a rule, sits behind it; if nothing can be rolled without a game master, the
  // opener is one.
  const master = sceneOf(id).needsMaster === true;
  const wished = answers.seat ?? (screen || master ? 'gm' : 'player');
  const seat = wished !== '' && !roles.includes(wished) ? 'player' : wished;
  const links = new Set([...answers.given, 'player', ...(screen ? ['gm'] : []), ...(seat === '' ? [] : [seat])]);
  // People who play together go on, and agree on a mis-tap. Of two who play against each other either may mind, so they
  // choose.
  const together = lateRoles(id).includes('player');
  return {
    options: answers.options[id] ?? (system ? defaults(system) : {}),
    screen,
    master,
    roles,
    seat,
    links,
    admits: lateRoles(id).filter((role) => roles.includes(role) && links.has(role)),
    strikes: answers.struck ?? together,
    goes: server?.judge == null ? 'wait' : (answers.gone ?? (together ? 'on' : null)),
  };
}

/** @typedef {ReturnType<typeof planOf>} Plan */

/**
 * Returns what the server is asked for. @param {string} id of the game @param {typeof UNANSWERED} answers @param {Plan} plan
 * @param {string} name of whoever opens; empty: none @returns {Parameters<Here['openTable']>[0]} @throws {Told}
 */
const termsOf = (id, answers, plan, name) => ({
  system: id,
  name: name === '' ? undefined : name,
  options: plan.options,
  contributors: answers.contributors === 'named' ? namesOf(answers.named) : answers.contributors,
  title: answers.title.trim(),
  roles: plan.roles.filter((role) => plan.links.has(role) || (plan.seat === '' && role === 'spectator')),
  ...(plan.goes === 'on' ? { judgeAfter: secondsOf(answers.after), away: /** @type {const} */ ('others') } : {}),
  ...(answers.later ? { admits: plan.admits } : {}),
  posts: answers.posts,
  public: answers.shown,
  ...(plan.screen ? { sealed: /** @type {const} */ ('kept') } : {}),
  ...(plan.strikes ? { strike: /** @type {const} */ ('all') } : {}),
});

/** The choice of the game. @param {{all: import('./systems.js').System[], chosen: string, onChoose: (id: string) => void}} props */
const Games = ({ all, chosen, onChoose }) =>
  html`<fieldset class="field"><legend>${t('The game')}</legend><div class="choices">${all.map(
    ({ id, title }) => html`
      <${Choice} key=${id} name="system" chosen=${id === chosen} onChoose=${() => onChoose(id)} words=${word(title)} />`,
  )}</div></fieldset>`;

/** The options of the game. @param {{settings: Member[], values: {[name: string]: any}, onChange: (values: {[name: string]: any}) => void}} props */
const Options = ({ settings, values, onChange }) =>
  settings.length > 0 &&
  html`<fieldset class="field"><legend>${t('Options')}</legend>${settings.map(
    (setting) => html`
      <${Setting} key=${setting.name} setting=${setting} value=${values[setting.name]}
        onChange=${(/** @type {unknown} */ value) => onChange({ ...values, [setting.name]: value })} />`,
  )}</fieldset>`;

/** The choice whether the game master rolls behind a screen. @param {{screened: boolean, plan: Plan, onChange: (screened: boolean) => void}} props */
const Screen = ({
  screened,
  plan,
  onChange,
}) => html`<${Check} checked=${screened} onChange=${onChange} words=${t('The game master may roll behind a screen')} />
  ${
    plan.screen &&
    html`<p class="hint">${
      plan.seat === 'gm'
        ? t(
            'You sit down as the game master; another seat is below More. Only you see such dice until you show them. Nothing in the game depends on them. The log counts the rolls that are not shown.',
          )
        : t(
            'Only the game master sees such dice until they are shown. Nothing in the game depends on them. The log counts the rolls that are not shown.',
          )
    }</p>`
  }`;

/** The choice of the own seat. @param {{plan: Plan, onChoose: (seat: string) => void}} props */
const OwnSeat = ({ plan: { roles, seat }, onChoose }) => html`<fieldset class="field"><legend>${t('My seat')}</legend><div class="keys">
        ${[...roles.filter((role) => role !== 'spectator'), ''].map(
          (role) => html`
          <${Choice} key=${role} look="key" name="seat" chosen=${role === seat} onChoose=${() => onChoose(role)}
            words=${role === '' ? t('none: I only open it') : roleWords(role)} />`,
        )}</div></fieldset>`;

/** The choice of the roles that get a link. @param {{plan: Plan, given: string[], onChange: (given: string[]) => void}} props */
function Links({ plan: { roles, links, screen }, given, onChange }) {
  const fixed = (/** @type {string} */ role) => role === 'player' || (screen && role === 'gm');
  const toggle = (/** @type {string} */ role) => onChange(given.includes(role) ? given.filter((one) => one !== role) : [...given, role]);
  return html`<fieldset class="field"><legend>${t('Links for')}</legend><div class="keys">${roles.map(
    (role) => html`<button type="button" class="key" key=${role}
        aria-pressed=${links.has(role) ? 'true' : 'false'} aria-disabled=${fixed(role) ? 'true' : null}
        onclick=${() => !fixed(role) && toggle(role)}>${roleWords(role)}</button>`,
  )}</div></fieldset>`;
}

/**
 * What most leave as it is, folded.
 * @param {{answers: typeof UNANSWERED, plan: Plan, set: (part: Partial<typeof UNANSWERED>) => void, server: Advised}} props
 */
const More = ({
  answers,
  plan,
  set,
  server,
}) => html`<${Fold} title=${t('More')} hint=${t('my seat, links, whose dice, who comes later')} className="plain">
      ${!plan.master && html`<${OwnSeat} plan=${plan} onChoose=${(/** @type {string} */ seat) => set({ seat })} />`}
      <${Links} plan=${plan} given=${answers.given} onChange=${(/** @type {string[]} */ given) => set({ given })} />
      <${Contributors} chosen=${answers.contributors} onChoose=${(/** @type {Contribution} */ contributors) => set({ contributors })} names=${answers.named}
        onNames=${(/** @type {string} */ named) => set({ named })} keeper=${server?.keeper.split('+')[0] ?? t('keeper')} />
      ${
        plan.goes === 'on' &&
        html`<div class="field"><label for="after">${t('Seconds that a roll waits before the server’s judge calls it off')}</label>
        <input id="after" type="text" inputmode="numeric" autocomplete="off" value=${answers.after} oninput=${(event) => set({ after: event.currentTarget.value })} /></div>`
      }
      <${Check} checked=${answers.later} onChange=${(/** @type {boolean} */ later) => set({ later })}
        words=${t('When the game has begun, I can still let somebody in: {roles}', { roles: listed(plan.admits.map(roleWords)) })} />
      ${server?.posts?.everybody && html`<${Check} checked=${answers.posts} onChange=${(/** @type {boolean} */ posts) => set({ posts })} words=${postsWords(String(server.posts.name))} />`}
      ${typeof server?.public === 'string' && html`<${Check} checked=${answers.shown} onChange=${(/** @type {boolean} */ shown) => set({ shown })} words=${publicWords(server.public)} />`}
    <//>`;

/**
 * The form to open a table. `server` is what the server says of itself; null until it has.
 * @param {{here: Here, server: Advised}} props
 */
export function Open({ here, server }) {
  const all = systems();
  const [id, setId] = useState(all[0]?.id ?? '');
  const [answers, setAnswers] = useState(UNANSWERED);
  const [asked, setAsked] = useState(false);
  const set = (/** @type {Partial<typeof UNANSWERED>} */ part) => setAnswers((now) => ({ ...now, ...part }));
  const system = systemOf(id);
  const plan = planOf(id, answers, server);
  const open = async (/** @type {string} */ name, /** @type {{called?: string | null}} */ more) => {
    if (plan.goes === null) {
      setAsked(true);
      go('phone');
      return;
    }
    const { links } = await here.openTable(termsOf(id, answers, plan, name));
    const link = links[plan.seat || 'spectator'];
    if (plan.seat !== '') await sitDown(here, link, name, more);
    location.assign(link);
  };
  if (here.ability) return html`<${Section} id="open" title=${t('Open a table')}><${Sit} here=${here} role="player" onSit=${open} words="" /><//>`;
  if (!system) return html`<p class="problem" role="alert">${t('This server names no games.')}</p>`;
  return html`<${Section} id="open" title=${t('Open a table')}>
    <${Games} all=${all} chosen=${id} onChoose=${setId} />
    <${Options} settings=${system.options} values=${plan.options} onChange=${(/** @type {any} */ values) => set({ options: { ...answers.options, [id]: values } })} />
    <div class="field"><label for="title">${t('Title')} <small>${t('(may be left out)')}</small></label>
      <input id="title" type="text" maxlength="200" autocomplete="off" value=${answers.title} oninput=${(event) => set({ title: event.currentTarget.value })} /></div>
    <${Gone} offered=${server?.judge != null} asked=${asked} chosen=${plan.goes} onChoose=${(/** @type {Going} */ gone) => set({ gone })} />
    <${Check} checked=${plan.strikes} onChange=${(/** @type {boolean} */ struck) => set({ struck })} words=${t('After a mis-tap all who play can take the latest roll back together')} />
    ${takesSecrets(id) && html`<${Screen} screened=${answers.screened} plan=${plan} onChange=${(/** @type {boolean} */ screened) => set({ screened })} />`}
    ${
      plan.master &&
      html`<${OwnSeat} plan=${plan} onChoose=${(/** @type {string} */ seat) => set({ seat })} /><p class="hint">${
        plan.seat === 'gm'
          ? t('This game needs a game master: you are it.')
          : t('This game needs a game master: somebody has to sit down by the link for one before you start.')
      }</p>`
    }
    <${More} answers=${answers} plan=${plan} set=${set} server=${server} />
    ${
      plan.seat === ''
        ? html`<${Button} kind="main" onTap=${() => open('', {})}>${t('Open the table')}<//>`
        : html`<${Sit} here=${here} role="player" onSit=${open} words=${t('Open the table and sit down')} />`
    }
  <//>`;
}
