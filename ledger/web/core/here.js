/**
 * Everything of one browser for one server: keys, tables, games that are known here.
 * @module
 */

import { readVerifierKey } from '../../../verifier/web/identities.js';
import { toHex, utf8 } from '../../../verifier/web/bytes.js';
import { newSealingKey } from './chains.js';
import { Connection } from './connection.js';
import { Refused, say } from './errors.js';
import { canBeCalled } from './forms.js';
import { timeOf } from './guard.js';
import { formatLink, INVITED, invitationOf, parseLink } from './links.js';
import { idOf, nameOf, newTerms } from './lobby.js';
import { memoryKey } from './memory.js';
import { MAX_MOVED, readFile, seatKey } from './move.js';
import { MAX_PROFILE, newFile, newProfile, restoredProfile, shownProfile, successionLines } from './profile.js';
import { newSigner, random, Signer } from './signer.js';
import { MemoryStorage } from './storage.js';
import { Table } from './table.js';
import { TIMES } from './transport.js';
import { browserChannels, inTurn, memoryTurns } from './turns.js';

/** @typedef {import('./links.js').Link} Link */
/** @typedef {import('./errors.js').Message} Message */

/**
 * @typedef {object} Means
 * @property {string} address of the server
 * @property {import('./storage.js').Storage | null} storage null: this browser keeps nothing, and can only look on
 * @property {typeof fetch} [fetch] @property {() => number} [now] milliseconds
 * @property {import('./turns.js').Locks} [locks] of the browser without it, else of this program
 * @property {import('./turns.js').Channels} [channel] the same
 * @property {string | null} [language] for what the server says in words; null: as the browser asks
 * @property {Partial<import('./transport.js').Times>} [times] @property {number} [links] of a new seed chain
 */

/** The name of a host's own key without a typed name. */
const HOST = 'table-host';

const CANNOT =
  'This browser cannot keep a key that signs: you can look on, but you cannot take a seat. Use a current browser, over https, and not in a private window.';

/**
 * @typedef {object} NewTable a table that is wanted
 * @property {string} system the id of its game @property {any} [options] of the game @property {string} [title]
 * @property {'all' | 'roller' | string[]} [contributors] of a list, the keeper is in it without being named
 * @property {string[]} [roles] that get a link @property {string[]} [admits] in which somebody may come later
 * @property {'others' | null} [away] @property {number | null} [judgeAfter] seconds after which the server's judge calls a roll off that waits,
 *   null: the table has no such judge
 * @property {boolean} [posts] the server posts each result to its channel @property {boolean} [public] everybody can read the closed game
 * @property {'kept' | 'everyone' | null} [sealed] who may hold secret rolls @property {'all' | null} [strike] all who play can take the latest
 *   roll back @property {string} [name] of the host's key
 */

/**
 * Returns the terms that a table has only where they are wanted.
 * @param {any} server what it says of itself @param {NewTable} what @returns {{[term: string]: unknown}} @throws {Refused} that the
 * server does not offer
 */
function agreedWith(server, { away = null, judgeAfter = null, admits = [], posts = false, public: shown = false, sealed = null, strike = null }) {
  const { judge, posts: place, public: address } = server;
  if (judgeAfter !== null && judge === null) throw new Refused('table.terms', say('This server offers no judge of its own.'));
  if (posts && typeof place?.name !== 'string') throw new Refused('table.terms', say('This server posts no results anywhere.'));
  if (shown && typeof address !== 'string') throw new Refused('table.terms', say('This server makes no closed games public.'));
  return {
    ...(admits.length === 0 ? {} : { admits }),
    ...(away === null ? {} : { away }),
    ...(judgeAfter === null ? {} : { judge: { after: judgeAfter, key: judge } }),
    ...(posts ? { posts: place.name } : {}),
    ...(shown ? { public: address } : {}),
    ...(sealed === null ? {} : { sealed }),
    ...(strike === null ? {} : { strike }),
  };
}

