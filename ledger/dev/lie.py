"""What a lie is: a script, and what a client owes when it has been told."""

from collections.abc import Callable

from msgspec import Struct

from ledger.dev.stage import LyingStage

__all__ = ["GOES_ON", "STOPS", "Lie", "Tell", "played"]

STOPS = "tells its owner, keeps what it was shown, and signs and opens nothing more in this game"
GOES_ON = "takes it for no answer, asks again, and plays on"

Tell = Callable[[LyingStage], None]


class Lie(Struct, frozen=True):
    """One lie."""

    name: str
    about: str
    """what is told that is not so"""
    owes: str
    """what a client does"""
    tell: Tell
    goes_on: bool = False
    """the client goes on: it opens for the next roll"""
    three: bool = False
    """the client closes the rolls: carol opens before it"""
    rules: bool = False
    """only who knows the rules can see it"""


def played(tell: Tell) -> Tell:
    """Return a script that begins the game and plays one honest roll before it lies."""

    def play(stage: LyingStage) -> None:
        stage.begin()
        stage.roll()
        tell(stage)

    return play
