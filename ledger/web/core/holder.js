/**
 * A seat as the holder of secret rolls (specs/seats.md, "Secrets of secret rolls"; specs/page.md, "Secret rolls").
 *
 * The key of a seal's secrets is sealed like that of a seed chain, and so is what a roll is for. Dice are worked out here, from
 * the log and the secret, and nothing of them is sent before the owner shows them.
 * @module
 */

import { concat, fromHex, fromUtf8, lp, toHex, u64, utf8 } from '../../../verifier/web/bytes.js';
import { LABEL_HIDDEN, LABEL_SEAL, MAX_TAGS } from '../../../verifier/web/constants.js';
import { drawDice } from '../../../verifier/web/dice.js';
import { canonical } from '../../../verifier/web/json.js';
import { isText } from '../../../verifier/web/schema.js';
import { secretSeed, unknownOf } from '../../../verifier/web/secret.js';
import { forget, hmac, sha256 } from '../../../verifier/web/sha256.js';
import { seal, unseal } from './chains.js';
import { Refused, say } from './errors.js';
import { random } from './signer.js';

/** @typedef {import('../../../verifier/web/game.js').Roll} Roll */
/** @typedef {import('./memory.js').OwnSeal} OwnSeal */
/** @typedef {import('./memory.js').Record} Record */
/** @typedef {import('./memory.js').SeatTurn} Turn */
/** @typedef {import('./seat.js').Seat} Seat */
/** @typedef {{number: number, tag: string}} Tag */
/** @typedef {{salt: string, text: string}} Purpose what a roll is for, hidden */
/** @typedef {{request: number, naturals: number[], sides: number[], text: string | null}} Outcome of a secret roll, for its holder's eyes alone; `text`: what it hid */

const LABEL_SECRET = utf8('rollproof/v1/secret\n');
/** The most unsigned typed purposes that are kept: the latest. */
const DRAFTS = 8;

/** @param {Uint8Array} game @param {string} tag of its first secret @returns {Uint8Array} */
const boundSeal = (game, tag) => concat(utf8('rollproof/v1/page seal\n'), game, fromHex(tag));

/** @param {Uint8Array} game @param {string} hidden what stands for it @returns {Uint8Array} */
const boundPurpose = (game, hidden) => concat(utf8('rollproof/v1/page purpose\n'), game, fromHex(hidden));

/** @param {Uint8Array} game @param {string} name @param {Uint8Array} key @param {number} number @returns {Uint8Array} */
function secretFrom(game, name, key, number) {
  const secret = hmac(key, concat(LABEL_SECRET, game, lp(name), u64(number)));
  forget();
  return secret;
}

/** @param {Uint8Array} game @param {string} name @param {number} number @param {Uint8Array} secret @returns {string} hex */
function tagOf(game, name, number, secret) {
  const tag = toHex(sha256(concat(LABEL_SEAL, game, lp(name), u64(number), secret)));
  forget();
  return tag;
}

/** @param {Uint8Array} game @param {string} name @param {Uint8Array} key @param {number} first @param {number} count @returns {string[]} */
const tagsOf = (game, name, key, first, count) =>
  Array.from({ length: count }, (_, i) => tagOf(game, name, first + i, secretFrom(game, name, key, first + i)));

/** @param {Uint8Array} game @param {string} name @param {Purpose} purpose @returns {string} what stands for it in a request, hex */
export const hiddenOf = (game, name, { salt, text }) => toHex(sha256(concat(LABEL_HIDDEN, game, lp(name), fromHex(salt), utf8(text))));

/**
 * Makes a seal for the memory. @param {Uint8Array} game @param {string} name @param {CryptoKey} sealing @param
 * {Uint8Array} key of its secrets, which is cleared
 * @param {number} first @param {number} count @returns {Promise<{own: OwnSeal, tags: string[]}>}
 */
export async function ownSeal(game, name, sealing, key, first, count) {
  const tags = tagsOf(game, name, key, first, count);
  const own = { first, count, tag: tags[0], sealed: await seal(sealing, key, boundSeal(game, tags[0])) };
  key.fill(0);
  return { own, tags };
}

/** @param {Uint8Array} game @param {CryptoKey} sealing @param {OwnSeal} own @returns {Promise<Uint8Array>} the key of its secrets @throws {Refused} */
export async function keyOfSeal(game, sealing, own) {
  try {
    return await unseal(sealing, own.sealed, boundSeal(game, own.tag));
  } catch {
    throw new Refused('seal.secret', say('The secrets of your secret rolls cannot be opened in this browser.'));
  }
}

