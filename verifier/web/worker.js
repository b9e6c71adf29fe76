/**
 * The worker beside the page: it verifies files, so that the page stays responsive. It keeps the last log.
 *
 * In: `{id, check: {name, bytes, options, beside}}`, `{id, beside}` without a log, `{id, rolls: {from, count}}`, `{id, explain: seq}`,
 * `{id, signatures}` that Python took for granted.
 * Out: `{id, progress: bytes}`, then `{id, result}`, `{id, refused: message}` of a policy that is none, or `{id, failed: text}`.
 * @module
 */

import { judgeBeside } from './attachments.js';
import { isBundle, verifyBundle } from './event/bundle.js';
import { isEventLog, verifyEvent } from './event/verify.js';
import { isEvidence, verifyEvidence } from './evidence.js';
import { explain } from './explain.js';
import { lineAt, readEvent } from './lines.js';
import { verifyLog } from './log.js';
import { voiderOpened } from './notices.js';
import { parsePolicy, PolicyError } from './policy.js';
import { checkSignatures } from './python/rules.js';
import { isRollProof, verifyRollProof } from './roll-proof.js';

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./game.js').Roll} Roll */
/** @typedef {import('./log.js').Report} Report */

/**
 * @typedef {object} ShownRoll a roll on its line
 * @property {number} seq
 * @property {string} author
 * @property {string} type
 * @property {string} purpose what it is for, in the words of who asked
 * @property {{sides: number, natural: number}[]} dice
 * @property {'fair' | 'off' | 'waits' | 'wrong'} standing
 * @property {Message} why
 * @property {Message[]} rulings
 */

/**
 * @typedef {Omit<Report, 'state'> & {
 *   name: string, title: string, rolls: number, revealed: number, system: string | null,
 *   parties: {name: string, role: string, key: string}[], beside: import('./attachments.js').Judged[],
 *   undecided: number[], rules?: import('./page/with-rules.js').Rules,
 * }} Shown a report as the page gets it
 */

/** @typedef {{files: import('./attachments.js').File[], index: number | null}} Beside what is judged beside a log; the number of a proof's event */

