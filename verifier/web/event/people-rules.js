/**
 * Rules on people: staff, players, keys and penalties (specs/event.md, E8 to E14 and E29).
 * @module
 */

import { toHex } from '../bytes.js';
import { readVerifierKey } from '../identities.js';
import { refuse } from './refusals.js';
import { PLAYER } from './terms.js';

/** @typedef {import('./log.js').EventLog} EventLog */
/** @typedef {import('../identities.js').Identity} Identity */
/** @typedef {import('./log.js').Player} Player */
/** @typedef {import('./log.js').Where} Where */

/** @param {EventLog} log @param {any} act @param {Where} where */
export function appoint(log, { key, role }, { seq }) {
  const found = readVerifierKey(key);
  if (found === null) {
    return refuse(8, 'appoint.person', 'Nobody can be appointed with this key: {problem}.', {
      problem: { text: '{text} is no verifier key that is valid', values: { text: key } },
    });
  }
  const { name, publicKey } = found;
  if (log.people.has(name) || name === log.keeper || log.known.has(toHex(publicKey)) || PLAYER.test(name)) {
    refuse(8, 'appoint.person', "{name} cannot be appointed: the name or the key is a player's, or was somebody's before.", { name });
  }
  log.people.set(name, { key, role, since: seq, until: null });
  return log.know(key, found);
}

/** @param {EventLog} log @param {any} act @param {Where} where */
export function dismiss(log, { name }, { seq, time }) {
  const person = log.people.get(name);
  if (person === undefined || person.until !== null) return refuse(9, 'appoint.person', '{name} has no office here that could end.', { name });
  const left = [...log.people.values()].some((each) => each !== person && each.until === null && each.role === 'organizer');
  if (!left) refuse(9, 'appoint.person', '{name} is the last organizer: an event has one.', { name });
  person.until = seq;
  log.ended.set(person.since, time);
  return undefined;
}

/** @param {EventLog} log @param {any} act */
export function register(log, { players }) {
  const numbers = new Set();
  const claims = new Set();
  for (const { number, claim } of players) {
    if (log.players.has(number) || numbers.has(number) || log.claims.has(claim) || claims.has(claim)) {
      refuse(10, 'player.number', "Player {number} is registered already, or has somebody else's claim code.", { number });
    }
    numbers.add(number);
    if (claim !== undefined) claims.add(claim);
  }
  for (const { number, name, claim = null } of players) {
    log.players.set(number, { number, name, claim, key: null, state: 'registered', before: 'registered' });
    if (claim !== null) log.claims.add(claim);
  }
}

/** E11. @param {EventLog} log @param {number} number @returns {Player} */
function registered(log, number) {
  return log.players.get(number) ?? refuse(11, 'player.unknown', 'Player {number} is not registered.', { number });
}

/** E13. @param {EventLog} log @param {string} key @param {number} number @returns {Identity} of a key that the player can have @throws {Failure} */
function newKey(log, key, number) {
  const found = readVerifierKey(key);
  if (found === null) {
    return refuse(13, 'player.key', 'Player {number} cannot have this key: {problem}.', {
      number,
      problem: { text: '{text} is no verifier key that is valid', values: { text: key } },
    });
  }
  if (found.name !== `p${number}` || log.known.has(toHex(found.publicKey))) {
    refuse(13, 'player.key', "Player {number} cannot have this key: it has another name than p{number}, or is somebody's.", { number });
  }
  return found;
}

/** @param {EventLog} log @param {any} act @param {string} by @param {Where} where */
export function checkIn(log, { number, key, claim, tablet }, by, { seq, claimed }) {
  const player = registered(log, number);
  if (player.state === 'in') refuse(12, 'player.state', 'Player {number} is checked in already.', { number });
  if (player.state === 'dropped') refuse(12, 'player.state', 'Player {number} has dropped.', { number });
  const found = newKey(log, key, number);
  const desk = by !== found.name;
  if (desk ? claim !== undefined : tablet !== undefined || !claimed) {
    refuse(14, 'player.claim', 'The claim code of player {number} did not sign this key.', { number });
  }
  player.key = key;
  player.state = 'in';
  log.know(key, found);
  log.count('event.desk', seq, desk ? 1 : 0);
  log.count('event.tablet', seq, tablet === undefined ? 0 : 1);
}

/** @param {EventLog} log @param {any} act @param {Where} where */
export function correctKey(log, { number, key }, { seq, time }) {
  const player = registered(log, number);
  if (player.state !== 'in') refuse(12, 'player.state', 'Player {number} is not checked in.', { number });
  const found = newKey(log, key, number);
  const before = log.rekeyed.get(number);
  if (before !== undefined) log.ended.set(before, time);
  log.rekeyed.set(number, seq);
  player.key = key;
  log.know(key, found);
  log.count('event.rekeyed', seq);
}

/** @param {EventLog} log @param {'drop' | 'correct-drop'} type @param {any} act @param {Where} where */
export function drop(log, type, { number }, { seq }) {
  const player = registered(log, number);
  if (type === 'drop') {
    if (player.state === 'dropped') refuse(12, 'player.state', 'Player {number} has dropped.', { number });
    return takeOut(player);
  }
  if (player.state !== 'dropped') refuse(12, 'player.state', 'Player {number} has not dropped.', { number });
  player.state = player.before;
  return log.count('event.corrected', seq);
}

/** @param {Player} player */
function takeOut(player) {
  if (player.state === 'dropped') return;
  player.before = player.state;
  player.state = 'dropped';
}

/** @param {EventLog} log @param {'penalty' | 'correct-penalty'} type @param {any} act @param {string} by @param {Where} where */
export function penalize(log, type, act, by, { seq }) {
  const before = type === 'penalty' ? { number: act.number, penalty: act.penalty, text: act.text, by } : log.penalties.get(act.line);
  if (before === undefined) return refuse(29, 'penalty.unknown', 'Line {line} is no penalty that stands.', { line: act.line });
  const { number } = before;
  const player = registered(log, number);
  if (type === 'correct-penalty') {
    log.penalties.delete(act.line);
    if (act.penalty === undefined) log.takenBack.set(act.line, { ...before, back: { by, reason: act.reason } });
    log.count('event.corrected', seq);
  }
  if (act.penalty !== undefined) log.penalties.set(seq, { number, penalty: act.penalty, text: act.text ?? act.reason, by });
  if (act.penalty === 'disqualification') takeOut(player);
  return undefined;
}
