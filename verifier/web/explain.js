/**
 * One roll from commitment to dice, steps 1 to 5 of specs/explanations.md, with lines to redo it by hand.
 * @module
 */

import { concat, fromHex, toHex, u64 } from './bytes.js';
import { descend, drawDice, linkMessage, openingMessage, sealedSeedMessage, seedMessage, seedOf } from './dice.js';
import { LABEL_DICE, LABEL_EVENT, LABEL_LINK, LABEL_OPENING, LABEL_SEALED_SEED, LABEL_SEED } from './constants.js';
import { hiddenBy, notAcceptedBy } from './notices.js';
import { secretSeed } from './secret.js';
import { mark } from './words.js';

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Roll} Roll */
/** @typedef {{command: string, prints: string}} ByHand */
/** @typedef {{say: Message} | {byHand: ByHand} | {table: {head: string[], rows: string[][]}}} Part */
/** @typedef {{title: Message, parts: Part[]}} Step */

/** Says where to get the rules' step. */
export const STEP_6 = 'What the dice mean is step 6, the rules: {command}.';

const SIGNED = 'Signature Verified Successfully';
/** SubjectPublicKeyInfo of an Ed25519 key up to its 32 bytes (RFC 8410). */
const DER = '302a300506032b6570032100';

/** @param {string} name @returns {string} a file's name as one word of a POSIX shell, also where it begins like an option */
function quoted(name) {
  const text = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name) ? '…' : name.startsWith('-') ? `./${name}` : name;
  return /^[A-Za-z0-9._/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** @param {Uint8Array} label @returns {string} what prints it */
const printLabel = (label) => `printf '${new TextDecoder().decode(label).trimEnd()}\\n'`;

/**
 * @param {Uint8Array} key @param {Uint8Array} label @param {Uint8Array} message label and all @param {Uint8Array} result
 * @returns {Part}
 */
const macByHand = (key, label, message, result) => ({
  byHand: {
    command: `{ ${printLabel(label)}; printf ${toHex(message.subarray(label.length))} | xxd -r -p; } | openssl dgst -sha256 -mac HMAC -macopt hexkey:${toHex(key)}`,
    prints: toHex(result),
  },
});

/** @param {Uint8Array} key @param {string} sig @param {string} message what prints it @returns {Part} */
const signatureByHand = (key, sig, message) => ({
  byHand: {
    command:
      `printf ${DER}${toHex(key)} | xxd -r -p > key.der; printf ${sig} | xxd -r -p > signature; { ${message}; } > message; ` +
      'openssl pkeyutl -verify -pubin -inkey key.der -keyform DER -rawin -in message -sigfile signature',
    prints: SIGNED,
  },
});

/** @param {string} text @param {{[name: string]: import('./findings.js').Value}} [values] @returns {Part} */
const say = (text, values = {}) => ({ say: { text, values } });

/**
 * Shows that a link leads to a known one. @param {Game} game @param {string} name @param {number} index @param {string}
 * link @param {number} known @returns {Part[]}
 */
function leading(game, name, index, link, known) {
  const parts = [];
  let above = fromHex(link);
  for (let i = index; i > known; i--) {
    const below = descend(game.id, name, i, above, i - 1);
    parts.push(macByHand(above, LABEL_LINK, linkMessage(game.id, name, i), below));
    above = below;
  }
  return parts;
}

/** @param {Game} game @param {string} name @param {number} seq @returns {Uint8Array} of the key with which it signs that event */
const keyOf = (game, name, seq) => game.keyAt(/** @type {import('./game.js').Place} */ (game.place(name)), seq).bytes;

/** @param {Game} game @param {Roll} roll @param {string} file @param {string} time @param {string} sig @returns {Step} */
function theEvent(game, roll, file, time, sig) {
  const line = `sed -n '${roll.seq + 1}p' ${quoted(file)}`;
  return {
    title: { text: 'Step 1: the event' },
    parts: [
      say('Event {seq}, {type}, signed by {author} at {time}; its leaf hash is {leaf}.', {
        seq: roll.seq,
        type: roll.type,
        author: roll.author,
        time,
        leaf: roll.leaf,
      }),
      { byHand: { command: `{ printf '\\000'; ${line} | tr -d '\\n'; } | openssl dgst -sha256`, prints: roll.leaf } },
      signatureByHand(
        keyOf(game, roll.author, roll.seq),
        sig,
        `${printLabel(LABEL_EVENT)}; ${line} | sed 's/"sig":"[0-9a-f]*","time"/"time"/' | tr -d '\\n'`,
      ),
    ],
  };
}

/** @param {Game} game @param {Roll} roll @returns {Step} */
const theCommitments = (game, roll) => ({
  title: { text: 'Step 2: the commitments' },
  parts: [
    {
      table: {
        head: [mark('contributor'), mark('event'), mark('tip')],
        rows: roll.shares.map(({ name, chain }) => [name, String(chain.commit), chain.tip]),
      },
    },
    ...(roll.ended === 'reveal' ? roll.without : []).map((name) =>
      say(
        notAcceptedBy(game, roll).includes(name)
          ? 'Made without {name}, whom somebody else had signed away. {name} has not accepted it.'
          : 'Made without {name}, whom somebody else had signed away. {name} has accepted it.',
        { name },
      ),
    ),
  ],
});

/** Tells how a request ended without dice. @param {Roll} roll @returns {Part[]} */
function withoutDice(roll) {
  if (roll.ended === 'void') {
    return [
      say('In event {seq} {author} voids the request. Its links are used up, and no dice count.', {
        seq: /** @type {number} */ (roll.end),
        author: /** @type {string} */ (roll.by),
      }),
    ];
  }
  if (roll.ended === 'close') {
    return [
      say('In event {seq} {author} closes the game while the request waits. No dice count.', {
        seq: /** @type {number} */ (roll.end),
        author: /** @type {string} */ (roll.by),
      }),
    ];
  }
  return roll.ended === null ? [say('It has no dice here: its openings are not all in this log.')] : [];
}

/** @param {Game} game @param {Roll} roll @returns {Step} */
function theOpenings(game, roll) {
  const parts = withoutDice(roll);
  for (const { author, index, link, sig } of roll.openings) {
    const known = roll.before[roll.shares.findIndex((share) => share.name === author)];
    parts.push(
      say('{name} opened link {index} for this request; it must lead to link {known}, seen in event {seq}.', {
        name: author,
        index,
        known: known.index,
        seq: known.seq,
      }),
    );
    parts.push(...leading(game, author, index, link, known.index));
    const message = openingMessage(game.id, fromHex(roll.leaf), author, index, fromHex(link)).subarray(LABEL_OPENING.length);
    parts.push(signatureByHand(keyOf(game, author, roll.seq), sig, `${printLabel(LABEL_OPENING)}; printf ${toHex(message)} | xxd -r -p`));
  }
  return { title: { text: 'Step 3: the openings' }, parts };
}

/** @param {Game} game @param {Roll} roll @returns {{name: string, link: Uint8Array}[] | null} null where one is not known */
function linksOf(game, roll) {
  if (hiddenBy(roll).length > 0) return null;
  return roll.shares.map(({ name, chain, index }) => ({
    name,
    link: descend(game.id, name, chain.known.index, fromHex(chain.known.link), index),
  }));
}

/**
 * @param {Game} game @param {Roll} roll @param {string} file its name @param {{time: string, sig: string}} event the request
 * @returns {Step[]}
 */
export function explain(game, roll, file, event) {
  const steps = [theEvent(game, roll, file, event.time, event.sig), theCommitments(game, roll), theOpenings(game, roll)];
  const links = linksOf(game, roll);
  if (links === null) {
    if (roll.ended !== null) {
      steps[2].parts.push(say('What it would have shown is not known: the log has no link of {names} for it.', { names: { names: hiddenBy(roll) } }));
    }
    return steps;
  }
  const secret = game.secrets.get(roll.seq);
  if (roll.taken !== null && secret === undefined) {
    steps[2].parts.push(
      say('A secret roll of {holder}: its seed takes a secret that only {holder} knows, and so do its dice.', { holder: roll.taken.holder }),
    );
    return steps;
  }
  const sealed = roll.taken === null ? null : { ...roll.taken, secret: fromHex(/** @type {string} */ (secret)) };
  const seed =
    sealed === null ? seedOf(game.id, roll.index, links) : /** @type {Uint8Array} */ (secretSeed(game, roll, /** @type {string} */ (secret)));
  const ofSeed =
    sealed === null
      ? macByHand(game.id, LABEL_SEED, seedMessage(roll.index, links), seed)
      : macByHand(game.id, LABEL_SEALED_SEED, sealedSeedMessage(roll.index, sealed, links), seed);
  steps.push({ title: { text: 'Step 4: the seed' }, parts: [ofSeed] });
  if (roll.ended !== 'reveal') {
    steps[3].parts.push(
      say('All its links are known by now. It takes the rules to know which dice the request draws: {command} says what it would have shown.', {
        command: 'rollproof explain',
      }),
    );
    return steps;
  }
  const { dice, blocks } = drawDice(seed, sealed === null ? roll.sides : roll.body.sides);
  steps.push({
    title: { text: 'Step 5: the dice' },
    parts: [
      ...blocks.map((block, i) => macByHand(seed, LABEL_DICE, concat(LABEL_DICE, u64(i)), block)),
      {
        table: {
          head: [mark('die'), mark('sides'), mark('bytes'), mark('number'), mark('limit'), mark('natural'), mark('passed over')],
          rows: dice.map((die, i) => [
            String(i + 1),
            String(die.sides),
            toHex(die.bytes),
            String(die.number),
            String(die.limit),
            String(die.natural),
            die.passedOver.map(toHex).join(' '),
          ]),
        },
      },
      say('Each natural is the number mod the sides, plus 1; numbers from the limit on are passed over.'),
      say(STEP_6, { command: `rollproof explain ${quoted(file)} ${roll.seq}` }),
    ],
  });
  return steps;
}