export class Here {
  /** @param {Means & {storage: import('./storage.js').Storage}} means */
  constructor({ address, storage, fetch, now = Date.now, locks, channel, language = null, times = {}, links }) {
    this.address = address.replace(/\/+$/, '');
    this.storage = storage;
    this.fetch = fetch ?? ((...request) => globalThis.fetch(...request));
    this.now = now;
    const turns =
      globalThis.navigator?.locks === undefined ? memoryTurns(storage) : { locks: /** @type {any} */ (navigator.locks), channels: browserChannels };
    this.locks = locks ?? turns.locks;
    this.channels = channel ?? turns.channels;
    this.language_ = language;
    this.times = { ...TIMES, ...times };
    this.chainLinks = links;
    /** @type {Message | null} why no seat can be taken here */
    this.ability = null;
    /** Whether the browser keeps its storage: null if it does not say. @type {boolean | null} */
    this.persisted = null;
    /** @type {import('./profile.js').ShownProfile | null} who has this browser, for this server */
    this.me = null;
    /** @type {Map<string, Table>} by table and role */
    this.shown = new Map();
  }

  /** @param {Means} means @returns {Promise<Here>} */
  static async open(means) {
    const here = new Here({ ...means, storage: means.storage ?? new MemoryStorage() });
    here.ability = means.storage === null ? say(CANNOT) : await here.tryKeys();
    if (here.ability === null) {
      // Nothing waits for this: Firefox asks its user, who may never answer.
      void here.storage
        .persist()
        .catch(() => false)
        .then((kept) => {
          here.persisted = kept;
        });
      const profile = await here.storage.get('profiles', here.address).catch(() => undefined);
      here.me = profile === undefined ? null : shownProfile(profile);
    }
    return here;
  }

  /** For what the server says in words; null: as the browser asks. */
  get language() {
    return this.language_;
  }

  set language(language) {
    if (language === this.language_) return;
    this.language_ = language;
    for (const table of this.shown.values()) table.game.advise();
  }

  /** A key goes to storage and comes back, and signs what holds. @returns {Promise<Message | null>} why not */
  async tryKeys() {
    try {
      if (globalThis.isSecureContext === false) return say(CANNOT);
      const { signer } = await newSigner('trial', this.storage.readsKeys);
      const key = `trial ${toHex(random(16))}`; // another tab may be at it too
      await this.storage.write([{ store: 'seats', key, value: { signing: signer.signing, sealing: await newSealingKey(this.storage.readsKeys) } }]);
      const { signing } = await this.storage.get('seats', key);
      await this.storage.write([{ store: 'seats', key, value: undefined }]);
      const message = utf8('trial');
      const signature = await crypto.subtle.sign('Ed25519', signing, message);
      const { publicKey } = /** @type {any} */ (readVerifierKey(signer.key));
      const verifying = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
      return signing.extractable === (this.storage.readsKeys ?? false) && (await crypto.subtle.verify('Ed25519', verifying, signature, message))
        ? null
        : say(CANNOT);
    } catch {
      return say(CANNOT);
    }
  }

  /**
   * Looks at the profile and changes it, one program after another.
   * @param {(profile: import('./profile.js').Profile | undefined) => Promise<import('./profile.js').Profile>} change the same object: nothing is written
   * @returns {Promise<import('./profile.js').Profile>} as it stands then
   */
  async changeProfile(change) {
    return inTurn(this.locks, `rollproof profile ${this.address}`, async () => {
      const before = await this.storage.get('profiles', this.address);
      const profile = await change(before);
      if (profile !== before) await this.storage.write([{ store: 'profiles', key: this.address, value: profile }]);
      this.me = shownProfile(profile);
      return profile;
    });
  }

  /**
   * The profile's key for a seat under this name; a browser without a profile makes one.
   * @param {string} name @param {string | null} called @returns {Promise<Signer | null>} null: the profile has another name
   */
  async profileSigner(name, called) {
    const profile = await this.changeProfile(async (found) => {
      if (found === undefined) return newProfile(this.address, name, called, this.storage.readsKeys ?? false);
      return found.name === name && found.called !== called ? { ...found, called } : found;
    });
    return profile.name === name ? new Signer(profile.key, profile.signing) : null;
  }

