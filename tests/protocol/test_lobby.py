"""A table before its event 0 (specs/network.md): what is signed, and what is refused; the vectors of it."""

import json
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET

from ledger.lobby import (
    InvitedRole,
    Link,
    LobbyError,
    LobbySeat,
    TableTerms,
    agreed_open,
    check_access,
    check_admit,
    check_asks,
    check_closing,
    check_delete,
    check_free,
    check_goes_on,
    check_invite,
    check_link,
    check_opened,
    check_replace,
    check_seat,
    check_start,
    check_terms,
    check_unseat,
    ended_tokens,
    goes_on,
    invitations_of,
    is_ended,
    look_alikes,
    new_invite,
    new_seat,
    new_start,
    new_terms,
    parse_access,
    parse_admit,
    parse_closing,
    parse_delete,
    parse_invite,
    parse_link,
    parse_replace,
    parse_seat,
    parse_start,
    parse_table,
    parse_terms,
    parse_unseat,
)
from ledger.lobby.published import check_published, parse_publish, parse_revoke
from ledger.lobby.signed import INVITE_LABEL, ServersJudge
from tests.make.network import FILE, make
from tests.support.bundles import bundled
from verifier import Replay, VerifierKey
from verifier.log.bodies import Open, Permissions

CASES: dict[str, Any] = json.loads(FILE.read_bytes())
TERMS = parse_terms(CASES["terms"].encode())
SEATS = [parse_seat(text.encode()) for text in CASES["seats"]]
START = parse_start(CASES["start"].encode())
EVENT_ZERO = CASES["opened"][0]["line"].encode()
OPENED = Replay()
OPENED.step(EVENT_ZERO)


def replayed(lines: list[str]) -> Replay:
    replay = Replay()
    for line in lines:
        replay.step(line.encode())
    return replay


def test_the_vectors_are_what_the_maker_makes() -> None:
    assert FILE.read_bytes() == make()


def code_of(case: dict[str, Any]) -> str | None:
    """What is refused of a case; the class of `flaw`."""
    try:
        if not check_invited(case) and not check_lost(case):
            check(case)
    except LobbyError as error:
        return error.code
    return None


def terms_of(case: dict[str, Any]) -> TableTerms:
    return parse_terms(case.get("terms", CASES["terms"]).encode())


def check_lost(case: dict[str, Any]) -> bool:
    """What somebody whose browser is lost asks for; whether this is such a case."""
    match case:
        case {"goes_on": text}:
            replay, seat = replayed(CASES["lost_log"]), parse_seat(text.encode())
            check_seat(TERMS, seat, latest=True)
            assert check_free(SEATS, seat)
            check_goes_on(seat, replay)
            assert goes_on([*SEATS, seat], replay.terms) == [seat]
            assert check_free([*SEATS, seat], seat) is False, "it stands"
        case {"wish": text, "waits": waits}:
            replay = replayed(CASES["waiting_log" if waits else "lost_log"])
            seats = [parse_seat(each.encode()) for each in CASES["wished_seats"]]
            check_replace(parse_replace(text.encode()), seats, replay)
        case _:
            return False
    return True


