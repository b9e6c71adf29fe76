/**
 * Synchronizes a stored game with the server that keeps it: verifies and stores lines and checkpoints, and then announces
 * them. Data that do not fit are kept as evidence, and from then on nothing is sent (specs/network.md, "What a client does
 * by itself").
 *
 * One thing at a time: whatever changes the log, or must not see it change, is done in `alone`.
 * @module
 */

import { equal, fromUtf8, utf8 } from '../../../verifier/web/bytes.js';
import { Failure } from '../../../verifier/web/findings.js';
import { Away, Cheated, Refused, say, Stopped, Unstored } from './errors.js';
import { Follower, Misfit } from './follower.js';
import { Forked } from './guard.js';
import { BY_ITSELF, UNSTORED } from './warnings.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./errors.js').Message} Message */

/** Milliseconds in which a server must finish showing its data, for evidence. */
const SHOWN_WITHIN = 10_000;
const ATTEMPTS = 3;

/** @type {{[code: string]: string}} */
const MISFITS = {
  malformed: 'it is none',
  game: 'it is of another game',
  signature: "it has no signature of the keeper's that holds",
  root: 'the keeper signed in it for other lines than those that are here',
};

/**
 * @typedef {object} Needs
 * @property {import('./storage.js').Storage} storage
 * @property {(lost: import('./follower.js').Event[]) => void} lost hears of lines that were here and are not part of the game
 * @property {() => Promise<void>} storedAgain goes on with what waited for the storage
 */

export class Sync {
  /** @param {Pick<import('./play.js').Parts, 'log' | 'connection' | 'life' | 'warnings' | 'tabs'> & Needs} parts */
  constructor({ log, connection, storage, life, warnings, tabs, lost, storedAgain }) {
    this.id = log.id;
    this.log = log;
    this.connection = connection;
    this.storage = storage;
    this.life = life;
    this.warnings = warnings;
    this.tabs = tabs;
    this.lost = lost;
    this.storedAgain = storedAgain;
    /** @type {{message: Message, files: File[]} | null} why nothing more is sent */
    this.trouble = null;
    /** The log has been brought up to the server's once. */
    this.fetched = false;
    /** Lines that are stored. */
    this.stored = 0;
    this.storedCheckpoint = 0;
    /** What was not stored is tried again soon. */
    this.storing = false;
    /** @type {import('./follower.js').Seen | null} a checkpoint of lines that are not here yet */
    this.ahead = null;
    /** @type {Promise<any>} */
    this.last = Promise.resolve();
    /** @type {{from: number, lines: Uint8Array[], size: number} | null} what the server has answered already */
    this.given = null;
  }

  /** Runs work after all earlier work. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  alone(work) {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }

  /** @throws {Cheated} where the server was found to cheat */
  check() {
    if (this.trouble !== null) throw new Cheated(this.trouble.message, this.trouble.files);
  }

  /** Work beside the stream; what goes wrong is told. @param {() => Promise<any>} work */
  async background(work) {
    try {
      await work();
    } catch (error) {
      if (this.life.ended) return;
      if (error instanceof Forked) await this.foundFork(error);
      else if (error instanceof Unstored) this.unstored(error);
      else if (error instanceof Refused || error instanceof Stopped) this.warnings.add(BY_ITSELF, error.words);
      else if (!(error instanceof Cheated) && !(error instanceof Away)) throw error;
    }
  }

  // --- what is stored ------------------------------------------------------------------------------------------------

  /** Takes up what is stored, verified anew. What was damaged here is left out, and fetched again. */
  async restore() {
    const [lines, kept] = await Promise.all([this.storage.lines(this.id), this.storage.get('games', this.id)]);
    await this.alone(async () => {
      try {
        await this.log.takeAll(lines);
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
      }
      this.stored = this.log.size;
      if (kept?.trouble) this.trouble = kept.trouble;
      if (kept?.checkpoint && this.log.size > 0) {
        try {
          this.ahead = await this.log.takeCheckpoint(utf8(kept.checkpoint));
          this.storedCheckpoint = this.log.checkpoint?.size ?? 0;
        } catch (error) {
          if (!(error instanceof Misfit)) throw error;
        }
      }
    });
    this.life.changed();
  }

  /**
   * Begins with event 0, which was compared with what it must be, unless it is stored.
   * @param {Uint8Array} line @param {Sync['given']} [given] what the server has answered already
   */
  async begin(line, given = null) {
    if (this.log.size === 0) {
      await this.alone(async () => {
        await this.log.take(line);
        await this.store();
      });
    }
    this.given = given;
  }

