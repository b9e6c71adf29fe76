"""`rollproof demo`: real games with fresh keys and dice, verified, then tampered with.

The games are the scenes of the systems (rules.scene). One is explained to newcomers; with all of them each is
verified, and so is every kind of tampered copy.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from ledger.demo import story
from ledger.demo.stage import LiveStage, Say
from ledger.demo.tampering import Attempt, attempts
from rules import SYSTEMS
from rules.scene import scene_of
from verifier import render, verify

__all__ = ["run", "run_all"]


def run(directory: Path, say: Say, *, system: str | None = None, program: str = "rollproof") -> bool:
    """Play one game, tell why each check matters, and let the keeper cheat; the logs are left in `directory`.

    `system` is the game's; without one, the first whose scene is for newcomers. `program` is what to type for this
    program. True if the log holds, and the cheat is found out for what it is.
    """
    directory.mkdir(parents=True, exist_ok=True)
    chosen = SYSTEMS[system] if system else next(s for s in SYSTEMS.values() if scene_of(s).about)
    with tempfile.TemporaryDirectory(prefix="rollproof-demo-") as folder:
        return story.tell(chosen, Path(folder), directory, say, program)


def run_all(directory: Path, say: Say, systems: Iterable[str] = SYSTEMS) -> bool:
    """Play each system's scene, verify it, and tamper with it in every way. True if everything went as it should."""
    directory.mkdir(parents=True, exist_ok=True)
    outcomes = [_one(id_, directory, say) for id_ in systems]
    return all(outcomes)


def _one(id_: str, directory: Path, say: Say) -> bool:
    system = SYSTEMS[id_]
    scene = scene_of(system)
    say(f"\n{system.title}\n")
    with tempfile.TemporaryDirectory(prefix="rollproof-demo-") as folder:
        stage = LiveStage(Path(folder) / "game", say, system, scene)
        other = LiveStage(Path(folder) / "other", say, system, scene)
        try:
            stage.begin("Demonstration")
            scene.play(stage)
            stage.finish()
            other.begin("Another game")
            tampered = attempts(stage.lines(), other.lines(), stage.identities, scene.forgery)
            log = stage.log()
        finally:
            stage.close()
            other.close()
    path = directory / f"{system.name}.jsonl"
    story.write(path, log)
    say(f"\nThe log is in {path}. The verifier, which is given nothing else, says:\n")
    report, _ = verify(log, name=path.name)
    say(render(report))
    say("\nNow copies of it are tampered with.\n")
    found = [_tamper(attempt, path, say) for attempt in tampered]
    say(f"\n{sum(found)} of {len(found)} attempts were found out, each for what it was.")
    return report.verdict == "holds" and all(found)


def _tamper(attempt: Attempt, path: Path, say: Say) -> bool:
    copy = path.with_name(f"{path.stem}-{attempt.name}.jsonl")
    story.write(copy, attempt.log)
    report, _ = verify(attempt.log)
    error = report.error
    say(f"{copy.name}: {attempt.what}.")
    if error is None:
        say("  NOT FOUND OUT")
        return False
    say(f"  {report.verdict}: {error.code} at event {error.seq}, fault: {error.fault}. {error.message}")
    as_expected = (error.code, error.fault) == (attempt.code, attempt.fault)
    if not as_expected:
        say(f"  EXPECTED {attempt.code}, fault: {attempt.fault}")
    return as_expected
