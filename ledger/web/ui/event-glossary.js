/**
 * The meanings of the words of an event, behind the “?” of its page.
 * @module
 */

import { mark } from './words.js';

/** A word, and its meaning for players. @type {[string, string][]} */
export const EVENT_WORDS = [
  [mark('organized event'), mark('The day as a whole: who plays, rounds, results. In the log of a table, an event is one signed line.')],
  [mark('check in'), mark('Say that you are here: your phone makes a key, and plays with it all day.')],
  [mark('round'), mark('One match for everybody at the same time, with one clock.')],
  [mark('bye'), mark('A round without an opponent.')],
  [mark('result'), mark('What each side has won. It stands when both sides have signed the same, or a judge has written it.')],
  [mark('call'), mark('You ask a judge to come to your table. All judges see it at once.')],
  [mark('penalty'), mark('What a judge writes down about somebody, from a warning on. It stands in the record of the event.')],
  [mark('drop'), mark('Play no further round.')],
  [mark('code of the event'), mark('Digits to compare with the wall: who has the same sees the same event.')],
];
