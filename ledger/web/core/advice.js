/**
 * The rules' view of the log: from the rules of this browser if it has them, else from the server (specs/network.md,
 * "Advice"). Nothing of it is signed; dice that a server tells are compared with those that were checked.
 * @module
 */

import { canonical } from '../../../verifier/web/json.js';
import { shownNaturals } from '../../../verifier/web/secret.js';
import { Away, Refused } from './errors.js';

/** @typedef {import('./play.js').Play} Play */
/** @typedef {any} Advised what a server tells of a game: it can be anything */
/** @typedef {{size: number, state: Advised, actions: Advised[], whole: boolean, own: boolean}} Told `whole`: the actions are about the same lines; `own`: by the rules in this browser */
/** @typedef {{roll: number, told: number[], checked: number[]}} Difference */

/** The number of rolls to ask for. */
const ROLLS = 50;
/** Milliseconds after which a server that has no advice is asked again. */
const NONE_FOR = 60_000;
/** Milliseconds after which a server whose answer was about other lines is asked again, if none comes. */
const ASK_AGAIN = 200;
/** Milliseconds within which the lines that an answer is about may still come. */
const COMING = 5_000;
/** Milliseconds without a line after which a server is asked about a game that begins. */
const STILL = 1_000;

export class Advice {
  /** @param {Play} play @param {() => void} changed */
  constructor(play, changed) {
    this.play = play;
    this.changed = changed;
    /** @type {Told | null} */
    this.told = null;
    this.asking = false;
    this.byRules = false;
    this.askedSize = -1;
    this.none = 0;
    /** @type {Told | null} */
    this.compared = null;
    this.comparedSize = -1;
    /** @type {Difference[]} */
    this.differences = [];
  }

  /** Asks again if the log has grown. */
  refresh() {
    const { play } = this;
    const { ready } = play.rules;
    if (ready !== this.byRules) {
      // now it is another who says so
      this.byRules = ready;
      this.askedSize = -1;
    }
    if (this.asking || play.life.ended || this.askedSize === play.log.size) return;
    // While a roll waits nothing can be done, and what comes of it is not known: worker and network are free for it.
    if (play.game.phase === 'pending' && this.told !== null && this.told.own === ready) return;
    if (!ready && (!play.uplink.isLive || Date.now() < this.none)) return;
    this.asking = true;
    void this.asked().finally(() => {
      this.asking = false;
      if (this.askedSize !== play.log.size || this.byRules !== play.rules.ready) this.refresh();
    });
  }

  /** Asks, and again a moment later where no answer came: nothing else may change meanwhile. */
  async asked() {
    const { play } = this;
    await this.settled();
    const found = await this.ask();
    if (found !== null || this.askedSize !== play.log.size || play.life.ended || Date.now() < this.none) return;
    await play.life.change(COMING);
    this.askedSize = -1;
  }

  /**
   * Waits, where a server is asked, while those who make the dice come into the game one after the other: nothing can be
   * rolled meanwhile, and in a hall all tables of a round begin at once. Who stays away is not waited for.
   */
  async settled() {
    const { play } = this;
    let [size, end] = [play.log.size, Date.now() + STILL];
    while (!play.life.ended && !play.rules.ready && isBeginning(play.game) && Date.now() < end) {
      await play.life.change(end - Date.now());
      if (play.log.size !== size) [size, end] = [play.log.size, Date.now() + STILL];
    }
  }

  /** Asks anew, for another language. */
  again() {
    this.askedSize = -1;
    this.refresh();
  }

  /** @returns {Promise<Told | null>} of now; null where there is none */
  async ask() {
    const { play } = this;
    this.askedSize = play.log.size;
    const path = `/v1/games/${play.id}`;
    const party = play.own.isParty ? play.own.name : null;
    try {
      if (play.rules.ready) {
        this.told = { ...(await play.rules.advise(party, ROLLS)), whole: true, own: true };
        this.changed();
        return this.told;
      }
      const [state, actions] = await Promise.all([
        play.connection.advice('GET', `${path}/state?rolls=${ROLLS}`),
        party === null ? { actions: [] } : play.connection.advice('GET', `${path}/actions?party=${party}`),
      ]);
      if (play.rules.ready) return await this.ask(); // they came meanwhile
      const size = Number(state.size);
      // Of lines that are not here nobody can say whether it is true. Where others write they are on their way.
      for (const end = Date.now() + COMING; size > play.log.size && Date.now() < end; ) await play.life.change(ASK_AGAIN);
      if (!(size <= play.log.size)) {
        this.askedSize = -1;
        return null;
      }
      const whole = party === null || actions.size === size;
      const asked = { rolls: ROLLS, ...(party === null ? {} : { party }) };
      play.rules.hear('state', size, asked, state);
      if (party !== null && whole) play.rules.hear('offers', size, asked, actions.actions);
      this.told = { size, state, actions: Array.isArray(actions.actions) && whole ? actions.actions : [], whole, own: false };
      if (!whole) this.askedSize = -1; // the log went on between the two
      this.changed();
      return this.told;
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
      if (error instanceof Refused && error.code === 'rules.unfinished') return this.ask(); // by the server, until they are back
      if (error instanceof Refused && error.status === 404) this.none = Date.now() + NONE_FOR;
      return null;
    }
  }

