/**
 * Bounds and labels, named as in specs/README.md and specs/checkpoints.md.
 * @module
 */

import { utf8 } from './bytes.js';

export const MAX_LINE = 65_535;
/** Lines after which the host's word for an admission lapses. */
export const MAX_WORD = 64;
/** Tags of one `seal`. */
export const MAX_TAGS = 64;
/** Unused tags of a holder of secret rolls, and its revealed rolls that it has not shown. */
export const MAX_SEALED = 128;
export const MAX_PARTIES = 64;
/** The highest number of a player of an event. */
export const MAX_PLAYERS = 5_000;
export const MAX_TEXT = 500;
export const MAX_CALLED = 40;
export const MAX_CHAIN = 65_536;
export const MAX_DICE = 1_000;
export const MAX_DEPTH = 64;
export const HISTORY = 1_000;

export const MAX_NOTE = 262_144;
export const MAX_SIGNATURES = 64;
export const MAX_PROOF = 63;
export const MAX_PROOF_FILE = 360_448;
export const MAX_POLICY = 64;
export const MAX_RECEIPTS = 1_000;
export const MAX_EVIDENCE = 8_388_608;
/** Bytes of a proof of one roll. */
export const MAX_ROLL_FILE = 2_097_152;
/** Bytes of an opening or of a receipt for one, without its line feed. */
export const MAX_OPENING = 1_000;

export const FORMAT = 'rollproof/v1';

export const LABEL_EVENT = utf8('rollproof/v1/event\n');
export const LABEL_OPENING = utf8('rollproof/v1/opening\n');
export const LABEL_RECEIVED = utf8('rollproof/v1/received\n');
export const LABEL_LINK = utf8('rollproof/v1/link\n');
export const LABEL_SEED = utf8('rollproof/v1/seed\n');
export const LABEL_SEAL = utf8('rollproof/v1/seal\n');
export const LABEL_SEALED_SEED = utf8('rollproof/v1/sealed seed\n');
export const LABEL_HIDDEN = utf8('rollproof/v1/hidden\n');
export const LABEL_DICE = utf8('rollproof/v1/dice\n');

/** The value for an absent hash: `game` and `prev` of event 0. */
export const NO_HASH = '0'.repeat(64);
