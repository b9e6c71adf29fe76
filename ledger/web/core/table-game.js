/**
 * The game of a table, as its owner acts in it: follows it with rules and advice, and signs what its owner chooses.
 * @module
 */

import { utf8 } from '../../../verifier/web/bytes.js';
import { explain } from '../../../verifier/web/explain.js';
import { Advice } from './advice.js';
import { parseCode, tableCode } from './code.js';
import { Away, Refused, say } from './errors.js';
import { Memory } from './memory.js';
import { Play } from './play.js';
import { Seat } from './seat.js';
import { Signer } from './signer.js';
import { checkTyped } from './typed.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./play.js').Prepared} Prepared */

/**
 * Events that a program may sign again by itself whenever its verifier takes them: no rule of a system is about them.
 */
const OF_PROTOCOL = new Set(['leave', 'away', 'back', 'consent', 'strike']);
/** Events that cannot change the meaning of a system's event: nothing depends on a secret roll. */
const OF_NO_RULE = new Set(['join', 'commit', 'seal', 'show']);

export class TableGame {
  /** @param {Pick<import('./table.js').Parts, 'here' | 'connection' | 'status' | 'seat' | 'lobby'>} parts */
  constructor({ here, connection, status, seat, lobby }) {
    this.here = here;
    this.connection = connection;
    this.status = status;
    this.seat = seat;
    this.lobby = lobby;
    /** @type {Play | null} null: it has not begun here */
    this.play = null;
    /** @type {Advice | null} */
    this.advice = null;
    /** @type {import('./rules.js').Engine | null} what knows the rules, as soon as somebody has begun to load it */
    this.engine = null;
  }

  // --- following ---------------------------------------------------------------------------------------------------------

  /** Whether the game goes on. */
  get isOn() {
    return this.play !== null && this.play.log.size > 0 && this.play.game.phase !== 'closed';
  }

  /** @param {string} id hex @returns {Promise<Play>} with what is stored of it */
  async restored(id) {
    const play = new Play(id, this.connection, this.here, this.status.changed);
    await play.sync.restore();
    return play;
  }

  /** Follows a game if event 0 is stored here. @param {string} id hex */
  async restore(id) {
    const play = await this.restored(id);
    if (play.log.size > 0) await this.begin(play);
  }

  /**
   * Follows a game of which event 0 was checked.
   * @param {string} id hex @param {Uint8Array} first event 0 @param {import('./sync.js').Sync['given']} [given] further lines that the server has sent
   */
  async enter(id, first, given = null) {
    const play = await this.restored(id);
    await play.sync.begin(first, given);
    await this.begin(play);
  }

  /** @param {Play} play of which event 0 is here */
  async begin(play) {
    await this.sitDown(play);
    this.play = play;
    this.advice = new Advice(play, this.status.changed);
    this.useRules();
    this.status.stored();
    this.status.changed();
    play.stream.run().catch((error) => {
      this.status.refuse(say('This page has failed: {problem}. Load it anew.', { problem: String(error?.message || error?.name || error) }));
      throw error;
    });
  }

  /** Nothing is followed any more. */
  close() {
    this.play?.close();
  }

  /** What waits tries again at once. */
  wake() {
    void this.play?.duties.act();
  }

  /** The seat that is stored takes part in the game. @param {Play | null} [play] */
  async sitDown(play = this.play) {
    await this.seat.load();
    const { record } = this.seat;
    if (play === null || record === null || record.left) return;
    const { storage, locks, now, chainLinks } = this.here;
    const signer = new Signer(record.key, record.signing);
    const memory = new Memory(storage, locks, play.id, record.key);
    const recovery = () => this.here.recoveryOf(record.key);
    const own = new Seat(signer, record.sealing, memory, play.log, now, chainLinks, record.called ?? null, recovery);
    await play.own.sit(own, record.agreed);
  }

  /** The seat was moved away. */
  standUp() {
    this.play?.own.vacate();
  }

  /** Has the rules follow the game, where both are there. */
  useRules() {
    if (this.engine !== null) this.play?.rules.use(this.engine);
  }

  /** Begins to use the rules, which it loads if they are not here. @param {import('./rules.js').Engine} engine */
  know(engine) {
    this.engine = engine;
    this.useRules();
  }

  /** Tries the rules once more, after they could not be started. */
  async knowAgain() {
    if (this.play?.rules.loaded) await this.play.rules.start();
  }

  /** The log may have grown: asks for advice about it. */
  refresh() {
    this.advice?.refresh();
  }

  /** Asks for advice anew: in another language. */
  advise() {
    this.advice?.again();
  }

  /** @returns {Play} @throws {Refused} */
  playing() {
    if (this.play === null || this.play.log.size === 0) throw new Refused('table.started', say('The game has not begun.'));
    return this.play;
  }

  // --- what its owner wants ----------------------------------------------------------------------------------------------

  /** Agrees to the terms: joins, and commits. @returns {Promise<void>} when that is done @throws {Refused | Cheated | Away} */
  async agree() {
    const play = this.playing();
    play.own.required();
    await this.seat.store({ ...this.seat.record, agreed: true });
    await play.agree();
  }

  /** The very event that would be signed now. @param {string} type @param {any} body @returns {Prepared} @throws {Refused} */
  prepare(type, body) {
    return this.playing().prepare(type, body);
  }

  /** @param {Prepared} prepared @param {boolean} [known] whether it was offered upon the log as it stood then @returns {Promise<{seq: number}>} */
  async sign(prepared, known = true) {
    return this.playing().sign(prepared, (each) => this.still(each, known), known);
  }

