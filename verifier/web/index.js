/**
 * The exports for programs.
 * @module
 */

export { verifyLog } from './log.js';
export { isBundle, verifyBundle } from './event/bundle.js';
export { isEventLog, verifyEvent } from './event/verify.js';
export { isEvidence, verifyEvidence } from './evidence.js';
export { checkOpening, checkReceived, tellOpening } from './openings.js';
export { PolicyError } from './policy.js';
export { checkProof, provenWords } from './proof.js';