/** @param {any} body of a request @returns {string} what people wrote about it, else its dice, else its members */
function purposeOf(body) {
  if (typeof body.source === 'string' && body.source !== '') return body.source;
  if (typeof body.dice === 'string' && Object.keys(body).length === 1) return body.dice;
  const text = JSON.stringify(body);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

const NOTHING = new Uint8Array(0);

/** @param {string} name @param {Uint8Array} bytes of a log, an event, its bundle, or evidence @param {import('./log.js').Options} options @returns {Promise<Report>} */
export async function judge(name, bytes, options) {
  if (isEvidence(bytes, name)) return verifyEvidence(bytes, options);
  if (isBundle(bytes)) return verifyBundle(bytes, options);
  return isEventLog(bytes) ? (await verifyEvent(bytes, options)).report : verifyLog(bytes, options);
}

/** The files of a page, and later questions about them. */
export class Bench {
  constructor() {
    this.name = '';
    this.bytes = new Uint8Array(0);
    /** @type {Report | null} */
    this.report = null;
    /** The roll of a proof of one roll. @type {import('./roll-proof.js').ShownOnce | null} */
    this.once = null;
  }

  /**
   * @param {string} name @param {Uint8Array} bytes
   * @param {import('./log.js').Options} options @param {Beside} [beside] @returns {Promise<Shown>}
   * @throws {PolicyError} before anything is judged
   */
  async check(name, bytes, options, beside = { files: [], index: null }) {
    if (options.policy) parsePolicy(options.policy);
    const proven = isRollProof(bytes, name) ? await verifyRollProof(bytes, options) : null;
    const report = proven ?? (await judge(name, bytes, options));
    this.once = proven?.roll ?? null;
    this.name = name;
    this.bytes = bytes;
    this.report = report;
    const known = { keys: options.keys ?? [], game: options.game ?? null, index: beside.index };
    const log = report.kind === 'event' || report.kind === 'bundle' ? { report: null, name: '', bytes: NOTHING } : { report, name, bytes };
    const judged = await judgeBeside(beside.files, known, log, options.policy ?? null);
    const { state, ...rest } = report;
    const terms = state?.terms;
    return {
      ...rest,
      name,
      title: terms?.title ?? report.event?.title ?? proven?.title ?? '',
      rolls: this.once ? 1 : (state?.rolls.length ?? 0),
      revealed: this.once ? 1 : (state?.rolls.filter((roll) => roll.ended === 'reveal').length ?? 0),
      system: terms?.systemId ?? null,
      parties: terms?.parties.map((party) => ({ name: party.name, role: party.role, key: party.verifierKey })) ?? report.people ?? [],
      beside: judged,
      undecided: state?.undecided.map(({ seq }) => seq) ?? [],
    };
  }

  /** @param {number} from @param {number} count @returns {ShownRoll[]} */
  rolls(from, count) {
    if (this.once !== null) return from === 0 ? [this.onceShown(this.once)] : [];
    const rolls = this.report?.state?.rolls ?? [];
    return rolls.slice(from, from + count).map((roll) => this.rollShown(roll));
  }

  /** @param {import('./roll-proof.js').ShownOnce} roll @returns {ShownRoll} */
  onceShown({ seq, author, type, body, dice, names, rulings, strikes }) {
    const ruled = rulings.some((event) => event.body.ruling === 'void')
      ? 'The dice were fair; a judge ruled the roll void.'
      : rulings.some((event) => event.body.results !== undefined)
        ? 'The dice were fair; a judge put another result in their place.'
        : strikes.length > 0
          ? 'The dice were fair; somebody agreed to take the roll back: read the notices.'
          : 'Fair: nobody could choose or predict it unless ALL of {names} worked together.';
    return { seq, author, type, purpose: purposeOf(body), dice, standing: 'fair', why: { text: ruled, values: { names: { names } } }, rulings: [] };
  }

  /** @param {Roll} roll @returns {ShownRoll} */
  rollShown(roll) {
    const report = /** @type {Report} */ (this.report);
    const { seq, author, type, sides, naturals } = roll;
    const rulings = (report.state?.rulings ?? [])
      .filter(({ body }) => body.subject === seq || body.subject === roll.end)
      .map(({ author: judge, body }) => ({
        text: {
          void: '{judge} ruled this void: {text}',
          correct: '{judge} corrected this: {text}',
          uphold: '{judge} upheld this: {text}',
          penalty: '{judge} gave a penalty for this: {text}',
        }[/** @type {'void'} */ (body.ruling)],
        values: { judge, text: body.text },
      }));
    return {
      seq,
      author,
      type,
      purpose: purposeOf(roll.body),
      dice: naturals.map((natural, i) => ({ sides: sides[i], natural })),
      ...this.standing(roll),
      rulings,
    };
  }

  /** @param {Roll} roll @returns {{standing: ShownRoll['standing'], why: Message}} */
  standing(roll) {
    const report = /** @type {Report} */ (this.report);
    const names = { names: roll.shares.map((share) => share.name) };
    const keeper = report.state?.terms.keeper.name ?? '';
    if (roll.ended === 'reveal') {
      const taken = report.state?.takenBack.find((each) => each.roll === roll);
      if (taken)
        return { standing: 'fair', why: { text: 'The dice were fair; {names} took the roll back.', values: { names: { names: taken.by } } } };
      const ruled = (report.state?.rulings ?? []).filter(({ body }) => body.subject === roll.seq);
      const text = ruled.some(({ body }) => body.ruling === 'void')
        ? 'The dice were fair; a judge ruled the roll void.'
        : ruled.some(({ body }) => body.results !== undefined)
          ? 'The dice were fair; a judge put another result in their place.'
          : 'Fair: nobody could choose or predict it unless ALL of {names} worked together.';
      return { standing: 'fair', why: { text, values: { names } } };
    }
    if (roll.ended === 'void') {
      const text = voiderOpened(roll)
        ? 'No dice: {by}, who had opened for it already, called it off in event {end}.'
        : 'No dice: {by} called it off in event {end}.';
      return { standing: 'off', why: { text, values: { by: roll.by ?? '', end: roll.end ?? 0 } } };
    }
    if (roll.ended === 'close') {
      return {
        standing: 'off',
        why: {
          text: '{by} closed the game while the roll that {roller} asked for waited: it was left without dice.',
          values: { by: roll.by ?? '', roller: roll.author },
        },
      };
    }
    const error = report.findings.find((finding) => finding.severity === 'error' && finding.seq === report.validPrefix);
    if (error)
      return {
        standing: 'wrong',
        why: { text: 'Not shown to be fair: event {seq}, which should end it, does not hold.', values: { seq: report.validPrefix } },
      };
    return {
      standing: 'waits',
      why: {
        text: 'No dice yet: it waits for the openings of {others}, and then for {keeper} to reveal it.',
        values: { others: { names: names.names.filter((name) => name !== keeper) }, keeper },
      },
    };
  }

  /** @param {number} seq of a request @returns {import('./explain.js').Step[]} */
  explain(seq) {
    if (this.once !== null) return this.once.steps;
    const game = /** @type {import('./game.js').Game} */ (this.report?.state);
    let line = /** @type {import('./lines.js').Line} */ (lineAt(this.bytes, 0));
    for (let i = 0; i < seq; i++) line = /** @type {import('./lines.js').Line} */ (lineAt(this.bytes, line.end + 1));
    const event = readEvent(this.bytes.subarray(line.start, line.end));
    return explain(game, /** @type {Roll} */ (game.rollAt.get(seq)), this.name, event);
  }

  /** @param {any} message @param {(answer: any) => void | Promise<void>} answer @returns {Promise<void>} */
  async take(message, answer) {
    const { id } = message;
    try {
      let result;
      if (message.check) {
        const { name, bytes, options, beside } = message.check;
        let told = 0;
        /** @param {number} done */
        const progress = (done) => {
          if (done - told < bytes.length / 200) return undefined;
          told = done;
          return answer({ id, progress: done });
        };
        result = await this.check(name, bytes, { ...options, progress }, beside);
      } else if (message.beside) {
        const { files, known, policy } = message.beside;
        result = await judgeBeside(files, known, { report: null, name: '', bytes: NOTHING }, policy);
      } else if (message.rolls) {
        result = this.rolls(message.rolls.from, message.rolls.count);
      } else if (message.signatures) {
        result = await checkSignatures(message.signatures);
      } else {
        result = this.explain(message.explain);
      }
      answer({ id, result });
    } catch (error) {
      answer(error instanceof PolicyError ? { id, refused: error.words } : { id, failed: String(error) });
    }
  }
}

/** Makes a worker of the global scope that this runs in. Throws where it has no WebCrypto: one in a sandbox has none. */
export function startWorker() {
  if (!globalThis.crypto?.subtle) throw new Error('no WebCrypto in this worker');
  const bench = new Bench();
  const scope = /** @type {any} */ (globalThis);
  scope.onmessage = (/** @type {MessageEvent} */ { data }) => bench.take(data, (answer) => scope.postMessage(answer));
}
