"""What systems say of events, rolls and states reads as words, in every state of the scripts: a line each, no JSON."""

import json

import pytest

import rules
from ledger.cli.describe import event_line, notes_of, show_session, summary
from ledger.cli.output import Output
from tests.support.sessions import scripts_of, sessions

SYSTEMS = list(rules.SYSTEMS)


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_event_and_state_of_the_scripts_reads_as_words(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = 0
    found = rules.SYSTEMS[system]
    for script in scripts_of(system):
        session = None
        for seq, line, after in sessions(script):
            session = after
            if line.type not in found.bodies:
                continue
            event = {"seq": seq, "author": line.author, "type": line.type, "body": json.loads(bytes(line.body))}
            for text in (event_line(event, system, str), summary(event, system, str)):
                assert "\n" not in text, (script.about, text)
                assert "{" not in text.replace("{1}", "").replace("{2}", "") or '"' not in text, (script.about, text)
            told += 1
        if session is None:
            continue
        settled, opened = found.rolls(session.game)
        for roll in (*settled, *opened):
            assert all("\n" not in note for note in notes_of(session, roll.roll, str))
        if session.rulings or opened or settled:
            show_session(Output(), session, 10)
            assert "UNSET" not in capsys.readouterr().out
    assert told > 50


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_is_listed_under_its_name_and_has_all_that_people_are_told(system: str) -> None:
    found = rules.SYSTEMS[system]
    assert rules.games()[found.name] == system
    assert set(found.claims) <= set(found.bodies)
    for notation in found.notations.values():
        assert notation.parse(notation.write(notation.parse(notation.example))) == notation.parse(notation.example)
