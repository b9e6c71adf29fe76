"""The package that `rollproof sdk` writes: packed by npm, installed, and used as its README says."""

import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.cli import run as run_command
from ledger.page.package import package_files
from tests.server.served import Server, serving
from tests.support.pages import blocks
from verifier import verify
from verifier.checkpoints.roll_proof import verify_roll_proof

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NODE, NPM = shutil.which("node"), shutil.which("npm")
SDK = Path(__file__).parents[2] / "ledger" / "sdk"
WITHIN = 120

pytestmark = [pytest.mark.long, pytest.mark.skipif(NODE is None or NPM is None, reason="Node or npm is not here")]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A developer's folder, in which the package is installed."""
    root = tmp_path_factory.mktemp("developer")
    assert run_command(["sdk", "--out", str(root / "rollproof")]) == 0
    node(root, "npm", "pack", "./rollproof")
    (root / "work").mkdir()
    (root / "work" / "package.json").write_text('{"private":true,"type":"module"}')
    [packed] = root.glob("rollproof-*.tgz")
    node(root / "work", "npm", "install", "--offline", "--no-audit", "--no-fund", str(packed))
    return root / "work"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), "--developer") as server:
        yield server


def node(folder: Path, *command: str | Path, **more: str) -> str:
    """What a program says; it ends well."""
    done = subprocess.run(
        [str(each) for each in command],
        cwd=folder,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        timeout=WITHIN,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_the_readme_begins_with_is_a_verified_roll(installed: Path, server: Server) -> None:
    """From the package's README alone, as it stands there."""
    [first] = [
        block for block in blocks(installed / "node_modules" / "rollproof" / "README.md") if block.kind == "file"
    ]
    (installed / first.name).write_text(first.text.replace("http://127.0.0.1:8706", server.address))
    told = node(installed, "node", first.name)
    assert "verified" in told
    assert told.count("sides: 6") == 4
    report, _ = verify((installed / "first.jsonl").read_bytes())
    assert (report.verdict, report.state is not None and len(report.state["rolls"])) == ("holds", 1)
    assert str(report.state and report.state["rolls"][0]["results"][0]["total"]) in told


def test_a_roll_waits_until_all_who_play_have_agreed(installed: Path, server: Server) -> None:
    """Bob reads the terms for a while; the roll that alice has asked for meanwhile is his too."""
    (installed / "slow.mjs").write_text(SLOW)
    told = json.loads(node(installed, "node", "slow.mjs", server.address))
    assert told == {"waited": True, "contributors": ["alice", "bob", "keeper"]}


SLOW = """
import { join, MemoryStorage, openTable } from 'rollproof';
const storage = new MemoryStorage();
const { links } = await openTable(process.argv[2], { storage });
const alice = await join(links.player, { name: 'alice', storage });
let agreed = false;
const agree = () => new Promise((resolve) => { setTimeout(() => { agreed = true; resolve(true); }, 1_000); });
const bob = await join(links.player, { name: 'bob', storage: new MemoryStorage(), agree });
await alice.start({ with: ['alice', 'bob'] });
const { contributors } = await alice.roll('d6');
console.log(JSON.stringify({ waited: agreed, contributors: [...contributors].sort() }));
process.exit(0);
"""


def test_what_went_wrong_is_said_in_words_and_codes(installed: Path, server: Server) -> None:
    """What somebody meets who forgets a storage, a scheme, a passphrase, or that the seat was ended."""
    (installed / "wrong.mjs").write_text(WRONG)
    told = json.loads(node(installed, "node", "wrong.mjs", server.address))
    begun = ["table.host", "table.host", "event.unknown", "malformed", "roll.none", "malformed"]
    assert told["codes"] == ["storage", "malformed", "malformed", "storage.passphrase", *begun]
    assert told["before"] == [True, False]
    assert "http://" in told["scheme"]
    assert told["total"] == sum(told["kept"]) == sum(sorted(told["naturals"])[1:])
    assert told["seats"][-2:] == [["alice"], ["alice", "bob"]]
    assert told["waits"] == [["bob"]]
    assert told["ended"] == "Stopped"
    assert told["shared"] is True
    assert (told["away"], told["lines"]) == (["Away", False], ["live", "away"])


WRONG = """
import { createServer, request } from 'node:http';
import { join, MemoryStorage, openTable } from 'rollproof';
import { FileStorage } from 'rollproof/files';
const [address] = process.argv.slice(2);
const codes = [];
const code = (error) => codes.push(error.code);
await openTable(address).catch(code);
let scheme;
await openTable('127.0.0.1:8706', { storage: new MemoryStorage() }).catch((error) => {
  scheme = error.message;
  code(error);
});
await join('').catch(code);
await FileStorage.open('wrong-seat', { passphrase: undefined }).catch(code);
let gone = false; // a way to the server that can be cut
const way = createServer((from, to) => {
  if (gone) return from.socket.destroy();
  const on = request(address + from.url, { method: from.method, headers: from.headers }, (answer) => {
    to.writeHead(answer.statusCode, answer.headers);
    answer.pipe(to);
    answer.on('error', () => to.destroy());
  });
  on.on('error', () => to.destroy());
  from.pipe(on);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => way.on('listening', resolve));
const storage = new MemoryStorage();
const { links } = await openTable(address, { storage });
const link = links.player.replace(address, `http://127.0.0.1:${way.address().port}`);
const alice = await join(link, { name: 'alice', storage });
const seats = [];
alice.on('seats', (names) => seats.push(names));
const lines = [];
alice.on('line', (line) => lines.push(line));
const other = new MemoryStorage();
let bob = await join(links.player, { name: 'bob', storage: other });
await bob.start().catch(code);
await alice.start({ with: ['alice', 'bob'] });
await alice.start(); // again, as by a program that was started again
await bob.start().catch(code);
await bob.begun();
try { bob.on('rolls', () => {}); } catch (error) { code(error); }
await bob.roll(5).catch(code);
await bob.share(9999).catch(code);
const before = [];
const roll = await alice.roll('4d6kh3');
const { values, dice } = roll.said;
const shared = (await alice.share(roll)) === (await alice.share(roll.roll));
bob.end();
const ended = await bob.roll('d6').catch((error) => error.name);
const waits = [];
alice.on('waits', (each) => waits.push(each.for));
const late = alice.roll('d6');
while (waits.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
bob = await join(links.player, { name: 'bob', storage: other });
bob.on('roll', (each) => before.push(each.before));
await late;
while (before.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
await alice.revoke('x').catch(code);
alice.table.connection.times.patience = 1_000; // nobody waits half a minute for this
gone = true;
way.closeAllConnections();
const away = await alice.roll('d6').catch((error) => [error.name, error.signed]);
while (!lines.includes('away')) await new Promise((resolve) => setTimeout(resolve, 50));
const total = values.results[0].total;
const kept = dice.filter((die) => die.status === 'counted').map((die) => die.result);
const naturals = roll.dice.map((die) => die.natural);
const told = [...new Set(lines)].filter((line) => line !== 'connecting');
const more = { lines: told, total, kept, naturals };
console.log(JSON.stringify({ before, codes, scheme, seats, waits, ended, shared, away, ...more }));
process.exit(0);
"""


def test_the_bot_answers_and_goes_on_with_its_seat(installed: Path, server: Server, tmp_path: Path) -> None:
    """The example as it stands: in two runs one seat, and a program that was killed loses nothing."""
    bot = SDK / "examples" / "bot.mjs"
    assert len(bot.read_text().splitlines()) <= 20
    shutil.copy(bot, installed)
    (installed / "table.mjs").write_text(TABLE)
    with running(installed, "node", "table.mjs", server.address) as table:
        link = said(table)
        for lines in ("4d6kh3 for Strength\n", "d20 + 5\nd7rr99\n"):
            with running(installed, "node", "bot.mjs", link, BOT_PASSPHRASE="a passphrase of the bot") as process:
                assert process.stdin is not None
                if lines.startswith("4d6"):
                    assert said(table) == "begun"
                process.stdin.write(lines)
                process.stdin.flush()
                assert said(process).startswith("bot: ")
                process.send_signal(signal.SIGKILL)
        assert table.stdin is not None
        table.stdin.write("end\n")
        table.stdin.flush()
        path = Path(said(table))
    report, _ = verify((installed / path).read_bytes())
    assert report.verdict == "holds"
    assert report.state is not None
    assert [roll["player"] for roll in report.state["rolls"]][:2] == ["bot", "bot"]


def test_a_roll_is_shared_by_a_link_that_holds(installed: Path, server: Server) -> None:
    (installed / "share.mjs").write_text(SHARE, encoding="utf-8")
    told = json.loads(node(installed, "node", "share.mjs", server.address))
    address, _, packed = told["link"].partition("/verify#roll=")
    proof = zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15)
    report = verify_roll_proof(proof)
    assert (address, report.verdict) == (server.address, "holds")
    assert report.state is not None
    assert report.state["naturals"] == told["naturals"]
    assert told["refused"] == "roll.none"
    assert told["who"] == ["alice", "アリス"]
    assert told["published"] == [{"roll": report.state["request"], "link": told["short"], "by": "alice", "names": True}]
    assert told["page"] == [200, 410]
    assert (told["left"], told["none"]) == ([], "roll.party")


