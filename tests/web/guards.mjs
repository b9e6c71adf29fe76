// node tests/web/guards.mjs    the follower and the fork guard (ledger/web/core), each branch by itself, upon logs of the vectors
// A line for each check that fails, and in the end how many were made.

import assert from 'node:assert/strict';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { markAlike } from '../../ledger/web/core/called.js';
import { newSealingKey } from '../../ledger/web/core/chains.js';
import { Away, Cheated, Refused, Stopped, say } from '../../ledger/web/core/errors.js';
import { Follower, Misfit } from '../../ledger/web/core/follower.js';
import { Behind, checkBeforeSigning, checkTaken, Forked, lookAt, MAX_AHEAD, takenOf } from '../../ledger/web/core/guard.js';
import { Here } from '../../ledger/web/core/here.js';
import { Holder } from '../../ledger/web/core/holder.js';
import { Memory } from '../../ledger/web/core/memory.js';
import { Play } from '../../ledger/web/core/play.js';
import { Seat } from '../../ledger/web/core/seat.js';
import { newSigner } from '../../ledger/web/core/signer.js';
import { shownRulings } from '../../ledger/web/core/snapshot.js';
import { MemoryStorage } from '../../ledger/web/core/storage.js';
import { inTurn } from '../../ledger/web/core/turns.js';
import { voidedRolls } from '../../ledger/web/ui/replacing.js';
import { kindOf } from '../../ledger/web/ui/systems.js';
import { fromHex, utf8 } from '../../verifier/web/bytes.js';
import { receivedMessage } from '../../verifier/web/dice.js';
import { Failure } from '../../verifier/web/findings.js';
import { canonical } from '../../verifier/web/json.js';
import { checkOpening, checkReceived, tellOpening } from '../../verifier/web/openings.js';

const VECTORS = new URL('../../specs/vectors/', import.meta.url);
const linesOf = (name) =>
  readFileSync(new URL(`logs/${name}.jsonl`, VECTORS))
    .toString()
    .split('\n')
    .slice(0, -1)
    .map(utf8);
const notes = JSON.parse(readFileSync(new URL('notes.json', VECTORS)));
const note = (about) => utf8(notes.checkpoints.find((each) => each.about === about).note);
const HISTORY = linesOf('holds--copy-shown-to-alice');
const OTHER = linesOf('holds--copy-shown-to-bob');
const { game: ID, size: SIZE } = notes.checkpoints.find((each) => each.about === 'by the keeper').read;
const GOOD = note('by the keeper');
const START = note('the first line alone: its root is the game id');

/** The key of the vectors that is made from these words (their README). */
const ofVectors = (words) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), createHash('sha256').update(`rollproof vectors ${words}`).digest()]),
    format: 'der',
    type: 'pkcs8',
  });
/** @param {string} name @param {number} [size] lines @returns {Promise<Follower>} */
async function followed(name, size) {
  const lines = linesOf(name).slice(0, size);
  const { leafHash } = await import('../../verifier/web/hashes.js');
  const log = new Follower(Buffer.from(leafHash(lines[0])).toString('hex'));
  await log.takeAll(lines);
  return log;
}
/** What a party remembers that has made all that the log shows of it. */
const remembered = (log, me, more = {}) => ({
  number: 0,
  head: { size: 0, leaf: '' },
  chains: [],
  voided: '',
  receipts: [],
  received: [],
  stopped: null,
  warnings: [],
  lines: [],
  signed: Object.fromEntries(log.events.filter((event) => event.author === me).map((event) => [event.leaf, event.seq])),
  ...more,
});
/** Chains that made each opening in the log. */
const chainsOf = (log, me) =>
  log.events.flatMap(({ seq, type, body, prev }) =>
    (body.openings ?? [])
      .filter(({ author }) => author === me)
      .map(({ index }) => ({ tip: '', opened: index, request: type === 'disclose' ? log.events[seq - 1].prev : prev, opening: `opening ${index}` })),
  );
