"""A day of outsiders (`python -m tests.bench.outsiders`): 16 players, 3 rounds, all that goes wrong in a hall.

Everybody has a browser of their own at the size of what they hold, and does what screens and guide say: what is tapped
is found by the words that stand there. The organizer's commands run in a home of her own; the bundle is verified in
another, without a network. Acts are counted: a tap, a typed field, a file, a scanned code, a command.
"""

import argparse
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tests.server.served import ENVIRONMENT, ROOMY, serving, with_limits
from tests.web.table_page import CHROMIUM, PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

__all__ = ["Outcome", "play"]

ROOT = Path(__file__).parents[2]
TITLE = "Harbour Cup"
PHONE, DESK, TABLET = (390, 844), (1280, 800), (820, 1180)
PLAYERS = [
    *("Alice Ito", "Bob Meyer", "Carol Diaz", "Dave Okafor", "Erin Novak", "Farid Haddad", "Gus Lind", "Hana Lind"),
    *("Ines Prado", "Jonas Vogel", "Kim Sato", "Lea Roth", "佐藤 健", "Nils Berg", "Olu Ade"),
]
"""who registered before the day; the sixteenth walks in"""
LATE = 13
"""how many of them stood on the list a week before"""
WALK_IN = "Pia Wolf"


class Outcome(Struct, frozen=True):
    """What came of the day."""

    acts: dict[str, int]
    """by who did them"""
    quiet: int
    """the organizer's acts in the third round, in which nothing went wrong"""
    seconds: float
    """of all of it, played by a program"""
    notices: dict[str, str]
    """what the report on the bundle says besides: code and words"""
    verdict: str
    games: int
    problems: Sequence[str]
    """errors of pages"""


class Person:
    """Somebody with a screen, who does what stands there."""

    def __init__(self, day: "_Day", name: str, page: "Page") -> None:
        self.day, self.name, self.page = day, name, page

    def _did(self) -> None:
        self.day.acts[self.name] += 1

    def _seen(self, found: "Locator", what: str) -> "Locator":
        """The one that is in view. Whoever sees two does not know which is meant."""
        found.first.wait_for()
        visible = [each for each in found.all() if each.is_visible()]
        assert len(visible) == 1, f"{self.name} sees {len(visible)} of {what!r}"
        return visible[0]

    def opens(self, link: str) -> None:
        """Scan a code, or open a link."""
        self._did()
        self.page.goto(link)

    def tap(self, words: str, within: "Locator | None" = None) -> None:
        """Tap the button that says so."""
        found = (within or self.page).get_by_role("button", name=words, exact=True)
        self._seen(found, words).click()
        self._did()

    def unfold(self, words: str, within: "Locator | None" = None) -> None:
        """Tap what opens."""
        found = (within or self.page).locator("summary").get_by_text(words, exact=True)
        self._seen(found, words).click()
        self._did()

    def types(self, label: str, text: str, within: "Locator | None" = None) -> None:
        """Type into a field."""
        self._seen((within or self.page).get_by_label(label, exact=True), label).fill(text)
        self._did()

    def brings(self, label: str, rows: Sequence[Sequence[object]]) -> None:
        """Give a list to a field for files."""
        text = io.StringIO()
        csv.writer(text).writerows(rows)
        given: Any = {"name": "list.csv", "mimeType": "text/csv", "buffer": text.getvalue().encode()}
        self._seen(self.page.get_by_label(label, exact=True), label).set_input_files(given)
        self._did()

    def saves(self, words: str) -> bytes:
        """Tap a button that saves a file."""
        with self.page.expect_download() as download:
            self.tap(words)
        return Path(download.value.path()).read_bytes()

    def throws(self, die: str) -> None:
        """Tap a die, and wait until it lies there."""
        keys = self.page.get_by_role("group", name="Throw at once")
        self._seen(keys.get_by_text(die, exact=True), die).click()
        self._did()
        self.page.locator(".tray:not(.past) .die").first.wait_for()

    def reads(self, text: str, within: "Locator | None" = None) -> None:
        """Wait until a text is in view."""
        (within or self.page).get_by_text(text).filter(visible=True).first.wait_for()

    def part(self, title: str) -> "Locator":
        """The part of the screen under a heading."""
        return self.page.get_by_role("region", name=title, exact=True)

    def handed(self, label: str) -> str:
        """A text that the screen hands on: as it is copied or scanned."""
        return self._seen(self.page.get_by_role("textbox", name=label, exact=True), label).input_value()

    def look(self, what: str) -> None:
        """Take a picture of all of the screen, and one of what is in view."""
        self.day.picture(self, what)


