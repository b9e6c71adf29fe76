"""`python -m tests.mutants [SYSTEM …]`: exits 1 where a change goes unnoticed that the list does not explain."""

import argparse
import json
import sys
from collections import Counter, deque
from pathlib import Path
from typing import Any

from tests.mutants import known, witnesses
from tests.mutants.reach import Reach, reach
from tests.mutants.sites import GROUPS, Site, Tree, modules, sites
from tests.mutants.trial import SURVIVED, Trial

Work = tuple[str, Tree, Site]

WORTH_A_LOOK = 40
"""changes of a system from which on it saves time to see first which vectors come where"""


def main(arguments: list[str]) -> int:
    """Try what is asked for; tell on standard output what nobody noticed, and counts; 0 where all is explained."""
    options = _options(arguments)
    listed = known.Known({}, ()) if options.bare else known.read()
    trees = [(group, sites(name, path)) for group in options.systems for name, path in modules(group)]
    trees = [(group, tree) for group, tree in trees if not options.module or tree.module in options.module]
    work = [(group, tree, site) for group, tree in trees for site in tree.sites]
    strangers = listed.strangers((site for _, _, site in work), (tree.module for _, tree in trees))
    aside = [] if options.aside or options.module else [one for one in work if listed.puts_aside(one[2])]
    beside = {id(site) for _, _, site in aside}
    work = _chosen([one for one in work if id(one[2]) not in beside], options)
    witnesses.prepare(tests=not options.vectors_only)
    results = _run(work, options.workers, tests=not options.vectors_only, quiet=options.quiet)
    survived = [site for (_, _, site), told in results if told == SURVIVED]
    killed = [site for (_, _, site), told in results if told != SURVIVED]
    unexplained, noticed = known.judge(listed, survived, killed)
    if options.json:
        options.json.write_text(json.dumps([_entry(one, told) for one, told in results], ensure_ascii=False, indent=1))
    for site in unexplained:
        function = f" {site.function}" if site.function else ""
        print(f"nobody notices: {site.module}:{site.line}{function}: {site.change}: {site.text}")
    for key in noticed:
        print(f"known.toml explains what is noticed now: {key}")
    for key in strangers:
        print(f"known.toml names no change of today's code: {key}")
    _tell_counts(results, listed)
    if aside:
        print(f"put aside: {len(aside)} changes of what is typed and offered (known.toml); --aside tries them too")
    return 1 if unexplained or noticed or strangers else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=main.__doc__)
    add = parser.add_argument
    add("systems", nargs="*", metavar="SYSTEM", help=f"of {', '.join(GROUPS)}; default: all")
    add("--module", action="append", metavar="rules.mtg.effects", help="only this, aside or not; may be repeated")
    add("--part", default="1/1", metavar="K/N", help="the K-th of N parts, for N machines")
    add("--sample", type=int, metavar="N", help="N changes of each system, the same ones each time")
    add("--again", type=Path, metavar="FILE", help="only what was left by a run before, by its JSON")
    add("--only", metavar="TEXT", help="only changes on lines with this text")
    add("--aside", action="store_true", help="also what known.toml puts aside")
    add("--bare", action="store_true", help="without known.toml")
    add("--vectors-only", action="store_true", help="leave out the tests of the rules, which take longer")
    add("--workers", type=int, default=1, metavar="N", help="processes at a time")
    add("--json", type=Path, metavar="FILE", help="write every change and who noticed it")
    add("--quiet", action="store_true", help="no progress on standard error")
    options = parser.parse_args(arguments)
    if unknown := set(options.systems) - set(GROUPS):
        parser.error(f"no system {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    options.systems = options.systems or list(GROUPS)
    return options


def _chosen(work: list[Work], options: argparse.Namespace) -> list[Work]:
    if options.again:
        left = {_key(one) for one in json.loads(options.again.read_text()) if one["noticed_by"] is None}
        work = [one for one in work if one[2].key in left]
    if options.only:
        work = [one for one in work if options.only in one[2].text]
    if options.sample:
        of_group = {group: [one for one in work if one[0] == group] for group in options.systems}
        steps = ((found, max(1, len(found) // options.sample)) for found in of_group.values())
        work = [one for found, step in steps for one in found[step // 2 :: step][: options.sample]]
    part, parts = map(int, options.part.split("/"))
    return work[part - 1 :: parts]


def _run(work: list[Work], workers: int, *, tests: bool, quiet: bool) -> list[tuple[Work, str]]:
    """Every trial's result, in the order of the work."""
    waiting: deque[tuple[Work, Trial]] = deque()
    results: list[tuple[Work, str]] = []
    left = 0
    many = Counter(group for group, _, _ in work)
    reached = {group: reach(group) if many[group] > WORTH_A_LOOK else Reach(None) for group in many}
    for one in (*work, *[None] * workers):
        if len(waiting) == workers or (one is None and waiting):
            first, trial = waiting.popleft()
            told = trial.result()
            results.append((first, told))
            left += told == SURVIVED
            if not quiet:
                print(f"\r{first[0]}: {len(results)}/{len(work)}, {left} unnoticed ", end="", file=sys.stderr)
        if one is not None:
            waiting.append((one, Trial(*one, reached[one[0]].of(one[2]), tests=tests)))
    if not quiet:
        print(file=sys.stderr)
    return results


def _key(entry: dict[str, Any]) -> tuple[str, str, str, str]:
    return (entry["module"], entry["function"], entry["text"], entry["change"])


def _entry(one: Work, told: str) -> dict[str, Any]:
    _, _, site = one
    place = {"module": site.module, "function": site.function, "line": site.line, "text": site.text}
    return place | {"change": site.change, "noticed_by": told or None}


def _tell_counts(results: list[tuple[Work, str]], listed: known.Known) -> None:
    tried = Counter(group for (group, _, _), _ in results)
    left = Counter(group for (group, _, _), told in results if told == SURVIVED)
    explained = Counter(g for (g, _, site), told in results if told == SURVIVED and site.key in listed.why)
    print("system      changes  noticed  explained  unexplained")
    for group in tried:
        unnoticed = left[group]
        print(
            f"{group:<10} {tried[group]:8} {tried[group] - unnoticed:8} {explained[group]:10}"
            f" {unnoticed - explained[group]:12}"
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
