/**
 * One person at many tables: this browser's profile, the file that keeps it, and a new phone (specs/profile.md).
 * @module
 */

import { MIN_PASSPHRASE } from '../core/index.js';
import { save } from './files.js';
import { html, useState } from './html.js';
import { Button, Fold, Section } from './parts.js';
import { colourOf } from './person.js';
import { mark, t, Told } from './words.js';

/** @typedef {import('../core/index.js').ScreenHere} Here */
/** @typedef {import('../core/profile.js').ShownProfile} ShownProfile */

/** A field for a passphrase. @param {{id: string, words: string, value: string, onChange: (value: string) => void, fresh?: boolean}} props `fresh`: it is chosen here */
const Passphrase = ({
  id,
  words,
  value,
  onChange,
  fresh = false,
}) => html`<div class="field"><label for=${id}>${words}${fresh && html` <small>${t('(at least {least} characters)', { least: MIN_PASSPHRASE })}</small>`}</label>
  <input id=${id} type="password" autocomplete=${fresh ? 'new-password' : 'current-password'} value=${value} oninput=${(event) => onChange(event.currentTarget.value)} /></div>`;

/**
 * The file to keep safe. If the profile has no file yet, its owner chooses a passphrase.
 * @param {{here: Here, me: ShownProfile, onDone: () => void, children?: import('./html.js').Content}} props `children`: buttons beside it
 */
export function Keep({ here, me, onDone, children }) {
  const [passphrase, setPassphrase] = useState('');
  const keep = async () => {
    const { name, bytes } = await here.keepProfile(passphrase);
    save(name, bytes);
    onDone();
  };
  return html`${
    me.kept
      ? html`<p class="hint">${t('It is the same file each time, and opens with the passphrase that you chose.')}</p>`
      : html`<${Passphrase} id="keep-passphrase" words=${t('Passphrase')} value=${passphrase} onChange=${setPassphrase} fresh=${true} />`
  }
    <p class="row"><${Button} onTap=${keep}>${t('Save the file')}<//> ${children}</p>`;
}

/** A profile's file that is brought in. @param {{here: Here, me: ShownProfile | null, onDone: () => void}} props */
export function BringIn({ here, me, onDone }) {
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [passphrase, setPassphrase] = useState('');
  const bring = async () => {
    if (!file) throw new Told('Choose the file first.');
    await here.bringIn(file, passphrase);
    onDone();
  };
  return html`<${Fold} title=${t('This is me on a new phone')} className="plain">
    <p>${t('Bring in the file that you saved. This browser gets a new key, and can show that it is yours. If a game is still going on, ask for your place at its table.')}</p>
    ${me !== null && html`<p class="loud doubt">${t('After that, you sit down as the person in the file. You no longer sit down as {name}: that key ends here.', { name: me.called ?? me.name })}</p>`}
    <form onsubmit=${(event) => event.preventDefault()}>
      <div class="field"><label for="profile">${t('The file')}</label><input id="profile" type="file" accept=".json,.profile,application/json" onchange=${(event) => setFile(event.currentTarget.files?.[0] ?? null)} /></div>
      <${Passphrase} id="profile-passphrase" words=${t('Its passphrase')} value=${passphrase} onChange=${setPassphrase} />
      <${Button} onTap=${bring}>${t('This is me')}<//></form><//>`;
}

/** @returns {boolean} whether this is the installed page, which some systems keep apart from the browser that it came from */
const isInstalled = () => /** @type {any} */ (navigator).standalone === true || matchMedia('(display-mode: standalone)').matches;

/** The profile of this browser at this server. @param {{here: Here, onChange: () => void}} props */
export function You({ here, onChange }) {
  const [done, setDone] = useState('');
  const { me } = here;
  const did = (/** @type {string} */ template) => {
    setDone(template);
    onChange();
  };
  if (here.ability) return null;
  const shown = me === null ? '' : (me.called ?? me.name);
  return html`<${Section} id="you" title=${t('You')}>
    ${
      me === null
        ? html`<p class="quietly">${t('Nobody yet. You get a key when you first sit down at a table.')}</p>
          ${isInstalled() && html`<p class="hint">${t('This is the installed page. iPhones and iPads keep it apart from the browser. If you have played there, bring in your file here, or play on in the browser.')}</p>`}`
        : html`
      <p class="person"><span class=${`avatar p${colourOf(me.name)}`} data-letter=${[...shown][0]?.toUpperCase() ?? ''} aria-hidden="true"></span><strong><bdi>${shown}</bdi></strong> <small class="key-name">${me.key.split('+').slice(0, 2).join('+')}</small></p>
      <p class="hint">${t('You have one key at all tables of this server. Anybody with two logs sees that you are the same person. For a table you can choose a separate key there.')}</p>`
    }
    <p role="status">${done && t(done)}</p>
    ${
      me !== null &&
      html`<${Fold} title=${me.kept ? t('Save the file again') : t('Keep it safe')} hint=${me.kept ? '' : t('a file, for when this browser is lost')} className="plain">
      <p>${t('The file makes you a new key when this one is lost, and shows that it is yours. It signs in no game. Keep it elsewhere.')}</p>
      <${Keep} here=${here} me=${me} onDone=${() => did(mark('Saved. Keep the file where you still have it if you lose this device.'))} /><//>`
    }
    ${
      me !== null &&
      me.successions > 0 &&
      html`<p>${t('This key took the place of an earlier one of yours. People who count seasons or keep a roster need to know:')}
      <${Button} onTap=${async () => {
        const { name, bytes } = await here.successions();
        save(name, bytes);
      }}>${t('Save the succession')}<//></p>`
    }
    <${BringIn} key=${me?.key} here=${here} me=${me} onDone=${() => did(mark('This is you from now on. The file is used up: save a new one.'))} /><//>`;
}
