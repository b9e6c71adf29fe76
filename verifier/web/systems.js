/**
 * The protocol's knowledge of the systems of rules: their ids, roles, rolling roles, and the clauses of two findings
 * that are the protocol's. Their bodies, options and dice (part of step 9, step 23) are not known here.
 * @module
 */

/**
 * @typedef {object} System
 * @property {boolean} gm the system has game masters
 * @property {boolean} gmRolls game masters roll
 * @property {string | null} gmClause of the finding where they roll and may not
 * @property {string | null} agreement clause of `state.not-agreed`
 * @property {boolean} seals it takes secret rolls
 * @property {string | null} noSeals clause by which it takes none
 * @property {string[]} late which of players and game masters come later
 */

/** @type {ReadonlyMap<string, System>} specs/mtg.md, t9a.md, doubledown.md, wh40k.md, dice-1.md, each at its head */
export const SYSTEMS = new Map([
  ['dice-1', { gm: true, gmRolls: true, gmClause: null, agreement: null, seals: true, noSeals: null, late: ['player', 'gm'] }],
  ['doubledown-1', { gm: true, gmRolls: false, gmClause: 'R1', agreement: null, seals: false, noSeals: 'R3', late: ['player', 'gm'] }],
  ['mtg-706-2023-11-17', { gm: false, gmRolls: false, gmClause: null, agreement: '706.1b', seals: false, noSeals: '706.2', late: [] }],
  ['t9a-2022', { gm: false, gmRolls: false, gmClause: null, agreement: null, seals: false, noSeals: 'T1.4', late: [] }],
  ['wh40k-9e', { gm: false, gmRolls: false, gmClause: null, agreement: null, seals: false, noSeals: 'W19', late: [] }],
]);
