/**
 * Proof of one roll in one file: steps 51 to 57 of specs/roll-proof.md.
 * @module
 */

import { equal, fromHex, fromUtf8, toHex, utf8 } from './bytes.js';
import { MAX_LINE, MAX_PARTIES, MAX_PROOF, MAX_ROLL_FILE } from './constants.js';
import { descend, drawDice, openingMessage, seedOf } from './dice.js';
import { error, Failure, notice } from './findings.js';
import { Game } from './game.js';
import { isIncluded, leafHash } from './hashes.js';
import { readCanonical } from './json.js';
import { newParty } from './late.js';
import { readEvent, signedMessage } from './lines.js';
import { openOf } from './log.js';
import { isSignedBy, readCheckpoint, readNote } from './notes.js';
import { array, BODIES, hex32, integer, members, must, oneOf, string } from './schema.js';
import { PublicKey } from './signatures.js';
import { contributes, isRequest } from './terms.js';
import { mark } from './words.js';

/** @typedef {import('./terms.js').Terms} Terms */
/** @typedef {import('./log.js').Report} Report */
/** @typedef {import('./schema.js').Event} Event */
/** @typedef {{event: Event, leaf: Uint8Array}} Shown an event that a line of the proof is */
/** @typedef {{seq: number, author: string, type: string, body: any, dice: {sides: number, natural: number}[], names: string[], rulings: Event[], strikes: Event[],
 *   steps: import('./explain.js').Step[]}} ShownOnce */

const PREFIX = utf8('{"checkpoint":"rollproof/v1/');
const FORM = members({
  checkpoint: string,
  format: oneOf('rollproof/roll/v1'),
  names: must((value) => typeof value === 'boolean', 'true or false'),
  lines: array(members({ index: integer(0), line: string, proof: array(hex32, 0, MAX_PROOF) }), 1, 3 * MAX_PARTIES),
});

/** @param {Uint8Array} bytes @param {string} name of the file @returns {boolean} whether it is taken for a proof of one roll */
export const isRollProof = (bytes, name) => !name.endsWith('.jsonl') && equal(bytes.subarray(0, PREFIX.length), PREFIX);

/** @param {number} step @param {string} part @param {string} text @param {{[name: string]: any}} [values] @returns {Failure} */
const flaw = (step, part, text, values = {}) => new Failure(step, `roll-proof.${part}`, text, values);

/** Step 51. @param {Uint8Array} bytes @returns {any} @throws {Failure} */
function read(bytes) {
  const text = bytes.length <= MAX_ROLL_FILE ? fromUtf8(bytes) : null;
  const value = text === null ? undefined : /** @type {any} */ (readCanonical(text.endsWith('\n') ? text.slice(0, -1) : text));
  const note = value === undefined || FORM(value) !== null ? null : readNote(utf8(value.checkpoint));
  const checkpoint = note && readCheckpoint(note);
  const indexes = checkpoint ? value.lines.map((/** @type {any} */ each) => each.index) : [];
  if (!checkpoint || indexes[0] !== 0 || indexes.some((/** @type {number} */ each, /** @type {number} */ at) => at > 0 && each <= indexes[at - 1])) {
    throw flaw(51, 'malformed', 'This is no proof of one roll.');
  }
  return { ...value, note, checkpoint };
}

/**
 * Adds the parties that the keeper admitted. @param {Terms} terms @param {Uint8Array} id @param {any[]} lines @returns
 * {Promise<Terms>}
 */
async function withAdmitted(terms, id, lines) {
  const game = new Game(terms, id);
  for (const { line } of lines) {
    const bytes = utf8(line);
    try {
      const event = readEvent(bytes);
      if (event.type !== 'admit' || event.author !== terms.keeper.name || event.game !== toHex(id) || bytes.length > MAX_LINE) continue;
      if (!(await terms.keeper.key.verify(fromHex(event.sig), signedMessage(bytes, event)))) continue;
      if (bodyProblem(event) !== null || !terms.admits.includes(event.body.role)) continue;
      const { name, publicKey } = newParty(game, event.body.key, event.body.called ?? null);
      game.add({ name, role: event.body.role, called: event.body.called ?? null, verifierKey: event.body.key, key: PublicKey.soon(publicKey) }, null);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
    }
  }
  return game.terms;
}

/** @param {Event} event @returns {any} what is wrong with its body */
const bodyProblem = (event) => /** @type {import('./schema.js').Check} */ (BODIES.get(event.type) ?? (() => null))(event.body);

