"""A table before its event 0 (specs/network.md): what is signed, and what is refused; the vectors of it."""

import json
from typing import Any

import pytest

from ledger.lobby import (
    LobbyError,
    LobbySeat,
    check_access,
    check_closing,
    check_delete,
    check_free,
    check_link,
    check_opened,
    check_seat,
    check_start,
    check_terms,
    event_zero_terms,
    parse_access,
    parse_closing,
    parse_delete,
    parse_link,
    parse_seat,
    parse_start,
    parse_terms,
)
from tests.make.network import FILE, make
from verifier import Replay, VerifierKey

CASES: dict[str, Any] = json.loads(FILE.read_bytes())
TERMS = parse_terms(CASES["terms"].encode())
SEATS = [parse_seat(text.encode()) for text in CASES["seats"]]
START = parse_start(CASES["start"].encode())
EVENT_ZERO = CASES["opened"][0]["line"].encode()


def test_the_vectors_are_what_the_maker_makes() -> None:
    assert FILE.read_bytes() == make()


def code_of(case: dict[str, Any]) -> str | None:
    """What is refused of a case; the class of `flaw`."""
    try:
        check(case)
    except LobbyError as error:
        return error.code
    return None


def check(case: dict[str, Any]) -> None:
    match case:
        case {"terms": text, "link": link}:
            check_link(parse_link(link), parse_terms(text.encode()))
        case {"terms": text, "now": now}:
            check_terms(parse_terms(text.encode()), VerifierKey.parse(CASES["keeper"]), now)
        case {"link": link}:
            parse_link(link)
        case {"seat": text}:
            seat = parse_seat(text.encode())
            check_seat(TERMS, seat)
            check_free(SEATS, seat)
        case {"line": line}:
            seats = [parse_seat(text.encode()) for text in case.get("seats", CASES["seats"])]
            start = parse_start(case.get("start", CASES["start"]).encode())
            check_opened(TERMS, seats, start, line.encode(), bytes.fromhex(case["game"]))
        case {"start": text}:
            check_start(TERMS, SEATS, parse_start(text.encode()))
        case {"access": text}:
            replay = Replay()
            replay.step(EVENT_ZERO)
            check_access(replay.terms.keys, replay.terms.game, parse_access(text.encode()), "2026-11-20T19:00:00.000Z")
        case {"closing": text}:
            check_closing(TERMS, bytes.fromhex(CASES["opened"][0]["game"]), parse_closing(text.encode()))
        case {"delete": text}:
            check_delete(TERMS, parse_delete(text.encode()))
        case _:
            raise AssertionError(case)


@pytest.mark.parametrize(
    ("kind", "case"),
    [(kind, case) for kind, cases in CASES.items() if isinstance(cases, list) for case in cases if "flaw" in case],
    ids=lambda told: told if isinstance(told, str) else str(told["about"]),
)
def test_vector(kind: str, case: dict[str, Any]) -> None:
    assert code_of(case) == case["flaw"], kind


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
    made = event_zero_terms(TERMS, START)
    assert [(str(key), role) for key, role in made.parties] == [(p.key, p.role) for p in body.parties]  # type: ignore[attr-defined]
    assert (made.system, made.contributors, made.title, made.others_away) == ("dice-1", "all", "Table one", False)
    assert bytes(made.options) == b"{}"


def test_a_seat_is_new_once() -> None:
    free: list[LobbySeat] = []
    for seat in SEATS:
        assert check_free(free, seat)
        free.append(seat)
        assert not check_free(free, seat)
