/**
 * The state of a game as the protocol sees it: steps 13 to 22 of specs/verification.md for one event after the other.
 *
 * Nothing here waits. Signatures are *demanded*: the caller is given what must be valid, and what fails if it is not, and
 * reports the failure of the lowest line and step. So the state can run ahead of signatures, and runs without them where
 * the lines are known to hold.
 *
 * Step 23 is not taken: the rules of the systems are checked by `rollproof verify`.
 * @module
 */

import { Failure } from './findings.js';
import { admit, checkNewcomer, consent, settle } from './late.js';
import { checkTime } from './lines.js';
import { checkNewKey, consentToKey, renew, replace } from './lost.js';
import { comeBack, goAway, leave } from './presence.js';
import { seal, show } from './secret.js';
import { callOff, close, commit, disclose, objectTo, request, reveal } from './rolls.js';
import { playOn, strike } from './strikes.js';
import { checkRole, contributes, isRequest } from './terms.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./terms.js').Party} Party */
/** @typedef {import('./terms.js').Terms} Terms */
/**
 * @callback Demand that a signature be valid, or else the failure be reported
 * @param {() => Failure} failure @param {import('./signatures.js').PublicKey} key
 * @param {Uint8Array} signature @param {Uint8Array} message @returns {void}
 */

/** @typedef {{index: number, link: string, seq: number}} Known the highest link known, and the event that showed it */
/** @typedef {{tip: string, length: number, next: number, known: Known, commit: number}} Chain */
/** @typedef {{name: string, chain: Chain, index: number}} Share a contributor of a roll, and the link that it opens */

/**
 * @typedef {object} Roll a request and what became of it
 * @property {number} seq
 * @property {string} leaf hex
 * @property {string} author
 * @property {string} type
 * @property {any} body of the request
 * @property {number} index
 * @property {Share[]} shares
 * @property {Known[]} before what was known of each chain at the request
 * @property {string} closer
 * @property {number | null} end seq of the event that ended it
 * @property {'reveal' | 'void' | 'close' | null} ended
 * @property {string | null} by
 * @property {string[]} missing
 * @property {number | null} disclosed
 * @property {any[]} openings
 * @property {number[]} sides
 * @property {number[]} naturals
 * @property {import('./secret.js').Taken | null} taken of a secret roll: its holder and tag
 * @property {string[]} without who would have contributed too, had nobody else signed them away
 */

/**
 * @typedef {object} Place a party at the table
 * @property {Party} party
 * @property {boolean} joined
 * @property {boolean} checks said in its join that its program knows the rules
 * @property {boolean} left
 * @property {boolean} away
 * @property {string | null} signedAway who else signed it away; null: nobody did, or it is not away
 * @property {number} accepted the latest event with which it accepted the rolls that were made without it; -1: none
 * @property {Chain | null} chain
 * @property {Set<string>} calledBy who called it away
 * @property {Share & {roll: Roll} | null} accused the keeper's judge says that it did not open for this roll, and it has written nothing since but that it is back
 * @property {Late | null} late of a party that was admitted
 * @property {import('./secret.js').Seals | null} seals of a party that has sealed
 * @property {string | null} recovery hex, of the recovery key that its present key's join named
 * @property {Former[]} former the keys that it had before, the oldest first
 * @property {Asked | null} asked its new key, which waits for its join
 * @property {boolean} worded it has gone on under a new key by others' word
 * @property {boolean} lost its chain is that of an earlier key
 * @property {boolean} unsealed it has sealed with an earlier key only
 */

/** @typedef {{key: import('./signatures.js').PublicKey, verifierKey: string, until: number}} Former a key, and the event from which on it signs no more */
/**
 * @typedef {object} Asked a new key, and the `replace` that names it
 * @property {number} seq
 * @property {string} key
 * @property {import('./signatures.js').PublicKey} publicKey
 * @property {boolean} recovered the recovery key signed for it, so nobody is asked
 * @property {string[] | null} corrected by the event's word, so nobody is asked either: the organizer, and the judge who signed the party away
 * @property {Set<string>} consents
 */

/**
 * @typedef {object} Late
 * @property {number} admit number of the event
 * @property {boolean} byHost the host's word is in it
 * @property {string | null} appointedBy the organizer of the event who appointed it
 * @property {Set<string>} consents who has consented
 * @property {number | null} settled the event with which all had; null as long as it is a newcomer
 */

