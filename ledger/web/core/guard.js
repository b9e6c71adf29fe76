/**
 * The fork guard: a seat's checks each time before it signs or opens (specs/seats.md). The numbers are the
 * specification's. Step 1 as far as a browser can: every line was verified by the follower, without the rules.
 * @module
 */

import { Refused, say, Stopped } from './errors.js';

/** @typedef {import('./follower.js').Event} Event */
/** @typedef {import('./follower.js').Follower} Follower */
/** @typedef {import('./memory.js').OwnChain} OwnChain */
/** @typedef {import('./memory.js').Record} Record */
/** @typedef {import('./memory.js').SeatTurn} Turn */
/** @typedef {(own: OwnChain, index: number) => Promise<string>} LinkOf a link of an own chain, hex */

/** Milliseconds that a line may be dated ahead of the own clock. */
export const MAX_AHEAD = 5 * 60_000;

/** The log differs from the one that the seat saw: evidence. */
export class Forked extends Error {
  /** @param {import('./errors.js').Message} words @param {string} note of the checkpoint that shows it, or '' */
  constructor(words, note = '') {
    super('forked');
    this.words = words;
    this.note = note;
  }
}

/** The end of the log that the seat saw is missing. */
export class Behind extends Refused {
  /** @param {number} seen @param {number} size */
  constructor(seen, size) {
    super(
      'behind',
      say(
        'You have seen {seen} {seen:event|events} of this game, and {size} {size:is|are} here: the end is missing. Nothing is signed until it is back.',
        { seen, size },
      ),
    );
  }
}

/**
 * Steps 1 to 3: compares the log with the memory. Settles what it records.
 * @param {Turn} turn @param {Follower} log @param {string} me name of the seat's party @param {LinkOf} linkOf @param {string} key the seat's verifier key
 * @throws {Forked | Behind}
 */
export async function lookAt(turn, log, me, linkOf, key) {
  checkHead(turn.record, log);
  holdCheckpoint(turn.record, log);
  checkReceipts(turn.record, log);
  await new Walk(turn.record, log, me, linkOf, key).take();
  turn.settle();
}

/**
 * All six steps.
 * @param {Turn} turn @param {Follower} log @param {string} key the seat's verifier key @param {string} me @param {number} now milliseconds
 * @param {LinkOf} linkOf @throws {Forked | Refused | Stopped}
 */
export async function checkBeforeSigning(turn, log, key, me, now, linkOf) {
  await lookAt(turn, log, me, linkOf, key); // 1 to 3
  const place = log.game.place(me);
  if (place?.party.verifierKey !== key && place?.asked?.key !== key) {
    // 4
    throw new Refused('author.unknown', say('{me} has another key in this game: this seat is not a party of it.', { me }));
  }
  checkClock(log, now); // 5
  if (turn.record.stopped !== null) throw new Stopped(turn.record.stopped); // 6
}

/** Step 1. @param {Record} record @param {Follower} log */
function checkHead({ head }, log) {
  if (log.size < head.size) throw new Behind(head.size, log.size);
  if (head.size > 0 && log.leaf(head.size - 1) !== head.leaf) {
    throw new Forked(say('This log differs from the one that you saw, at event {seq} or before: it was forked.', { seq: head.size - 1 }));
  }
}

/** The checkpoint that came with the log is held from now on. @param {Record} record @param {Follower} log */
function holdCheckpoint(record, log) {
  const seen = log.checkpoint;
  if (seen === null || record.receipts.some((held) => held.size >= seen.size)) return;
  record.receipts.push({ ...seen, leaf: '' });
}

/** Step 2. Of those that agree the largest says all that they say. @param {Record} record @param {Follower} log */
function checkReceipts(record, log) {
  for (const held of record.receipts) {
    if (held.size > log.size) continue;
    const agrees = held.leaf ? log.leaf(held.size - 1) === held.leaf : log.root(held.size) === held.root;
    if (!agrees) {
      throw new Forked(
        say('You hold a receipt of {keeper}, the keeper, for another history of the first {size} {size:event|events}: the game was forked.', {
          keeper: log.game.terms.keeper.name,
          size: held.size,
        }),
        held.note,
      );
    }
    held.leaf = log.leaf(held.size - 1);
  }
  const missing = record.receipts.filter((held) => held.size > log.size);
  const agreed = record.receipts
    .filter((held) => held.size <= log.size)
    .sort((a, b) => b.size - a.size)
    .slice(0, 1);
  record.receipts = [...agreed, ...missing];
  if (missing.length > 0) throw new Behind(Math.max(...missing.map((held) => held.size)), log.size);
}

