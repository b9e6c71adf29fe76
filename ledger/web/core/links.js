/**
 * Links to tables (specs/network.md, "Links").
 * @module
 */

import { toHex } from '../../../verifier/web/bytes.js';
import { sha256 } from '../../../verifier/web/sha256.js';
import { Refused, say } from './errors.js';
import { derived, fromBase64Url, keyFromSeed, toBase64Url } from './signer.js';

/** @typedef {{address: string, table: string, role: string, secret: Uint8Array}} Link `table` in hex; `secret` 32 bytes */
/** @typedef {{key: string, role: string, token: string}} Invitation what the terms say of a link, in hex */

/** Roles that a link can be for. */
export const INVITED = ['player', 'gm', 'judge', 'witness', 'spectator'];

const HOST = /^https?:\/\/([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([1-9][0-9]{0,4}))?((?:\/[A-Za-z0-9._~-]+)*)\/*$/;
/** Characters of a link: a longer text is none, and only keeps the pattern busy. */
const MAX_LINK = 2_000;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const LINK = /^(https?:\/\/[^\s#?]+?)\/t\/([0-9a-f]{64})#([a-z]+)\.([A-Za-z0-9_-]{43})$/;

/**
 * Whether an address is a server's, and what it shows is what it reaches: the URL parser leaves its host as it is.
 * @param {string} text
 */
export function isAddress(text) {
  const [, host = '', port = '1', path = ''] = HOST.exec(text) ?? [];
  if (host === '' || Number(port) > 65_535 || path.split('/').some((step) => step === '.' || step === '..')) return false;
  if (!host.startsWith('[') && !host.split('.').every((label) => LABEL.test(label))) return false;
  try {
    const { hostname } = new URL(text);
    return host.startsWith('[') || hostname === host.toLowerCase();
  } catch {
    return false;
  }
}

/** @param {string} text @returns {Link} @throws {Refused} `malformed` */
export function parseLink(text) {
  const found = text.length > MAX_LINK ? null : LINK.exec(text.trim());
  const secret = found && fromBase64Url(found[4]);
  if (!found || !isAddress(found[1]) || !secret || !INVITED.includes(found[3])) {
    throw new Refused('malformed', say('This is no link to a table: it has the form ADDRESS/t/TABLE#ROLE.SECRET; copy it whole.'));
  }
  return { address: found[1].replace(/\/+$/, ''), table: found[2], role: found[3], secret };
}

/** @param {Link} link @returns {string} */
export const formatLink = ({ address, table, role, secret }) => `${address}/t/${table}#${role}.${toBase64Url(secret)}`;

/** @param {Uint8Array} secret @returns {Promise<string>} what the server is shown, hex */
export const tokenOf = async (secret) => toHex(await derived(secret, 'rollproof/v1/token\n'));

/** The invitation key: it never leaves. @param {Uint8Array} secret */
export const invitationKey = async (secret) => keyFromSeed(await derived(secret, 'rollproof/v1/invitation key\n'));

/** @param {string} role @param {Uint8Array} secret @returns {Promise<Invitation>} */
export async function invitationOf(role, secret) {
  const token = await derived(secret, 'rollproof/v1/token\n');
  const key = role === 'spectator' ? '0'.repeat(64) : toHex((await invitationKey(secret)).publicKey);
  return { key, role, token: toHex(sha256(token)) };
}
