/**
 * What a page shows of a table: plain data, new at each change. Nothing secret stands in it.
 * @module
 */

import { utf8 } from '../../../verifier/web/bytes.js';
import { tableCode } from './code.js';
import { nameOf } from './lobby.js';

/** @typedef {import('./play.js').Play} Play */
/** @typedef {import('./table.js').Table} Table */

/** @param {Table} table @returns {any} */
export function snapshotOf(table) {
  const { play, terms } = table;
  const log = play !== null && play.log.size > 0 ? play : null;
  return {
    stage: stageOf(table),
    problem: table.problem ?? play?.gone ?? null,
    table: terms === null ? null : tableOf(table, terms),
    me: meOf(table),
    game: log === null ? null : gameOf(log),
    advice: table.advice?.told ?? null,
    differs: table.advice?.differs() ?? [],
    line: play?.line ?? table.line,
    leader: play?.leader ?? true,
    warnings: warningsOf(table),
    trouble: play?.trouble ?? null,
    sending: play?.sending ?? 0,
  };
}

/** @param {Table} table @returns {string} */
function stageOf({ deleted, problem, play, terms, seat }) {
  if (deleted || play?.deleted) return 'deleted';
  if (problem !== null) return 'refused';
  if (play !== null && play.log.size > 0) {
    if (play.game.phase === 'closed') return 'closed';
    const place = seat && play.game.place(seat.name);
    return place && !place.joined && !place.left && seat.left !== true ? 'agreeing' : 'playing';
  }
  return terms === null ? 'connecting' : 'lobby';
}

/** @param {Table} table @param {import('./forms.js').Terms} terms @returns {any} */
function tableOf(table, terms) {
  const seats = table.seats.map((seat) => ({ name: nameOf(seat.key), role: seat.role, key: seat.key, mine: seat.key === table.seat?.key }));
  return {
    id: table.link.table, title: terms.title, system: terms.system, contributors: terms.contributors, away: terms.away ?? null, serversJudge: terms.judge ?? null,
    options: terms.options, host: nameOf(terms.host), keeper: nameOf(terms.keeper), time: terms.time,
    roles: terms.invitations.map((each) => each.role),
    judge: seats.find((seat) => seat.role === 'judge')?.name ?? null, seats,
    canStart: table.isHost && table.started === null && table.gameId === null && seats.some((seat) => seat.role === 'player'), mine: table.isHost,
  };
}

/** @param {Table} table @returns {any} */
function meOf({ seat, play, link }) {
  if (link.role === 'spectator') return null;
  if (seat === null) return { name: '', role: link.role, seated: false, joined: false, moved: false, movable: false, stopped: null };
  const place = play !== null && play.log.size > 0 ? play.game.place(seat.name) : undefined;
  return {
    name: seat.name, role: seat.role, seated: true, joined: place?.joined ?? false, moved: seat.left === true,
    movable: seat.wrapped !== null && seat.left !== true, stopped: play?.record?.stopped ?? null,
  };
}

/** @param {Table} table @returns {any[]} */
function warningsOf({ play, warnings }) {
  const durable = (play?.record?.warnings ?? []).map(({ id, message, files }) => ({
    id, message, files: files.map(({ name, text }) => ({ name, bytes: utf8(text) })),
  }));
  return [...durable, ...warnings.values(), ...(play?.warnings.values() ?? [])];
}

/** @param {Play} play @returns {any} */
function gameOf(play) {
  const { log, here, seat, record } = play;
  const { game } = log;
  return {
    id: log.id, size: log.size, phase: game.phase, closed: game.phase === 'closed',
    parties: [...game.places.values()].map(({ party, joined, left, away, chain }) => ({
      name: party.name, role: party.role, key: party.verifierKey, joined, left, away, here: here.includes(party.name),
      mine: party.verifierKey === seat?.signer.key, links: chain === null ? null : Math.max(0, chain.length - chain.next),
    })),
    ...ofLog(play),
    waiting: game.phase === 'pending' ? waitingOf(play) : null,
    checkpoint: { size: log.checkpoint?.size ?? 0 },
    declined: record !== null && game.phase === 'pending' && record.voided === game.roll.leaf,
  };
}

/** @type {WeakMap<Play, {events: any[], size: number, last: string, told: any}>} */
const told = new WeakMap();

/** What changes with the log alone: made once for each of its ends. @param {Play} play @returns {any} */
function ofLog(play) {
  const { events, game, size } = play.log;
  const last = events[size - 1].leaf;
  const known = told.get(play);
  if (known?.events === events && known.size === size && known.last === last) return known.told;
  const now = {
    code: tableCode(play.log.id, size, play.log.root(size)),
    events: events.slice(),
    rolls: game.rolls.map((roll) => ({
      seq: roll.seq, index: roll.index, author: roll.author, type: roll.type, body: roll.body, time: events[roll.seq].time,
      naturals: roll.ended === 'reveal' ? roll.naturals : null, sides: roll.ended === 'reveal' ? roll.sides : null, ended: roll.ended,
      end: roll.end, contributors: roll.shares.map((share) => share.name), fair: roll.ended === 'reveal',
    })),
    rulings: game.rulings.map(({ seq, author, body }) => ({ ...body, seq, author })),
  };
  told.set(play, { events, size, last, told: now });
  return now;
}

/** @param {Play} play @returns {any} */
function waitingOf({ log, openings, since, seat, record }) {
  const { roll, terms } = log.game;
  const contributors = roll.shares.map((share) => share.name);
  const awaited = contributors.filter((name) => !openings.has(name) && name !== terms.keeper.name && name !== roll.closer);
  if (contributors.includes(roll.closer) && !openings.has(roll.closer)) awaited.push(roll.closer);
  const mine = seat !== null && contributors.includes(seat.name);
  const opened = record?.chains.some((chain) => chain.request === roll.leaf) || (seat !== null && openings.has(seat.name));
  return {
    seq: roll.seq, author: roll.author, contributors, opened: contributors.filter((name) => openings.has(name)), awaited,
    closer: roll.closer, since, mine: !mine ? null : opened ? 'opened' : seat.name === roll.closer ? 'closer' : 'to open',
  };
}
