/**
 * A snapshot of a table for a page: plain data, new at each change. It has no key and no secret; it has the outcomes of
 * this party's secret rolls, only for this screen.
 * @module
 */

import { utf8 } from '../../../verifier/web/bytes.js';
import { lookAlike } from '../../../verifier/web/expect.js';
import { isNewcomer, notAgreed } from '../../../verifier/web/late.js';
import { notAcceptedBy, rulingsWithEffect } from '../../../verifier/web/notices.js';
import { isPresentContributor } from '../../../verifier/web/presence.js';
import { markAlike } from './called.js';
import { sealedFailure, shownNaturals } from '../../../verifier/web/secret.js';
import { canBeTakenBack } from '../../../verifier/web/strikes.js';
import { keyCode, tableCode } from './code.js';
import { asking, nameOf } from './lobby.js';
import { asksWhom, lostOnes, placeOf } from './lost.js';
import { acknowledgedBy } from './seat.js';

/** @typedef {import('./play.js').Play} Play */
/** @typedef {import('./table.js').Table} Table */
/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./errors.js').Message} Message */
/** @typedef {import('./follower.js').Event} ShownEvent */
/** @typedef {{name: string, called: string | null, role: string, key: string, mine: boolean, alike: string | null}} ShownSeat `alike`: somebody else here, whose name looks like it */
/**
 * @typedef {object} ShownTable its terms, and who sits there
 * @property {string} id @property {string} title @property {string} system
 * @property {'all' | 'roller' | string[]} contributors @property {'others' | null} away @property {{after: number, key: string} | null} serversJudge
 * @property {any} options of the system @property {string} host @property {string} keeper @property {string} time @property {string[]} roles that have links
 * @property {string | null} judge among the seats @property {ShownSeat[]} seats @property {boolean} canStart @property {boolean} mine whether this browser is the host's
 * @property {string[]} admits in which roles somebody may come later @property {string | null} posts where the server posts each result @property {string | null} public where everybody can read the closed game @property {'kept' | 'everyone' | null} sealed who may roll in secret @property {'all' | null} strike whether all who play can take a roll back @property {ShownSeat[]} asking who asks to come in, for the host
 * @property {boolean} ended the host has made a new link in the place of this one @property {boolean} out the server shows the own seat no more
 */
/**
 * @typedef {object} Me `asks`: `may`: this link lets somebody ask to come in; `asked`: the host is asked; `out`: the host has turned it away; null: nothing of it
 * @property {string} name @property {string} role @property {boolean} seated @property {boolean} joined @property {boolean} moved @property {boolean} movable
 * @property {boolean} bound it has said that it checks the rules before it signs
 * @property {Message | null} stopped @property {'may' | 'asked' | 'out' | null} asks
 * @property {GoingOn | null} goesOn it asks to go on in the place of a lost key @property {{name: string, called: string | null}[]} lost as whom it could go on
 * @property {boolean} replaced its name goes on under another key
 * @property {'judge' | 'server' | null} awaits at an event's table, what lets it in: a judge, the server; null: nothing has to
 */
/** @typedef {{recovered: boolean, away: boolean, waits: boolean, awaited: string[], out: boolean, code: string}} GoingOn `code`: of its key; `waits`: the keeper has written its key; `awaited`: who has still to consent */
/**
 * @typedef {object} ShownNewKey of a party, which asks in the lobby, or waits in the log
 * @property {string} code by which people tell it from another
 * @property {string} name @property {string} key @property {boolean} recovered the recovery key has signed for it @property {boolean} asks with a link of the table
 * @property {boolean} waits in the log @property {boolean} several others ask for the same place @property {string[]} agreed @property {string[]} awaited
 * @property {boolean} mine this party has still a part in it @property {boolean} own it is for this party's own place
 */
