/**
 * Commitments, and rolls from their request to their end: steps 15 to 22 of specs/verification.md for the events that
 * are about them.
 * @module
 */

import { equal, fromHex } from './bytes.js';
import { HISTORY } from './constants.js';
import { descend, drawDice, openingMessage, seedOf } from './dice.js';
import { Failure } from './findings.js';
import { canonical } from './json.js';
import { notAgreed } from './late.js';
import { checkVoid, sealedFailure, takeTag } from './secret.js';
import { mayContribute } from './terms.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./game.js').Chain} Chain */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Place} Place */
/** @typedef {import('./game.js').Roll} Roll */
/** @typedef {import('./game.js').Share} Share */
/** @typedef {import('./game.js').Demand} Demand */

/** @param {Game} game @param {Place} author @param {Event} event @throws {Failure} */
export function commit(game, author, event) {
  const { body } = event;
  const { name } = author.party;
  if (!mayContribute(game.terms, author.party)) {
    throw new Failure(16, 'commit.not-contributor', '{author} contributes to no roll of this game, so has nothing to commit to.', { author: name });
  }
  if (game.tips.has(body.tip)) {
    throw new Failure(
      16,
      'commit.tip-reused',
      "{author} commits to a tip that this game has seen: a copy of another's commitment, or a chain used twice.",
      { author: name },
      { actual: body.tip },
    );
  }
  const before = author.lost ? null : author.chain;
  if ((before !== null) !== Object.hasOwn(body, 'link')) {
    throw new Failure(16, 'commit.link', '{author} gives the next link of the chain that a commit replaces, and none where there was none.', {
      author: name,
    });
  }
  if (before !== null) lead(game, 16, 'commit.link', name, before, before.next, body.link, event.seq);
  game.tips.add(body.tip);
  author.lost = false;
  author.chain = {
    tip: body.tip,
    length: body.length,
    next: 1,
    known: { index: 0, link: body.tip, seq: event.seq },
    commit: event.seq,
  };
}

/**
 * Checks that a link leads to the last known one of its chain, and records it as known.
 * @param {Game} game @param {16 | 20} step @param {string} code @param {string} name @param {Chain} chain
 * @param {number} index @param {string} link @param {number} seq @throws {Failure}
 */
export function lead(game, step, code, name, chain, index, link, seq) {
  if (!equal(descend(game.id, name, index, fromHex(link), chain.known.index), fromHex(chain.known.link))) {
    const words =
      step === 20
        ? 'The link that {author} opened is not on the chain that {author} committed to.'
        : 'The link that {author} gives is not on the chain that {author} committed to.';
    throw new Failure(step, code, words, { author: name }, step === 20 ? { actual: link, opener: name } : { actual: link });
  }
  chain.known = { index, link, seq };
}

/** @param {Game} game @param {string} name @returns {Share[] | Failure} the links that a roll of this party takes now */
function sharesOf(game, name) {
  const contributors = game.contributorsOf(name);
  if (contributors.length < 2) {
    return new Failure(15, 'state.contributors', 'Only {names} would contribute to this roll; it takes two.', {
      names: { names: contributors.map((place) => place.party.name) },
    });
  }
  /** @type {Share[]} */
  const shares = [];
  for (const { party, chain } of contributors) {
    if (chain === null || chain.next >= chain.length) {
      return new Failure(15, 'state.not-committed', '{name} has no link left for this roll: {name} must commit to a seed chain first.', {
        name: party.name,
      });
    }
    shares.push({ name: party.name, chain, index: chain.next });
  }
  return shares;
}

/** @param {Game} game @param {Event} event @param {string} leaf @param {Share[]} shares @returns {Roll} that waits, with its event's author as the roller */
function newRoll(game, event, leaf, shares) {
  const name = event.author;
  const others = shares.filter((share) => share.name !== game.terms.keeper.name);
  const closer = shares.some((share) => share.name === name) ? name : (others[others.length - 1]?.name ?? name);
  return {
    seq: event.seq,
    leaf,
    author: name,
    type: event.type,
    body: event.body,
    index: game.rolls.length,
    shares,
    closer,
    before: shares.map((share) => share.chain.known),
    end: null,
    ended: null,
    by: null,
    missing: [],
    disclosed: null,
    openings: [],
    sides: [],
    naturals: [],
    taken: takeTag(game, event.body),
    without: game.withoutWhom(name),
  };
}

/** @param {Game} game @param {Place} author @param {Event} event @param {string} leaf @throws {Failure} */
export function request(game, author, event, leaf) {
  const { name } = author.party;
  const missing = notAgreed(game);
  if (missing.length > 0) {
    throw new Failure(
      15,
      'state.not-agreed',
      'Nobody rolls before every player has agreed to the digital dice: {missing} must join first.',
      { missing: missing.join(', ') },
      { clause: game.terms.system.agreement },
    );
  }
  const owed = owedFailure(game, name, event);
  const sealed = sealedFailure(game, name, event.body);
  if (sealed !== null) throw owed ?? sealed;
  const shares = sharesOf(game, name);
  if (shares instanceof Failure) throw owed ?? shares;
  if (owed !== null) {
    owed.rulesAlone = true;
    throw owed;
  }
  const roll = newRoll(game, event, leaf, shares);
  for (const share of shares) share.chain.next++;
  game.rolls.push(roll);
  game.rollAt.set(roll.seq, roll);
  game.phase = 'pending';
}

