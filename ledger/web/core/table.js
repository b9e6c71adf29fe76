/**
 * One table in this browser, from the lobby to the closed game: the interface of a page.
 * @module
 */

import { utf8 } from '../../../verifier/web/bytes.js';
import { explain } from '../../../verifier/web/explain.js';
import { Arriving } from './arriving.js';
import { parseCode, tableCode } from './code.js';
import { Away, Refused, say } from './errors.js';
import { nameOf, newClose, newDelete } from './lobby.js';
import { asksWhom } from './lost.js';
import { Memory } from './memory.js';
import { fileOf, hasMoved, MOVED } from './move.js';
import { idOfPublished, newPublish, newRevoke, rollProof } from './share.js';
import { newcomersOf, snapshotOf } from './snapshot.js';
import { odd } from './transport.js';
import { checkTyped } from './typed.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./play.js').Play} Play */
/** @typedef {import('./play.js').Prepared} Prepared */
/** @typedef {import('./snapshot.js').Snapshot} Snapshot */

/**
 * Events that a program may sign again by itself whenever its verifier takes them: no rule of a system is about them.
 */
const OF_PROTOCOL = new Set(['leave', 'away', 'back', 'consent', 'strike']);
/** Events that cannot change the meaning of a system's event: nothing depends on a secret roll. */
const OF_NO_RULE = new Set(['join', 'commit', 'seal', 'show']);

export class Table extends Arriving {
  /** @param {import('./here.js').Here} here @param {import('./links.js').Link} link */
  constructor(here, link) {
    super(here, link);
    /** @type {Set<(snapshot: Snapshot) => void>} */
    this.listeners = new Set();
    this.last = snapshotOf(this);
    this.telling = false;
  }

  // --- what is shown ---------------------------------------------------------------------------------------------------

  get snapshot() {
    return this.last;
  }

  /** @param {(snapshot: Snapshot) => void} listener is called at once too @returns {() => void} ends it */
  subscribe(listener) {
    this.listeners.add(listener);
    listener(this.last);
    return () => void this.listeners.delete(listener);
  }

  changed() {
    if (this.telling) return;
    this.telling = true;
    queueMicrotask(() => {
      this.telling = false;
      void this.followAsking();
      void this.wishAgain();
      this.last = snapshotOf(this);
      this.advice?.refresh();
      for (const listener of [...this.listeners]) listener(this.last);
    });
  }

  // --- the game --------------------------------------------------------------------------------------------------------------

  /** @returns {Play} @throws {Refused} */
  playing() {
    if (this.play === null || this.play.log.size === 0) throw new Refused('table.started', say('The game has not begun.'));
    return this.play;
  }

