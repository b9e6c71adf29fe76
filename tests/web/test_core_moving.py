"""A seat that moves to another browser, and files of seats that somebody else made (specs/page.md, "Moving")."""

import pytest

from ledger.seats.identity import MIN_PASSPHRASE
from tests.conftest import SPECS
from tests.server.served import Server
from tests.web.browsers import NODE, Browsers, CoreError
from tests.web.tables import At

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.usefixtures("all_leave"),
    pytest.mark.long,
]

PASSPHRASE = "seven songs in a row"
DEEP = "'['.repeat(200000) + ']'.repeat(200000)"
HOSTILE = {
    "a member more": "memory.more = 1",
    "no object": "all.memory = [1]",
    "null": "all.memory = null",
    "200,000 levels": f"all.text = {DEEP}",
    "200,000 levels in a member": f"all.text = JSON.stringify(memory).replace('\"moves\":1', '\"moves\":' + {DEEP})",
    "no JSON": "all.text = '{'",
    "a prototype": "all.text = JSON.stringify(memory).replace('{', '{\"__proto__\":{\"game\":1},')",
    "a game that is none": "memory.game = 'x'",
    "a game without a record": "memory.record = null",
    "a record without a game": "memory.game = null",
    "a link that is none": "memory.link = 'javascript:alert(1)'",
    "another table's link": "memory.link = memory.link.replace(/\\/t\\/../, '/t/00')",
    "another secret in the link": "memory.link = memory.link.replace(/[^.]{43}$/, 'A'.repeat(43))",
    "invites that are none": "memory.invites = [{}]",
    "invites without end": "memory.invites = Array(65).fill({})",
    "no invites": "delete memory.invites",
    "terms that are none": "memory.terms = '{}'",
    "terms that are a number": "memory.terms = 7",
    "terms with another title": "memory.terms = memory.terms.replace('Tavern', 'Cavern')",
    "moves below one": "memory.moves = 0",
    "moves that no number ends": "memory.moves = 1e300",
    "agreed that is a word": "memory.agreed = 'yes'",
    "chains that are none": "memory.record.chains = {length: 1}",
    "a chain of a million links": "memory.record.chains[0].length = 1000000",
    "10,000 chains": "memory.record.chains = Array(10000).fill(memory.record.chains[0])",
    "a chain of a negative length": "memory.record.chains[0].length = -1",
    "a chain with another tip": "memory.record.chains[0].tip = '00'.repeat(32)",
    "a chain with another secret": "memory.record.chains[0].secret = '00'.repeat(32)",
    "a chain with an opening that is none": "memory.record.chains[0].opening = 'x'",
    "a chain without its opened": "delete memory.record.chains[0].opened",
    "received that is no receipt": "memory.record.received = ['x']",
    "received that is deep": f"memory.record.received = [{DEEP}]",
    "a receipt that is no checkpoint": "memory.record.receipts[0].note = 'x'",
    "a receipt of another size": "memory.record.receipts[0].size = 1",
    "signed that is no table": "memory.record.signed = {x: 1}",
    "a head that is none": "memory.record.head = {size: -1, leaf: ''}",
    "a number without end": "memory.record.number = Number.MAX_SAFE_INTEGER",
    "stopped by a number": "memory.record.stopped = 1",
    "a warning that is markup": "memory.record.warnings = ['<b>']",
    "a warning without words": "memory.record.warnings = [{files: [], id: '', message: {values: {}}}]",
    "a warning with deep words": "let m = {text: ''}; for (let i = 0; i < 1000; i++) m = {all: [m]}; "
    "memory.record.warnings = [{files: [], id: '', message: m}]",
    "a name that is none": "file.name = '<b>'",
    "a name that is nobody's": "file.name = 'file'",
    "another name": "file.name = 'mallory'",
    "fewer iterations": "file.iterations = 1",
    "iterations for hours": "file.iterations = 1e15",
    "a salt of one byte": "file.salt = '00'",
    "a member more outside": "file.more = 1",
    "a key that is none": "all.secret = new Uint8Array(48)",
    "a key of another kind": "secret[12] ^= 1",
    "a short key": "all.secret = secret.slice(0, 20)",
}


