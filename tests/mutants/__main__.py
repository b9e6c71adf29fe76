"""`python -m tests.mutants [GROUP …]`: exits 1 where a change goes unnoticed that the list does not explain."""

import argparse
import json
import sys
from collections import Counter, deque
from pathlib import Path
from typing import Any

from tests.mutants import known, witnesses
from tests.mutants.groups import GROUPS, GUARDED, trees
from tests.mutants.reach import Reach, reach
from tests.mutants.record import reached
from tests.mutants.scripts import Script
from tests.mutants.session import Session, Work
from tests.mutants.sites import Tree
from tests.mutants.trial import SURVIVED, Trial

Results = list[tuple[Work, str]]

WORTH_A_LOOK = 40
"""changes of a system from which on it saves time to see first which vectors come where"""


def main(arguments: list[str]) -> int:
    """Try what is asked for; tell on standard output what nobody noticed, and counts; 0 where all is explained."""
    options = _options(arguments)
    listed = known.Known({}, ()) if options.bare else known.read()
    found = [
        (group, tree)
        for group in options.groups
        for tree in trees(group, options.module, everything=options.everything)
    ]
    work = [(group, tree, site) for group, tree in found for site in tree.sites]
    strangers = _strangers(listed, found, options)
    aside = [] if options.aside or options.module else [one for one in work if listed.puts_aside(one[2])]
    beside = {id(site) for _, _, site in aside}
    work = _chosen([one for one in work if id(one[2]) not in beside], options)
    results: Results = []
    told = _Progress(results, len(work), options)
    _run_rules([one for one in work if one[0] not in GUARDED], told, options)
    _run_guards([one for one in work if one[0] in GUARDED], told, options)
    told.end()
    survived = [site for (_, _, site), told in results if told == SURVIVED]
    killed = [site for (_, _, site), told in results if told != SURVIVED]
    unexplained, noticed = known.judge(listed, survived, killed)
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


def _strangers(
    listed: known.Known, found: list[tuple[str, Tree | Script]], options: argparse.Namespace
) -> list[known.Key]:
    """Entries of the list that name no change: an entry may also be about a condition that decides about no refusal."""
    groups = {group for group, tree in found if tree.module in {key[0] for key in listed.why}}
    whole = [tree for group in groups for tree in trees(group, options.module, everything=True)]
    return listed.strangers((site for tree in whole for site in tree.sites), (tree.module for tree in whole))


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=main.__doc__)
    add = parser.add_argument
    add("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}; default: all")
    add(
        "--module",
        action="append",
        metavar="rules.systems.mtg.effects",
        help="only this, aside or not; may be repeated",
    )
    add("--part", default="1/1", metavar="K/N", help="the K-th of N parts, for N machines")
    add("--sample", type=int, metavar="N", help="N changes of each group, the same ones each time")
    add("--again", type=Path, metavar="FILE", help="only what was left by a run before, by its JSON")
    add("--only", metavar="TEXT", help="only changes on lines with this text")
    add("--aside", action="store_true", help="also what known.toml puts aside")
    add("--everything", action="store_true", help="also conditions that decide about no refusal")
    add("--bare", action="store_true", help="without known.toml")
    add("--vectors-only", action="store_true", help="leave out the tests of the rules, which take longer")
    add("--workers", type=int, default=1, metavar="N", help="processes at a time")
    add("--json", type=Path, metavar="FILE", help="write every change and who noticed it")
    add("--seconds", type=float, default=15, metavar="N", help="of a processor for the tests of a guard; default: 15")
    add("--anew", action="store_true", help="see anew which tests come to which lines of the guards")
    add("--quiet", action="store_true", help="no progress on standard error")
    options = parser.parse_args(arguments)
    if unknown := set(options.groups) - set(GROUPS):
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    options.groups = options.groups or list(GROUPS)
    return options


def _chosen(work: list[Work], options: argparse.Namespace) -> list[Work]:
    if options.again:
        left = {_key(one) for one in json.loads(options.again.read_text()) if one["noticed_by"] is None}
        work = [one for one in work if one[2].key in left]
    if options.only:
        work = [one for one in work if options.only in one[2].text]
    if options.sample:
        of_group = {group: [one for one in work if one[0] == group] for group in options.groups}
        steps = ((found, max(1, len(found) // options.sample)) for found in of_group.values())
        work = [one for found, step in steps for one in found[step // 2 :: step][: options.sample]]
    part, parts = map(int, options.part.split("/"))
    return work[part - 1 :: parts]


class _Progress:
    """What has been tried so far, on standard error and in the file that was asked for."""

    def __init__(self, results: Results, many: int, options: argparse.Namespace) -> None:
        self._results, self._many, self._options = results, many, options
        self._left = 0

    def __call__(self, one: Work, told: str) -> None:
        self._results.append((one, told))
        self._left += told == SURVIVED
        if not self._options.quiet:
            done = f"\r{one[0]}: {len(self._results)}/{self._many}, {self._left} unnoticed "
            print(done, end="", file=sys.stderr, flush=True)
        if len(self._results) % 20 == 0:
            self._write()

    def end(self) -> None:
        """All has been tried."""
        if not self._options.quiet:
            print(file=sys.stderr)
        self._write()

    def _write(self) -> None:
        if self._options.json:
            entries = [_entry(one, told) for one, told in self._results]
            self._options.json.write_text(json.dumps(entries, ensure_ascii=False, indent=1))


def _run_rules(work: list[Work], told: _Progress, options: argparse.Namespace) -> None:
    """Show every change of the rules to vectors and tests of the rules, in the order of the work."""
    if not work:
        return
    witnesses.prepare(tests=not options.vectors_only)
    waiting: deque[tuple[Work, Trial]] = deque()
    many = Counter(group for group, _, _ in work)
    come = {group: reach(group) if many[group] > WORTH_A_LOOK else Reach(None) for group in many}
    for one in (*work, *[None] * options.workers):
        if len(waiting) == options.workers or (one is None and waiting):
            first, trial = waiting.popleft()
            told(first, trial.result())
        if one is not None:
            group, tree, site = one
            assert isinstance(tree, Tree)
            waiting.append((one, Trial(group, tree, site, come[group].of(site), tests=not options.vectors_only)))


def _run_guards(work: list[Work], told: _Progress, options: argparse.Namespace) -> None:
    """Show every change of a guard to the tests that come to it."""
    if work:
        known_of = reached({group for group, _, _ in work}, anew=options.anew)
        Session(work, known_of, told, workers=options.workers, seconds=options.seconds).run()


def _key(entry: dict[str, Any]) -> tuple[str, str, str, str]:
    return (entry["module"], entry["function"], entry["text"], entry["change"])


def _entry(one: Work, told: str) -> dict[str, Any]:
    _, _, site = one
    place = {"module": site.module, "function": site.function, "line": site.line, "text": site.text}
    return place | {"change": site.change, "noticed_by": told or None}


def _tell_counts(results: Results, listed: known.Known) -> None:
    tried = Counter(group for (group, _, _), _ in results)
    left = Counter(group for (group, _, _), told in results if told == SURVIVED)
    explained = Counter(g for (g, _, site), told in results if told == SURVIVED and site.key in listed.why)
    print("group       changes  noticed  explained  unexplained")
    for group in tried:
        unnoticed = left[group]
        print(
            f"{group:<10} {tried[group]:8} {tried[group] - unnoticed:8} {explained[group]:10}"
            f" {unnoticed - explained[group]:12}"
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
