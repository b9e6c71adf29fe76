/**
 * The forms of a table's signed messages, and their signatures (specs/network.md, "The table").
 * @module
 */

import { concat, fromHex, fromUtf8, utf8 } from '../../../verifier/web/bytes.js';
import { MAX_PARTIES } from '../../../verifier/web/constants.js';
import { isName, readVerifierKey } from '../../../verifier/web/identities.js';
import { canonical, readCanonical } from '../../../verifier/web/json.js';
import {
  array,
  called,
  PERMISSIONS,
  SUCCESSION,
  hex32,
  hex64,
  integer,
  isTime,
  members,
  must,
  name,
  object,
  oneOf,
  requiredText,
  string,
  text,
} from '../../../verifier/web/schema.js';
import { PublicKey } from '../../../verifier/web/signatures.js';
import { Refused, say } from './errors.js';
import { INVITED } from './links.js';

/** @typedef {import('../../../verifier/web/schema.js').Check} Check */

/**
 * @typedef {object} TableTerms
 * @property {'all' | 'roller' | string[]} contributors
 * @property {string} format
 * @property {string} host
 * @property {import('./links.js').Invitation[]} invitations
 * @property {{after: number, key: string}} [judge] the server's
 * @property {string} keeper
 * @property {string} nonce
 * @property {any} options
 * @property {string} [posts] where the server posts each result, as it calls the place
 * @property {string} [public] the address at which everybody can read the closed game, as the server says it
 * @property {string} sig
 * @property {string} system
 * @property {string} time
 * @property {string} title
 */
/** @typedef {TableTerms & import('../../../verifier/web/schema.js').Permissions} Terms what a table permits is what its game will permit */
/** @typedef {{called?: string, format: string, invitation: string, key: string, replaces?: string, role: string, sig: string, succession?: import('../../../verifier/web/succession.js').Succession, table: string}} Seat `replaces`: the lost key in whose place it asks to go on */
/** @typedef {{called?: string, key: string, role: string}} StartParty */
/** @typedef {{format: string, parties: StartParty[], sig: string, table: string}} Start */
/** @typedef {{count: number, format: string, link: import('./links.js').Invitation, sig: string, table: string}} Invite a new link of a role, by the host */
/** @typedef {{game: string | null, here: string[], invites: any[], seats: any[], start: any, terms: string}} TableState as a server tells it, unchecked */

const NO_KEY = '0'.repeat(64);
/** A valid verifier key. */
export const key = must((value) => typeof value === 'string' && readVerifierKey(value) !== null, 'a verifier key');
const seated = oneOf('player', 'gm', 'judge', 'witness');

const TERMS = members(
  {
    contributors: (/** @type {any} */ value) => (value === 'all' || value === 'roller' ? null : array(name, 2, MAX_PARTIES)(value)),
    format: oneOf('rollproof/table/v1'),
    host: key,
    invitations: array(members({ key: hex32, role: oneOf(...INVITED), token: hex32 }), 1, INVITED.length),
    keeper: key,
    nonce: hex32,
    options: object,
    sig: hex64,
    system: string,
    time: must(isTime, 'a time'),
    title: text,
  },
  {
    ...PERMISSIONS,
    judge: members({ after: integer(1, 604_800), key }),
    posts: requiredText,
    public: requiredText,
  },
);
const SEAT = members(
  { format: oneOf('rollproof/seat/v1'), invitation: hex64, key, role: seated, sig: hex64, table: hex32 },
  { called, replaces: key, succession: SUCCESSION },
);
const START = members({
  format: oneOf('rollproof/start/v1'),
  parties: array(members({ key, role: seated }, { called }), 1, MAX_PARTIES - 1),
  sig: hex64,
  table: hex32,
});
const INVITE = members({
  count: integer(1, 64),
  format: oneOf('rollproof/invite/v1'),
  link: members({ key: hex32, role: oneOf(...INVITED), token: hex32 }),
  sig: hex64,
  table: hex32,
});
const nullOr = (/** @type {Check} */ check) => (/** @type {any} */ value) => (value === null ? null : check(value));
const STATE = members({
  game: nullOr(hex32),
  here: array(name, 0, 1_000),
  invites: array(object, 0, 1_000),
  seats: array(object, 0, 1_000),
  start: nullOr(object),
  terms: string,
});