  /**
   * Whether an event is still offered as it was: its type, what the action fills in, and in what it leaves open.
   * @param {string} type @param {any} body @returns {Promise<boolean>}
   */
  async offers(type, body) {
    const { play } = this;
    const end = Date.now() + play.connection.times.patience;
    let told = await this.ask();
    while (!(told?.whole && told.size === play.log.size) && Date.now() >= this.none && Date.now() < end && !play.life.ended) {
      // the log goes on meanwhile, or an answer was lost
      await play.life.change(ASK_AGAIN);
      told = await this.ask();
    }
    return told !== null && told.size === play.log.size && told.actions.some((action) => action?.type === type && fits(action, body));
  }

  /** @returns {Difference[]} dice that are told otherwise than they were checked */
  differs() {
    const { size } = this.play.log;
    if (this.compared !== this.told || this.comparedSize !== size) {
      this.compared = this.told;
      this.comparedSize = size;
      this.differences = this.compare();
    }
    return this.differences;
  }

  /** @returns {Difference[]} in rolls that are revealed here, and were in the lines that the answer is about */
  compare() {
    const { told } = this;
    const rolls = told?.state?.rolls;
    if (told === null || !Array.isArray(rolls) || this.play.log.size === 0) return [];
    return rolls.flatMap((roll) => {
      const checked = this.play.game.rollAt.get(roll?.roll);
      if (checked?.ended !== 'reveal' || (checked.end ?? Infinity) >= told.size || !Array.isArray(roll.dice)) return [];
      const naturals = roll.dice.flatMap((/** @type {any} */ die) => (Array.isArray(die?.naturals) ? die.naturals : []));
      const known = checked.taken === null ? checked.naturals : naturals.length === 0 ? [] : (shownNaturals(this.play.game, checked) ?? []);
      const same = has(naturals, known) && (checked.taken === null || naturals.length === known.length);
      return same ? [] : [{ roll: roll.roll, told: naturals, checked: known }];
    });
  }
}

/** Whether somebody whose dice everybody's rolls need has not committed to any. @param {import('../../../verifier/web/game.js').Game} game @returns {boolean} */
function isBeginning(game) {
  return game.rolls.length === 0 && game.contributorsOf(game.terms.keeper.name).some(({ chain }) => chain === null);
}

/** Whether all these naturals are told: a roll is told with those of its rerolls, which are other requests. @param {number[]} told @param {number[]} naturals @returns {boolean} */
function has(told, naturals) {
  /** @type {Map<number, number>} */
  const left = new Map();
  for (const natural of told) left.set(natural, (left.get(natural) ?? 0) + 1);
  return naturals.every((natural) => {
    const count = left.get(natural) ?? 0;
    left.set(natural, count - 1);
    return count > 0;
  });
}

/** @param {any} action @param {any} body @returns {boolean} */
function fits(action, body) {
  const filled = action.body ?? {};
  const fields = new Map((action.fields ?? []).map((/** @type {any} */ field) => [field.name, field]));
  if (Object.keys(filled).some((name) => canonical(body[name] ?? '') !== canonical(filled[name]))) return false;
  return Object.keys(body).every((name) => Object.hasOwn(filled, name) || (fields.has(name) && allowed(fields.get(name), body[name])));
}

/** @param {any} field @param {any} value @returns {boolean} as far as the page can tell */
function allowed(field, value) {
  if (field.kind === 'one-of') return field.options.some((/** @type {any} */ option) => canonical(option.value) === canonical(value));
  if (field.kind === 'range') return Number.isSafeInteger(value) && value >= field.least && value <= field.most;
  return true;
}