def check_invited(case: dict[str, Any]) -> bool:
    """What new links and those who were taken out have to do with; whether this is such a case."""
    match case:
        case {"link": link, "invites": invites}:
            parsed, made = parse_link(link), [parse_invite(text.encode()) for text in invites]
            check_link(parsed, TERMS, made)
            assert is_ended(TERMS, made, parsed.invitation) is case["ended"]
        case {"seat": text, "invites": invites}:
            made = [parse_invite(each.encode()) for each in invites]
            assert code_of({"seat": text, "shown_with": made}) == case["shown"]
            check_seat(TERMS, parse_seat(text.encode()), made, latest=True)
        case {"seat": text, "shown_with": made}:
            check_seat(TERMS, parse_seat(text.encode()), made)
        case {"unseat": text}:
            check_unseat(TERMS, parse_unseat(text.encode()))
        case {"invite": text}:
            made = [parse_invite(each.encode()) for each in CASES["invites"]]
            assert check_invite(TERMS, made, parse_invite(text.encode())) is (text not in CASES["invites"])
        case {"asks": text}:
            terms, seat = terms_of(case), parse_seat(text.encode())
            replay = Replay()
            replay.step(next(each["line"] for each in CASES["opened"] if "admits" in each["line"]).encode())
            check_seat(terms, seat, latest=True)
            check_asks(terms, seat, replay.terms.keys)
        case {"publish": text}:
            publish = parse_publish(text.encode())
            check_published(publish, OPENED.terms.game, OPENED.terms.keys.get(publish.party))
            assert publish.id == case["roll"]
        case {"revoke": text}:
            revoke = parse_revoke(text.encode())
            check_published(revoke, OPENED.terms.game, OPENED.terms.keys.get(revoke.party))
        case {"word": text, "game": game}:
            check_admit(terms_of(case), bytes.fromhex(game), parse_admit(text.encode()))
        case _:
            return False
    return True


def check(case: dict[str, Any]) -> None:
    match case:
        case {"terms": text, "link": link}:
            check_link(parse_link(link), parse_terms(text.encode()))
        case {"terms": text, "now": now}:
            keeper, judge = VerifierKey.parse(CASES["keeper"]), VerifierKey.parse(CASES["judge"])
            check_terms(parse_terms(text.encode()), keeper, now, judge)
        case {"link": link}:
            parse_link(link)
        case {"seat": text}:
            seat = parse_seat(text.encode())
            check_seat(terms_of(case), seat)
            check_free(SEATS, seat)
        case {"line": line}:
            seats = [parse_seat(text.encode()) for text in case.get("seats", CASES["seats"])]
            start = parse_start(case.get("start", CASES["start"]).encode())
            check_opened(terms_of(case), seats, start, line.encode(), bytes.fromhex(case["game"]))
        case {"start": text}:
            seats = [parse_seat(text.encode()) for text in case.get("seats", CASES["seats"])]
            check_start(terms_of(case), seats, parse_start(text.encode()))
        case {"access": text}:
            replay = Replay()
            replay.step(EVENT_ZERO)
            check_access(
                replay.terms.keys.values(), replay.terms.game, parse_access(text.encode()), "2026-11-20T19:00:00.000Z"
            )
        case {"closing": text}:
            check_closing(TERMS, bytes.fromhex(CASES["opened"][0]["game"]), parse_closing(text.encode()))
        case {"delete": text}:
            check_delete(TERMS, parse_delete(text.encode()))
        case _:
            raise AssertionError(case)


@bundled(
    "case",
    [
        (kind, case)
        for kind, cases in CASES.items()
        if isinstance(cases, list)
        for case in cases
        if "flaw" in case and isinstance(case, dict)
    ],
    lambda case: f"{case[0]}: {case[1]['about']}",
)
def test_vector(case: tuple[str, dict[str, Any]]) -> None:
    assert code_of(case[1]) == case[1]["flaw"]


@pytest.mark.parametrize("case", [case for case in CASES["links"] if case["flaw"] is None], ids=lambda c: c["about"])
def test_what_follows_from_a_link(case: dict[str, Any]) -> None:
    link = parse_link(case["link"])
    assert str(link) == case["link"]
    assert (link.address, link.table.hex(), link.role) == (case["address"], case["table"], case["role"])
    assert (link.secret.hex(), link.token.hex()) == (case["secret"], case["token"])
    assert (link.invitation.token, link.invitation.key) == (case["token_hash"], case["invitation_key"])


def test_event_0_is_made_from_terms_and_start() -> None:
    replay = Replay()
    body = replay.step(EVENT_ZERO).body
    assert isinstance(body, Open)
    made = agreed_open(TERMS, START)
    assert msgspec.structs.replace(made, nonce=body.nonce, options=body.options) == body
    assert bytes(made.options) == bytes(body.options) == b"{}"


