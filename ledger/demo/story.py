"""One game told: what happened, why each check matters, one cheat found and named, what to do next."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ledger.demo.stage import LiveStage, Say
from ledger.demo.tampering import Attempt, other_dice
from rules import System
from rules.scene import scene_of
from verifier import verify
from verifier.log.bodies import Reveal
from verifier.log.format import Envelope, decode_body, decode_envelope
from verifier.shell.typed import file_word

__all__ = ["tell", "write"]


class _Explaining(LiveStage):
    """Tells of the first roll how it came to be, after it is shown."""

    _told = False

    def show(self, number: int) -> None:
        super().show(number)
        if not self._told:
            self._told = True
            for text in _how_it_was_made(self.lines()):
                self.say(text)


def tell(system: System[Any], folder: Path, directory: Path, say: Say, program: str) -> bool:
    """Play the system's scene in `folder` and leave its log, and the cheat's, in `directory`.

    True if the log holds, and the cheat is found out for what it is.
    """
    scene = scene_of(system)
    stage = _Explaining(folder / "game", say, system, scene)
    try:
        say(scene.about or f"{system.title}: {', '.join(f'{name} ({role})' for name, role in scene.roles.items())}.")
        stage.begin("Demonstration")
        for text in _before(stage):
            say(text)
        say("\nTHE GAME\n")
        scene.play(stage)
        stage.finish()
        cheat = other_dice(stage.lines(), stage.identities[stage.view.replay.terms.keeper])
        log = stage.log()
    finally:
        stage.close()
    path, copy = directory / f"{system.name}.jsonl", directory / f"{system.name}-cheat.jsonl"
    write(path, log)
    write(copy, cheat.log)
    held = _check(log, path, say)
    found = _cheat(log, cheat, copy, say)
    _next(path, copy, log, say, program)
    return held and found


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


def _before(stage: LiveStage) -> list[str]:
    terms = stage.view.replay.terms
    secret = [name for name in terms.keys if terms.may_contribute(name)]
    return [
        "\nBEFORE THE FIRST DIE\n",
        f"{_names(secret)} each made a chain of secrets on their own machine, and signed only its fingerprint into "
        "the log. Why: whoever swaps a secret later no longer fits the fingerprint, so nobody can pick one that suits.",
    ]


def _how_it_was_made(lines: Sequence[bytes]) -> list[str]:
    events = [decode_envelope(line) for line in lines]
    shown = next(event for event in events if event.type == "reveal")
    asked, body = events[shown.seq - 1], _reveal(shown)
    last = (asked.author, shown.author)
    openings = sorted(body.openings, key=lambda o: last.index(o.author) if o.author in last else -1)
    opened = [f"{opening.author} ({opening.link[:8]}…)" for opening in openings]
    sides = body.sides[0]
    return [
        "",
        f"  How that die was made, in events {asked.seq} and {shown.seq} of the log:",
        f"  1. {asked.author} asked for it and signed what for. "
        "Why: nobody can say afterwards that it was for something else.",
        f"  2. Then each opened one secret: {_names(opened)}. "
        f"Why: with one of them missing, all {sides} numbers are equally likely; so nobody knew the die beforehand, "
        "and none of them could bend it alone.",
        f"  3. The number, {body.naturals[0]}, is computed from all of them together. "
        "Why: everybody who has the file can compute it again, with or without this program.",
        f"  4. {shown.author}, who keeps the log, opened last, and can refuse, but not call it off. Why: the "
        f"game would wait for {shown.author} by name, and no other die could take the place of this one.",
        "",
    ]


def _check(log: bytes, path: Path, say: Say) -> bool:
    report, _ = verify(log)
    say("\nTHE CHECK\n")
    say(f"The log is the file {path}. The verifier needs nothing else, and believes nobody:")
    say(f"  {report.verdict.upper()}, {report.events} events.")
    say("  The chain: each event has the fingerprint of the one before, so none was dropped, added or moved.")
    say("  The signatures: each was signed with its author's key, so nobody put words in another's mouth.")
    say("  The dice: every secret fits its fingerprint, and each number follows from the secrets.")
    say("  The rules: who rolled was allowed to, as often as allowed, and what was announced is what the dice say.")
    say(f"  The trust: {report.trust}")
    say("  What it can't see: whose keys these are, and what was said aloud. Compare keys once; sign what counts.")
    return report.verdict == "holds"


def _cheat(log: bytes, cheat: Attempt, copy: Path, say: Say) -> bool:
    old, new = (_first(data) for data in (log, cheat.log))
    say("\nTHE CHEAT\n")
    say(
        f"After the game {old.author} hands round another copy, {copy.name}: in event {old.seq} the first die shows "
        f"{_reveal(new).naturals[0]} instead of {_reveal(old).naturals[0]}. {old.author} keeps the log and has a key, "
        "so the new event is properly signed. Still:"
    )
    report, _ = verify(cheat.log)
    error = report.error
    if error is None:
        say("  NOT FOUND OUT")
        return False
    say(f"  {report.verdict.upper()} at event {error.seq} ({error.code}): {error.message}")
    say(f"  Fault: {error.fault}.")
    say(
        f"Why {error.fault} and not “somebody”: the secrets in the file give the true number, and only "
        f"{error.fault}'s key can have signed the other one. It is no suspicion any more; it is {error.fault}'s "
        "signature under a false number."
    )
    return (error.code, error.fault) == (cheat.code, cheat.fault)


def _next(path: Path, copy: Path, log: bytes, say: Say, program: str) -> None:
    ours, theirs, asked = file_word(path), file_word(copy), _first(log).seq - 1
    say("\nNEXT\n")
    for what, command in (
        ("Check both yourself:", f"verify {ours} {theirs}"),
        ("See the evening again, event by event, or as it stood at its end:", f"log {ours}"),
        ("", f"state {ours}"),
        ("Follow the first roll from secret to outcome, with lines to redo it by hand:", f"explain {ours} {asked}"),
        ("Every game, and ten ways to cheat in each:", f"demo --all --dir {file_word(path.parent)}"),
        ("Begin your own (then: specs/guide/playing.md):", "identity new YOUR-NAME"),
    ):
        if what:
            say(what)
        say(f"  {program} {command}")


def _first(log: bytes) -> Envelope:
    """Return the first reveal of a log."""
    return next(event for event in map(decode_envelope, log.splitlines()) if event.type == "reveal")


def _reveal(event: Envelope) -> Reveal:
    body: Reveal = decode_body(event.body, Reveal, "reveal")
    return body


def _names(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
