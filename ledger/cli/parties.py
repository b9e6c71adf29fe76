"""Read parties and roles as they are typed, and open the identity that acts."""

from pathlib import Path
from typing import TYPE_CHECKING

from ledger.cli.call import Call
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from ledger.seats.identity import Identity
    from rules.base import LateRole
    from verifier import VerifierKey

__all__ = ["identity_of", "read_late_role", "read_party"]


def read_party(call: Call, text: str) -> "VerifierKey":
    """Return a verifier key: of an identity here, as given, or from a file."""
    from ledger.cli.files import read_bounded
    from verifier import VerifierKey

    if text in call.home.names():
        return call.home.key(text)
    if text.count("+") >= 2 and not Path(text).exists():
        return VerifierKey.parse(text)
    try:
        line = read_bounded(Path(text), 1_000).decode().partition("\n")[0].strip()
    except (FileNotFoundError, UnicodeDecodeError, ValueError):
        raise MissingError(
            f"{text!r} is no identity here, no verifier key (name+hash+base64) and no file with one. "
            f"Ask that party for: rollproof identity show"
        ) from None
    return VerifierKey.parse(line)


def read_late_role(text: str) -> "LateRole":
    """Return a role in which somebody may come later. Raises UsageError."""
    from typing import get_args

    from rules.base import LateRole

    for role in get_args(LateRole):
        if role == text:
            known: LateRole = role
            return known
    raise UsageError(f"{text!r} is no role in which somebody comes later: player, gm, witness or judge")


def identity_of(call: Call) -> "Identity":
    """Open the acting identity; create it first if --as names a new one."""
    from ledger.cli.passphrase import ask_new, passphrase

    named = call.acting_if_named()
    if named is not None and named not in call.home.names():
        call.home.check_new(named)
        secret = ask_new(named)
        call.home.new_identity(named, secret)
        call.secrets[named] = secret
        if not call.out.json:
            call.out.say(call.translate("Identity {name} made.").format(name=named))
        return call.home.identity(named, secret)
    name = call.acting
    secret = call.secrets[name] = call.secrets.get(name) or passphrase(name)
    return call.home.identity(name, secret)
