/**
 * Coming into a game that has begun: asking for it, for a new seat or for a lost one's place, and letting others in
 * (specs/network.md, "The table").
 * @module
 */

import { Away, Refused, say } from './errors.js';
import { nameOf, newAdmit } from './lobby.js';
import { asksWhom, mayTake, newReplace, placeOf, successionFor } from './lost.js';
import { Signer } from './signer.js';
import { newcomersOf } from './snapshot.js';

export class Admissions {
  /** @param {Pick<import('./table.js').Parts, 'here' | 'link' | 'connection' | 'status' | 'seat' | 'lobby' | 'game' | 'sitting' | 'host' | 'late'>} parts */
  constructor({ here, link, connection, status, seat, lobby, game, sitting, host, late }) {
    this.here = here;
    this.link = link;
    this.connection = connection;
    this.status = status;
    this.seat = seat;
    this.lobby = lobby;
    this.game = game;
    this.sitting = sitting;
    this.host = host;
    this.late = late;
    /** A wish of this browser's is being sent. */
    this.wishing = false;
  }

  // --- for this browser --------------------------------------------------------------------------------------------------

  /**
   * Asks to come in, and agrees to the terms: when the host has let it in this party joins by itself.
   * @param {string} name @param {{passphrase?: string, called?: string | null}} [options] @throws {Refused | Away}
   */
  async ask(name, options = {}) {
    await this.sitting.sit(name, options);
    await this.agreeAhead();
  }

  /**
   * Asks to go on as a party whose browser is lost, and agrees to the terms: when it may, this key joins by itself.
   * @param {string} name of the party @throws {Refused | Away}
   */
  async askToGoOn(name) {
    const place = this.game.playing().game.place(name);
    if (place === undefined) throw new Refused('table.seat', say('Nobody here is called {name}.', { name }));
    const chain = await this.here.successionsOf();
    await this.sitting.sit(name, {
      lost: (key) => {
        const succession = successionFor(place, key, chain);
        return { replaces: place.party.verifierKey, ...(succession === null ? {} : { succession }) };
      },
    });
    await this.agreeAhead();
  }

  /** Agrees to the terms before this key is let in. */
  async agreeAhead() {
    await this.seat.store({ ...this.seat.record, agreed: true });
    await this.game.sitDown();
    this.status.changed();
  }

  /** Where the recovery key has signed for this key: sends the wish that it go on, whenever the lost one is away. */
  async wishAgain() {
    const { play } = this.game;
    const { record, sat, out } = this.seat;
    if (play === null || !this.late.goesOn || this.wishing || record?.succession === undefined || !sat || out) return;
    const place = play.game.place(record.name);
    if (!place?.away || mayTake(play.game, place, record.key) || !play.own.isOpen) return;
    this.wishing = true;
    try {
      await this.wish(record.key, new Signer(record.key, record.signing));
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
      await this.connection.sleep(1_000); // a roll or its owner came first, or the server is away
    } finally {
      this.wishing = false;
      this.status.changed();
    }
  }

  // --- for others --------------------------------------------------------------------------------------------------------

  /**
   * As the host: lets in somebody who asks, when no roll waits; and, where this party plays, consents to it with the same word.
   * @param {string} key a verifier key @throws {Refused | Away}
   */
  async letIn(key) {
    const host = await this.host.signer();
    const play = this.game.playing();
    const seat = this.lobby.seats.find((each) => each.key === key);
    if (seat === undefined) throw new Refused('table.seat', say('Nobody asks with this key any more.'));
    await this.sendBetweenRolls('admit', () => newAdmit(host, play.id, play.log.events[play.log.size - 1].leaf, key, seat.role));
    await this.until(() => play.game.place(nameOf(key)) !== undefined);
    const found = newcomersOf(play.game, this.seat.record?.name ?? null).find((each) => each.key === key);
    if (found?.mine) await this.game.sign(this.game.prepare('consent', { admit: found.admit }));
  }

  /**
   * Lets somebody go on under a new key, as far as it can be done now: calls the lost one away, wishes, and consents.
   * @param {string} key that asks, or that waits in the log @throws {Refused | Changed | Away}
   */
  async letGoOn(key) {
    const { game } = this;
    const play = game.playing();
    const { signer, name: mine } = play.own.required();
    const party = nameOf(key);
    const place = () => play.game.place(party);
    if (!place()?.away && !place()?.calledBy.has(mine)) await game.sign(game.prepare('away', { party }));
    if (!place()?.away || this.late.goingOn.some((each) => each.key === key && each.succession !== undefined)) return;
    if (place()?.asked?.key !== key) await this.wish(key, signer);
    const asked = place()?.asked;
    if (asked?.key === key && !asked.recovered && !asked.consents.has(mine) && asksWhom(play.game, party).includes(mine)) {
      await game.sign(game.prepare('consent', { admit: asked.seq }));
    }
  }

  // --- words for the keeper ----------------------------------------------------------------------------------------------

  /** Has the keeper write that a key goes on. @param {string} key @param {Signer} by @throws {Refused | Away} */
  async wish(key, by) {
    const play = this.game.playing();
    await this.sendBetweenRolls('replace', () => newReplace(by, play.id, key));
    await this.until(() => play.game.place(nameOf(key))?.asked?.key === key || placeOf(play.game, key) !== undefined);
  }

  /**
   * Sends a word when no roll waits, signed anew each time.
   * @param {'admit' | 'replace'} path @param {() => Promise<string>} sign @throws {Refused | Away}
   */
  async sendBetweenRolls(path, sign) {
    const play = this.game.playing();
    for (const end = Date.now() + this.connection.times.patience; ; ) {
      await play.settled();
      try {
        await this.connection.atTable(this.link.table, path, await sign());
        return;
      } catch (error) {
        // a roll came first, or the word came upon a line that made room
        if (!(error instanceof Refused) || !['state.pending', 'admit.word'].includes(error.code) || Date.now() >= end) throw error;
        await play.life.change(1_000);
      }
    }
  }

  /** Waits until the log here has something, or patience ends. @param {() => boolean} isThere */
  async until(isThere) {
    const end = Date.now() + this.connection.times.patience;
    while (!isThere() && Date.now() < end) await this.game.playing().life.change(1_000);
  }
}
