/**
 * What the host of a table does, in the browser where it was opened: seats, links, the start, and the end of a game
 * (specs/network.md, "The table").
 * @module
 */

import { Refused, say } from './errors.js';
import { parseStart } from './forms.js';
import { formatLink, invitationOf } from './links.js';
import { checkStart, newClose, newDelete, newInvite, newStart, newUnseat } from './lobby.js';
import { random, Signer } from './signer.js';

export class TableHost {
  /** @param {Pick<import('./table.js').Parts, 'here' | 'link' | 'connection' | 'status' | 'lobby' | 'game' | 'entry'>} parts */
  constructor({ here, link, connection, status, lobby, game, entry }) {
    this.storage = here.storage;
    this.link = link;
    this.connection = connection;
    this.status = status;
    this.lobby = lobby;
    this.game = game;
    this.entry = entry;
  }

  /** @returns {Promise<Signer>} of the host @throws {Refused} */
  async signer() {
    const host = await this.storage.get('hosts', this.link.table);
    if (host === undefined) throw new Refused('table.host', say('Only the host of this table can do this, in the browser where it was opened.'));
    return new Signer(host.key, host.signing);
  }

  /** Takes somebody's seat away; that key takes none here any more. @param {string} key a verifier key @throws {Refused | Away} */
  async unseat(key) {
    await this.connection.atTable(this.link.table, 'unseat', await newUnseat(await this.signer(), this.link.table, key));
  }

  /** Makes a new link in the place of a role's, which seats nobody any more. @param {string} role @returns {Promise<string>} @throws {Refused | Away} */
  async newLink(role) {
    const signer = await this.signer();
    await this.entry.known();
    const count = Math.max(0, ...this.lobby.invites.filter((each) => each.link.role === role).map((each) => each.count)) + 1;
    const link = { ...this.link, role, secret: random(32) };
    await this.connection.atTable(this.link.table, 'invites', await newInvite(signer, this.link.table, await invitationOf(role, link.secret), count));
    const host = await this.storage.get('hosts', this.link.table);
    const made = formatLink(link);
    await this.storage.write([{ store: 'hosts', key: this.link.table, value: { ...host, links: { ...host.links, [role]: made } } }]);
    this.status.changed();
    return made;
  }

  /** Starts with these seats. @param {string[]} keys verifier keys, in party order @throws {Refused | Away} */
  async start(keys) {
    const host = await this.signer();
    const terms = await this.entry.known();
    const parties = keys.map((key) => {
      const seat = this.lobby.seats.find((each) => each.key === key);
      if (seat === undefined) throw new Refused('table.start', say('Nobody sits here with the key {key}.', { key }));
      return { ...(seat.called === undefined ? {} : { called: seat.called }), key, role: seat.role };
    });
    const start = await newStart(host, this.link.table, parties);
    await checkStart(terms, this.link.table, this.lobby.seats, parseStart(start), this.lobby.invites);
    await this.connection.atTable(this.link.table, 'start', start);
  }

  /** Has the keeper close the game. @throws {Refused | Away} */
  async closeGame() {
    const play = this.game.playing();
    await this.connection.atTable(this.link.table, 'close', await newClose(await this.signer(), this.link.table, play.id));
  }

  /** Has everything deleted that the server has. @throws {Refused | Away} */
  async deleteTable() {
    await this.connection.atTable(this.link.table, 'delete', await newDelete(await this.signer(), this.link.table));
    this.status.delete();
  }
}
