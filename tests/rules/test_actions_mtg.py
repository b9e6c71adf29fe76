"""What Magic offers is what it takes, no more and no less (tests.support.actions has them); its notations."""

import json
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

import rules
from rules import Session, Violation
from rules.base import NotationError
from rules.protocol import REQUESTS
from rules.script import ScriptError, ScriptEvent, read, step
from rules.systems.mtg import Magic
from rules.systems.mtg import bodies as b
from rules.systems.mtg.bodies import Options
from tests.support.actions import Grammars, Props, check_complete, play_offered
from tests.support.bundles import bundled
from tests.support.dealer import PARTIES, Dealer
from tests.support.scripts import Vector, scripts

ROLES: dict[str, rules.Role] = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge", "cleo": "player"}


def dealt(what: str, schema: Any) -> Any:
    """Values of a grammar, made by the dealer of random games."""

    def make(random: Random) -> Any:
        dealer = Dealer(random)
        while True:
            made = getattr(dealer, what)()
            with suppress(msgspec.ValidationError):
                msgspec.convert(made, schema)
                return made

    return make


EFFECT = dealt("effect", b.Effect)
IGNORE = dealt("ignoring", b.Ignores)
DICE = ["d6", "2d6", "d20+d6", "planar", "2d4+planar", "seven", "1000d6", "d2", "3d2", "coin", "2coin", "coin+d6"]
GRAMMARS: Grammars = {
    "text": lambda random: random.choice(["a word", "x"]),
    "dice": lambda random: random.choice(DICE),
    "modifier": dealt("modifiers", list[b.Modifier]),
    "effect": lambda random: [EFFECT(random) for _ in range(random.randint(0, 2))],
    "ignore": dealt("ignores", list[b.Ignores]),
    "row": dealt("table", list[b.Row]),
    "range": dealt("range", str),
    "id": lambda random: random.choice(["centaur", "art", "k.2"]),
    "mana": lambda random: random.choice([[], ["Forest"]]),
}


class MagicProps(Props):
    """Where a field is one effect, the grammar makes one."""

    def _value(self, one: Any, *, optional: bool) -> tuple[Any, frozenset[str]]:
        value, clauses = super()._value(one, optional=optional)
        single = {"effect": EFFECT, "ignore": IGNORE}.get(one.name) if isinstance(value, list) else None
        return value if single is None else single(self.random), clauses


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_magic_takes_what_it_offers_and_nothing_beside_it(seed: int) -> None:
    random = Random(seed)
    props = MagicProps(GRAMMARS, random)
    for _ in range(3):
        session = Session.start(Magic(), Options(planechase=True), ROLES)
        play_offered(
            props, session, 40, naturals=lambda sides: [random.choice([1, n, random.randint(1, n)]) for n in sides]
        )
    assert {"roll dice", "end the roll, with what was announced"} <= props.accepted


def follow(session: Session, seq: int, line: ScriptEvent) -> Session:
    """The session after an event that was offered; Violation where it is refused."""
    after = step(session, seq, line)
    if line.type in {"roll", "reroll", "ignore", "modify", "resolve", "declare"}:
        body = msgspec.json.decode(line.body)
        owed = session.owes.get(line.author)
        if owed is None or line.type not in REQUESTS:
            check_complete(session, seq, line.author, line.type, body)
    return after


@pytest.mark.long
@bundled("vector", scripts("mtg"))
def test_what_scripts_have_was_offered(vector: Vector) -> None:
    try:
        script = read(vector.data)
    except ScriptError:
        return
    options = msgspec.json.decode(script.options, type=Options)
    session = Session.start(Magic(), options, script.parties)
    if not any(event.type == "join" for event in script.events):
        session = session.with_joined(script.parties)
    for seq, line in enumerate(script.events, 1):
        try:
            session = follow(session, seq, line)
        except Violation:
            return


