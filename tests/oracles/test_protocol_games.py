"""Games at random, by everybody's keys, right events and wrong ones: the verifier and the oracle say the same.

`test_properties.py` plays Magic; what matters here is who is there, and what was voided, disclosed, burned and owed.
A wrong event is told by both, and taken back, so that games go on; some end with one.
"""

from __future__ import annotations

import copy
import random
from dataclasses import asdict
from typing import Any

import pytest

from tests.make import vectors as make_vectors
from tests.oracles import reference
from verifier import verify

ROLES = {"host": "keeper", "alice": "player", "bob": "player", "carol": "player", "walt": "witness", "dana": "judge"}
LATE = {"wendy": "witness", "jane": "judge", "wanda": "witness", "a1ice": "witness"}
BODIES: list[dict[str, Any]] = [make_vectors.DELINA, make_vectors.CHAOS]


class Dealer:
    """One game. `moves` are made until a wrong one stays."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        seats = [name for name in ROLES if name in ("host", "alice") or self.chance(0.7)]
        self.random.shuffle(seats)
        roles = {name: ROLES[name] for name in seats}
        listed = [name for name in seats if roles[name] != "judge" and (name == "host" or self.chance(0.6))]
        terms = self.random.choice(["all", "all", "roller", listed if len(listed) > 1 else "all"])
        self.w = reference.Writer(f"game at random {seed}", roles, terms)
        opened: dict[str, Any] = {"away": "others"} if self.chance(0.6) else {}
        if self.chance(0.7):
            opened["admits"] = self.random.choice([["witness", "judge"], ["witness", "judge"], ["judge"]])
            opened |= {"host": make_vectors.key_of("hetty")} if self.chance(0.5) else {}
        self.w.open(**opened)
        self.w.join(*[name for name in seats if name != "host" and self.chance(0.98)])
        self.look()
        able = [name for name in seats if self.g.somewhen_contributes(name)]
        self.w.commit(*[name for name in able if self.chance(0.98)], length=self.random.choice([3, 5, 7]))
        self.look()

    def chance(self, likely: float) -> bool:
        return self.random.random() < likely

    def look(self) -> bool:
        """Whether the log holds; where it does, the writer is told who is here."""
        found: list[reference.Game] = []

        class Seen(reference.Game):
            def __init__(self) -> None:
                super().__init__()
                found.append(self)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reference, "Game", Seen)
            report = reference.verify(self.w.data)
        self.g = found[0]
        self.w.gone = sorted(self.g.left | self.g.away)
        return report.verdict == "holds"

    def play(self, moves: int) -> bytes:
        for _ in range(moves):
            before = copy.deepcopy(self.w.__dict__)
            try:
                self.move()
            except (KeyError, IndexError, OverflowError):  # nobody has what the move needs
                self.w.__dict__.update(before)
            if not self.look():
                if self.chance(0.1):
                    break
                self.w.__dict__.update(before)
                self.look()
        return self.w.data

    def anybody(self) -> str:
        return self.random.choice(list(self.w.roles))

    def some(self, names: list[str]) -> list[str]:
        return [name for name in names if self.chance(0.4)]

    def move(self) -> None:
        w, phase = self.w, self.g.phase if self.chance(0.93) else self.random.choice(["idle", "pending", "voided"])
        if phase == "pending":
            self.end_of_a_roll()
        elif phase == "voided":
            openings = w.burned_openings(self.kept_back())
            if openings and self.chance(0.05):
                openings[0]["index"] += 1
            w.disclose(openings=openings)
        else:
            self.between_rolls()

    def end_of_a_roll(self) -> None:
        w = self.w
        kind = self.random.choice(
            ["reveal", "void", "void", "void", "close"] if self.chance(0.3) else ["reveal", "void"]
        )
        if kind == "reveal":
            if self.chance(0.95):
                w.reveal()
            else:
                w.reveal(sides=[6])
        elif kind == "void":
            author = self.random.choice([self.g.closer() if self.g.pending else "alice", "dana", self.anybody()])
            w.void(author, self.some(w.contributors()))
        else:
            w.close(openings=w.openings(self.kept_back()))

    def kept_back(self) -> list[str]:
        """Whose openings the keeper leaves out: seldom its own, without which the event does not hold."""
        return [name for name in self.some(self.w.contributors()) if name != "host" or self.chance(0.1)]

    def later(self, kind: str, who: str) -> None:
        """Something about who comes later."""
        w = self.w
        if kind == "admit":
            name = self.random.choice(list(LATE))
            role = LATE[name] if self.chance(0.9) else self.random.choice(["judge", "witness"])
            head = -self.random.choice([1, 2, len(w.lines)])
            word = {"word": w.word(name, role, self.random.choice(["hetty"] * 9 + ["alice"]), head)}
            w.admit(name, role, **(word if self.g.host and self.chance(0.6) else {}))
        elif kind == "consent":
            w.consent(self.random.choice([seq for seq, _ in self.g.admitted.values()]), who)
        elif kind == "come":
            name = self.random.choice(w.late)
            if name in self.g.joined and self.chance(0.9):
                w.commit(name)
            else:
                w.join(name)

    def between_rolls(self) -> None:
        w, who, rules = self.w, self.anybody(), self.g.rules
        about = who if self.chance(0.5) else self.anybody()
        burned: dict[str, Any] = {"burned": w.burned(who)} if who in w.chains and self.chance(0.4) else {}
        assert rules is not None
        if rules.open is not None and self.chance(0.7):
            w.write(rules.find_roll(rules.open)["player"], "resolve", {"roll": rules.open})
            return
        late = ["admit", "consent", "consent", "come", "come"] if self.g.admits else []
        others = ["commit", "away", "away", "away", "back", "leave", "ruling", "close"]
        kind = self.random.choice(["roll"] * 8 + others + late * 2)
        if kind == "roll":
            body = rules.owes[who]["body"] if who in rules.owes and self.chance(0.8) else self.random.choice(BODIES)
            make_vectors.roll(w, who, body)
        elif kind == "commit":
            body = w.commit_body(who, self.random.choice([2, 4]))
            w.write(who, "commit", body if self.chance(0.9) else {**body, "link": "11" * 32})
        elif kind == "away":
            w.away(who, about, **burned)
        elif kind == "back":
            w.back(who, self.random.choice(w.gone))
        elif kind in late:
            self.later(kind, who)
        elif kind == "leave" and self.chance(0.3):
            w.leave(who, about, **burned)
        elif kind == "ruling":
            subject = self.random.choice([one["seq"] for one in rules.owes.values()])
            w.write("dana", "ruling", {"ruling": "void", "subject": subject, "text": "Not this one."})
        elif kind == "close" and self.chance(0.2):
            w.close(**(burned if self.chance(0.1) else {}))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
def test_verifier_and_oracle_say_the_same_of_a_game(seed: int) -> None:
    log = Dealer(seed).play(25)
    report, told = verify(log)[0], reference.verify(log)
    members = list(asdict(told.findings[0])) if told.findings else []
    assert (report.verdict, report.valid_prefix) == (told.verdict, told.valid_prefix)
    assert [{name: getattr(one, name) for name in members} for one in report.findings] == [
        asdict(finding) for finding in told.findings
    ]
    assert report.trust == told.trust
    assert report.state == told.state
