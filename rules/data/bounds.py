"""Bounds and value types that every body shares (specs/README.md, "Bounds"; specs/log.md, "The event")."""

from typing import Annotated, Literal, TypeVar

from msgspec import Meta

from rules.data.language import N_
from rules.data.text import TEXT_PATTERN

MAX_SAFE_INTEGER = 2**53 - 1
MAX_PARTIES = 64
MAX_TAGS = 64
MAX_SEALED = 128
MAX_NAME = 32
MAX_CALLED = 40
MAX_TEXT = 500
MAX_DICE = 1_000
MAX_MODIFIER = 1_000_000_000
MAX_ITEMS = 100
HISTORY = 1_000
HISTORY_DICE = 10_000
MAX_TOLD = 10_000
MAX_LOAD = 100_000
HISTORY_LOAD = 2_000_000
MAX_SCRIPT_EVENTS = 10_000
MAX_SCRIPTS = 1_000

NAME_PATTERN = rf"\A[a-z0-9][a-z0-9._-]{{0,{MAX_NAME - 1}}}\Z"

# Each type with a pattern has a description in words, because messages say that instead (rules.data.schema).
_NAME = N_("a name: 1 to 32 of a to z, 0 to 9, dot, underscore and hyphen, the first of them a letter or digit")
_TEXT = N_("a text without line breaks, control characters and marks that reorder it or are not seen")
Name = Annotated[str, Meta(pattern=NAME_PATTERN, description=_NAME)]
Text = Annotated[str, Meta(max_length=MAX_TEXT, pattern=TEXT_PATTERN, description=_TEXT)]
RequiredText = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT, pattern=TEXT_PATTERN, description=_TEXT)]
_CALLED = N_("what somebody is called: a text of 1 to 40 characters that neither begins nor ends with a blank")
_CALLED_PATTERN = rf"\A(?! ){TEXT_PATTERN[2:-2]}(?<! )\Z"
Called = Annotated[str, Meta(min_length=1, max_length=MAX_CALLED, pattern=_CALLED_PATTERN, description=_CALLED)]
Count = Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)]
Positive = Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)]
Integer = Annotated[int, Meta(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER)]
DieNumbers = Annotated[tuple[Positive, ...], Meta(max_length=MAX_DICE)]
_ID = N_("a short name: 1 to 40 of a to z, 0 to 9, dot, underscore and hyphen")
Id = Annotated[str, Meta(pattern=r"\A[a-z0-9._-]{1,40}\Z", description=_ID)]
"""an id that the players choose for a permanent, a unit or a tag"""
RollNumber = Annotated[Positive, Meta(title=N_("the number of the roll"))]
Yes = Literal[True]
T = TypeVar("T")
Items = Annotated[tuple[T, ...], Meta(max_length=MAX_ITEMS)]
SomeItems = Annotated[tuple[T, ...], Meta(min_length=1, max_length=MAX_ITEMS)]