SHARE = """
import { join, MemoryStorage, openTable } from 'rollproof';
const storage = new MemoryStorage();
const { links } = await openTable(process.argv[2], { storage });
const alice = await join(links.player, { name: 'alice', called: 'アリス', storage });
await alice.start({ with: ['alice'] });
const roll = await alice.roll('3d20');
const refused = await alice.share(0).catch((error) => error.code);
const naturals = roll.dice.map((die) => die.natural);
const short = await alice.publish(roll.roll, { names: true });
const published = await alice.published();
const page = [(await fetch(short)).status];
await alice.revoke(short);
page.push((await fetch(short)).status);
const none = await alice.publish(0).catch((error) => error.code);
const more = { short, published, page, left: await alice.published(), none };
const link = await alice.share(roll.roll);
console.log(JSON.stringify({ link, naturals, refused, who: [roll.author, roll.called], ...more }));
process.exit(0);
"""

TABLE = """
import { writeFileSync } from 'node:fs';
import { join, MemoryStorage, openTable } from 'rollproof';
const storage = new MemoryStorage();
const { links } = await openTable(process.argv[2], { storage });
const host = await join(links.player, { name: 'host-player', storage });
console.log(links.player);
await host.start({ with: ['bot', 'host-player'] });
console.log('begun');
process.stdin.once('data', async () => {
  await host.close();
  writeFileSync('bot.jsonl', host.log().bytes);
  console.log('bot.jsonl');
  process.exit(0);
});
"""