/** @typedef {{name: string, role: string, key: string, admit: number, byHost: boolean, awaited: string[], mine: boolean}} ShownNewcomer `mine`: this party has still to consent */
/**
 * @typedef {object} ShownParty
 * @property {string} name @property {string | null} called @property {string} role @property {string} key @property {boolean} joined @property {boolean} left @property {boolean} away
 * @property {boolean} here @property {boolean} mine @property {number | null} links left in its chain; null: it has none
 * @property {boolean} calls whether it has a say now in who is signed away @property {string[]} calledBy who has called it away
 */
/**
 * @typedef {object} ShownRoll
 * @property {number} seq @property {number} index @property {string} author @property {string} type @property {any} body @property {string} time
 * @property {number[] | null} naturals @property {number[] | null} sides @property {string | null} ended the type of the event that ended it
 * @property {number | null} end its number @property {string[]} contributors @property {boolean} fair
 * @property {string[]} without who had no part in it because somebody else had signed them away @property {string[]} unaccepted who of them has not accepted it
 * @property {string | null} holder of a secret roll @property {number | null} shown number of the event that shows it
 * @property {string} purpose what it was for, where that was hidden and is shown
 */
/** @typedef {{seq: number, author: string, ruling: string, subject: number, text?: string, results?: any, judge?: string, body?: any, effect: boolean}} ShownRuling `effect`: it has one by itself */
/**
 * @typedef {object} ShownWaiting a roll that waits
 * @property {number} seq @property {string} author @property {string[]} contributors @property {string[]} opened @property {string[]} awaited
 * @property {string[]} absent of whom this party may say that they did not open: it gave no receipt for an opening of theirs
 * @property {string} closer @property {number} since milliseconds, by this clock @property {'opened' | 'to open' | 'closer' | null} mine
 */
/**
 * @typedef {object} ShownGame
 * @property {string} id @property {number} size @property {string} phase @property {boolean} closed @property {string} code @property {ShownParty[]} parties
 * @property {ShownEvent[]} events @property {ShownRoll[]} rolls @property {ShownRuling[]} rulings @property {ShownWaiting | null} waiting
 * @property {{size: number}} checkpoint @property {boolean} declined @property {ShownNewKey[]} newKeys who asks to go on in the place of a lost key @property {{seq: number, name: string, by: string[]}[]} renewed who goes on under a new key, and by whose word @property {ShownNewcomer[]} newcomers who came later, and has no say yet
 * @property {import('./holder.js').Outcome[]} secrets what secret rolls of this party's came to that are not shown @property {string[]} holders who may take a secret roll of this party's now
 * @property {{roll: number, by: string[], missing: string[]} | null} strike the roll that all can take back now, who has agreed, and who has still to
 * @property {{roll: number, by: string[]}[]} takenBack rolls that were, and by whom
 * @property {string[]} unagreed players and game masters from the beginning who have neither agreed nor left: nobody can roll
 * @property {string[]} unlinked who has joined, contributes to everybody's rolls, and has no link for one: nobody can roll
 * @property {string[]} missing who did not open for the latest request, where it was voided, and has written nothing since
 * @property {{party: string, seq: number, type: string, body: any}[]} owed requests that were voided, and that their authors have not made again
 */
/**
 * @typedef {object} Snapshot
 * @property {'connecting' | 'lobby' | 'agreeing' | 'playing' | 'closed' | 'deleted' | 'refused'} stage @property {Message | null} problem
 * @property {ShownTable | null} table @property {Me | null} me @property {ShownGame | null} game @property {import('./advice.js').Told | null} advice
 * @property {import('./advice.js').Difference[]} differs @property {string} line @property {boolean} leader
 * @property {import('./rules.js').Lie[]} lies of the server's, which the rules contradict
 * @property {{state: 'loading' | 'ready' | 'unfinished', why: Message | null} | null} rules null: nobody has begun to load them
 * @property {{id: string, message: Message, files: File[], about?: number}[]} warnings `about`: the number of an event @property {{message: Message, files: File[]} | null} trouble
 * @property {number} sending own lines and openings on their way
 */
/** @typedef {Snapshot & {table: ShownTable}} AtTable */
/** @typedef {AtTable & {game: ShownGame}} InGame */
/** @typedef {InGame & {me: Me}} Seated */

