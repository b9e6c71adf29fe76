"""`rollproof identity`: keys of the parties on this machine."""

from typing import Annotated

import typer

from ledger.cli.app import Call, command, complete_identity, group
from ledger.cli.passphrase import ask_new, variable

_identity = group("identity", "Make and show the identities (key pairs) here.")

_Name = Annotated[str, typer.Argument(metavar="NAME", help="a-z, 0-9, '.', '_', '-'; a letter or digit first.")]


@command(_identity, "new", examples=["rollproof identity new alice"])
def new(call: Call, name: _Name) -> None:
    """Make a key pair, encrypted with a passphrase of 12 characters or more.

    The passphrase is taken from ROLLPROOF_PASSPHRASE_ALICE (for alice), else from ROLLPROOF_PASSPHRASE, else it is
    asked for on a terminal. Nobody can recover it.
    """
    # A name that is taken or none is refused before a passphrase is asked for.
    call.home.check_new(name)
    key = str(call.home.new_identity(name, ask_new(name)))
    if call.out.json:
        call.out.value({"name": name, "key": key})
        return
    call.out.say(f"Identity {name} made. Its verifier key, for whoever opens a game with {name} in it:")
    call.out.line(key)


@command(_identity, "list", examples=["rollproof identity list", "rollproof identity list --json | jq -r .[].key"])
def list_(call: Call) -> None:
    """List the identities here with their verifier keys."""
    keys = {name: str(call.home.key(name)) for name in call.home.names()}
    if call.out.json:
        call.out.value([{"name": name, "key": key} for name, key in keys.items()])
    elif keys:
        call.out.table(["name", "verifier key"], keys.items())
    else:
        call.out.say("There is no identity here yet. Make one with: rollproof identity new NAME")


@command(_identity, "show", examples=["rollproof identity show alice", "rollproof identity show > alice.txt"])
def show(
    call: Call,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Default: your only identity.", autocompletion=complete_identity),
    ] = None,
) -> None:
    """Print an identity's verifier key: what the others need, and no secret."""
    who = name or call.acting
    key = str(call.home.key(who))
    if call.out.json:
        call.out.value({"name": who, "key": key, "passphrase_variable": variable(who)})
    else:
        # As one line, however narrow the terminal: it is there to be copied.
        call.out.line(key)
