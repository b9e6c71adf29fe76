/**
 * Rolls of a game for those who have not its log: proofs, and short links at the server (specs/roll-proof.md).
 * @module
 */

import { idOfPublished, newPublish, newRevoke, rollProof } from './share.js';
import { odd } from './transport.js';

export class Sharing {
  /** @param {Pick<import('./table.js').Parts, 'link' | 'connection' | 'seat' | 'game'>} parts */
  constructor({ link, connection, seat, game }) {
    this.link = link;
    this.connection = connection;
    this.seat = seat;
    this.game = game;
  }

  /**
   * The proof of one roll, for whoever has not the log.
   * @param {number} seq of the request @param {boolean} names whether a page shows the names @returns {string} the file @throws {Refused}
   */
  proofOf(seq, names) {
    const { log } = this.game.playing();
    return rollProof(
      log.events.map((/** @type {{line: string}} */ event) => event.line),
      seq,
      log.checkpoint,
      names,
    );
  }

  /** @param {number} seq of a request @returns {boolean} whether it is this party's own, so that it may be published */
  isOwnRoll(seq) {
    const play = this.game.playing();
    const { record } = this.seat;
    return record !== null && play.own.seat !== null && play.game.rollAt.get(seq)?.author === record.name;
  }

  /** Rolls of the game that the server shows by a short link. @returns {Promise<import('./share.js').Published[]>} @throws {Refused | Away} */
  async published() {
    return this.connection.published(this.game.playing().id);
  }

  /**
   * Has the server show one roll by a short link.
   * @param {number} seq of the request @param {boolean} names whether a page shows the names @returns {Promise<string>} the link
   * @throws {Refused | Away}
   */
  async publish(seq, names) {
    const play = this.game.playing();
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
    const play = this.game.playing();
    await this.connection.revoke(roll, await newRevoke(play.own.required().signer, play.id, roll));
  }
}
