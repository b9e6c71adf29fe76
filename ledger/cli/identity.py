"""`rollproof identity`: keys of the parties on this machine."""

from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.app import command, group
from ledger.cli.call import Call, complete_identity
from ledger.cli.output import printable, rollproof
from ledger.cli.passphrase import ask_new, of_pem, passphrase, variable

_identity = group("identity", "Make and show the identities (key pairs) here.")

_MAX_PEM = 65_536
"""bytes of a PEM file"""

_Name = Annotated[str, typer.Argument(metavar="NAME", help="a-z, 0-9, '.', '_', '-'; a letter or digit first.")]


@command(_identity, "new", examples=["rollproof identity new alice"])
def new(call: Call, name: _Name) -> None:
    """Make a key pair, encrypted with a passphrase of 12 characters or more.

    The passphrase comes from ROLLPROOF_PASSPHRASE_ALICE (for alice), else from ROLLPROOF_PASSPHRASE, else you are asked
    for it on a terminal. Nobody can recover it.
    """
    # An invalid or existing name is refused before a passphrase is asked for.
    call.home.check_new(name)
    key = str(call.home.new_identity(name, ask_new(name)))
    if call.out.json:
        call.out.value({"name": name, "key": key})
        return
    call.out.say(f"Identity {name} made. Its verifier key, for whoever opens a game with {name} in it:")
    call.out.line(key)


@command(
    _identity,
    "import",
    examples=["rollproof identity import alice --pem alice.pem", "openssl genpkey -algorithm ed25519 -out alice.pem"],
)
def import_(
    call: Call,
    name: _Name,
    pem: Annotated[
        Path, typer.Option("--pem", metavar="FILE", help="A private key: Ed25519, PKCS#8, PEM; encrypted or not.")
    ],
) -> None:
    """Take in a key pair from another program, sealed with a passphrase of 12 characters or more.

    If FILE has a passphrase of its own, it comes from ROLLPROOF_PEM_PASSPHRASE, else you are asked for it on a
    terminal. The new passphrase is found as for `rollproof identity new`. FILE stays as it is: put it away, or remove
    it. The identity takes part in games that are opened from now on: nobody knows what was signed with the key
    elsewhere.
    """
    from ledger.cli.files import read_bounded
    from ledger.game.times import utc_now
    from ledger.seats.identity import Identity

    call.home.check_new(name)
    data = read_bounded(pem, _MAX_PEM)
    encrypted = b"ENCRYPTED" in data.partition(b"\n")[0]
    identity = Identity.from_pem(name, data, of_pem(str(pem)) if encrypted else None)
    key = str(call.home.add_identity(identity, ask_new(name), since=utc_now()))
    if call.out.json:
        call.out.value({"name": name, "key": key})
        return
    call.out.say(f"Identity {name} taken in. Its verifier key, for whoever opens a game with {name} in it:")
    call.out.line(key)


@command(_identity, "list", examples=["rollproof identity list", "rollproof identity list --json"])
def list_(call: Call) -> None:
    """List the identities here with their verifier keys."""
    keys = {name: str(call.home.key(name)) for name in call.home.names()}
    if call.out.json:
        call.out.value([{"name": name, "key": key} for name, key in keys.items()])
    elif keys:
        call.out.table(["name", "verifier key"], keys.items())
        for name in filter(call.home.weak, keys):
            call.out.say(
                f"The key file of {name} was sealed with less work than usual: who has a copy of the file can try "
                f"passphrases faster. For new games make another identity."
            )
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
    """Print an identity's verifier key, which the others need. It is no secret."""
    who = name or call.acting
    key = str(call.home.key(who))
    if call.out.json:
        call.out.value({"name": who, "key": key, "passphrase_variable": variable(who)})
    else:
        # As one line, however narrow the terminal: it is there to be copied.
        call.out.line(key)


