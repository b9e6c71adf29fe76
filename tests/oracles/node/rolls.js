// Evaluates notations with @dice-roller/rpg-dice-roller, which gets the naturals that stand beside each.
// In: [{"notation", "naturals"}] on standard input. Out: [{"total", "unused"} or {"error"}].
const { DiceRoll, NumberGenerator } = require('@dice-roller/rpg-dice-roller');

let naturals = [];
NumberGenerator.generator.integer = (min, max) => {
  const natural = naturals.shift();
  if (min !== 1 || !(natural >= 1 && natural <= max)) {
    throw new Error(`wants ${min} to ${max}, is given ${natural}`);
  }
  return natural;
};

const rolls = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const results = rolls.map((roll) => {
  naturals = [...roll.naturals];
  try {
    return { total: new DiceRoll(roll.notation).total, unused: naturals.length };
  } catch (error) {
    return { error: String(error.message).slice(0, 200) };
  }
});
process.stdout.write(JSON.stringify(results));
