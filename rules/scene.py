"""Scenes: each system has a short game in which every part of it is seen, for `rollproof demo` and for tests.

A scene is pure: it plays through a `Stage`, which has the players, their secrets and the dice. What the dice show is
not known before, so a scene goes by it.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol

import msgspec

from rules.base import Body, Role, System

__all__ = ["Forgery", "Scene", "Stage", "scene_of"]


class Stage(Protocol):
    """Where a scene is played: a game that is open, and that everybody has joined."""

    @property
    def game(self) -> Any:
        """The system's state as it stands."""

    def say(self, text: str) -> None:
        """Tell whoever watches what is going on: a paragraph."""

    def act(self, name: str, type: str, body: Body) -> int:
        """One event by a party, with its dice if it asks for any; the event's number. Raises what refuses it."""

    def roll(self, number: int) -> Any:
        """A roll by the number of its request, as the system's state has it."""

    def show(self, number: int) -> None:
        """Tell what a roll came to."""


class Forgery(msgspec.Struct, frozen=True):
    """What cheats make of a scene's log, for the verifier to find."""

    rewrite: tuple[bytes, bytes]
    """what the keeper replaces in the first request, and with what"""
    claim: Mapping[str, Any]
    """members of the first `resolve` that a player falsely announces"""


class Scene(msgspec.Struct, frozen=True):
    """A game to play, from the first declaration to the last; who plays it opens the game before, and closes it."""

    roles: Mapping[str, Role]
    """the parties, in party order"""
    options: Body
    play: Callable[[Stage], None]
    forgery: Forgery
    about: str = ""
    """of a scene that newcomers follow without knowing a game: who plays, and what is at stake"""


def scene_of(system: System[Any]) -> Scene:
    """The scene of a system: `SCENE`, in the module `scene` of its package. Raises ImportError where it has none."""
    scene: Scene = import_module(f"{type(system).__module__}.scene").SCENE
    return scene