/** @param {Table} table @returns {Snapshot} */
export function snapshotOf(table) {
  const {
    status,
    lobby,
    game: { play, advice },
  } = table;
  const log = play !== null && play.log.size > 0 ? play : null;
  return {
    stage: stageOf(table),
    problem: status.problem ?? play?.stream.gone ?? null,
    table: lobby.terms === null ? null : tableOf(table, lobby.terms),
    me: meOf(table),
    game: log === null ? null : gameOf(log, table),
    advice: advice?.told ?? null,
    differs: advice?.differs() ?? [],
    lies: play?.rules.lies.slice() ?? [],
    rules: play?.rules.loaded ? { state: play.rules.state, why: play.rules.why } : null,
    line: play?.uplink.state ?? status.line,
    leader: play?.tabs.leader ?? true,
    warnings: warningsOf(table),
    trouble: play?.sync.trouble ?? null,
    sending: play?.outbox.sending ?? 0,
  };
}

/** @param {Table} table @returns {Snapshot['stage']} */
function stageOf({ status, lobby, game: { play }, seat: { record } }) {
  if (status.deleted || play?.stream.deleted) return 'deleted';
  if (status.problem !== null) return 'refused';
  if (play !== null && play.log.size > 0) {
    if (play.game.phase === 'closed') return 'closed';
    const place = record && placeOf(play.game, record.key);
    const agreed = place?.late != null && record.agreed; // before it was let in
    return place && !place.joined && !place.left && record.left !== true && !agreed ? 'agreeing' : 'playing';
  }
  return lobby.terms === null ? 'connecting' : 'lobby';
}

/** @param {Table} table @param {import('./forms.js').Terms} terms @returns {ShownTable} */
function tableOf(table, terms) {
  const { lobby, seat: own, entry } = table;
  const names = [terms.keeper, ...(terms.judge ? [terms.judge.key] : []), ...lobby.seats.map((seat) => seat.key)].map(nameOf);
  const seats = lobby.seats.map((seat) => {
    const name = nameOf(seat.key);
    const before = names.slice(0, names.indexOf(name));
    return {
      name,
      called: seat.called ?? null,
      role: seat.role,
      key: seat.key,
      mine: seat.key === own.record?.key,
      alike: before.find((other) => lookAlike(other, name)) ?? null,
    };
  });
  markAlike(seats);
  return {
    id: table.link.table,
    title: terms.title,
    system: terms.system,
    contributors: terms.contributors,
    away: terms.away ?? null,
    serversJudge: terms.judge ?? null,
    admits: terms.admits ?? [],
    posts: terms.posts ?? null,
    public: terms.public ?? null,
    sealed: terms.sealed ?? null,
    strike: terms.strike ?? null,
    asking: entry.isHost && table.late.admitsMore ? askingOf(table, names) : [],
    options: terms.options,
    host: nameOf(terms.host),
    keeper: nameOf(terms.keeper),
    time: terms.time,
    roles: terms.invitations.map((each) => each.role),
    judge: seats.find((seat) => seat.role === 'judge')?.name ?? null,
    seats,
    canStart: entry.isHost && entry.started === null && entry.gameId === null && seats.some((seat) => seat.role === 'player'),
    mine: entry.isHost,
    ended: lobby.ended,
    out: own.out,
  };
}

/** @param {Table} table @param {string[]} names of those who play @returns {ShownSeat[]} */
function askingOf({ lobby: { seats }, seat: { record }, game: { play } }, names) {
  const places = /** @type {Play} */ (play).game.places;
  const known = [...new Set([...names, ...places.keys()])];
  const asks = asking(seats, /** @type {Play} */ (play).game).map((each) => {
    const name = nameOf(each.key);
    return {
      name,
      called: each.called ?? null,
      role: each.role,
      key: each.key,
      mine: each.key === record?.key,
      alike: known.find((other) => other !== name && lookAlike(other, name)) ?? null,
    };
  });
  markAlike([...[...places.values()].map(({ party: { name, called } }) => ({ name, called, alike: null })), ...asks]);
  return asks;
}

