// What the window for plugins takes and says, without a browser: a desk of ledger/web/core/window.js with a table that plays by itself.
// Prints one object: what was posted, by the name of what was tried.
import { MAX_WINDOW_RATE, PluginDesk } from '../../ledger/web/core/window.js';
import { Refused, say } from '../../ledger/web/core/errors.js';

const ORIGIN = 'https://vtt.example';
const FORMAT = 'rollproof/window/v1';

const roll = (seq, more = {}) => ({
  seq,
  author: 'alice',
  type: 'roll',
  body: { dice: 'd6' },
  naturals: [4],
  sides: [6],
  ended: 'reveal',
  end: seq + 1,
  contributors: ['alice'],
  fair: true,
  ...more,
});
const shown = (rolls, more = {}) => ({
  stage: 'playing',
  trouble: null,
  table: { title: 'Tuesday', system: 'dice-1' },
  me: { name: 'alice', role: 'player' },
  game: { id: '00', rolls, parties: [{ name: 'alice', called: 'Alice' }] },
  advice: { size: 1_000, own: true, state: { rolls: rolls.map(({ seq }) => ({ roll: seq, summary: `of ${seq}` })) } },
  ...more,
});

function made({ read = async () => ({ body: { dice: 'd6' }, words: '', reading: '' }) } = {}) {
  const posted = [];
  let now = 0;
  let id = 0;
  const desk = new PluginDesk(
    (data, origin) => posted.push({ to: origin, ...JSON.parse(data), format: undefined }),
    () => {},
    () => now,
  );
  const table = { game: { read }, snapshot: shown([]) };
  const say_ = (type, more = {}, origin = ORIGIN, ports = []) => {
    id += 1;
    desk.hear({ data: JSON.stringify({ format: FORMAT, id, type, ...more }), origin, ports });
    return id;
  };
  const look = (rolls, more) => {
    table.snapshot = shown(rolls, more);
    desk.look(table.snapshot);
  };
  const connect = (rolls = []) => {
    say_('hello');
    desk.choose(table);
    look(rolls);
    return posted.splice(0).map(({ type }) => type);
  };
  return {
    desk,
    posted,
    say: say_,
    look,
    connect,
    later: (time) => {
      now += time;
    },
  };
}
const soon = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const tried = {};

{
  const { posted, say: tell, look, connect } = made();
  tried.connected = connect([roll(3)]);
  look([
    roll(3),
    roll(5),
    roll(7, { author: 'bob', body: { dice: 'd6', sealed: 'bob' }, fair: true }),
    roll(9, { ended: 'void', naturals: null, sides: null }),
  ]);
  tried.told = posted.map(({ type, roll: told }) => [type, told.roll, told.ended, told.dice.length, told.said?.summary ?? null]);
  tell('roll', { line: 'd6' });
  await soon();
  look([roll(3), roll(5)]);
  tried.again = posted.length;
}
{
  // The dice are here before the tap's own promise is: what was asked for is told as that, once.
  const { desk, posted, say: tell, look, connect } = made();
  connect();
  const id = tell('roll', { line: 'd6' });
  await soon();
  desk.setSigning(true);
  tell('cancel', { of: id });
  look([roll(3)]);
  const before = posted.map(({ type, code }) => [type, code ?? null]);
  desk.signed(3);
  desk.setSigning(false);
  tried.race = { before, after: posted.slice(before.length).map(({ type, id: of, roll: told }) => [type, of === id, told.roll]) };
}
{
  const { desk, posted, say: tell, connect } = made();
  connect();
  desk.hear({ data: JSON.stringify({ format: FORMAT, id: 99, type: 'roll', line: 'd6' }), origin: 'https://other.example', ports: [] });
  desk.hear({ data: JSON.stringify({ format: FORMAT, id: 99, type: 'roll', line: 'd6' }), origin: 'null', ports: [] });
  await soon();
  tried.otherOrigin = [posted.length, desk.asked];
  const first = tell('roll', { line: 'd6' });
  await soon();
  desk.decline();
  desk.hear({ data: JSON.stringify({ format: FORMAT, id: first, type: 'roll', line: 'd6' }), origin: ORIGIN, ports: [] });
  desk.hear({ data: JSON.stringify({ format: FORMAT, id: 50, type: 'roll', line: 'd6' }), origin: ORIGIN, ports: [{}] });
  const short = JSON.stringify({ format: FORMAT, id: 51, type: 'roll', line: 'd6' });
  desk.hear({ data: `${short}${' '.repeat(4_096)}`, origin: ORIGIN, ports: [] });
  desk.hear({ data: JSON.stringify({ format: FORMAT, id: 51, type: 'roll', line: 'd6', sign: true }), origin: ORIGIN, ports: [] });
  desk.hear({ data: JSON.stringify({ format: FORMAT, id: 52, type: 'roll', line: '𝔡'.repeat(501) }), origin: ORIGIN, ports: [] });
  tried.refused = posted.map(({ to, id, code }) => [to, id, code]);
  tried.nothingAsked = desk.asked;
  desk.hear({ data: JSON.stringify({ format: FORMAT, id: 53, type: 'roll', line: '𝔡'.repeat(500) }), origin: ORIGIN, ports: [] });
  await soon();
  tried.longest = desk.asked?.id;
  desk.hear({ data: JSON.stringify({ format: FORMAT, id: 54, type: 'roll', line: 'd8' }), origin: ORIGIN, ports: [] });
  await soon();
  tried.busy = [posted.at(-1).code, desk.asked?.id];
  const nameless = made();
  nameless.say('hello', {}, 'null');
  tried.nameless = [nameless.desk.phase, nameless.posted.length];
}
{
  const { desk, posted, say: tell, connect, later } = made();
  connect();
  for (let at = 0; at < MAX_WINDOW_RATE - 1; at += 1) tell('roll', { line: 'd6' });
  tried.below = desk.phase;
  later(10_001);
  for (let at = 0; at < MAX_WINDOW_RATE; at += 1) tell('roll', { line: 'd6' });
  tried.at = desk.phase;
  tell('roll', { line: 'd6' });
  tried.flood = [desk.phase, posted.at(-1).code];
  const { length } = posted;
  tell('hello');
  tried.after = posted.length - length;
}
{
  const {
    posted,
    say: tell,
    connect,
  } = made({
    read: async () => {
      throw new Refused('dice', say('No dice.'));
    },
  });
  connect();
  tell('roll', { line: 'x' });
  await soon();
  tried.unread = posted.map(({ code, text }) => [code, text]);
}
{
  // What dice come to is waited for; where nobody says it, they are told without.
  const { posted, look, connect, later } = made();
  connect();
  look([roll(3)], { advice: null });
  const before = posted.length;
  later(2_001);
  look([roll(3)], { advice: null });
  look([roll(3)], { stage: 'closed' });
  tried.meaning = [before, ...posted.map(({ type, roll: told, code }) => [type, told?.said ?? null, code ?? null])];
}
{
  // A server that cheats: nothing more is told.
  const { desk, posted, look, connect } = made();
  connect();
  look([], { trouble: {} });
  look([roll(3)]);
  tried.trouble = [desk.phase, posted.map(({ type }) => type)];
}
console.log(JSON.stringify(tried));
process.exit(0);
