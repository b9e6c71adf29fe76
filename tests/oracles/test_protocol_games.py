"""Games at random, by everybody's keys, right events and wrong ones: the verifier and the oracle say the same.

`test_properties.py` plays Magic; what matters here is who is there, and what was voided, disclosed, burned and owed.
Both name a wrong event, which is taken back, so that games go on; some end with one. In some games browsers are lost
(`Lost`), and who sits there goes on under a new key. In some tables of an event (`AtAnEvent`) organizers appoint judges
and correct keys.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

import pytest

from tests.make.parts import CHAOS, DELINA, key_of, request
from tests.oracles import reference
from tests.oracles.random_game import RandomGame
from verifier import verify

ROLES = {"host": "keeper", "alice": "player", "bob": "player", "carol": "player", "walt": "witness", "dana": "judge"}
LATE = {"wendy": "witness", "jane": "judge", "wanda": "witness", "a1ice": "witness"}
BODIES: list[dict[str, Any]] = [DELINA, CHAOS]


class Dealer(RandomGame):
    """One game. `moves` are made until a wrong one stays."""

    seats: Mapping[str, str] = MappingProxyType(ROLES)
    """who may sit there; the first two always do"""
    stays = 0.1
    """how likely a wrong event ends the game"""
    keeps = 0.0
    """how likely one that does not is kept in `wrong`"""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.wrong: list[bytes] = []
        """logs that end with a wrong event"""
        seats = [name for at, name in enumerate(self.seats) if at < 2 or self.chance(0.7)]
        self.random.shuffle(seats)
        roles = {name: self.seats[name] for name in seats}
        listed = [name for name in seats if roles[name] != "judge" and (name == "host" or self.chance(0.6))]
        terms = self.random.choice(["all", "all", "roller", listed if len(listed) > 1 else "all"])
        self.w = reference.Writer(f"game at random {seed}", roles, terms)
        opened: dict[str, Any] = {"away": "others"} if self.chance(0.6) else {}
        if self.chance(0.7):
            opened["admits"] = self.random.choice([["witness", "judge"], ["witness", "judge"], ["judge"]])
            opened |= {"host": key_of("hetty")} if self.chance(0.5) else {}
        self.w.open(**{**opened, **self.more_terms()})
        self.w.join(*[name for name in seats if name != "host" and self.chance(0.98)], recovery=self.recovering(seats))
        self.look()
        able = [name for name in seats if self.g.somewhen_contributes(name)]
        self.w.commit(*[name for name in able if self.chance(0.98)], length=self.random.choice([3, 5, 7]))
        self.look()

    def recovering(self, names: list[str]) -> list[str]:
        """Whose joins name a recovery key."""
        return []

    def more_terms(self) -> dict[str, Any]:
        return {}

    def play(self, moves: int) -> bytes:
        for _ in range(moves):
            before = copy.deepcopy(self.w.__dict__)
            try:
                self.move()
            except (KeyError, IndexError, OverflowError, ValueError):  # nobody has what the move needs
                self.w.__dict__.update(before)
            if not self.look():
                if self.chance(self.stays):
                    break
                if self.chance(self.keeps):
                    self.wrong.append(self.w.data)
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
            request(w, who, body)
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


class Lost(Dealer):
    """One game in which browsers are lost."""

    lost: Mapping[str, tuple[list[bytes], int]] = MappingProxyType({})
    """by party: the chain that went last, and how many of its links were used"""
    stays = 0.03
    keeps = 0.3

    def recovering(self, names: list[str]) -> list[str]:
        return [name for name in names if self.chance(0.6)]

    def look(self) -> bool:
        """Whether the log holds; the writer is told who has a new key, and what went with the old one."""
        w, holds = self.w, super().look()
        made_from = {reference.public_key(hand): hand for hand in self.keys_of(*self.g.keys)}
        for name in [name for name, key in self.g.keys.items() if made_from[key] != w.hand(name)]:
            if name in w.chains:
                self.lost = {**self.lost, name: (w.chains[name], w.used[name])}
            w.go_on(name, made_from[self.g.keys[name]])
        return holds

    def keys_of(self, *names: str) -> list[str]:
        """What the keys of parties can be made from."""
        return [hand for name in names for hand in (name, *(f"{name} {number}" for number in range(2, 6)))]

    def between_rolls(self) -> None:
        if self.chance(0.6):
            self.replaced()
        else:
            super().between_rolls()

    def end_of_a_roll(self) -> None:
        if self.g.pending is not None and self.chance(0.8):  # closed games lose nobody
            if self.chance(0.6):
                self.w.reveal()
            else:
                self.w.call_off(self.g.closer())
        else:
            super().end_of_a_roll()

    def replaced(self) -> None:
        """Something about a party whose browser is lost, or is said to be."""
        w, g = self.w, self.g
        asked = [one for one in g.waiting().values() if one.asks or self.chance(0.1)]
        kinds = ["replace"] * (3 if g.away - set(g.waiting()) else 1) + ["go"] * (2 if not g.away else 1)
        kinds += ["again"] * 3 if g.replacements else []
        kinds += ["consent"] * 8 if asked else []
        able = [one for one in g.waiting().values() if not one.asks or set(g.others(one.party)) <= one.consents]
        kinds += ["join"] * (8 if able else 1) if g.waiting() else []
        kind = self.random.choice(kinds)
        if kind == "go":
            about = self.random.choice([name for name in w.roles if g.roles[name] not in ("keeper", "judge")])
            judge = ["dana"] * 3 if "dana" in w.roles else []
            w.away(self.random.choice([*judge, about, self.anybody()]), about)
        elif kind == "replace":
            self.replace()
        elif kind == "consent":
            one = self.random.choice(asked if self.chance(0.95) else g.replacements)
            left = [name for name in w.roles if name not in one.consents and g.is_here(name) and name != w.keeper]
            w.consent(one.seq, self.random.choice(left) if self.chance(0.9) else self.anybody())
        elif kind == "join":
            one = self.random.choice(able if able and self.chance(0.9) else list(g.waiting().values()))
            made_from = {reference.public_key(hand): hand for hand in self.keys_of(*g.keys)}
            if self.chance(0.95):
                w.hands[one.party] = made_from[one.key]
            w.join(one.party, recovery=self.recovering([one.party]))
            w.hands[one.party] = made_from[g.keys[one.party]]
        else:
            self.again()

    def replace(self) -> None:
        w, g = self.w, self.g
        name = self.random.choice(sorted(g.away)) if g.away and self.chance(0.93) else self.anybody()
        whose = name if self.chance(0.95) else self.anybody()
        hand = self.random.choice(self.keys_of(whose)[1:] if self.chance(0.95) else self.keys_of(whose))
        by_word = self.chance(0.95 if name in g.by_another else 0.1)
        if by_word and (name not in g.recovery or self.chance(0.6)):
            w.replace(name, hand)
            return
        old = w.hand(name) if self.chance(0.95) else self.random.choice(self.keys_of(name))
        wrong: dict[str, Any] = {}
        if self.chance(0.1):
            whose_recovery = self.random.choice([*self.keys_of(name), self.anybody()])
            wrong = {"recovery": reference.recovery_key(whose_recovery).hex()}
        to = hand if self.chance(0.95) else self.random.choice(self.keys_of(name))
        succession = reference.make_succession(name, old, to, **wrong)
        if self.chance(0.1):
            succession[self.random.choice(["named", "new_sig", "sig"])] = "11" * 64
        w.replace(name, hand, succession)

    def again(self) -> None:
        """Something of who goes on, by its new key or by the one before."""
        w, g = self.w, self.g
        names = [one.party for one in g.replacements]
        name = self.random.choice([each for each in names if self.chance(0.9) or w.hand(each) != each])
        how = {"signer": self.random.choice(self.keys_of(name))} if self.chance(0.15) else {}
        kind = self.random.choice(["back"] * 3 + ["commit"] * 3 + ["leave", "roll", "away", "consent"])
        if kind == "back":
            accept = {"accept": "rolls"} if self.chance(0.5) else {}
            w.back(name if self.chance(0.9) else "dana", name, how, **accept)
        elif kind == "commit":
            body = w.commit_body(name, self.random.choice([3, 5]))
            if name in self.lost and self.chance(0.3):
                chain, used = self.lost[name]
                body["link"] = chain[used + 1].hex()
            w.write(name, "commit", body, **how)
        elif kind == "roll":
            owed = g.rules.owes.get(name) if g.rules is not None else None
            request(w, name, owed["body"] if owed else self.random.choice(BODIES))
        elif kind == "consent":
            w.consent(self.random.choice([seq for seq, _ in g.admitted.values()]), name)
        else:
            burned = {}
            if name in self.lost and self.chance(0.5):
                chain, used = self.lost[name]
                burned = {"burned": chain[used].hex()}
            elif name in w.chains and self.chance(0.3):
                burned = {"burned": w.burned(name)}
            if kind == "away":
                w.away(name, name, True, how, **burned)
            elif self.chance(0.3):
                w.leave(name, name, how, **burned)


class AtAnEvent(Lost):
    """One table of an event, whose organizers appoint judges and correct keys."""

    seats = MappingProxyType(
        {"host": "keeper", "p1": "player", "p2": "player", "p3": "player", "p4": "witness", "dana": "judge"}
    )
    event = "e1" * 32
    organizers = ("olga", "otto")
    keeps = 0.5

    def more_terms(self) -> dict[str, Any]:
        organizers = [key_of(name) for name in self.organizers]
        event = {"event": {"id": self.event, "organizers": organizers}} if self.chance(0.9) else {}
        return event | ({"admits": ["judge", "witness"]} if self.chance(0.8) else {})

    def act(self, kind: str, act: dict[str, Any]) -> dict[str, Any]:
        """An organizer's act, at times with something wrong in it."""
        by = self.random.choice(self.organizers)
        wrong = self.random.choice(["by", "signer", "event", "kind", "act", "sig", "upon"]) if self.chance(0.3) else ""
        kinds = {"appoint": "correct-key", "correct-key": "appoint"}
        made = reference.make_act(
            "e2" * 32 if wrong == "event" else self.event,
            kinds[kind] if wrong == "kind" else kind,
            self.anybody() if wrong == "by" else by,
            act,
            self.random.choice(["host", "dana", "olga"]) if wrong == "signer" else by,
        )
        if wrong == "act":
            made["act"] = {**act, **self.random.choice([{"role": "head"}, {"role": "organizer"}, {"number": 2}])}
        elif wrong in ("sig", "upon"):
            made[wrong] = "11" * (len(made[wrong]) // 2)
        return made

    def appoint(self) -> None:
        new = [name for name in ("jane", "jill", "joan", "judy", "june") if name not in self.g.roles]
        name = self.random.choice(new if new and self.chance(0.9) else list(self.w.roles))
        key = self.random.choice([name] * 9 + self.keys_of(name))
        office = self.random.choice(["judge"] * 5 + ["head"] * 3 + ["organizer"])
        act = {"key": reference.verifier_key(name, reference.public_key(key)), "role": office}
        role = "judge" if self.chance(0.9) else "witness"
        called = {"called": self.random.choice(["Jane", "olga", "p2"])} if self.chance(0.1) else {}
        self.w.admit(name, role, appointment=self.act("appoint", act), **called)

    def later(self, kind: str, who: str) -> None:
        if kind == "admit" and self.chance(0.7):
            self.appoint()
        else:
            super().later(kind, who)

    def replaced(self) -> None:
        """Or an organizer appoints a judge, or a judge comes, or signs somebody away."""
        judges = [name for name, role in self.g.roles.items() if role == "judge"]
        if self.chance(0.15):
            self.appoint()
        elif self.g.away and self.chance(0.3):
            self.correct()
        elif self.g.others_may and self.chance(0.15):
            self.call_away()
        elif judges and self.chance(0.25):
            judge = self.random.choice(judges)
            if judge in self.g.joined:
                self.w.away(judge, self.anybody())
            else:
                self.w.join(judge)
        else:
            super().replaced()

    def call_away(self) -> None:
        """All others sign a player away."""
        g = self.g
        about = self.random.choice([name for name, role in g.roles.items() if role == "player" and g.is_here(name)])
        others = [name for name in g.roles if name != about and g.somewhen_contributes(name) and g.is_here(name)]
        *first, last = [name for name in others if name not in g.consents and name not in g.calls.get(about, set())]
        for name in first:
            self.w.away(name, about, effect=False)
        self.w.away(last, about)

    def correct(self) -> None:
        w, g = self.w, self.g
        players = [name for name in sorted(g.away) if g.roles[name] == "player"]
        name = self.random.choice(players) if players and self.chance(0.9) else self.anybody()
        number = int(name[1:]) if name[1:].isdigit() and self.chance(0.8) else self.random.choice([1, 2, 3, 4])
        hand = self.random.choice(self.keys_of(name)[1:] if self.chance(0.95) else self.keys_of(name))
        key = reference.verifier_key(name, reference.public_key(hand if self.chance(0.95) else f"{name} 1"))
        correction = self.act("correct-key", {"key": key, "number": number, "reason": "The phone is lost."})
        succession = None
        if self.chance(0.25):
            succession = reference.make_succession(name, w.hand(name), hand)
        w.replace(name, hand, succession, correction=correction)


class TakenBack(Dealer):
    """One game in which rolls are taken back."""

    stays = 0.03
    keeps = 0.3

    def more_terms(self) -> dict[str, Any]:
        return {"strike": "all"} if self.chance(0.95) else {}

    def end_of_a_roll(self) -> None:
        if self.g.pending is not None and self.chance(0.85):
            self.w.reveal()
        else:
            super().end_of_a_roll()

    def between_rolls(self) -> None:
        g, latest = self.g, self.g.latest
        if latest is None or self.chance(0.25):
            if self.chance(0.05) and g.naturals:
                self.w.write(self.anybody(), "strike", {"roll": self.random.choice(list(g.naturals))})
            else:
                super().between_rolls()
            return
        missing = [name for name in g.who_agrees() if name not in g.struck_by]
        who = self.random.choice(missing) if missing and self.chance(0.9) else self.anybody()
        self.w.write(who, "strike", {"roll": latest.seq if self.chance(0.95) else latest.seq + 1})


def compare(log: bytes) -> set[str]:
    """Verifier and oracle on one log; the codes that they find."""
    report, oracle = verify(log)[0], reference.verify(log)
    members = list(asdict(oracle.findings[0])) if oracle.findings else []
    assert (report.verdict, report.valid_prefix) == (oracle.verdict, oracle.valid_prefix)
    assert [{name: getattr(one, name) for name in members} for one in report.findings] == [
        asdict(finding) for finding in oracle.findings
    ]
    assert report.trust == oracle.trust
    assert report.state == oracle.state
    return {finding.code for finding in oracle.findings}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
def test_verifier_and_oracle_say_the_same_of_a_game(seed: int) -> None:
    compare(Dealer(seed).play(25))


def lost_games(seeds: range) -> set[str]:
    """The codes of games in which browsers are lost, those of wrong events too."""
    codes: set[str] = set()
    for seed in seeds:
        game = Lost(seed)
        for log in (game.play(60), *game.wrong):
            codes |= compare(log)
    return codes


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_verifier_and_oracle_say_the_same_of_a_game_with_lost_browsers(part: int) -> None:
    codes = lost_games(range(part * 10, part * 10 + 10))
    assert codes >= {"party.replaced", "state.replace", "signature.invalid"}, codes


@pytest.mark.slow
def test_verifier_and_oracle_say_the_same_of_many_games_with_lost_browsers() -> None:
    codes = lost_games(range(1_000, 1_400))
    expected = {
        "replace.key",
        "replace.succession",
        "state.consent",
        "state.joined-twice",
        "commit.link",
        "burned.link",
    }
    assert codes >= expected, codes


def event_games(seeds: range) -> set[str]:
    """The codes of tables of an event, those of wrong events too."""
    codes: set[str] = set()
    for seed in seeds:
        game = AtAnEvent(seed)
        for log in (game.play(60), *game.wrong):
            codes |= compare(log)
    return codes


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_verifier_and_oracle_say_the_same_of_a_table_of_an_event(part: int) -> None:
    codes = event_games(range(part * 15, part * 15 + 15))
    assert codes >= {"party.admitted", "party.replaced", "admit.appointment", "replace.correction"}, codes


@pytest.mark.slow
def test_verifier_and_oracle_say_the_same_of_many_tables_of_an_event() -> None:
    codes = event_games(range(1_000, 1_100))
    assert codes >= {"admit.appointment", "replace.correction", "replace.key", "state.replace", "admit.party"}, codes


def taken_back_games(seeds: range) -> set[str]:
    """The codes of games in which rolls are taken back, those of wrong events too."""
    codes: set[str] = set()
    for seed in seeds:
        game = TakenBack(seed)
        for log in (game.play(50), *game.wrong):
            codes |= compare(log)
    return codes


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_verifier_and_oracle_say_the_same_of_a_game_with_rolls_that_are_taken_back(part: int) -> None:
    codes = taken_back_games(range(part * 10, part * 10 + 10))
    assert codes >= {"roll.taken-back", "state.strike"}, codes


@pytest.mark.slow
def test_verifier_and_oracle_say_the_same_of_many_games_with_rolls_that_are_taken_back() -> None:
    codes = taken_back_games(range(1_000, 1_300))
    assert codes >= {"roll.taken-back", "state.strike", "author.role", "state.newcomer"}, codes