/** @param {Table} table @returns {Me | null} */
function meOf({ link, lobby: { terms }, entry: { awaits }, game: { isOn, play }, late, seat: { record, out } }) {
  if (link.role === 'spectator') return null;
  const may = late.admitsMore && (terms?.admits ?? []).includes(link.role);
  if (record === null)
    return {
      name: '',
      role: link.role,
      seated: false,
      joined: false,
      bound: false,
      moved: false,
      movable: false,
      stopped: null,
      asks: may ? 'may' : null,
      goesOn: null,
      lost: isOn && play !== null ? lostOnes(play.game, link.role) : [],
      replaced: false,
      awaits,
    };
  const begun = play !== null && play.log.size > 0;
  const place = begun ? placeOf(play.game, record.key) : undefined;
  const asks = record.replaces === undefined && may;
  const replaced = begun && [...play.game.places.values()].some(({ former }) => former.some(({ verifierKey }) => verifierKey === record.key));
  return {
    name: record.name,
    role: record.role,
    seated: !begun || place !== undefined,
    joined: place?.joined ?? false,
    bound: place?.checks ?? false,
    moved: record.left === true,
    movable: record.wrapped !== null && record.left !== true,
    stopped: play?.own.record?.stopped ?? null,
    asks: place !== undefined || !asks || replaced ? null : !record.posted ? 'may' : out ? 'out' : 'asked',
    goesOn: record.replaces === undefined || !isOn || play === null || place !== undefined ? null : goesOnOf(play, record, out),
    lost: [],
    replaced,
    awaits,
  };
}

/** @param {Play} play @param {any} seat @param {boolean} out @returns {GoingOn} */
function goesOnOf({ game }, seat, out) {
  const place = game.place(seat.name);
  const waits = place?.asked?.key === seat.key;
  const consents = waits ? place?.asked?.consents : undefined;
  return {
    recovered: seat.succession !== undefined,
    away: place?.away ?? false,
    waits,
    awaited: asksWhom(game, seat.name).filter((name) => !consents?.has(name)),
    out,
    code: keyCode(seat.key),
  };
}

/** @param {Play} play @param {Table} table @returns {ShownNewKey[]} */
function newKeysOf({ game, own: { seat } }, { late, seat: { record } }) {
  const me = seat === null ? undefined : placeOf(game, seat.signer.key);
  const asks = late.goingOn.map(({ key, replaces, succession }) => ({
    key,
    name: placeOf(game, replaces ?? '')?.party.name ?? '',
    recovered: succession !== undefined,
    asks: true,
  }));
  const waiting = [...game.places.values()].flatMap(({ asked, party: { name } }) =>
    asked === null || asks.some((each) => each.key === asked.key) ? [] : [{ key: asked.key, name, recovered: asked.recovered, asks: false }],
  );
  const all = [...asks, ...waiting];
  // By the event's word nobody is asked: only the party itself is told.
  const needless = (/** @type {string} */ name) => (game.place(name)?.asked?.corrected ?? null) !== null && me?.party.name !== name;
  return all
    .filter((each) => each.key !== record?.key && !needless(each.name))
    .map((each) => {
      const { asked } = /** @type {import('../../../verifier/web/game.js').Place} */ (game.place(each.name));
      const waits = asked?.key === each.key;
      const whom = asksWhom(game, each.name);
      const agreed = waits && asked !== null ? whom.filter((name) => asked.consents.has(name)) : [];
      const awaited = whom.filter((name) => !agreed.includes(name));
      const mine = me !== undefined && !me.away && awaited.includes(me.party.name);
      return {
        ...each,
        code: keyCode(each.key),
        waits,
        several: all.filter(({ name }) => name === each.name).length > 1,
        agreed,
        awaited,
        mine,
        own: me?.party.name === each.name,
      };
    });
}