@pytest.mark.parametrize("seed", range(30))
def test_what_random_games_have_was_offered(seed: int) -> None:
    deal = Dealer(Random(f"offered {seed}"))
    session = Session.start(Magic(), Options(planechase=True), PARTIES)
    session = session.with_joined(PARTIES)
    accepted: set[str] = set()
    for seq in range(1, 90):
        event = deal.event(session.view())
        if deal.chance(15):  # who may is what actions tell first
            event["author"] = deal.some("alice", "bob")
        line = ScriptEvent(event["author"], event["type"], msgspec.Raw(json.dumps(event["body"]).encode()))
        try:
            after = follow(session, seq, line)
        except Violation:
            continue
        if event["type"] in REQUESTS:
            deal.asked[seq] = event
            if not deal.chance(8):
                after = step(session, seq, msgspec.structs.replace(line, naturals=tuple(deal.naturals(after.draw))))
        session = after
        accepted.add(event["type"])
    assert {"roll", "declare"} <= accepted


# --- how people write it ----------------------------------------------------------------------------------------------

TEXTS = st.text(st.sampled_from(' :|：｜"\\dD6+-a1[]again.Rol振り直す'), min_size=1, max_size=12) | st.sampled_from(
    [
        "Circle of Protection: Red",
        "again 7",
        "d20",
        "+2",
        "dice",
        "You may roll again.",
        "Roll again",
        "x [again]",
        "振り直す。",
        '"q"',
        " a ",
    ]
)
AMOUNTS = st.integers(1, 10**9) | st.integers(-(10**9), -1)
UNSET_ = st.just(UNSET)
MODIFIERS = st.builds(b.Modifier, source=TEXTS, amount=AMOUNTS)


def maybe(strategy: Any) -> Any:
    return UNSET_ | strategy


EFFECTS = st.one_of(
    *(
        st.builds(
            b.Effect,
            source=TEXTS,
            kind=st.just(kind),
            amounts=st.tuples(AMOUNTS) | st.tuples(AMOUNTS, AMOUNTS) if kind == "adjust" else UNSET_,
            number=st.integers(-(10**9), 10**9) if kind == "exchange" else UNSET_,
            scope=st.just("one") if kind == "exchange" else st.sampled_from(["each", "one", "any"]),
            optional=maybe(st.just(True)),
            cost=maybe(TEXTS),
            mana_cost=maybe(TEXTS | st.just("{1}{R}")),
            once=maybe(st.just(True)),
            only=maybe(st.sampled_from(["d6", "d20", *(["planar"] if kind == "reroll" else [])])),
        )
        for kind in ("reroll", "adjust", "exchange")
    )
)
IGNORES = st.builds(
    b.Ignores,
    source=TEXTS,
    which=st.sampled_from(["lowest", "highest", "any"]),
    extra=st.integers(0, 100),
    count=st.integers(1, 100),
    only=maybe(st.sampled_from(["d6", "d20"])),
) | st.builds(
    b.Ignores,
    source=TEXTS,
    which=st.sampled_from(["pair", "any"]),
    only=maybe(st.sampled_from(["d6", "planar", "coin"])),
)
IGNORES |= st.builds(
    b.Ignores, source=TEXTS, which=st.just("any"), extra=st.integers(1, 100), sides=st.integers(1, 2**53 - 1)
)
RANGES = st.sampled_from(["1–9", "7", "10+", "１～５", "", "x", "3 or less", "-2 or less", '"', "1d6", "5 "]) | TEXTS
ROWS = st.builds(b.Row, range=RANGES, effect=TEXTS | st.just(""), again=maybe(st.sampled_from([True, "may"])))


def some(strategy: Any) -> Any:
    return maybe(st.lists(strategy, max_size=3).map(tuple))


