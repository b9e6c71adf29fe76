"""Translation of other programs' dice notations into this one (specs/dice-1.md, "On one line").

No rewrite changes the number or kinds of dice. A rewritten line is offered only if it can be parsed.
"""

import re
from collections.abc import Callable, Iterator

from rules.common.free_text import is_doubtful, narrow
from rules.data.language import N_, Message
from rules.data.letters import LETTER, WORD
from rules.systems.anydice.grammar import parse
from rules.systems.anydice.problems import DiceError
from rules.systems.anydice.terms import DiceTerm, Keep, Match

__all__ = ["match_words", "pointless", "remarks", "rewritten"]

_DICE = r"[0-9]*d(?:[0-9]+|%|F)"
_END = r"(?= |$)"

MAX_REWRITTEN = 120
"""characters of a line for which rewrites are tried; every blank in it is tried as a place to split"""

_SPELLINGS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"^(?:[/!.,+](?:gmroll|roll|ROLL|rgr|r)|roll)(?: +a)? +(.*)$", r"\1"),
    (r"^\[ *roll +([^\[\]]*)\]$", r"\1"),
    (r"^#(?=[0-9]*[dD][0-9])", ""),
    (r"^call +([0-9]+) +(?=[^: ])", r"call \1: "),
    (r"^\[\[ *(.*?) *\]\](.*)$", r"\1\2"),
    (r"(?<![a-zA-Z])([0-9]*)[DWT](?=[0-9%])", r"\1d"),
    (r"(?<=[0-9%F]) +plus +(?=[0-9])", " + "),
    (r"(?<=[0-9%F]) +minus +(?=[0-9])", " - "),
    (rf" +(?:vs\.|versus|against) +(?=(?:(?:AC|DC|ac|dc) *)?[0-9]+{_END})", " vs "),
    (r"(?<=[0-9%])(KH|KL|DH|DL|K(?=[0-9]))(?=[0-9 +\-*/]|$)", lambda found: found[0].lower()),
    (r"(?<=[0-9])MAX(?=[ +\-*/]|$)", "kh1"),
    (r"(?<=[0-9])MIN(?=[ +\-*/]|$)", "kl1"),
    (r"(?<![0-9(a-z])([0-9]*)d66N?(?![0-9a-zA-Z])", r"\1d6 * 10 + \1d6"),
    (r"(?<![a-z])([0-9]*d)[fF](?:\.2)?(?![0-9a-z.])", r"\1F"),
    (r"^([0-9]+) +(d[0-9])", r"\1\2"),
    (r"^([0-9]*d) +([0-9])", r"\1\2"),
    (rf"^({_DICE}) +((?:k|d)[hl]|k(?=[0-9])) *([0-9]*){_END}", r"\1\2\3"),
    (r"(?<=[0-9])U(?=[ +\-]|$)", "^"),
    (r"/ *([0-9]+)\^", r"/^ \1"),
    (r"/ *([0-9]+)R(?=[ +\-]|$)", r"/~ \1"),
    (r"^([0-9]+)B([0-9]+)", r"\1d\2"),
    (r"^([0-9]+)U([0-9]+)\[([0-9]+)\]$", r"\1d\2!!>=\3"),
    (r"^CCB?<=([0-9]+)", r"d100 under \1"),
    (r"^choice *(?:\[([^\[\]]+)\]|\(([^()]+)\))$", lambda found: _choice((found[1] or found[2]).split(","))),
    (r"^choice +([^ ,]+(?: +[^ ,]+)+)$", lambda found: _choice(found[1].split())),
    (r"^(?:flip[ ]a[ ]coin|coin[ ](?:flip|toss)|コイン(?:投げ|を投げる?))", "d{heads, tails}"),
    (r"pow\(([^(),]+), *([0-9]+)\)", r"\1^\2"),
    (r" +[xX]([0-9]+)$|[xX×] *([0-9]+)回$|^([0-9]+) *# *(?=[0-9d])|^(?:x|rep|repeat)([0-9]+) +(?=[0-9d])", ""),
    (rf" *(?:vs +)?(?:AC|DC|ac|dc) *([0-9]+){_END}", r" vs \1"),
    (rf"(?:^| +)(?:with +|at +)?(adv|dis)(?:antage|advantage)?{_END}", ""),
    (rf"^({_DICE}) +(keep|drop)(?: +the)? +(high|low)est(?: +([0-9]+))?{_END}", ""),
)