const turnOf = (record) => ({
  record,
  settled: 0,
  settle() {
    this.settled++;
  },
});
const never = async () => {
  throw new Error('no link is asked for');
};
async function looked(log, record, me = 'alice', linkOf = never) {
  const turn = turnOf(record);
  await lookAt(turn, log, me, linkOf, log.game.place(me)?.party.verifierKey ?? '');
  assert.equal(turn.settled, 1);
  return record;
}
const texts = (record) => record.warnings.map(({ message }) => message.text);
/** A game as a page has it, of which the server shows one history. @param {string} name @param {{storage?: MemoryStorage, size?: number}} [options] */
async function played(name, { storage = new MemoryStorage(), size } = {}) {
  const lines = linesOf(name).slice(0, size);
  const { id } = await followed(name, 1);
  const connection = {
    token: null,
    times: { longest: 10, handOn: 10 },
    lines: async (_, from) => ({ lines: HISTORY.slice(from), size: HISTORY.length }),
    checkpoint: async () => GOOD,
  };
  const play = new Play(id, connection, { storage, locks: null, channels: () => null, now: () => 0 }, () => {});
  await play.log.takeAll(lines);
  play.inbox.newRequest();
  return play;
}
/** A line with another signature: all else holds. */
const unsigned = (line) =>
  utf8(
    Buffer.from(line)
      .toString()
      .replace(/"sig":"(.)/, (_, c) => `"sig":"${c === '0' ? '1' : '0'}`),
  );
const fails = (code, seq) => (error) => error instanceof Failure && error.code === code && (seq === undefined || error.seq === seq);
const misfit = (code) => (error) => error instanceof Misfit && error.code === code;

const checks = {
  async 'a line that fails changes nothing'() {
    const log = new Follower(ID);
    await log.takeAll(HISTORY.slice(0, 5));
    const root = log.root(5);
    await assert.rejects(log.take(unsigned(HISTORY[5])), fails('signature.invalid', 5));
    await assert.rejects(log.take(OTHER[4]), fails('chain.seq', 5));
    assert.deepEqual([log.size, log.root(5), log.steps.tree.size], [5, root, 5]);
    await log.takeAll(HISTORY.slice(5));
    assert.equal(log.size, HISTORY.length);
  },
  async 'of several lines those before one that fails are taken'() {
    const log = new Follower(ID);
    await assert.rejects(log.takeAll([...HISTORY.slice(0, 7), unsigned(HISTORY[7]), ...HISTORY.slice(8)]), fails('signature.invalid', 7));
    assert.equal(log.size, 7);
    await log.takeAll(HISTORY.slice(7));
    assert.equal(Buffer.from(log.bytes()).toString(), `${HISTORY.map((line) => Buffer.from(line)).join('\n')}\n`);
  },
  async 'an event 0 that fails is forgotten'() {
    const log = new Follower(ID);
    await assert.rejects(log.take(utf8('{"type":"join"}')), fails('file.not-a-log'));
    await assert.rejects(log.take(linesOf('holds--rulings')[0]), fails('expect.game'));
    await assert.rejects(log.take(unsigned(HISTORY[0])), Failure);
    assert.equal(log.taken, 0);
    await log.take(HISTORY[0]);
    assert.equal(log.size, 1);
    const forged = unsigned(HISTORY[0]);
    const { leafHash } = await import('../../verifier/web/hashes.js');
    const other = new Follower(Buffer.from(leafHash(forged)).toString('hex'));
    for (let twice = 0; twice < 2; twice++) await assert.rejects(other.take(forged), fails('signature.invalid'));
    assert.equal(other.size, 0);
    await other.takeAll([]);
  },
  async 'a line is no longer than a line may be'() {
    const log = new Follower(ID);
    await log.take(HISTORY[0]);
    await assert.rejects(log.take(new Uint8Array(65_536)), fails('line.too-long'));
  },
  async 'whether an event would be taken changes nothing and trusts nothing later'() {
    const log = new Follower(ID);
    await log.takeAll(HISTORY.slice(0, 5));
    const before = [log.size, log.root(5), log.game.phase, log.steps.tree.size];
    log.wouldTake(unsigned(HISTORY[5]));
    assert.throws(() => log.wouldTake(OTHER[4]), fails('chain.seq'));
    assert.deepEqual([log.size, log.root(5), log.game.phase, log.steps.tree.size], before);
    await assert.rejects(log.take(unsigned(HISTORY[5])), fails('signature.invalid', 5));
    await log.take(HISTORY[5]);
  },
  async 'a new key that would join, or whose join fails, changes nothing'() {
    const lines = linesOf('holds--replaced-holder-of-secret-rolls');
    const at = lines.findLastIndex((line) => JSON.parse(Buffer.from(line).toString()).type === 'join');
    const log = await followed('holds--replaced-holder-of-secret-rolls', at);
    const state = () => {
      const { party, former, asked, lost, unsealed, worded, chain, seals } = log.game.place('gil');
      const named = [log.game.terms.byName.get('gil'), log.game.terms.parties.find(({ name }) => name === 'gil')];
      const keys = [party, ...named].map(({ verifierKey }) => verifierKey);
      const held = [former.length, asked?.key, lost, unsealed, worded, chain.length, seals.unused.length];
      return [log.size, log.game.replacements.length, ...keys, ...held];
    };
    const before = state();
    log.wouldTake(lines[at]);
    assert.deepEqual(state(), before);
    await assert.rejects(log.take(unsigned(lines[at])), fails('signature.invalid', at));
    assert.deepEqual(state(), before);
    await log.take(lines[at]);
    assert.notDeepEqual(state(), before);
    await log.takeAll(lines.slice(at + 1));
    assert.equal(log.game.replacements.length, 1);
  },
  async 'a consent to a new key that would be taken counts for nothing'() {
    const lines = linesOf('holds--replaced-by-all-others');
    const at = lines.findIndex((line) => JSON.parse(Buffer.from(line).toString()).type === 'consent');
    const log = await followed('holds--replaced-by-all-others', at);
    log.wouldTake(lines[at]);
    await assert.rejects(log.take(unsigned(lines[at])), fails('signature.invalid', at));
    assert.equal(log.game.place('bob').asked.consents.size, 0);
    await log.takeAll(lines.slice(at));
    assert.equal(log.game.replacements.length, 1);
  },
  async 'who holds secret rolls seals anew under a new key, gives no secret of the old one, and numbers on'() {
    const name = 'holds--replaced-holder-seals-twice';
    const seals = linesOf(name).flatMap((line, i) => (JSON.parse(Buffer.from(line).toString()).type === 'seal' ? [i] : []));
    const log = await followed(name, seals[1]);
    const seat = {
      game: log.game,
      log,
      name: 'gil',
      sealing: await newSealingKey(),
      unsigned: (type, body) => ({ type, body }),
      event: async (_turn, event) => event,
    };
    const [holder, record] = [new Holder(seat), { seals: [] }];
    const before = log.game.place('gil').seals.tags.length;
    assert.equal(holder.due(record), 'seal');
    const { body } = await holder.seal({ record });
    assert.deepEqual([Object.keys(body), record.seals[0].first], [['tags'], before + 1]);
    await log.takeAll(linesOf(name).slice(seals[1], seals[1] + 1));
    assert.equal(holder.due({ seals: [] }), null, 'a browser that has not its secrets seals no further ones');
    await assert.rejects(holder.seal({ record: { seals: [] } }), (error) => error instanceof Refused && error.code === 'seal.secret');
  },
  async 'a seat with a key of its own names no recovery key of the profile'() {
    const here = await Here.open({ address: 'http://localhost', storage: new MemoryStorage(), fetch: never });
    const { key } = await here.profileSigner('bob', null);
    assert.equal(await here.recoveryOf(key), null, 'not before its file is saved');
    const { bytes } = await here.keepProfile('seven songs in a row');
    assert.equal(await here.recoveryOf(key), JSON.parse(Buffer.from(bytes).toString()).recovery);
    const own = await newSigner('bob');
    assert.equal(await here.recoveryOf(own.signer.key), null);
  },
  async 'an opening and its receipt hold by the key that a party had at the request'() {
    const log = await followed('holds--replaced-by-the-recovery-key');
    const rolls = log.game.rolls.filter(({ openings }) => openings.some(({ author }) => author === 'bob'));
    const hands = ['key bob', 'key bob 2'];
    const [first, last] = [rolls[0], rolls.at(-1)];
    const [join] = log.game.replacements;
    assert.ok(first.seq < join.seq && join.seq < last.seq);
    for (const [roll, hand] of [
      [first, hands[0]],
      [last, hands[1]],
    ]) {
      const opening = roll.openings.find(({ author }) => author === 'bob');
      const sent = canonical({ format: 'rollproof/opening/v1', game: log.id, opening, request: roll.leaf });
      assert.equal(await checkOpening(log.game, utf8(sent)), null, `roll ${roll.seq}`);
      const { index, link } = roll.openings.find(({ author }) => author === 'alice');
      const message = receivedMessage(log.game.id, fromHex(roll.leaf), 'alice', index, fromHex(link));
      const receipt = { author: 'alice', format: 'rollproof/received/v1', game: log.id, index, link, receiver: 'bob', request: roll.leaf };
      for (const by of hands) {
        const text = canonical({ ...receipt, sig: sign(null, message, ofVectors(by)).toString('hex') });
        assert.equal(await checkReceived(log.game, utf8(text)), by === hand, `roll ${roll.seq}, ${by}`);
        assert.equal((await tellOpening(log.game, 'x', utf8(text))).verdict, by === hand ? 'holds' : 'fails');
      }
    }
  },
  async 'checkpoints that do not fit'() {
    const log = new Follower(ID);
    await log.takeAll(OTHER);
    await assert.rejects(log.takeCheckpoint(utf8('x')), misfit('malformed'));
    await assert.rejects(log.takeCheckpoint(note('two lines')), misfit('malformed'));
    await assert.rejects(log.takeCheckpoint(GOOD), misfit('root'));
    await assert.rejects(log.takeCheckpoint(note('by a player only')), misfit('signature'));
    await assert.rejects(log.takeCheckpoint(note("in the keeper's name, by another's key")), misfit('signature'));
    await assert.rejects(log.takeCheckpoint(note('a bad signature by the keeper beside a good one')), misfit('signature'));
    const another = await followed('holds--rulings');
    await assert.rejects(another.takeCheckpoint(GOOD), misfit('game'));
    assert.deepEqual([log.checkpoint, another.checkpoint], [null, null]);
  },
  async 'checkpoints that fit: the largest is kept, of lines that are here'() {
    const log = new Follower(ID);
    await log.takeAll(HISTORY.slice(0, SIZE - 1));
    assert.equal((await log.takeCheckpoint(GOOD)).size, SIZE);
    assert.equal(log.checkpoint, null);
    await log.takeAll(HISTORY.slice(SIZE - 1));
    assert.equal(await log.takeCheckpoint(START), null);
    assert.equal(log.checkpoint.size, 1);
    assert.equal(await log.takeCheckpoint(GOOD), null);
    assert.equal(await log.takeCheckpoint(START), null);
    assert.equal(log.checkpoint.size, SIZE);
  },
  async 'what the keeper has taken: its own last event, or its checkpoint'() {
    const log = new Follower(ID);
    await log.takeAll(HISTORY.slice(0, 3));
    const own = log.events.findLastIndex((event) => event.author === 'host') + 1;
    assert.equal(log.taken, own);
    await log.takeCheckpoint(START);
    assert.equal(log.taken, Math.max(own, 1));
    await log.takeAll(HISTORY.slice(3));
    await log.takeCheckpoint(GOOD);
    assert.equal(log.taken, Math.max(SIZE, log.game.lastOfKeeper + 1));
  },
  async 'lines in common'() {
    const [one, other, short, none] = [new Follower(ID), new Follower(ID), new Follower(ID), new Follower(ID)];
    await one.takeAll(HISTORY);
    await other.takeAll(OTHER);
    await short.takeAll(HISTORY.slice(0, 3));
    const common = HISTORY.findIndex((line, i) => Buffer.compare(line, OTHER[i]) !== 0);
    assert.deepEqual(
      [one.common(other), other.common(one), one.common(short), short.common(one), one.common(none), one.common(one)],
      [common, common, 3, 3, 0, HISTORY.length],
    );
    const text = Buffer.from(HISTORY[2]).toString();
    assert.deepEqual([one.has(text, 2), one.has(text, 3), one.has(text, 99)], [true, false, false]);
  },
  async 'step 1: the head'() {
    const log = await followed('holds--rulings');
    const { size } = log;
    const at = (seen, leaf) => looked(log, remembered(log, 'alice', { chains: chainsOf(log, 'alice'), head: { size: seen, leaf } }));
    await at(size, log.leaf(size - 1));
    await assert.rejects(at(size + 1, log.leaf(size - 1)), (error) => error instanceof Behind && error.code === 'behind');
    await assert.rejects(at(3, log.leaf(3)), (error) => error instanceof Forked && error.words.values.seq === 2);
    await at(4, log.leaf(3));
  },
  async 'step 2: receipts'() {
    const log = await followed('holds--copy-shown-to-alice');
    await log.takeCheckpoint(START);
    const receipt = (size, root = log.root(size), leaf = '') => ({ size, root, note: `note ${size}`, leaf });
    const at = (...receipts) => looked(log, remembered(log, 'alice', { chains: chainsOf(log, 'alice'), receipts }));
    assert.deepEqual(
      (await at()).receipts.map(({ size, leaf }) => [size, leaf]),
      [[1, log.leaf(0)]],
    );
    assert.deepEqual(
      (await at(receipt(4), receipt(6), receipt(2))).receipts.map(({ size, leaf }) => [size, leaf]),
      [[6, log.leaf(5)]],
    );
    await assert.rejects(at(receipt(4, '00'.repeat(32))), (error) => error instanceof Forked && error.note === 'note 4');
    await assert.rejects(at(receipt(6), receipt(4, '', '00'.repeat(32))), (error) => error instanceof Forked && error.note === 'note 4');
    await assert.rejects(at(receipt(log.size, '00'.repeat(32))), (error) => error instanceof Forked && error.words.values.size === log.size);
    assert.deepEqual(
      (await at(receipt(log.size), receipt(3))).receipts.map(({ size }) => size),
      [log.size],
    );
    await at(receipt(4, 'not looked at where the leaf is known', log.leaf(3)));
    await assert.rejects(
      at(receipt(log.size + 2, ''), receipt(log.size + 5, '')),
      (error) => error instanceof Behind && error.words.values.seen === log.size + 5,
    );
    const record = remembered(log, 'alice', { receipts: [receipt(3), receipt(log.size + 2, ''), receipt(5)] });
    await assert.rejects(looked(log, record), Behind);
    assert.deepEqual(
      record.receipts.map(({ size }) => size),
      [5, log.size + 2],
    );
  },
  async 'what is taken, by what is remembered'() {
    const log = await followed('holds--copy-shown-to-alice', 6); // alice's and bob's commits stand behind the keeper's
    const receipts = [
      { size: 5, leaf: log.leaf(4) },
      { size: 6, leaf: '' },
    ];
    assert.deepEqual([takenOf({ receipts: [] }, log), takenOf({ receipts }, log)], [4, 5]);
    const untaken = (error) => error instanceof Refused && error.code === 'untaken' && error.words.values.author === 'bob';
    assert.throws(() => checkTaken({ receipts: [] }, log, 'alice'), untaken);
    assert.throws(() => checkTaken({ receipts }, log, 'alice'), untaken);
    checkTaken({ receipts }, log, 'bob');
    checkTaken({ receipts: [{ size: 6, leaf: log.leaf(5) }] }, log, 'alice');
  },
  async 'step 3: an event that was not signed here'() {
    const log = await followed('holds--rulings');
    const chains = chainsOf(log, 'alice');
    const lost = log.events.filter((event) => event.author === 'alice').at(-1);
    const record = remembered(log, 'alice', { chains });
    delete record.signed[lost.leaf];
    await looked(log, record);
    assert.match(record.stopped.text, /is signed with \{me\}'s key/);
    assert.deepEqual([record.stopped.values.seq, record.head.size], [lost.seq, 0]);
    const before = remembered(log, 'alice', { chains, head: { size: lost.seq + 1, leaf: log.leaf(lost.seq) } });
    delete before.signed[lost.leaf];
    assert.equal((await looked(log, before)).stopped, null);
    const already = remembered(log, 'alice', { stopped: { text: 'before' } });
    assert.equal((await looked(log, already)).stopped.text, 'before');
  },
  async 'step 3: an opening that was not made here'() {
    for (const name of ['holds--rulings', 'holds--void-and-again']) {
      const log = await followed(name);
      const chains = chainsOf(log, 'bob');
      assert.ok(chains.length > 0);
      assert.equal((await looked(log, remembered(log, 'bob', { chains }), 'bob')).stopped, null);
      for (let i = 0; i < chains.length; i++) {
        const other = chains.map((chain, k) => (k === i ? { ...chain, request: 'another' } : chain));
        const record = await looked(log, remembered(log, 'bob', { chains: other }), 'bob', async () => 'another link');
        assert.match(record.stopped.text, /has an opening by \{me\}'s key/);
      }
      const above = [{ tip: '', opened: 900, request: 'another', opening: '' }];
      const all = new Map(
        log.events.flatMap(({ body }) => (body.openings ?? []).filter(({ author }) => author === 'bob').map(({ index, link }) => [index, link])),
      );
      assert.equal((await looked(log, remembered(log, 'bob', { chains: above }), 'bob', async (_, index) => all.get(index))).stopped, null);
      assert.notEqual((await looked(log, remembered(log, 'bob', { chains: above }), 'bob', async () => 'x')).stopped, null);
      const below = [{ tip: '', opened: 0, request: '', opening: '' }];
      assert.notEqual((await looked(log, remembered(log, 'bob', { chains: below }), 'bob')).stopped, null);
    }
  },
  async 'steps 4 to 6, behind the log'() {
    const log = await followed('holds--rulings');
    const alice = log.game.terms.byName.get('alice').verifierKey;
    const time = Date.parse(log.events.at(-1).time);
    const at = (more, key = alice, now = time, me = 'alice') =>
      checkBeforeSigning(turnOf(remembered(log, me, { chains: chainsOf(log, me), ...more })), log, key, me, now, never);
    const refused = (code) => (error) => error instanceof Refused && error.code === code;
    await at({});
    await at({}, alice, time - MAX_AHEAD);
    assert.equal(MAX_AHEAD, 300_000);
    await assert.rejects(at({}, alice, time - MAX_AHEAD - 1), refused('time.ahead'));
    await assert.rejects(at({}, log.game.terms.byName.get('bob').verifierKey), refused('author.unknown'));
    await assert.rejects(at({}, alice, time, 'nobody'), refused('author.unknown'));
    await assert.rejects(at({ stopped: { text: 'enough' } }), (error) => error instanceof Stopped && error.words.text === 'enough');
    await assert.rejects(at({ stopped: { text: 'enough' }, head: { size: 3, leaf: '' } }), Forked);
  },
  async 'what is kept when the head goes on'() {
    const log = await followed('holds--rulings', 13);
    const { size } = log;
    const taken = log.game.lastOfKeeper + 1;
    assert.ok(taken < size);
    const commit = log.events.find((event) => event.author === 'alice' && event.type === 'commit');
    const shown = log.game.rolls.find((roll) => roll.ended === 'reveal').leaf;
    const line = (seq, other = '') => JSON.stringify({ seq, other });
    const mine = log.events[commit.seq].line;
    const chains = [
      { tip: 'an older one', opened: 0, request: '', opening: '' },
      { tip: commit.body.tip, opened: 900, request: '', opening: '' },
    ];
    const links = new Map(log.events.flatMap(({ body }) => (body.openings ?? []).map(({ author, index, link }) => [`${author} ${index}`, link])));
    const record = remembered(log, 'alice', {
      chains,
      lines: [mine, line(commit.seq, 'another'), line(taken), line(size + 3)],
      received: [JSON.stringify({ request: shown }), JSON.stringify({ request: 'of no roll' })],
    });
    record.signed['never came'] = 2;
    record.signed['may come'] = taken;
    await looked(log, record, 'alice', async (_, index) => links.get(`alice ${index}`));
    assert.equal(record.stopped, null);
    assert.deepEqual(record.head, { size: taken, leaf: log.leaf(taken - 1) });
    assert.deepEqual(record.lines, [line(commit.seq, 'another'), line(taken), line(size + 3)]);
    assert.deepEqual(
      record.chains.map(({ tip }) => tip),
      [commit.body.tip],
    );
    assert.deepEqual(record.received, [JSON.stringify({ request: 'of no roll' })]);
    assert.equal(record.signed['never came'], undefined);
    assert.equal(record.signed['may come'], taken);
    assert.ok(Object.values(record.signed).every((seq) => seq >= taken));
  },
  async 'a key answers for what stands under it while it has its place, and for nothing else'() {
    const log = await followed('holds--replaced-by-the-recovery-key');
    const { party, former } = log.game.place('bob');
    const [{ verifierKey: old, until }] = former;
    const ofBob = log.events.filter(({ author }) => author === 'bob');
    const before = ofBob.filter(({ seq }) => seq < until);
    const since = ofBob.filter(({ seq }) => seq >= until);
    assert.ok(before.length > 1 && since.length > 1);
    const stopped = async (key, mine) => {
      const record = remembered(log, 'bob', { chains: chainsOf(log, 'bob'), signed: Object.fromEntries(mine.map(({ leaf, seq }) => [leaf, seq])) });
      await lookAt(turnOf(record), log, 'bob', async () => 'x', key);
      return record.stopped;
    };
    assert.equal(await stopped(party.verifierKey, since), null, 'the new key did not write what stands before its join');
    assert.notEqual(await stopped(party.verifierKey, since.slice(1)), null, 'and wrote its join');
    assert.equal(await stopped(old, before), null, 'the old key did not write what the new one has');
    const waiting = await followed('holds--replaced-by-the-recovery-key', until);
    const record = remembered(waiting, 'bob', { signed: {} });
    await lookAt(turnOf(record), waiting, 'bob', never, party.verifierKey);
    assert.equal(record.stopped, null, 'a key that waits did not write what its party has');
  },
  async 'what is kept, line by line as the keeper takes them'() {
    const log = await followed('holds--chain-replaced-unused', 8);
    const own = [4, 6, 7]; // three commits, of which each replaces the one before
    const tips = own.map((seq) => log.events[seq].body.tip);
    const chains = tips.map((tip) => ({ tip, opened: 0, request: '', opening: '' }));
    for (let taken = 4; taken <= 8; taken++) {
      log.steps.game.lastOfKeeper = taken - 1;
      const record = await looked(log, remembered(log, 'alice', { chains, lines: own.map((seq) => log.events[seq].line) }));
      assert.deepEqual(
        record.lines,
        own.filter((seq) => seq >= taken).map((seq) => log.events[seq].line),
        `lines of ${taken}`,
      );
      assert.deepEqual(
        Object.values(record.signed),
        own.filter((seq) => seq >= taken),
        `signed of ${taken}`,
      );
      const latest = Math.max(0, own.filter((seq) => seq < taken).length - 1);
      assert.deepEqual(
        record.chains.map(({ tip }) => tip),
        tips.slice(latest),
        `chains of ${taken}`,
      );
      assert.deepEqual(record.head, { size: taken, leaf: log.leaf(taken - 1) });
    }
  },
  async 'what others did to a party is told'() {
    const told = async (name, me, more = {}) => {
      const log = await followed(name);
      log.steps.game.lastOfKeeper = log.size - 1; // all is taken: what is not is told when it is
      return looked(log, remembered(log, me, { chains: chainsOf(log, me), ...more }), me, async () => 'x');
    };
    assert.match(texts(await told('holds--judge-takes-out-who-never-joined', 'carol')).join(), /took you out/);
    assert.deepEqual(texts(await told('holds--leave', 'bob')), []);
    assert.match(texts(await told('holds--away-by-a-judge', 'bob')).join(), /signed you away/);
    assert.deepEqual(texts(await told('holds--away-by-a-judge', 'alice')), []);
    assert.deepEqual(texts(await told('holds--away-and-back', 'bob')), []);
    const rulings = texts(await told('holds--rulings', 'alice')).join('\n');
    assert.match(rulings, /corrected what you did/);
    assert.deepEqual(
      texts(await told('holds--rulings', 'bob')).filter((text) => /corrected/.test(text)),
      [],
    );
    const struck = await followed('holds--ruling-on-a-pending-game-s-open-roll');
    assert.match(texts(await told('holds--ruling-on-a-pending-game-s-open-roll', struck.events[7].author)).join(), /ruled void what you did/);
    assert.deepEqual(
      texts(await told('holds--names-and-texts-at-their-bounds', (await followed('holds--names-and-texts-at-their-bounds')).events[5].author)),
      [],
    );
  },
  async 'a void that names who opened, and an opening that the keeper keeps back'() {
    const log = await followed('holds--void-and-again');
    log.steps.game.lastOfKeeper = log.size - 1;
    const voided = log.events[7];
    const request = voided.prev;
    const received = (receiver, of = request) => JSON.stringify({ receiver, request: of });
    const chains = [{ tip: '', opened: 900, request, opening: 'my own' }];
    const links = new Map(log.events.flatMap(({ body }) => (body.openings ?? []).map(({ author, index, link }) => [`${author} ${index}`, link])));
    const at = (more) => looked(log, remembered(log, 'bob', { chains, ...more }), 'bob', async (_, index) => links.get(`bob ${index}`));
    const one = await at({ received: [received('host'), received('alice', 'of another roll')] });
    assert.equal(one.stopped, null);
    assert.deepEqual(
      texts(one).map((text) => text.slice(0, 45)),
      ['{author} says that you did not open for this ', '{author} leaves your opening for this roll ou'],
    );
    assert.deepEqual(
      one.warnings.map(({ about }) => [about, log.events[about].type]),
      [
        [6, 'roll'],
        [6, 'roll'],
      ],
    );
    assert.deepEqual(one.warnings[0].files, [
      { name: 'my.opening', text: 'my own\n' },
      { name: '1.received', text: `${received('host')}\n` },
    ]);
    assert.deepEqual(texts(await at({ received: [received('alice')] })).length, 1);
    assert.deepEqual(texts(await at({ received: [received('host', 'of another roll')] })).length, 1);
    assert.deepEqual(texts(await at({ chains: [{ ...chains[0], request: 'another' }] })), []);
    const again = remembered(log, 'bob', { chains, warnings: one.warnings.slice(0, 1), received: [received('host')] });
    assert.equal((await looked(log, again, 'bob', async (_, index) => links.get(`bob ${index}`))).warnings.length, 2);
    log.game.terms.keepersJudge = voided.author;
    log.steps.game.lastOfKeeper = voided.seq - 1;
    const before = await at({});
    assert.deepEqual([texts(before), before.denied], [[], undefined], 'not before it is taken');
    log.steps.game.lastOfKeeper = voided.seq;
    const after = await at({});
    assert.deepEqual([texts(after).length, after.denied], [1, request], 'and as soon as it is');
    log.game.terms.keepersJudge = 'host';
    assert.equal((await at({})).denied, undefined, "another's void is no word of the keeper's judge");
  },
  async 'nothing is said of a request that the keeper has not taken'() {
    const { log: name, openings } = JSON.parse(readFileSync(new URL('openings.json', VECTORS)));
    const log = await followed(name.replace('.jsonl', ''));
    const { opening } = JSON.parse(openings.find(({ about }) => about === 'without a line feed').sent);
    const signer = { name: 'alice', key: log.game.place('alice').party.verifierKey, sign: async () => 'ab'.repeat(64) };
    const said = async (say, receipts) => {
      const record = remembered(log, 'alice', { chains: chainsOf(log, 'alice'), acknowledged: { request: '', authors: [] }, receipts });
      const seat = new Seat(signer, null, { turn: (work) => work(turnOf(record)) }, log, () => Date.parse(log.events.at(-1).time));
      const done = await say(seat).then(
        () => '',
        (error) => (error instanceof Refused ? error.code : Promise.reject(error)),
      );
      return [done, record.voided !== '' || record.acknowledged.request !== ''];
    };
    const taken = [{ size: log.size, root: log.root(log.size), note: '', leaf: '' }];
    for (const say of [(seat) => seat.void([]), (seat) => seat.decline(), (seat) => seat.acknowledge(opening)]) {
      assert.deepEqual(await said(say, []), ['untaken', false]);
      assert.deepEqual(await said(say, taken), ['', true]);
    }
    const both = (first, second) => said((seat) => first(seat).then(() => second(seat)), taken);
    assert.deepEqual(
      await both(
        (seat) => seat.decline(),
        (seat) => seat.acknowledge(opening),
      ),
      ['declined', true],
    );
    assert.deepEqual(
      await both(
        (seat) => seat.acknowledge(opening),
        (seat) => seat.void([opening.author]),
      ),
      ['void.received', true],
    );
  },
  async 'another tab of the origin tells what it likes'() {
    const asked = [];
    const connection = {
      token: null,
      times: { longest: 10 },
      lines: async () => {
        asked.push('lines');
        return { lines: [], size: HISTORY.length };
      },
      checkpoint: async () => GOOD,
    };
    const storage = new MemoryStorage();
    const play = new Play(ID, connection, { storage, locks: null, channels: () => null, now: () => 0 }, () => {});
    await play.log.takeAll(HISTORY);
    const before = JSON.stringify([play.log.events, play.uplink.state, play.sync.trouble]);
    const bytes = (text) => utf8(text);
    const messages = [
      null,
      undefined,
      1,
      'x',
      [],
      {},
      { name: 'line' },
      { name: 'line', id: '3', data: 'x' },
      { name: 'line', id: 3, data: bytes('x') },
      { name: '#line', line: 'javascript:' },
      { name: '#line', line: {} },
      { name: '__proto__' },
      { name: 'here', data: {}, id: '' },
      { name: 'here', data: bytes('{'), id: '' },
      { name: 'here', data: bytes('null'), id: '' },
      { name: 'opening', data: bytes('['.repeat(200_000)), id: '' },
      { name: 'received', data: bytes('{}'), id: '' },
      { name: 'checkpoint', data: bytes('{"checkpoint":1}'), id: '' },
      { name: 'line', id: '1e9', data: bytes('x') },
    ];
    for (const message of messages) await play.stream.hear(message);
    assert.equal(JSON.stringify([play.log.events, play.uplink.state, play.sync.trouble]), before);
    await play.stream.hear({ name: 'line', id: String(HISTORY.length - 1), data: unsigned(HISTORY.at(-1)) });
    assert.notEqual(play.sync.trouble, null, 'a line that is not as it was signed is a cheat, whoever tells it');
    play.close();
  },
  async 'an opening of a party that this browser did not make stops its seat'() {
    const { log, openings } = JSON.parse(readFileSync(new URL('openings.json', VECTORS)));
    const { sent } = openings.find(({ about }) => about === 'without a line feed');
    const { request } = JSON.parse(sent);
    const made = { request, opening: sent };
    for (const [chains, stops, own = true] of [
      [[], 1],
      [[made], 0],
      [[{ request, opening: '' }], 1],
      [[{ request: 'another', opening: sent }], 1],
      [[{ request, opening: sent.replace('"link":"1', '"link":"2') }], 1],
      [[], 0, false], // the party goes on under another key
    ]) {
      const play = await played(log.replace('.jsonl', ''));
      const told = [];
      const { verifierKey } = play.game.place('bob').party;
      await play.own.sit(
        {
          name: 'bob',
          signer: { key: own ? verifierKey : 'another' },
          memory: { look: async () => ({ chains, stopped: told[0] ?? null }) },
          stop: async (message) => told.push(message),
        },
        true,
      );
      await play.inbox.take({ name: 'opening', id: '', data: utf8(sent) });
      assert.equal(told.length, stops, JSON.stringify(chains));
      assert.deepEqual([play.own.record.stopped !== null, play.inbox.openings.has('bob')], [stops === 1, true]);
    }
  },
  async 'an opening is late where a stream stands and does not have it'() {
    const { log, openings } = JSON.parse(readFileSync(new URL('openings.json', VECTORS)));
    const { sent } = openings.find(({ about }) => about === 'without a line feed');
    const { request } = JSON.parse(sent);
    const warned = async (states, here = false) => {
      const play = await played(log.replace('.jsonl', ''));
      play.outbox.promised = { request, author: 'bob', line: sent, receipt: '{}' };
      play.outbox.expectOpening();
      for (const state of states) play.stream.setLine(state);
      if (here) await play.inbox.take({ name: 'opening', id: '', data: utf8(sent) });
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
      play.close();
      return play.warnings.all.map(({ id }) => id);
    };
    assert.deepEqual(await warned(['live']), [`kept back ${request}`]);
    assert.deepEqual(await warned(['live'], true), []);
    assert.deepEqual(await warned([]), [], 'no stream stands');
    assert.deepEqual(await warned(['live', 'away']), [], 'it stands no more');
  },
  async 'a party opens when the keeper has the request, and the closer when all others have'() {
    const { duties, game, inbox, log } = await played('holds--pending-at-the-end');
    const may = () => ['bob', 'alice', 'eve'].filter((name) => duties.mayOpen(game.roll, name));
    assert.deepEqual(may(), []);
    log.checkpoint = { size: log.size - 1, root: '', note: '' };
    assert.deepEqual(may(), []);
    log.checkpoint = { size: log.size, root: '', note: '' };
    assert.deepEqual([game.roll.closer, may()], ['alice', ['bob']]);
    inbox.openings.set('bob', {});
    assert.deepEqual(may(), ['bob', 'alice']);
  },
  async 'a token that the server forgot is given up for that of the link, once'() {
    const { connection, uplink } = await played('holds--pending-at-the-end');
    const refused = (status) => new Refused('token', say('refused'), { status });
    assert.equal(uplink.fallsBack(refused(404)), false, 'it is the token of the link that is refused');
    connection.token = 'own';
    assert.equal(uplink.fallsBack(refused(403)), false);
    assert.equal(connection.token, 'own');
    assert.equal(uplink.fallsBack(refused(404)), true);
    assert.equal(connection.token, null);
  },
  async 'a warning that was read is not said again, but for what passes and comes again'() {
    const { warnings } = await played('holds--pending-at-the-end');
    const said = () => warnings.all.map(({ id, message }) => [id, message.text]);
    for (const id of ['opening 1', 'clock']) warnings.add(id, say('first'));
    warnings.add('clock', say('second'));
    assert.deepEqual(said(), [
      ['opening 1', 'first'],
      ['clock', 'first'],
    ]);
    warnings.markRead(['opening 1', 'clock']);
    for (const id of ['opening 1', 'clock']) warnings.add(id, say('third'));
    assert.deepEqual(said(), [['clock', 'third']]);
  },
  async 'lines make room for others only where the keeper has taken none of them'() {
    const made = async (size) => {
      const { log, own, sync, warnings } = await played('holds--copy-shown-to-bob', { size });
      own.seat = { name: 'alice' };
      const { taken } = log;
      const room = await sync.alone(() => sync.makeRoom());
      return [taken, room, log.size, log.has(Buffer.from(HISTORY[6]).toString(), 6), warnings.all.map(({ id }) => id)];
    };
    assert.deepEqual(await made(8), [4, true, HISTORY.length, true, ['made room 6']], 'the own of two lines that were lost is told');
    assert.deepEqual(await made(9), [9, false, 9, false, []]);
    assert.deepEqual(await made(10), [9, false, 10, false, []], 'the keeper has taken lines of both: a fork');
  },
  async 'no tab signs anything where another was shown a cheat'() {
    const storage = new MemoryStorage();
    const play = await played('holds--pending-at-the-end', { storage });
    play.own.seat = { name: 'bob' };
    const signed = [];
    const sign = async () => signed.push('signed');
    await play.own.does(sign);
    const trouble = { message: say('cheated'), files: [] };
    await storage.write([{ store: 'games', key: play.id, value: { game: play.id, checkpoint: null, trouble } }]);
    await assert.rejects(play.own.does(sign), Cheated);
    assert.deepEqual([signed.length, play.own.isAble], [1, false]);
  },
  async 'what a stream tells nests no deeper than a line may'() {
    const nested = (levels) => utf8(`{"checkpoint":"x","here":[],"more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
    const told = [];
    const ending = {
      sleep: async () => play.close(),
      pause: () => 0,
      lines: async () => ({ lines: [], size: HISTORY.length }),
      checkpoint: async () => GOOD,
    };
    const play = new Play(
      ID,
      { token: null, times: { longest: 10 }, ...ending },
      { storage: new MemoryStorage(), locks: null, channels: () => null, now: () => 0 },
      () => {},
    );
    await play.log.takeAll(HISTORY);
    for (const name of ['here', 'checkpoint'])
      await assert.rejects(play.stream.came({ name, id: '', data: nested(65) }), (error) => error instanceof Away);
    await play.stream.came({ name: 'here', id: '', data: nested(64) });
    assert.deepEqual([play.inbox.here, play.sync.trouble], [[], null]);
    play.connection.stream = async function* stream() {
      yield { name: 'bye', id: '', data: nested(65) };
      told.push('read on');
    };
    await play.stream.lead();
    assert.deepEqual(told, []);
  },
  async 'what the stream of a table tells nests no deeper than a line may'() {
    const nested = (levels) => `{"more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    for (const [levels, refused] of [
      [64, true],
      [65, false],
      [100_000, false],
    ]) {
      const fetched = [];
      const fetch = async () => {
        if (fetched.push(levels) > 2) table.close();
        return new Response(`event: table\ndata: ${nested(levels)}\n\n`, { headers: { 'Content-Type': 'text/event-stream' } });
      };
      const here = new Here({ address: 'http://localhost', storage: new MemoryStorage(), fetch, times: { first: 1, longest: 1 } });
      const table = here.table(`http://localhost/t/${'0'.repeat(64)}#player.${'A'.repeat(43)}`);
      await table.connect();
      while (!refused && fetched.length < 3 && table.snapshot.problem === null)
        await new Promise((resolve) => {
          setTimeout(resolve, 1);
        });
      while (refused && table.snapshot.problem === null)
        await new Promise((resolve) => {
          setTimeout(resolve, 1);
        });
      // What is no answer is asked for again; what has another form than a table's is refused.
      assert.equal(table.snapshot.problem !== null, refused, `${levels} levels`);
      table.close();
    }
  },
  async 'a turn that another tab takes away goes on to its end'() {
    const locks = {
      request: (_name, _how, work) =>
        new Promise((resolve, reject) => {
          void work().then(resolve, reject);
          reject(new DOMException('stolen', 'AbortError'));
        }),
    };
    const storage = new MemoryStorage();
    const memory = new Memory(storage, locks, ID, 'key');
    assert.equal(
      await memory.turn(async ({ record }) => {
        record.voided = 'here';
        return 7;
      }),
      7,
    );
    assert.equal((await memory.look()).voided, 'here');
    await assert.rejects(
      memory.turn(async () => {
        throw new TypeError('of the work itself');
      }),
      TypeError,
    );
    // Two at once, none of which waits for the other: each writes over what it has read.
    const adding = (seq) =>
      memory.turn(async ({ record }) => {
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
        record.signed[seq] = seq;
      });
    await Promise.all([adding(1), adding(2), adding(3)]);
    assert.deepEqual((await memory.look()).signed, { 1: 1, 2: 2, 3: 3 });
  },
  async 'a turn that does not come is told'() {
    const locks = {
      request: (_name, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const told = (signal) =>
      inTurn(locks, 'x', async () => 7, signal).then(
        () => null,
        (error) => error,
      );
    const awake = setInterval(() => {}, 1_000); // Node does not wait for the timer of a signal
    const late = await told(AbortSignal.timeout(1));
    clearInterval(awake);
    assert.deepEqual([late.name, late.code], ['Refused', 'turn']);
    const stop = new AbortController();
    const stopped = told(stop.signal);
    stop.abort();
    assert.equal((await stopped).name, 'AbortError', 'who ends the waiting itself is told nothing');
  },
  async 'a type that every object has is no kind of event'() {
    for (const type of ['constructor', '__proto__', 'toString']) assert.equal(kindOf(null, type, {}), null);
  },
  async 'only the next request behind a ruling is in place of what it voided'() {
    const roll = (seq, dice, more = {}) => ({ seq, author: 'alice', type: 'roll', body: { dice }, ended: 'reveal', ...more });
    const ruling = (seq, subject) => ({ seq, author: 'dana', ruling: 'void', subject, effect: true });
    const made = (rolls, rulings) => {
      const { placed, due } = voidedRolls({ rolls, rulings });
      return [[...placed].map(([seq, voided]) => [seq, voided.roll.seq]), due.map((voided) => voided.roll.seq)];
    };
    const first = roll(1, 'd20');
    const ruled = [ruling(2, 1)];
    assert.deepEqual(made([first], ruled), [[], [1]]);
    assert.deepEqual(made([first, roll(3, 'd20')], ruled), [[[3, 1]], []]);
    assert.deepEqual(made([first, roll(3, 'd6')], ruled), [[], []], 'the button goes');
    assert.deepEqual(made([first, roll(3, 'd6'), roll(4, 'd20')], ruled), [[], []], 'hours later the same roll is another');
    assert.deepEqual(made([first, roll(3, 'd20', { type: 'reroll' })], ruled), [[], []], 'another kind of request');
    assert.deepEqual(made([first, roll(3, 'd6', { author: 'bob' })], ruled), [[], [1]], 'of somebody else');
    assert.deepEqual(made([first, roll(3, 'd6', { ended: 'void' }), roll(4, 'd20')], ruled), [[[4, 1]], []], 'called off');
    assert.deepEqual(made([first, roll(3, 'd20', { ended: null })], ruled), [[[3, 1]], []], 'it waits');
    const both = [first, roll(2, 'd6')];
    const two = [ruling(3, 1), ruling(4, 2)];
    assert.deepEqual(made([...both, roll(5, 'd6')], two), [[[5, 2]], [1]], 'the other is still due');
    assert.deepEqual(
      made([...both, roll(5, 'd20'), roll(6, 'd6')], two),
      [
        [
          [5, 1],
          [6, 2],
        ],
        [],
      ],
      'in either order',
    );
  },
  async 'called names that look alike are told'() {
    const alike = (one, other, name = 'bob') => {
      const seats = [one, other].map((called, i) => ({ name: i === 0 ? 'alice' : name, called, alike: null }));
      markAlike(seats);
      return seats[1].alike;
    };
    for (const other of ['\u674e\u200d', '\u674e\u200c', '\u674e\ufe0f', '\u674e.', '\u674e']) assert.equal(alike('\u674e', other), 'alice', other);
    for (const other of ['Zoe', 'zo\u00eb', 'Z\u03bf\u0435', 'Ｚｏｅ', 'Z 0 e']) assert.equal(alike('Zo\u00eb', other), 'alice', other);
    assert.equal(alike(null, 'Al\u0456ce'), 'alice', 'a called name like the name of another key');
    assert.deepEqual([alike('Zo\u00eb', 'Zora'), alike('\u674e', '\u6728'), alike('...', '!!!'), alike(null, null)], [null, null, null, null]);
  },
  async 'a roll is made in place of another only where a ruling had an effect'() {
    const due = async (name) => {
      const { game } = await followed(name);
      return voidedRolls({ rolls: game.rolls, rulings: shownRulings(game) }).due.map(({ roll, judge }) => [roll.seq, judge]);
    };
    assert.deepEqual(await due('holds--taken-back-then-ruled-void'), []);
    assert.deepEqual(await due('holds--rulings-without-effect'), [[8, 'dana']], 'the first ruling of two, and none on a roll that was owed');
  },
};

let made = 0;
for (const [about, check] of Object.entries(checks)) {
  made++;
  try {
    await check();
  } catch (error) {
    console.log(
      `${about}: ${String(error?.stack ?? error)
        .split('\n')
        .slice(0, 12)
        .join(' | ')}`,
    );
  }
}
console.log(`${made} checks`);
