"""`rollproof checkpoint`, `receipt`, `prove`, `check-proof`: keep, pass on and check the keeper's signatures."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, SupportsBytes

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import FileOrGame, Game, KeyPins
from ledger.cli.call import Call
from ledger.cli.output import printable, rollproof
from ledger.cli.play import Play
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from collections.abc import Collection

    from ledger.store.cosignatures import CheckpointUpdate
    from verifier.checkpoints.checkpoint import SignedCheckpoint
    from verifier.checkpoints.policy import WitnessKey

__all__ = ["CheckpointFile", "CheckpointedLog", "CosignersFile", "Out", "cosigners_of", "give", "tell_left_out"]

_MAX_LOG = 1_000_000_000
"""bytes of a log of which a proof is made, or a request to a witness"""

Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write it to this file, instead of the screen.")
]
CheckpointFile = Annotated[
    Path | None,
    typer.Option("--checkpoint", metavar="FILE", help="Default: the one beside the log, or the stored one."),
]
_Force = Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")]
_PolicyFile = Annotated[Path | None, typer.Option("--policy", metavar="FILE", help="A policy that it must meet.")]


CosignersFile = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        help="Keep the cosignatures of the witnesses that this policy names, too. verify says whether it is met.",
    ),
]


def cosigners_of(call: Call, policy: Path | None) -> "tuple[WitnessKey, ...]":
    """Return the witnesses of a policy file, for a store to check cosignatures by. Raises OSError, NoteError."""
    _ = call.translate
    if policy is None:
        return ()
    from verifier.shell.files import read_policy

    found = read_policy(policy)
    if found.split is not None:
        call.out.note(f"{printable(str(policy))}: policy.split: {found.split.message(_)}")
    return tuple(found.witnesses.values())


def tell_left_out(call: Call, file: str, taken: "CheckpointUpdate") -> None:
    """Say which lines of a checkpoint the store did not take."""
    _ = call.translate
    if taken.unknown:
        text = _(
            "{file}: left out, cosignatures by keys that are not known here: {count}. If you know a witness's key, "
            "give a policy file that names it, with --policy."
        )
        call.out.note(text.format(file=printable(file), count=taken.unknown))
    if taken.wrong:
        text = _("{file}: left out, cosignatures that do not hold: {count}. Ask those witnesses for theirs again.")
        call.out.note(text.format(file=printable(file), count=taken.wrong))


@command(
    app,
    "checkpoint",
    signed=True,
    examples=[
        "rollproof checkpoint 9c31",
        "rollproof checkpoint 9c31 --as host --out table-12.checkpoint",
        "rollproof checkpoint 9c31 --add answer-of-the-witness.txt --policy league.policy",
        "rollproof checkpoint tavern --policy league.policy",
    ],
)
def checkpoint(
    call: Call,
    game: Game,
    add: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A witness's answer, or a checkpoint with cosignatures, to be added to it."),
    ] = None,
    policy: CosignersFile = None,
    out: Out = None,
    force: _Force = False,
) -> None:
    """Print the keeper's last checkpoint of a game: its signature over the whole log.

    As the keeper, sign it first if there are events that it does not cover yet. Whoever holds a checkpoint can show
    later that a log was cut short or changed: rollproof verify LOG --receipt FILE.

    Cosignatures are added if they can be checked and hold: those of the game's own witnesses, and of the witnesses that
    the policy names. Of a game at a server, those that the server shows are added with --policy.
    """
    play = Play(call, game)
    found, keeper = play.ledger.checkpoint(play.game), play.replay.terms.keeper
    behind = found is None or found.head.size < play.replay.size
    if behind and play.keeper_here and call.acting_if_named() in (None, keeper):
        with play.seat(keeper) as seat:
            found = play.ledger.sign_checkpoint(play.game, seat)
    if found is None:
        raise MissingError(f"there is no checkpoint of this game here: {keeper}, the keeper, has to sign one")
    if add is None and policy is not None and play.carrier is not None:
        found = _shown_by_server(play, cosigners_of(call, policy))
    if add is not None:
        taken = play.ledger.take_checkpoint(_with_answer(found, add), cosigners_of(call, policy))
        found = taken.checkpoint
        tell_left_out(call, str(add), taken)
    give(call, found, out, force)


def _shown_by_server(play: Play, cosigners: "Collection[WitnessKey]") -> "SignedCheckpoint":
    """Return the server's checkpoint of a game, with the valid cosignatures. Raises AwayError, UsageError."""
    from verifier.checkpoints.checkpoint import parse_checkpoint

    assert play.carrier is not None
    play.carrier.fetch()
    note = play.call.remoted.run(play.carrier.connection.checkpoint(play.game))
    return play.ledger.take_checkpoint(parse_checkpoint(note), cosigners).checkpoint