@command(_identity, "move", examples=["rollproof identity move alice --out alice.moved"])
def move(
    call: Call,
    name: _Name,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file for key and memory.")],
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """End an identity's seat on this machine, for all its games, and write key and memory for another machine.

    FILE is sealed under the identity's passphrase. Use it on only one other machine, with `rollproof identity take`,
    and then remove it. From this moment on the identity signs and opens nothing here.
    """
    from ledger.cli.files import write_files

    secret = passphrase(name)
    # Whether the file can be written is looked at before anything ends.
    write_files({out: lambda stream: stream.write(call.home.move(name, secret))}, force=force, secret=True)
    if call.out.json:
        call.out.value({"name": name, "file": str(out)})
        return
    call.out.say(f"{name} signs and opens nothing on this machine any more. On the other machine:")
    call.out.line(rollproof("identity", "take", Path(out.name)))


@command(_identity, "take", examples=["rollproof identity take alice.moved"])
def take(
    call: Call,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `rollproof identity move` wrote.")],
) -> None:
    """Begin an identity's seat on this machine, with the key and memory from another machine.

    Its old seed chains open nothing here: commit to a new one in each game, after the last roll and before the next
    one.
    """
    from ledger.cli.files import read_bounded
    from ledger.seats.transfer import MAX_MOVED

    name = call.home.take(read_bounded(file, MAX_MOVED), passphrase)
    if call.out.json:
        call.out.value({"name": name, "key": str(call.home.key(name))})
        return
    call.out.say(f"{name} acts on this machine now. In each game of {name}'s that goes on, commit anew:")
    call.out.line(rollproof("commit", "GAME", "--as", name))


@command(_identity, "backup", examples=["rollproof identity backup alice --out alice.profile"])
def backup(
    call: Call,
    name: _Name,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where it is written.")],
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Write the file with which you can continue under a new key if this key is lost.

    FILE has no key that signs in games. It makes a new key for you (`rollproof identity restore`), and proves that the
    new key is the same person's. It opens with the identity's passphrase, and is the same each time. Keep it in another
    place.
    """
    from ledger.cli.files import write_files

    secret = passphrase(name)
    write_files({out: lambda stream: stream.write(call.home.back_up(name, secret))}, force=force, secret=True)
    if call.out.json:
        call.out.value({"name": name, "file": str(out)})
        return
    call.out.say(f"{printable(out)}: keep it where this machine's loss does not reach it. When {name}'s key is lost:")
    call.out.line(rollproof("identity", "restore", Path(out.name)))


@command(_identity, "restore", examples=["rollproof identity restore alice.profile"])
def restore(
    call: Call,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `rollproof identity backup`, or a page, wrote.")],
) -> None:
    """Continue under a new key, after a browser or machine with your key was lost.

    The new key takes part in new games. In a game that has begun it takes the old key's place while that is away
    (`rollproof join LINK --lost`). A succession (`rollproof identity successions`) shows others that you are the same
    person. Use FILE once, on one machine; then write a new one.
    """
    from ledger.cli.files import read_bounded
    from ledger.game.times import utc_now
    from ledger.seats.profile import MAX_PROFILE

    key = call.home.restore(read_bounded(file, MAX_PROFILE), passphrase, utc_now())
    name = key.name
    if call.out.json:
        call.out.value({"name": name, "key": str(key)})
        return
    call.out.say(
        f"{name} has a new key, and goes on where the old one ended. For whoever counts seasons or keeps a roster:"
    )
    call.out.line(rollproof("identity", "successions", name))
    call.out.say(f"{printable(file)} is used up. Write a new file for the new key:")
    call.out.line(rollproof("identity", "backup", name, "--out", Path(f"{name}.profile")))


@command(_identity, "successions", examples=["rollproof identity successions alice > alice.succession"])
def successions(
    call: Call,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Default: your only identity.", autocompletion=complete_identity),
    ] = None,
) -> None:
    """Print how an identity came to its key. It proves to others that the new key is yours, and contains no secret."""
    from verifier.log.succession import parse_successions

    who = name or call.acting
    data = call.home.successions(who)
    chain = parse_successions(data)
    if call.out.json:
        call.out.value([{"key": one.key, "new": one.new, "time": one.time} for one in chain])
    elif chain:
        for line in data.decode().splitlines():
            call.out.line(line)
    else:
        call.out.say(f"{who} has had one key from the beginning.")


@command(_identity, "forget", examples=["rollproof identity forget alice"])
def forget(call: Call, name: _Name) -> None:
    """Begin again when the memory of an identity's seat is lost: only in games that are opened from now on.

    In games that have begun it can no longer sign or open anything, because it could contradict itself without knowing.
    """
    from ledger.game.times import utc_now

    call.home.forget(name, passphrase(name), utc_now())
    if call.out.json:
        call.out.value({"name": name, "key": str(call.home.key(name))})
        return
    call.out.say(f"{name} takes part in games that are opened from now on, and in no other.")