/**
 * Checks that a request is the owed one. The rules may no longer allow that one (step 23), unless nothing has happened
 * since the void that changes what they allow.
 * @param {Game} game @param {string} name @param {Event} event @returns {Failure | null}
 */
function owedFailure(game, name, event) {
  const owed = game.owed.get(name);
  if (owed === undefined) return null;
  if (owed.roll.type === event.type && owed.body === canonical(event.body)) {
    game.owed.delete(name);
    return null;
  }
  if (sealedFailure(game, name, owed.roll.body) !== null) return null; // it counts as one that the rules do not allow
  if (!owed.certain || game.rolls.length > HISTORY) {
    game.undecided.push({ author: name, seq: event.seq, owed: owed.roll.seq });
    return null;
  }
  return new Failure(
    15,
    'state.owed',
    '{author} asked for a {type} in event {seq}, which was voided: {author} asks for the same again before anything else.',
    { author: name, type: owed.roll.type, seq: owed.roll.seq },
  );
}

/** Step 17. @param {Game} game @param {Event} event @throws {Failure} */
function checkRollIndex(game, event) {
  const expected = String(game.roll.index);
  const actual = String(event.body.roll_index);
  if (actual !== expected) {
    throw new Failure(17, 'roll.index', 'This is roll {expected} of the game, not roll {actual}.', { expected, actual }, { expected, actual });
  }
}

/**
 * Steps 18 to 20 for the openings of the roll that waits or was voided.
 * @param {Game} game @param {any[]} openings @param {Demand} demand @param {number} seq of the event that has them @throws {Failure}
 */
function takeOpenings(game, openings, demand, seq) {
  const { roll } = game;
  const request = fromHex(roll.leaf);
  for (const { author, index, link, sig } of openings) {
    const { key } = /** @type {Place} */ (game.place(author)).party;
    const failure = () =>
      new Failure(
        18,
        'opening.signature',
        "The opening is not {author}'s for this request: it was changed, or made for another.",
        { author },
        { opener: author },
      );
    demand(failure, key, fromHex(sig), openingMessage(game.id, request, author, index, fromHex(link)));
  }
  const shares = openings.map(({ author }) => /** @type {Share} */ (roll.shares.find((share) => share.name === author)));
  openings.forEach(({ author, index }, i) => {
    if (index === shares[i].index) return;
    const [expected, actual] = [String(shares[i].index), String(index)];
    throw new Failure(
      19,
      'opening.index',
      '{author} opened link {actual}; this roll takes link {expected}.',
      { author, expected, actual },
      { expected, actual, opener: author },
    );
  });
  openings.forEach(({ author, index, link }, i) => lead(game, 20, 'opening.link', author, shares[i].chain, index, link, seq));
  roll.openings = openings;
}

/** @param {Game} game @param {Event} event @param {Demand} demand @throws {Failure} */
export function reveal(game, event, demand) {
  const { roll } = game;
  const { openings, sides, naturals } = event.body;
  checkRollIndex(game, event);
  const expected = roll.shares.map((share) => share.name).join(', ');
  const actual = openings.map((/** @type {any} */ opening) => opening.author).join(', ');
  if (actual !== expected) {
    throw new Failure(17, 'opening.set', 'A reveal has one opening of each contributor, in party order.', {}, { expected, actual });
  }
  takeOpenings(game, openings, demand, event.seq);
  if (roll.taken !== null && (sides.length > 0 || naturals.length > 0)) {
    throw new Failure(22, 'reveal.naturals', 'The reveal of a secret roll has openings, and no dice.');
  }
  const shares = openings.map((/** @type {any} */ opening) => ({ name: opening.author, link: fromHex(opening.link) }));
  const { dice } = drawDice(seedOf(game.id, roll.index, shares), sides);
  if (dice.length !== naturals.length || dice.some((die, i) => die.natural !== naturals[i])) {
    const shown = dice.map((die) => die.natural);
    throw new Failure(
      22,
      'reveal.naturals',
      'The links give other dice than the reveal says.',
      {},
      { expected: JSON.stringify(shown), actual: JSON.stringify(naturals) },
    );
  }
  Object.assign(roll, { sides, naturals });
  end(game, event, 'reveal', 'idle');
  game.rulesMoved();
}

/** @param {Game} game @param {Event} event @param {'reveal' | 'void' | 'close'} how @param {string} phase */
function end(game, event, how, phase) {
  Object.assign(game.roll, { end: event.seq, ended: how, by: event.author });
  game.phase = phase;
}