@command(
    app,
    "receipt",
    signed=True,
    examples=["rollproof receipt 9c31 --as alice --out mine.checkpoint", "rollproof receipt 9c31 --take from-host.txt"],
)
def receipt(
    call: Call,
    game: Game,
    take: Annotated[
        Path | None, typer.Option(metavar="FILE|-", help="Keep this receipt, which the keeper gave you, for good.")
    ] = None,
    out: Out = None,
    force: _Force = False,
) -> None:
    """Print the latest receipt that you hold of a game: a checkpoint that the keeper signed for you.

    You get one with every event of yours. From then on your program signs nothing on a log that contradicts it.
    """
    play, name = Play(call, game), call.acting
    play.check_party(name)
    with play.seat(name) as seat:
        if take is not None:
            checkpoint = _read_checkpoint(take)
            play.in_turn(lambda view: seat.keyless.keep(checkpoint, view))
        found = seat.keyless.latest(play.game)
    if found is None:
        raise MissingError(f"{name} holds no receipt of this game yet")
    give(call, found, out, force)


@command(
    app,
    "prove",
    reads=True,
    examples=[
        "rollproof prove table-12.jsonl 17 --out event-17.tlog-proof",
        "rollproof prove 9c31 17 --out event-17.tlog-proof",
    ],
)
def prove(
    call: Call,
    what: FileOrGame,
    seq: Annotated[int, typer.Argument(metavar="SEQ", min=0, help="The number of the event.")],
    checkpoint: CheckpointFile = None,
    out: Out = None,
    force: _Force = False,
) -> None:
    """Write a proof that one event is in a game: for somebody who does not have the log (c2sp.org/tlog-proof@v1).

    The proof carries the event and the keeper's checkpoint, and is checked with: rollproof check-proof.
    """
    from verifier.checkpoints.event_proof import make_proof

    log = CheckpointedLog(call, what, checkpoint)
    if seq >= log.checkpoint.head.size:
        raise UsageError(f"the checkpoint is for {log.checkpoint.head.size} events, so there is no event {seq} in it")
    give(call, make_proof(log.leaves, log.lines[seq], seq, log.checkpoint), out, force)


@command(
    app,
    "check-proof",
    examples=[
        "rollproof check-proof event-17.tlog-proof --game 9c31… --keeper host+4f5a1c0e+AbC… --index 17",
        "rollproof check-proof event-17.tlog-proof event-17.json --game 9c31… --keeper host+4f… --index 17 --size 30",
    ],
)
def check_proof(
    call: Call,
    proof: Annotated[Path, typer.Argument(metavar="PROOF", help="The proof.")],
    keeper: Annotated[
        str, typer.Option(metavar="KEY", help="The keeper's verifier key, from elsewhere than the proof.")
    ],
    index: Annotated[int, typer.Option(metavar="N", min=0, help="The number of the event.")],
    game: Annotated[str, typer.Option(metavar="ID", help="The game's id, 64 hex digits.")],
    event: Annotated[
        Path | None,
        typer.Argument(metavar="[EVENT]", help="The event's line, if you have it; else the proof's is shown."),
    ] = None,
    size: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="How many events the checkpoint must be about.")
    ] = None,
    key: KeyPins = None,
    policy: _PolicyFile = None,
) -> None:
    """Check a proof of one event. You give game, key and number: what the proof says about these does not count.

    This needs no log. Exit code: 0 the proof holds, 1 it does not, 2 the file is no proof.
    """
    _ = call.translate
    from ledger.cli.verify import pins_of
    from verifier.shell.proofs import judge_proof, read_expected

    pins = pins_of(game, [keeper, *(key or ())])
    assert pins.game is not None
    expected = read_expected(pins.game, pins.keys[0], index, size=size, event=event, keys=pins.keys[1:], policy=policy)
    code, text = judge_proof(proof, expected, json=call.out.json, translate=_)
    call.out.say(text) if not call.out.json else call.out.line(text)
    raise typer.Exit(code)