@contextmanager
def running(folder: Path, *command: str, **more: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **more},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    timer = threading.Timer(WITHIN, process.kill)
    timer.start()
    try:
        yield process
    finally:
        timer.cancel()
        process.kill()
        process.communicate()


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_the_page_plays_from_another_site(installed: Path, server: Server, browser: "Browser", tmp_path: Path) -> None:
    """The example as it stands, served elsewhere: two people sit down, and one of them rolls."""
    site = tmp_path / "site"
    shutil.copytree(installed / "node_modules" / "rollproof", site / "rollproof")
    shutil.copy(SDK / "examples" / "page.html", site / "index.html")
    assert len((site / "index.html").read_text().splitlines()) <= 45
    (installed / "host.mjs").write_text(HOST)
    elsewhere = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    try:
        with running(installed, "node", "host.mjs", server.address) as host:
            link = said(host)
            context = browser.new_context(locale="en-GB")
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{elsewhere.server_port}/")
            page.fill("[name=link]", link)
            page.fill("[name=name]", "carol")
            page.click("text=Sit down")
            assert said(host) == "begun"
            page.wait_for_selector("#ask:not([hidden])")
            page.click("#ask button")
            page.wait_for_selector("#rolls li")
            shown = page.inner_text("#rolls li")
            assert re.fullmatch(r"carol: \d \d \d \d = .*\d+.* \(fair\)", shown), shown
            assert page.inner_text("#now") == ""
            context.close()
    finally:
        elsewhere.shutdown()
        elsewhere.server_close()