/** Step 54. @param {any} shown @param {any} checkpoint @param {Terms} terms @param {Uint8Array} id @returns {Promise<Shown>} @throws {Failure} */
async function eventOf({ index, line, proof }, checkpoint, terms, id) {
  const bytes = utf8(line);
  const leaf = leafHash(bytes);
  const keeper = terms.keeper.name;
  if (index >= checkpoint.size || !isIncluded(leaf, index, checkpoint.size, proof.map(fromHex), checkpoint.root)) {
    throw flaw(54, 'line', 'The line that it gives for event {index} is not in what {keeper} signed.', { index, keeper });
  }
  let event;
  try {
    if (bytes.length > MAX_LINE) throw new Failure(4, 'line.too-long', 'This line is too long: at most {most} bytes.', { most: MAX_LINE });
    event = readEvent(bytes);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    throw flaw(54, 'line', 'The line that it gives for event {index} is no event: {problem}', { index, problem: failure.words });
  }
  if (event.seq !== index || (index === 0 ? toHex(leaf) : event.game) !== toHex(id)) {
    throw flaw(54, 'line', 'The line that it gives for event {index} is not that event of this game.', { index });
  }
  const author = terms.byName.get(event.author);
  if (!author || !(await author.key.verify(fromHex(event.sig), signedMessage(bytes, event)))) {
    throw flaw(54, 'line', 'Event {index} says that {author} signed it, but {author} did not.', { index, author: event.author });
  }
  return { event, leaf };
}

/** @param {Event} event @returns {any} its body @throws {Failure} where it has not the form of its type */
function bodyOf(event) {
  if (bodyProblem(event) !== null) {
    throw flaw(54, 'line', 'The line that it gives for event {index} is no event: {problem}', {
      index: event.seq,
      problem: { text: 'its body has another form' },
    });
  }
  return event.body;
}

/** Step 55. @param {Map<number, Shown>} events @param {Terms} terms @returns {{asked: Shown, reveal: any}} @throws {Failure} */
function rollOf(events, terms) {
  const requests = [...events.values()].filter(({ event }) => isRequest(event.type));
  if (requests.length !== 1) throw flaw(55, 'lines', 'It is not about one roll: it has {count} requests for dice.', { count: requests.length });
  const [asked] = requests;
  const index = asked.event.seq;
  const shown = events.get(index + 1);
  if (shown === undefined || shown.event.type !== 'reveal' || shown.event.author !== terms.keeper.name) {
    throw flaw(55, 'lines', 'It does not show the dice of event {index}, by {keeper}.', { index, keeper: terms.keeper.name });
  }
  if (shown.event.prev !== toHex(asked.leaf)) throw flaw(55, 'lines', 'The dice that it shows are not those of event {index}.', { index });
  if (Object.hasOwn(asked.event.body, 'sealed')) {
    throw flaw(55, 'lines', 'Event {index} is a secret roll, of which this is no proof.', { index });
  }
  return { asked, reveal: bodyOf(shown.event) };
}

/** Step 56. @param {any} reveal @param {Shown} asked @param {Map<number, Shown>} events @param {Terms} terms @param {Uint8Array} id */
async function linksOf(reveal, asked, events, terms, id) {
  const names = reveal.openings.map((/** @type {any} */ each) => each.author);
  const may = terms.parties.filter((party) => contributes(terms, party, asked.event.author)).map(({ name }) => name);
  const keeper = terms.keeper.name;
  if (names.length < 2 || !names.includes(keeper) || names.join() !== may.filter((name) => names.includes(name)).join()) {
    throw flaw(56, 'opening', 'The openings of its dice are not those of parties who have a part in them: {names}.', { names: { names } });
  }
  const shares = [];
  let counted = true;
  for (const { author, index, link, sig } of reveal.openings) {
    const commit = [...events.values()]
      .filter(({ event }) => event.type === 'commit' && event.author === author && event.seq < asked.event.seq)
      .at(-1)?.event;
    if (commit === undefined) throw flaw(56, 'opening', 'It does not show what {author} committed to before the roll.', { author });
    const { length, tip } = bodyOf(commit);
    const bytes = fromHex(link);
    const { key } = /** @type {import('./terms.js').Party} */ (terms.byName.get(author));
    if (!(await key.verify(fromHex(sig), openingMessage(id, asked.leaf, author, index, bytes)))) {
      throw flaw(56, 'opening', '{author} did not sign this opening for this roll.', { author });
    }
    if (index > Math.min(length - 1, reveal.roll_index + 1)) {
      throw flaw(56, 'opening', '{author} opened link {index}, which no roll with this number takes.', { author, index });
    }
    if (toHex(descend(id, author, index, bytes, 0)) !== tip) {
      throw flaw(56, 'opening', 'The link that {author} opened is not on the chain that {author} committed to.', { author });
    }
    shares.push({ name: author, link: bytes, commit: commit.seq, tip, index });
    counted = counted && index === reveal.roll_index + 1 && (author !== keeper || commit.seq === 1);
  }
  return { shares, counted, absent: may.filter((name) => !names.includes(name)) };
}

