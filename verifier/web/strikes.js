/**
 * Taking a roll back: `strike`, step 15 of specs/verification.md.
 * @module
 */

import { Failure } from './findings.js';
import { isNewcomer } from './late.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Place} Place */

/** Types of events that play on no roll. */
const PLAY_NOTHING = ['join', 'commit', 'seal', 'object', 'strike'];

/**
 * Returns the parties that must agree to take the latest roll back, in party order; none without such a roll. @param
 * {Game} game @returns {Place[]}
 */
export function whoAgrees(game) {
  const { latest } = game;
  if (latest === null) return [];
  return [...game.places.values()].filter(
    (place) =>
      ['player', 'gm', 'judge'].includes(place.party.role) &&
      place.party.name !== game.terms.keepersJudge &&
      place.joined &&
      !place.left &&
      !place.away &&
      (!isNewcomer(place) || place.party.name === latest.roll.author),
  );
}

/**
 * Returns the roll that can be taken back now; null if there is none, or too few are here. @param {Game} game @returns
 * {{roll: number, by: string[], missing: string[]} | null}
 */
export function canBeTakenBack(game) {
  const agree = whoAgrees(game);
  if (game.latest === null || agree.length < 2) return null;
  const { roll, by } = game.latest;
  const names = agree.map(({ party }) => party.name);
  return { roll: roll.seq, by: names.filter((name) => by.includes(name)), missing: names.filter((name) => !by.includes(name)) };
}

/** Updates the roll that can be taken back after an event. @param {Game} game @param {Event} event */
export function playOn(game, event) {
  const { roll } = game;
  if (event.type === 'reveal') {
    const can = game.terms.strikes && roll.type === 'roll' && roll.taken === null;
    game.latest = can ? { roll, by: [] } : null;
  } else if (!PLAY_NOTHING.includes(event.type)) game.latest = null;
}

/** @param {Game} game @param {Place} author @param {Event} event @throws {Failure} */
export function strike(game, author, event) {
  const { latest } = game;
  const { roll } = event.body;
  const agree = whoAgrees(game);
  /** @param {string} text */
  const refuse = (text) => new Failure(15, 'state.strike', text, { author: event.author, roll });
  if (latest === null || latest.roll.seq !== roll) {
    throw refuse(
      'Roll {roll} cannot be taken back: only the latest roll can, once, before anything is played on it and where nothing of it was rolled again; a judge can still rule it void.',
    );
  }
  if (!agree.includes(author)) throw refuse('{author} came later, and has no say in this before the others have consented.');
  if (agree.length < 2) throw refuse('{author} is alone here, and nobody takes a roll back alone: a judge can rule it void.');
  if (latest.by.includes(event.author)) throw refuse('{author} has agreed already to take roll {roll} back.');
  game.latest = { roll: latest.roll, by: [...latest.by, event.author] };
  if (canBeTakenBack(game)?.missing.length !== 0) return;
  game.takenBack.push({ seq: event.seq, roll: latest.roll, by: agree.map(({ party }) => party.name) });
  game.latest = null;
  game.rulesMoved();
}
