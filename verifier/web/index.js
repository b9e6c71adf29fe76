/**
 * What a program imports.
 * @module
 */

export { verifyLog } from './log.js';
export { isEvidence, verifyEvidence } from './evidence.js';
export { checkOpening, checkReceived } from './openings.js';
export { checkProof } from './proof.js';
