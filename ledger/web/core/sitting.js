/**
 * A table before its game: taking a seat, and the host's start (specs/network.md, "The table").
 * @module
 */

import { newSealingKey } from './chains.js';
import { Connection } from './connection.js';
import { Refused, say } from './errors.js';
import { canBeCalled, parseStart } from './forms.js';
import { formatLink, invitationOf } from './links.js';
import { checkStart, newInvite, newSeat, newStart, newUnseat } from './lobby.js';
import { checkPassphrase, seatKey, wrap } from './move.js';
import { newSigner, random, Signer } from './signer.js';
import { inTurn } from './turns.js';

/** @typedef {(key: string) => {replaces: string, succession?: any}} Lost what a seat with this key has that asks to go on in the place of a lost one */

export class Sitting {
  /** @param {import('./here.js').Here} here @param {import('./links.js').Link} link */
  constructor(here, link) {
    this.here = here;
    this.link = link;
    this.connection = new Connection(link.address, { fetch: here.fetch, language: () => here.language, times: here.times });
    /** @type {import('./forms.js').Terms | null} */
    this.terms = null;
    this.termsLine = '';
    /** @type {import('./forms.js').Seat[]} that hold */
    this.seats = [];
    /** @type {import('./forms.js').Invite[]} that hold */
    this.invites = [];
    /** The host has replaced this link. */
    this.ended = false;
    /** @type {any} as it is stored */
    this.seat = null;
    /** The server has shown the own seat. */
    this.sat = false;
    /** The server no longer shows the own seat: the host has taken it away, or so the server says. */
    this.out = false;
  }

  // --- what the subclass does --------------------------------------------------------------------------------

  /** Announces a change to the screen. */
  changed() {}

  /** The table as it stands now. @returns {Promise<import('./forms.js').Terms>} @throws {Refused | Away} */
  async known() {
    throw new Error('of the class upon this one');
  }

  /** Notes that this table is known here. */
  async remember() {}

  // --- the lobby --------------------------------------------------------------------------------------------------------

  /**
   * Takes a seat of the link's role. Asked again with the same name after no answer came, it is the same seat.
   * @param {string} name of the key @param {{passphrase?: string, called?: string | null, own?: boolean, lost?: Lost}} [options] with a passphrase the seat can be moved; `called`: what the party is called; `own`: a key for this table alone; `lost`: it asks to go on in the place of a lost key @throws {Refused | Away}
   */
  async sit(name, { passphrase = '', called = null, own = false, lost } = {}) {
    if (this.here.ability !== null) throw new Refused('ability', this.here.ability);
    if (this.link.role === 'spectator') throw new Refused('table.seat', say('This link is for spectators, who have no seat.'));
    if (!canBeCalled(name)) {
      throw new Refused(
        'table.name',
        say('A name has 1 to 32 letters a–z, digits, dots, underscores and hyphens, and begins with a letter or a digit.'),
      );
    }
    if (passphrase !== '') checkPassphrase(passphrase);
    await this.known();
    // One at a time, in all tabs: whoever taps twice has one seat. The server may take its time.
    const { answer, patience } = this.connection.times;
    const place = `rollproof sit ${seatKey(this.link.table, this.link.role)}`;
    await inTurn(this.here.locks, place, () => this.takeSeat(name, passphrase, called, own, lost), AbortSignal.timeout(answer + patience));
  }

  /** @param {string} name @param {string} passphrase @param {string | null} called @param {boolean} own @param {Lost} [lost] @throws {Refused | Away} */
  async takeSeat(name, passphrase, called, own, lost) {
    this.seat = (await this.here.storage.get('seats', seatKey(this.link.table, this.link.role))) ?? null;
    if (this.seat !== null && (this.seat.posted || this.seat.name !== name || (this.seat.called ?? null) !== called)) {
      if (this.seat.posted && !this.out) throw new Refused('table.seat', say('You have a seat here already, as {name}.', { name: this.seat.name }));
      this.seat = null;
    }
    if (this.seat === null) {
      const { signer, wrapping, wrapped } = await this.keyOfSeat(name, passphrase, lost ? (this.here.me?.called ?? null) : called, own);
      const seat = {
        table: this.link.table,
        role: this.link.role,
        link: formatLink(this.link),
        key: signer.key,
        name,
        called,
        signing: signer.signing,
        sealing: await newSealingKey(this.here.storage.readsKeys),
        wrapping,
        wrapped,
        agreed: false,
        posted: false,
        left: false,
        moves: 0,
        terms: this.termsLine,
        invites: this.invites.filter((each) => each.link.role === this.link.role),
        ...lost?.(signer.key),
      };
      await this.storeSeat(seat); // before anything of it leaves
      this.sat = false;
      this.out = false;
    }
    await this.postSeat();
  }