@pytest.fixture(scope="module")
def moved(server: Server, browsers: Browsers) -> tuple[At, str]:
    """Bob's seat, in the midst of a game, as a file."""
    at = At(browsers, server.address, passphrases={"bob": PASSPHRASE})
    at.roll("bob")
    return at, at("move", "bob")


def test_hostile_files_are_refused_before_anything_is_stored(moved: tuple[At, str]) -> None:
    at, file = moved
    told: dict[str, str | None] = {}
    for about, change in HOSTILE.items():
        at.here("phone", storage=f"phone {about}")
        storage = f"{at.prefix} phone {about}"
        try:
            forged = at("forge", "", file=file, passphrase=PASSPHRASE, change=change)
            at("take", "phone", file=forged, passphrase=PASSPHRASE)
            told[about] = "taken"
        except CoreError as error:
            told[about] = error.code if error.name == "Refused" else f"{error.name} {error.message}"
        if set(at.browsers("stored", storage=storage).values()) != {0}:
            told[about] = f"{told[about]}, stored"
    expected = dict.fromkeys(HOSTILE, "moved.file") | {"no JSON": "moved.passphrase"}
    assert told == expected


def test_a_file_leads_to_no_other_server(moved: tuple[At, str]) -> None:
    at, file = moved
    for change in (
        "file.server = 'https://dice.example.com'",
        "memory.link = memory.link.replace(/^http:..[^/]*/, 'https://dice.example.com')",
        "memory.link = memory.link.replace(/^http:/, 'https:')",
        "memory.link = memory.link.replace('/t/', '/elsewhere/t/')",
    ):
        at.here("phone", storage="phone elsewhere")
        forged = at("forge", "", file=file, passphrase=PASSPHRASE, change=change)
        with pytest.raises(CoreError) as refused:
            at("take", "phone", file=forged, passphrase=PASSPHRASE)
        assert refused.value.code == "moved.server"
        assert "another server" in refused.value.message
        assert set(at.browsers("stored", storage=f"{at.prefix} phone elsewhere").values()) == {0}


def test_a_short_passphrase_is_refused_before_a_seat_is_taken(server: Server, browsers: Browsers) -> None:
    assert browsers("minPassphrase") == MIN_PASSPHRASE == 12
    assert f"`MIN_PASSPHRASE` = {MIN_PASSPHRASE} characters" in " ".join(
        (SPECS / "seats.md").read_text(encoding="utf-8").split()
    )
    for short in ("x", "x" * (MIN_PASSPHRASE - 1), "\U0001f3b2" * (MIN_PASSPHRASE - 1)):
        with pytest.raises(CoreError) as refused:
            At(browsers, server.address, passphrases={"bob": short})
        assert refused.value.code == "passphrase"
        assert f"at least {MIN_PASSPHRASE} characters" in refused.value.message


def test_a_passphrase_of_the_least_length_opens_the_file(moved: tuple[At, str], server: Server) -> None:
    at = At(moved[0].browsers, server.address, passphrases={"bob": "\u00e9" * MIN_PASSPHRASE})
    at.here("phone")
    at("take", "phone", file=at("move", "bob"), passphrase="\u00e9" * MIN_PASSPHRASE)


def test_a_seat_that_was_taken_by_a_new_link_moves_with_what_the_host_made_of_it(
    server: Server, browsers: Browsers
) -> None:
    for who in ("host", "bob", "phone", "other"):
        browsers("here", f"new link {who}", address=server.address)
    links = browsers("open", "new link host", system="dice-1", title="Tavern", roles=["player"])["links"]
    browsers("table", "new link host", link=links["player"])
    browsers("table", "new link bob", link=browsers("newLink", "new link host", role="player"))
    browsers("sit", "new link bob", name="bob", passphrase=PASSPHRASE)
    file = browsers("move", "new link bob")
    for change in ("memory.invites = []", "memory.invites[0].count = 2", "memory.invites.push(memory.invites[0])"):
        forged = browsers("forge", "", file=file, passphrase=PASSPHRASE, change=change)
        with pytest.raises(CoreError) as refused:
            browsers("take", "new link other", file=forged, passphrase=PASSPHRASE)
        assert refused.value.code == "moved.file"
    browsers("take", "new link phone", file=file, passphrase=PASSPHRASE)
    assert browsers("stored", storage="new link phone")["seats"] == 1
