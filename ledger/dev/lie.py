"""A lie to a client: a script, and what the client must do when it has been told."""

from collections.abc import Callable

from msgspec import Struct

from ledger.dev.stage import LyingStage

__all__ = ["GOES_ON", "STOPS", "Lie", "Tell", "after_a_roll"]

STOPS = "tells its owner, keeps what it was shown, and signs and opens nothing more in this game"
GOES_ON = "takes it for no answer, asks again, and plays on"

Tell = Callable[[LyingStage], None]


class Lie(Struct, frozen=True):
    """One lie."""

    name: str
    about: str
    """the false statement"""
    owes: str
    """what a client does"""
    tell: Tell
    goes_on: bool = False
    """the client goes on: it opens for the next roll"""
    three: bool = False
    """the client closes the rolls: carol opens before it"""
    rules: bool = False
    """only who knows the rules can see it"""


def after_a_roll(tell: Tell) -> Tell:
    """Return a script that begins the game and plays one honest roll before it lies."""

    def play(stage: LyingStage) -> None:
        stage.begin()
        stage.roll()
        tell(stage)

    return play
