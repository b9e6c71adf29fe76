"""What the games at random share: one writer, its dice of chance, and a look at the log by the oracle."""

import random

import pytest

from tests.oracles import reference


class RandomGame:
    """One game at random."""

    random: random.Random
    w: reference.Writer
    g: reference.Game
    """the game as the oracle sees it, set by `look`"""

    def chance(self, likely: float) -> bool:
        return self.random.random() < likely

    def look(self) -> bool:
        """Whether the log holds; where it does, the writer knows who is gone."""
        found: list[reference.Game] = []

        class Seen(reference.Game):
            def __init__(self) -> None:
                super().__init__()
                found.append(self)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reference, "Game", Seen)
            report = reference.verify(self.w.data)
        self.g = found[0]
        self.w.gone = sorted(self.g.left | self.g.away)
        return report.verdict == "holds"
