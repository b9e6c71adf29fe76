/**
 * Scenes: what each system adds to the table, the quick ways that its players expect.
 *
 * Here is where a system is added: one module for each, beside this one, that exports `scene`; and its line in `SCENES`, by
 * the system's id. Without a scene the table offers the system's actions as they are, so a scene is never needed to play.
 *
 *     export const scene = {
 *       quick(props)    // the ways to act that come before all others, in "Now": rows of buttons, a line to type, a form
 *       next(props)     // the step that this party has to take now: at the bottom of the screen, in view wherever it was scrolled to; `<div class="course">`, or null
 *       asked(props)    // what others ask of this party: it stands below all else in "Now", where its coming moves nothing
 *       asks(action)    // true for the actions that wait for this party: what `asked` offers, a call to answer
 *       says(props)     // what is asked of this party, on one line, where `advice.state.waits` does not say it: props.snapshot, props.actions; else empty
 *       first(props)    // what comes before the first dice of a game, for the tray: props.snapshot, props.actions; empty where it stands below
 *       table(props)    // what stands on the table, in place of the plain tables of `advice.state.tables`
 *       roll(props)     // what one roll came to, below its dice: props.roll, props.told (the server's, or null)
 *       result(props)   // what a roll came to, large, in place of the server's summary: { roll, told }, in the tray snapshot too; null where that says it as well
 *       passed(told)    // numbers of the dice that reach their target, as they lie: they are marked
 *       resultTells     // members of a roll's body that `result` tells once the dice lie there: the tray's line has them no longer
 *       options         // the options of a game that the form of a new table proposes, where they are not the rules' own defaults
 *       ignoredStay     // true where a die that was ignored or dropped stays so when a judge corrects a die
 *       needsMaster     // true where nothing can be rolled without a game master
 *       takes(action)   // true for the actions that `quick` offers itself, so that "To do" and "Everything else" come without them
 *     };
 *
 * Each may be left out. All but `takes`, `asks`, `says`, `first`, `passed`, `resultTells`, `options`, `ignoredStay`, `needsMaster` and `result` are components (Preact and htm, from `../html.js`). Their props:
 *
 *     table       core's Table; ask it to `read`, never to sign: that is `Act`'s, which shows what it signs
 *     snapshot    core's snapshot
 *     system      of `systems.json`, see `../systems.js`
 *     actions     advice: what this party can do now, due ones first; and what it could do before another had to decide (`held`)
 *     Act         `<${Act} type="roll" body=${{…}} />`: a button whose words are made from the event that its tap signs
 *     ActionForm  `<${ActionForm} action=${action} values=${{…}} />`: an action as a form, with some fields filled in
 *     isInTray    `isInTray(action)`: whether a tap on dice of the tray chooses its dice; then no form asks for them
 *     Line        `<${Line} request=${{ action }} example="…" label="…" />`: a line to type, read by the server, then an Act
 *
 * A body that a scene makes itself must be of the actions' kind: the server refuses what the rules forbid. Words are put into
 * each language with `t` of `../words.js`, and those of other languages stand in `words-LANGUAGE.js`. What is remembered between rolls
 * (a profile, the last target) is the scene's own state (`useState`), or `localStorage` by the game's id: it is no secret.
 * @module
 */

/**
 * @typedef {object} SceneProps
 * @property {import('../../core/index.js').ScreenTable} table @property {import('../../core/snapshot.js').InGame} snapshot
 * @property {import('../systems.js').System} system @property {import('../fields.js').Action[]} actions
 * @property {Function} Act @property {Function} ActionForm @property {Function} Line @property {(action: import('../fields.js').Action) => boolean} isInTray @property {Function} Plain a table of the system's
 * @property {import('../../core/advice.js').Advised[]} tables that the server tells of
 */
/** @typedef {SceneProps & {snapshot: import('../../core/snapshot.js').Seated}} QuickProps who is asked has a seat */
/**
 * @typedef {object} RollProps
 * @property {import('../../core/snapshot.js').ShownRoll} roll @property {import('../../core/advice.js').Advised} told the server's, or null
 * @property {import('../../core/snapshot.js').InGame} snapshot of `result` in the tray alone
 */
/** @typedef {{options?: {[name: string]: unknown}, ignoredStay?: boolean, passed?: (told: import('../../core/advice.js').Advised) => number[], resultTells?: string[], needsMaster?: boolean, quick?: Function, next?: Function, asked?: Function, asks?: (action: import('../fields.js').Action) => boolean, says?: (props: {snapshot: import('../../core/snapshot.js').InGame, actions: import('../fields.js').Action[]}) => string, first?: (props: {snapshot: import('../../core/snapshot.js').InGame, actions: import('../fields.js').Action[]}) => string, table?: Function, roll?: Function, result?: Function, takes?: (action: import('../fields.js').Action) => boolean}} Scene */

import { scene as anydice } from './dice-1.js';
import { scene as doubledown } from './doubledown-1.js';
import { scene as mtg } from './mtg-706-2023-11-17.js';
import { scene as t9a } from './t9a-2022.js';
import { scene as wh40k } from './wh40k-9e.js';

/** @type {{[system: string]: Scene}} */
const SCENES = {
  'dice-1': anydice,
  'doubledown-1': doubledown,
  'mtg-706-2023-11-17': mtg,
  't9a-2022': t9a,
  'wh40k-9e': wh40k,
};

/** @param {string | null | undefined} system its id @returns {Scene} */
export const sceneOf = (system) => (system && Object.hasOwn(SCENES, system) ? SCENES[system] : {});
