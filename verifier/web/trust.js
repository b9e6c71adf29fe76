/**
 * Step 25: the trust statement (specs/verification.md, "The trust statement").
 * @module
 */

import { correctedRulings, groupBy, madeWithout, struckRulings, voidedRolls, voiderOpened } from './notices.js';
import { mayRoll } from './terms.js';

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./game.js').Game} Game */

/** @param {Game} game @returns {{names: string[], rolls: number}[]} sets of contributors, and how many rolls each revealed */
function contributorSets(game) {
  const revealed = game.rolls.filter((roll) => roll.ended === 'reveal');
  if (revealed.length > 0) {
    return [
      ...groupBy(
        revealed.map((roll) => roll.shares.map((share) => share.name)),
        (names) => names.join(' '),
      ).values(),
    ].map((same) => ({ names: same[0], rolls: same.length }));
  }
  const rollers = game.terms.parties.filter((party) => mayRoll(game.terms, party) && !game.place(party.name)?.left);
  const sets = rollers.map((party) => game.contributorsOf(party.name).map((place) => place.party.name));
  return [...groupBy(sets, (names) => names.join(' ')).values()].map((same) => ({ names: same[0], rolls: 0 }));
}

/** Sentence 1. @param {Game} game @returns {Message[]} */
function whoseDice(game) {
  const sets = contributorSets(game);
  if (sets.length === 0) return [{ text: 'No dice were rolled, and no player is left to roll any.' }];
  return sets.flatMap(({ names, rolls }) => {
    const values = { names: { names }, rolls: { rolls } };
    /** @type {Message[]} */
    const said = [
      sets.length === 1
        ? { text: 'Nobody could choose or predict these dice unless ALL of {names} worked together.', values }
        : { text: 'Dice of {rolls}: nobody could choose or predict them unless ALL of {names} worked together.', values },
    ];
    const others = game.terms.parties
      .filter((party) => ['player', 'gm', 'witness'].includes(party.role) && !names.includes(party.name))
      .map((party) => party.name);
    if (others.length > 0) {
      said.push({
        text: '{others} had no part in these dice: {names} together could have chosen them.',
        values: { others: { names: others }, names: { names } },
      });
    }
    return said;
  });
}

/** Sentence 2. @param {Game} game @returns {Message[]} */
function calledOff(game) {
  const voided = voidedRolls(game);
  const keeper = game.terms.keeper.name;
  const judge = game.terms.keepersJudge;
  /** @type {Message[]} */
  const said =
    judge === null
      ? []
      : [{ text: '{keeper} runs the judge {judge} too, and could have a roll called off whose dice it knew.', values: { keeper, judge } }];
  if (voided.length === 0) return said;
  /** @type {Message[]} */
  const each = [...groupBy(voided, (roll) => /** @type {string} */ (roll.by))].map(
    /** @returns {Message} */ ([name, rolls]) => {
      if (name === judge) {
        return {
          text: '{count} by {name} ({keeper}, who runs {name}, could have known the dice first)',
          values: { count: rolls.length, name, keeper },
        };
      }
      const closers = [...new Set(rolls.filter((roll) => roll.missing.includes(roll.closer)).map((roll) => roll.closer))];
      if (game.place(name)?.party.role !== 'judge' || closers.length === 0) {
        // a judge that asked the closer names it
        return {
          text: '{count} by {name} ({keeper} and {name} together could have known the dice first)',
          values: { count: rolls.length, name, keeper },
        };
      }
      return {
        text: '{count} by {name} ({keeper} with {name}, or with {closers}, could have known the dice first)',
        values: { count: rolls.length, name, keeper, closers: { names: closers } },
      };
    },
  );
  said.push({ text: 'Called off before the dice were shown: {rolls}, {each}.', values: { rolls: { rolls: voided.length }, each: { list: each } } });
  for (const [name, rolls] of groupBy(voided.filter(voiderOpened), (roll) => /** @type {string} */ (roll.by))) {
    said.push({
      text: "{name} opened for {rolls} that {name} voided: both are signed with {name}'s key, and who closes a roll does not do both.",
      values: { name, rolls: { rolls: rolls.length } },
    });
  }
  for (const [name, shown] of groupBy(game.objections, (each) => each.author)) {
    said.push({
      text: '{name} shows openings that {judge} called missing ({count}×, first in event {seq}).',
      values: { name, judge: judge ?? '', count: shown.length, seq: shown[0].seq },
    });
  }
  return said;
}