  /** The profile's file: the same each time. @param {string} passphrase of a file that was not saved yet @returns {Promise<import('./errors.js').File>} @throws {Refused} */
  async keepProfile(passphrase = '') {
    const { file, name } = await this.changeProfile(async (found) => {
      if (found === undefined) throw new Refused('profile', say('There is no profile in this browser yet: take a seat first.'));
      return found.file === null ? { ...found, file: await newFile(found, passphrase) } : found;
    });
    return { name: `${name}.rollproof-profile.json`, bytes: utf8(/** @type {string} */ (file)) };
  }

  /** Its owner was asked once whether to keep the profile safe. */
  async profileOffered() {
    await this.changeProfile(async (found) => ({ .../** @type {import('./profile.js').Profile} */ (found), offered: true }));
  }

  /** How the profile came to its key: for whoever counts by keys. @returns {Promise<import('./errors.js').File>} */
  async successions() {
    const { name, ...profile } = await this.changeProfile(async (found) => /** @type {import('./profile.js').Profile} */ (found));
    return { name: `${name}.succession`, bytes: successionLines({ name, ...profile }) };
  }

  /** The public recovery key of the profile, which a join of its key names. @param {string} key of a seat @returns {Promise<string | null>} */
  async recoveryOf(key) {
    const profile = await this.storage.get('profiles', this.address);
    return profile === undefined || profile.key !== key || profile.file === null ? null : JSON.parse(profile.file).recovery;
  }

  /** How the profile came to its key. @returns {Promise<import('./profile.js').Succession[]>} */
  async successionsOf() {
    return (await this.storage.get('profiles', this.address))?.successions ?? [];
  }

  /**
   * Goes on under a new key where the key of a profile's file ended. Seats that were taken here before keep their keys.
   * @param {Uint8Array | Blob} file @param {string} passphrase @throws {Refused}
   */
  async bringIn(file, passphrase) {
    if (this.ability !== null) throw new Refused('ability', this.ability);
    const bytes = file instanceof Uint8Array ? file : new Uint8Array(await file.slice(0, MAX_PROFILE + 1).arrayBuffer());
    const made = await restoredProfile(bytes, passphrase, this.address, timeOf(this.now()), this.storage.readsKeys ?? false);
    await this.changeProfile(async (found) => {
      if (found?.successions.some((each) => each.key === made.successions.at(-1)?.key)) {
        throw new Refused(
          'profile.twice',
          say('This file was brought in here before: a file is used once. Save a new one for the key that you have now.'),
        );
      }
      return made;
    });
  }

  /** @returns {Connection} */
  connection() {
    return new Connection(this.address, { fetch: this.fetch, language: () => this.language, times: this.times });
  }

  /** What the server is. @returns {Promise<any>} */
  async server() {
    return this.connection().server();
  }

  /** Tables known here, newest first. @returns {Promise<{table: string, game: string | null, title: string, system: string, role: string, name: string | null, host: boolean, opened: string, link: string}[]>} */
  async tables() {
    const all = await this.storage.all('tables');
    return all.map(({ terms: _terms, ...rest }) => rest).sort((a, b) => (a.opened < b.opened ? 1 : a.opened > b.opened ? -1 : 0));
  }