HOST = TABLE.replace("['bot', 'host-player']", "['carol', 'host-player']")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None: ...


@pytest.mark.parametrize("kind", ["files", "memory"])
def test_a_storage_is_held_to_what_it_owes(installed: Path, tmp_path: Path, kind: str) -> None:
    """By the test that the package has for other storages; and one that forgets is found out."""
    (installed / "storages.mjs").write_text(STORAGES)
    told = node(installed, "node", "storages.mjs", kind, tmp_path)
    if kind == "files":
        assert json.loads(told)["held"][-1] == "transactions at the same time all stand"
    else:
        assert "does not hold: what was written is there after a crash" in json.loads(told)["error"]


STORAGES = """
import { closeSync, unlinkSync } from 'node:fs';
import { MemoryStorage } from 'rollproof';
import { FileStorage } from 'rollproof/files';
import { checkStorage } from 'rollproof/storage-test';
const [, , kind, folder] = process.argv;
const files = {
  open: () => FileStorage.open(`${folder}/seat`, { passphrase: 'a passphrase of a test' }),
  crash: (storage) => { closeSync(storage.file); unlinkSync(`${folder}/seat/lock`); },
};
const memory = { open: async () => new MemoryStorage(), crash: () => {} };
const found = await checkStorage(kind === 'files' ? files : memory)
  .then((held) => ({ held }), (error) => ({ error: error.message }));
console.log(JSON.stringify(found));
"""


def test_a_journal_that_is_cut_anywhere_is_one_from_before(installed: Path, tmp_path: Path) -> None:
    """Byte by byte through its last transaction; what is changed before that is found out, and another passphrase."""
    (installed / "cut.mjs").write_text(CUT)
    told = json.loads(node(installed, "node", "cut.mjs", tmp_path))
    assert set(told["cuts"]) == {"1 1"}
    assert told["whole"] == "2 2"
    assert "damaged in line 3" in told["changed"]
    assert "not the passphrase" in told["other"]
    assert "Another program" in told["twice"]
    assert "at least 12" in told["short"]
    assert told["plain"] == []


CUT = """
import { readFileSync, writeFileSync, mkdirSync, readdirSync } from 'node:fs';
import { FileStorage } from 'rollproof/files';
const root = process.argv[2];
const passphrase = 'a passphrase of a test';
const storage = await FileStorage.open(`${root}/a`, { passphrase });
const both = (value) => [
  { store: 'memory', key: 'left-secret', value: { value } }, { store: 'games', key: 'right', value: { value } },
];
await storage.write(both(1));
const before = readFileSync(`${root}/a/journal`).length;
await storage.write(both(2));
const twice = await FileStorage.open(`${root}/a`, { passphrase }).catch((error) => error.message);
storage.close();
const data = readFileSync(`${root}/a/journal`);
let number = 0;
async function opened(bytes, passphrase_ = passphrase) {
  const folder = `${root}/b${number++}`;
  mkdirSync(folder);
  writeFileSync(`${folder}/journal`, bytes);
  const found = await FileStorage.open(folder, { passphrase: passphrase_ });
  const [left, right] = [await found.get('memory', 'left-secret'), await found.get('games', 'right')];
  found.close();
  return `${left.value} ${right.value}`;
}
const cuts = [];
for (let at = before; at < data.length; at += 7) cuts.push(await opened(data.subarray(0, at)));
const changed = Buffer.from(data);
changed[before - 30] ^= 1;
console.log(JSON.stringify({
  cuts, whole: await opened(data), changed: await opened(changed).catch((error) => error.message), twice,
  other: await opened(data, 'another passphrase').catch((error) => error.message),
  short: await FileStorage.open(`${root}/c`, { passphrase: 'short' }).catch((error) => error.message),
  plain: ['left-secret', 'memory', 'value'].filter((text) => data.includes(text)),
}));
"""


