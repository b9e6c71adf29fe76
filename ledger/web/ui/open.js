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
  if (me) {
    const next = here.table(link);
    try {
      await next.connect();
      await next.sit(me.name, { called: calledOf(me.name) === me.name ? null : calledOf(me.name) });
    } finally {
      next.close();
    }
  }
  location.assign(link);
}

/** One of the options of a game. @param {{setting: Member, value: any, onChange: (value: any) => void}} props */
function Setting({ setting, value, onChange }) {
  const { name, value: kind } = setting;
  const title = setting.title ? word(setting.title) : name;
  const id = `set-${name}`;
  if (kind.kind === 'boolean') {
    return html`<label class="check"><input type="checkbox" checked=${value === true} onchange=${(event) => onChange(event.currentTarget.checked)} /> <span>${title}</span></label>`;
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

/**
 * The form to open a table. `server` is what the server says of itself; null until it has.
 * @param {{here: Here, server: Advised}} props
 */
export function Open({ here, server }) {
  const all = systems();
  const [id, setId] = useState(all[0]?.id ?? '');
  const system = /** @type {import('./systems.js').System} */ (systemOf(id));
  const [options, setOptions] = useState(/** @type {{[system: string]: any}} */ ({}));
  const chosen = options[id] ?? (system ? defaults(system) : {});
  const [title, setTitle] = useState('');
  const [contributors, setContributors] = useState(/** @type {'all' | 'roller' | 'named'} */ ('all'));
  const [named, setNamed] = useState('');
  const [gone, setGone] = useState(/** @type {'on' | 'wait' | null} */ (null));
  const [asked, setAsked] = useState(false);
  const [after, setAfter] = useState(String(AFTER));
  const [later, setLater] = useState(true);
  const [seat, setSeat] = useState(/** @type {string | null} */ (null));
  const [screened, setScreened] = useState(false);
  const [posts, setPosts] = useState(false);
  const [shown, setShown] = useState(false);
  const [struck, setStruck] = useState(/** @type {boolean | null} */ (null));
  const screen = screened && takesSecrets(id);
  const roles = ['player', ...['gm'].filter((role) => system?.roles.includes(role)), 'judge', 'witness', 'spectator'];
  const [given, setGiven] = useState(['player', 'gm', 'judge', 'spectator']);
  // Whoever opens a table with a screen, as a rule, sits behind it; if nothing can be rolled without a game master, the
  // opener is one.
  const master = sceneOf(id).needsMaster === true;
  const wished = seat ?? (screen || master ? 'gm' : 'player');
  const taken = wished !== '' && !roles.includes(wished) ? 'player' : wished;
  const roleOfLinks = new Set([...given, 'player', ...(screen ? ['gm'] : []), ...(taken === '' ? [] : [taken])]);
  const admits = lateRoles(id).filter((role) => roles.includes(role) && roleOfLinks.has(role));
  const offered = server?.judge != null;
  // Friends agree on a mis-tap. Of two who play against each other either may mind, so they choose.
  const strikes = struck ?? lateRoles(id).includes('player');
  // People who play together go on. Of two who play against each other either may mind, so they choose.
  const goes = !offered ? 'wait' : (gone ?? (lateRoles(id).includes('player') ? 'on' : null));
  const open = async (/** @type {string} */ name, /** @type {object} */ more) => {
    if (goes === null) {
      setAsked(true);
      go('phone');
      return;
    }
    const wanted = new Set([...given, 'player', ...(screen ? ['gm'] : []), ...(taken === '' ? ['spectator'] : [taken])]);
    const { links } = await here.openTable({
      system: id,
      name: name === '' ? undefined : name,
      options: chosen,
      contributors: contributors === 'named' ? namesOf(named) : contributors,
      title: title.trim(),
      roles: roles.filter((role) => wanted.has(role)),
      ...(goes === 'on' ? { judgeAfter: secondsOf(after), away: 'others' } : {}),
      ...(later ? { admits } : {}),
      posts,
      public: shown,
      ...(screen ? { sealed: /** @type {const} */ ('kept') } : {}),
      ...(strikes ? { strike: /** @type {const} */ ('all') } : {}),
    });
    const link = links[taken === '' ? 'spectator' : taken];
    if (taken !== '') {
      const table = here.table(link);
      try {
        await table.connect();
        await table.sit(name, more);
      } finally {
        table.close();
      }
    }
    location.assign(link);
  };
  const seats = html`<fieldset class="field"><legend>${t('My seat')}</legend><div class="keys">
        ${[...roles.filter((role) => role !== 'spectator'), ''].map(
          (role) => html`
          <${Choice} key=${role} look="key" name="seat" chosen=${role === taken} onChoose=${() => setSeat(role)}
            words=${role === '' ? t('none: I only open it') : roleWords(role)} />`,
        )}</div></fieldset>`;
  if (here.ability) return html`<${Section} id="open" title=${t('Open a table')}><${Sit} here=${here} role="player" onSit=${open} words="" /><//>`;
  if (!system) return html`<p class="problem" role="alert">${t('This server names no games.')}</p>`;
  return html`<${Section} id="open" title=${t('Open a table')}>
    <fieldset class="field"><legend>${t('The game')}</legend><div class="choices">${all.map(
      (each) => html`
      <${Choice} key=${each.id} name="system" chosen=${each.id === id} onChoose=${() => setId(each.id)} words=${word(each.title)} />`,
    )}</div></fieldset>
    ${
      system.options.length > 0 &&
      html`<fieldset class="field"><legend>${t('Options')}</legend>${system.options.map(
        (setting) => html`
      <${Setting} key=${setting.name} setting=${setting} value=${chosen[setting.name]}
        onChange=${(/** @type {unknown} */ value) => setOptions({ ...options, [id]: { ...chosen, [setting.name]: value } })} />`,
      )}</fieldset>`
    }
    <div class="field"><label for="title">${t('Title')} <small>${t('(may be left out)')}</small></label>
      <input id="title" type="text" maxlength="200" autocomplete="off" value=${title} oninput=${(event) => setTitle(event.currentTarget.value)} /></div>
    <${Gone} offered=${offered} asked=${asked} chosen=${goes} onChoose=${setGone} />
    <label class="check"><input type="checkbox" checked=${strikes} onchange=${(event) => setStruck(event.currentTarget.checked)} /> <span>${t('After a mis-tap all who play can take the latest roll back together')}</span></label>
    ${
      takesSecrets(id) &&
      html`<label class="check"><input type="checkbox" checked=${screened} onchange=${(event) => setScreened(event.currentTarget.checked)} /> <span>${t('The game master may roll behind a screen')}</span></label>
      ${
        screen &&
        html`<p class="hint">${
          taken === 'gm'
            ? t(
                'You sit down as the game master; another seat is below More. Only you see such dice until you show them. Nothing in the game depends on them. The log counts the rolls that are not shown.',
              )
            : t(
                'Only the game master sees such dice until they are shown. Nothing in the game depends on them. The log counts the rolls that are not shown.',
              )
        }</p>`
      }`
    }
    ${
      master &&
      html`${seats}<p class="hint">${
        taken === 'gm'
          ? t('This game needs a game master: you are it.')
          : t('This game needs a game master: somebody has to sit down by the link for one before you start.')
      }</p>`
    }
    <${Fold} title=${t('More')} hint=${t('my seat, links, whose dice, who comes later')} className="plain">
      ${!master && seats}
      <fieldset class="field"><legend>${t('Links for')}</legend><div class="keys">${roles.map(
        (role) => html`<button type="button" class="key" key=${role}
        aria-pressed=${role === 'player' || roleOfLinks.has(role) ? 'true' : 'false'} aria-disabled=${role === 'player' || (screen && role === 'gm') ? 'true' : null}
        onclick=${() => role !== 'player' && !(screen && role === 'gm') && setGiven(given.includes(role) ? given.filter((one) => one !== role) : [...given, role])}>${roleWords(role)}</button>`,
      )}</div></fieldset>
      <${Contributors} chosen=${contributors} onChoose=${setContributors} names=${named} onNames=${setNamed} keeper=${server?.keeper.split('+')[0] ?? t('keeper')} />
      ${
        goes === 'on' &&
        html`<div class="field"><label for="after">${t('Seconds that a roll waits before the server’s judge calls it off')}</label>
        <input id="after" type="text" inputmode="numeric" autocomplete="off" value=${after} oninput=${(event) => setAfter(event.currentTarget.value)} /></div>`
      }
      <label class="check"><input type="checkbox" checked=${later} onchange=${(event) => setLater(event.currentTarget.checked)} /> <span>${t('When the game has begun, I can still let somebody in: {roles}', { roles: listed(admits.map(roleWords)) })}</span></label>
      ${server?.posts?.everybody && html`<label class="check"><input type="checkbox" checked=${posts} onchange=${(event) => setPosts(event.currentTarget.checked)} /> <span>${postsWords(String(server.posts.name))}</span></label>`}
      ${typeof server?.public === 'string' && html`<label class="check"><input type="checkbox" checked=${shown} onchange=${(event) => setShown(event.currentTarget.checked)} /> <span>${publicWords(server.public)}</span></label>`}
    <//>
    ${
      taken === ''
        ? html`<${Button} kind="main" onTap=${() => open('', {})}>${t('Open the table')}<//>`
        : html`<${Sit} here=${here} role="player" onSit=${open} words=${t('Open the table and sit down')} />`
    }
  <//>`;
}