ROLLS = (
    st.builds(
        b.RollBody,
        source=TEXTS,
        dice=maybe(st.sampled_from(["d20", "2d6+1d8", "planar", "2planar+d6", "seven", "", "D20", "1d6+"]) | TEXTS),
        modifiers=some(MODIFIERS),
        effects=some(EFFECTS),
        ignores=some(IGNORES),
        table=maybe(st.lists(ROWS, min_size=1, max_size=3).map(tuple)),
        use=maybe(TEXTS),
        doubles=maybe(TEXTS),
        store=maybe(st.sampled_from(["centaur", "a.b-c_1"])),
        again=maybe(st.integers(1, 99)),
    )
    | st.builds(b.RollBody, joins=st.integers(1, 9), ignores=some(IGNORES))
    | st.builds(
        b.RollBody,
        source=TEXTS,
        dice=st.sampled_from(["coin", "3coin", "2coin+d6"]),
        call=maybe(st.sampled_from(["heads", "tails"])),
        use=maybe(TEXTS),
        without=maybe(st.lists(st.integers(1, 12), min_size=1, max_size=3).map(tuple)),
    )
    | st.builds(b.RollBody, source=TEXTS, dice=maybe(st.just("d7")), random=st.just(True), table=maybe(st.tuples(ROWS)))
    | st.builds(b.RollBody, again=st.integers(1, 9), effects=some(EFFECTS))
)
TRIGGERS = st.builds(
    b.DeclareTrigger,
    source=TEXTS,
    on=st.sampled_from(["rolled", "die", "highest", "won", "lost"]),
    whose=st.sampled_from(["you", "opponents", "any"]),
) | st.builds(b.DeclareTrigger, source=TEXTS, on=st.sampled_from(["result", "natural"]), range=RANGES)
WRITTEN = {
    b.Modifier: MODIFIERS,
    b.Effect: EFFECTS,
    b.Ignores: IGNORES,
    b.Row: ROWS,
    b.RollBody: ROLLS,
    b.DeclareTrigger: TRIGGERS,
    b.DeclareStanding: st.builds(
        b.DeclareStanding,
        ignore=IGNORES,
        whose=st.sampled_from(["you", "opponents", "any"]),
        permanent=maybe(st.sampled_from(["centaur", "a.b-c_1"])),
    )
    | st.builds(b.DeclareStanding, effect=EFFECTS),
    b.DeclarePermanent: st.builds(b.DeclarePermanent, permanent=st.sampled_from(["centaur", "a.b-c_1"]), name=TEXTS),
}


def as_json(body: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(body))


@pytest.mark.long
@pytest.mark.parametrize("schema", WRITTEN, ids=lambda schema: schema.__name__)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_what_is_written_is_read(schema: Any, data: st.DataObject) -> None:
    body = as_json(data.draw(WRITTEN[schema]))
    notation = Magic().notations[schema]
    assert notation.parse(notation.write(body)) == body


def test_every_notation_has_an_example_that_is_read() -> None:
    assert set(Magic().notations) == set(WRITTEN)
    for schema, notation in Magic().notations.items():
        told = notation.parse(notation.example)
        assert as_json(msgspec.convert(told, schema)) == told


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from(' :|"\\d206+-ignoreaylwstxh[]'), max_size=40))
@example("d20")
@example("d20 x | may reroll")
@example('d20 "x')
@example("d20 x | no")
@example("d20 x | +1 d6 ignore: y")
def test_what_is_not_in_the_notation_is_refused_in_words(text: str) -> None:
    for schema, notation in Magic().notations.items():
        with suppress(NotationError):
            told = notation.parse(text)
            assert notation.parse(notation.write(told)) == told, schema


PAGE = Path(__file__).parents[2] / "specs" / "mtg.md"


def test_the_pages_examples_are_read() -> None:
    told = PAGE.read_text(encoding="utf-8").split("## Notation")[1].split("```")[1]
    lines = told.strip().splitlines()
    assert len(lines) > 5
    for line in lines:
        msgspec.convert(Magic().notations[b.RollBody].parse(line), b.RollBody)
