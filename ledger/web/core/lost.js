/**
 * A lost browser at a served table: the keys that ask for a party's place, and the wish for one of them
 * (specs/network.md).
 * @module
 */

import { toHex } from '../../../verifier/web/bytes.js';
import { readVerifierKey } from '../../../verifier/web/identities.js';
import { whoConsent } from '../../../verifier/web/late.js';
import { takesPlace } from '../../../verifier/web/lost.js';
import { canonical } from '../../../verifier/web/json.js';
import { successionFlaw } from '../../../verifier/web/succession.js';
import { signed } from './forms.js';

/** @typedef {import('../../../verifier/web/game.js').Game} Game */
/** @typedef {import('../../../verifier/web/game.js').Place} Place */
/** @typedef {import('./forms.js').Seat} Seat */

/** The roles whose browser can be replaced. */
const ROLES = ['player', 'gm', 'witness'];

/** @param {import('./signer.js').Signer} by @param {string} game @param {string} key that asks @returns {Promise<string>} the wish that it go on */
export const newReplace = (by, game, key) => signed(by, 'replace', { by: by.key, format: 'rollproof/replace/v1', game, key });

/** @param {Game} game @param {string} key a valid verifier key @returns {boolean} whether it is, or was, a party's */
export function isKnown(game, key) {
  const publicKey = toHex(/** @type {any} */ (readVerifierKey(key)).publicKey);
  return [...game.places.values()].some(({ party, former }) =>
    [party.key, ...former.map((each) => each.key)].some((each) => toHex(each.bytes) === publicKey),
  );
}

/** @param {Game} game @param {string} key a verifier key @returns {Place | undefined} the party's whose present key it is */
export const placeOf = (game, key) => [...game.places.values()].find(({ party }) => party.verifierKey === key);

/** @param {Game} game @param {Place} place @param {string} key @returns {boolean} whether it may write the join by which it takes the party's place */
export const mayTake = (game, place, key) => place.asked !== null && place.asked.key === key && takesPlace(game, place, place.asked);

/** @param {Game} game @param {string} name of a party @returns {string | null} the judge who signed it away, if it is away by that */
export function judgeAway(game, name) {
  const author = game.place(name)?.signedAway ?? null;
  return author !== null && game.place(author)?.party.role === 'judge' ? author : null;
}

/** @param {Game} game @param {Place} place @returns {boolean} whether it is away since before it came under its present key by the event's word: then it comes back by itself */
export function comesBack(game, { party: { name }, away, signedAway, former }) {
  const joined = former.at(-1)?.until;
  if (!away || signedAway === null || joined === undefined) return false;
  const last = game.aways.findLast(({ party }) => party === name);
  return last !== undefined && last.seq < joined && game.replacements.some(({ seq, corrected }) => seq === joined && corrected);
}

/** @param {Place} place @param {Seat} seat that asks @returns {boolean} whether its succession, if any, is by the recovery key of the party's join */
const fits = ({ party, recovery }, { key, succession }) =>
  succession === undefined || (succession.key === party.verifierKey && succession.new === key && succession.recovery === recovery);

/** Seats that ask to go on, of which it is known whether their succession holds. @type {WeakMap<Seat, boolean>} */
const sound = new WeakMap();

/** Checks the successions of the asking seats. @param {Seat[]} seats that hold @returns {Promise<void>} */
export async function lookAtSuccessions(seats) {
  for (const seat of seats) {
    if (seat.succession !== undefined && !sound.has(seat)) sound.set(seat, (await successionFlaw(seat.succession)) === null);
  }
}

/** @param {Game} game @param {Seat[]} seats that hold, and were looked at @returns {Seat[]} those that ask to go on in the place of a party's present key */
export const goingOn = (game, seats) =>
  seats.filter((seat) => {
    const place = seat.replaces === undefined ? undefined : placeOf(game, seat.replaces);
    if (place === undefined || place.left || place.party.role !== seat.role || !ROLES.includes(seat.role) || isKnown(game, seat.key)) return false;
    return fits(place, seat) && (seat.succession === undefined || sound.get(seat) === true);
  });

/**
 * The succession with which a key asks, or none: the last of its profile's, where it is by the recovery key of the party's join.
 * @param {Place} place @param {string} key that asks @param {import('./profile.js').Succession[]} successions of its profile
 * @returns {import('./profile.js').Succession | null}
 */
export function successionFor({ party, recovery }, key, successions) {
  const last = successions.at(-1);
  const stated = last && canonical([last.key, last.new, last.recovery]);
  return last !== undefined && stated === canonical([party.verifierKey, key, recovery ?? '']) ? last : null;
}

/** @param {Game} game @param {string} name of a party @returns {string[]} whose consent a new key of it needs */
export const asksWhom = (game, name) =>
  whoConsent(game)
    .map(({ party }) => party.name)
    .filter((each) => each !== name);

/** @param {Game} game @param {string} role @returns {{name: string, called: string | null}[]} as whom somebody with a link of this role could go on */
export const lostOnes = (game, role) =>
  [...game.places.values()]
    .filter(({ party, joined, left }) => joined && !left && party.role === role && ROLES.includes(role))
    .map(({ party: { name, called } }) => ({ name, called }));
