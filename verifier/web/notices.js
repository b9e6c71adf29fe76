/**
 * Step 24 of specs/verification.md: the notices about a valid prefix.
 * @module
 */

import { notice } from './findings.js';

/** The most dice of a roll that a notice shows. */
const MAX_SHOWN_DICE = 20;

/** @typedef {import('./findings.js').Finding} Finding */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Roll} Roll */

/** @param {Roll} roll @returns {string[]} contributors whose link of it is not known, in party order */
export const hiddenBy = (roll) => roll.shares.filter((share) => share.chain.known.index < share.index).map((share) => share.name);

/**
 * @template T
 * @param {Iterable<T>} items @param {(item: T) => string} key
 * @returns {Map<string, T[]>} in the order of the first of each
 */
export function groupBy(items, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** @param {Game} game @returns {Roll[]} voided rolls */
export const voidedRolls = (game) => game.rolls.filter((roll) => roll.ended === 'void');

/** @param {Roll} roll @returns {boolean} whether who voided it had opened for it, as the disclose shows */
export const voiderOpened = (roll) => roll.ended === 'void' && roll.by === roll.closer && roll.openings.some((opening) => opening.author === roll.by);

/** @param {Roll} roll @param {Game} game @returns {string[]} */
const owing = (roll, game) => roll.shares.map((share) => share.name).filter((name) => name !== game.terms.keeper.name);

/**
 * Returns notices about the end of the log. @param {Game} game @param {number} size @param {number} vouched lines that
 * receipts vouch for @returns {Finding[]}
 */
function ofTheEnd(game, size, vouched) {
  const keeper = game.terms.keeper.name;
  const found = [];
  if (game.phase !== 'closed') {
    found.push(notice(24, 'log.unfinished', null, null, 'The game is not closed: it may go on, or its end may be missing from this file.'));
  }
  if (game.phase === 'pending') {
    const { roll } = game;
    found.push(
      notice(
        24,
        'log.pending',
        roll.seq,
        null,
        'The roll that {roller} asked for in event {seq} has no dice here: it waits for the openings of {others}, and then for {keeper} to reveal it. {closer} may call it off before opening; a judge can void it.',
        { roller: roll.author, seq: roll.seq, others: { names: owing(roll, game) }, keeper, closer: roll.closer },
      ),
    );
  }
  if (game.phase === 'voided') {
    found.push(
      notice(
        24,
        'log.undisclosed',
        game.roll.end,
        null,
        'A roll was voided, and {keeper}, the keeper, has not yet disclosed what was opened for it.',
        { keeper },
      ),
    );
  }
  const taken = Math.max(game.lastOfKeeper + 1, vouched);
  if (taken < size) {
    found.push(
      notice(
        24,
        'log.unsealed',
        taken,
        null,
        '{keeper}, the keeper, has not signed over the events from event {seq} on; only their authors vouch for them.',
        { keeper, seq: taken },
      ),
    );
  }
  return found;
}

/** Returns notices about rolls that a closed game left without dice. @param {Game} game @returns {Finding[]} */
function ofRollsLeft(game) {
  const keeper = game.terms.keeper.name;
  const found = [];
  for (const roll of game.rolls) {
    if (roll.ended !== 'close') continue;
    found.push(
      notice(24, 'roll.left', roll.seq, null, '{by} closed the game while the roll that {roller} asked for waited: it was left without dice.', {
        by: keeper,
        roller: roll.author,
      }),
    );
  }
  return found;
}

/** Returns notices about rolls that were called off, by who did. @param {Game} game @returns {Finding[]} */
function ofVoids(game) {
  const keeper = game.terms.keeper.name;
  const found = [];
  const voided = voidedRolls(game);
  for (const [name, rolls] of groupBy(voided, (roll) => /** @type {string} */ (roll.by))) {
    const named = game.terms.parties.map((party) => party.name).filter((party) => rolls.some((roll) => roll.missing.includes(party)));
    /** @type {import('./findings.js').Finding} */
    const each = notice(24, 'roll.voids', rolls[0].end, null, '{name} voided {rolls}.', { name, rolls: { rolls: rolls.length } });
    if (named.length > 0) {
      each.message = { all: [each.message, { text: "Who had not opened, by {name}'s word: {names}.", values: { name, names: { names: named } } }] };
    }
    found.push(each);
  }
  for (const [name, rolls] of groupBy(voided.filter(voiderOpened), (roll) => /** @type {string} */ (roll.by))) {
    found.push(
      notice(
        24,
        'void.opened',
        rolls[0].end,
        name,
        "{name} opened for {rolls} that {name} voided: the keeper's disclose has the opening. Both are signed with {name}'s key, and who closes a roll does not do both: {keeper}, the keeper, and {name} together could have known the dice first. Ask {name} who has that key.",
        { name, rolls: { rolls: rolls.length }, keeper },
      ),
    );
  }
  return found;
}

/** Returns notices about openings that were shown after they had been called missing. @param {Game} game @returns {Finding[]} */
function ofObjections(game) {
  const keeper = game.terms.keeper.name;
  const judge = game.terms.keepersJudge ?? '';
  const found = [];
  for (const [name, shown] of groupBy(game.objections, (each) => each.author)) {
    found.push(
      notice(
        24,
        'void.objected',
        shown[0].seq,
        null,
        '{name} shows openings that {judge} called missing ({count}×). Either {keeper}, who runs {judge}, had them, and knew the dice when the roll was called off, or they were lost on their way. Ask both, and whoever has a receipt for one.',
        { name, judge, keeper, count: shown.length },
      ),
    );
  }
  return found;
}

/** Returns notices about rolls without dice whose links stayed hidden, by who hid one. @param {Game} game @returns {Finding[]} */
function ofHiddenLinks(game) {
  const found = [];
  const hidden = game.terms.parties.flatMap(({ name }) => {
    const rolls = game.rolls.filter((roll) => (roll.ended === 'close' || roll.disclosed !== null) && hiddenBy(roll).includes(name));
    return rolls.length ? [{ name, rolls }] : [];
  });
  hidden.sort((a, b) => a.rolls[0].seq - b.rolls[0].seq); // a stable sort: parties stay in order
  for (const { name, rolls } of hidden) {
    found.push(
      notice(24, 'roll.hidden', rolls[0].seq, null, '{rolls} without dice and without the link of {name}: what would have been shown is not known.', {
        name,
        rolls: { rolls: rolls.length },
      }),
    );
  }
  return found;
}

/** Returns notices about secret rolls. @param {Game} game @returns {Finding[]} */
function ofHolders(game) {
  const unknown = game.rolls.filter(
    (roll) => roll.taken !== null && (roll.ended === 'reveal' || roll.ended === 'void') && !game.secrets.has(roll.seq),
  );
  return [...groupBy(unknown, (roll) => /** @type {import('./secret.js').Taken} */ (roll.taken).holder)].map(([name, rolls]) =>
    notice(24, 'roll.unshown', rolls[0].seq, null, '{name} has not shown {rolls} that {name} holds in secret: only {name} knows the dice.', {
      name,
      rolls: { rolls: rolls.length },
    }),
  );
}

/** @param {number[]} naturals @returns {string} the first of them */
const cutNaturals = (naturals) => [...naturals.slice(0, MAX_SHOWN_DICE), ...(naturals.length > MAX_SHOWN_DICE ? ['…'] : [])].join(', ');

/** Returns notices about dice that a judge's word, or all who play, struck or changed. @param {Game} game @returns {Finding[]} */
function ofRulings(game) {
  const found = [];
  for (const [judge, rulings] of groupBy(struckRulings(game), (ruling) => ruling.author)) {
    found.push(notice(24, 'roll.struck', rulings[0].seq, null, 'The judge {judge} ruled rolls void ({count}×).', { judge, count: rulings.length }));
  }
  for (const { seq, roll, by } of game.takenBack) {
    found.push(
      notice(
        24,
        'roll.taken-back',
        seq,
        null,
        '{names} together took back the roll that {roller} had asked for in event {request}; its dice showed {naturals}.',
        { names: { names: by }, roller: roll.author, request: roll.seq, naturals: cutNaturals(roll.naturals) },
      ),
    );
  }
  for (const [judge, rulings] of groupBy(correctedRulings(game), (ruling) => ruling.author)) {
    found.push(
      notice(24, 'roll.corrected', rulings[0].seq, null, 'The judge {judge} set results of dice ({count}×).', {
        judge,
        count: rulings.length,
      }),
    );
  }
  return found;
}

/** Returns notices about parties that came after the start. @param {Game} game @returns {Finding[]} */
function ofLatecomers(game) {
  const found = [];
  for (const {
    party: { name: party },
    late,
  } of game.places.values()) {
    if (late === null) continue;
    if (late.appointedBy !== null) {
      const text = '{keeper}, the keeper, let {party} in as a judge: {organizer}, an organizer of the event, signed it.';
      found.push(notice(24, 'party.admitted', late.admit, null, text, { keeper: game.terms.keeper.name, party, organizer: late.appointedBy }));
      continue;
    }
    const said = late.byHost
      ? "{keeper}, the keeper, let {party} in by the host's word."
      : "{keeper}, the keeper, let {party} in alone: {party} may be {keeper}'s own hand.";
    const settled =
      late.settled === null
        ? 'Not everybody has consented, so {party} has no say in what the others decide.'
        : 'Everybody who had to consent has consented (event {seq}).';
    const each = notice(24, 'party.admitted', late.admit, null, said, { keeper: game.terms.keeper.name, party });
    each.message = { all: [each.message, { text: settled, values: { party, seq: late.settled ?? 0 } }] };
    found.push(each);
  }
  return found;
}

/** Returns notices about parties that go on under another key. @param {Game} game @returns {Finding[]} */
function ofNewKeys(game) {
  const found = [];
  for (const { seq, party, by, corrected } of game.replacements) {
    if (corrected) {
      const [organizer, judge] = by;
      const text =
        '{party} goes on under a new key: {organizer}, an organizer of the event, corrected the key, and the judge {judge} had signed {party} away. {party} may be somebody else now.';
      found.push(notice(24, 'party.replaced', seq, null, text, { party, organizer, judge }));
      continue;
    }
    const text =
      by.length > 0
        ? '{party} goes on under a new key: {names} consented to it. {party} may be somebody else now.'
        : "{party} goes on under a new key: {party}'s recovery key signed for it.";
    found.push(notice(24, 'party.replaced', seq, null, text, { party, names: { names: by } }));
  }
  return found;
}

/** Returns notices about parties that were taken out, or left with a roll owed. @param {Game} game @returns {Finding[]} */
function ofLeavers(game) {
  const found = [];
  for (const { seq, author, party } of game.removals) {
    found.push(
      notice(24, 'party.removed', seq, null, '{author} took {party} out of the game: {party} has no part in later dice.', { author, party }),
    );
  }
  for (const { seq, party, roll } of game.leftOwing) {
    found.push(
      notice(24, 'roll.owed', seq, null, 'When {party} left, {party} still owed the roll of event {request}: it was voided, and never made again.', {
        party,
        request: roll.seq,
      }),
    );
  }
  return found;
}

/** Returns notices about parties that were away, and dice made without them. @param {Game} game @returns {Finding[]} */
function ofAbsences(game) {
  const found = [];
  for (const [party, aways] of groupBy(game.aways, (away) => away.party)) {
    found.push(
      notice(24, 'party.away', aways[0].seq, null, '{author} signed {party} away ({count}×): while away {party} has no part in the dice.', {
        author: aways[aways.length - 1].author,
        party,
        count: aways.length,
      }),
    );
  }
  for (const { party, first, rolls, accepted } of madeWithout(game)) {
    found.push(
      notice(
        24,
        'roll.without',
        first,
        null,
        'Made without {party}, whom somebody else had signed away: {rolls}. {party} has accepted {accepted} of them; the others count in no luck and no season.',
        { party, rolls: { rolls }, accepted },
      ),
    );
  }
  return found;
}

/** @param {Game} game @param {Roll} roll @returns {string[]} without whom it was made who has not accepted it */
export const notAcceptedBy = (game, roll) =>
  roll.without.filter((name) => /** @type {import('./game.js').Place} */ (game.place(name)).accepted < roll.seq);

/** @param {Game} game @returns {{party: string, first: number, rolls: number, accepted: number}[]} by party, in the order of the first */
export function madeWithout(game) {
  const rolls = game.rolls.filter((roll) => roll.ended === 'reveal');
  const each = rolls.flatMap((roll) => roll.without.map((party) => ({ party, roll })));
  return [...groupBy(each, ({ party }) => party)].map(([party, some]) => ({
    party,
    first: some[0].roll.seq,
    rolls: some.length,
    accepted: some.filter(({ roll }) => !notAcceptedBy(game, roll).includes(party)).length,
  }));
}

/**
 * The rulings with an effect (specs/verification.md, "Rulings with an effect"). @param {Game} game
 * @returns {Game['rulings']}
 */
export function rulingsWithEffect(game) {
  const declared = new Set(game.declared);
  const struck = new Set(game.takenBack.map(({ roll }) => roll.seq));
  return game.rulings.filter(({ body: { ruling, subject, results = [] }, owed }) => {
    const roll = game.rollAt.get(subject);
    const rolled = roll?.type === 'roll' && roll.ended === 'reveal';
    const stands = (rolled || (declared.has(subject) && ruling === 'void')) && !struck.has(subject);
    if (ruling === 'correct') return stands && results.length > 0;
    const effect = ruling === 'void' && (stands || owed);
    if (effect) struck.add(subject);
    return effect;
  });
}

/** @param {Game} game */
export const struckRulings = (game) => rulingsWithEffect(game).filter(({ body }) => body.ruling === 'void');
/** @param {Game} game */
export const correctedRulings = (game) => rulingsWithEffect(game).filter(({ body }) => body.ruling === 'correct');

/** What notices are about, in their order. */
const PARTS = [ofRollsLeft, ofVoids, ofObjections, ofHiddenLinks, ofHolders, ofRulings, ofLatecomers, ofNewKeys, ofLeavers, ofAbsences];

/**
 * @param {Game} game after the valid prefix @param {number} size of it, 1 or more @param {boolean} whole no line failed
 * @param {number} vouched lines that receipts which agree vouch for
 * @param {Finding[]} offer what is told of a line behind the log that was offered
 * @returns {Finding[]}
 */
export function noticesOf(game, size, whole, vouched, offer) {
  /** @type {Finding[]} */
  const found = [];
  const { continues } = game.terms;
  if (continues !== null) {
    found.push(
      notice(24, 'game.continues', 0, null, 'The keeper says that this game goes on from game {game}, after its {events}, root {root}.', {
        game: continues.game,
        events: { events: continues.size },
        root: continues.root,
      }),
    );
  }
  if (whole) found.push(...ofTheEnd(game, size, vouched), ...offer);
  return [...found, ...PARTS.flatMap((part) => part(game))];
}