  /** Agrees to the terms: joins, and commits. @returns {Promise<void>} when that is done @throws {Refused | Cheated | Away} */
  async agree() {
    const play = this.playing();
    play.own.required();
    await this.storeSeat({ ...this.seat, agreed: true });
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

  /** Begins to use the rules, which it loads if they are not here. @param {import('./rules.js').Engine} engine */
  know(engine) {
    this.engine = engine;
    this.follow();
  }

  /** Tries the rules once more, after they could not be started. */
  async knowAgain() {
    if (this.play?.rules.loaded) await this.play.rules.start();
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

  /** Asks for advice anew: in another language. */
  advise() {
    if (this.advice === null) return;
    this.advice.askedSize = -1;
    this.advice.refresh();
  }

  /**
   * As the host: lets in somebody who asks; and, where this party plays, consents to it with the same word.
   * @param {string} key a verifier key @throws {Refused | Away}
   */
  async letIn(key) {
    await super.letIn(key);
    const found = newcomersOf(this.playing().game, this.seat?.name ?? null).find((each) => each.key === key);
    if (found?.mine) await this.sign(this.prepare('consent', { admit: found.admit }));
  }

  /**
   * Lets somebody go on under a new key, as far as it can be done now: calls the lost one away, wishes, and consents.
   * @param {string} key that asks, or that waits in the log @throws {Refused | Changed | Away}
   */
  async letGoOn(key) {
    const play = this.playing();
    const { signer, name: mine } = play.own.required();
    const party = nameOf(key);
    const place = () => play.game.place(party);
    if (!place()?.away && !place()?.calledBy.has(mine)) await this.sign(this.prepare('away', { party }));
    if (!place()?.away || this.goingOn.some((each) => each.key === key && each.succession !== undefined)) return;
    if (place()?.asked?.key !== key) await this.wish(key, signer);
    const asked = place()?.asked;
    if (asked?.key === key && !asked.recovered && !asked.consents.has(mine) && asksWhom(play.game, party).includes(mine)) {
      await this.sign(this.prepare('consent', { admit: asked.seq }));
    }
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

  /** Calls off the roll that waits, as its closer or as a judge. @param {string[]} [missing] @returns {Promise<{seq: number}>} */
  async void(missing = []) {
    return this.playing().void(missing);
  }

  /** As the closer: opens no more for the roll that waits. */
  async decline() {
    return this.playing().decline();
  }

  /** The host has the keeper close the game. @throws {Refused | Away} */
  async closeGame() {
    const play = this.playing();
    await this.connection.atTable(this.link.table, 'close', await newClose(await this.host(), this.link.table, play.id));
  }

  /** The host has everything deleted that the server has. @throws {Refused | Away} */
  async deleteTable() {
    await this.connection.atTable(this.link.table, 'delete', await newDelete(await this.host(), this.link.table));
    this.deleted = true;
    this.changed();
  }

  // --- moving and saving ---------------------------------------------------------------------------------------------------------

  /** Ends the seat here for good, and gives the file with which it goes on elsewhere. @returns {Promise<Blob>} @throws {Refused} */
  async move() {
    const { seat, play } = this;
    if (seat === null || seat.wrapped === null) throw new Refused('moved', say('This seat was given no passphrase, and cannot be moved.'));
    const memory = play === null ? null : new Memory(this.here.storage, this.here.locks, play.id, seat.key);
    const record =
      memory === null
        ? null
        : await memory.turn(async (turn) => {
            turn.record.stopped ??= MOVED;
            return { ...turn.record, stopped: hasMoved(turn.record) ? null : turn.record.stopped };
          });
    if (!seat.left) {
      await this.storeSeat({ ...seat, left: true, moves: (seat.moves ?? 0) + 1 });
    }
    const file = await fileOf(this.seat, record, play?.id ?? null, this.link.address);
    if (play !== null) {
      play.own.vacate();
    }
    this.changed();
    return new Blob([file], { type: 'application/json' });
  }

  /** @param {Uint8Array | Blob} file @param {string} passphrase @returns {Promise<void>} @throws {Refused} */
  async take(file, passphrase) {
    await this.here.take(file, passphrase, this.link);
    if (this.play === null) await this.recall();
    else await this.sitDown();
    this.changed();
  }

  /** The log as it stands, and the keeper's checkpoint of it. @returns {File & {checkpoint: File | null}} */
  save() {
    const { log } = this.playing();
    const title =
      (this.terms?.title ?? '')
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
   * The proof of one roll, for whoever has not the log.
   * @param {number} seq of the request @param {boolean} names whether a page shows the names @returns {string} the file @throws {Refused}
   */
  proofOf(seq, names) {
    const { log } = this.playing();
    return rollProof(
      log.events.map((/** @type {{line: string}} */ event) => event.line),
      seq,
      log.checkpoint,
      names,
    );
  }

  /** @param {number} seq of a request @returns {boolean} whether it is this party's own, so that it may be published */
  isOwnRoll(seq) {
    const play = this.playing();
    return this.seat !== null && play.own.seat !== null && play.game.rollAt.get(seq)?.author === this.seat.name;
  }

  /** Rolls of the game that the server shows by a short link. @returns {Promise<import('./share.js').Published[]>} @throws {Refused | Away} */
  async published() {
    return this.connection.published(this.playing().id);
  }

  /**
   * Has the server show one roll by a short link.
   * @param {number} seq of the request @param {boolean} names whether a page shows the names @returns {Promise<string>} the link
   * @throws {Refused | Away}
   */
  async publish(seq, names) {
    const play = this.playing();
    const wish = await newPublish(play.own.required().signer, play.id, seq, names);
    if ((await this.connection.publish(play.id, wish)) !== idOfPublished(wish)) throw odd();
    return this.publishedLink(idOfPublished(wish));
  }

  /** @param {string} roll the id of a short link @returns {string} */
  publishedLink(roll) {
    return `${this.link.address}/r/${roll}`;
  }

  /** Takes a short link back. @param {string} roll its id @throws {Refused | Away} */
  async revoke(roll) {
    const play = this.playing();
    await this.connection.revoke(roll, await newRevoke(play.own.required().signer, play.id, roll));
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

  /** Files to save where there is trouble. @returns {File[]} */
  evidence() {
    return [
      ...(this.play?.sync.trouble?.files ?? []),
      ...(this.play?.rules.files ?? []),
      ...this.files,
      ...this.last.warnings.flatMap((/** @type {any} */ each) => each.files),
    ];
  }

  /** @param {string[]} ids of warnings that were read */
  async told(ids) {
    for (const id of ids) this.warnings.delete(id);
    await this.play?.tell(ids);
    this.changed();
  }
}
