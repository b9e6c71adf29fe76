/**
 * The event's word at one of its tables: an organizer's signed act in an `admit` or a `replace` (specs/protocol.md).
 * @module
 */

import { fromHex } from './bytes.js';
import { actMessage } from './event/acts.js';
import { Failure } from './findings.js';

/** @typedef {{act: any, at: string, by: string, sig: string, upon: string}} Act as the event's line has it */

/** By type, where such an act stands, and what it is said not to be. */
const OF = {
  appoint: {
    code: 'admit.appointment',
    text: "The appointment is no act by which an organizer of this table's event made {name} a judge.",
  },
  'correct-key': {
    code: 'replace.correction',
    text: "The correction is no act by which an organizer of this table's event gave {name} this key, or stands beside a succession.",
  },
};

/**
 * Step 16: the act is one of an organizer's, about what the line is about, and its signature is demanded.
 * @param {import('./game.js').Game} game @param {{seq: number, time: string}} event of the line @param {'appoint' | 'correct-key'} type
 * @param {Act} word @param {string} name of whom the line is about @param {boolean} fits whether such an act may stand there, and has its role and key
 * @param {import('./game.js').Demand} demand @throws {Failure}
 */
export function checkWord(game, { seq, time }, type, word, name, fits, demand) {
  const { event } = game.terms;
  const key = event?.organizers.get(word.by);
  const { code, text } = OF[type];
  if (event === null || key === undefined || !fits) throw new Failure(16, code, text, { name });
  const unsigned = () =>
    new Failure(16, code, "The signature of the act about {name} is not that of {by}, an organizer of this table's event.", { name, by: word.by });
  demand(unsigned, key, fromHex(word.sig), actMessage({ ...word, event: event.id, type }));
  game.words.push({ seq, time, type, word });
}