  /**
   * Opens a table as its host. What it takes is written down before the server hears of it.
   * @param {NewTable} what
   * @returns {Promise<{table: string, links: {[role: string]: string}}>} @throws {Refused | import('./errors.js').Away}
   */
  async openTable(what) {
    const { system, options = {}, contributors = 'all', title = '', roles = ['player', 'spectator'], name = HOST } = what;
    if (this.ability !== null) throw new Refused('ability', this.ability);
    if (!canBeCalled(name)) throw new Refused('table.name', say('{name} is no name.', { name }));
    const server = await this.server();
    const { keeper } = server;
    const agreed = agreedWith(server, what);
    const wanted = INVITED.filter((role) => roles.includes(role));
    const secrets = wanted.map((role) => ({ role, secret: random(32) }));
    const { signer } = await newSigner(name, this.storage.readsKeys);
    const invitations = await Promise.all(secrets.map(({ role, secret }) => invitationOf(role, secret)));
    const terms = await newTerms(signer, {
      ...agreed,
      contributors: Array.isArray(contributors) ? [...new Set([nameOf(keeper), ...contributors])] : contributors,
      invitations,
      keeper,
      nonce: toHex(random(32)),
      options,
      system,
      time: timeOf(this.now()),
      title,
    });
    const table = idOf(terms);
    const links = Object.fromEntries(secrets.map(({ role, secret }) => [role, formatLink({ address: this.address, table, role, secret })]));
    const first = secrets[0].role;
    await this.storage.write([
      { store: 'hosts', key: table, value: { table, terms, links, key: signer.key, signing: signer.signing } },
      {
        store: 'tables',
        key: seatKey(table, first),
        value: {
          table,
          role: first,
          link: links[first],
          game: null,
          title,
          system,
          name: null,
          host: true,
          opened: JSON.parse(terms).time,
          terms,
        },
      },
    ]);
    const told = await this.connection().openTable(terms);
    if (told !== table) throw new Refused('table.terms', say('The server took the table under another id: it is not the one that was opened.'));
    return { table, links };
  }

  /** The links of a table that was opened here, by role. @param {string} table @returns {Promise<{[role: string]: string} | null>} */
  async links(table) {
    return (await this.storage.get('hosts', table))?.links ?? null;
  }

  /** A table, not yet connected; asked again, the same until it is closed. @param {string | Link} link @returns {Table} @throws {Refused} */
  table(link) {
    const parsed = typeof link === 'string' ? parseLink(link) : link;
    const key = seatKey(parsed.table, parsed.role);
    const table = this.shown.get(key) ?? new Table(this, parsed);
    this.shown.set(key, table);
    return table;
  }

  /**
   * Takes a seat that was moved here.
   * @param {Uint8Array | Blob} file @param {string} passphrase @param {Link} [expected] the table that it must be of
   * @returns {Promise<{link: string}>} of its table @throws {Refused}
   */
  async take(file, passphrase, expected) {
    if (this.ability !== null) throw new Refused('ability', this.ability);
    const bytes = file instanceof Uint8Array ? file : new Uint8Array(await file.slice(0, MAX_MOVED + 1).arrayBuffer());
    const { seat, game, record } = await readFile(bytes, passphrase, this.address);
    const link = parseLink(seat.link);
    if (expected && (expected.table !== link.table || expected.role !== link.role)) {
      throw new Refused('moved.table', say('This file is of a seat at another table.'));
    }
    const key = seatKey(link.table, link.role);
    await inTurn(this.locks, `rollproof seat ${seat.key} ${game ?? ''}`, async () => {
      const here = await this.storage.get('seats', key);
      if (here !== undefined && here.key !== seat.key)
        throw new Refused('moved.seat', say('Another seat was taken at this table in this browser, as {name}.', { name: here.name }));
      if (here !== undefined && (!here.left || here.moves >= seat.moves)) {
        throw new Refused('moved.twice', say('This seat, or a later one, is here already: a file is taken once.'));
      }
      const terms = JSON.parse(seat.terms);
      const changes = /** @type {import('./storage.js').Change[]} */ ([
        { store: 'seats', key, value: { ...seat, table: link.table, role: link.role } },
        {
          store: 'tables',
          key,
          value: {
            table: link.table,
            role: link.role,
            link: seat.link,
            game,
            title: terms.title,
            system: terms.system,
            name: seat.name,
            host: false,
            opened: terms.time,
            terms: seat.terms,
          },
        },
      ]);
      if (game !== null && record !== null) {
        const at = memoryKey(game, seat.key);
        const before = await this.storage.get('memory', at);
        changes.push({ store: 'memory', key: at, value: { ...record, at, number: Math.max(record.number, before?.number ?? 0) + 1 } });
      }
      await this.storage.write(changes);
    });
    return { link: seat.link };
  }
}
