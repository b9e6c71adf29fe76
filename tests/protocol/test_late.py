"""A player who comes later, in a game of any dice (specs/protocol.md, "Who comes later"); Magic has vectors."""

from ledger.cli.hints import call_lines
from rules.offered import offered
from tests.oracles.reference import Writer
from verifier import verify

ROLES = {"host": "keeper", "alice": "player", "bob": "player"}


def let_in() -> Writer:
    """A game in which everybody sits, and carol was let in."""
    w = Writer("late dice", dict(ROLES))
    w.open(system="dice-1", options={}, admits=["player", "gm"])
    w.join("alice", "bob")
    w.commit("host", "alice", "bob")
    w.admit("carol", "player")
    return w


def late_game() -> Writer:
    """The same, and carol has joined."""
    w = let_in()
    w.join("carol")
    return w


def test_a_late_player_closes_its_own_rolls_and_nobody_elses() -> None:
    w = late_game()
    w.commit("carol")
    w.request("alice", "roll", {"dice": "d20"}, [20])
    flawed = w.void("carol", ["bob"])
    report, _ = verify(w.data)
    assert (report.findings[0].code, report.findings[0].seq, report.findings[0].fault) == (
        "state.void",
        flawed,
        "carol",
    )


def test_a_late_player_asks_for_no_dice_before_its_chain_so_the_closer_stays_who_rolls() -> None:
    w = late_game()
    flawed = w.request("carol", "roll", {"dice": "d20"}, [20])
    report, _ = verify(w.data)
    found = report.findings[0]
    assert (found.code, found.seq, found.fault) == ("state.not-committed", flawed, "carol")


def rolled(w: Writer, author: str) -> None:
    w.request(author, "roll", {"dice": "d20"}, [20])
    w.reveal()


def test_nobody_waits_for_a_player_who_was_let_in_and_has_not_joined() -> None:
    w = let_in()
    rolled(w, "alice")
    report, _ = verify(w.data)
    assert report.verdict == "holds"
    assert report.state is not None
    assert report.state["waits_for"] is None
    assert len(report.state["rolls"]) == 1


def test_a_late_player_is_one_of_those_whom_a_game_master_calls() -> None:
    w = Writer("late call", {**ROLES, "gina": "gm"})
    w.open(system="dice-1", options={}, admits=["player"])
    w.join("alice", "bob", "gina")
    w.commit("host", "alice", "bob", "gina")
    w.admit("carol", "player")
    w.join("carol")
    w.write("gina", "declare", {"what": "call", "source": "Dexterity save", "dice": "d20"})
    report, _ = verify(w.data)
    assert report.verdict == "holds"
    assert report.state is not None
    assert report.state["calls"][0]["parties"] == ["alice", "bob", "carol"]


def test_when_all_had_consented_to_a_judge_stays_when_others_consent_to_the_next() -> None:
    w = Writer("late two", dict(ROLES))
    w.open(system="dice-1", options={}, admits=["player", "judge"])
    w.join("alice", "bob")
    dana = w.admit("dana", "judge")
    w.join("dana")
    settled = w.consent(dana, "alice", "bob")
    zoe = w.admit("zoe", "player")
    w.consent(zoe, "alice", "bob")
    _, replay = verify(w.data)
    assert replay is not None
    assert replay.session.parties.late["dana"].settled == settled
    assert not replay.session.parties.is_newcomer("zoe")


def test_who_left_before_all_had_consented_stays_a_newcomer() -> None:
    w = let_in()
    w.consent(w.last, "alice")
    w.join("carol")
    w.leave("carol", "carol")
    w.leave("bob", "bob")
    report, _ = verify(w.data)
    assert report.verdict == "holds"
    assert report.state is not None
    assert report.state["newcomers"] == ["carol"]


def test_a_newcomer_is_offered_no_say_in_who_is_signed_away_and_nobody_waits_for_its_word() -> None:
    w = Writer("late say", dict(ROLES))
    w.open(system="dice-1", options={}, admits=["player", "judge"], away="others")
    w.join("alice", "bob")
    w.commit("host", "alice", "bob")
    admitted = [w.admit("dana", "judge"), w.admit("carol", "player")]
    w.join("dana", "carol")
    w.write("alice", "away", {"party": "bob"})

    def offers(server: str | None = None) -> tuple[list[str], list[str], list[str]]:
        """Whom carol can sign away, the types that dana can write, and what is said of the call."""
        _, replay = verify(w.data)
        assert replay is not None
        carol, dana = (offered(replay.session, name, replay.size) for name in ("carol", "dana"))
        away = [action.body["party"] for action in carol if action.type == "away"]
        return away, sorted({action.type for action in dana}), call_lines(replay, "9c31", (), str, server)

    told = "alice called bob away; for it to take effect {} must call too:"
    assert offers() == (["carol"], ["leave"], [told.format("host")])
    assert "when the server finds that bob is gone" in offers(server="host")[2][0]
    for admit in admitted:
        w.consent(admit, "alice", "bob")
    w.write("alice", "away", {"party": "bob"})  # bob wrote, so the first call was forgotten
    assert offers() == (
        ["alice", "bob", "carol"],
        ["away", "leave", "ruling"],
        [told.format("host, carol")],
    )


def test_two_who_are_gone_hold_each_other_up_until_one_of_them_goes_or_speaks() -> None:
    """Bob's and carol's phones die at once (specs/limits.md): else the server and alice could leave both out."""
    w = Writer("two phones", {"host": "keeper", "alice": "player", "bob": "player", "carol": "player"})
    w.open(system="dice-1", options={}, away="others")
    w.join("alice", "bob", "carol")
    w.commit("host", "alice", "bob", "carol")

    def away() -> frozenset[str]:
        report, replay = verify(w.data)
        assert report.verdict == "holds", report.findings
        assert replay is not None
        return replay.session.parties.away

    for gone in ("bob", "carol"):
        for by in ("alice", "host"):
            w.write(by, "away", {"party": gone})
    assert away() == frozenset(), "each of the two is one of the others"
    w.write("carol", "away", {"party": "carol"})  # with which all calls are forgotten
    for by in ("alice", "host"):
        w.write(by, "away", {"party": "bob"})
    assert away() == {"bob", "carol"}
