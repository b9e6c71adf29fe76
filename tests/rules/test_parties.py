"""Whose consent to a new key counts (specs/protocol.md, "A lost browser")."""

import pytest

from rules.base import Event, Role, Violation
from rules.parties import NewKey, Parties
from rules.protocol import Consent

ROLES: dict[str, Role] = {"keeper": "keeper", "alice": "player", "bob": "player", "carol": "player", "judy": "judge"}


def asked(*consents: str) -> Parties:
    """A table at which alice's new key waits, with these consents."""
    waits = {"alice": NewKey(7, "alice+key", "others")}
    parties = Parties(ROLES, frozenset(ROLES), asked=waits)
    for seq, name in enumerate(consents, 8):
        parties = parties.consent(Event(seq, name, "consent", Consent(7), b""))
    return parties


def test_all_others_who_play_consent_to_a_new_key_and_its_own_party_does_not_count() -> None:
    assert (asked().key_consents("alice"), asked().missing_key_consents("alice")) == ([], ["bob", "carol"])
    assert asked("alice", "carol").key_consents("alice") == ["carol"]
    assert asked("alice", "carol").missing_key_consents("alice") == ["bob"]
    assert asked("carol", "judy", "bob").key_consents("alice") == ["bob", "carol"]


@pytest.mark.parametrize("consents", [(), ("bob",), ("alice", "bob"), ("judy", "bob")])
def test_a_new_key_waits_until_all_others_have_consented(consents: tuple[str, ...]) -> None:
    with pytest.raises(Violation) as refused:
        asked(*consents).check_new_key("alice")
    assert refused.value.code == "state.consent"
    asked("bob", "carol").check_new_key("alice")
