"""`python -m tests.oracles.lied_to LINK`: the client that is written from the pages alone, as a program that plays.

It sits down as bob, opens for every roll, and ends with 1 and a sentence where something does not hold. With
`--gullible` it checks nothing: a lying server must find that out.
"""

import sys
import time
from contextlib import suppress

from tests.oracles import network_client
from tests.oracles.network_client import Client, Link, Wrong


def play(link: str, kind: type[Client]) -> None:
    """Sit, join, commit, and open, until the game is over."""
    bob = kind("bob", Link.parse(link).address)
    state = bob.visit(link)
    bob.sit()
    while state["game"] is None:
        time.sleep(0.1)
        state = bob.look()
    bob.enter()
    bob.join()
    bob.commit(16)
    while not bob.ended:
        bob.follow(lambda: bob.ended or unopened(bob))
        if not bob.ended:
            bob.open()


def unopened(bob: Client) -> bool:
    """Whether a roll waits for an opening that was not given."""
    roll = bob.game.waiting()
    return bob.may_open() and roll is not None and roll.request not in bob.opened.values()


def believe(holds: object, what: str) -> None:
    """Check nothing."""


class Gullible(Client):
    """Opens whatever the keeper has signed over, or has not."""

    def may_open(self) -> bool:
        self.game.taken = len(self.game.lines)
        return super().may_open()


def main() -> int:
    network_client.PATIENCE = 600
    if "--gullible" in sys.argv:
        network_client.check = believe
    try:
        play(sys.argv[-1], Gullible if "--gullible" in sys.argv else Client)
    except Wrong as wrong:
        print(f"bob: {wrong}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
