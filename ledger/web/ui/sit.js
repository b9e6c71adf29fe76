/**
 * The form with which somebody takes a seat. The first page has it for the person who opens a table, a table for all
 * others.
 * @module
 */

import { MIN_PASSPHRASE } from '../core/index.js';
import { html, useEffect, useState } from './html.js';
import { Button, Fold, roleWords } from './parts.js';
import { say, t, Told } from './words.js';

/** @typedef {import('../core/index.js').ScreenHere} Here */

/** Characters of a name (specs/README.md, `MAX_NAME`). */
const NAME_LENGTH = 32;
/** Characters of a called name (specs/log.md, “Called names”). */
const CALLED_LENGTH = 40;

/** @param {string} name @returns {string} as a name can be (specs/log.md): a to z, 0 to 9, dot, underscore, hyphen */
export const tidy = (name) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9._-]/g, '')
    .replace(/^[._-]+/, '')
    .slice(0, NAME_LENGTH);

/** Names for people who type none. */
const NAMES = [
  'badger',
  'bison',
  'crane',
  'falcon',
  'ferret',
  'gecko',
  'heron',
  'ibex',
  'jackal',
  'koala',
  'lemur',
  'lynx',
  'marten',
  'newt',
  'otter',
  'panda',
  'puffin',
  'raven',
  'seal',
  'stoat',
  'swift',
  'tapir',
  'toad',
  'wren',
];
/** @param {string[]} taken @returns {string} one that nobody has at this table */
function freeName(taken) {
  const free = NAMES.filter((name) => !taken.includes(name));
  return free[Math.floor(Math.random() * free.length)] ?? '';
}

/** @param {import('../core/profile.js').ShownProfile | null} me @param {string[]} taken @returns {string} what the profile is called, else a name that nobody has at this table */
function nameFor(me, taken) {
  const mine = me?.called ?? me?.name ?? '';
  return mine !== '' && !taken.includes(mine) ? mine : freeName(taken);
}

/**
 * Returns the typed text as a called name, with a name for the key: the profile's, or one of its letters, or one that
 * is free.
 * @param {string} typed @param {string[]} taken @param {string} spare a free name @param {string | null} [mine] the name of the profile's key
 * @returns {{name: string, called: string | null}}
 */
export function namesOf(typed, taken, spare, mine = null) {
  const called = typed.normalize('NFC').trim();
  if (mine !== null) return { name: mine, called: called === mine ? null : called };
  const own = tidy(called);
  if (own === called) return { name: own, called: null };
  return { name: own === '' || taken.includes(own) ? spare : own, called };
}

/**
 * A seat to take. `taken` are the names that others have.
 * @param {{here: Here, role: string, taken?: string[], onSit: (name: string, more: {passphrase?: string, called?: string | null, own?: boolean}) => Promise<void>, words: string}} props
 */
export function Sit({ here, role, taken = [], onSit, words }) {
  const { ability } = here;
  const [name, setName] = useState('');
  const [offered, setOffered] = useState(() => nameFor(here.me, taken));
  useEffect(() => {
    if (taken.includes(offered)) setOffered(nameFor(here.me, taken));
  }, [taken.join()]);
  useEffect(() => {
    if (here.me !== null) setOffered(nameFor(here.me, taken));
  }, [here.me?.key]);
  const [passphrase, setPassphrase] = useState('');
  const [spare] = useState(() => freeName(taken));
  const [alone, setAlone] = useState(false);
  const own = alone || passphrase !== '';
  const mine = here.me === null || own || taken.includes(here.me.name) ? null : here.me.name;
  const chosen = namesOf(name.trim() === '' ? offered : name, taken, spare, mine);
  const go = async () => {
    if (chosen.name === '') throw new Told('Type a name first.');
    await onSit(chosen.name, { called: chosen.called, own, ...(passphrase === '' ? {} : { passphrase }) });
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
      <p class="hint" id="name-hint" aria-live="polite">${
        name.trim() === ''
          ? offered && t('If you leave this empty, you are called {text}.', { text: offered })
          : chosen.called === null
            ? ''
            : t('You will be called {text}. The log also has the name of your key: {name}.', { text: chosen.called, name: chosen.name })
      }</p></div>
    ${here.me !== null && !own && mine === null && html`<p class="hint">${t('Somebody else at this table has the name of your key, {name}. You get a separate key for this table.', { name: here.me.name })}</p>`}
    <${Fold} title=${t('A key of its own for this table')} hint=${t('to be nobody known, or to move later')} className="plain">
      <label class="check"><input type="checkbox" checked=${own} aria-disabled=${passphrase !== '' ? 'true' : null} onchange=${(event) => setAlone(event.currentTarget.checked)} /> <span>${t('The logs do not show that I also play at other tables')}</span></label>
      <div class="field"><label for="passphrase">${t('Passphrase')} <small>${t('(may be left out; else at least {least} characters)', { least: MIN_PASSPHRASE })}</small></label>
        <input id="passphrase" type="password" autocomplete="new-password" value=${passphrase} oninput=${(event) => setPassphrase(event.currentTarget.value)} onkeydown=${submit} />
        <p class="hint">${t('Your key is made in this browser and stays in it. With a passphrase you can move the seat to another browser, once. The passphrase is used here only, and is sent nowhere.')}</p></div><//>
    <${Button} kind="main" onTap=${go}>${words}<//>
    ${here.persisted === false && html`<p class="hint">${t('This browser has not promised to keep what is stored here. If it is cleared, the seat ends.')}</p>`}
    <p class="hint">${role === 'judge' || role === 'witness' || role === 'gm' ? t('This link is for a {role}.', { role: roleWords(role) }) : ''}</p>
  </form>`;
}
