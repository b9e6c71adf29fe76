"""Generate `systems.json`, the page's data about the rules (specs/page.md, "What a page knows of the rules").

It is made from the rules' own descriptions: schemas with titles of their members, notations, titles and sentences of
events. Texts are English; `words-LANGUAGE.js` translates them. No code here names a game.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from inspect import getdoc
from typing import Any

import msgspec
from msgspec import NODEFAULT, inspect

from ledger.forms.form import Form, forms
from ledger.forms.json_schema import for_javascript
from ledger.forms.protocol import ROLES, SENTENCES
from rules import SYSTEMS
from rules.base import System
from rules.data.language import N_, Translate
from rules.data.sentences import REFERENCES, Say, Sentences
from verifier.log.bodies import PROTOCOL_BODIES

__all__ = ["systems_json", "systems_words"]

_PROTOCOL: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "open": (
        N_("the game begins"),
        {
            "title": N_("its title"),
            "system": N_("its rules"),
            "options": N_("the options of the rules"),
            "parties": N_("who takes part"),
            "contributors": N_("who has a part in each roll"),
            "admits": N_("who may come later"),
            "away": N_("who can sign others away"),
            "host": N_("whose word says who may come later"),
            "continues": N_("the game that it goes on from"),
            "judge": N_("the judge that the keeper's operator runs too"),
            "sealed": N_("who may roll in secret"),
            "strike": N_("who can take a roll back together"),
            "event": N_("the event that the table belongs to"),
            "id": N_("its id"),
            "organizers": N_("its organizers"),
            "format": N_("the format of the log"),
            "nonce": N_("a random number"),
            "name": N_("the name"),
            "called": N_("what it is called"),
            "key": N_("the key"),
            "role": N_("the role"),
            "game": N_("the game"),
            "root": N_("the root of its log"),
            "size": N_("how many events it has"),
        },
    ),
    "join": (
        N_("agreement to the game's terms"),
        {
            "checks": N_("what the party's program checks before it signs"),
            "recovery": N_("the recovery key of the party's profile"),
        },
    ),
    "commit": (
        N_("a commitment to a seed chain"),
        {
            "length": N_("how many links it has"),
            "tip": N_("its tip"),
            "link": N_("the last link of the chain before"),
        },
    ),
    "leave": (N_("leaving the game"), {"party": N_("who leaves"), "burned": N_("the link of a voided roll")}),
    "away": (N_("away for a while"), {"party": N_("who is away"), "burned": N_("the link of a voided roll")}),
    "back": (N_("back again"), {"party": N_("who is back"), "accept": N_("the rolls made without it that it accepts")}),
    "admit": (
        N_("letting somebody in"),
        {
            "called": N_("what it is called"),
            "key": N_("the key"),
            "role": N_("the role"),
            "word": N_("the host's word"),
            "appointment": N_("what an organizer of the event signed"),
            "act": N_("what was signed"),
            "at": N_("when it was signed"),
            "by": N_("who signed it"),
            "upon": N_("the line that it was signed on"),
            "head": N_("the line that it was given on"),
            "sig": N_("the signature"),
        },
    ),
    "replace": (
        N_("a new key in the place of one that is lost"),
        {
            "key": N_("the key"),
            "succession": N_("the word of the recovery key"),
            "correction": N_("what an organizer of the event signed"),
            "act": N_("what was signed"),
            "at": N_("when it was signed"),
            "by": N_("who signed it"),
            "upon": N_("the line that it was signed on"),
            "number": N_("the player's number"),
            "reason": N_("the reason"),
            "format": N_("its form"),
            "named": N_("the old key's signature"),
            "new": N_("the new key"),
            "new_sig": N_("the new key's signature"),
            "recovery": N_("the recovery key"),
            "sig": N_("the signature"),
            "time": N_("when it was made"),
        },
    ),
    "object": (
        N_("an opening that was called missing"),
        {
            "request": N_("the number of the event that it is for"),
            "opening": N_("the opening"),
            "author": N_("who opened"),
            "index": N_("the number of the link"),
            "link": N_("the link"),
            "sig": N_("its signature"),
        },
    ),
    "seal": (
        N_("secrets for secret rolls"),
        {"tags": N_("the tags of the secrets"), "secret": N_("the last secret of those before")},
    ),
    "show": (
        N_("a secret roll is shown"),
        {
            "request": N_("the number of the secret roll's event"),
            "naturals": N_("the naturals"),
            "secret": N_("its secret"),
            "salt": N_("the salt of the hidden purpose"),
            "text": N_("what it was for"),
        },
    ),
    "consent": (N_("consent to who came later"), {"admit": N_("the number of the event that let it in")}),
    "strike": (N_("a roll is taken back"), {"roll": N_("the number of the roll's event")}),
    "ruling": (
        N_("a ruling"),
        {
            "ruling": N_("what is ruled"),
            "subject": N_("the number of the event"),
            "text": N_("the reason"),
            "party": N_("who gets it"),
            "results": N_("dice and their results"),
            "die": N_("the die"),
            "result": N_("the result"),
        },
    ),
    "reveal": (
        N_("the dice are shown"),
        {
            "roll_index": N_("the number of the request among all"),
            "openings": N_("what was opened for it"),
            "author": N_("who opened"),
            "index": N_("the number of the link"),
            "link": N_("the link"),
            "sig": N_("its signature"),
            "sides": N_("the sides of the dice"),
            "naturals": N_("the naturals"),
        },
    ),
    "void": (
        N_("a roll is called off"),
        {
            "roll_index": N_("the number of the request among all"),
            "missing": N_("who had not opened"),
            "secret": N_("the secret of the secret roll"),
        },
    ),
    "disclose": (
        N_("what was opened for a voided roll"),
        {"roll_index": N_("the number of the request among all"), "openings": N_("what was opened for it")},
    ),
    "close": (N_("the game is closed"), {"openings": N_("what was opened for the roll that waits")}),
}
"""the title of each event of the protocol, and titles of its members"""


def systems_json() -> bytes:
    """Return the catalogue as JSON with sorted members, its texts in English."""
    return msgspec.json.encode(_catalogue(), order="sorted")


def systems_words(translate: Translate, *, of_game: bool | None = None) -> Mapping[str, str]:
    """Return the translation of each text of the catalogue.

    `of_game` False: only the texts of the first page (titles of systems, options, roles); True: only the others.
    """
    catalogue = _catalogue()
    systems = catalogue["systems"].values()
    first = {*catalogue["protocol"]["roles"].values(), *(system["title"] for system in systems)}
    first |= {text for system in systems for text in _texts(system["options"])}
    found = set(_texts(catalogue))
    wanted = found if of_game is None else found - first if of_game else first
    return {text: translate(text) for text in sorted(wanted)}


@cache
def _catalogue() -> Mapping[str, Any]:
    protocol = _Catalogue({f"role {role}": title for role, title in ROLES.items()})
    return {
        "protocol": {
            "events": {event: protocol.of_protocol(event) for event in _PROTOCOL},
            "objects": protocol.objects,
            "roles": ROLES,
            "sentences": _sentences(SENTENCES),
        },
        "references": {name: [text for text in texts if text] for name, texts in REFERENCES.items()},
        "systems": {id_: _system(system) for id_, system in SYSTEMS.items()},
    }


def _texts(found: Any) -> Iterator[str]:
    """Yield each text of the catalogue: titles, and templates of sentences."""
    if isinstance(found, Mapping):
        for name, value in found.items():
            if name in ("title", "text") and isinstance(value, str):
                yield value
            elif name == "roles" and isinstance(value, Mapping):
                yield from value.values()
            elif name == "references":
                yield from (text for texts in value.values() for text in texts)
            else:
                yield from _texts(value)
    elif isinstance(found, list | tuple):
        for each in found:
            yield from _texts(each)


def _sentences(table: Sentences) -> dict[str, Any]:
    return {key: [_way(way) for way in ways] for key, ways in table.items()}


def _way(way: Say) -> dict[str, Any]:
    more = {"more": [_way(each) for each in way.more]} if way.more else {}
    return {"text": way.text, **({"when": way.when} if way.when else {}), **more}


def _system(system: System[Any]) -> dict[str, Any]:
    catalogue = _Catalogue(system.titles)
    options = inspect.type_info(system.options)
    assert isinstance(options, inspect.StructType)
    return {
        "name": system.name,
        "title": system.title,
        "roles": sorted({"player", "judge", "witness", *system.roles}),
        "rollers": sorted(system.rollers),
        "agreement": system.agreement,
        "options": catalogue.members(options.fields),
        "events": {event: [catalogue.kind(form) for form in forms(system, event)] for event in system.bodies},
        "objects": catalogue.objects,
        "sentences": _sentences(system.sentences),
    }


class _Catalogue:
    """The schemas of one system as data; objects are keyed by the names of their classes."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        self.objects: dict[str, Any] = {}
        self._titles = titles

    def kind(self, form: Form) -> dict[str, Any]:
        """Describe one form of an event's body."""
        schema = inspect.type_info(form.schema)
        assert isinstance(schema, inspect.StructType)
        named = self._titles.get(" ".join(form.words)) or (getdoc(form.schema) or form.words[-1]).split("\n")[0]
        line = form.notation
        return {
            "tag": None if form.tag_field is None else {"name": form.tag_field, "value": form.tag},
            "title": named,
            "claims": sorted(form.claims),
            "members": self.members(field for field in schema.fields if field.encode_name != form.tag_field),
            "line": None if line is None else {"grammar": line.grammar, "example": line.example},
        }

    def of_protocol(self, type: str) -> list[dict[str, Any]]:
        """Describe the body of an event of the protocol, which has one form."""
        schema = inspect.type_info(PROTOCOL_BODIES[type])
        assert isinstance(schema, inspect.StructType)
        named, titles = _PROTOCOL[type]
        self._titles = {**self._titles, **{f"member {name}": title for name, title in titles.items()}}
        members = self.members(schema.fields)
        return [{"tag": None, "title": named, "claims": [], "members": members, "line": None}]

    def members(self, fields: Iterable[inspect.Field]) -> list[dict[str, Any]]:
        """Describe members, in the order of the schema."""
        return [self._member(field) for field in fields]

    def _member(self, field: inspect.Field) -> dict[str, Any]:
        title = _titled(field.type) or self._titles.get(f"member {field.encode_name}")
        return {
            "name": field.encode_name,
            "title": title,
            "required": field.required,
            "default": None if field.default in (NODEFAULT, msgspec.UNSET) else field.default,
            "value": self._value(field.type, field.encode_name),
        }

    def _value(self, kind: inspect.Type, name: str) -> dict[str, Any]:
        """Describe the values that the member `name` can have."""
        while isinstance(kind, inspect.Metadata):
            kind = kind.type
        match kind:
            case inspect.IntType(ge=least, le=most):
                return {"kind": "integer", "least": least, "most": most}
            case inspect.BoolType():
                return {"kind": "boolean"}
            case inspect.StrType(max_length=most, pattern=pattern):
                return {"kind": "text", "most": most, "pattern": None if pattern is None else for_javascript(pattern)}
            case inspect.LiteralType(values=values):
                return {"kind": "literal", "values": [self._literal(value, name) for value in values]}
            case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
                items = self._value(item, name)
                return {"kind": "array", "items": items, "least": least or 0, "most": most}
            case inspect.DictType(value_type=item, max_length=most):
                return {"kind": "mapping", "values": self._value(item, name), "most": most}
            case inspect.StructType():
                return self._object(kind)
            case inspect.UnionType(types=kinds):
                return {"kind": "one-of", "values": [self._value(one, name) for one in kinds]}
            case _:
                return {"kind": "any"}

    def _object(self, kind: inspect.StructType) -> dict[str, Any]:
        name = kind.cls.__name__
        if name not in self.objects:
            self.objects[name] = None  # an object may contain its own kind
            tag = None
            if kind.tag_field is not None:
                value = str(kind.tag)
                tag = {"name": kind.tag_field, "value": value, "title": self._of_value(value, kind.tag_field)}
            self.objects[name] = {"tag": tag, "members": self.members(kind.fields)}
        return {"kind": "object", "object": name}

    def _literal(self, value: Any, name: str) -> dict[str, Any]:
        return {"value": value, "title": self._of_value(value, name)}

    def _of_value(self, value: Any, name: str) -> str:
        spoken = {True: N_("yes"), False: N_("no")}[value] if isinstance(value, bool) else str(value)
        return self._titles.get(f"{name} {value}", spoken)


def _titled(kind: inspect.Type) -> str | None:
    """Return the title of a member: its own, or that of one of its kinds."""
    title: str | None = None
    while isinstance(kind, inspect.Metadata):
        title = title or (kind.extra_json_schema or {}).get("title")
        kind = kind.type
    if title is None and isinstance(kind, inspect.UnionType):
        return next((found for found in map(_titled, kind.types) if found is not None), None)
    return title
