/**
 * What a program imports.
 * @module
 */

export { verifyLog } from './log.js';