/**
 * Returns the state of a party that has written nothing.
 * @param {Party} party @param {Late | null} [late] of one that was admitted @returns {Place}
 */
const newPlace = (party, late = null) => ({
  party,
  joined: false,
  checks: false,
  left: false,
  away: false,
  signedAway: null,
  accepted: -1,
  accused: null,
  chain: null,
  calledBy: new Set(),
  late,
  seals: null,
  recovery: null,
  former: [],
  asked: null,
  worded: false,
  lost: false,
  unsealed: false,
});

export class Game {
  /** @param {Terms} terms @param {Uint8Array} id */
  constructor(terms, id) {
    this.terms = { ...terms, parties: [...terms.parties], byName: new Map(terms.byName) };
    this.id = id;
    this.phase = 'idle';
    this.time = '';
    /** @type {Map<string, Place>} */
    this.places = new Map(terms.parties.map((party) => [party.name, { ...newPlace(party), joined: party === terms.keeper }]));
    /** Leaf hashes, if the host's word may name one. @type {string[]} */
    this.leaves = [];
    /** Known secrets of secret rolls (hex), by request. @type {Map<number, string>} */
    this.secrets = new Map();
    /** @type {Set<string>} */
    this.tips = new Set();
    /** @type {Roll[]} */
    this.rolls = [];
    /** @type {Map<number, Roll>} */
    this.rollAt = new Map();
    /** @type {Map<string, {roll: Roll, body: string | null, certain: boolean}>} */
    this.owed = new Map();
    /** @type {{author: string, seq: number, owed: number}[]} requests of which only the rules say whether they were owed */
    this.undecided = [];
    /** `owed`: the subject was a request that its author owed. @type {{seq: number, author: string, body: any, owed: boolean}[]} */
    this.rulings = [];
    /** The numbers of `declare`s. @type {number[]} */
    this.declared = [];
    /** @type {{seq: number, author: string, party: string}[]} those that somebody else signed */
    this.removals = [];
    /** The `leave`s of parties that owed a roll. @type {{seq: number, party: string, roll: Roll}[]} */
    this.leftOwing = [];
    /** @type {{seq: number, author: string, party: string}[]} the same */
    this.aways = [];
    /** New keys that took effect. @type {{seq: number, party: string, by: string[], corrected: boolean}[]} by: whose word it was; nobody's where the recovery key signed */
    this.replacements = [];
    /** Acts of the event that stand here. @type {{seq: number, time: string, type: 'appoint' | 'correct-key', word: import('./event-word.js').Act}[]} */
    this.words = [];
    /** The roll that can be taken back, and the parties that have agreed. @type {{roll: Roll, by: string[]} | null} */
    this.latest = null;
    /** Rolls that all who played took back. @type {{seq: number, roll: Roll, by: string[]}[]} seq: of the last `strike` */
    this.takenBack = [];
    /** Openings that were called missing and are shown. @type {{seq: number, author: string}[]} */
    this.objections = [];
    this.lastOfKeeper = 0;
  }

  /** The roll that waits, or was voided last. @returns {Roll} */
  get roll() {
    return this.rolls[this.rolls.length - 1];
  }

  /** @param {string} name @returns {Place | undefined} */
  place(name) {
    return this.places.get(name);
  }

  /** The key with which a party signs an event, and its openings for it. @param {Place} place @param {number} seq @returns {import('./signatures.js').PublicKey} */
  keyAt(place, seq) {
    return place.former.find(({ until }) => seq < until)?.key ?? place.party.key;
  }

  /** Parties that would contribute to a roll by `roller` now. @param {string} roller @returns {Place[]} */
  contributorsOf(roller) {
    return [...this.places.values()].filter(
      (place) =>
        !place.left &&
        !place.away &&
        contributes(this.terms, place.party, roller) &&
        (place.late === null || place.chain !== null || place.party.name === roller),
    );
  }

  /**
   * Parties that would also contribute to a roll by `roller` if nobody else had signed them away. @param {string}
   * roller @returns {string[]}
   */
  withoutWhom(roller) {
    return [...this.places.values()]
      .filter(
        (place) =>
          (place.signedAway !== null || (place.worded && !place.away && !place.left)) &&
          contributes(this.terms, place.party, roller) &&
          (place.late === null || place.chain !== null || place.party.name === roller),
      )
      .map((place) => place.party.name);
  }