def test_its_types_are_those_that_a_program_needs(installed: Path) -> None:
    tsc = shutil.which("tsc", path=f"{os.environ.get('NODE_PATH', '')}/.bin")
    if tsc is None:
        pytest.skip("TypeScript is not installed")
    (installed / "typed.ts").write_text(TYPED)
    command = [tsc, "--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom"]
    node(installed, *command, "typed.ts")
    (installed / "wrong.ts").write_text(TYPED.replace("roll.fair", "roll.loaded"))
    done = subprocess.run([*command, "wrong.ts"], cwd=installed, capture_output=True, text=True, check=False)
    assert "loaded" in done.stdout
    for right, wrong in (("links.player", "links.plyer"), ("show().game", "show().gam")):
        (installed / "wrong.ts").write_text(TYPED.replace(right, wrong))
        done = subprocess.run([*command, "wrong.ts"], cwd=installed, capture_output=True, text=True, check=False)
        assert wrong.rpartition(".")[2] in done.stdout


TYPED = """
import { join, openTable, Refused, type Roll, type Storage } from 'rollproof';
import { FileStorage } from 'rollproof/files';
import { checkStorage } from 'rollproof/storage-test';
import { openWindow, type RollWindow, WindowRefused } from 'rollproof/window';

const storage: Storage = await FileStorage.open('seat', { passphrase: 'twelve or more' });
const { links } = await openTable('http://127.0.0.1:8706', { title: 'typed', storage });
const player = await join(links.player, { name: 'alice', storage, agree: (terms) => terms.title === 'typed' });
player.on('roll', (roll: Roll) => { const fair: boolean = roll.fair; void fair; });
const end: () => void = player.on('waits', ({ roll, for: names }) => { void [roll + 1, names.join()]; });
try {
  const roll = await player.roll({ dice: 'd6' });
  void (roll.dice[0].natural + roll.dice[0].sides + player.show().game!.rolls.length);
  const link: string = await player.share(roll, { names: true });
  const short: string = await player.publish(roll.roll);
  await player.revoke(short);
  void [link, (await player.published())[0].by];
} catch (error) {
  if (error instanceof Refused) void error.code;
}
end();
const dice: RollWindow = await openWindow('http://127.0.0.1:8706');
dice.on('end', (code: string) => { void code; });
const thrown: Roll = await dice.roll('d6', { signal: new AbortController().signal });
void [thrown.said?.own, dice.me.called, WindowRefused];
const held: string[] = await checkStorage({ open: async () => storage, crash: (each) => each.close() });
void held;
"""


def test_the_package_is_what_the_page_runs_and_names_no_other_host() -> None:
    files = package_files()
    assert {"index.js", "index.d.ts", "files.js", "storage-test.js", "README.md", "package.json"} <= set(files)
    for path, data in files.items():
        if path.startswith(("ledger/web/", "verifier/web/")):
            assert data == (SDK.parents[1] / path).read_bytes(), path
        assert str(SDK.parents[1]).encode() not in data, path
    assert not any(path.startswith("ledger/web/ui") for path in files)
    assert not any(b"node:" in data for path, data in files.items() if path.endswith(".js") and "sdk/files" not in path)
