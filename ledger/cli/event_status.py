"""`rollproof event`: which events there are, and how one stands (specs/event.md)."""

import re
from collections.abc import Sequence
from typing import Any

from ledger.cli.app import command
from ledger.cli.call import Call
from ledger.cli.event_desk import Event, EventDesk, RoundNumber, event_group
from ledger.cli.output import command_line

__all__: list[str] = []


@command(event_group, "list", examples=["rollproof event list"])
def list_(call: Call) -> None:
    """List the events of your home."""
    logs = call.home.event_logs()
    call.closing.callback(logs.close)
    found = logs.events()
    if call.out.json:
        call.out.value([{"event": each.event, "title": each.title, "lines": each.lines} for each in found])
    else:
        call.out.table(["event", "title", "lines"], [(each.event[:12], each.title, each.lines) for each in found])


@command(
    event_group,
    "status",
    signed=True,
    examples=["rollproof event status 'Spring Open'", "rollproof event status 'Spring Open' --as dana"],
)
def status(call: Call, event: Event, round_: RoundNumber = None) -> None:
    """Show the state of an event: each table of a round, calls that wait, and the size and root of its log.

    For an event at a server it also shows who is missing at each table of the current round, and for whom rolls wait.
    The server shows this only to people of the event.
    """
    from verifier.event.verification import event_state

    desk = EventDesk(call, event)
    state: dict[str, Any] = event_state(desk.state)
    replay = desk.replay
    state |= {"event": desk.event.hex(), "lines": replay.size, "root": replay.tree.root().hex()}
    state["waiting"] = [
        {"line": line, "what": kind, "round": number, "table": table}
        for line, (kind, number, table, done) in sorted(desk.state.calls.items())
        if kind != "answer" and not done
    ]
    state["claims"] = [
        {"line": table.claim.seq, "round": found.number, "table": table.number}
        for found in desk.state.rounds
        for table in found.tables.values()
        if table.claim is not None
    ]
    told = _waiting_at_server(desk)
    state |= told
    new_keys = _new_keys(desk) if told else []
    state |= {"new_keys": new_keys} if told else {}
    if call.out.json:
        call.out.value(state)
        return
    players = state["players"]
    call.out.say(f"{state['title']}: {players['in']} of {players['registered']} players are in")
    for each in state["rounds"]:
        if each["round"] != (round_ or len(state["rounds"])):
            continue
        call.out.say(f"round {each['round']}, {each['state']}; byes: {', '.join(map(str, each['byes'])) or 'none'}")
        claims = {claim["table"]: claim["line"] for claim in state["claims"] if claim["round"] == each["round"]}
        rows = [(table["table"], _sides(table), _outcome(table, claims)) for table in each["tables"]]
        if told and each["state"] == "running":
            call.out.table(
                ["table", "sides", "result", "who is there"], [(*row, _there(desk, told, row[0])) for row in rows]
            )
        else:
            call.out.table(["table", "sides", "result"], rows)
    for roll in told.get("rolls", ()):
        call.out.say(f"table {roll['table']}: a roll waits for {_called(desk, roll['players'])} since {roll['time']}")
    for each in new_keys:
        call.out.say(_new_key_line(desk, each))
    for call_ in state["waiting"]:
        call.out.say(f"line {call_['line']}: {call_['what']} at table {call_['table']} waits for an answer")
    call.out.say(f"size and root of the log: {state['lines']} {state['root']}")


def _waiting_at_server(desk: EventDesk) -> dict[str, Any]:
    """Return `missing` and `rolls` by tables, with numbers of players; nothing if the server does not say it."""
    running = desk.state.round is not None and desk.state.round.state == "running"
    found = desk.server.waiting() if desk.server is not None and running else None
    if found is None:
        return {}
    return {
        "missing": [{"table": each.table, "players": _numbers(each.parties)} for each in found.missing],
        "rolls": [{"table": w.table, "players": _numbers(w.parties), "time": w.time} for w in found.waiting],
    }


