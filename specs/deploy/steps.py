"""Run the steps of a Containerfile in a clean folder without a container engine, and then run the result.

    python specs/deploy/steps.py build FOLDER [--arg NAME=VALUE …] [--from FOLDER]
    python specs/deploy/steps.py run FOLDER [--env NAME=VALUE …] [--secret NAME=FILE …] [ARGUMENT …]
    python specs/deploy/steps.py health FOLDER [--env NAME=VALUE …]

Each stage has a root folder of its own in place of `FROM`. The machine's programs are visible there and cannot be
changed. `run` starts the entry point as the image's user, which can write only to its volumes and to /tmp. This needs
root, or a system that gives every account namespaces of its own. Exit code: 77 if there are none.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

HERE = Path(__file__).parents[2]
PYTHON = Path(sys.base_prefix)
"""the Python that stands for the base image's"""
SHOWN = ("usr", "bin", "lib", "lib64", "sbin", "etc", *([] if PYTHON.is_relative_to("/usr") else [str(PYTHON)[1:]]))
"""folders of the machine that stand for those of the base image"""
PATH = f"{PYTHON}/bin:/usr/local/bin:/usr/bin:/bin"
KEPT = ("http_proxy", "https_proxy", "no_proxy")
UNABLE = 77


def instructions(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the instructions of a Containerfile, each with its arguments unchanged."""
    for line in file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield word, rest.strip()


def build(folder: Path, arguments: dict[str, str], context: Path) -> None:
    """Run every step, and write into `image.json` what `start` needs to run the result."""
    stages: dict[str, Path] = {}
    image: dict[str, Any] = {}
    root = folder
    given: dict[str, str] = {}
    for word, rest in instructions(HERE / "specs" / "deploy" / "Containerfile"):
        match word:
            case "FROM":
                name = rest.partition(" AS ")[2] or "image"
                root, given = folder / name, {}
                root.mkdir(parents=True)
                stages[name] = root
                image = {"root": name, "env": {}, "user": "0:0"}
            case "ARG":
                name, _, default = rest.partition("=")
                given[name] = arguments.get(name, default)
            case "COPY":
                copy(rest, context, stages, root)
            case "RUN":
                subprocess.run(inside(root, rest, image["env"] | given), check=True)
            case _:
                image |= setting(word, rest)
    (folder / "image.json").write_text(json.dumps(image), encoding="utf-8")


def setting(word: str, rest: str) -> dict[str, Any]:
    """Return the settings that an instruction gives for running the image."""
    match word:
        case "ENV":
            return {"env": dict(each.split("=", 1) for each in shlex.split(rest))}
        case "USER":
            return {"user": rest}
        case "VOLUME":
            return {"volumes": rest.split()}
        case "HEALTHCHECK":
            return {"health": rest.removeprefix("CMD ")}
        case "ENTRYPOINT":
            return {"entry": json.loads(rest)}
        case "EXPOSE" | "STOPSIGNAL":
            return {}
    raise SystemExit(f"steps.py knows no {word}")


def copy(rest: str, context: Path, stages: dict[str, Path], root: Path) -> None:
    """Copy files from the context or another stage, as COPY does."""
    words = rest.split()
    source = context
    if words[0].startswith("--from="):
        source = stages[words.pop(0).partition("=")[2]]
    what, place = source / words[0].lstrip("/"), root / words[1].lstrip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    if what.is_dir():
        shutil.copytree(what, place, symlinks=True)
    else:
        shutil.copy(what, place)


def inside(
    root: Path,
    command: str,
    env: dict[str, str],
    *,
    user: str = "0:0",
    volumes: list[str] | None = None,
    secrets: dict[str, str] | None = None,
) -> list[str]:
    """Return the command that runs `command` in a root, with its own mounts and only the programs of the machine.

    With `volumes`, only these and /tmp can be written to. `secrets` are files, by their names in /run/secrets.
    """
    mounts = ["set -e", "mount --make-rprivate /", f"mount --bind {shlex.quote(str(root))} {shlex.quote(str(root))}"]
    at = shlex.quote(str(root))
    for name in SHOWN:
        if Path("/", name).is_symlink():
            mounts.append(f"[ -e {at}/{name} ] || ln -s {shlex.quote(str(Path('/', name).readlink()))} {at}/{name}")
        elif Path("/", name).is_dir():
            mounts += [f"mkdir -p {at}/{name}", f"mount --rbind /{name} {at}/{name}"]
            mounts.append(f"mount -o remount,bind,ro {at}/{name}")
    mounts += [
        f"mkdir -p {at}/tmp {at}/dev {at}/proc",
        f"mount -t tmpfs tmpfs {at}/tmp",
        f"mount --rbind /dev {at}/dev",
    ]
    mounts.append(f"mount --rbind /proc {at}/proc")
    for name, file in (secrets or {}).items():
        place = f"{at}/run/secrets/{shlex.quote(name)}"
        mounts += [f"mkdir -p {at}/run/secrets", f"touch {place}", f"mount --bind {shlex.quote(file)} {place}"]
    if volumes is not None:
        mounts += [f"mount --bind {at}{each} {at}{each}" for each in volumes]
        mounts.append(f"mount -o remount,bind,ro {at}")
    uid, _, gid = user.partition(":")
    known = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("PIP_")}
    words = [
        "env",
        "-i",
        *(f"{name}={value}" for name, value in {**known, "PATH": PATH, "HOME": "/tmp", **env}.items()),
    ]
    entry = shlex.join(
        ["chroot", "--userspec", f"{uid}:{gid}", "--groups", gid, str(root), *words, "sh", "-c", command]
    )
    return ["unshare", "--mount", *_as_root(), "sh", "-c", "\n".join([*mounts, f"exec {entry}"])]


def _as_root() -> list[str]:
    """Return the options that make an account root in a namespace of its own; none if it is root."""
    return [] if os.getuid() == 0 else ["--map-root-user", "--map-auto"]


def start(folder: Path, verb: str, given: dict[str, str], secrets: dict[str, str], rest: list[str]) -> NoReturn:
    """Replace this process by the entry point, or by the health check, so that signals reach it."""
    image = json.loads((folder / "image.json").read_text(encoding="utf-8"))
    command = image["health"] if verb == "health" else shlex.join([*image["entry"], *rest])
    root, env = folder / image["root"], {**image["env"], **given}
    started = inside(root, f"exec {command}", env, user=image["user"], volumes=image["volumes"], secrets=secrets)
    os.execvp(started[0], started)


def main() -> int:
    """Run the verb of the command line, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["build", "run", "health"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--secret", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--from", dest="context", type=Path, default=HERE, metavar="FOLDER")
    asked, rest = parser.parse_known_args()
    if subprocess.run(["unshare", "--mount", *_as_root(), "true"], check=False, capture_output=True).returncode:
        print("steps.py: this system gives this account no namespace of mounts", file=sys.stderr)
        return UNABLE
    folder = asked.folder.absolute()
    if asked.verb != "build":
        env, secrets = (dict(each.split("=", 1) for each in words) for words in (asked.env, asked.secret))
        start(folder, asked.verb, env, secrets, rest)
    build(folder, dict(each.split("=", 1) for each in asked.arg), asked.context.absolute())
    return 0


if __name__ == "__main__":
    sys.exit(main())
