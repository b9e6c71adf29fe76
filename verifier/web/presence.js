/**
 * Presence: `leave`, `away` and `back`, steps 15 and 16 of specs/verification.md.
 * @module
 */

import { Failure } from './findings.js';
import { isNewcomer } from './late.js';
import { lead } from './rolls.js';
import { mayContribute } from './terms.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Place} Place */

/**
 * Step 16 for `burned`.
 * @param {Game} game @param {Place} author @param {Event} event @throws {Failure}
 */
function burned(game, author, event) {
  const { burned, party } = event.body;
  if (burned === undefined) return;
  const { chain } = author;
  if (party !== event.author || chain === null || chain.known.index >= chain.next - 1) {
    throw new Failure(16, 'burned.link', '{author} has no burned link that is still unknown, so there is none to give here.', {
      author: event.author,
    });
  }
  lead(game, 16, 'burned.link', event.author, chain, chain.next - 1, burned, event.seq);
}

/** @param {Game} game @param {Place} author @param {Event} event @throws {Failure} */
export function leave(game, author, event) {
  const { party } = event.body;
  const place = game.place(party);
  /** @param {string} text */
  const refuse = (text) => new Failure(15, 'state.leave', text, { party });
  if (!place) throw refuse('{party} is no party of this game.');
  if (place.party === game.terms.keeper) throw refuse('{party} keeps the log and cannot leave; close the game instead.');
  if (place.left) throw refuse('{party} has left already.');
  if (place !== author && author.party.role !== 'judge') throw refuse('Only {party} or a judge can take {party} out of the game.');
  burned(game, author, event);
  place.left = true;
  place.asked = null;
  Object.assign(place, { away: false, signedAway: null });
  const owed = game.owed.get(party);
  if (owed !== undefined) game.leftOwing.push({ seq: event.seq, party, roll: owed.roll });
  game.owed.delete(party);
  forgetAllCalls(game);
  if (place !== author) game.removals.push({ seq: event.seq, author: event.author, party });
  game.rulesMoved();
}

/** @param {Game} game */
function forgetAllCalls(game) {
  for (const place of game.places.values()) place.calledBy.clear();
}

/** @param {Game} game @param {Place} place @returns {boolean} whether it may contribute, has joined, is no newcomer, and is neither away nor gone: where others may sign somebody away, it has a say in that */
export function isPresentContributor(game, place) {
  return mayContribute(game.terms, place.party) && place.joined && !isNewcomer(place) && !place.away && !place.left;
}

/** @param {Game} game @param {Place} author @param {Event} event @throws {Failure} */
export function goAway(game, author, event) {
  const { party } = event.body;
  const place = game.place(party);
  /** @param {string} text */
  const refuse = (text) => new Failure(15, 'state.presence', text, { party, author: event.author });
  if (!place) throw refuse('{party} is no party of this game.');
  if (!['player', 'gm', 'witness'].includes(place.party.role)) throw refuse('{party} is not a contributor who could be away.');
  if (!place.joined || place.left || place.away) throw refuse('{party} is not at the table.');
  const call = place !== author && author.party.role !== 'judge';
  if (call && !(game.terms.awayByOthers && isPresentContributor(game, author))) {
    throw refuse('Only {party} or a judge can sign {party} away.');
  }
  if (call && place.calledBy.has(event.author)) throw refuse('{author} has called {party} away already.');
  burned(game, author, event);
  if (call) {
    place.calledBy.add(event.author);
    const others = [...game.places.values()].filter((each) => each !== place && isPresentContributor(game, each));
    if (others.length < 2 || others.some((each) => !place.calledBy.has(each.party.name))) return;
  }
  Object.assign(place, { away: true, signedAway: place === author ? null : event.author });
  forgetAllCalls(game);
  if (place !== author) game.aways.push({ seq: event.seq, author: event.author, party });
  game.rulesMoved();
}

/** @param {Game} game @param {Place} author @param {Event} event @throws {Failure} */
export function comeBack(game, author, event) {
  const { party, accept } = event.body;
  const place = game.place(party);
  /** @param {string} text */
  const refuse = (text) => new Failure(15, 'state.presence', text, { party });
  if (!place?.away) throw refuse('{party} is not away.');
  if (accept !== undefined && place !== author) throw refuse('Only {party} can accept the rolls that were made without {party}.');
  if (accept !== undefined && place.worded) throw refuse('{party} goes on because others said so, and accepts no rolls.');
  if (place !== author && author.party.role !== 'judge') throw refuse('Only {party} or a judge can say that {party} is back.');
  Object.assign(place, { away: false, signedAway: null, asked: null });
  if (accept !== undefined) place.accepted = event.seq;
  game.rulesMoved();
}