/** @param {Table} table @returns {Snapshot['warnings']} */
function warningsOf({ game: { play }, status: { warnings } }) {
  const durable = (play?.own.record?.warnings ?? []).map(({ id, message, files, about }) => ({
    id,
    message,
    about,
    files: files.map(({ name, text }) => ({ name, bytes: utf8(text) })),
  }));
  return [...durable, ...warnings.values(), ...(play?.warnings.all ?? [])];
}

/** @param {Play} play @param {Table} table @returns {ShownGame} */
function gameOf(play, table) {
  const { log, inbox, own } = play;
  const seat = own.isParty ? own.seat : null;
  const { game } = log;
  return {
    id: log.id,
    size: log.size,
    phase: game.phase,
    closed: game.phase === 'closed',
    parties: [...game.places.values()].map((place) => ({
      name: place.party.name,
      called: place.party.called,
      role: place.party.role,
      key: place.party.verifierKey,
      joined: place.joined,
      left: place.left,
      away: place.away,
      calls: game.terms.awayByOthers && isPresentContributor(game, place),
      calledBy: [...place.calledBy],
      here: inbox.here.includes(place.party.name),
      mine: place.party.verifierKey === seat?.signer.key,
      links: place.chain === null ? null : Math.max(0, place.chain.length - place.chain.next),
    })),
    ...ofLog(play),
    waiting: game.phase === 'pending' ? waitingOf(play) : null,
    checkpoint: { size: log.checkpoint?.size ?? 0 },
    newKeys: newKeysOf(play, table),
    renewed: game.replacements.map(({ seq, party, by }) => ({ seq, name: party, by })),
    newcomers: newcomersOf(game, seat?.name ?? null),
    strike: canBeTakenBack(game),
    unagreed: notAgreed(game),
    unlinked: unlinkedOf(game),
    missing: missingOf(log),
    owed: owedOf(game),
    secrets: own.secrets,
    holders: holdersOf(game, seat?.name ?? null),
    declined: own.record !== null && game.phase === 'pending' && own.record.voided === game.roll.leaf,
  };
}

/** @param {import('../../../verifier/web/game.js').Game} game @param {string | null} me @returns {ShownNewcomer[]} */
export function newcomersOf(game, me) {
  const places = [...game.places.values()];
  const asked = places.filter((each) => each.joined && !each.left && !isNewcomer(each) && ['player', 'gm', 'witness'].includes(each.party.role));
  return places
    .filter((each) => isNewcomer(each) && !each.left)
    .map(({ party, late }) => {
      const { admit, byHost, consents } = /** @type {import('../../../verifier/web/game.js').Late} */ (late);
      const awaited = asked.map((each) => each.party.name).filter((name) => !consents.has(name));
      const mine = me !== null && awaited.includes(me) && game.place(me)?.away === false;
      return { name: party.name, role: party.role, key: party.verifierKey, admit, byHost, awaited, mine };
    });
}

/** @param {import('../../../verifier/web/game.js').Game} game @param {string | null} me @returns {string[]} who may hold a secret roll that this party asks for now, itself first */
function holdersOf(game, me) {
  if (me === null) return [];
  const can = [...game.places.keys()].filter((name) => sealedFailure(game, me, { sealed: name }) === null);
  return can.sort((a, b) => Number(b === me) - Number(a === me));
}

/** @param {import('../../../verifier/web/game.js').Game} game @returns {string[]} */
function unlinkedOf(game) {
  const { keeper } = game.terms;
  return game
    .contributorsOf(keeper.name)
    .filter(({ party, joined, chain }) => joined && party.name !== keeper.name && (chain === null || chain.next >= chain.length))
    .map(({ party }) => party.name);
}

/** @param {import('./follower.js').Follower} log @returns {string[]} */
function missingOf({ game, events }) {
  const roll = game.rolls.at(-1);
  if (roll === undefined || roll.ended !== 'void' || roll.end === null) return [];
  const since = new Set(events.slice(roll.end + 1).map((event) => event.author));
  return events[roll.end].body.missing.filter((/** @type {string} */ name) => !since.has(name));
}

