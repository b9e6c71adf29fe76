/**
 * Choices of a player, in a player's words. A server's advice names a choice as the rules do (`waits_for`), in the
 * reader's language or in English.
 * @module
 */

import { mark, t } from './words.js';

/** @type {{[choice: string]: string}} */
const CHOICES = {
  join: mark('agree to the terms'),
  'reroll or resolve': mark('roll dice again, or go on'),
  'reroll or waive': mark('have dice rolled again, or leave the dice as they are'),
  'ignore or resolve': mark('keep first results, or end the roll'),
  'double down or resolve': mark('double down, or not'),
  reroll: mark('roll dice again'),
  ignore: mark('choose the dice to ignore'),
  effects: mark('apply effects, or do without them'),
  'may roll again': mark('roll again, or not'),
  contribute: mark('say what you give'),
  'name the roller': mark('say who rolls'),
  'attacks or hit': mark('roll to hit'),
  hit: mark('roll to hit'),
  extra: mark('roll how many further hits'),
  strength: mark('roll the Strength'),
  wound: mark('roll to wound'),
  save: mark('roll the saves'),
  damage: mark('roll the damage'),
  mortal: mark('roll the mortal wounds'),
  inflict: mark('give the mortal wounds to models'),
  move: mark('roll the move'),
};

/** @param {string} choice @returns {string} */
export const choiceWords = (choice) => (Object.hasOwn(CHOICES, choice) ? t(CHOICES[choice]) : choice);