  /** Adds an admitted party. @param {Party} party @param {Late | null} late */
  add(party, late) {
    this.terms.parties.push(party);
    /** @type {Map<string, Party>} */ (this.terms.byName).set(party.name, party);
    this.places.set(party.name, newPlace(party, late));
  }

  /**
   * Saves the mutable part of the state, at the same cost however long the game is.
   * @returns {() => void} puts it back, once
   */
  mark() {
    const { phase, time, lastOfKeeper, latest } = this;
    const lists = [
      this.rolls,
      this.undecided,
      this.rulings,
      this.declared,
      this.removals,
      this.leftOwing,
      this.aways,
      this.objections,
      this.replacements,
      this.takenBack,
      this.words,
      this.terms.parties,
      this.leaves,
    ].map((list) => ({ list, length: list.length }));
    const parties = [...this.terms.parties];
    const places = [...this.places.values()].map((place) => ({
      place,
      before: {
        ...place,
        calledBy: new Set(place.calledBy),
        late: place.late && { ...place.late, consents: new Set(place.late.consents) },
        seals: place.seals && { ...place.seals, unused: [...place.seals.unused] },
        asked: place.asked && { ...place.asked, consents: new Set(place.asked.consents) },
      },
      chain: place.chain && { ...place.chain },
    }));
    const tips = this.tips.size;
    const secrets = this.secrets.size;
    const owed = [...this.owed].map(([name, each]) => ({ name, each, certain: each.certain }));
    const last = this.rolls.length > 0 ? { roll: this.roll, before: { ...this.roll } } : null;
    return () => {
      for (const roll of this.rolls.slice(lists[0].length)) this.rollAt.delete(roll.seq);
      for (const { name } of this.terms.parties.slice(places.length)) {
        this.places.delete(name);
        /** @type {Map<string, Party>} */ (this.terms.byName).delete(name);
      }
      for (const { list, length } of lists) list.length = length;
      for (const [i, party] of parties.entries()) {
        this.terms.parties[i] = party; // one that goes on under a new key was another
        /** @type {Map<string, Party>} */ (this.terms.byName).set(party.name, party);
      }
      for (const { place, before, chain } of places) {
        Object.assign(place, before);
        if (place.chain !== null) Object.assign(place.chain, chain);
      }
      for (const tip of [...this.tips].slice(tips)) this.tips.delete(tip);
      for (const request of [...this.secrets.keys()].slice(secrets)) this.secrets.delete(request);
      this.owed = new Map(owed.map(({ name, each, certain }) => [name, Object.assign(each, { certain })]));
      if (last) Object.assign(last.roll, last.before);
      Object.assign(this, { phase, time, lastOfKeeper, latest });
    };
  }

  /**
   * Steps 13 to 22 of one event, then its effect.
   * @param {Event} event @param {string} leaf hex of its leaf hash @param {Demand} demand
   * @throws {Failure} of a step that takes no signature
   */
  take(event, leaf, demand) {
    const { type } = event;
    const author = /** @type {Place} */ (this.place(event.author));
    checkRole(this.terms, author.party, type);
    checkTime(event, this.time);
    if (event.seq > 0) {
      this.checkPhase(type);
      this.checkPresence(author, type);
      checkNewcomer(author, event);
      author.calledBy.clear(); // the calls about a party are forgotten when it writes
      if (type === 'join') {
        const { checks, recovery = null } = event.body;
        if (author.asked) renew(this, author, author.asked, event.seq);
        Object.assign(author, { joined: true, checks: checks !== undefined, recovery });
      } else if (type === 'commit') commit(this, author, event);
      else if (isRequest(type)) request(this, author, event, leaf);
      else if (type === 'reveal') reveal(this, event, demand);
      else if (type === 'void') callOff(this, author, event);
      else if (type === 'disclose') disclose(this, event, demand);
      else if (type === 'ruling') this.ruling(event);
      else if (type === 'leave') {
        leave(this, author, event);
        settle(this, event.seq);
      } else if (type === 'admit') admit(this, event, demand);
      else if (type === 'replace') replace(this, event, demand);
      else if (type === 'consent') {
        if (!consentToKey(this, author, event)) consent(this, author, event);
      } else if (type === 'object') objectTo(this, author, event, demand);
      else if (type === 'seal') seal(this, author, event);
      else if (type === 'show') show(this, event);
      else if (type === 'strike') strike(this, author, event);
      else if (type === 'away') goAway(this, author, event);
      else if (type === 'back') comeBack(this, author, event);
      else if (type === 'close') close(this, event, demand);
      else {
        if (type === 'declare') this.declared.push(event.seq);
        this.rulesMoved();
      }
      playOn(this, event);
      if (type !== 'back') author.accused = null;
    }
    this.time = event.time;
    if (this.terms.host !== null) this.leaves.push(leaf);
    if (author.party === this.terms.keeper) this.lastOfKeeper = event.seq;
  }