/** @param {Game} game @param {Place} author @param {Event} event @throws {Failure} */
export function callOff(game, author, event) {
  const { roll } = game;
  const { name, role } = author.party;
  if (name !== roll.closer && role !== 'judge') {
    throw new Failure(15, 'state.void', 'Only {closer}, who opens last before the keeper, or a judge can void this roll, not {author}.', {
      closer: roll.closer,
      author: name,
    });
  }
  checkRollIndex(game, event);
  const { missing } = event.body;
  if (!isOrdered(missing, roll)) {
    throw new Failure(
      21,
      'void.missing',
      'A void names contributors of its roll as missing, in party order, none twice.',
      {},
      { actual: missing.join(', ') },
    );
  }
  checkVoid(game, event);
  roll.missing = missing;
  for (const share of name === game.terms.keepersJudge ? roll.shares : []) {
    if (missing.includes(share.name)) /** @type {Place} */ (game.place(share.name)).accused = { ...share, roll };
  }
  end(game, event, 'void', 'voided');
  game.owed.set(roll.author, { roll, body: canonical(roll.body), certain: true });
}

/**
 * Checks an opening that the keeper's judge called missing: steps 15 and 17 to 20.
 * @param {Game} game @param {Place} author @param {Event} event @param {Demand} demand @throws {Failure}
 */
export function objectTo(game, author, event, demand) {
  const { opening, request: number } = event.body;
  const {
    accused,
    party: { name, key },
  } = author;
  if (accused === null || accused.roll.seq !== number) {
    throw new Failure(
      15,
      'state.object',
      'Event {request} is no roll that {judge} called off with {author} as missing; or {author} has written something else since.',
      { author: name, request: number, judge: game.terms.keepersJudge ?? { text: "the keeper's judge" } },
    );
  }
  if (opening.author !== name) {
    throw new Failure(
      17,
      'opening.set',
      '{author} shows its own opening, not one of {actual}.',
      { author: name, actual: opening.author },
      { actual: opening.author },
    );
  }
  const { roll, index, chain } = accused;
  const failure = () =>
    new Failure(
      18,
      'opening.signature',
      "The opening is not {author}'s for this request: it was changed, or made for another.",
      { author: name },
      { opener: name },
    );
  demand(failure, key, fromHex(opening.sig), openingMessage(game.id, fromHex(roll.leaf), name, opening.index, fromHex(opening.link)));
  if (opening.index !== index) {
    const [expected, actual] = [String(index), String(opening.index)];
    throw new Failure(
      19,
      'opening.index',
      '{author} opened link {actual}; this roll takes link {expected}.',
      { author: name, expected, actual },
      { expected, actual, opener: name },
    );
  }
  const { known } = chain;
  if (known.index <= index) lead(game, 20, 'opening.link', name, chain, index, opening.link, event.seq);
  else if (!equal(descend(game.id, name, known.index, fromHex(known.link), index), fromHex(opening.link))) {
    // it has opened for later rolls
    throw new Failure(
      20,
      'opening.link',
      'The link that {author} opened is not on the chain that {author} committed to.',
      { author: name },
      { actual: opening.link, opener: name },
    );
  }
  game.objections.push({ seq: event.seq, author: name });
}

/** @param {Game} game @param {any[]} openings of a disclose or a close @throws {Failure} */
function checkSet(game, openings) {
  const names = openings.map((opening) => opening.author);
  if (isOrdered(names, game.roll) && names.includes(game.terms.keeper.name)) return;
  throw new Failure(
    17,
    'opening.set',
    "The openings here must be of contributors of the roll, in party order, none twice, with {keeper}'s own among them.",
    { keeper: game.terms.keeper.name },
    { actual: names.join(', ') },
  );
}

/** @param {Game} game @param {Event} event @param {Demand} demand @throws {Failure} */
export function disclose(game, event, demand) {
  checkRollIndex(game, event);
  checkSet(game, event.body.openings);
  takeOpenings(game, event.body.openings, demand, event.seq);
  game.roll.disclosed = event.seq;
  game.phase = 'idle';
}

/** @param {Game} game @param {Event} event @param {Demand} demand @throws {Failure} */
export function close(game, event, demand) {
  const waits = game.phase === 'pending';
  if (waits !== Object.hasOwn(event.body, 'openings')) {
    throw new Failure(15, 'state.close', 'A close has the openings of the request that waits, and no openings if none waits.');
  }
  if (waits) {
    checkSet(game, event.body.openings);
    takeOpenings(game, event.body.openings, demand, event.seq);
    end(game, event, 'close', 'closed');
  }
  game.phase = 'closed';
}

/** @param {string[]} names @param {Roll} roll @returns {boolean} contributors of it, in party order, none twice */
function isOrdered(names, roll) {
  const places = names.map((name) => roll.shares.findIndex((share) => share.name === name));
  return places.every((place, i) => place >= 0 && (i === 0 || place > places[i - 1]));
}