def test_event_0_says_who_signs_a_party_away() -> None:
    case = next(case for case in CASES["tables"] if case["about"] == "others may sign a party away")
    assert agreed_open(parse_terms(case["terms"].encode()), START).away == "others"


def test_no_game_begins_by_rules_that_are_not_there() -> None:
    """A client's program can be older than the server's."""
    case = next(case for case in CASES["taken_tables"] if case["about"] == "unknown rules")
    terms = parse_terms(case["terms"].encode())
    with pytest.raises(LobbyError, match="no rules dice-2 here") as error:
        check_start(terms, [], new_start(_Alice(), terms.id, []))
    assert error.value.code == "table.start"


def test_a_server_without_a_judge_takes_no_table_with_one() -> None:
    case = next(case for case in CASES["taken_tables"] if case["about"] == "with the server's judge")
    with pytest.raises(LobbyError, match="another judge than this server's, which is none") as error:
        check_terms(parse_terms(case["terms"].encode()), VerifierKey.parse(CASES["keeper"]), case["now"])
    assert error.value.code == "table.terms"


def test_the_servers_judge_takes_the_place_of_a_party() -> None:
    case = next(case for case in CASES["opened"] if case["about"] == "with the server's judge")
    terms = terms_of(case)
    seats = [parse_seat(text.encode()) for text in case["seats"]]
    start = new_start(_Alice(), terms.id, seats * 21)  # 63 of them, which is all that a start can have
    with pytest.raises(LobbyError, match="at most 64 parties"):
        check_start(terms, seats, start)
    with pytest.raises(LobbyError, match="two parties are called alice"):
        check_start(terms, seats, new_start(_Alice(), terms.id, (seats * 21)[:62]))


def table_as_told(**members: Any) -> bytes:
    told = {"game": None, "here": ["alice"], "invites": [], "seats": [], "start": None, "terms": CASES["terms"]}
    return json.dumps(told | members).encode()


def test_what_a_server_says_of_a_table_has_its_form_or_is_refused() -> None:
    seats, start = [json.loads(text) for text in CASES["seats"]], json.loads(CASES["start"])
    for given in (None, start):
        told = parse_table(table_as_told(seats=seats, start=given))
        assert (list(told.seats), told.start) == (SEATS, START if given else None)
    none = {"key": "alice"}
    for data in (
        b"{}",
        b"not JSON",
        table_as_told(seats=[seats[0] | none]),
        table_as_told(start=start | {"parties": [start["parties"][0] | none]}),
    ):
        with pytest.raises(LobbyError) as error:
            parse_table(data)
        assert error.value.code == "malformed"


def test_two_ask_for_one_place_and_nobody_for_one_that_is_taken() -> None:
    replay = replayed(CASES["lost_log"])
    one, two = (parse_seat(text.encode()) for text in CASES["wished_seats"][-2:])
    assert check_free([*SEATS, one], two)
    assert goes_on([*SEATS, one, two], replay.terms) == [one, two]
    waiting = replayed(CASES["waiting_log"])
    assert goes_on([one, two], waiting.terms) == [one, two], "the place is taken by the join, and not before"


def test_terms_say_what_was_asked_for() -> None:
    link = parse_link(next(case["link"] for case in CASES["links"] if case["flaw"] is None))
    keeper, judge = VerifierKey.parse(CASES["keeper"]), ServersJudge(120, CASES["judge"])

    def made(**asked: Any) -> TableTerms:
        rules = ("dice-1", msgspec.Raw(b"{}"), [link.invitation])
        return new_terms(_Alice(), keeper, *rules, nonce=bytes(32), time=TERMS.time, **asked)

    plain, other = made(), made(permits=Permissions(away="others"), judge=judge)
    assert (plain.away, plain.judge) == (UNSET, UNSET)
    assert (other.away, other.judge) == ("others", judge)
    for terms in (plain, other):
        check_terms(parse_terms(bytes(terms)), keeper, TERMS.time, VerifierKey.parse(CASES["judge"]))