def _choice(faces: list[str]) -> str:
    return "d{" + ", ".join(map(str.strip, faces)) + "}"


def rewritten(text: str) -> Iterator[str]:
    """Yield lines that an unreadable one may mean, for the caller to try; none for a line that is too long."""
    if len(text) > MAX_REWRITTEN:
        return
    line = narrow(text)
    for pattern, change in _SPELLINGS:
        line = _spelled(line, pattern, change)
    line = line.strip(" ").rstrip(" ,")
    yield from _told_apart(line)


def _spelled(line: str, pattern: str, change: str | Callable[[re.Match[str]], str]) -> str:
    if change:
        return re.sub(pattern, change, line)
    found = re.search(pattern, line)
    if found is None:
        return line
    rest = (line[: found.start()] + line[found.end() :]).strip(" ")
    if "# *(?=" in pattern:
        return f"{next(filter(None, found.groups()))}x {rest}"
    if "(adv|dis)" in pattern:
        return re.sub(r"(?<![0-9])(?:1)?(d[0-9]+)(?!.*d[0-9])", rf"\1{found[1]}", rest, count=1)
    if "keep|drop" in pattern:
        return f"{found[1]}{found[2][0]}{found[3][0]}{found[4] or 1}" + line[found.end() :]
    return rest


_TOTAL = re.compile(r"^(.*?) *(>=|<=|>|<|(?<!!)=) *(-?[0-9]+)(?= |$)(.*)$")
_BEHIND = re.compile(r"^(.*?\S) +([^ ].*)$")
_BEFORE = re.compile(rf"^([^0-9|:#/!.,+][^0-9|:#]*(?<! ))(?: *: *| +)({_DICE}.*)$")
_UNFINISHED = re.compile(r"(?:r[or]|![op!]?|cs|[fkd]|ds|min|max)$")
"""the end of a text whose comparison belongs to its dice, not to their total"""
_POOL = re.compile(r"^0*(?!1d)[0-9]+d(?:[0-9]+|%|F)$")


def _told_apart(line: str) -> Iterator[str]:
    """Yield the line itself, the line with its total against a target, and with its words moved to the purpose."""
    yield line
    found = _TOTAL.match(line)
    if (
        found
        and not _UNFINISHED.search(found[1])
        and not (_POOL.match(found[1]) and pointless(f"{found[1]}{found[2]}{found[3]}") is None)
    ):
        yield f"{found[1]}{_target(found[2], int(found[3]))}{_for(found[4])}"
    if line.startswith(("draw", "call")):
        return
    if (found := _BEFORE.match(line)) and not is_doubtful(found[1]):
        yield f"{found[2]} for {found[1]}"
    for at in (found.start() for found in re.finditer(r" +|(?=\()", line)):
        if at and _is_name(line[at:]) and not _PURPOSE.search(line[:at]):
            yield line[:at] + _for(line[at:])


def _target(sign: str, number: int) -> str:
    match sign:
        case ">=":
            return f" vs {number}"
        case ">":
            return f" vs {number + 1}"
        case "<=":
            return f" under {number}"
        case "=":
            return f" vs {number} under {number}"
        case _:
            return f" under {number - 1}"


def _for(words: str) -> str:
    words = words.strip(" ")
    if words.startswith("(") and words.endswith(")"):
        words = words[1:-1]
    return f" for {words}" if words else ""


def _is_name(words: str) -> bool:
    """Return whether words can only be a purpose.

    They begin with a letter, or with a bracket and a letter, and nothing in them belongs to any notation.
    """
    begins = re.match(rf" *[(【「『]?{LETTER}", words) is not None
    return begins and not _NO_NAME.match(words) and not is_doubtful(words)