/** @param {import('../../../verifier/web/game.js').Game} game @returns {ShownGame['owed']} */
const owedOf = (game) => [...game.owed].map(([party, { roll }]) => ({ party, seq: roll.seq, type: roll.type, body: roll.body }));

/** @typedef {Pick<ShownGame, 'code' | 'events' | 'rolls' | 'rulings' | 'takenBack'>} OfLog */
/** @type {WeakMap<Play, {events: ShownEvent[], size: number, last: string, told: OfLog}>} */
const told = new WeakMap();

/** The part that changes only with the log: made once for each of its ends. @param {Play} play @returns {OfLog} */
function ofLog(play) {
  const { events, game, size } = play.log;
  const last = events[size - 1].leaf;
  const known = told.get(play);
  if (known?.events === events && known.size === size && known.last === last) return known.told;
  const shown = new Map(events.filter((event) => event.type === 'show').map((event) => [event.body.request, event]));
  const now = {
    code: tableCode(play.log.id, size, play.log.root(size)),
    events: events.slice(),
    rolls: game.rolls.map((roll) => ({
      seq: roll.seq,
      index: roll.index,
      author: roll.author,
      type: roll.type,
      body: roll.body,
      time: events[roll.seq].time,
      ...diceOf(game, roll),
      ended: roll.ended,
      end: roll.end,
      contributors: roll.shares.map((share) => share.name),
      holder: roll.taken?.holder ?? null,
      shown: shown.get(roll.seq)?.seq ?? null,
      purpose: shown.get(roll.seq)?.body.text ?? '',
      fair: roll.ended === 'reveal' && (roll.taken === null || shown.has(roll.seq)),
      without: roll.ended === 'reveal' ? roll.without : [],
      unaccepted: roll.ended === 'reveal' ? notAcceptedBy(game, roll) : [],
    })),
    rulings: shownRulings(game),
    takenBack: game.takenBack.map(({ roll, by }) => ({ roll: roll.seq, by })),
  };
  told.set(play, { events, size, last, told: now });
  return now;
}

/** @param {import('../../../verifier/web/game.js').Game} game @returns {ShownRuling[]} */
export function shownRulings(game) {
  const some = new Set(rulingsWithEffect(game));
  return game.rulings.map((ruling) => ({ ...ruling.body, seq: ruling.seq, author: ruling.author, effect: some.has(ruling) }));
}

/** The dice that were revealed; of a secret roll those that were shown. @param {import('../../../verifier/web/game.js').Game} game @param {import('../../../verifier/web/game.js').Roll} roll @returns {{naturals: number[] | null, sides: number[] | null}} */
function diceOf(game, roll) {
  if (roll.ended !== 'reveal') return { naturals: null, sides: null };
  if (roll.taken === null) return { naturals: roll.naturals, sides: roll.sides };
  const naturals = shownNaturals(game, roll);
  return { naturals, sides: naturals === null ? null : roll.body.sides };
}

/** @param {Play} play @returns {ShownWaiting} */
function waitingOf({ log, inbox: { openings, since }, own: { seat, record } }) {
  const { roll, terms } = log.game;
  const contributors = roll.shares.map((share) => share.name);
  const awaited = contributors.filter((name) => !openings.has(name) && name !== terms.keeper.name && name !== roll.closer);
  if (contributors.includes(roll.closer) && !openings.has(roll.closer)) awaited.push(roll.closer);
  const mine = seat !== null && contributors.includes(seat.name);
  const opened = record?.chains.some((chain) => chain.request === roll.leaf) || (seat !== null && openings.has(seat.name));
  return {
    seq: roll.seq,
    author: roll.author,
    contributors,
    opened: contributors.filter((name) => openings.has(name)),
    awaited,
    absent: contributors.filter((name) => name !== terms.keeper.name && (record === null || !acknowledgedBy(record, roll.leaf).includes(name))),
    closer: roll.closer,
    since,
    mine: !mine ? null : opened ? 'opened' : seat.name === roll.closer ? 'closer' : 'to open',
  };
}
