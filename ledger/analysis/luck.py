"""Dice and rolls without dice of some logs, counted, tested, put in words (specs/luck.md). Needs the extra `stats`."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from msgspec import Struct, field

from ledger.analysis.roll_history import JudgeRuling, Throw, throws
from ledger.analysis.significance import DiceCounts, Tested, count_in, holm_corrected, look_at_faces, look_at_sum
from ledger.distribution.optional_dependencies import needs_extra
from rules.data.language import Translate
from rules.data.text import full_name
from verifier import Replay, VerifierKey
from verifier.log.succession import NOBODY, Followed

__all__ = [
    "MAX_KINDS",
    "MAX_KINDS_EACH",
    "Luck",
    "LuckTally",
    "Player",
    "Voided",
    "caveats",
    "caveats_of_many",
    "sentence",
    "whose",
]

MAX_KINDS = 1_000
"""the most pairs of player and number of sides that are tested"""
MAX_KINDS_EACH = 20
"""the most numbers of sides that are tested for one player, so that none crowds out the others"""
NOTICED_FROM = 257
"""the number of d6 for which a test at 0.05 has power 0.8, if one face comes half again as often as it should"""


class Voided(Struct):
    """Rolls that one party requested and one party voided, or left without dice by closing the game."""

    by: str
    roller: str
    how: str
    """`void` or `close`"""
    rolls: int = 0
    known: int = 0
    """the number of these rolls whose dice are known"""
    hidden_by: Counter[str] = field(default_factory=Counter)
    """by party, the number of these rolls for which its link is not known"""


class Luck(Struct, frozen=True):
    """The results of a tally."""

    tests: tuple[Tested, ...]
    untested: int
    """dice of kinds beyond MAX_KINDS"""
    voids: tuple[Voided, ...]
    """requests that ended without dice"""
    struck: dict[str, int]
    """numbers of rolls that were ruled void, by judge"""
    taken_back: dict[str, int]
    """numbers of rolls that all took back, by the party that requested them"""
    secret: dict[str, int]
    """numbers of secret rolls, by holder; their dice are not counted"""
    without: dict[str, int]
    """numbers of rolls made without a party that has not accepted them, by party; their dice are not counted"""


class Player(Struct, frozen=True):
    """A player: a public key, and the name that it had first."""

    name: str
    key_id: str
    key: str
    """the public key, hex"""
    called: str | None = None
    """the first name that it was called by"""


class _Ended(Struct):
    """The counts of Voided, with parties as Player."""

    rolls: int = 0
    known: int = 0
    hidden_by: Counter[Player] = field(default_factory=Counter)


_Kind = TypeVar("_Kind", tuple[Player, int], tuple[Player, Player, int])


class LuckTally:
    """Counts of dice, log by log. Each game is to be added only once."""

    def __init__(self, followed: Followed = NOBODY) -> None:
        """Begin an empty tally; `followed` states which keys succeed which (specs/profile.md)."""
        self._followed = followed
        self._dice: dict[tuple[Player, int], DiceCounts] = {}
        self._kinds: Counter[Player] = Counter()
        self._who: dict[str, Player] = {}
        """by public key, which identifies a player"""
        self._voids: dict[tuple[Player, Player, str], _Ended] = {}
        """by the party that ended the roll, the party that requested it, and how it ended"""
        self._voided_dice: dict[tuple[Player, Player, int], DiceCounts] = {}
        """by the party that ended the roll, the party that requested it, and the number of sides"""
        self._struck: Counter[Player] = Counter()
        self._taken_back: Counter[Player] = Counter()
        self._secret: Counter[Player] = Counter()
        self._without: Counter[Player] = Counter()
        self._untested = 0

    def add(self, lines: Iterable[bytes], replaced: Collection[str] = ()) -> None:
        """Count the dice of a verified log, or of its valid prefix; lines without line feeds.

        `replaced` are the parties that go on under a new key in this log: their dice count for nobody.
        """
        replay = Replay()
        for found in throws(replay, lines):
            if isinstance(found, JudgeRuling):
                pass
            elif found.how == "reveal" and found.holder is not None:
                self._secret[self._player(replay, found.holder)] += 1
            elif found.without:
                self._without.update(self._player(replay, name) for name in found.without)
            elif found.how == "reveal" and found.roller in replaced:
                pass
            elif found.how == "reveal":
                self._count(self._player(replay, found.roller), found.sides, found.naturals)
            else:
                self._count_voided(replay, found, replaced)
        for judge, rulings in replay.conduct.struck.items():
            self._struck[self._player(replay, judge)] += rulings.count
        self._taken_back.update(self._player(replay, roll.roller) for roll in replay.conduct.taken_back.values())

    def _count_voided(self, replay: Replay, roll: Throw, replaced: Collection[str]) -> None:
        """Count a roll that ended without dice."""
        by, roller = self._player(replay, roll.by), self._player(replay, roll.roller)
        ended = self._voids.setdefault((by, roller, roll.how), _Ended())
        ended.rolls += 1
        ended.known += roll.known
        counted = not {roll.by, roll.roller} & {*replaced}
        for n, natural in zip(roll.sides, roll.naturals, strict=True) if counted else ():
            self._count_die(self._voided_dice, (by, roller, n), by, natural)
        ended.hidden_by.update(self._player(replay, name) for name in roll.hidden_by)

    def _player(self, replay: Replay, name: str) -> "Player":
        terms = replay.terms
        public = self._followed.of(terms.keys_of(name)[0].public_bytes.hex())
        if public not in self._who:
            key_id = VerifierKey(name, bytes.fromhex(public)).key_id.hex()
            self._who[public] = Player(name, key_id, public, terms.called.get(name))
        return self._who[public]

    def _count(self, who: "Player", sides: Sequence[int], naturals: Sequence[int]) -> None:
        for n, natural in zip(sides, naturals, strict=True):
            self._count_die(self._dice, (who, n), who, natural)

    def _count_die(self, counted: dict[_Kind, DiceCounts], kind: _Kind, who: Player, natural: int) -> None:
        """Count a die of this kind against the limits of a player; the last member of the kind is the sides."""
        if kind not in counted:
            if len(self._dice) + len(self._voided_dice) >= MAX_KINDS or self._kinds[who] >= MAX_KINDS_EACH:
                self._untested += 1
                return
            self._kinds[who] += 1
        count_in(counted, kind, natural)

    def luck(self) -> Luck:
        """Test everything that was counted. Raises UsageError if the extra is not installed."""
        needs_extra("scipy", extra="stats")
        counted = {kind: dice for kind, dice in self._dice.items() if dice.sides > 1}
        names = Counter(player.name for player in self._who.values())

        def shown(player: Player) -> str:
            full = full_name(player.name, player.called)
            return f"{full} ({player.key_id})" if names[player.name] > 1 else full

        def hidden(ended: _Ended) -> Counter[str]:
            return Counter({shown(player): count for player, count in ended.hidden_by.items()})

        found = [look_at_faces(shown(player), player.key, dice) for (player, _), dice in counted.items()]
        found.sort(key=lambda test: (test.player or "", test.sides))
        for n in sorted({n for _, n in counted}):
            each = [dice for (_, sides), dice in counted.items() if sides == n]
            if len(each) > 1:
                together = DiceCounts(n, each[0].bins, sum((dice.counts for dice in each), Counter()))
                found.append(look_at_faces(None, None, together))
        called_off = sorted(self._voided_dice.items(), key=lambda kind: (kind[0][0].name, kind[0][1].name, kind[0][2]))
        for (by, roller, n), dice in called_off:
            if n > 1:
                found.append(look_at_sum(shown(roller), roller.key, dice, shown(by), by.key))
        voids = tuple(
            Voided(shown(by), shown(roller), how, ended.rolls, ended.known, hidden(ended))
            for (by, roller, how), ended in self._voids.items()
        )
        struck = {shown(player): count for player, count in self._struck.items()}
        taken_back = {shown(player): count for player, count in self._taken_back.items()}
        secret = {shown(player): count for player, count in self._secret.items()}
        without = {shown(player): count for player, count in self._without.items()}
        return Luck(tuple(holm_corrected(found)), self._untested, voids, struck, taken_back, secret, without)


def whose(test: Tested, _: Translate = str) -> str:
    """Return a short phrase for the player or players whose dice a test is about."""
    if test.voided_by is not None:
        return _("{player}, called off by {by}").format(player=test.player, by=test.voided_by)
    return _("all") if test.player is None else test.player


def sentence(test: Tested, _: Translate = str) -> str:
    """Return the result of a test in words."""
    count = "< 1" if test.p < 0.0005 else f"{round(1000 * test.p):,}"
    if test.voided_by is None:
        text = _("{who}, d{sides}: of 1,000 honest sets of as many dice ({dice}) about {count} are at least as uneven.")
    elif test.statistic < 0:
        text = _(
            "{who}, d{sides}: they would have shown less than honest dice on average; of 1,000 honest sets of as many "
            "dice ({dice}) about {count} are at least as far off."
        )
    elif test.statistic > 0:
        text = _(
            "{who}, d{sides}: they would have shown more than honest dice on average; of 1,000 honest sets of as many "
            "dice ({dice}) about {count} are at least as far off."
        )
    else:
        text = _("{who}, d{sides}: they would have shown just what honest dice show on average ({dice} dice).")
    return text.format(who=whose(test, _), sides=test.sides, dice=test.dice, count=count)


def caveats(luck: Luck, _: Translate = str) -> list[str]:
    """Return sentences about what the figures show and what they do not, and about rolls without dice."""
    sentences: list[str] = []
    if luck.tests:
        sentences += [
            _(
                "Tests: {count}. Among many tests, some always look unusual; “corrected” is p with that taken "
                "into account (Holm)."
            ).format(count=len(luck.tests)),
            _(
                "A small p does not prove loaded dice: honest dice give every p equally often. A large p does not "
                "prove fair dice: few dice show little. A d6 that shows one face half again as often as it should "
                "is noticed (p below 0.05) four times in five only from about {dice} dice on. The log shows that "
                "nobody chose these dice; this test does not."
            ).format(dice=NOTICED_FROM),
        ]
    if luck.untested:
        sentences.append(_("Dice of further kinds that are not tested: {count}.").format(count=luck.untested))
    for voided in luck.voids:
        sentences.append(_told_of(voided, _))
        for name, count in voided.hidden_by.items():
            text = _("Of {count} of these the link of {name} is missing, so what they would have shown is not known.")
            sentences.append(text.format(count=count, name=name))
    if luck.voids:
        sentences.append(
            _(
                "Rolls without dice are tested apart, for dice that are higher or lower than honest ones. A party "
                "that keeps links back influences which of them are known."
            )
        )
    for name, count in luck.struck.items():
        text = _("Rolls that the judge {name} ruled void: {count}. Their dice are counted.")
        sentences.append(text.format(name=name, count=count))
    for name, count in luck.taken_back.items():
        text = _("Rolls of {name} that all who played took back: {count}. Their dice are counted.")
        sentences.append(text.format(name=name, count=count))
    for name, count in luck.secret.items():
        text = _("Secret rolls that {name} holds: {count}. Their dice are not counted, shown or not.")
        sentences.append(text.format(name=name, count=count))
    for name, count in luck.without.items():
        text = _("Rolls made without {name}, who has not accepted them: {count}. Their dice are not counted.")
        sentences.append(text.format(name=name, count=count))
    return sentences


def caveats_of_many(tests: int, untested: int, _: Translate = str) -> list[str]:
    """Return sentences about what the figures of a season show and what they do not."""
    sentences = [
        _(
            "“By chance” is how many of all {tests} tests would have a p as small with honest dice; “corrected” is the "
            "chance, at most, that honest dice give even one (Holm)."
        ).format(tests=f"{tests:,}"),
        _(
            "Nobody is marked: somebody is first in every season. A small p does not prove loaded dice, and a "
            "large p does not prove fair dice. The logs show that nobody chose these dice; they are the evidence."
        ),
    ]
    if untested:
        sentences.append(_("Dice of further kinds that are not tested: {count}.").format(count=untested))
    return sentences


def _told_of(voided: Voided, _: Translate) -> str:
    if voided.how == "void":
        text = _("Rolls of {roller} that {by} called off: {count}. What they would have shown is known of {known}.")
    else:
        text = _(
            "Rolls of {roller} left without dice when {by} closed the game: {count}. What they would have shown is "
            "known of {known}."
        )
    return text.format(roller=voided.roller, by=voided.by, count=voided.rolls, known=voided.known)
