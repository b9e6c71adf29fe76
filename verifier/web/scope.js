/**
 * The lists of a report: what was checked, and what was not.
 * @module
 */

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./game.js').Game} Game */

/**
 * Returns what was checked, what was not, and what that means.
 * @param {Game} game @param {number} size @param {boolean} whole @param {import('./log.js').Options} options
 * @param {Message[]} checked of receipts @param {Message[]} notChecked of receipts
 * @returns {{checked: Message[], notChecked: Message[]}}
 */
export function checkedWords(game, size, whole, options, checked, notChecked) {
  const rolls = game.rolls.filter((roll) => roll.ended === 'reveal').length;
  const known = new Set(options.keys ?? []);
  const unknown = game.terms.parties.filter((party) => !known.has(party.verifierKey)).map((party) => party.name);
  /** @type {Message[]} */
  const no = [
    {
      text: 'Rules ({system}): whether every event was allowed, and what the dice mean. They are not known here; {command} checks them.',
      values: { system: game.terms.systemId, command: 'rollproof verify' },
    },
  ];
  for (const { author, seq, owed } of game.undecided) {
    no.push({
      text: 'Whether {author} could ask in event {seq} for something else than what was owed since event {owed}: that takes the rules.',
      values: { author, seq, owed },
    });
  }
  if (!whole) no.push({ text: 'Anything from event {seq} on: it rests on an event that does not hold.', values: { seq: size } });
  no.push(...notChecked);
  if (unknown.length > 0) {
    no.push({
      text: 'Whose keys these are: compare the keys of {names} with what they gave you, or verify with those.',
      values: { names: { names: unknown } },
    });
  }
  if (checked.length === 0 && !(whole && game.phase === 'closed')) {
    no.push({ text: "Whether events are missing at the end: compare size and root with the keeper's or another copy." });
  }
  no.push({ text: 'Whether what was said at the table is what was signed, and whether the clocks were right.' });
  return {
    checked: [
      { text: "Events 0 to {last}: form, order, chain, and that each was signed with its author's key.", values: { last: size - 1 } },
      { text: 'Dice ({rolls}): every opening leads to its commitment; the naturals follow from the links.', values: { rolls: { rolls } } },
      ...checked,
    ],
    notChecked: no,
  };
}