  /** @param {string} type @throws {Failure} */
  checkPhase(type) {
    const ends = type === 'reveal' || type === 'void';
    if (this.phase === 'closed') throw new Failure(15, 'state.closed', 'The game is closed: nothing can be added.');
    if (this.phase === 'pending' && !ends && type !== 'close') {
      throw new Failure(15, 'state.pending', 'A roll waits for its dice: only its reveal or void can come now, not {type}.', { type });
    }
    if (this.phase === 'voided' && type !== 'disclose') {
      throw new Failure(15, 'state.voided', 'A roll was voided: {keeper} must disclose what was opened for it before {type}.', {
        keeper: this.terms.keeper.name,
        type,
      });
    }
    if (this.phase === 'idle' && ends) {
      throw new Failure(15, 'state.not-pending', 'No roll waits for dice, so there is nothing to {type}.', { type });
    }
    if (this.phase === 'idle' && type === 'disclose') {
      throw new Failure(15, 'state.not-voided', 'No roll was voided, so there is nothing to disclose.');
    }
  }

  /** @param {Place} author @param {string} type @throws {Failure} */
  checkPresence(author, type) {
    const values = { author: author.party.name };
    if (type === 'join' && author.asked) return checkNewKey(this, author, author.asked);
    if (type === 'join' && author.joined) throw new Failure(15, 'state.joined-twice', '{author} has joined already.', values);
    if (author.left) throw new Failure(15, 'state.left', '{author} has left the game.', values);
    if (type !== 'join' && !author.joined) {
      throw new Failure(15, 'state.not-joined', "{author} has not joined: a party's first event is its join.", values);
    }
    if (author.away && type !== 'back' && type !== 'leave') {
      throw new Failure(15, 'state.away', '{author} is away, and says so first when it is back.', values);
    }
  }

  /** Notes an event after which the rules may no longer allow an owed request (step 15). */
  rulesMoved() {
    for (const owed of this.owed.values()) owed.certain = false;
  }

  /** @param {Event} event @throws {Failure} */
  ruling(event) {
    const { ruling, subject, party, results } = event.body;
    if (subject < 0 || subject >= event.seq) {
      throw new Failure(15, 'ruling.subject', 'A ruling is about an earlier event; {subject} is none.', { subject });
    }
    if ((ruling === 'penalty') !== (party !== undefined)) {
      throw new Failure(15, 'ruling.form', 'A penalty names a party; other rulings name none.');
    }
    if (ruling !== 'correct' && results !== undefined) throw new Failure(15, 'ruling.form', 'Only a correction names results.');
    if (results !== undefined && new Set(results.map((/** @type {any} */ each) => each.die)).size !== results.length) {
      throw new Failure(15, 'ruling.form', 'A correction names each die once.');
    }
    if (party !== undefined && !this.place(party)) {
      throw new Failure(15, 'ruling.form', '{party} is no party of this game.', { party });
    }
    const owed = [...this.owed.values()].some(({ roll }) => roll.seq === subject);
    this.rulings.push({ seq: event.seq, author: event.author, body: event.body, owed });
    const changes = (ruling === 'void' || results !== undefined) && this.rollAt.has(subject);
    if (ruling === 'void') {
      for (const [name, owed] of this.owed) if (owed.roll.seq === subject) this.owed.delete(name);
    }
    if (changes) this.rulesMoved();
  }
}