/** @param {import('./findings.js').Finding[]} findings @param {'holds' | 'fails' | 'unreadable'} verdict @param {string | null} game @returns {Report} */
const report = (findings, verdict, game) => ({
  kind: 'roll',
  verdict,
  game,
  events: 0,
  validPrefix: 0,
  head: null,
  findings,
  trust: { all: [] },
  state: null,
  checked: [],
  notChecked: [{ text: 'A proof of a roll that does not hold shows nothing.' }],
});

/**
 * @param {Uint8Array} bytes of the file
 * @param {{game?: string | null, keys?: string[]}} [options] what the caller knows
 * @returns {Promise<Report & {roll?: ShownOnce, title?: string}>}
 */
export async function verifyRollProof(bytes, options = {}) {
  let game = null;
  try {
    const proof = read(bytes);
    const opened = await openOf(utf8(proof.lines[0].line), options);
    const open = 'Its event 0 does not hold, so it shows nothing: {problem}';
    if (opened instanceof Failure) throw flaw(52, 'open', open, { problem: opened.words });
    const { id } = opened;
    game = toHex(id);
    const { keeper } = opened.terms;
    if (proof.checkpoint.game !== game) throw flaw(53, 'checkpoint', 'Its checkpoint is of another game than its event 0.');
    if (!(await isSignedBy(proof.note, keeper.name, keeper.key))) {
      throw flaw(53, 'checkpoint', 'Its checkpoint has no signature of {keeper}, the keeper, that holds: anybody could have written it.', {
        keeper: keeper.name,
      });
    }
    const terms = await withAdmitted(opened.terms, id, proof.lines);
    const unknown = (options.keys ?? []).find((key) => !terms.parties.some((party) => party.verifierKey === key));
    if (unknown !== undefined)
      throw flaw(52, 'open', open, { problem: { text: 'Nobody in this game has the key {key}.', values: { key: unknown } } });
    /** @type {Map<number, Shown>} */
    const events = new Map();
    for (const each of proof.lines) events.set(each.index, await eventOf(each, proof.checkpoint, terms, id));
    const { asked, reveal } = rollOf(events, terms);
    const seq = asked.event.seq;
    const rulings = [...events.values()]
      .map(({ event }) => event)
      .filter(
        (event) => event.type === 'ruling' && terms.byName.get(event.author)?.role === 'judge' && [seq, seq + 1].includes(bodyOf(event).subject),
      );
    const strikes = [...events.values()]
      .map(({ event }) => event)
      .filter((event) => terms.strikes && event.type === 'strike' && bodyOf(event).roll === seq);
    const { shares, counted, absent } = await linksOf(reveal, asked, events, terms, id);
    const naturals = drawDice(seedOf(id, reveal.roll_index, shares), reveal.sides).dice.map(({ natural }) => natural);
    if (naturals.join() !== reveal.naturals.join()) throw flaw(57, 'dice', 'The links give other dice than it shows.');
    return holds({ proof, terms, game, asked, reveal, rulings, strikes, shares, counted, absent }, options);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const { text, values } = /** @type {any} */ (failure.words);
    const found = error(failure.step, failure.code, null, 'file', text, values);
    return report([found], failure.step === 51 ? 'unreadable' : 'fails', game);
  }
}

/**
 * Returns the function that gives a party's display name, or its place at the table if the proof says that no names are
 * shown.
 * @param {any} terms @param {boolean} shown @returns {(name: string) => string}
 */