class _Day:
    """The event, its people and their screens."""

    def __init__(self, root: Path, address: str, browser: "Browser", pictures: Path | None) -> None:
        self.root, self.address, self.browser, self.pictures = root, address, browser, pictures
        self.acts: Counter[str] = Counter()
        self.problems: list[str] = []
        self.taken = 0
        self.link = ""

    def person(self, name: str, size: tuple[int, int] = PHONE) -> Person:
        """Somebody with a browser of their own."""
        width, height = size
        context = self.browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.problems.append(f"{name}: {error}"))
        return Person(self, name, page)

    def picture(self, who: Person, what: str) -> None:
        if self.pictures is None:
            return
        self.taken += 1
        who.page.screenshot(path=self.pictures / f"{self.taken:02} {who.name} {what}.png", full_page=True)

    def command(self, *words: str, who: str = "olga") -> str:
        """A command of the organizer's, in her home."""
        self.acts[who] += 1
        return _rollproof(self.root / who, *words)


def _rollproof(home: Path, *words: str, before: Sequence[str] = ()) -> str:
    """Run a command in a process of its own. Its output; it has to succeed."""
    environment = {**os.environ, **ENVIRONMENT, "ROLLPROOF_HOME": str(home), "ROLLPROOF_STATE": str(home / "state")}
    program = [*before, sys.executable, "-c", "from ledger.cli import main; main()", *words]
    done = subprocess.run(program, env=environment, cwd=home.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


@contextmanager
def _chromium() -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def play(root: Path, pictures: Path | None = None) -> Outcome:
    """Play the day in the folder `root`; pictures of the steps go to the folder `pictures`."""
    began = time.monotonic()
    key = json.loads(_rollproof(root / "olga", "identity", "new", "olga", "--json"))["key"]
    with _chromium() as browser:
        with serving(root / "hall", "--organizer", key, *with_limits(root / "hall", ROOMY)) as server:
            day = _Day(root, server.address, browser, pictures)
            bundle, quiet = _Organized(day).whole()
        file = root / "harbour-cup.bundle"
        file.write_bytes(bundle)
        report = json.loads(_verified(root, file, key))
    notices = {each["code"]: each["message"] for each in report["findings"]}
    games = len(report["state"]["games"])
    return Outcome(
        dict(day.acts), quiet, time.monotonic() - began, notices, report["verdict"], games, tuple(day.problems)
    )


def _verified(root: Path, bundle: Path, key: str) -> str:
    """The report of another home, on a machine without a network where this one can be shut off."""
    (root / "archive").mkdir()
    alone = ["unshare", "--map-root-user", "--net"]
    tried = (
        shutil.which("unshare") and subprocess.run([*alone, "true"], capture_output=True, check=False).returncode == 0
    )
    return _rollproof(root / "archive", "verify", str(bundle), "--key", key, "--json", before=alone if tried else ())


class _Organized:
    """The day as it goes."""

    def __init__(self, day: _Day) -> None:
        self.day = day
        self.phones: dict[int, Person] = {}
        """by number of the player"""
        self.links: dict[int, str] = {}

    def whole(self) -> tuple[bytes, int]:
        """Play it. The bundle, and the organizer's acts in the quiet round."""
        self.before()
        self.staff()
        self.door()
        self.first_round()
        self.second_round()
        before = self.day.acts["olga"]
        self.third_round()
        quiet = self.day.acts["olga"] - before
        return self.end(), quiet

    # --- before ---------------------------------------------------------------------------------------------------

    def before(self) -> None:
        """The week before: the event, its players, a link for each."""
        day = self.day
        told = day.command(
            "event", "new", TITLE, "--server", day.address, "--game", "dice", "--rounds", "3", "--as", "olga"
        )
        day.link = next(line for line in told.splitlines() if "/e/" in line)
        rows = [("No", "Player"), *enumerate(PLAYERS[:LATE], 1)]
        (day.root / "players.csv").write_text("".join(f"{number},{name}\n" for number, name in rows))
        day.command("event", "register", TITLE, "players.csv", "--dry-run")
        day.command("event", "register", TITLE, "players.csv", "--codes", "codes.csv", "--as", "olga")
        with (day.root / "codes.csv").open(newline="") as stream:
            self.links = {int(row["number"]): row["link"] for row in csv.DictReader(stream)}

    def staff(self) -> None:
        """The desk, the organizer's own phone, a head judge with a tablet, a floor judge with a phone."""
        day = self.day
        self.desk = day.person("olga", DESK)
        self.hers = day.person("olga")
        self.dana = day.person("dana", TABLET)
        self.jun = day.person("jun")
        for who, name, role in (
            (self.desk, "desk", "organizer"),
            (self.hers, "olga.phone", "organizer"),
            (self.dana, "dana", "head"),
            (self.jun, "jun", "judge"),
        ):
            who.opens(f"{day.link}#staff")
            who.types("Your name", name)
            who.tap("Make a key")
            key = who.handed("Your key")
            who.look("waits to be appointed")
            day.command("event", "appoint", TITLE, key, "--role", role, "--as", "olga")
            who.reads("Nobody calls.")
        self.desk.unfold("The wall, the bundle, the end")
        self.desk.tap("A link for the wall")
        self.wall = day.person("wall", DESK)
        self.wall.opens(self.desk.handed("Link for the wall"))

    def latecomers(self) -> None:
        """A second list, at the desk."""
        desk = self.desk
        desk.unfold("A list of players (CSV)")
        desk.brings("The list", [("No", "Name"), *((n, PLAYERS[n - 1]) for n in range(LATE + 1, len(PLAYERS) + 1))])
        desk.reads("2 players would be registered.")
        links = desk.saves("Register them, and save their links").decode()
        self.links |= {int(row["number"]): row["link"] for row in csv.DictReader(io.StringIO(links))}
        desk.look("desk in the morning")

    def door(self) -> None:
        """Everybody checks in; one has lost the code, two share a phone, one walks in."""
        day = self.day
        self.latecomers()
        for number, name in enumerate(PLAYERS, 1):
            if number == 5:  # she has lost her code
                continue
            phone = self.phones[7] if number == 8 else day.person(f"p{number}")
            self.phones[number] = phone
            phone.opens(self.links[number])
            phone.reads(f"You are {name}, number {number}.")
            if number in (1, 8):
                phone.look("at the door")
            phone.tap("I am here")
            phone.reads("Nothing to do until the round begins.")
        self.phones[7].look("shared phone")
        self.new_phone(5, "Erin Novak")
        desk = self.desk
        desk.types("A walk-in’s name", WALK_IN)
        desk.tap("Register", desk.part("Players"))
        desk.reads("Pia Wolf is number 16.")
        desk.look("walk-in")
        phone = self.phones[16] = day.person("p16")
        phone.opens(desk.handed("Link of Pia Wolf"))
        desk.tap("Done", desk.part("Players"))
        phone.tap("I am here")
        phone.reads("Nothing to do until the round begins.")
        desk.reads("16 of 16 players are in.")
        self.wall.reads("16 of 16 players are in.")
        self.wall.look("wall before the first round")

    def new_phone(self, number: int, name: str) -> None:
        """A player without a code, or with another phone, shows a key at the desk; the organizer's phone scans it."""
        phone = self.phones[number] = self.day.person(f"p{number}")
        phone.opens(self.day.link)
        phone.look("no code")
        phone.unfold("No code, or another phone than before")
        phone.types("Your number", str(number))
        phone.tap("Make a key for this phone")
        phone.reads("Show this at the desk")
        phone.look("shows a key")
        key = phone.handed("Key of the phone")
        self.hers.opens(f"{self.day.link}#staff.{key}")
        self.hers.reads(f"{name}, number {number}: look whether it is this person.")
        self.hers.look("scans a key")
        self.hers.tap(f"Give the phone to {name}")
        phone.reads("You are in" if self.round_is_over else "Round")

    round_is_over = True

    # --- a round --------------------------------------------------------------------------------------------------

    def publish(self, round_: int, rows: Sequence[Sequence[object]]) -> None:
        """Who is in goes to the pairing tool, its pairings come back."""
        desk = self.desk
        desk.brings("Pairings from your tool (CSV)", [("Table", "Player 1", "Player 2"), *rows])
        desk.reads(f"Next: round {round_}")
        desk.tap("Publish")
        desk.tap("Start the round")
        self.round_is_over = False

    def who_is_in(self) -> list[int]:
        """As the pairing tool reads it."""
        rows = csv.DictReader(io.StringIO(self.desk.saves("Save who is in (CSV)").decode()))
        return [int(row["number"]) for row in rows]

    def sits(self, number: int, opponent: str) -> Person:
        """A player goes to the table; who acts on a shared phone is chosen first."""
        phone = self.turn(number)
        phone.reads(f"against {opponent}")
        phone.tap("To the table")
        phone.reads("← To the event")
        return phone

    def turn(self, number: int) -> Person:
        """A player of a shared phone taps the own name."""
        phone = self.phones[number]
        if number in (7, 8):
            back = phone.page.get_by_role("button", name="← To the event")
            if back.count():
                phone.tap("← To the event")
            name = {7: "Gus Lind", 8: "Hana Lind"}[number]
            if name not in phone.page.locator(".shared [aria-pressed=true]").inner_text():
                phone.tap(name)
        return phone

    def rolls(self, one: int, other: int) -> None:
        """Both sit down, and the first rolls once."""
        names = {**dict(enumerate(PLAYERS, 1)), 16: WALK_IN}
        self.sits(other, names[one])
        first = self.sits(one, names[other])
        first.throws("d20")

    def result(self, one: int, other: int, outcome: str = "2 : 1") -> None:
        """One signs the slip, the other agrees."""
        won, lost = outcome.split(" : ")
        for number, steps in (
            (one, (outcome, f"Sign: I won {outcome}")),
            (other, (f"Sign: I lost {lost} : {won}",)),
        ):
            phone = self.turn(number)
            if phone.page.get_by_role("button", name="← To the event").count():
                phone.tap("← To the event")
            for step in steps:
                phone.tap(step)
        self.phones[other].reads("The result stands")

    def end_round(self, round_: int) -> list[dict[str, str]]:
        """The round ends, and its results go back to the tool."""
        results = self.desk.saves("End the round")
        self.desk.reads(f"Next: round {round_ + 1}")
        self.desk.reads("Verified here: ")
        self.round_is_over = True
        return [*csv.DictReader(io.StringIO(results.decode()))]

    def first_round(self) -> None:
        desk, jun, dana = self.desk, self.jun, self.dana
        assert self.who_is_in() == [*range(1, 17)]
        right = {1: (1, 2), 2: (3, 4), 3: (5, 6), 4: (7, 9), 5: (8, 10), 6: (11, 12), 7: (13, 14), 8: (15, 16)}
        rows = [(table, *pair) for table, pair in right.items()]
        wrong = [*rows[:2], (3, 5, 7), (4, 6, 9), *rows[4:]]
        desk.brings(
            "Pairings from your tool (CSV)", [("Table", "Player 1", "Player 2"), *rows[:-1], (8, "Olu Ade", "Pia W.")]
        )
        desk.reads("Line 9: Nobody is called Pia W..")
        desk.look("a wrong list")
        self.publish(1, wrong)
        self.wall.reads("left in round 1")
        self.wall.look("wall in the round")
        self.phones[1].reads("Round 1, table 1")
        self.phones[1].look("in the round")
        for one, other in ((1, 2), (3, 4), (5, 7)):
            self.rolls(one, other)
        self.phones[1].look("at the table")

        # The wrong pairing: table 3 has begun.
        erin = self.phones[5]
        erin.tap("← To the event")
        erin.types("Why, in a word (you need not say)", "I was to play Farid")
        erin.tap("Call a judge")
        erin.reads("A judge is called, and comes.")
        jun.reads("I was to play Farid")
        jun.look("queue")
        call = jun.page.locator("li.call")
        jun.types("What came of it", "wrong pairing; the desk corrects it", call)
        jun.tap("Answered", call)
        desk.unfold("Correct the pairings")
        desk.brings("Only the tables that change (CSV)", [("Table", "Player 1", "Player 2"), rows[2], rows[3]])
        desk.types(
            "Why",
            "round 1 was paired from an old list",
            desk.page.locator("details", has_text="Tables of the list are new"),
        )
        desk.look("a correction")
        desk.tap("Correct them")
        for number, opponent in ((5, "Farid Haddad"), (6, "Erin Novak"), (9, "Gus Lind")):
            self.phones[number].reads(f"against {opponent}")
        self.phones[6].look("after the correction")
        self.rolls(5, 6)
        self.rolls(9, 7)

        # A dead battery in the middle of the match.
        self.phones[9].page.context.close()
        self.new_phone(9, "Ines Prado")
        self.phones[9].look("on another phone")
        self.rolls(9, 7)

        # An appeal.
        alice = self.phones[1]
        alice.tap("← To the event")
        alice.types("Why, in a word (you need not say)", "a die fell off the board")
        alice.tap("Call a judge")
        call = jun.page.locator("li.call")
        jun.types("What came of it", "it counts as it lies", call)
        jun.tap("5 minutes more", call)
        jun.tap("Answered", call)
        alice.reads("it counts as it lies")
        alice.look("answered")
        alice.tap("Ask the head judge")
        dana.reads("Appeal")
        dana.look("appeal")
        call = dana.page.locator("li.call")
        dana.types("What came of it", "it is rolled again", call)
        dana.tap("Answered", call)
        alice.reads("it is rolled again")
        alice.reads("with 5 minutes more for this table")
        alice.look("after the appeal")

        # A no-show: a judge writes the result, with a reason.
        olu = self.phones[15]
        olu.types("Why, in a word (you need not say)", "nobody is here")
        olu.tap("Call a judge")
        call = jun.page.locator("li.call")
        jun.types("What came of it", "Pia does not come", call)
        jun.tap("Answered", call)
        table = jun.page.locator("li", has=jun.page.get_by_text("Olu Ade : Pia Wolf")).last
        jun.unfold("Write the result", table)
        jun.types("Why", "Pia did not come within ten minutes", table)
        jun.tap("2 : 0", table)
        jun.look("writes a result")
        jun.tap("Sign the result", table)
        olu.reads("The result stands")

        for table_, (one, other) in right.items():
            if table_ in (5, 6, 7):
                self.rolls(one, other)
            if table_ < 8:
                self.result(one, other)
        self.phones[1].look("after the result")
        desk.reads("All tables have a result.")
        desk.look("desk at the end of a round")
        rows_ = self.end_round(1)
        assert [row["player 1 won"] for row in rows_] == ["2"] * 8

    def second_round(self) -> None:
        lea = self.phones[12]
        lea.unfold("Drop from the event")
        lea.look("drops")
        lea.tap("Drop", lea.page.locator("details", has_text="You play no further round."))
        lea.reads("You have dropped")
        assert self.who_is_in() == [each for each in range(1, 17) if each != 12]
        pairs = {1: (1, 3), 2: (5, 7), 3: (9, 8), 4: (2, 4), 5: (6, 10), 6: (11, 14), 7: (15, 16)}
        self.publish(2, [*((table, *pair) for table, pair in pairs.items()), ("", 13, "")])
        self.phones[13].reads("You have a bye: no opponent this round.")
        self.phones[13].look("a bye")
        for table, (one, other) in pairs.items():
            self.rolls(one, other)
            if table != 5:
                self.result(one, other)
        self.desk.types("Why they are left", "they play on; the slip comes later")
        self.desk.look("a table that is left")
        self.end_round(2)
        self.phones[6].look("round over, the slip is open")
        self.result(6, 10)  # a late slip
        self.desk.look("after a late slip")

    def third_round(self) -> None:
        pairs = {1: (1, 5), 2: (2, 3), 3: (4, 6), 4: (7, 8), 5: (9, 10), 6: (11, 13), 7: (14, 15)}
        self.publish(3, [*((table, *pair) for table, pair in pairs.items()), ("", 16, "")])
        for one, other in pairs.values():
            self.rolls(one, other)
            self.result(one, other)
        self.desk.reads("All tables have a result.")
        self.desk.saves("End the round")
        self.desk.reads("Verified here: 25 games hold.")

    # --- the end --------------------------------------------------------------------------------------------------

    def end(self) -> bytes:
        self.desk.look("before the end")
        self.desk.unfold("Close the event")
        self.desk.tap("Close it for good")
        self.desk.tap("Yes, close it")
        self.phones[1].reads("The event is over")
        self.phones[1].look("at the end")
        bundle = self.desk.saves("Save the bundle")
        self.desk.look("at the end")
        self.wall.look("wall at the end")
        return bundle


def told(outcome: Outcome) -> str:
    """The figures, a line each."""
    staff = {who: count for who, count in outcome.acts.items() if not who.startswith("p")}
    players = sorted(count for who, count in outcome.acts.items() if who.startswith("p"))
    lines = [
        f"played in {outcome.seconds:.0f} s by a program; acts: {sum(outcome.acts.values())}",
        f"  players: {players[0]} to {players[-1]} each, {sum(players)} together",
        *(f"  {who}: {count}" for who, count in staff.items()),
        f"organizer's acts in the quiet round: {outcome.quiet} (to reach: 4)",
        f"bundle, verified in another home without a network: {outcome.verdict}, {outcome.games} games",
        *(f"  {code}: {words}" for code, words in outcome.notices.items()),
        f"errors of pages: {len(outcome.problems)} {'; '.join(outcome.problems[:3])}",
    ]
    return "\n".join(lines)


def main() -> int:
    """Play it, and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.outsiders", description=__doc__)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="take a picture of each step")
    given = parser.parse_args()
    if given.pictures is not None:
        given.pictures.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        outcome = play(Path(folder), given.pictures)
    print(told(outcome))
    return int(outcome.verdict != "holds" or bool(outcome.problems))


if __name__ == "__main__":
    sys.exit(main())