/** Sentence 3. @param {Game} game @returns {Message[]} */
function whoCameAndWent(game) {
  /** @type {Message[]} */
  const said = [];
  for (const {
    party: { name: party },
    late,
  } of game.places.values()) {
    if (late === null) continue;
    const lone = late.byHost
      ? "{party} came later, by the host's word (event {seq})."
      : "{keeper} let {party} in later, alone (event {seq}): {party} may be {keeper}'s own hand.";
    said.push({
      text: late.appointedBy === null ? lone : '{party} came later, appointed by {organizer}, an organizer of the event (event {seq}).',
      values: { keeper: game.terms.keeper.name, organizer: late.appointedBy ?? '', party, seq: late.admit },
    });
  }
  for (const { seq, party, by } of game.replacements) {
    said.push({
      text:
        by.length > 0
          ? '{party} goes on under a new key, by the word of {names} (event {seq}): {party} may be somebody else now.'
          : "{party} goes on under a new key, by {party}'s recovery key (event {seq}).",
      values: { party, seq, names: { names: by } },
    });
  }
  for (const { author, party, seq } of game.removals) {
    said.push({ text: '{author} took {party} out of the game (event {seq}).', values: { author, party, seq } });
  }
  for (const [party, aways] of groupBy(game.aways, (away) => away.party)) {
    said.push({
      text: '{author} signed {party} away ({count}×, first in event {seq}).',
      values: { author: aways[aways.length - 1].author, party, count: aways.length, seq: aways[0].seq },
    });
  }
  for (const { party, rolls, accepted } of madeWithout(game)) {
    said.push({
      text: 'Made without {party}, whom somebody else had signed away: {rolls}; {party} has accepted {accepted}.',
      values: { party, rolls: { rolls }, accepted },
    });
  }
  return said;
}

/** Sentence 4. @param {Game} game @returns {Message[]} */
function changedAndSecretDice(game) {
  /** @type {Message[]} */
  const said = [];
  for (const [judge, rulings] of groupBy(correctedRulings(game), (ruling) => ruling.author)) {
    said.push({ text: 'The judge {judge} set results of dice ({count}×).', values: { judge, count: rulings.length } });
  }
  for (const [judge, rulings] of groupBy(struckRulings(game), (ruling) => ruling.author)) {
    said.push({ text: 'The judge {judge} ruled rolls void ({count}×).', values: { judge, count: rulings.length } });
  }
  for (const taken of groupBy(game.takenBack, ({ by }) => by.join(' ')).values()) {
    said.push({
      text: '{names} together took back {rolls} after their dice were shown (first in event {seq}).',
      values: { names: { names: taken[0].by }, rolls: { rolls: taken.length }, seq: taken[0].seq },
    });
  }
  const secret = game.rolls.filter((roll) => roll.taken !== null && roll.ended === 'reveal');
  const holderOf = (/** @type {import('./game.js').Roll} */ roll) => /** @type {import('./secret.js').Taken} */ (roll.taken).holder;
  for (const rolls of groupBy(secret, (roll) => `${holderOf(roll)} ${roll.author}`).values()) {
    const [{ author }, holder] = [rolls[0], holderOf(rolls[0])];
    const text =
      author === holder
        ? '{holder} rolled {rolls} in secret and showed {shown}: {holder} alone chose which.'
        : '{author} asked for {rolls} blind, which {holder} alone saw; {holder} showed {shown} and alone chose which.';
    said.push({ text, values: { author, holder, rolls: { rolls: rolls.length }, shown: rolls.filter((roll) => game.secrets.has(roll.seq)).length } });
  }
  return said;
}

/** Sentence 5. @param {Game} game @returns {Message[]} */
function leftWaiting(game) {
  const left = game.rolls.find((roll) => roll.ended === 'close');
  if (left === undefined) return [];
  return [
    {
      text: '{keeper}, who could have known its dice, closed the game before the roll of {roller} had any.',
      values: { keeper: game.terms.keeper.name, roller: left.author },
    },
  ];
}

/** Sentence 6. @param {Game} game @returns {Message[]} */
function goesOnFrom({ terms: { continues } }) {
  if (continues === null) return [];
  return [{ text: 'This game goes on from game {game}: look at that log too.', values: { game: continues.game.slice(0, 12) } }];
}

/** The sentences, in their order. */
const SENTENCES = [whoseDice, calledOff, whoCameAndWent, changedAndSecretDice, leftWaiting, goesOnFrom];

/**
 * @param {Game} game after the valid prefix @param {number} size of it, 1 or more @param {boolean} whole no line failed
 * @returns {Message}
 */
export function trustOf(game, size, whole) {
  /** @type {Message} */
  const statement = { all: SENTENCES.flatMap((sentence) => sentence(game)) };
  if (whole) return statement;
  return { text: 'This log does not hold. Up to event {last}: {statement}', values: { last: size - 1, statement } };
}
