// node tests/web/fixed_dice.mjs    reads [{"dice", "naturals"}, …] on standard input; what the page makes of each, as JSON

import { text } from 'node:stream/consumers';

import { fixedDice, totalOf } from '../../ledger/web/ui/scenes/fixed-dice.js';

const asked = JSON.parse(await text(process.stdin));
process.stdout.write(
  JSON.stringify(
    asked.map(({ dice, naturals }) => {
      const fixed = fixedDice(dice);
      if (fixed === null) return null;
      return { dice: fixed.dice, sides: fixed.sides, ...(naturals.length === fixed.sides.length ? totalOf(fixed, naturals) : {}) };
    }),
  ),
);