class CheckpointedLog:
    """A log with a checkpoint: a file with its sidecar, or a stored game."""

    def __init__(self, call: Call, what: str, checkpoint: Path | None) -> None:
        """Raises UsageError, verifier.Failure, OSError, NoteError; ForkError where the log is another."""
        from ledger.cli.files import read_whole
        from verifier.shell.files import sidecar_of

        path = Path(what)
        if path.exists():
            self.data = read_whole(path, _MAX_LOG)
            self.checkpoint = _read_checkpoint(checkpoint or sidecar_of(path))
        else:
            self.data, self.checkpoint = _stored(call, what, checkpoint)
        self.what = what
        self.lines = self.data.removesuffix(b"\n").split(b"\n")
        self._check()

    def _check(self) -> None:
        from ledger.errors import BehindError, ForkError, MissingError
        from verifier import Replay
        from verifier.checkpoints.checkpoint import keeper_signed
        from verifier.log.merkle import leaf_hash, root_of

        head, replay = self.checkpoint.head, Replay()
        replay.step(self.lines[0])
        terms = replay.terms
        if head.game != terms.game:
            raise MissingError(f"the checkpoint is of another game than {printable(self.what)}: {head.game.hex()}")
        if not keeper_signed(self.checkpoint, terms.keys[terms.keeper]):
            raise MissingError(f"the checkpoint has no signature of {terms.keeper}, the keeper, that holds")
        if head.size > len(self.lines):
            text = f"the checkpoint is for {head.size} events, but {printable(self.what)} has {len(self.lines)}"
            raise BehindError(f"{text}: its end is missing")
        self.keeper = terms.keys[terms.keeper]
        self.leaves = [leaf_hash(line) for line in self.lines[: head.size]]
        if root_of(self.leaves) != head.root:
            text = "is another history than the one that the checkpoint was signed for"
            raise ForkError(f"{printable(self.what)} {text}")


def _stored(call: Call, what: str, checkpoint: Path | None) -> tuple[bytes, "SignedCheckpoint"]:
    play = Play(call, what)
    found = play.ledger.checkpoint(play.game) if checkpoint is None else _read_checkpoint(checkpoint)
    if found is None:
        name = printable(what)
        told = rollproof("checkpoint", play.short, "--as", "KEEPER")
        raise MissingError(f"there is no checkpoint of {name} here yet: {told}")
    stream = BytesIO()
    play.ledger.export(play.game, stream)
    return stream.getvalue(), found


def give(call: Call, thing: SupportsBytes, out: Path | None, force: bool) -> None:
    """Print a checkpoint, a proof or a request, or write it to a file."""
    from ledger.cli.files import write_files

    data = bytes(thing)

    def write(stream: BinaryIO) -> None:
        stream.write(data)

    if out is not None and out != Path("-"):
        write_files({out: write}, force=force)
    if call.out.json:
        call.out.value({"file": None if out is None else str(out), "note": data.decode()})
    elif out is None or out == Path("-"):
        call.out.line(data.decode().removesuffix("\n"))
    else:
        call.out.say(f"{printable(out)} written.")


def _read_checkpoint(path: Path) -> "SignedCheckpoint":
    """Raises OSError, UsageError."""
    from ledger.cli.files import read_bounded
    from verifier import NoteError
    from verifier.checkpoints.checkpoint import parse_checkpoint
    from verifier.checkpoints.note import MAX_NOTE

    try:
        return parse_checkpoint(read_bounded(path, MAX_NOTE))
    except FileNotFoundError:
        raise MissingError(f"there is no {printable(path)}: name the checkpoint with --checkpoint") from None
    except NoteError as problem:
        raise MissingError(f"{printable(path)} is not a checkpoint of a game: {problem}") from None


def _with_answer(found: "SignedCheckpoint", path: Path) -> "SignedCheckpoint":
    """Return the checkpoint with a witness's answer added: signature lines, or a whole checkpoint."""
    from ledger.cli.files import read_bounded
    from verifier import NoteError
    from verifier.checkpoints.checkpoint import SignedCheckpoint, parse_checkpoint
    from verifier.checkpoints.note import MAX_NOTE, parse_signatures

    data = read_bounded(path, MAX_NOTE)
    try:
        if b"\n\n" in data:
            return parse_checkpoint(data)
        lines = parse_signatures(data[: MAX_NOTE + 1].decode())
        return SignedCheckpoint(found.head, (*found.signatures, *lines))
    except (NoteError, UnicodeDecodeError) as problem:
        raise MissingError(f"{printable(path)} has no signature lines: {problem}") from None
