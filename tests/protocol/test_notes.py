"""What is a note, a signature line and a witness's key (specs/checkpoints.md), guard by guard."""

from base64 import b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from verifier.checkpoints.checkpoint import MAX_TIMESTAMP, Checkpoint, CosignerKey, cosign, parse_cosigner_key
from verifier.checkpoints.head import parse_size
from verifier.checkpoints.note import (
    Note,
    format_note,
    key_name_is_valid,
    parse_note,
    parse_signatures,
    signed_by,
)
from verifier.errors import KeyFormatError, NoteError
from verifier.log.identity import VerifierKey, decode_base64

SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = CosignerKey("walt", SECRET.public_key().public_bytes_raw())
HEAD = Checkpoint(bytes(32), 7, bytes(32))
LINE = cosign(HEAD, KEY, 1, SECRET.sign)
DATA = format_note(Note(HEAD.text, (LINE,)))


def as_line(name: str, data: bytes, dash: str = "— ") -> str:
    return f"{dash}{name} {b64encode(data).decode()}\n"


def test_a_note_has_no_more_bytes_than_it_may() -> None:
    assert parse_note(DATA, most=len(DATA)).text == HEAD.text
    with pytest.raises(NoteError, match="longer than"):
        parse_note(DATA, most=len(DATA) - 1)


@pytest.mark.parametrize("character", ["\x00", "\x07", "\t", "\r", "\x1b", "\x7f", "\x85", "\x9f"])
def test_no_text_of_a_note_has_control_characters(character: str) -> None:
    with pytest.raises(NoteError, match="control character"):
        parse_note(DATA.replace(b"\n7\n", f"\n7\n{character}\n".encode()))


def test_signatures_alone_are_no_note() -> None:
    for data in (LINE.line, HEAD.text, f"{HEAD.text}\n"):
        with pytest.raises(NoteError, match="no empty line with signatures below it"):
            parse_note(data.encode())


def test_every_signature_line_ends_in_a_line_feed() -> None:
    assert parse_signatures(LINE.line) == (LINE,)
    with pytest.raises(NoteError, match="no line feed"):
        parse_signatures(LINE.line[:-1])


def test_a_signature_line_begins_with_its_dash() -> None:
    for dash in ("", "- ", "—"):
        with pytest.raises(NoteError, match="no signature line"):
            parse_signatures(as_line("walt", bytes(68), dash))


def test_a_signature_line_has_a_key_id_and_a_byte_more() -> None:
    assert parse_signatures(as_line("walt", b"1234" + b"5"))[0].signature == b"5"
    for line in (as_line("walt", b"1234"), "— walt\n"):
        with pytest.raises(NoteError, match="not base64 of a key id and a signature"):
            parse_signatures(line)


def test_a_line_of_another_key_with_the_name_is_not_looked_at() -> None:
    """It neither counts nor spoils the note."""
    other = CosignerKey("walt", Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw())
    note = parse_note(DATA)
    assert signed_by(note, other) is None
    assert signed_by(note, KEY) == LINE


@pytest.mark.parametrize("text", ["AAA", "AAAA=", "AA==AA==", "AB==", "AAAA\n", "ÄÖÜß", "𝔸𝔸𝔸𝔸"])
def test_base64_has_one_form(text: str) -> None:
    assert decode_base64(text) is None


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_witness_key_has_32_bytes(size: int) -> None:
    with pytest.raises(NoteError, match="no Ed25519 key"):
        CosignerKey("walt", b"\x09" * size)


def test_a_cosignature_has_a_time_that_can_be_one() -> None:
    message = HEAD.text.encode()
    for time in (1, MAX_TIMESTAMP):
        assert KEY.verify(cosign(HEAD, KEY, time, SECRET.sign).signature, message)
    for time in (0, MAX_TIMESTAMP + 1):
        assert not KEY.verify(cosign(HEAD, KEY, time, SECRET.sign).signature, message)
    for signature in (b"", LINE.signature[:-1], LINE.signature + b"\x00"):
        assert not KEY.verify(signature, message)


@pytest.mark.parametrize("name", ["", " ", "wa lt", "wa+lt", "walt\u3000", "wa\x85lt"])
def test_a_key_has_a_name_without_blanks_and_plus_signs(name: str) -> None:
    assert not key_name_is_valid(name)
    with pytest.raises(NoteError):
        parse_signatures(as_line(name, bytes(68)))
    assert key_name_is_valid("walt.example/w1")


def test_a_number_is_plain_decimal_and_exact_wherever_it_is_read() -> None:
    most = 2**53 - 1
    assert [parse_size(text) for text in ("0", "7", "10", str(most))] == [0, 7, 10, most]
    for text in ("", "07", "+7", "-7", " 7", "7 ", "7\n", "7_0", "７", "seven", str(most + 1), "1" * 17, "1" * 5_000):
        assert parse_size(text) is None, text


def test_a_witness_key_is_of_a_type_that_cosigns() -> None:
    assert parse_cosigner_key(str(KEY)).public_bytes == KEY.public_bytes
    for data in (b"\x01" + KEY.public_bytes, b""):
        with pytest.raises(NoteError, match="type 4, Ed25519, or 6"):
            parse_cosigner_key(f"walt+{KEY.key_id.hex()}+{b64encode(data).decode()}")
    for text in ("walt", "walt+00000000", "walt+00000000+!"):
        with pytest.raises(NoteError, match="no verifier key"):
            parse_cosigner_key(text)
    mldsa = b64encode(b"\x06" + bytes(1312)).decode()
    with pytest.raises(NoteError, match="it should be") as error:
        parse_cosigner_key(f"walt+00000000+{mldsa}")
    right = str(error.value).rpartition(" ")[2]
    assert parse_cosigner_key(right).name == "walt"
    with pytest.raises(NoteError, match=r"not one for cosignatures \(cosignature/v1, type 4\)"):
        CosignerKey.parse(right)


def test_a_key_with_one_padding_too_many_is_not_base64_whichever_python_reads_it() -> None:
    """3.11 reads over it and 3.14 does not; reports must have the same words."""
    with pytest.raises(KeyFormatError, match="the key of 'host' is not base64"):
        VerifierKey.parse("host+a90683b5+AfNHogD2lAB94iNc7XZhDHWbJPOrCUKVViDlDHb+jIfi=")
