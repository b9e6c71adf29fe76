"""Dice for any game by the code and by tests/oracles/reference_dice.py: random games, and every clause is broken."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from rules import SYSTEMS, Role, Session
from rules.systems.anydice.bodies import Options
from tests.oracles.reference_dice import Dice
from tests.oracles.reference_rules import Violation, run_event
from tests.oracles.test_properties import Dealer, code_step, randoms
from tests.support.bundles import bundled
from tests.support.differential import Outcomes, broken, compare, played_until

ROLES: tuple[tuple[str, Role], ...] = (
    *(("host", "keeper"), ("gil", "gm"), ("alice", "player"), ("bob", "player"), ("cora", "player")),
    *(("gwen", "gm"), ("dana", "judge"), ("walt", "witness")),
)
PARTIES: dict[str, Role] = dict(ROLES)
ROLLERS = ("gil", "alice", "bob", "cora", "gwen")
DECKS = ("initiative", "bag", "x.1")
ITEMS = ("Joker", "King of Spades", "é – “x”", "red", "blue")
SIGNS = ("<", "<=", "=", ">=", ">")
SAFE = 2**53 - 1

# What the grammar or the bounds refuse, or only just allow: the clause is for the two implementations to find.
EDGES = (
    *("", " d6", "d6 ", "3", "2 + 3", "D6", "d0", "0d6", "06", "d06", "d", "d %", "2 d6", "d6 kh", "d6r1", "d6kh0"),
    *("--d6", "1--d6", "1 - - d6", "+ d6", "- (d6)", "2*-d6", "d6/0", "d6/d6", "d6/-2", "d6 /^ 2", "d6/ ^2", "d6/~3"),
    *("6x4d6", "6x  4d6", "6 x4d6", "0x4d6", "6X4d6", "100xd6", "101xd6", "101x10d6", "6xx d6", "2x2xd6", "06xd6"),
    *("d%%", "2d%%", "d%%%", "d%", "dF", "4dF", "df", "d%%!", "d%%!o", "d%%ro", "3d%%rr>50", "d%%rr<=100", "d%%adv"),
    *("d{}", "d{ }", "d{1,}", "d{a}", "d{a,a}", "d{ a , b }", "d{a=1}", "d{a =1}", "d{a= 1}", "d{a=1=2}", "d{=1}"),
    *("d{1}", "d{+1,-1}", "d{1=2}", "d{-0}", "d{01}", "d{+}", "d{- 1}", "d{1 a}", "d{1st,2nd}", "d{a b}", "d{a=x}"),
    *("d{a[b]}", "d{(x)}", "d{a" + "b" * 39 + "}", "d{a" + "b" * 40 + "}", "d{\u3000}", "d{\u00a0a}", "d{1\u3000}"),
    *("d{a{b}", "d{a,b}rr", "d{a,b}!", "d{2,a}ro", "2d{-2,a}!", "d{3,3}rr3", "d{0,5}rr", "d{a=5,b}!>=1", "d{\u0663}"),
    *("d{" + ",".join(["x"] * 100) + "}", "d{" + ",".join(["x"] * 101) + "}", "d{9007199254740992}"),
    *("d6[", "d6[]", "d6[ ]", "d6 [a]", "d6  [a]", "d6[a][b]", "d6[a[b]]", "d6[a]kh1", "[a]d6", "d6[" + "a" * 40 + "]"),
    *("d6[" + "a" * 41 + "]", "d6[ " + "a" * 39 + "]", "-d6[a]", "-3[a] + d6", "(d6[in] + 1)[out]", "{d6[a],2[b]}[c]"),
    *("d6ro", "d6roro", "d6rorr", "d6!ro1", "d6ro1ro2", "d6ro-1", "d6ro=-1", "d6ro>=", "d6ro1>=3", "d1ro", "d1rr"),
    *("d6rr<7", "d6rr<=6", "d6rr>0", "d6rr>1", "d1rr2", "d6!>0", "d6!o>0", "d1!", "d1!o", "d1!!", "d1!p", "d2!2"),
    *("d6!!!", "d6!po", "d6!!o", "6d6!6>=5", "6d6!>=5", "d6!=6=5", "d6!p6", "d6!!p>4", "d6! 6", "d6!min2", "d6min2!"),
    *("d6min", "d6min2max4", "d6max4min5", "d6min2min3", "d6min1min2min3", "d6min-2", "d6min+2", "d6min02"),
    *(
        "4d6k",
        "4d6k3",
        "4d6kh9",
        "4d6d",
        "4d6d3",
        "4d6d6d6",
        "4d6dl1dh1",
        "4d6khkhkhkh",
        "4d6dl1dh1kh1kh",
        "4d6dl1dh1k1kl1d1",
    ),
    *("4d6kk", "4d6kd", "4d6dd", "4d6dlkh1", "4d6kh1k", "4d6kh1k2k", "{d6,d6}kk", "{d6,d6}dl1k", "d20advkk", "4d6kds6"),
    *("4d6ds6", "4d6dds6", "4d6d1ds6", "4d6>3ds6", "4d6>3ds", "4d6f1", "4d6>3f1", "4d6>3f1ds6", "4d6ds6f1", "4d6cs"),
    *("4d6cs3", "4d6cs=3", "4d6cs>=3", "4d6cs>=3f<2", "4d6>3>3", "4d6>3f", "4d6>-3", "4d6=>3", "4d6csf1", "4d6csds6"),
    *("{d6}", "{d6,d6}", "{}", "{d6,}", "{ d6 , 2 }", "{d6,d6}kh", "{d6,d6}kh2kl1>3", "{d6,d6}f1", "{d6,d6}ds6"),
    *("{d6,d6}!", "{d6,d6}min2", "{{d6,2}kh,{d6,3}kl}dl1", "{d6,1}cs>=1f=1ds1", "{1,2}", "{(d6),2 [x]}[y]", "(d6,2)"),
    *("d20adv", "1d20adv", "2d20adv", "d20dis", "d20dis1", "3d20dis", "d20advdis", "d20advkh1", "d20advro1", "4d6dis"),
    *("d20advdl2", "{2d6adv,3}", "500d6adv", "(" * 20 + "d6" + ")" * 20, "(" * 21 + "d6" + ")" * 21, "(d6", "d6)"),
    *(
        "(" * 20 + "{d6,1}" + ")" * 19,
        "({d6,1}",
        "({d6,1})",
        "{(d6,1}",
        "(" * 19 + "{d6,1}" + ")" * 19,
        "(" * 20 + "{d6,1}" + ")" * 20,
        "{" * 20 + "d6" + ",1}" * 20,
        "{" * 21 + "d6",
    ),
    *(
        "d6(",
        "(d6,1}",
        "{d6,1)",
        "()d6",
        "( d6 )",
        "(2)d6",
        "2(d6)",
        "d6 d6",
        "d6+",
        "*d6",
        "d6**2",
        "d6+*2",
        "d6 2",
        "d6\u00a0+1",
        "\u0662d6",
    ),
    *("1000d6", "1001d6", "999d6adv", "1000d6adv", "500d%%", "501d%%", "10x100d6", "10x101d6", "600d6+401d6"),
    *(
        f"d{SAFE}",
        f"d{SAFE + 1}",
        f"2d{SAFE}",
        f"d{SAFE}+1",
        f"d{SAFE} - 1",
        f"d{SAFE}!",
        f"d{SAFE}!>=5f1",
        f"{SAFE}d1",
    ),
    *(f"{SAFE}*d1", f"{SAFE}*d2", f"{SAFE}*d2/2", f"{SAFE}*d2*0", f"0*{SAFE}*d2", f"d6*0+{SAFE}", f"d6ro{SAFE + 1}"),
    *(f"d6min{SAFE}", f"2d6min{SAFE}", f"d6max-{SAFE}", f"2d6max-{SAFE}", f"d6max-{SAFE + 1}", f"2d6min{SAFE}>=5"),
    *(f"d{SAFE}>=5", f"2d{SAFE}cs>=5", f"d{SAFE // 1000}!!cs>=5", f"d{SAFE // 1000 + 1}!!cs>=5", f"d6!min{SAFE}cs>=5"),
    *(f"{{d6,{SAFE}}}", f"{{d6,{SAFE}}}>=5", f"d6/{SAFE}", f"d6/{SAFE + 1}", f"d6kh{SAFE + 1}", f"d6[{SAFE + 1}]"),
    *(
        f"2d{{-{SAFE},1}}",
        f"d{{-{SAFE},1}}",
        f"d{{a={SAFE + 1}}}",
        f"d{{{SAFE + 1} a}}",
        f"d6+{SAFE - 6}",
        f"d6!*{SAFE}",
    ),
    *("9" * 400 + "d6", "d6 + " + "9" * 400, f"(d6+{SAFE})-1", f"-(d{SAFE})", f"-{SAFE}-d6", f"d6>3*{SAFE}"),
    # What is computed, remainders, powers and functions.
    *("(1)d6", "(0)d6", "0d6+d6", "00d6", "(1-2)d6", "( 2 )d6", "(2) d6", "(2)d 6", "(2)d(6)", "2d( 6 )", "2d (6)"),
    *("(2)dl1", "(2)d", "(d6)d6", "(2[x])d6", "({1,2})d6", "((2)d6)d6", "((2))d6", "(2)(3)d6", "2(3)d6", "(2)x d6"),
    *("(1+1)x4d6", "d(0)", "d(d6)", "d(6", "d()", "()d6", "(2)d%", "(2)d%%", "(2)dF", "(2)d{a,b}", "(2)d(3)(4)"),
    *("d6%2", "d6 % 2", "d6%0", "d6%(0)", "d6%d6", "d6%-2", "d%%2", "d%%%2", "d%%%%2", "d% %2", "d%%(2)", "d6%2%3"),
    *(
        "d6^2",
        "d6 ^2",
        "d6^ 2",
        "d6**2",
        "d6* *2",
        "d6^^2",
        "d6^2^2",
        "(d6^2)^2",
        "d6^-2",
        "d6^(2)",
        "d6^(0-1)",
        "d6/^2",
    ),
    *("d6/2^2", "d6/(2^2)", "d6^2[x]", "d6[x]^2", "-d6^2", "2^d6", "(2)^2+d6", "(2)^(2)d6", "d6^0", "0^0*d6", "d6^00"),
    *(
        "floor(d6)",
        "floor (d6)",
        "floor( d6 )",
        "floor(d6",
        "floor()",
        "floor(d6,2)",
        "max(d6)",
        "max(d6,)",
        "max(d6,2)",
    ),
    *(
        "min(d6 , 2)",
        "abs(-d6)",
        "Floor(d6)",
        "floor(2)d6",
        "(floor(2))d6",
        "(round(5/2))d6",
        "(max(1,2))d6",
        "3max(d6,2)",
    ),
    *(
        "floor(d6/2[x])",
        "floor((d6/2)[x])",
        "floor((d6/^2)[x])",
        "floor(ceil(d6/2)[x])",
        "floor({d6/2,1})",
        "ceil((d6/2)^2)",
    ),
    *(
        "floor((d6/2/^2)[x])",
        "floor(ceil(d6/2)^2)",
        "floor({ceil(d6/2),1})",
        "floor((5/2)d6)",
        "floor((floor(5/2))d6)",
        "floor(d6/(3/2))",
    ),
    *(
        "d6/(3/2)",
        "floor(d6^(4/2))",
        "floor((d6/2%2)[x])",
        "floor((d6%2)[x])",
        "floor(max(d6/2,1)[x])",
        "max(d6/2,1)[x]",
    ),
    *(
        "round(d6/2)",
        "round(-d6/2)",
        "ceil(d6/3*3)",
        "floor(d6/3*3)",
        "d6/3*3",
        "floor(d6/3 % 2 * 3)",
        "floor(d6 /^ 2 / 2)",
    ),
    *(
        "max(d6,floor(d6/2),-3)kh1",
        "{max(d6,d6),d6}kh1",
        "max({d6,2}kh1,3)",
        "abs(" * 20 + "d6" + ")" * 20,
        "abs(" * 21 + "d6",
    ),
    *(
        "(" * 19 + "1" + ")" * 19 + "d6",
        "(" * 20 + "1" + ")" * 20 + "d6",
        "(" * 21 + "1" + ")" * 21 + "d6",
        "d" + "(" * 20 + "6" + ")" * 20,
    ),
    *(
        f"({SAFE})d6",
        f"d({SAFE})",
        f"d({SAFE}+1)",
        f"d({SAFE + 1})",
        "(10^3)d6",
        "(10^3+1)d6",
        "d6^53",
        "d2^52",
        "d2^53",
        "d1^99",
    ),
    *(
        "d6+9^(9^(9^9))",
        "(9^(9^(9^9)))d6",
        f"d1^{SAFE}",
        f"d1^{SAFE + 1}",
        f"(d6-d6)^0*{SAFE}",
        f"max(d6,{SAFE})",
        f"max(d6,{SAFE})+1",
    ),
    *(
        f"d6%{SAFE}",
        f"d6%{SAFE}*2",
        f"d6/{SAFE}*2",
        f"floor(d6/{SAFE}/{SAFE})",
        "0d6adv",
        "0d6",
        "0d6+0d8",
        "0d6!+d4",
        "0d6rr1+d4",
    ),
    # Where the dice run out.
    *("999d2!", "998d2ro", "997d2rr+2d4!", "499d%%rr>50", "996d2ro!+d2!!", "2x499d2!p", "400d2!>=1!o", "300d3!o>0"),
    *("990d2!!+5d2!", "495d%%ro>0", "499d%%ro>1+d6", "2x300d2ro!o"),
)


class Host(Dealer):
    """Makes up the next event of a game with dice: mostly something sensible, sometimes anything at all."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.latest: dict[str, Any] = {}

    def event(self, state: dict[str, Any]) -> dict[str, Any]:
        if state["phase"] == "pending":
            self.asked[state["rolls"][-1]["roll"]] = self.latest
        event = super().event(state)
        if event["type"] == "roll":
            self.latest = event
        return event

    def sensible(self, state: dict[str, Any]) -> dict[str, Any]:
        missing = [name for name in PARTIES if name not in state["joined"] and name not in state["left"]]
        if missing and self.chance(70):
            return {"author": missing[0], "type": "join", "body": {}}
        if state["phase"] == "pending":
            return self.end(state)
        if state["away"] and self.chance(25):
            party = self.some(*state["away"])
            return {"author": self.some(party, "dana"), "type": "back", "body": {"party": party}}
        if state["owes"] and self.chance(40):
            owed = self.asked[state["owes"][self.some(*state["owes"])]]
            return {name: owed[name] for name in ("author", "type", "body")}
        if self.chance(9):
            return self.ruling(state)
        return self.begin(state)

    def wild(self, state: dict[str, Any]) -> dict[str, Any]:
        if self.chance(25):
            party = self.some(*PARTIES, "nobody", *ROLLERS)
            author = party if party in PARTIES and self.chance(60) else self.some("dana", "dana", *PARTIES)
            return {"author": author, "type": self.some("leave", "away", "away", "back"), "body": {"party": party}}
        if self.chance(2):
            return {"author": "host", "type": "close", "body": {}}
        if self.chance(3):
            return {"author": "alice", "type": self.some("reroll", "ignore", "store", "modify"), "body": {"roll": 1}}
        return self.begin(state)

    def begin(self, state: dict[str, Any]) -> dict[str, Any]:
        here = [name for name in ROLLERS if name not in state["left"] or self.chance(4)] or ["alice"]
        author = self.some(*here)
        match self.number(0, 9):
            case 0 | 1 | 2 | 3:
                return {"author": author, "type": "roll", "body": self.roll(state)}
            case 4:
                return self.answer_call(state, author)
            case 5:
                return {"author": author, "type": "roll", "body": self.draw(state)}
            case 6:
                return self.call(state, author)
            case 7:
                return {"author": author, "type": "declare", "body": self.deck(state, author)}
            case 8:
                return {"author": author, "type": "declare", "body": self.handle(state, author)}
            case _:
                return self.claim(state, author)

    # Notation.

    def notation(self) -> str:
        if self.chance(6):
            return str(self.some(*EDGES))
        times = self.some("2x", "3x ") if self.chance(15) else ""
        written = self.sum(2)
        written = times + (written if "d" in written else f"{written}+{self.dice()}")
        return self.bent(written) if self.chance(8) else written

    def bent(self, written: str) -> str:
        """Almost what was written."""
        at = self.number(0, max(len(written) - 1, 0))
        mark = self.some(*" 0123456789dDFxrokhl!<>=+-*/()[]{},%pcsfmin~^２×", "floor(", "max(", "(2)", "**")
        before, behind = written[:at], written[at + 1 :]
        return str(self.some(before + mark + written[at:], before + behind, before + mark + behind))

    def sum(self, depth: int) -> str:
        parts = [self.product(depth)]
        for _ in range(self.some(0, 0, 0, 1, 2)):
            parts += [self.some(" + ", " - ", "+", "-"), self.product(depth)]
        return "".join(parts)

    def product(self, depth: int) -> str:
        written = self.factor(depth)
        while self.chance(12):
            if self.chance(40):
                written += self.some(" * ", "*") + self.factor(depth)
            else:
                written += f" {self.some('/', '/', '/^', '/~', '%')} {self.fixed(1, 5)}"
        return written

    def factor(self, depth: int) -> str:
        sign = self.some("", "", "", "", "", "-", "- ", "+")
        label = self.some("", "", "", "", "", "[fire]", " [ the 2nd, +1 ]")
        power = self.some("^", " ** ") + self.fixed(0, 3) if self.chance(6) else ""
        return f"{sign}{self.primary(depth)}{label}{power}"

    def fixed(self, least: int, most: int) -> str:
        """A number, or arithmetic in parentheses, now and then with what is no part of it or beyond its bounds."""
        number = self.number(least, most)
        if self.chance(70):
            return str(number)
        inside = self.some(f"{number}", f" {number} + 3 - 3 ", f"9 - {9 - number}", f"floor({number}/1)", f"2*{number}")
        if self.chance(6):
            inside = self.some("0", "1-2", "d4", "2[x]", "{1,2}", "7/2", "2^60", "9^(9^9)", f"{SAFE}+1", f"{SAFE + 1}")
        return f"({inside})"

    def primary(self, depth: int) -> str:
        if depth and self.chance(12):
            return f"({self.sum(depth - 1)})"
        if depth and self.chance(14):
            parts = self.some(", ", ",").join(self.sum(depth - 1) for _ in range(self.number(2, 3)))
            return f"{{{parts}}}{self.keeps()}{self.count()}"
        if depth and self.chance(12):
            named = self.some("floor", "ceil", "round", "abs", "max", "min")
            count = self.number(2, 3) if named in ("max", "min") else 1
            return f"{named}({', '.join(self.sum(depth - 1) for _ in range(count))})"
        return str(self.number(0, 12)) if self.chance(15) else self.dice()

    def dice(self) -> str:
        """One term."""
        number = self.some("", "1", "2", "3", "4", "6", self.fixed(0, 4))
        die = self.some(
            *("d4", "d6", "d6", "d8", "d20", "d2", "d1", "d%", "d%%", "d%%", "dF", "d{miss,hit=1, crit=2}", "d{a,b}"),
            *("d{1,1,2,+3,-4}", "d{0, a=-1}", f"d{self.fixed(1, 8)}"),
        )
        written = f"{number}{die}"
        if self.chance(25 if number in ("", "1") else 2):
            written += self.some("adv", "dis")
        written += self.some("ro", "ro", "rr") + self.match() if self.chance(22) else ""
        if self.chance(25 if die != "d%%" else 2):
            written += self.some("!", "!!", "!p", "!!p", "!o") + self.match()
        for _ in range(self.some(0, 0, 0, 0, 1, 2)):
            written += self.some("min2", "max5", "min-1", "max0", "min3")
        return written + self.keeps() + self.count()

    def match(self) -> str:
        low = f"{self.some(*SIGNS)}{self.number(-1, 6)}"
        return str(self.some("", "", str(self.number(0, 6)), low, f">={self.number(3, 60)}"))

    def keeps(self) -> str:
        number = self.some(0, 0, 0, 1, 1, 2)
        words = [self.some("kh", "k", "kl", "dh", "dl", "d") + self.some("1", "2", "3") for _ in range(number)]
        bare = 0 if self.chance(3) else number - 1
        return "".join(word.rstrip("123") if at == bare and self.chance(40) else word for at, word in enumerate(words))

    def count(self) -> str:
        if self.chance(78):
            return ""
        written = f"{self.some('', 'cs')}{self.some(*SIGNS)}{self.number(-1, 6)}" if not self.chance(4) else ""
        written += self.some("f1", "f<=2", "f0") if self.chance(40) else ""
        return written + (self.some("ds6", "ds>4") if self.chance(30) else "")

    # Rolls.

    def roll(self, state: dict[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = {"dice": self.notation()}
        body |= self.maybe(30, source=lambda: self.some("Stealth", "", "é – “x”"))
        body |= self.maybe(25, least=self.target, most=self.target) | self.maybe(25, table=self.table)
        return body | self.maybe(1, call=lambda: 1, deck=lambda: "bag")

    def target(self) -> int:
        return int(self.some(0, 1, 3, 7, 10, 15, -3, -(10**9), 10**9)) if not self.chance(1) else 10**9 + 1

    def table(self) -> list[dict[str, Any]]:
        rows, low = [], self.number(-5, 3)
        for _ in range(self.number(1, 4)):
            high = low + self.some(0, 0, 1, 3)
            written = str(low) if low == high else f"{low}{self.some('-', '–', '—')}{high}"
            rows.append({"range": written, "effect": "so"})
            low = high + self.some(1, 1, 1, 2)
        if self.chance(40):
            rows[0]["range"] = f"{self.number(-6, -5)}-"
        if self.chance(40):
            rows[-1]["range"] = f"{low}+"
        if self.chance(12):
            rows[self.number(0, len(rows) - 1)]["range"] = self.range()
        return rows if self.chance(60) else rows[::-1]

    def range(self) -> str:
        odd = ("", "x", "+", "-", "5–", "5—", "01", "+1", "1-02", "9-2", "-2--5", "1 - 3", "1--4", "٣", "3 +")
        sides = (str(SAFE), f"{SAFE}+", f"-{SAFE}-", f"{SAFE + 1}", f"-{SAFE + 1}-", f"1-{SAFE + 1}", f"{SAFE + 1}+")
        return str(self.some(*odd, *sides, "0-99", "-0", "-4--4", "-9-", "5+"))

    def answer_call(self, state: dict[str, Any], author: str) -> dict[str, Any]:
        calls = state["calls"]
        if not calls:
            body: dict[str, Any] = {"call": 1} if self.chance(20) else self.roll(state)
            return {"author": author, "type": "roll", "body": body}
        call = self.some(*calls)
        if call["waiting"] and self.chance(85):
            author = self.some(*call["waiting"])
        body = {"call": call["call"] if not self.chance(4) else self.number(1, 20)}
        body |= self.maybe(85 if call["dice"] is None else 30, dice=self.notation)
        return {"author": author, "type": "roll", "body": body | self.maybe(1, source=lambda: "x")}

    def deck_of(self, state: dict[str, Any]) -> str:
        return str(self.some(*state["decks"])) if state["decks"] and self.chance(90) else str(self.some(*DECKS))

    def draw(self, state: dict[str, Any]) -> dict[str, Any]:
        named = self.deck_of(state)
        left = state["decks"].get(named, {"left": 3})["left"]
        few = self.number(1, max(1, min(left, 4)))
        body: dict[str, Any] = {"deck": named}
        body |= self.maybe(60, draw=lambda: self.some(few, few, few, few, max(left, 1), left + 1))
        body |= self.maybe(45, hand=lambda: True)
        return body | self.maybe(25, source=lambda: "Loot")

    # Declarations.

    def call(self, state: dict[str, Any], author: str) -> dict[str, Any]:
        author = self.some("gil", "gwen", "gil", author)
        if state["calls"] and self.chance(15):
            number = self.some(*state["calls"])["call"] if self.chance(90) else self.number(1, 9)
            return {"author": author, "type": "declare", "body": {"what": "withdraw", "call": number}}
        body: dict[str, Any] = {"what": "call", "source": "Save"}
        body |= self.maybe(60, dice=self.notation) | self.maybe(40, least=self.target, most=self.target)
        return {"author": author, "type": "declare", "body": body | self.maybe(60, parties=lambda: self.called(state))}

    def called(self, state: dict[str, Any]) -> list[str]:
        names = [name for name in ROLLERS if name not in state["left"] or self.chance(10)] or ["alice"]
        self.random.shuffle(names)
        names = names[: self.number(1, 3)]
        if self.chance(8):
            names.append(self.some(*names, "dana", "host", "nobody", "walt"))
        return names

    def deck(self, state: dict[str, Any], author: str) -> dict[str, Any]:
        items = list(ITEMS)
        self.random.shuffle(items)
        entries: list[dict[str, Any]] = [
            {"item": item} | self.maybe(50, count=lambda: self.number(1, 3)) for item in items[: self.number(1, 4)]
        ]
        if self.chance(8):
            entries.append(
                self.some({"item": entries[0]["item"]}, {"item": "many", "count": self.some(999, 1000, 990)})
            )
        new = [named for named in DECKS if named not in state["decks"]]
        named = self.some(*new) if new and self.chance(60) else self.deck_of(state)
        return {"what": "deck", "deck": named, "items": entries}

    def handle(self, state: dict[str, Any], author: str) -> dict[str, Any]:
        own = [named for named, deck in state["decks"].items() if deck["owner"] == author or author in ("gil", "gwen")]
        named = self.some(*own) if own and self.chance(85) else self.deck_of(state)
        if self.chance(35):
            return self.play(state, author)
        if self.chance(8):
            return {"what": "cards", "deck": named, "cards": self.some("52", "54", "tarot")}
        what = self.some("return", "return", "return", "shuffle", "shuffle", "remove")
        if what != "return":
            return {"what": what, "deck": named}
        items = state["decks"].get(named, {"items": []})["items"]
        out = [one["item"] for one in items if one["left"] < one["count"]]
        item = self.some(*out) if out and self.chance(90) else self.some(*ITEMS)
        return {"what": "return", "deck": named, "item": item}

    def play(self, state: dict[str, Any], author: str) -> dict[str, Any]:
        held = [named for named, deck in state["decks"].items() if author in deck["hands"]]
        named = self.some(*held) if held and self.chance(92) else self.deck_of(state)
        hand = state["decks"].get(named, {"hands": {}})["hands"].get(author, [])
        items = [one["item"] for one in hand] or [self.some(*ITEMS)]
        self.random.shuffle(items)
        items = items[: self.number(1, 3)]
        if self.chance(8):
            items.append(self.some(items[0], *ITEMS))
        return {"what": "play", "deck": named, "items": items}

    def claim(self, state: dict[str, Any], author: str) -> dict[str, Any]:
        rolls = [roll for roll in state["rolls"] if roll["results"]]
        if not rolls:
            return {"author": author, "type": "resolve", "body": {"roll": self.number(1, 5)}}
        latest = {roll["player"]: roll for roll in rolls}
        roll = self.some(*latest.values()) if self.chance(88) else self.some(*state["rolls"])
        body: dict[str, Any] = {"roll": roll["roll"]}
        totals = [result["total"] for result in roll["results"]]
        passed = [result["passed"] is True for result in roll["results"]]
        body |= self.maybe(60, totals=lambda: totals if self.chance(75) else self.wrong(totals, [0, 1, -5]))
        targeted = roll["least"] is not None or roll["most"] is not None
        if self.chance(70 if targeted else 6):
            body["passed"] = passed if self.chance(75) else self.wrong(passed, [True, False])
        who = roll["player"] if self.chance(95) else author
        return {"author": who, "type": "resolve", "body": body}

    def wrong(self, values: list[Any], others: list[Any]) -> list[Any]:
        """Other values than these, most of the time."""
        other = [*values]
        if other:
            other[self.number(0, len(other) - 1)] = self.some(*others)
        return list(self.some(values[1:], [*values, others[0]], other, other, []))

    def ruling(self, state: dict[str, Any]) -> dict[str, Any]:
        event = super().ruling(state)
        body = event["body"]
        found = [roll for roll in state["rolls"] if roll["roll"] == body["subject"] and roll["dice"]]
        if "results" in body and found:
            dice = found[0]["dice"]
            numbered = [die["die"] for die in dice if die["result"] is not None]
            for entry in body["results"]:
                if not self.chance(6):
                    entry["die"] = self.some(*numbered) if numbered and self.chance(90) else self.some(*dice)["die"]
                entry["result"] = self.some(1, 2, 3, 6, 9, -3, 0, 0, 10, 10**6, self.some(SAFE, SAFE - 3, -SAFE))
        return event


def games(random: Random, count: int, length: int) -> Outcomes:
    outcomes: Outcomes = Counter()
    for _ in range(count):
        outcomes += compare(Host(random), Dice, Options(), PARTIES, length)
    return outcomes


def both(events: list[dict[str, Any]]) -> tuple[dict[str, Any], tuple[str, str | None] | None]:
    """The state by the code and by the oracle after these events, the last of which alone may be refused."""
    session = Session.start(SYSTEMS[Dice.SYSTEM], Options(), PARTIES)
    session = session.with_joined(PARTIES)
    game = Dice({}, dict(PARTIES), list(PARTIES))
    violation: tuple[str, str | None] | None = None
    for seq, event in enumerate(events, 1):
        assert violation is None
        session, violation = code_step(session, seq, event)
        other = None
        try:
            run_event(game, seq, event)
        except Violation as refused:
            other = (refused.code, refused.clause)
        assert violation == other, f"code {violation}, oracle {other}: {json.dumps(events[:seq], ensure_ascii=False)}"
    state = session.view()
    assert state == game.state(), json.dumps(events, ensure_ascii=False)
    return state, violation


def declared(author: str, what: str, **members: Any) -> dict[str, Any]:
    return {"author": author, "type": "declare", "body": {"what": what, **members}}


def rolled(author: str, *naturals: int, **members: Any) -> dict[str, Any]:
    return {"author": author, "type": "roll", "body": members, "naturals": list(naturals)}


def struck(roll: int) -> dict[str, Any]:
    return {"author": "dana", "type": "ruling", "body": {"ruling": "void", "subject": roll, "text": "So."}}


@settings(max_examples=settings().max_examples // 2, deadline=None)
@given(randoms)
def test_code_and_oracle_agree(random: Random) -> None:
    games(random, 1, 20)


@pytest.mark.long
def test_code_and_oracle_agree_on_longer_games_in_which_every_clause_is_broken() -> None:
    # D14, secret rolls, is held by logs: its secrets are in no script (tests/protocol/test_secret_rolls.py).
    clauses = {clause.number for clause in SYSTEMS[Dice.SYSTEM].clauses} - {"D14"}
    outcomes = played_until(clauses.issubset, lambda seed: games(Random(f"dice {seed}"), 2, 60), least=4, most=16)
    assert outcomes[None] > 0.6 * outcomes.total(), "the games were no games"
    assert clauses <= broken(outcomes)


@bundled("notation", EDGES)
def test_code_and_oracle_agree_at_the_edges_of_the_notation(notation: str) -> None:
    random = Random(notation)
    for _ in range(2):
        deal = Host(random)
        deal.event = lambda state: {"author": "alice", "type": "roll", "body": {"dice": notation}}  # type: ignore[method-assign]
        compare(deal, Dice, Options(), PARTIES, 1)


CALL = declared("gil", "call", source="Save", dice="d20", parties=["alice"])


def test_a_hundred_calls_wait_and_no_more() -> None:
    full = [CALL] * 100
    assert len(both(full)[0]["calls"]) == 100
    assert both([*full, CALL])[1] == ("rules.violation", "D10")
    answered = rolled("alice", 7, call=50)
    assert both([*full, answered, CALL])[0]["calls"][49]["call"] == 51


def test_a_hundred_decks_are_there_and_no_more() -> None:
    full = [declared("bob", "deck", deck=f"deck-{number}", items=[{"item": "a"}]) for number in range(100)]
    more = declared("bob", "deck", deck="more", items=[{"item": "a"}])
    assert both([*full, more])[1] == ("rules.violation", "D11")
    assert both([*full, full[0] | {"author": "alice"}])[1] == ("rules.violation", "D11")
    assert len(both([*full, full[0], declared("gil", "remove", deck="deck-3"), more])[0]["decks"]) == 100


def test_what_a_struck_draw_took_goes_back_once_and_only_into_the_same_deck() -> None:
    deck = declared("bob", "deck", deck="bag", items=[{"item": "a", "count": 2}, {"item": "b"}])
    drawn = rolled("alice", 1, 1, deck="bag", draw=2)
    back = declared("bob", "return", deck="bag", item="a")
    last = rolled("cora", 1, deck="bag")
    for between, left in (
        ([], 3),
        ([back], 3),
        ([struck(2)], 3),
        ([struck(2), last, struck(2)], 2),
        ([last], 2),
        ([declared("bob", "shuffle", deck="bag"), last], 2),
        ([deck, last], 2),
        ([declared("gil", "remove", deck="bag"), deck, last], 2),
    ):
        state, violation = both([deck, drawn, *between, struck(2)])
        assert (violation, state["decks"]["bag"]["left"]) == (None, left)


@pytest.mark.long
def test_nothing_is_undone_or_announced_of_a_roll_that_is_no_longer_kept() -> None:
    deck = declared("bob", "deck", deck="bag", items=[{"item": "a", "count": 2}])
    before = [CALL, deck, rolled("alice", 7, call=1), rolled("cora", 1, deck="bag"), rolled("bob", 1, dice="d1")]
    announced = {"author": "alice", "type": "resolve", "body": {"roll": 3}}
    # Ten rolls of a thousand dice leave room for no other.
    many = [rolled("gil", *[1] * 1000, dice="1000d1")] * 10
    assert both([*before, announced])[1] is None
    state, violation = both([*before, *many, struck(3), struck(4), announced])
    assert violation == ("rules.violation", "D7")
    assert [roll["roll"] for roll in state["rolls"]] == list(range(6, 16))
    assert (state["calls"][0]["answers"], state["decks"]["bag"]["left"]) == ({"alice": 3}, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100))
def test_code_and_oracle_agree_on_many_games(seed: int) -> None:
    games(Random(f"dice slow {seed}"), 50, 60)
