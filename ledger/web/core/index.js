/**
 * What a page imports: a participant without a page (specs/page.md, "How it is laid out").
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