def _new_keys(desk: EventDesk) -> list[dict[str, Any]]:
    """Return the players at open tables whose keys were corrected since, and whom each waits for."""
    from ledger.errors import AwayError, ServerError

    found, round_ = [], desk.state.round
    for table in () if round_ is None else round_.tables.values():
        opened = None if table.line is None else desk.state.openings[table.line].tables[table.number].game
        numbers = [n for n in table.players if table.line is not None and desk.state.players[n].rekeyed > table.line]
        if table.result is not None or opened is None or not numbers:
            continue
        try:
            waits = _waits_for(desk, bytes.fromhex(opened), numbers)
        except (AwayError, ServerError):
            continue
        found += [{"table": table.number, "player": n, "waits_for": waits[n]} for n in numbers if waits[n]]
    return found


def _waits_for(desk: EventDesk, game: bytes, numbers: Sequence[int]) -> dict[int, str]:
    """Return for players with a new key whom it waits for: a judge, or the phone; empty where it has its place."""
    from ledger.seats.fork_guard import waits
    from verifier import verify

    assert desk.server is not None
    replay = verify(desk.server.log_of(game))[1]
    found: dict[int, str] = {}
    for number in numbers:
        key = desk.state.players[number].key
        assert key is not None
        there = replay is not None and replay.terms.keys.get(key.name) == key
        waiting = replay is not None and waits(replay, key)
        found[number] = "" if there else "phone" if waiting else "judge"
    return found


def _new_key_line(desk: EventDesk, each: dict[str, Any]) -> str:
    """Say whom the new key of a player waits for, and what to type."""
    who, table = _called(desk, [each["player"]]), each["table"]
    if each["waits_for"] == "phone":
        return f"table {table}: {who} goes on as soon as the new phone joins"
    judges = [name for name in desk.state.people if desk.state.role_of(name) in ("head", "judge")]
    if not judges:
        return f"table {table}: {who} has a new key, and goes on when a judge signs it away: none is appointed"
    from verifier.event.tables import table_title

    acting, event = desk.call.acting_if_named(), desk.state.terms.body.title
    judge, title = acting if acting in judges else judges[0], table_title(event, len(desk.state.rounds), table)
    commands = command_line("event", "join", event, "--table", str(table), "--as", judge)
    commands += command_line("away", title, "--party", f"p{each['player']}", "--void", "--as", judge)
    return f"table {table}: {who} has a new key, and goes on when a judge has signed the old phone away:{commands}"


def _numbers(parties: Sequence[str]) -> list[int]:
    """The numbers of players, of whom a server spoke by their names; others than players are left out."""
    from verifier.event.acts import PLAYER_NAME

    return [int(party[1:]) for party in parties if re.fullmatch(PLAYER_NAME, party)]


def _called(desk: EventDesk, numbers: Sequence[int]) -> str:
    names = desk.names().by_number()
    return ", ".join(f"{number} {names.get(number, '')}".rstrip() for number in numbers)


def _there(desk: EventDesk, told: dict[str, Any], number: int) -> str:
    """Say who is missing at a table of the round that runs."""
    table = desk.state.rounds[-1].tables[number]
    if table.result is not None:
        return ""
    opened = None if table.line is None else desk.state.openings[table.line].tables[number].game
    if opened is None:
        return "not open yet"
    missing: list[int] = next((each["players"] for each in told["missing"] if each["table"] == number), [])
    return f"missing: {_called(desk, missing)}" if missing else "all are seated"


def _sides(table: dict[str, Any]) -> str:
    return " : ".join("+".join(map(str, side)) for side in table["sides"])


def _outcome(table: dict[str, Any], claims: dict[int, int]) -> str:
    if "result" in table:
        return " : ".join(" ".join(f"{name} {value}" for name, value in side.items()) for side in table["result"])
    if "left" in table:
        return f"left: {table['left']}"
    return f"slip {claims[table['table']]} waits" if table["table"] in claims else "open"
