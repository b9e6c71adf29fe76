"""Secret rolls at random, right events and wrong ones: both verifiers and the oracle say the same.

All three name a wrong event, which is taken back, so that games go on. In some games browsers are lost (`Lost`).
"""

from __future__ import annotations

import copy
import json
import random
import shutil
import struct
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SPECS
from tests.oracles import reference
from tests.oracles.random_game import RandomGame
from verifier import verify

NODE = shutil.which("node")
ROLES = {"host": "keeper", "alice": "player", "gil": "gm", "gina": "gm", "bob": "player", "dana": "judge"}
TEXTS = ["a trap", "the left door", "忍び足", ""]
DICE: list[tuple[str, list[int]]] = [
    ("d20", [20]),
    ("2d6 + 3", [6, 6]),
    ("4d6kh3", [6] * 4),
    ("d20adv", [20, 20]),
    ("d%", [100]),
    ("2x d8", [8, 8]),
    ("d6!", [6]),
    ("d20", [6]),
]
WHO = [name for name in ROLES if name != "dana"]


class Dealer(RandomGame):
    """One game."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        terms = self.random.choice(["all", "roller", ["host", "alice", "bob"], ["host", "alice", "gil"]])
        self.w = reference.Writer(f"secrets at random {seed}", dict(ROLES), terms)
        sealed = self.random.choice([{"sealed": "kept"}, {"sealed": "kept"}, {"sealed": "everyone"}, {}])
        self.w.open(system="dice-1", options={}, **sealed)
        self.w.join(*[name for name in ROLES if name != "host"], recovery=["gil", "gina", "alice"])
        self.look()
        self.w.commit(*[name for name in ROLES if self.g.somewhen_contributes(name)], length=60)
        self.texts: dict[int, str] = {}
        """what requests hid, by number"""
        self.wrong: list[bytes] = []
        """logs that end with a wrong event"""
        for name in ("gil", "gina", "alice"):
            before = copy.deepcopy(self.w.__dict__)
            if self.chance(0.8):
                self.w.seal(name, self.random.choice([2, 3, 8]))
            if not self.look():
                self.w.__dict__.update(before)
                self.look()

    def play(self, moves: int) -> bytes:
        for _ in range(moves):
            before = copy.deepcopy(self.w.__dict__)
            try:
                self.move()
            except (KeyError, IndexError, OverflowError, AssertionError):  # nobody has what the move needs
                self.w.__dict__.update(before)
                continue
            if not self.look():
                if self.chance(0.3):
                    self.wrong.append(self.w.data)
                self.w.__dict__.update(before)
                self.look()
        return self.w.data

    def move(self) -> None:
        phase = self.g.phase if self.chance(0.95) else self.random.choice(["idle", "pending", "voided"])
        if phase == "pending":
            self.end_of_a_roll()
        elif phase == "voided":
            self.w.disclose([name for name in self.w.contributors() if name != "host" and self.chance(0.3)])
        else:
            self.between_rolls()

    def latest(self) -> Any:
        """The request that waits, where it is a secret one."""
        return self.w.kept.get(max(self.w.kept, default=-1))

    def end_of_a_roll(self) -> None:
        w, kept = self.w, self.latest()
        if self.chance(0.6):
            openings = w.openings()
            if kept is not None and kept.seq == w.last:
                kept.links = {each["author"]: bytes.fromhex(each["link"]) for each in openings}
            w.reveal(openings)
            return
        author = self.random.choice(["dana", "gil", "alice", self.g.closer() if self.g.pending else "bob"])
        secret = {}
        if kept is not None and self.chance(0.9 if kept.holder == author else 0.1):
            number = kept.number if self.chance(0.9) else kept.number + 1
            secret = {"secret": w.secret(str(kept.holder), number).hex()}
        w.void(author, [], **secret)

    def between_rolls(self) -> None:
        w, who = self.w, self.random.choice(WHO)
        kind = self.random.choice(
            ["ask"] * 6 + ["show"] * 4 + ["open"] * 2 + ["seal", "away", "back", "ruling", "close"]
        )
        if kind == "ask":
            self.ask()
        elif kind == "show":
            self.show()
        elif kind == "open":
            w.request(who, "roll", {"dice": "d20"}, [20])
        elif kind == "seal":
            count = self.random.choice([2, 4, 64])
            wrong = {"secret": w.secret(who, self.random.randint(1, 4)).hex()} if self.chance(0.2) else {}
            w.seal(who, count, **wrong)
        elif kind == "away":
            w.away(who, who)
        elif kind == "back":
            gone = self.random.choice(w.gone)
            w.back(gone, gone)
        elif kind == "ruling":
            subject = self.random.choice(list(w.kept))
            results: dict[str, Any] = {"results": [{"die": 1, "result": 3}]} if self.chance(0.3) else {}
            ruling = "correct" if results else self.random.choice(["void", "uphold"])
            w.write("dana", "ruling", {"ruling": ruling, "subject": subject, "text": "so be it", **results})
        elif self.chance(0.1):
            w.close()

    def ask(self) -> None:
        w = self.w
        owed = [(name, owes["body"]) for name, owes in self.g.rules.owes.items()] if self.g.rules else []
        if owed and self.chance(0.6):
            name, body = self.random.choice(owed)
            if "sealed" not in body:
                w.request(name, "roll", body, [20])
                return
            more = {member: body[member] for member in ("hidden", "source") if member in body}
            number = w.ask_secret(name, body["sealed"], body["dice"], body["sides"], **more)
            before = next(
                (text for seq, text in self.texts.items() if self.hidden(name, text) == body.get("hidden")), None
            )
            if before is not None:
                self.texts[number] = before
            return
        holder = self.random.choice(["gil", "gil", "gina", "alice", "bob"])
        name = holder if self.chance(0.5) else self.random.choice(WHO)
        dice, sides = self.random.choice(DICE[:6] if self.chance(0.9) else DICE)
        text, more = self.random.choice(TEXTS), {}
        if text and self.chance(0.5):
            more = {"hidden": self.hidden(name, text)} if self.chance(0.8) else {"source": text}
        number = w.ask_secret(name, holder, dice, sides, **more)
        if "hidden" in more:
            self.texts[number] = text

    def hidden(self, name: str, text: str) -> str:
        return self.w.hide(name, text)

    def show(self) -> None:
        w = self.w
        number = self.random.choice(list(w.kept))
        body = w.show_body(number, self.texts.get(number))
        author = str(w.kept[number].holder)
        match self.random.randrange(14):
            case 0:
                body["secret"] = w.secret(author, w.kept[number].number + 1).hex()
            case 1 if "naturals" in body:
                body["naturals"] = [natural % 20 + 1 for natural in body["naturals"]]
            case 2:
                body.pop("naturals", None)
            case 3 if "text" in body:
                body["text"] += "?"
            case 4:
                body |= {"salt": "ab" * 32, "text": "more"}
            case 5:
                author = self.random.choice(WHO)
            case 6 if "naturals" in body:
                body["naturals"] = body["naturals"][:-1]
        w.write(author, "show", body)


class Lost(Dealer):
    """One game in which holders lose their browsers, and their secrets with them."""

    def look(self) -> bool:
        """Whether the log holds; where it does, the writer is told who has a new key."""
        w, holds = self.w, super().look()
        made_from = {reference.public_key(hand): hand for name in w.roles for hand in hands(name)}
        for name in [name for name, key in self.g.keys.items() if made_from[key] != w.hand(name)]:
            w.go_on(name, made_from[self.g.keys[name]])
        return holds

    def between_rolls(self) -> None:
        w, g = self.w, self.g
        waiting = g.waiting()
        if self.chance(0.6):
            super().between_rolls()
        elif waiting and self.chance(0.8):
            one = self.random.choice(list(waiting.values()))
            left = [name for name in g.others(one.party) if name not in one.consents and name not in g.away]
            if left and not one.by_recovery and self.chance(0.9):
                w.consent(one.seq, self.random.choice(left))
                return
            w.hands[one.party] = next(hand for hand in hands(one.party) if reference.public_key(hand) == one.key)
            w.join(one.party, recovery=[one.party] if self.chance(0.7) else [])
            w.hands[one.party] = next(
                hand for hand in hands(one.party) if reference.public_key(hand) == g.keys[one.party]
            )
        elif g.away and self.chance(0.4):
            name = self.random.choice(sorted(g.away))
            to = self.random.choice(hands(name)[1:])
            by_word = name in g.by_another and self.chance(0.5)
            w.replace(name, to, None if by_word else reference.make_succession(name, w.hand(name), to))
        elif self.chance(0.4):
            name = self.random.choice(WHO)
            w.away(self.random.choice(["dana", name]), name)
        else:
            names = [one.party for one in g.replacements if one.joined is not None]
            name = self.random.choice(names)
            if name in g.away:
                w.back(name, name, **({"accept": "rolls"} if self.chance(0.3) else {}))
            elif name not in w.chains:
                w.commit(name, length=60)
            elif self.chance(0.6):
                more = {"secret": w.secret(name, w.sealed[name]).hex()} if self.chance(0.2) else {}
                w.seal(name, self.random.choice([2, 4]), **more)
            else:
                self.ask()


def hands(name: str) -> list[str]:
    """What the keys of a party can be made from."""
    return [name, *(f"{name} {number}" for number in range(2, 6))]


def told(log: bytes) -> tuple[Any, ...]:
    """What Python says of a log, and that the oracle says the same."""
    report, other = verify(log)[0], reference.verify(log)
    assert (report.verdict, report.valid_prefix) == (other.verdict, other.valid_prefix)
    members = list(asdict(other.findings[0])) if other.findings else []
    assert [{name: getattr(one, name) for name in members} for one in report.findings] == [
        asdict(finding) for finding in other.findings
    ]
    assert report.trust == other.trust
    assert report.state == other.state
    return (report.verdict, report.valid_prefix, *[(each.code, each.seq, each.fault) for each in report.findings])


def by_rules_alone(found: tuple[Any, ...]) -> bool:
    """Whether a verifier without rules sees it otherwise."""
    return any(each[0] in ("log.offer", "rules.violation", "state.owed") for each in found[2:])


def in_node(logs: list[bytes], folder: Path) -> list[tuple[Any, ...]]:
    """What the verifier in JavaScript says of logs."""
    packed = folder / "packed"
    packed.write_bytes(b"".join(struct.pack(">I", len(log)) + log for log in logs))
    run = SPECS.parent / "tests" / "web" / "run.mjs"
    done = subprocess.run([str(NODE), str(run), "packed", str(packed)], capture_output=True, text=True, check=True)
    reports = map(json.loads, done.stdout.splitlines())
    return [
        (each["verdict"], each["valid_prefix"], *[(one["code"], one["seq"], one["fault"]) for one in each["findings"]])
        for each in reports
    ]


def check(seeds: range, moves: int, folder: Path, deal: type[Dealer] = Dealer) -> set[str]:
    """Play games; the codes that came about."""
    logs: list[bytes] = []
    for seed in seeds:
        dealer = deal(seed)
        logs += [dealer.play(moves), *dealer.wrong]
    found = [told(log) for log in logs]
    if NODE is not None:
        for log, here, there in zip(logs, found, in_node(logs, folder), strict=True):
            if here != there and not by_rules_alone(here):
                (folder / "differs.jsonl").write_bytes(log)
                raise AssertionError((folder / "differs.jsonl", here, there))
    return {code for each in found for code, _, _ in each[2:]}


def test_a_game_of_secret_rolls(tmp_path: Path) -> None:
    check(range(1), 10, tmp_path)


@pytest.mark.long
def test_verifiers_and_oracle_say_the_same_of_secret_rolls(tmp_path: Path) -> None:
    codes = check(range(12), 25, tmp_path)
    assert codes >= {"roll.unshown", "show.secret", "state.show", "state.sealed", "void.secret"}, codes


@pytest.mark.slow
def test_verifiers_and_oracle_say_the_same_of_many_secret_rolls(tmp_path: Path) -> None:
    codes = check(range(1_000, 2_500), 40, tmp_path)
    assert codes >= {"show.naturals", "show.text", "seal.secret", "seal.tags"}, codes


@pytest.mark.slow
def test_verifiers_and_oracle_say_the_same_of_secret_rolls_and_lost_browsers(tmp_path: Path) -> None:
    codes = check(range(10), 50, tmp_path, Lost)
    assert codes >= {"party.replaced", "roll.unshown", "state.sealed"}, codes


@pytest.mark.slow
def test_verifiers_and_oracle_say_the_same_of_many_secret_rolls_and_lost_browsers(tmp_path: Path) -> None:
    codes = check(range(1_000, 1_200), 60, tmp_path, Lost)
    assert codes >= {"party.replaced", "seal.secret", "show.naturals", "roll.without"}, codes
