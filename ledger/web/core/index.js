/**
 * The exports for a page: a participant without a page (specs/page.md, "How it is laid out").
 * @module
 */

export { Away, Changed, Cheated, Refused, Stopped } from './errors.js';
export { Here } from './here.js';
export { IndexedDbStorage } from './indexeddb.js';
export { MIN_PASSPHRASE } from './move.js';
export { lateRoles, takesSecrets } from './lobby.js';
export { formatLink, INVITED, parseLink } from './links.js';
export { MemoryStorage } from './storage.js';
export { Table } from './table.js';
export { PluginDesk } from './window.js';

/**
 * The members of a browser's keys and tables that screens use, and no others. The core that tests draw screens with has
 * the same members,
 * and `tsc` refuses it where it lacks one (tests/web/fake_core.js).
 * @typedef {Pick<import('./here.js').Here,
 *   'ability' | 'bringIn' | 'keepProfile' | 'language' | 'links' | 'me' | 'openTable' | 'persisted' | 'profileOffered' |
 *   'server' | 'successions' | 'table' | 'tables' | 'take'>} ScreenHere
 */
/**
 * The members of one table that screens use.
 * @typedef {Pick<import('./table.js').Table, 'close' | 'connect' | 'evidence' | 'move' | 'snapshot' | 'subscribe' | 'take' | 'told' | 'wake'> & {
 *   admissions: Pick<import('./admissions.js').Admissions, 'ask' | 'askToGoOn' | 'letGoOn' | 'letIn'>,
 *   game: Pick<import('./table-game.js').TableGame, 'advise' | 'agree' | 'compareCode' | 'decline' | 'explain' | 'goOnWithout' | 'hide' |
 *     'know' | 'knowAgain' | 'prepare' | 'read' | 'save' | 'show' | 'showFile' | 'sign' | 'void'>,
 *   host: Pick<import('./table-host.js').TableHost, 'closeGame' | 'deleteTable' | 'newLink' | 'start' | 'unseat'>,
 *   sharing: Pick<import('./sharing.js').Sharing, 'isOwnRoll' | 'proofOf' | 'publish' | 'published' | 'publishedLink' | 'revoke'>,
 *   sitting: Pick<import('./sitting.js').Sitting, 'sit'>}} ScreenTable
 */
