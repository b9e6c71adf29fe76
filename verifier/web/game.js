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

import { equal, fromHex } from './bytes.js';
import { HISTORY } from './constants.js';
import { descend, drawDice, openingMessage, seedOf } from './dice.js';
import { Failure } from './findings.js';
import { canonical } from './json.js';
import { checkRole, contributes, isRequest, mayContribute } from './terms.js';

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
 */

/**
 * @typedef {object} Place a party at the table
 * @property {Party} party
 * @property {boolean} joined
 * @property {boolean} left
 * @property {boolean} away
 * @property {Chain | null} chain
 * @property {Set<string>} calledBy who called it away
 */


export class Game {
  /** @param {Terms} terms @param {Uint8Array} id */
  constructor(terms, id) {
    this.terms = terms;
    this.id = id;
    this.phase = 'idle';
    this.time = '';
    /** @type {Map<string, Place>} */
    this.places = new Map(terms.parties.map((party) => [party.name, {
      party, joined: party === terms.keeper, left: false, away: false, chain: null, calledBy: new Set(),
    }]));
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
    /** @type {{seq: number, author: string, body: any}[]} */
    this.rulings = [];
    /** @type {{seq: number, author: string, party: string}[]} those that somebody else signed */
    this.removals = [];
    /** @type {{seq: number, author: string, party: string}[]} the same */
    this.aways = [];
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

  /** Parties that would contribute to a roll by `roller` now. @param {string} roller @returns {Place[]} */
  contributorsOf(roller) {
    return [...this.places.values()].filter(
      (place) => !place.left && !place.away && contributes(this.terms, place.party, roller),
    );
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
    if (event.time < this.time) {
      throw new Failure(14, 'time.backwards', 'The time {actual} is before that of the event before, {expected}.',
        { actual: event.time, expected: this.time }, { actual: event.time, expected: this.time });
    }
    if (event.seq > 0) {
      this.checkPhase(type);
      this.checkPresence(author, type);
      this.forgetCalls(author, event);
      if (type === 'join') author.joined = true;
      else if (type === 'commit') this.commit(author, event);
      else if (isRequest(type)) this.request(author, event, leaf);
      else if (type === 'reveal') this.reveal(event, demand);
      else if (type === 'void') this.void(author, event);
      else if (type === 'disclose') this.disclose(event, demand);
      else if (type === 'ruling') this.ruling(event);
      else if (type === 'leave') this.leave(author, event);
      else if (type === 'away') this.goAway(author, event);
      else if (type === 'back') this.comeBack(author, event);
      else if (type === 'close') this.close(event, demand);
      else this.rulesMoved();
    }
    this.time = event.time;
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
      throw new Failure(15, 'state.voided', 'A roll was voided: {keeper} must disclose what was opened for it before {type}.',
        { keeper: this.terms.keeper.name, type });
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
    if (type === 'join' && author.joined) throw new Failure(15, 'state.joined-twice', '{author} has joined already.', values);
    if (author.left) throw new Failure(15, 'state.left', '{author} has left the game.', values);
    if (type !== 'join' && !author.joined) {
      throw new Failure(15, 'state.not-joined', "{author} has not joined: a party's first event is its join.", values);
    }
    if (author.away && type !== 'back' && type !== 'leave') {
      throw new Failure(15, 'state.away', '{author} is away, and says so first when it is back.', values);
    }
  }

  /** The calls about a party are forgotten when it writes. @param {Place} author @param {Event} event */
  forgetCalls(author, event) {
    author.calledBy.clear();
  }

  /** Something happened that may change what the rules allow, so what is owed may be owed no more (step 15). */
  rulesMoved() {
    for (const owed of this.owed.values()) owed.certain = false;
  }

  /** @param {Place} author @param {Event} event @throws {Failure} */
  commit(author, event) {
    const { body } = event;
    const { name } = author.party;
    if (!mayContribute(this.terms, author.party)) {
      throw new Failure(16, 'commit.not-contributor',
        '{author} contributes to no roll of this game, so has nothing to commit to.', { author: name });
    }
    if (this.tips.has(body.tip)) {
      throw new Failure(16, 'commit.tip-reused',
        "{author} commits to a tip that this game has seen: a copy of another's commitment, or a chain used twice.",
        { author: name }, { actual: body.tip });
    }
    if ((author.chain !== null) !== Object.hasOwn(body, 'link')) {
      throw new Failure(16, 'commit.link',
        '{author} gives the next link of the chain that a commit replaces, and none where there was none.', { author: name });
    }
    if (author.chain !== null) this.lead(16, 'commit.link', name, author.chain, author.chain.next, body.link, event.seq);
    this.tips.add(body.tip);
    author.chain = {
      tip: body.tip, length: body.length, next: 1, known: { index: 0, link: body.tip, seq: event.seq }, commit: event.seq,
    };
  }

  /**
   * A link must lead to the last known one of its chain, and is known from then on.
   * @param {16 | 20} step @param {string} code @param {string} name @param {Chain} chain
   * @param {number} index @param {string} link @param {number} seq @throws {Failure}
   */
  lead(step, code, name, chain, index, link, seq) {
    if (!equal(descend(this.id, name, index, fromHex(link), chain.known.index), fromHex(chain.known.link))) {
      const words = step === 20
        ? 'The link that {author} opened is not on the chain that {author} committed to.'
        : 'The link that {author} gives is not on the chain that {author} committed to.';
      throw new Failure(step, code, words, { author: name }, step === 20 ? { actual: link, opener: name } : { actual: link });
    }
    chain.known = { index, link, seq };
  }

  /** @param {Place} author @param {Event} event @param {string} leaf @throws {Failure} */
  request(author, event, leaf) {
    const { name } = author.party;
    for (const place of this.places.values()) {
      const { role } = place.party;
      if ((role === 'player' || role === 'gm') && !place.left && !place.joined) {
        throw new Failure(15, 'state.not-agreed',
          'Nobody rolls before every player has agreed to the digital dice: {missing} must join first.',
          { missing: { names: [...this.places.values()].filter((each) => ['player', 'gm'].includes(each.party.role) && !each.left && !each.joined).map((each) => each.party.name) } },
          { clause: this.terms.system.agreement });
      }
    }
    this.checkOwed(name, event);
    const contributors = this.contributorsOf(name);
    if (contributors.length < 2) {
      throw new Failure(15, 'state.contributors', 'Only {names} would contribute to this roll; it takes two.',
        { names: { names: contributors.map((place) => place.party.name) } });
    }
    /** @type {Share[]} */
    const shares = [];
    for (const { party, chain } of contributors) {
      if (chain === null || chain.next >= chain.length) {
        throw new Failure(15, 'state.not-committed',
          '{name} has no link left for this roll: {name} must commit to a seed chain first.', { name: party.name });
      }
      shares.push({ name: party.name, chain, index: chain.next });
    }
    const others = shares.filter((share) => share.name !== this.terms.keeper.name);
    const closer = shares.some((share) => share.name === name) ? name : others[others.length - 1]?.name ?? name;
    /** @type {Roll} */
    const roll = {
      seq: event.seq, leaf, author: name, type: event.type, body: event.body, index: this.rolls.length, shares, closer,
      before: shares.map((share) => share.chain.known), end: null, ended: null, by: null, missing: [], disclosed: null,
      openings: [], sides: [], naturals: [],
    };
    for (const share of shares) share.chain.next++;
    this.rolls.push(roll);
    this.rollAt.set(roll.seq, roll);
    this.phase = 'pending';
  }

  /**
   * A request that is not the one that is owed. The rules may allow the owed one no more (step 23); that cannot be so where
   * nothing has happened since the void that changes what they allow.
   * @param {string} name @param {Event} event @throws {Failure}
   */
  checkOwed(name, event) {
    const owed = this.owed.get(name);
    if (owed === undefined) return;
    if (owed.roll.type === event.type && owed.body === canonical(event.body)) {
      this.owed.delete(name);
      return;
    }
    if (!owed.certain || this.rolls.length > HISTORY) {
      this.undecided.push({ author: name, seq: event.seq, owed: owed.roll.seq });
      return;
    }
    throw new Failure(15, 'state.owed',
      '{author} asked for a {type} in event {seq}, which was voided: {author} asks for the same again before anything else.',
      { author: name, type: owed.roll.type, seq: owed.roll.seq });
  }

  /** Step 17. @param {Event} event @throws {Failure} */
  checkRollIndex(event) {
    const expected = String(this.roll.index);
    const actual = String(event.body.roll_index);
    if (actual !== expected) {
      throw new Failure(17, 'roll.index', 'This is roll {expected} of the game, not roll {actual}.',
        { expected, actual }, { expected, actual });
    }
  }

  /**
   * Steps 18 to 20 for the openings of the roll that waits or was voided.
   * @param {any[]} openings @param {Demand} demand @param {number} seq of the event that has them @throws {Failure}
   */
  open(openings, demand, seq) {
    const { roll } = this;
    const request = fromHex(roll.leaf);
    for (const { author, index, link, sig } of openings) {
      const { key } = /** @type {Place} */ (this.place(author)).party;
      const failure = () => new Failure(18, 'opening.signature',
        "The opening is not {author}'s for this request: it was changed, or made for another.", { author }, { opener: author });
      demand(failure, key, fromHex(sig), openingMessage(this.id, request, author, index, fromHex(link)));
    }
    const shares = openings.map(({ author }) => /** @type {Share} */ (roll.shares.find((share) => share.name === author)));
    openings.forEach(({ author, index }, i) => {
      if (index === shares[i].index) return;
      const [expected, actual] = [String(shares[i].index), String(index)];
      throw new Failure(19, 'opening.index', '{author} opened link {actual}; this roll takes link {expected}.',
        { author, expected, actual }, { expected, actual, opener: author });
    });
    openings.forEach(({ author, index, link }, i) =>
      this.lead(20, 'opening.link', author, shares[i].chain, index, link, seq));
    roll.openings = openings;
  }

  /** @param {Event} event @param {Demand} demand @throws {Failure} */
  reveal(event, demand) {
    const { roll } = this;
    const { openings, sides, naturals } = event.body;
    this.checkRollIndex(event);
    const expected = roll.shares.map((share) => share.name).join(', ');
    const actual = openings.map((/** @type {any} */ opening) => opening.author).join(', ');
    if (actual !== expected) {
      throw new Failure(17, 'opening.set', 'A reveal has one opening of each contributor, in party order.', {}, { expected, actual });
    }
    this.open(openings, demand, event.seq);
    const shares = openings.map((/** @type {any} */ opening) => ({ name: opening.author, link: fromHex(opening.link) }));
    const { dice } = drawDice(seedOf(this.id, roll.index, shares), sides);
    if (dice.length !== naturals.length || dice.some((die, i) => die.natural !== naturals[i])) {
      const shown = dice.map((die) => die.natural);
      throw new Failure(22, 'reveal.naturals', 'The links give other dice than the reveal says.', {},
        { expected: JSON.stringify(shown), actual: JSON.stringify(naturals) });
    }
    Object.assign(roll, { sides, naturals });
    this.end(event, 'reveal', 'idle');
    this.rulesMoved();
  }

  /** @param {Event} event @param {'reveal' | 'void' | 'close'} how @param {string} phase */
  end(event, how, phase) {
    Object.assign(this.roll, { end: event.seq, ended: how, by: event.author });
    this.phase = phase;
  }

  /** @param {Place} author @param {Event} event @throws {Failure} */
  void(author, event) {
    const { roll } = this;
    const { name, role } = author.party;
    if (name !== roll.closer && role !== 'judge') {
      throw new Failure(15, 'state.void',
        'Only {closer}, who opens last before the keeper, or a judge can void this roll, not {author}.',
        { closer: roll.closer, author: name });
    }
    this.checkRollIndex(event);
    const { missing } = event.body;
    if (!isOrdered(missing, roll)) {
      throw new Failure(21, 'void.missing', 'A void names contributors of its roll as missing, in party order, none twice.',
        {}, { actual: missing.join(', ') });
    }
    roll.missing = missing;
    this.end(event, 'void', 'voided');
    this.owed.set(roll.author, { roll, body: canonical(roll.body), certain: true });
  }

  /** @param {any[]} openings of a disclose or a close @throws {Failure} */
  checkSet(openings) {
    const names = openings.map((opening) => opening.author);
    if (isOrdered(names, this.roll) && names.includes(this.terms.keeper.name)) return;
    throw new Failure(17, 'opening.set',
      "Here stand openings of contributors of the roll, in party order, none twice, and {keeper}'s own is one of them.",
      { keeper: this.terms.keeper.name }, { actual: names.join(', ') });
  }

  /** @param {Event} event @param {Demand} demand @throws {Failure} */
  disclose(event, demand) {
    this.checkRollIndex(event);
    this.checkSet(event.body.openings);
    this.open(event.body.openings, demand, event.seq);
    this.roll.disclosed = event.seq;
    this.phase = 'idle';
  }

  /** @param {Event} event @param {Demand} demand @throws {Failure} */
  close(event, demand) {
    const waits = this.phase === 'pending';
    if (waits !== Object.hasOwn(event.body, 'openings')) {
      throw new Failure(15, 'state.close', 'A close has the openings of the request that waits, and none where nothing waits.');
    }
    if (waits) {
      this.checkSet(event.body.openings);
      this.open(event.body.openings, demand, event.seq);
      this.end(event, 'close', 'closed');
    }
    this.phase = 'closed';
  }

  /** @param {Event} event @throws {Failure} */
  ruling(event) {
    const { ruling, subject, party, results } = event.body;
    if (subject < 0 || subject >= event.seq) {
      throw new Failure(15, 'ruling.subject', 'A ruling is about an earlier event; {subject} is none.', { subject });
    }
    if ((ruling === 'penalty') !== (party !== undefined)) {
      throw new Failure(15, 'ruling.form', 'A penalty, and nothing else, names a party.');
    }
    if (ruling !== 'correct' && results !== undefined) throw new Failure(15, 'ruling.form', 'Only a correction names results.');
    if (results !== undefined && new Set(results.map((/** @type {any} */ each) => each.die)).size !== results.length) {
      throw new Failure(15, 'ruling.form', 'A correction names each die once.');
    }
    if (party !== undefined && !this.place(party)) {
      throw new Failure(15, 'ruling.form', '{party} is no party of this game.', { party });
    }
    this.rulings.push({ seq: event.seq, author: event.author, body: event.body });
    const changes = (ruling === 'void' || results !== undefined) && this.rollAt.has(subject);
    if (ruling === 'void') {
      for (const [name, owed] of this.owed) if (owed.roll.seq === subject) this.owed.delete(name);
    }
    if (changes) this.rulesMoved();
  }

  /**
   * Step 16 for `burned`.
   * @param {Place} author @param {Event} event @throws {Failure}
   */
  burned(author, event) {
    const { burned, party } = event.body;
    if (burned === undefined) return;
    const { chain } = author;
    if (party !== event.author || chain === null || chain.known.index >= chain.next - 1) {
      throw new Failure(16, 'burned.link', '{author} has no burned link here that is not known, so there is none to give.',
        { author: event.author });
    }
    this.lead(16, 'burned.link', event.author, chain, chain.next - 1, burned, event.seq);
  }

  /** @param {Place} author @param {Event} event @throws {Failure} */
  leave(author, event) {
    const { party } = event.body;
    const place = this.place(party);
    /** @param {string} text */
    const refuse = (text) => new Failure(15, 'state.leave', text, { party });
    if (!place) throw refuse('{party} is no party of this game.');
    if (place.party === this.terms.keeper) throw refuse('{party} keeps the log and cannot leave; close the game instead.');
    if (place.left) throw refuse('{party} has left already.');
    if (place !== author && author.party.role !== 'judge') throw refuse('Only {party} or a judge can take {party} out of the game.');
    this.burned(author, event);
    place.left = true;
    place.away = false;
    this.owed.delete(party);
    this.forgetAllCalls();
    if (place !== author) this.removals.push({ seq: event.seq, author: event.author, party });
    this.rulesMoved();
  }

  forgetAllCalls() {
    for (const place of this.places.values()) place.calledBy.clear();
  }

  /** @param {Place} place @returns {boolean} whether it may contribute, has joined, and is neither away nor gone */
  isPresentContributor(place) {
    return mayContribute(this.terms, place.party) && place.joined && !place.away && !place.left;
  }

  /** @param {Place} author @param {Event} event @throws {Failure} */
  goAway(author, event) {
    const { party } = event.body;
    const place = this.place(party);
    /** @param {string} text */
    const refuse = (text) => new Failure(15, 'state.presence', text, { party, author: event.author });
    if (!place) throw refuse('{party} is no party of this game.');
    if (!['player', 'gm', 'witness'].includes(place.party.role)) throw refuse('{party} contributes to no roll as one who could be away.');
    if (!place.joined || place.left || place.away) throw refuse('{party} is not at the table.');
    const call = place !== author && author.party.role !== 'judge';
    if (call && !(this.terms.awayByOthers && this.isPresentContributor(author))) {
      throw refuse('Only {party} or a judge can sign {party} away.');
    }
    if (call && place.calledBy.has(event.author)) throw refuse('{author} has called {party} away already.');
    this.burned(author, event);
    if (call) {
      place.calledBy.add(event.author);
      const others = [...this.places.values()].filter((each) => each !== place && this.isPresentContributor(each));
      if (others.length < 2 || others.some((each) => !place.calledBy.has(each.party.name))) return;
    }
    place.away = true;
    this.forgetAllCalls();
    if (place !== author) this.aways.push({ seq: event.seq, author: event.author, party });
    this.rulesMoved();
  }

  /** @param {Place} author @param {Event} event @throws {Failure} */
  comeBack(author, event) {
    const { party } = event.body;
    const place = this.place(party);
    /** @param {string} text */
    const refuse = (text) => new Failure(15, 'state.presence', text, { party });
    if (!place) throw refuse('{party} is no party of this game.');
    if (!place.away) throw refuse('{party} is not away.');
    if (place !== author && author.party.role !== 'judge') throw refuse('Only {party} or a judge can say that {party} is back.');
    place.away = false;
    this.rulesMoved();
  }
}

/** @param {string[]} names @param {Roll} roll @returns {boolean} contributors of it, in party order, none twice */
function isOrdered(names, roll) {
  const places = names.map((name) => roll.shares.findIndex((share) => share.name === name));
  return places.every((place, i) => place >= 0 && (i === 0 || place > places[i - 1]));
}