_PURPOSE = re.compile(r" for(?: |$)|#")
_NO_NAME = re.compile(rf" *(?:(?:for|vs|under)(?: |$)|(?:explode|emphasis)(?!{WORD}))")
"""words that begin another part of a line, and other programs' instructions"""


# --- lines that can be read but may mean something else --------------------------------------------------------------


_D66 = r"(?<![0-9(a-z])([0-9]*)d66(?![0-9])"


def pointless(dice: str) -> str | None:
    """Return the line that a pointless one probably means; empty if none is certain, None if the dice make sense.

    Pointless are dice that count what every face shows or none does: a comparison of the total is probably meant. So is
    a die with 66 sides: two dice for tens and units are probably meant.
    """
    if re.search(_D66, dice):
        return re.sub(_D66, r"\1d6 * 10 + \1d6", dice)
    for term in _terms(dice):
        if term.count is None or term.limits or term.explode or term.count.failure or term.count.double:
            continue
        low, high = _ends(term)
        success = term.count.success
        within = success.sign == "=" and low <= success.number <= high
        if success(low) == success(high) and not within:
            core = re.sub(r"(?:cs)?(?:>=|<=|>|<|=)-?[0-9]+$", "", dice)
            return f"{core}{_target(success.sign, success.number)}" if term.text == dice else ""
    return None


def _ends(term: DiceTerm) -> tuple[int, int]:
    if term.percentile:
        return 1, 100
    if term.faces is None:
        return 1, term.sides[0]
    numbers = [number or 0 for number in term.faces]
    return min(numbers), max(numbers)


def remarks(dice: str) -> tuple[Message, ...]:
    """Return notes on the parts of these dice that programs interpret differently."""
    powers = (Message("“{sign}” raises to a power", sign="**"),) if "**" in re.sub(r"[\[{][^\]}]*", "", dice) else ()
    return (*(remark for term in _terms(dice) for remark in _remarks(term)), *powers)


def _terms(dice: str) -> tuple[DiceTerm, ...]:
    """Return the terms of dice; none for a text that is not in the notation, which a body can contain too."""
    try:
        return parse(dice).terms
    except DiceError:
        return ()


def _remarks(term: DiceTerm) -> Iterator[Message]:
    if term.reroll and term.reroll_match.sign in ("<", ">"):
        yield Message("rerolls what is {match}", match=match_words(term.reroll_match))
    if term.explode and (term.explode_match.sign in ("<", ">") or "!=" in term.text):
        yield Message("explodes on what is {match}", match=match_words(term.explode_match))
    bare = re.search(r"(?:k|d)[0-9]*(?:$|[<>=cfd])", re.sub(r"^.*?d(?:[0-9]+|%%|%|F|\{.*?\}|\(.*?\))", "", term.text))
    for keep in term.keeps if bare else ():
        yield _kept(keep)
    if term.count is not None:
        yield Message("counts each die that is {match}", match=match_words(term.count.success))


_KEPT = {
    ("keep", "highest"): (N_("keeps the highest"), N_("keeps the {count} highest")),
    ("keep", "lowest"): (N_("keeps the lowest"), N_("keeps the {count} lowest")),
    ("drop", "highest"): (N_("drops the highest"), N_("drops the {count} highest")),
    ("drop", "lowest"): (N_("drops the lowest"), N_("drops the {count} lowest")),
}
"""of one die, and of several"""


def _kept(keep: Keep) -> Message:
    one, several = _KEPT[keep.action, keep.which]
    return Message(one if keep.number == 1 else several, count=keep.number)


_SIGNS = {
    "<": N_("below {number}"),
    "<=": N_("{number} or less"),
    "=": N_("{number}"),
    ">=": N_("{number} or more"),
    ">": N_("above {number}"),
}


def match_words(match: Match) -> Message:
    """Return a comparison in words."""
    return Message(_SIGNS[match.sign], number=match.number)