const displayNames = (terms, shown) => (name) => {
  if (shown) return name;
  const { role } = terms.byName.get(name);
  const same = terms.parties.filter((/** @type {any} */ party) => party.role === role);
  return same.length === 1 ? role : `${role} ${same.findIndex((/** @type {any} */ party) => party.name === name) + 1}`;
};

/** Returns what is remarkable about a proof that holds. @param {any} found @param {(name: string) => string} called @returns {import('./findings.js').Finding[]} */
function noticesOf({ asked, terms, rulings, strikes, counted, absent }, called) {
  const { seq } = asked.event;
  const findings = [];
  if (absent.length > 0) {
    findings.push(
      notice(56, 'roll-proof.absent', seq, null, '{names} had no part in these dice, and the proof does not say why.', {
        names: { names: absent.map(called) },
      }),
    );
  }
  if (!counted) {
    findings.push(
      notice(
        56,
        'roll-proof.numbers',
        seq,
        null,
        "That this roll took these links of their chains, and its number, is {keeper}'s word: the log shows it.",
        { keeper: called(terms.keeper.name) },
      ),
    );
  }
  for (const event of rulings) {
    findings.push(
      notice(55, 'roll-proof.ruling', event.seq, null, 'A ruling of {judge} about this roll: {ruling}. {text}', {
        judge: called(event.author),
        ruling: event.body.ruling,
        text: event.body.text,
      }),
    );
  }
  for (const event of strikes) {
    findings.push(
      notice(
        55,
        'roll-proof.strike',
        event.seq,
        null,
        '{party} agreed to take this roll back: where all who played did, nothing came of it. The log shows whether they did.',
        { party: called(event.author) },
      ),
    );
  }
  return findings;
}

/** Returns the steps from commitments and openings to the dice, as tables. @param {any[]} shares @param {(name: string) => string} called */
const stepsOf = (shares, called) => [
  {
    title: { text: 'Step 2: the commitments' },
    parts: [
      {
        table: {
          head: [mark('contributor'), mark('event'), mark('tip')],
          rows: shares.map((/** @type {any} */ each) => [called(each.name), String(each.commit), each.tip]),
        },
      },
    ],
  },
  {
    title: { text: 'Step 3: the openings' },
    parts: [
      {
        table: {
          head: [mark('contributor'), mark('number'), mark('bytes')],
          rows: shares.map((/** @type {any} */ each) => [called(each.name), String(each.index), toHex(each.link)]),
        },
      },
    ],
  },
];

/** @param {any} found @param {{keys?: string[]}} options @returns {Report & {roll: ShownOnce, title: string}} */
function holds({ proof, terms, game, asked, reveal, rulings, strikes, shares, counted, absent }, { keys = [] }) {
  const { seq, author, type, body } = asked.event;
  const called = displayNames(terms, proof.names);
  const keeper = called(terms.keeper.name);
  const names = shares.map((/** @type {any} */ share) => called(share.name));
  const dice = reveal.sides.map((/** @type {number} */ sides, /** @type {number} */ at) => ({ sides, natural: reveal.naturals[at] }));
  const stranger = keys.some((key) => key === terms.keeper.verifierKey)
    ? []
    : [{ text: 'Whose keys these are: a stranger can play a game with himself under any names.' }];
  return {
    ...report(noticesOf({ asked, terms, rulings, strikes, counted, absent }, called), 'holds', game),
    trust: { text: 'Nobody could choose or predict these dice unless ALL of {names} worked together.', values: { names: { names } } },
    checked: [
      { text: 'Event 0, which fixes the game and the keys; that {keeper} signed that these lines stand in it.', values: { keeper } },
      {
        text: 'The request, signed by {author}; the openings of {names} for this very roll; what they had committed to.',
        values: { author: called(author), names: { names } },
      },
      {
        text: 'The dice, which follow from these links: {dice}.',
        values: { dice: dice.map((/** @type {any} */ die) => `d${die.sides}: ${die.natural}`).join(', ') },
      },
    ],
    notChecked: [
      ...stranger,
      { text: "Whether these were the dice that the game's rules take for this request, and what they come to." },
      {
        text: 'Whether the rest of the game holds, and what was ruled about it after event {last}: ask for the log.',
        values: { last: proof.checkpoint.size - 1 },
      },
      { text: 'Which of several rolls somebody chose to show.' },
    ],
    roll: {
      seq,
      author: called(author),
      type,
      body,
      dice,
      names,
      rulings,
      strikes,
      steps: stepsOf(shares, called),
    },
    title: terms.title,
  };
}