/** How many lines the keeper is known to have taken. @param {Record} record @param {Follower} log @returns {number} */
export const takenOf = (record, log) => Math.max(log.game.lastOfKeeper + 1, ...record.receipts.filter((held) => held.leaf).map((held) => held.size));

/** Every line after the last one that the keeper has taken is the party's own. @param {Record} record @param {Follower} log @param {string} [me] without it there is no such line @throws {Refused} */
export function checkTaken(record, log, me) {
  const other = log.events.slice(takenOf(record, log)).find((event) => event.author !== me);
  if (other === undefined) return;
  throw new Refused(
    'untaken',
    say('It is not known whether {keeper}, the keeper, has taken event {seq} of {author}. Until it has, nothing is signed after it.', {
      keeper: log.game.terms.keeper.name,
      seq: other.seq,
      author: other.author,
    }),
  );
}

/** Step 5. @param {Follower} log @param {number} now @throws {Refused} */
export function checkClock(log, now) {
  const last = log.events[log.size - 1];
  if (Date.parse(last.time) <= now + MAX_AHEAD) return;
  throw new Refused(
    'time.ahead',
    say('{author} dated event {seq} {time}, but the clock here says {clock}: one of the two is wrong. Nothing is signed after it until they agree.', {
      author: last.author,
      seq: last.seq,
      time: last.time,
      clock: timeOf(now),
    }),
  );
}

/** @param {number} now milliseconds @returns {string} in the log's form */
export const timeOf = (now) => new Date(now).toISOString();

/** Step 3: a look at every line after the head, whether the seat remembers what stands there in its name. */
class Walk {
  /** @param {Record} record @param {Follower} log @param {string} me @param {LinkOf} linkOf @param {string} key */
  constructor(record, log, me, linkOf, key) {
    this.record = record;
    this.log = log;
    this.me = me;
    this.linkOf = linkOf;
    /** The head to be: what stands after it may yet make room, so it is looked at each time and not recorded. */
    this.taken = takenOf(record, log);
    const place = log.game.place(me);
    /** The join of this key, where it took the place of another's, whose events and openings are not its own; the end, where it has no place. */
    this.since = place?.party.verifierKey === key ? (place.former.at(-1)?.until ?? 0) : log.size;
    this.tip = '';
    /** @type {import('./memory.js').Warning[]} */
    this.warnings = [];
  }

  async take() {
    const { record, log } = this;
    const start = record.head.size;
    for (const event of log.events.slice(Math.max(start, this.since))) {
      const stopped = await this.event(event);
      if (stopped !== null) {
        record.stopped ??= stopped;
        this.keepWarnings();
        return;
      }
    }
    if (this.taken <= start) return;
    record.head = { size: this.taken, leaf: log.leaf(this.taken - 1) };
    // What stands in another place than it was signed for can never come.
    record.signed = Object.fromEntries(Object.entries(record.signed).filter(([, seq]) => seq >= this.taken));
    // One in the place of which another stands is kept until whoever offers it has heard so, and tells its owner.
    record.lines = record.lines.filter((line) => {
      const { seq } = JSON.parse(line);
      return seq >= this.taken || !log.has(line, seq);
    });
    const first = record.chains.findIndex((chain) => chain.tip === this.tip);
    if (first > 0) record.chains = record.chains.slice(first); // a later commit has replaced those before
    record.received = record.received.filter((line) => !this.wasShown(JSON.parse(line).request));
    this.keepWarnings();
  }

  keepWarnings() {
    const known = new Set(this.record.warnings.map((each) => each.id));
    this.record.warnings.push(...this.warnings.filter((each) => !known.has(each.id)));
  }

  /** @param {string} request @returns {boolean} */
  wasShown(request) {
    return this.log.game.rolls.find((roll) => roll.leaf === request)?.ended === 'reveal';
  }

