/**
 * The keys that this browser makes at an event: a player's, by the code or by the number, and that of the desk or of a
 * judge (specs/page.md, "An event").
 * @module
 */

import { toHex } from '../../../verifier/web/bytes.js';
import { claimMessage } from '../../../verifier/web/event/acts.js';
import { newSealingKey } from './chains.js';
import { Refused, say } from './errors.js';
import { claimKey } from './event-link.js';
import { canBeCalled } from './forms.js';
import { fromBase64Url, newSigner } from './signer.js';

/** @typedef {import('./event.js').EventHere} EventHere */

/**
 * Makes a key of this browser's own, and stores it before anything of it leaves.
 * @param {EventHere} event @param {string} name @param {{number?: number}} more `number`: of the player
 * @returns {Promise<any>} the key as it is stored @throws {Refused} where the browser keeps none
 */
async function newSeat(event, name, more) {
  const { storage, ability } = event.here;
  if (ability !== null) throw new Refused('ability', ability);
  const { signer, secret } = await newSigner(name, storage.readsKeys);
  secret.fill(0);
  const seat = {
    event: event.id,
    key: signer.key,
    name,
    signing: signer.signing,
    sealing: await newSealingKey(storage.readsKeys),
    code: event.code,
    ...more,
  };
  await storage.write([
    { store: 'seats', key: event.seatAt, value: seat },
    ...(event.staff ? [] : [{ store: /** @type {const} */ ('seats'), key: `${event.seatAt} ${name}`, value: seat }]),
  ]);
  event.seat = seat;
  event.access = null; // it was another key's
  if (event.staff) event.connection.token = null;
  else await event.findSeats();
  return seat;
}

/**
 * Takes the key that a player still has here, or makes one.
 * @param {EventHere} event @param {number} number @returns {Promise<any>} the key as it is stored @throws {Refused}
 */
async function seatOf(event, number) {
  const kept = event.keptSeat(number);
  if (kept === undefined) return newSeat(event, `p${number}`, { number });
  await event.act_(kept);
  return kept;
}

/**
 * Checks in by a claim code: it binds a new key of this browser's.
 * @param {EventHere} event @param {string} code @throws {Refused | import('./errors.js').Away}
 */
export async function checkIn(event, code) {
  const given = code.trim().replace(/^.*#/, '');
  if (fromBase64Url(given)?.length !== 32)
    throw new Refused('malformed', say('This is no claim code: it has 43 letters, digits, hyphens and underscores.'));
  event.code = given;
  event.connection.token = await event.token();
  const key = await claimKey(given);
  const claim = toHex(key.publicKey);
  const player = [...event.log.players.values()].find((each) => each.claim === claim);
  if (player === undefined) throw new Refused('player.claim', say('Nobody is registered with this code at this event.'));
  const seat = await seatOf(event, player.number);
  await event.act('check-in', { claim: await key.sign(claimMessage(event.id, seat.key)), key: seat.key, number: player.number });
  await event.named.fetch();
  event.changed();
}

/**
 * Makes a key in this browser for a player whose phone or code is lost; the desk gives it to the player.
 * @param {EventHere} event @param {number} number @returns {Promise<string>} the verifier key @throws {Refused}
 */
export async function newPhone(event, number) {
  if (!event.log.players.has(number)) throw new Refused('player.unknown', say('Nobody is registered with this number.'));
  event.code = null; // whoever has the code may be somebody else
  const { key } = await seatOf(event, number);
  event.changed();
  return key;
}

/** Returns whether nobody can be appointed by this name any more (rule E8). @param {EventHere} event @param {string} name */
export const isTaken = ({ log }, name) => log.people.has(name) || name === log.keeper;

/**
 * Makes a key for the desk or a judge, whom an organizer appoints by it.
 * @param {EventHere} event @param {string} name @returns {Promise<string>} the verifier key @throws {Refused}
 */
export async function beStaff(event, name) {
  if (!canBeCalled(name) || /^p[0-9]+$/.test(name)) {
    throw new Refused(
      'table.name',
      say('A name has 1 to 32 letters a–z, digits, dots, underscores and hyphens, and begins with a letter or a digit.'),
    );
  }
  if (isTaken(event, name))
    throw new Refused(
      'appoint.person',
      say('Somebody has, or had, the name {name} at this event. Take another one: {other}, for example.', {
        name,
        other: `${name.slice(0, 30)}-2`,
      }),
    );
  const { key } = await newSeat(event, name, {});
  event.changed();
  return key;
}