  /** @param {Prepared} prepared @param {boolean} known whether it was offered when it was prepared @returns {Promise<boolean>} whether it makes sense still */
  async still({ type, body, event }, known) {
    // The own verifier checks all that a secret roll depends on; which dice it is of hangs on nothing.
    if (OF_PROTOCOL.has(type) || (type === 'roll' && body.sealed !== undefined)) return true;
    const { events } = this.playing().log;
    const isSame = events[event.seq - 1]?.leaf === event.prev && events.slice(event.seq).every((each) => OF_NO_RULE.has(each.type));
    if (isSame && known) return true;
    // What is not a roll is about what stood there, and may be about something else now; the server's word proves nothing.
    if (type !== 'roll' && !isSame) return false;
    return (await this.advice?.offers(type, body)) ?? false;
  }

  /** What stands in a request for what a secret roll of this party is for. @param {string} text @returns {string} hex @throws {Refused} */
  hide(text) {
    return this.playing().own.required().holder.hide(text);
  }

  /** Shows a secret roll that this party holds to everybody. @param {number} request @returns {Promise<{seq: number}>} @throws {Refused | Changed | Away} */
  async show(request) {
    return this.playing().show(request);
  }

  /** The same as a file beside the log, which needs no server. @param {number} request @returns {Promise<File>} @throws {Refused} */
  async showFile(request) {
    const line = await this.playing().own.required().holder.file(request);
    return { name: `${request}.show`, bytes: utf8(`${line}\n`) };
  }

  /** Calls off the roll that waits, as its closer or as a judge. @param {string[]} [missing] @returns {Promise<{seq: number}>} */
  async void(missing = []) {
    return this.playing().void(missing);
  }

  /** As the closer: opens no more for the roll that waits. */
  async decline() {
    return this.playing().decline();
  }

  /**
   * Goes on without parties that did not open: calls the roll that waits off, as its closer, and calls them away.
   * @param {string[]} names @throws {Refused | Changed | Away}
   */
  async goOnWithout(names) {
    const play = this.playing();
    if (play.game.phase === 'pending') await this.void(names);
    for (const party of names) {
      await play.settled();
      if (!play.game.place(party)?.away) await this.sign(this.prepare('away', { party }));
    }
  }

  // --- what the game says ------------------------------------------------------------------------------------------------

  /**
   * What a typed line says: by the rules, where this browser has them; else as the server reads it. Nothing in it is a text that
   * was not typed.
   * @param {any} request @returns {Promise<{body: any, words: any, reading: any}>} @throws {Refused | Away}
   */
  async read(request) {
    const play = this.playing();
    if (play.rules.ready) return play.rules.read(request);
    const { size } = play.log;
    const read = await this.connection.advice('POST', `/v1/games/${play.id}/read`, request);
    checkTyped(request, read?.body);
    play.rules.hear('reading', size, request, read);
    return read;
  }

  /**
   * Why a roll is what it is: steps of the own verifier, and the reasons of the rules, which are advice where only the server has them.
   * @param {number} seq of its request @returns {Promise<{steps: import('../../../verifier/web/explain.js').Step[], reasons: {clause: string | null, text: string}[], own: boolean}>} `own`: by the rules in this browser
   */
  async explain(seq) {
    const play = this.playing();
    const roll = play.game.rollAt.get(seq);
    if (roll === undefined) throw new Refused('roll', say('Event {seq} is no roll.', { seq }));
    const { sig } = JSON.parse(play.log.events[seq].line);
    const steps = explain(play.game, roll, this.save().name, { time: play.log.events[seq].time, sig });
    try {
      if (play.rules.ready) return { steps, reasons: await play.rules.reasons(seq), own: true };
      const { reasons, size } = await this.connection.advice('GET', `/v1/games/${play.id}/explain?roll=${seq}`);
      if (Number.isSafeInteger(size)) play.rules.hear('reasons', size, { roll: seq }, reasons);
      return { steps, reasons: Array.isArray(reasons) ? reasons : [], own: false };
    } catch (error) {
      if (error instanceof Refused || error instanceof Away) return { steps, reasons: [], own: false };
      throw error;
    }
  }

  /** What shows trouble. @returns {File[]} */
  evidence() {
    return [...(this.play?.sync.trouble?.files ?? []), ...(this.play?.rules.files ?? [])];
  }

  /** @param {string[]} ids of warnings that were read */
  async told(ids) {
    await this.play?.tell(ids);
  }

  /** The log as it stands, and the keeper's checkpoint of it. @returns {File & {checkpoint: File | null}} */
  save() {
    const { log } = this.playing();
    const title =
      (this.lobby.terms?.title ?? '')
        .replace(/[^\p{L}\p{N} ._-]/gu, '')
        .trim()
        .slice(0, 80) || `game-${log.id.slice(0, 12)}`;
    const note = log.checkpoint?.note;
    return {
      name: `${title}.jsonl`,
      bytes: log.bytes(),
      checkpoint: note === undefined ? null : { name: `${title}.jsonl.checkpoint`, bytes: utf8(note) },
    };
  }

  /**
   * What another has as the code of the table, beside the code of as many lines here.
   * @param {string} text as it was read out or sent
   * @returns {{size: number, mine: string, theirs: string} | {size: number, mine: null, theirs: string} | null} null: it is no code;
   *   `mine` null: there are not so many lines here
   */
  compareCode(text) {
    const { log } = this.playing();
    const said = parseCode(text);
    if (said === null) return null;
    const size = said.size ?? log.size;
    return { size, mine: size > log.size ? null : tableCode(log.id, size, log.root(size)), theirs: said.code };
  }
}