  /** @param {Event} event @returns {Promise<import('./errors.js').Message | null>} why to stop */
  async event({ seq, author, type, body, leaf, prev }) {
    const { me } = this;
    const mine = author === me;
    if (mine && !Object.hasOwn(this.record.signed, leaf)) {
      return say(
        "Event {seq}, {type}, is signed with {me}'s key, but not by {me} in this browser. Either somebody else has the key, or this browser lost what it remembered. It signs and opens nothing more in this game. Tell the others and the judge, without using this server.",
        { seq, type, me },
      );
    }
    if (Array.isArray(body.openings)) {
      const request = type === 'disclose' ? this.log.events[seq - 1].prev : prev;
      for (const opening of body.openings) {
        if (opening.author === me && !(await this.remembers(opening, request))) {
          return say(
            "Event {seq}, {type}, has an opening by {me}'s key that {me} did not make in this browser. Either somebody else has the key and the seeds, or this browser lost what it remembered. It signs and opens nothing more in this game. Tell the others and the judge, without using this server.",
            { seq, type, me },
          );
        }
      }
      const keptBack = type !== 'reveal' && this.keptBack(body.openings, request);
      if (keptBack)
        this.warn(
          seq,
          say('{author} leaves your opening for this roll out, although {author} gave you a receipt for it: show both to the judge.', { author }),
          { about: seq - (type === 'disclose' ? 2 : 1), request },
        );
    }
    if (type === 'commit' && mine && seq < this.taken) this.tip = body.tip;
    if (type === 'void' && body.missing.includes(me) && this.record.chains.some((chain) => chain.request === prev)) {
      const message = say('{author} says that you did not open for this roll. You did: show the opening and its receipts to the judge.', {
        author,
      });
      this.warn(seq, message, { about: seq - 1, request: prev });
      if (author === this.log.game.terms.keepersJudge && seq < this.taken) this.record.denied = prev;
    }
    if (type === 'leave' && body.party === me && !mine) this.warn(seq, say('{author} took you out of the game.', { author }));
    if (type === 'away' && body.party === me && !mine) this.warn(seq, say('{author} signed you away.', { author }));
    if (type === 'ruling') this.ruled(seq, author, body);
    return null;
  }

  /** Warns of a ruling on what this party did, and of a later one on that ruling. @param {number} seq @param {string} author @param {any} body */
  ruled(seq, author, { ruling, subject, party, text: reason }) {
    const { events } = this.log;
    let about = subject;
    while (events[about].type === 'ruling') about = events[about].body.subject;
    const again = events.some(({ type, body, seq: at }) => at < seq && type === 'ruling' && (at === subject || body.subject === about));
    const values = { author, reason };
    if (ruling === 'penalty' && party === this.me) return this.warn(seq, say('{author} gave you a penalty. The reason: {reason}', values), { about });
    if (events[about].author !== this.me) return undefined;
    if (about === subject && ruling === 'void')
      return this.warn(seq, say('{author} ruled void what you did. The reason: {reason}', values), { about });
    if (about === subject && ruling === 'correct')
      return this.warn(seq, say('{author} corrected what you did. The reason: {reason}', values), { about });
    if (again) return this.warn(seq, say('{author} ruled once more on what you did. The reason: {reason}', values), { about });
    return undefined;
  }

  /**
   * @param {number} seq @param {import('./errors.js').Message} message
   * @param {{about?: number, request?: string}} [more] number of the event that it is about; the request whose opening and receipts show it
   */
  warn(seq, message, { about, request } = {}) {
    if (seq >= this.taken) return;
    const lines = this.record.received.filter((line) => JSON.parse(line).request === request);
    const own = this.record.chains.find((chain) => request !== undefined && chain.request === request);
    const files = [
      ...(own ? [{ name: 'my.opening', text: `${own.opening}\n` }] : []),
      ...lines.map((line, i) => ({ name: `${i + 1}.received`, text: `${line}\n` })),
    ];
    this.warnings.push({ id: `event ${seq}: ${'text' in message ? message.text : ''}`, message, files, ...(about === undefined ? {} : { about }) });
  }

  /** @param {any[]} openings of a disclose or a close @param {string} request @returns {boolean} whether the keeper had this party's too */
  keptBack(openings, request) {
    const keeper = this.log.game.terms.keeper.name;
    return (
      !openings.some((opening) => opening.author === this.me) &&
      this.record.received.some((line) => {
        const receipt = JSON.parse(line);
        return receipt.receiver === keeper && receipt.request === request;
      })
    );
  }

  /** @param {any} opening @param {string} request @returns {Promise<boolean>} */
  async remembers(opening, request) {
    for (const chain of this.record.chains) {
      if (chain.opened === opening.index && chain.request === request) return true;
      if (opening.index < chain.opened && (await this.linkOf(chain, opening.index)) === opening.link) return true;
    }
    return false;
  }
}
