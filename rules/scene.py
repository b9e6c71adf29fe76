"""Scenes: a short game of each system that shows every part of it, for `rollproof demo` and for tests.

A scene is pure. It plays on a `Stage`, which provides the players, their secrets and the dice. A scene cannot know the
dice beforehand, so it reacts to what they show.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol

import msgspec

from rules.base import Body, Role, System

__all__ = ["Forgery", "Scene", "Stage", "scene_of"]


class Stage(Protocol):
    """A game on which a scene is played: it is open, and everybody has joined."""

    @property
    def game(self) -> Any:
        """The current state of the system."""

    def say(self, text: str) -> None:
        """Show a paragraph about what is going on to the audience."""

    def act(self, name: str, type: str, body: Body) -> int:
        """Add one event by a party, with its dice if it requests any, and return its number.

        Raises what the keeper or the rules raise when they refuse it.
        """

    def roll(self, number: int) -> Any:
        """Return a roll by the number of its request, as the system's state has it."""

    def show(self, number: int) -> None:
        """Show the audience what a roll came to."""


class Forgery(msgspec.Struct, frozen=True):
    """Changes to a scene's log that the verifier has to detect."""

    rewrite: tuple[bytes, bytes]
    """bytes of the first request, and what a cheating keeper replaces them with"""
    claim: Mapping[str, Any]
    """false members that a cheating player puts into the first `resolve`"""


class Scene(msgspec.Struct, frozen=True):
    """A game to play, from the first declaration to the last. The caller opens the game before, and closes it
    afterwards.
    """

    roles: Mapping[str, Role]
    """the parties, in party order"""
    options: Body
    play: Callable[[Stage], None]
    forgery: Forgery
    about: str = ""
    """who plays and what is at stake, in a scene for newcomers who do not know the game"""


def scene_of(system: System[Any]) -> Scene:
    """Return the scene of a system: `SCENE` in the module `scene` of its package. Raises ImportError without one."""
    scene: Scene = import_module(f"{type(system).__module__}.scene").SCENE
    return scene