  /**
   * The profile's key, or one for this table alone: where that is wanted, the seat is to be moved, the profile has another name,
   * or its key was taken out here or sits here in another role.
   * @param {string} name @param {string} passphrase @param {string | null} called @param {boolean} own
   * @returns {Promise<{signer: Signer, wrapping: CryptoKey | null, wrapped: import('./move.js').Wrapped | null}>}
   */
  async keyOfSeat(name, passphrase, called, own) {
    const { storage } = this.here;
    if (!own && passphrase === '' && !this.out) {
      const signer = await this.here.profileSigner(name, called);
      const seats = signer === null ? [] : await storage.all('seats');
      const elsewhere = seats.some((each) => each.table === this.link.table && each.role !== this.link.role && each.key === signer?.key);
      if (signer !== null && !elsewhere) return { signer, wrapping: null, wrapped: null };
    }
    const { signer, secret } = await newSigner(name, storage.readsKeys);
    const { wrapping, wrapped } = passphrase === '' ? { wrapping: null, wrapped: null } : await wrap(passphrase, secret);
    secret.fill(0);
    return { signer, wrapping, wrapped };
  }

  /** It is this table's seat when it is stored, and not before. @param {any} seat as it is stored */
  async storeSeat(seat) {
    await this.here.storage.write([{ store: 'seats', key: seatKey(this.link.table, this.link.role), value: seat }]);
    this.seat = seat;
  }

  /** @throws {Refused | Away} */
  async postSeat() {
    const { replaces, succession } = this.seat;
    const lost = { ...(replaces === undefined ? {} : { replaces }), ...(succession === undefined ? {} : { succession }) };
    const body = await newSeat(new Signer(this.seat.key, this.seat.signing), this.link, this.seat.called ?? null, lost);
    try {
      await this.connection.atTable(this.link.table, 'seats', body);
    } catch (error) {
      if (error instanceof Refused && error.status !== 429) {
        this.seat = null;
        await this.here.storage.write([{ store: 'seats', key: seatKey(this.link.table, this.link.role), value: undefined }]);
        this.changed();
      }
      throw error;
    }
    await this.storeSeat({ ...this.seat, posted: true });
    await this.remember();
    this.changed();
  }

  /** @returns {Promise<Signer>} of the host @throws {Refused} */
  async host() {
    const host = await this.here.storage.get('hosts', this.link.table);
    if (host === undefined) throw new Refused('table.host', say('Only the host of this table can do this, in the browser where it was opened.'));
    return new Signer(host.key, host.signing);
  }

  /** Takes somebody's seat away; that key takes none here any more. @param {string} key a verifier key @throws {Refused | Away} */
  async unseat(key) {
    await this.connection.atTable(this.link.table, 'unseat', await newUnseat(await this.host(), this.link.table, key));
  }

  /** Makes a new link in the place of a role's, which seats nobody any more. @param {string} role @returns {Promise<string>} @throws {Refused | Away} */
  async newLink(role) {
    const signer = await this.host();
    await this.known();
    const count = Math.max(0, ...this.invites.filter((each) => each.link.role === role).map((each) => each.count)) + 1;
    const link = { ...this.link, role, secret: random(32) };
    await this.connection.atTable(this.link.table, 'invites', await newInvite(signer, this.link.table, await invitationOf(role, link.secret), count));
    const { storage } = this.here;
    const host = await storage.get('hosts', this.link.table);
    const made = formatLink(link);
    await storage.write([{ store: 'hosts', key: this.link.table, value: { ...host, links: { ...host.links, [role]: made } } }]);
    this.changed();
    return made;
  }

  /** Starts with these seats. @param {string[]} keys verifier keys, in party order @throws {Refused | Away} */
  async start(keys) {
    const host = await this.host();
    const terms = await this.known();
    const parties = keys.map((key) => {
      const seat = this.seats.find((each) => each.key === key);
      if (seat === undefined) throw new Refused('table.start', say('Nobody sits here with the key {key}.', { key }));
      return { ...(seat.called === undefined ? {} : { called: seat.called }), key, role: seat.role };
    });
    const start = await newStart(host, this.link.table, parties);
    await checkStart(terms, this.link.table, this.seats, parseStart(start), this.invites);
    await this.connection.atTable(this.link.table, 'start', start);
  }
}