/** @param {Uint8Array} game @param {CryptoKey} sealing @param {string} hidden @param {Purpose} purpose @returns {Promise<string>} sealed */
export const sealPurpose = (game, sealing, hidden, purpose) => seal(sealing, utf8(JSON.stringify(purpose)), boundPurpose(game, hidden));

/** @param {Uint8Array} game @param {CryptoKey} sealing @param {string} hidden @param {string} sealed @returns {Promise<Purpose>} @throws {Refused} */
export async function purposeOf(game, sealing, hidden, sealed) {
  try {
    return JSON.parse(fromUtf8(await unseal(sealing, sealed, boundPurpose(game, hidden))) ?? '');
  } catch {
    throw new Refused('seal.secret', say('What your secret roll was for cannot be opened in this browser.'));
  }
}

export class Holder {
  /** @param {Seat} seat */
  constructor(seat) {
    this.seat = seat;
    /** @type {Map<string, Purpose>} by what stands for it */
    this.drafts = new Map();
    /** @type {Map<number, Outcome>} that were worked out, by request */
    this.known = new Map();
  }

  /** The game's id. @returns {Uint8Array} */
  get id() {
    return fromHex(this.seat.log.id);
  }

  /** Whether this party may hold secret rolls. @returns {boolean} */
  get may() {
    const { game, name } = this.seat;
    const place = game.place(name);
    return place !== undefined && game.terms.holders.includes(place.party.role);
  }

  /**
   * The event that this party's program writes by itself, between rolls. @param {Record} record @returns {'show' |
   * 'seal' | null}
   */
  due(record) {
    const { game, name } = this.seat;
    const place = game.place(name);
    if (!this.may || !place?.joined || place.left || place.away) return null;
    if (place.seals === null || place.unsealed) return 'seal';
    const owed = this.owed();
    if (owed !== null && isHere(record, owed.number)) return 'show';
    return place.seals.unused.length < MAX_TAGS / 2 && isHere(record, place.seals.tags.length) ? 'seal' : null;
  }

  /** The tag whose secret is owed, because somebody else called the roll off. @returns {(Tag & {request: number}) | null} */
  owed() {
    const roll = unknownOf(this.seat.game, this.seat.name).find((each) => each.ended === 'void');
    return roll === undefined ? null : { ...tagTaken(roll), request: roll.seq };
  }

  /**
   * Writes the due event, in a turn. @param {Turn} turn @param {'show' | 'seal'} what @returns {Promise<string>} the
   * line
   */
  async write(turn, what) {
    return what === 'seal' ? this.seal(turn) : this.show(turn, this.owed()?.request ?? -1);
  }

  /** @param {Turn} turn @returns {Promise<string>} */
  async seal(turn) {
    const { seat } = this;
    const { seals, unsealed = false } = seat.game.place(seat.name) ?? {};
    const before = seals?.tags ?? [];
    const last =
      before.length === 0 || unsealed
        ? {}
        : { secret: toHex(await this.secret(turn.record, { number: before.length, tag: before[before.length - 1] })) };
    const { own, tags } = await ownSeal(this.id, seat.name, seat.sealing, random(32), before.length + 1, MAX_TAGS);
    turn.record.seals.push(own);
    return seat.event(turn, seat.unsigned('seal', { ...last, tags }));
  }

  /**
   * The secret of an own tag. Several seals can begin at one number: another event came before the first of them.
   * @param {Record} record @param {Tag} tag @returns {Promise<Uint8Array>} @throws {Refused}
   */
  async secret(record, { number, tag }) {
    const { seat } = this;
    for (const own of record.seals.filter((each) => covers(each, number))) {
      const key = await keyOfSeal(this.id, seat.sealing, own);
      const secret = secretFrom(this.id, seat.name, key, number);
      key.fill(0);
      if (tagOf(this.id, seat.name, number, secret) === tag) return secret;
    }
    throw new Refused(
      'seal.secret',
      say('The secret with number {number} is not in this browser, so you cannot show the roll that used it.', { number }),
    );
  }

  /** A request that hides what it is for: this is remembered in the same turn. @param {Turn} turn @param {any} body @throws {Refused} */
  async keepPurpose(turn, body) {
    const { hidden } = body;
    if (hidden === undefined || Object.hasOwn(turn.record.hidden, hidden)) return;
    const purpose = this.drafts.get(hidden);
    if (purpose === undefined) throw new Refused('hidden', say('What this roll is for is not known in this browser, so it could never be shown.'));
    turn.record.hidden[hidden] = await sealPurpose(this.id, this.seat.sealing, hidden, purpose);
  }

