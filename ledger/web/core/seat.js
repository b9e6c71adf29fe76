/**
 * A party's seat in one game: everything that needs its key and its secrets (specs/seats.md, specs/protocol.md).
 *
 * Every method is one turn: it looks at the log against what the seat remembers, records what it is about to do, and gives
 * back what may then be sent. Nothing here sends.
 * @module
 */

import { concat, fromHex, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { LABEL_EVENT } from '../../../verifier/web/constants.js';
import { openingMessage, receivedMessage } from '../../../verifier/web/dice.js';
import { Failure } from '../../../verifier/web/findings.js';
import { leafHash } from '../../../verifier/web/hashes.js';
import { canonical } from '../../../verifier/web/json.js';
import { isRequest, mayContribute } from '../../../verifier/web/terms.js';
import { linkOf, newChain } from './chains.js';
import { Refused, say } from './errors.js';
import { Holder } from './holder.js';
import { checkBeforeSigning, checkTaken, lookAt, timeOf } from './guard.js';
import { newAccess } from './lobby.js';

/** @typedef {import('./follower.js').Follower} Follower */
/** @typedef {import('./memory.js').OwnChain} OwnChain */
/** @typedef {import('./memory.js').Record} Record */
/** @typedef {import('./memory.js').SeatTurn} Turn */
/** @typedef {{author: string, index: number, link: string, sig: string}} Opening */
/** @typedef {'join' | 'back' | 'object' | 'commit' | 'show' | 'seal'} Due what the course of the game asks of a seat, and decides nothing */
/** @typedef {{author: string, body: any, game: string, prev: string, seq: number, time: string, type: string}} Unsigned */

/** @param {Record} record @param {string} request @returns {string[]} whose openings for it a receipt was given for */
export const acknowledgedBy = ({ acknowledged }, request) => (acknowledged.request === request ? acknowledged.authors : []);

/** The most lines by which a stored head may be behind. */
const LOOK = 32;

/** Events that a rule of a system is about. */
const OF_RULES = new Set(['roll', 'reroll', 'ignore', 'store', 'modify', 'resolve', 'declare', 'ruling', 'show']);

const refuse = (/** @type {string} */ code, /** @type {string} */ text, /** @type {any} */ values = {}) => new Refused(code, say(text, values));

export class Seat {
  /**
   * @param {import('./signer.js').Signer} signer @param {CryptoKey} sealing @param {import('./memory.js').Memory} memory
   * @param {Follower} log that is followed; it does not change during a turn @param {() => number} now milliseconds
   * @param {number} [links] of a new chain @param {string | null} [called] what the party is called
   * @param {() => Promise<string | null>} [recovery] the public recovery key of its profile, if that is its key's
   */
  constructor(signer, sealing, memory, log, now, links, called = null, recovery = async () => null) {
    this.called = called;
    this.recovery = recovery;
    this.signer = signer;
    this.sealing = sealing;
    this.memory = memory;
    this.log = log;
    this.now = now;
    this.links = links;
    this.name = signer.name;
    this.holder = new Holder(this);
  }

  get game() {
    return this.log.game;
  }

  /** @param {OwnChain} own @param {number} index @returns {Promise<string>} */
  link(own, index) {
    return linkOf(fromHex(this.log.id), this.name, this.sealing, own, index);
  }

  /** @template T @param {(turn: Turn) => Promise<T>} work @returns {Promise<T>} */
  turn(work) {
    return this.memory.turn(async (turn) => {
      await checkBeforeSigning(turn, this.log, this.signer.key, this.name, this.now(), (own, index) => this.link(own, index));
      return work(turn);
    });
  }

  /**
   * Checks the log, and returns what it shows; signs nothing. That the log has gone on is not written down each time:
   * each
   * turn that signs looks at all of it itself.
   * @param {boolean} [write] it is written down all the same @returns {Promise<Record>}
   */
  look(write = false) {
    return this.memory.turn(async (turn) => {
      const { head, stopped, warnings } = JSON.parse(turn.before);
      await lookAt(turn, this.log, this.name, (own, index) => this.link(own, index), this.signer.key);
      const { record } = turn;
      const told = (record.stopped !== null && stopped === null) || record.warnings.length !== warnings.length;
      if (!write && !told && record.head.size - head.size < LOOK) turn.forget();
      return record;
    });
  }

  /** Returns the next event, unsigned. @param {string} type @param {any} body @returns {Unsigned} */
  unsigned(type, body) {
    const { id, size, events } = this.log;
    const last = events[size - 1];
    const now = timeOf(this.now());
    return { author: this.name, body, game: id, prev: last.leaf, seq: size, time: now > last.time ? now : last.time, type };
  }

  /**
   * Signs an event; its line, which is kept to be sent again.
   * @param {Unsigned} event the very one, if the log's end is still where it was @returns {Promise<string>}
   */
  sign(event) {
    return this.turn(async (turn) => {
      if (this.objects(turn.record)) throw refuse('object.first', 'First your page shows the opening that was called missing.');
      if (isRequest(event.type)) {
        this.checkSeeds(turn.record);
        await this.holder.keepPurpose(turn, event.body);
      }
      return this.event(turn, await this.withBurned(turn, event));
    });
  }

  /**
   * Adds a seat's own unknown link of the latest voided roll: it decides nothing. @param {Turn} turn @param {Unsigned}
   * event @returns {Promise<Unsigned>}
   */
  async withBurned(turn, event) {
    const { type, body } = event;
    if ((type !== 'leave' && type !== 'away') || body.party !== this.name || body.burned !== undefined) return event;
    const chain = this.game.place(this.name)?.chain;
    if (!chain || chain.known.index >= chain.next - 1) return event;
    const own = turn.record.chains.find((each) => each.tip === chain.tip);
    return own ? { ...event, body: { ...body, burned: await this.link(own, chain.next - 1) } } : event;
  }

  /**
   * Joins, comes back with a new key, commits anew, seals, shows the secret that it owes, or an opening that was called missing: what every party does once where it stands. A line that was signed here for the same place is
   * given again, whoever signed it: this tab before it was closed, or another one.
   * @param {Due} what @returns {Promise<string>} the line
   */
  enter(what) {
    return this.turn(async (turn) => {
      const { prev, seq } = this.unsigned(what, {});
      const kept = turn.record.lines.find((line) => {
        const event = JSON.parse(line);
        return event.type === what && event.seq === seq && event.prev === prev;
      });
      if (kept !== undefined) return kept;
      if (what === 'object') return this.objectToVoid(turn);
      if (what === 'join') return this.event(turn, this.unsigned('join', await this.joining()));
      if (what === 'back') return this.event(turn, this.unsigned('back', { party: this.name }));
      return what === 'commit' ? this.commit(turn) : this.holder.write(turn, what);
    });
  }

  /** @returns {Promise<{checks?: string, recovery?: string}>} the body of a join */
  async joining() {
    const recovery = await this.recovery();
    return { ...(this.log.rules === null ? {} : { checks: 'rules' }), ...(recovery === null ? {} : { recovery }) };
  }

  /** Whether the server's judge called an opening of this seat missing. @param {Record} record @returns {boolean} */
  objects(record) {
    const place = this.game.place(this.name);
    return place !== undefined && place.accused !== null && !place.left && !place.away && record.denied === place.accused.roll.leaf;
  }

  /** @param {Turn} turn @returns {Promise<string>} the line that shows the opening */
  async objectToVoid(turn) {
    const accused = this.objects(turn.record) ? (this.game.place(this.name)?.accused ?? null) : null;
    if (accused === null) throw refuse('state.object', 'Nothing that you opened was called missing.');
    const { roll, index, chain } = accused;
    const link = await this.link(this.own(turn.record, chain.tip), index);
    const message = openingMessage(fromHex(this.log.id), fromHex(roll.leaf), this.name, index, fromHex(link));
    const opening = { author: this.name, index, link, sig: await this.signer.sign(message) };
    return this.event(turn, this.unsigned('object', { opening, request: roll.seq }));
  }

  /** @param {Turn} turn @param {Unsigned} event @returns {Promise<string>} */
  async event(turn, event) {
    checkTaken(turn.record, this.log, this.name);
    const form = canonical(event);
    if (form === null) throw refuse('body.malformed', 'The body has something in it that no event can have.');
    const sig = await this.signer.sign(concat(LABEL_EVENT, utf8(form)));
    const line = /** @type {string} */ (canonical({ ...event, sig }));
    const bytes = utf8(line);
    const { rules } = this.log;
    if (rules === null && this.game.place(this.name)?.checks && OF_RULES.has(event.type)) {
      throw refuse(
        'rules.away',
        'Your seat has said that it checks the rules before it signs, and they are not here at the moment. Nothing was signed.',
      );
    }
    try {
      this.log.wouldTake(bytes);
      await rules?.wouldTake(bytes);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      throw new Refused(failure.code, failure.words, { clause: failure.clause });
    }
    turn.record.signed[toHex(leafHash(bytes))] = event.seq;
    turn.record.lines.push(line);
    return line;
  }

  /** @param {Turn} turn @returns {Promise<string>} the line of a commit to a new chain */
  async commit(turn) {
    const place = this.game.place(this.name);
    const replaced = place?.lost ? null : (place?.chain ?? null);
    const body = /** @type {any} */ ({});
    if (replaced !== null) {
      const own = this.own(turn.record, replaced.tip);
      if (replaced.next < replaced.length && !own.moved && !own.replaced) {
        throw refuse('commit.early', 'Your seed chain has links for more rolls: a new one comes when there is none left.');
      }
      body.link = await this.link(own, replaced.next);
      own.replaced = true;
    }
    const chain = await newChain(fromHex(this.log.id), this.name, this.sealing, this.links);
    turn.record.chains.push(chain);
    return this.event(turn, this.unsigned('commit', { ...body, length: chain.length, tip: chain.tip }));
  }

  /** Shows a secret roll that this party holds. @param {number} request @returns {Promise<string>} the line */
  show(request) {
    return this.turn((turn) => this.holder.show(turn, request));
  }

  /** Whether the seat has to commit before it can roll. @param {Record} record @returns {boolean} */
  owesCommit(record) {
    const place = this.game.place(this.name);
    if (!place?.joined || place.left || place.away || !mayContribute(this.game.terms, place.party)) return false;
    if (place.chain === null || place.chain.next >= place.chain.length) return true;
    const own = record.chains.find((each) => each.tip === place.chain?.tip);
    return own !== undefined && (own.moved || own.replaced);
  }

  // --- rolls ---------------------------------------------------------------------------------------------------------

  /**
   * This party's opening for the roll that waits, as it travels; the same again when asked again.
   * @param {ReadonlyMap<string, Opening>} openings of the others, each checked @returns {Promise<string>} @throws {Refused}
   */
  open(openings) {
    return this.turn(async (turn) => {
      const roll = this.waiting();
      const { record } = turn;
      const keeper = this.game.terms.keeper.name;
      const share = roll.shares.find((each) => each.name === this.name);
      if (share === undefined) throw refuse('opening.set', 'You contribute nothing to this roll.');
      const last = this.log.size;
      if (!record.receipts.some((held) => held.size === last && held.leaf === roll.leaf)) {
        throw refuse('untaken', 'It is not known whether {keeper}, the keeper, has taken the request. You open when its checkpoint is here.', {
          keeper,
        });
      }
      if (roll.closer === this.name) {
        const missing = roll.shares.map((each) => each.name).filter((name) => name !== this.name && name !== keeper && !openings.has(name));
        if (missing.length > 0)
          throw refuse('waiting', 'Your part comes when {names} have given theirs; until then the dice wait.', { names: { names: missing } });
      }
      const own = this.own(record, share.chain.tip);
      this.checkOpen(record, own, share.index, roll.leaf);
      if (own.opened === share.index && own.opening !== '') return own.opening;
      const link = await this.link(own, share.index);
      const message = openingMessage(fromHex(this.log.id), fromHex(roll.leaf), this.name, share.index, fromHex(link));
      const opening = { author: this.name, index: share.index, link, sig: await this.signer.sign(message) };
      const sent = /** @type {string} */ (canonical({ format: 'rollproof/opening/v1', game: this.log.id, opening, request: roll.leaf }));
      Object.assign(own, { opened: share.index, request: roll.leaf, opening: sent });
      return sent;
    });
  }

  /** Whether link `index` may be opened for the request. @param {Record} record @param {OwnChain} own @param {number} index @param {string} request @throws {Refused} */
  checkOpen(record, own, index, request) {
    if (record.voided === request) throw refuse('declined', 'You have called this roll off, and open nothing for it.');
    this.checkUsable(own);
    const other = record.chains.find((each) => each.request === request && (each.tip !== own.tip || each.opened !== index));
    if (other !== undefined) {
      throw refuse(
        'seed',
        'You opened link {opened} for this request, so you never open link {index} for it: this log is not the one that you saw.',
        {
          opened: other.opened,
          index,
        },
      );
    }
    if (index < own.opened || (index === own.opened && request !== own.request)) {
      throw refuse('seed', 'You opened link {index} for another request, and never open it twice: somebody shows two histories of this game.', {
        index,
      });
    }
  }

  /** @param {OwnChain} own @throws {Refused} */
  checkUsable(own) {
    if (own.moved) {
      throw refuse(
        'state.not-committed',
        'Your seed chain came from another device, and is opened for no roll here: you commit to a new one between rolls.',
      );
    }
    if (own.replaced) {
      throw refuse('state.not-committed', 'A commit to a new seed chain gave away a link of this one, so this one is used up. Commit again.');
    }
  }

  /** Nobody asks for a roll that would wait for them. @param {Record} record @throws {Refused} */
  checkSeeds(record) {
    const { chain = null, lost = false } = this.game.place(this.name) ?? {};
    if (chain && !lost) this.checkUsable(this.own(record, chain.tip));
  }

  /** Calls the roll that waits off: as its closer, or as a judge. @param {string[]} missing @returns {Promise<string>} the line */
  void(missing) {
    return this.turn(async (turn) => {
      const roll = this.takenRoll(turn.record);
      const keeper = this.game.terms.keeper.name;
      if (roll.closer === this.name) this.checkUnopened(turn.record, roll.leaf);
      else if (missing.includes(keeper)) {
        throw refuse(
          'void.keeper',
          'A judge cannot name {keeper}, the keeper, as missing, because it opens last. If it does not open, the table goes on in another game.',
          { keeper },
        );
      }
      const [author] = acknowledgedBy(turn.record, roll.leaf).filter((name) => missing.includes(name));
      if (author !== undefined) {
        throw refuse('void.received', 'You gave a receipt for the opening of {author}: a void that names {author} as missing would contradict it.', {
          author,
        });
      }
      const mine = roll.taken?.holder === this.name ? { secret: toHex(await this.holder.secret(turn.record, roll.taken)) } : {};
      turn.record.voided = roll.leaf;
      const named = roll.shares.map((share) => share.name).filter((name) => missing.includes(name));
      return this.event(turn, this.unsigned('void', { ...mine, missing: named, roll_index: roll.index }));
    });
  }

  /** As the closer of the roll that waits: it opens no more for it. Then a judge can be told so. @returns {Promise<void>} */
  decline() {
    return this.turn(async (turn) => {
      const roll = this.takenRoll(turn.record);
      if (roll.closer !== this.name)
        throw refuse('void.closer', '{closer} opens last before the keeper: a judge asks {closer}.', { closer: roll.closer });
      this.checkUnopened(turn.record, roll.leaf);
      turn.record.voided = roll.leaf;
    });
  }

  /** The roll that waits, whose request the keeper has taken: no other can come in its place. @param {Record} record @throws {Refused} */
  takenRoll(record) {
    const roll = this.waiting();
    checkTaken(record, this.log);
    return roll;
  }

  /** @param {Record} record @param {string} request @throws {Refused} */
  checkUnopened(record, request) {
    if (!record.chains.some((chain) => chain.request === request)) return;
    throw refuse('opened', 'You have opened for this roll, and cannot call it off any more: the keeper may know the dice.');
  }

  /** A receipt for another's opening, which was checked, of the roll that waits. @param {Opening} opening @returns {Promise<string>} as it travels */
  acknowledge({ author, index, link }) {
    return this.turn(async (turn) => {
      const roll = this.takenRoll(turn.record);
      if (turn.record.voided === roll.leaf) throw refuse('declined', 'You have called this roll off, and give no receipt for it.');
      const authors = acknowledgedBy(turn.record, roll.leaf);
      if (this.mayVoid(roll) && !authors.includes(author)) turn.record.acknowledged = { request: roll.leaf, authors: [...authors, author] };
      const sig = await this.signer.sign(receivedMessage(fromHex(this.log.id), fromHex(roll.leaf), author, index, fromHex(link)));
      const receipt = { author, format: 'rollproof/received/v1', game: this.log.id, index, link, receiver: this.name, request: roll.leaf, sig };
      return /** @type {string} */ (canonical(receipt));
    });
  }

  /** @param {import('../../../verifier/web/game.js').Roll} roll that waits @returns {boolean} whether this party may call it off */
  mayVoid(roll) {
    return roll.closer === this.name || this.game.place(this.name)?.party.role === 'judge';
  }

  /** Keeps a receipt for an own opening, which was checked, until the roll is shown. @param {string} line as it travels @returns {Promise<void>} */
  keepReceived(line) {
    return this.memory.turn(async ({ record }) => {
      if (!record.received.includes(line)) record.received.push(line);
    });
  }

  /** An own line will not be taken where it was signed for. @param {string} line @returns {Promise<void>} */
  dropLine(line) {
    return this.memory.turn(async ({ record }) => {
      record.lines = record.lines.filter((each) => each !== line);
    });
  }

  /** Records why nothing more is signed in this game. @param {import('./errors.js').Message} why @returns {Promise<void>} */
  stop(why) {
    return this.memory.turn(async ({ record }) => {
      record.stopped ??= why;
    });
  }

  /** @param {string[]} ids of warnings that were read @returns {Promise<void>} */
  told(ids) {
    return this.memory.turn(async ({ record }) => {
      record.warnings = record.warnings.filter((each) => !ids.includes(each.id));
    });
  }

  /** The wish to read the game. @returns {Promise<string>} */
  access() {
    return newAccess(this.signer, this.log.id, timeOf(this.now()));
  }

  /** The roll that waits. @returns {import('../../../verifier/web/game.js').Roll} @throws {Refused} */
  waiting() {
    if (this.game.phase !== 'pending') throw refuse('state.not-pending', 'No roll waits for dice in this game.');
    return this.game.roll;
  }

  /** @param {Record} record @param {string} tip @returns {OwnChain} @throws {Refused} */
  own(record, tip) {
    const own = record.chains.find((each) => each.tip === tip);
    if (own) return own;
    throw refuse(
      'seed',
      'The secret of your seed chain is not in this browser. Open where the commitment was made, or commit to a new chain between rolls.',
    );
  }
}
