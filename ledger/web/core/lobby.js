/**
 * A table before its event 0: the signatures of host and parties, and the checks of a client (specs/network.md, "The
 * table").
 * Nothing here asks the network or the clock.
 * @module
 */

import { fromHex, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { FORMAT } from '../../../verifier/web/constants.js';
import { hasSmallOrder } from '../../../verifier/web/ed25519.js';
import { Failure } from '../../../verifier/web/findings.js';
import { leafHash } from '../../../verifier/web/hashes.js';
import { readVerifierKey } from '../../../verifier/web/identities.js';
import { canonical } from '../../../verifier/web/json.js';
import { readEvent } from '../../../verifier/web/lines.js';
import { openOf } from '../../../verifier/web/log.js';
import { sha256 } from '../../../verifier/web/sha256.js';
import { LATE_ROLES, PERMISSIONS } from '../../../verifier/web/schema.js';
import { SYSTEMS } from '../../../verifier/web/systems.js';
import { readTerms } from '../../../verifier/web/terms.js';
import { Refused, say } from './errors.js';
import { holds, isSigned, parseInvite, parseSeat, signed, signedForm } from './forms.js';
import { invitationKey, invitationOf } from './links.js';
import { isKnown } from './lost.js';

/** @typedef {import('./forms.js').Invite} Invite */
/** @typedef {import('./forms.js').Seat} Seat */
/** @typedef {import('./forms.js').Start} Start */
/** @typedef {import('./forms.js').Terms} Terms */
/** @typedef {import('./links.js').Link} Link */
/** @typedef {import('./signer.js').Signer} Signer */

/** @param {string} line of the terms @returns {string} the table's id */
export const idOf = (line) => toHex(sha256(utf8(line)));

/** @param {string} key a valid verifier key @returns {import('../../../verifier/web/identities.js').Identity} */
const identity = (key) => /** @type {any} */ (readVerifierKey(key));

/** Names by key, of those that were asked for: a snapshot has some of them each time. @type {Map<string, string>} */
const names = new Map();
const MOST_NAMES = 1_000;

/** @param {string} key a valid verifier key @returns {string} */
export function nameOf(key) {
  const name = names.get(key) ?? identity(key).name;
  if (names.size < MOST_NAMES) names.set(key, name);
  return name;
}

/** @param {string} a @param {string} b @returns {boolean} whether two verifier keys have one public key */
const sameKey = (a, b) => toHex(identity(a).publicKey) === toHex(identity(b).publicKey);

// --- signing -------------------------------------------------------------------------------------------------------

/**
 * @param {Signer} host @param {Omit<Terms, 'format' | 'host' | 'sig'>} what @returns {Promise<string>} the line of the terms
 */
export const newTerms = (host, what) => signed(host, 'table', { ...what, format: 'rollproof/table/v1', host: host.key });

/**
 * @param {Signer} party @param {Link} link @param {string | null} [called] what the party is called
 * @param {{replaces?: string, succession?: any}} [lost] in whose place it asks to go on @returns {Promise<string>}
 */
export async function newSeat(party, link, called = null, lost = {}) {
  const seat = { ...(called === null ? {} : { called }), ...lost, format: 'rollproof/seat/v1', key: party.key, role: link.role, table: link.table };
  const invitation = await (await invitationKey(link.secret)).sign(signedForm('invitation', seat));
  return signed(party, 'seat', { ...seat, invitation });
}

/** @param {Signer} host @param {string} table @param {string} key whose seat is taken away @returns {Promise<string>} */
export const newUnseat = (host, table, key) => signed(host, 'unseat', { format: 'rollproof/unseat/v1', key, table });

/** @param {Signer} host @param {string} table @param {import('./links.js').Invitation} link @param {number} count @returns {Promise<string>} */
export const newInvite = (host, table, link, count) => signed(host, 'invite', { count, format: 'rollproof/invite/v1', link, table });

/** @param {Signer} host @param {string} table @param {import('./forms.js').StartParty[]} parties @returns {Promise<string>} */
export const newStart = (host, table, parties) => signed(host, 'start', { format: 'rollproof/start/v1', parties, table });

/**
 * The host's word, upon a line of the game, that somebody who asks may come in.
 * @param {Signer} host @param {string} game @param {string} head leaf hash of the line @param {string} key @param {string} role @returns {Promise<string>}
 */
export const newAdmit = (host, game, head, key, role) => signed(host, 'admit', { format: 'rollproof/admit/v1', game, head, key, role });

/** @param {Signer} host @param {string} table @param {string} game @returns {Promise<string>} */
export const newClose = (host, table, game) => signed(host, 'close', { format: 'rollproof/close/v1', game, table });

/** @param {Signer} host @param {string} table @returns {Promise<string>} */
export const newDelete = (host, table) => signed(host, 'delete', { format: 'rollproof/delete/v1', table });

/** @param {Signer} party @param {string} game @param {string} time @returns {Promise<string>} */
export const newAccess = (party, game, time) => signed(party, 'access', { format: 'rollproof/access/v1', game, party: party.name, time });

// --- checking ------------------------------------------------------------------------------------------------------

/** @param {Terms} terms @throws {Refused} `table.terms` */
async function checkSigned(terms) {
  if (await isSigned(terms.host, 'table', terms)) return;
  throw new Refused('table.terms', say("The table's signature is not {host}'s, the host's.", { host: nameOf(terms.host) }));
}

/**
 * The host's new links among those that the server shows: what else it put there is nobody's.
 * @param {Terms} terms @param {string} table @param {any[]} invites @returns {Promise<Invite[]>} of each role and count the first
 */
export async function invitesThatHold(terms, table, invites) {
  /** @type {Map<string, Invite>} */
  const found = new Map();
  for (const value of invites) {
    try {
      const invite = parseInvite(canonical(value) ?? '');
      const { role, key } = invite.link;
      const fits =
        invite.table === table &&
        terms.invitations.some((each) => each.role === role) &&
        !found.has(`${role} ${invite.count}`) &&
        (role === 'spectator' || !hasSmallOrder(/** @type {Uint8Array} */ (fromHex(key))));
      if (fits && (await isSigned(terms.host, 'invite', invite))) found.set(`${role} ${invite.count}`, invite);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  return [...found.values()];
}

/** What a role's links have, or had, for invitations. @param {Terms} terms @param {Invite[]} invites that hold @param {string} role @returns {import('./links.js').Invitation[]} the latest last */
export const invitationsOf = (terms, invites, role) => [
  ...terms.invitations.filter((each) => each.role === role),
  ...invites
    .filter((each) => each.link.role === role)
    .sort((a, b) => a.count - b.count)
    .map((each) => each.link),
];

/** Whether the host has made a new link in the place of this one. @param {Terms} terms @param {Invite[]} invites that hold @param {Link} link @returns {Promise<boolean>} */
export async function isEnded(terms, invites, link) {
  const latest = invitationsOf(terms, invites, link.role).at(-1);
  return canonical(latest ?? '') !== canonical(await invitationOf(link.role, link.secret));
}

/**
 * Whether the terms are those of the table that the link is for, and the host's, and the link one that it made.
 * @param {Link} link @param {string} line @param {Terms} terms that it is @param {Invite[]} [invites] that hold @throws {Refused} `table.terms`
 */
export async function checkLink(link, line, terms, invites = []) {
  if (idOf(line) !== link.table) {
    throw new Refused('table.terms', say('The server shows another table than the one that the link is for.'));
  }
  await checkSigned(terms);
  const invitation = canonical(await invitationOf(link.role, link.secret));
  if (!invitationsOf(terms, invites, link.role).some((each) => canonical(each) === invitation)) {
    throw new Refused(
      'table.terms',
      say("The link's secret is not that of the table's {role} link: copy the link whole, or ask for a new one.", { role: link.role }),
    );
  }
}

/** Whether a seat is one at this table, by its party and by a link of its role. @param {Terms} terms @param {string} table @param {Seat} seat @param {Invite[]} [invites] that hold @throws {Refused} */
export async function checkSeat(terms, table, seat, invites = []) {
  const name = nameOf(seat.key);
  const refuse = (/** @type {string} */ text) => new Refused('table.seat', say(text, { name, role: seat.role }));
  if (seat.table !== table) throw refuse("{name}'s seat is one at another table.");
  const invitations = invitationsOf(terms, invites, seat.role);
  if (invitations.length === 0) throw refuse('This table has no link for the role {role}.');
  const servers = serversOf(terms);
  if (servers.some(({ key }) => sameKey(seat.key, key))) throw refuse("The key of {name} is that of the server's keeper or judge.");
  const form = signedForm('invitation', seat);
  const by = await Promise.all(invitations.map((each) => holds(fromHex(each.key), seat.invitation, form)));
  if (!by.includes(true)) {
    throw refuse('{name} does not have the link for the role {role}: the invitation does not hold.');
  }
  if (!(await isSigned(seat.key, 'seat', seat))) throw refuse("The signature of {name}'s seat is not {name}'s.");
  if (servers.some(({ key }) => name === nameOf(key))) {
    throw new Refused('table.name', say("{name} is the name of the server's keeper or judge: choose another.", { name }));
  }
  for (const { key } of servers) checkCalled(seat, nameOf(key));
}

/** Whether a seat's names are none of another party's, code point by code point. @param {Seat} seat @param {string} name @param {string} [called] @throws {Refused} */
function checkCalled(seat, name, called) {
  const mine = [nameOf(seat.key), seat.called].find((each) => each !== undefined && (each === name || each === called));
  if (mine !== undefined) throw new Refused('table.name', say('Somebody else is called {name} at this table: choose another name.', { name: mine }));
}

/** Whether a seat is new among those that were taken. @param {Seat[]} seats @param {Seat} seat @returns {boolean} @throws {Refused} */
export function checkFree(seats, seat) {
  const name = nameOf(seat.key);
  for (const other of seats) {
    if (other.key === seat.key && other.role === seat.role) return false;
    if (sameKey(other.key, seat.key)) {
      throw new Refused('table.seat', say('{name} has a seat here already, as {role}.', { name: nameOf(other.key), role: other.role }));
    }
    if (seat.replaces !== undefined || other.replaces !== undefined) continue; // it takes no name
    if (nameOf(other.key) === name) {
      throw new Refused('table.name', say('Somebody else is called {name} at this table: choose another name.', { name }));
    }
    checkCalled(seat, nameOf(other.key), other.called);
  }
  return true;
}

/**
 * Seats that hold, in the order of their coming: what else the server put there is nobody's seat.
 * @param {Terms} terms @param {string} table @param {any[]} seats as the server tells them @param {Invite[]} [invites] that hold @returns {Promise<Seat[]>}
 */
export async function seatsThatHold(terms, table, seats, invites = []) {
  /** @type {Seat[]} */
  const found = [];
  for (const value of seats) {
    try {
      const seat = parseSeat(canonical(value) ?? '');
      await checkSeat(terms, table, seat, invites);
      if (checkFree(found, seat)) found.push(seat);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  return found;
}

/** @param {string} system @returns {string[]} the roles in which somebody may come later */
export const lateRoles = (system) => LATE_ROLES.filter((role) => role === 'witness' || role === 'judge' || SYSTEMS.get(system)?.late.includes(role));

/** @param {string} system @returns {boolean} whether it takes secret rolls */
export const takesSecrets = (system) => SYSTEMS.get(system)?.seals === true;

/**
 * The seats of those who are no party of the game, and wait for the host to let them in.
 * @param {Seat[]} seats that hold @param {import('../../../verifier/web/game.js').Game} game @returns {Seat[]}
 */
export const asking = (seats, game) => seats.filter((seat) => seat.replaces === undefined && !isKnown(game, seat.key));

/** The server's own parties: the keeper, and its judge if the table has one. @param {Terms} terms @returns {{key: string, role: string}[]} */
const serversOf = (terms) => [{ key: terms.keeper, role: 'keeper' }, ...(terms.judge === undefined ? [] : [{ key: terms.judge.key, role: 'judge' }])];

/** Returns event 0's body as agreed, except the nonce. @param {Terms} terms @param {Start} start */
function agreedBody(terms, start) {
  const { options, system, title } = terms;
  const parties = [...serversOf(terms), ...start.parties];
  const names = parties.map(({ key }) => nameOf(key));
  const listed = terms.contributors;
  // Who is named and does not play stands there too: then the terms are not valid, as they have to be.
  const contributors = Array.isArray(listed)
    ? [...names.filter((name) => listed.includes(name)), ...listed.filter((name) => !names.includes(name))]
    : listed;
  const permits = Object.fromEntries(Object.entries(terms).filter(([member]) => Object.hasOwn(PERMISSIONS, member)));
  const host = terms.admits === undefined ? {} : { host: terms.host };
  const judge = terms.judge === undefined ? {} : { judge: nameOf(terms.judge.key) };
  return { contributors, format: FORMAT, options, parties, system, title, ...permits, ...host, ...judge };
}

/** Whether the host starts with parties who have seats here, and who can play. @param {Terms} terms @param {string} table @param {Seat[]} seats @param {Start} start @param {Invite[]} [invites] that hold @throws {Refused} */
export async function checkStart(terms, table, seats, start, invites = []) {
  const host = nameOf(terms.host);
  if (start.table !== table) throw new Refused('table.host', say('The start was signed for another table.'));
  if (!(await isSigned(terms.host, 'start', start))) {
    throw new Refused('table.host', say("The signature of the start is not {host}'s, the host's.", { host }));
  }
  for (const { key, role, called } of start.parties) {
    const seat = seats.find((each) => each.key === key && each.role === role && each.replaces === undefined);
    if (seat === undefined) throw new Refused('table.start', say('{name} has no seat as {role}.', { name: nameOf(key), role }));
    if (seat.called !== called) throw new Refused('table.start', say('{name} has another name at its seat.', { name: nameOf(key) }));
    await checkSeat(terms, table, seat, invites);
  }
  if (!SYSTEMS.has(terms.system)) {
    throw new Refused('table.start', say('There are no rules {system} here.', { system: terms.system }));
  }
  try {
    await readTerms({ ...agreedBody(terms, start), nonce: '0'.repeat(64) });
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    throw new Refused('table.start', failure.words);
  }
}

/** @param {import('./errors.js').Message} problem @returns {Refused} */
const notAgreed = (problem) =>
  new Refused('table.opened', say('The server began another game than the one that was agreed to. {problem} Nothing was signed in it.', { problem }));

/**
 * Whether event 0 is what host and parties agreed to, and that of the game that was shown.
 * @param {Terms} terms checked by `checkLink` @param {string} table @param {Seat[]} seats @param {Start} start
 * @param {Uint8Array} line without its line feed @param {string} game hex @param {Invite[]} [invites] that hold
 * @throws {Refused} `table.opened` for event 0 itself
 */
export async function checkOpened(terms, table, seats, start, line, game, invites = []) {
  await checkSigned(terms);
  await checkStart(terms, table, seats, start, invites);
  if (toHex(leafHash(line)) !== game) throw notAgreed(say('Its event 0 is not that of the game that was shown.'));
  const opened = await openOf(line, {});
  if (opened instanceof Failure) throw notAgreed(opened.words);
  const { nonce: _nonce, ...body } = readEvent(line).body;
  const agreed = /** @type {any} */ (agreedBody(terms, start));
  for (const member of new Set([...Object.keys(body), ...Object.keys(agreed)])) {
    if (canonical(body[member] ?? '') !== canonical(agreed[member] ?? '')) {
      throw notAgreed(say('{member} is not what was agreed to.', { member }));
    }
  }
}