/** @param {string | Uint8Array} data @param {Check} check @returns {any} @throws {Refused} `malformed` */
function parse(data, check) {
  const line = typeof data === 'string' ? data : fromUtf8(data);
  const value = line === null ? undefined : readCanonical(line);
  if (value === undefined || check(value) !== null) {
    throw new Refused('malformed', say("The server's description of the table is malformed."));
  }
  return value;
}

/** @param {string | Uint8Array} line @returns {Terms} @throws {Refused} `malformed` */
export function parseTerms(line) {
  const terms = /** @type {Terms} */ (parse(line, TERMS));
  const roles = terms.invitations.map((each) => each.role);
  const odd = terms.invitations.some((each) => (each.key === NO_KEY) !== (each.role === 'spectator'));
  if (odd || new Set(roles).size !== roles.length) {
    throw new Refused('malformed', say("The server's description of the table is malformed."));
  }
  return terms;
}

/** @param {string | Uint8Array} data @returns {Seat} @throws {Refused} `malformed` */
export function parseSeat(data) {
  const seat = /** @type {Seat} */ (parse(data, SEAT));
  const { replaces, succession } = seat;
  const odd = replaces === undefined ? succession !== undefined : seat.called !== undefined || nameIn(replaces) !== nameIn(seat.key);
  if (!odd) return seat;
  throw new Refused('malformed', say("The server's description of the table is malformed."));
}

/** @param {string} valid a verifier key @returns {string} */
const nameIn = (valid) => /** @type {any} */ (readVerifierKey(valid)).name;

/** @param {string | Uint8Array} data @returns {Invite} @throws {Refused} `malformed` */
export function parseInvite(data) {
  const invite = /** @type {Invite} */ (parse(data, INVITE));
  if ((invite.link.key === NO_KEY) === (invite.link.role === 'spectator')) return invite;
  throw new Refused('malformed', say("The server's description of the table is malformed."));
}

/** @param {string | Uint8Array} data @returns {Start} @throws {Refused} `malformed` */
export const parseStart = (data) => parse(data, START);

/** @param {any} value of a server's answer @returns {TableState} its form alone @throws {Refused} `malformed` */
export function parseState(value) {
  if (STATE(value) === null) return value;
  throw new Refused('malformed', say("The server's description of the table is malformed."));
}

/**
 * Returns the signed bytes: the label, and the canonical form without the members that hold signatures.
 * @param {string} label @param {{[name: string]: any}} value @returns {Uint8Array}
 */
export function signedForm(label, value) {
  const { sig: _sig, invitation: _invitation, ...rest } = value;
  return concat(utf8(`rollproof/v1/${label}\n`), utf8(/** @type {string} */ (canonical(rest))));
}

/** @param {string} verifierKey @param {string} label @param {any} value with `sig` @returns {Promise<boolean>} */
export async function isSigned(verifierKey, label, value) {
  const identity = readVerifierKey(verifierKey);
  return identity !== null && holds(identity.publicKey, value.sig, signedForm(label, value));
}

/** @param {Uint8Array} publicKey @param {string} sig hex @param {Uint8Array} message @returns {Promise<boolean>} */
export const holds = async (publicKey, sig, message) => (await PublicKey.from(publicKey)).verify(fromHex(sig), message);

/**
 * Signs an object, and returns its canonical form.
 * @param {import('./signer.js').Signer} signer @param {string} label @param {any} value without `sig` @returns {Promise<string>}
 */
export async function signed(signer, label, value) {
  return /** @type {string} */ (canonical({ ...value, sig: await signer.sign(signedForm(label, value)) }));
}

/** @param {string} value @returns {boolean} whether a party can be called so */
export const canBeCalled = (value) => isName(value) && value !== 'file';