def test_spectators_have_no_seat() -> None:
    spectator = next(case["link"] for case in CASES["links"] if case.get("role") == "spectator")
    with pytest.raises(LobbyError, match="for spectators, who have no seat") as error:
        new_seat(_Alice(), parse_link(spectator))
    assert error.value.code == "table.seat"
    player = next(case["link"] for case in CASES["links"] if case.get("role") == "player")
    assert new_seat(_Alice(), parse_link(player)).role == "player"


class _Alice:
    key = TERMS.host_key

    def sign(self, message: bytes) -> bytes:
        return Ed25519PrivateKey.from_private_bytes(sha256(b"rollproof vectors key alice").digest()).sign(message)


# --- new links -------------------------------------------------------------------------------------------------------

ROLES: tuple[InvitedRole, ...] = ("player", "judge", "spectator")
SMALL_ORDER = "01" + 31 * "00"


def _link(terms: bytes, role: InvitedRole, number: int) -> Link:
    return Link("https://dice.example.org", terms, role, sha256(f"{role} {number}".encode()).digest())


def _opened() -> TableTerms:
    """Alice's table with links for three roles."""
    first = [_link(bytes(32), role, 1).invitation for role in ROLES]
    keeper = VerifierKey.parse(CASES["keeper"])
    return new_terms(_Alice(), keeper, "dice-1", msgspec.Raw(b"{}"), first, nonce=bytes(32), time=TERMS.time)