  /**
   * Returns the `hidden` value of a purpose, which is stored when the request is signed. @param {string} text @returns
   * {string} hex @throws {Refused}
   */
  hide(text) {
    if (!isText(text) || text === '') throw new Refused('hidden', say('This is no text that a log can have.'));
    for (const [hidden, draft] of this.drafts) if (draft.text === text) return hidden;
    const purpose = { salt: toHex(random(32)), text };
    const hidden = hiddenOf(this.id, this.seat.name, purpose);
    this.drafts.set(hidden, purpose);
    if (this.drafts.size > DRAFTS) this.drafts.delete([...this.drafts.keys()][0]);
    return hidden;
  }

  /** @param {Record} record @param {Roll} roll @returns {Promise<Purpose | null>} */
  async purpose(record, { body: { hidden } }) {
    if (hidden === undefined) return null;
    const sealed = record.hidden[hidden];
    if (sealed === undefined) throw new Refused('hidden', say('What this roll is for is not known in this browser, so it cannot be shown.'));
    return purposeOf(this.id, this.seat.sealing, hidden, sealed);
  }

  /** @param {Roll} roll @param {Uint8Array} secret @returns {number[] | null} its dice; null where a link is not known */
  naturals(roll, secret) {
    const seed = secretSeed(this.seat.game, roll, toHex(secret));
    return seed === null ? null : drawDice(seed, roll.body.sides).dice.map((die) => die.natural);
  }

  /** @param {number} request @returns {Roll} that this party holds and has not shown @throws {Refused} */
  held(request) {
    const roll = unknownOf(this.seat.game, this.seat.name).find((each) => each.seq === request);
    if (roll === undefined)
      throw new Refused('state.show', say('Event {request} is not a secret roll that you hold and have not shown.', { request }));
    return roll;
  }

  /**
   * Signs a `show`, in a turn. @param {Turn} turn @param {number} request @returns {Promise<string>} @throws {Refused}
   */
  async show(turn, request) {
    const roll = this.held(request);
    const secret = await this.secret(turn.record, tagTaken(roll));
    const naturals = roll.ended === 'reveal' ? this.naturals(roll, secret) : null;
    const body = { request, secret: toHex(secret), ...(naturals === null ? {} : { naturals }), ...((await this.purpose(turn.record, roll)) ?? {}) };
    return this.seat.event(turn, this.seat.unsigned('show', body));
  }

  /**
   * The same as a file beside the log: it needs no keeper, and works after the close too.
   * @param {number} request @returns {Promise<string>} one line @throws {Refused}
   */
  async file(request) {
    const { seat } = this;
    const record = await seat.memory.look();
    const roll = this.held(request);
    const secret = toHex(await this.secret(record, tagTaken(roll)));
    const more = (await this.purpose(record, roll)) ?? {};
    return /** @type {string} */ (canonical({ format: 'rollproof/show/v1', game: seat.log.id, request: roll.leaf, secret, ...more }));
  }

  /**
   * The outcomes of the rolls that this party holds and has not shown. @returns {Promise<Outcome[]>} those whose
   * secrets are here
   */
  async outcomes() {
    const { seat } = this;
    if (!this.may) return [];
    const held = unknownOf(seat.game, seat.name).filter((roll) => roll.ended === 'reveal');
    const record = held.some((roll) => !this.known.has(roll.seq)) ? await seat.memory.look() : null;
    for (const roll of record === null ? [] : held) {
      if (this.known.has(roll.seq)) continue;
      try {
        const naturals = this.naturals(roll, await this.secret(/** @type {Record} */ (record), tagTaken(roll)));
        const purpose = await this.purpose(/** @type {Record} */ (record), roll);
        if (naturals !== null) this.known.set(roll.seq, { request: roll.seq, naturals, sides: roll.body.sides, text: purpose?.text ?? null });
      } catch (error) {
        if (!(error instanceof Refused)) throw error; // a memory that has not its secret: the roll stays unshown
      }
    }
    return held.flatMap((roll) => this.known.get(roll.seq) ?? []);
  }
}

/** @param {OwnSeal} own @param {number} number @returns {boolean} */
const covers = ({ first, count }, number) => first <= number && number < first + count;

/** @param {Record} record @param {number} number @returns {boolean} whether the secret with this number may be here */
const isHere = (record, number) => record.seals.some((own) => covers(own, number));

/** @param {Roll} roll a secret one @returns {Tag} that it took */
const tagTaken = ({ taken }) => /** @type {Tag} */ (taken);