  /**
   * Stores lines and checkpoint that are new. What is not stored is fetched again one day: so nothing waits for it. While a roll
   * waits the checkpoint is not stored: the storage is free for what the seat remembers, which has it too.
   */
  async store() {
    const { log, stored, storedCheckpoint } = this;
    const lines = log.events.slice(stored).map((event) => utf8(event.line));
    const size = log.size > 0 && log.game.phase === 'pending' ? 0 : (log.checkpoint?.size ?? 0);
    this.stored = log.size;
    this.storedCheckpoint = Math.max(size, storedCheckpoint);
    await this.kept(async () => {
      try {
        if (lines.length > 0) await this.storage.putLines(this.id, stored, lines);
        if (size > storedCheckpoint) await this.storeGame();
      } catch (error) {
        this.stored = Math.min(this.stored, stored);
        this.storedCheckpoint = Math.min(this.storedCheckpoint, storedCheckpoint);
        throw error;
      }
    });
  }

  /** Stores what the game goes on without; where that fails its owner is told. @param {() => Promise<void>} work */
  async kept(work) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Unstored)) throw error;
      this.unstored(error);
    }
  }

  /** What was not stored is told, and tried again: with it what waits for that. @param {Unstored} error */
  unstored(error) {
    this.warnings.add(UNSTORED, error.words);
    if (this.storing || this.life.ended) return;
    this.storing = true;
    this.life.after(this.connection.times.longest, () => {
      this.storing = false;
      void this.background(() => this.storeAgain());
    });
  }

  async storeAgain() {
    await this.alone(async () => {
      await this.storeGame();
      await this.store();
    });
    this.warnings.remove(UNSTORED);
    await this.storedAgain();
    this.life.changed();
  }

  async storeGame() {
    await this.adoptTrouble();
    const value = { game: this.id, checkpoint: this.log.checkpoint?.note ?? null, trouble: this.trouble };
    await this.storage.write([{ store: 'games', key: this.id, value }]);
  }

  /** What another tab of this browser was shown counts here too. */
  async adoptTrouble() {
    if (this.trouble !== null) return;
    this.trouble = (await this.storage.get('games', this.id))?.trouble ?? null;
    if (this.trouble !== null) this.life.changed();
  }

  // --- what comes ------------------------------------------------------------------------------------------------------

  /**
   * A line that the server shows. In `alone`.
   * @param {number} seq @param {Uint8Array} line @returns {Promise<boolean>} whether it is new; false also where lines lack before it
   * @throws {Cheated}
   */
  async takeLine(seq, line) {
    const { log } = this;
    if (seq > log.size) return false;
    const known = log.events[seq];
    if (known !== undefined) {
      if (equal(utf8(known.line), line)) return false;
      if (await this.makeRoom()) return this.log.has(fromUtf8(line) ?? '', seq);
      return this.cheated(say('The server shows another event {seq} than the one that was seen: the game was forked.', { seq }), given(line));
    }
    try {
      await log.take(line);
      return true;
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (failure.step === 7 && (await this.makeRoom())) return this.log.has(fromUtf8(line) ?? '', seq);
      return this.cheated(say('Line {seq} that the server sent does not hold: {problem}', { seq, problem: failure.words }), given(line));
    }
  }

  /** A checkpoint that the server shows. In `alone`. @param {string} note @throws {Cheated} */
  async takeCheckpoint(note) {
    if (this.log.size === 0) return;
    const bytes = utf8(note);
    try {
      this.ahead = (await this.log.takeCheckpoint(bytes)) ?? (this.ahead !== null && this.ahead.size <= this.log.size ? null : this.ahead);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      if (error.code === 'root' && (await this.makeRoom())) return;
      await this.cheated(say('The checkpoint that the server sent does not fit: {problem}.', { problem: say(MISFITS[error.code]) }), [
        { name: 'given.checkpoint', bytes },
      ]);
    }
  }

  /** Brings the log up to what the server has; gives the server what it lacks. @throws {Away | Cheated | Refused} */
  async fetch() {
    for (let attempt = 0; ; ) {
      this.check();
      const from = this.log.size;
      const { lines, size } = this.given?.from === from ? this.given : await this.connection.lines(this.id, from);
      this.given = null;
      await this.alone(async () => {
        let at = 0;
        while (at < lines.length && from + at < this.log.size) await this.takeLine(from + at, lines[at++]);
        if (at < lines.length && from + at === this.log.size) await this.takeNew(lines.slice(at));
        await this.store();
      });
      if (size < from) {
        if (attempt++ >= ATTEMPTS) {
          await this.alone(() =>
            this.cheated(
              say('The server shows {there} of the {size} {size:event|events} seen here, and refuses the missing ones.', {
                there: size,
                size: from,
              }),
            ),
          );
        }
        await this.giveLines();
      } else if (this.log.size >= size || lines.length === 0) {
        if (this.log.size < size)
          throw new Away(say('The server says that it has {there} {there:event|events}, and sends {size}.', { there: size, size: from }));
        break;
      }
    }
    const note = fromUtf8(await this.connection.checkpoint(this.id)) ?? '';
    await this.alone(async () => {
      await this.takeCheckpoint(note);
      await this.store();
    });
    this.fetched = true;
    this.life.changed();
  }

  /** The next lines, together. @param {Uint8Array[]} lines */
  async takeNew(lines) {
    const from = this.log.size;
    try {
      await this.log.takeAll(lines);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      await this.takeLine(this.log.size, lines[this.log.size - from]);
    }
  }

  /** The server's database was put back: it gets what it lacks. @throws {Cheated | Away | Refused} */
  async giveLines() {
    this.check();
    await this.connection.catchUp(this.id, this.log.bytes());
  }

  // --- what does not fit -------------------------------------------------------------------------------------------------

  /**
   * Lines here that the keeper is not known to have taken make room for others, over which it signed. In `alone`.
   * @returns {Promise<boolean>} whether they did
   */
  async makeRoom() {
    const { taken, size } = this.log;
    if (size === 0 || taken >= size) return false;
    const there = new Follower(this.id);
    try {
      const shown = await this.shown();
      await there.takeAll(shown.lines);
      if ((await there.takeCheckpoint(shown.note)) !== null) return false;
      const common = this.log.common(there);
      await this.log.rules?.take(there, shown.lines.slice(common), common);
    } catch (error) {
      if (error instanceof Failure || error instanceof Misfit || error instanceof Away || error instanceof Refused) return false;
      throw error;
    }
    const common = this.log.common(there);
    if (common < taken || common >= there.taken) return false;
    this.lost(this.log.events.slice(common));
    this.log.steps = there.steps;
    this.log.events = there.events;
    this.log.checkpoint = there.checkpoint;
    this.log.rules?.kept(this.log);
    this.stored = common;
    this.storedCheckpoint = 0;
    await this.store();
    return true;
  }

  /** All that the server shows now. @returns {Promise<{lines: Uint8Array[], note: Uint8Array}>} @throws {Away | Refused} */
  async shown() {
    /** @type {Uint8Array[]} */
    const all = [];
    const end = Date.now() + SHOWN_WITHIN;
    for (;;) {
      const { lines, size } = await this.connection.lines(this.id, all.length, 0);
      all.push(...lines);
      if (lines.length === 0 || all.length >= size || all.length > 100_000 || Date.now() > end) break;
    }
    return { lines: all, note: await this.connection.checkpoint(this.id, 0) };
  }

  /**
   * Keeps what the server showed, and raises. In `alone`.
   * @param {Message} message @param {File[]} [files] @returns {Promise<never>} @throws {Cheated}
   */
  async cheated(message, files = []) {
    const here = [{ name: 'here.jsonl', bytes: this.log.bytes() }];
    if (this.log.checkpoint) here.push({ name: 'here.jsonl.checkpoint', bytes: utf8(this.log.checkpoint.note) });
    this.trouble = { message, files: [...here, ...files] };
    await this.kept(() => this.storeGame());
    this.tabs.post({ name: '#trouble' }); // it is stored
    this.life.changed();
    // What else the server shows now is worth keeping too, and takes as long as the server likes.
    void this.shown()
      .then(async ({ lines, note }) => {
        const there = [
          { name: 'there.jsonl', bytes: ended(lines) },
          { name: 'there.jsonl.checkpoint', bytes: note },
        ];
        this.trouble = { message, files: [...here, ...files, ...there] };
        await this.kept(() => this.storeGame());
        this.life.changed();
      })
      .catch(() => {});
    throw new Cheated(message, this.trouble.files);
  }

  /** What the seat remembers does not fit the log. In `alone`. @param {Forked} error @returns {Promise<never>} @throws {Cheated} */
  forked({ words, note }) {
    return this.cheated(words, note === '' ? [] : [{ name: 'mine.checkpoint', bytes: utf8(note) }]);
  }

  /** The same, found outside of `alone`: it is kept and told. @param {Forked} error */
  async foundFork(error) {
    await this.alone(() => this.forked(error)).catch(() => {});
  }
}

/** @param {Uint8Array[]} lines @returns {Uint8Array} each with its line feed */
function ended(lines) {
  const bytes = new Uint8Array(lines.reduce((sum, line) => sum + line.length + 1, 0));
  let at = 0;
  for (const line of lines) {
    bytes.set(line, at);
    at += line.length;
    bytes[at++] = 0x0a;
  }
  return bytes;
}

/** @param {Uint8Array} line @returns {File[]} */
const given = (line) => [{ name: 'given.jsonl', bytes: ended([line]) }];