class _Mallory:
    _key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    key = VerifierKey("mallory", _key.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


def test_the_links_of_a_role_are_the_hosts_in_the_order_of_their_counts() -> None:
    """Whatever the server puts among them, in whatever order."""
    terms = _opened()
    links = {(role, n): _link(terms.id, role, n) for role in ROLES for n in range(1, 6)}
    made = {key: new_invite(_Alice(), link, key[1] - 1) for key, link in links.items() if key[1] > 1}
    weak = msgspec.structs.replace(made["player", 3].link, key=SMALL_ORDER)
    unsigned = msgspec.structs.replace(made["player", 3], link=weak)
    weak_invite = msgspec.structs.replace(unsigned, sig=_Alice().sign(unsigned.message(INVITE_LABEL)).hex())
    shown = [
        made["player", 4],
        made["judge", 2],
        made["spectator", 3],
        weak_invite,
        new_invite(_Mallory(), links["player", 2], 1),
        new_invite(_Alice(), _link(bytes(32), "player", 5), 2),
        made["player", 2],
        new_invite(_Alice(), links["player", 5], 1),
        made["spectator", 2],
    ]
    found = {role: [each.token for each in invitations_of(terms, shown, role)] for role in (*ROLES, "gm")}
    expected: dict[InvitedRole, tuple[int, ...]] = {"player": (1, 2, 4), "judge": (1, 2), "spectator": (1, 2, 3)}
    assert found == {"gm": []} | {role: [links[role, n].invitation.token for n in ns] for role, ns in expected.items()}


def test_a_role_without_a_link_in_the_terms_gets_none() -> None:
    terms = _opened()
    assert invitations_of(terms, [new_invite(_Alice(), _link(terms.id, "gm", 2), 1)], "gm") == []


def test_a_token_has_ended_when_its_link_was_replaced_and_nobody_sits_by_it() -> None:
    terms = _opened()
    links = {(role, n): _link(terms.id, role, n) for role in ROLES for n in (1, 2, 3)}
    made = [new_invite(_Alice(), links[role, n], n - 1) for role in ROLES for n in (2, 3)]
    tokens = {key: link.invitation.token for key, link in links.items()}
    ended = {tokens[role, n] for role in ROLES for n in (1, 2)}
    assert ended_tokens(terms, [], []) == []
    assert set(ended_tokens(terms, made, [])) == ended
    replaced: tuple[tuple[InvitedRole, int], ...] = (("player", 1), ("player", 2), ("judge", 1))
    for role, number in replaced:
        seat = new_seat(_Mallory(), links[role, number])
        assert set(ended_tokens(terms, made, [seat])) == ended - {tokens[role, number]}, (role, number)
        other = msgspec.structs.replace(links[role, number], role="judge" if role == "player" else "player")
        elsewhere = new_seat(_Mallory(), other)
        assert set(ended_tokens(terms, made, [elsewhere])) == ended, "a seat of another role is none by this link"
    latest = new_seat(_Mallory(), links["player", 3])
    assert set(ended_tokens(terms, made, [latest])) == ended


def test_a_seat_by_a_link_that_was_replaced_stands_and_is_taken_no_more() -> None:
    terms = _opened()
    links = [_link(terms.id, "player", n) for n in (1, 2, 3)]
    made = [new_invite(_Alice(), links[n], n) for n in (1, 2)]
    seats = [new_seat(_Mallory(), link) for link in links]
    for seat in seats:
        check_seat(terms, seat, made)
    check_seat(terms, seats[2], made, latest=True)
    for seat in seats[:2]:
        with pytest.raises(LobbyError, match="has made a new link for the role player") as error:
            check_seat(terms, seat, made, latest=True)
        assert error.value.code == "table.seat"
    with pytest.raises(LobbyError, match="does not have the link for the role player"):
        check_seat(terms, seats[2], made[:1], latest=True)


def test_a_seat_is_no_server_s_by_key_or_name() -> None:
    """The keeper's key under another name, and another key under the keeper's name."""
    keeper = _Mallory.key
    first = _link(bytes(32), "player", 1)
    terms = new_terms(
        _Alice(), keeper, "dice-1", msgspec.Raw(b"{}"), [first.invitation], nonce=bytes(32), time=TERMS.time
    )
    link = msgspec.structs.replace(first, table=terms.id)

    class Other(_Mallory):
        key = VerifierKey("other", keeper.public_bytes)

    class Named(_Alice):
        key = VerifierKey("mallory", TERMS.host_key.public_bytes)

    with pytest.raises(LobbyError, match="the key of other is that of mallory") as error:
        check_seat(terms, new_seat(Other(), link))
    assert error.value.code == "table.seat"
    with pytest.raises(LobbyError, match="mallory is the name of the server's keeper or judge") as error:
        check_seat(terms, new_seat(Named(), link))
    assert error.value.code == "table.name"
    check_seat(terms, new_seat(_Alice(), link))


def test_a_seat_is_new_once() -> None:
    free: list[LobbySeat] = []
    for seat in SEATS:
        assert check_free(free, seat)
        free.append(seat)
        assert not check_free(free, seat)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("bob", None), ("b0b", None)),
        (("alice", None), ("a1ice", None)),
        (("tom2", None), ("tomz", None)),
        (("alice", None), ("bob", "Al\u0456ce")),
        (("alice", "\u674e"), ("bob", "\u674e\u200d")),
        (("alice", "Zo\u00eb"), ("bob", "Z 0 e")),
    ],
)
def test_people_who_look_alike_are_told(one: tuple[str, str | None], other: tuple[str, str | None]) -> None:
    assert list(look_alikes([("carol", None), one, other])) == [(other[0], one[0])]
    assert list(look_alikes([other, one])) == [(one[0], other[0])]


def test_people_who_do_not_look_alike_are_not_told() -> None:
    people = [
        ("alice", "Zo\u00eb"),
        ("alyce", "Zora"),
        ("bob", "\u6728"),
        ("carol", "..."),
        ("dora", "!!!"),
        ("eve", ""),
    ]
    assert list(look_alikes(people)) == []
