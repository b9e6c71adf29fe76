"""Get a party's passphrase from the environment or a hidden prompt: one party at a time, never stored."""

import os
import re
import sys

import typer

from ledger.errors import PassphraseError
from verifier.shell.secrecy import secret_variable

__all__ = ["ask_new", "of_pem", "passphrase", "passphrase_if_at_hand", "passphrase_if_set", "variable"]

_VARIABLE = "ROLLPROOF_PASSPHRASE"
_PEM_VARIABLE = "ROLLPROOF_PEM_PASSPHRASE"


def variable(name: str) -> str:
    """Return the environment variable for one party.

    >>> variable("alice-2")
    'ROLLPROOF_PASSPHRASE_ALICE_2'
    """
    return f"{_VARIABLE}_{re.sub('[^A-Z0-9]', '_', name.upper())}"


def passphrase(name: str) -> bytes:
    """Return the passphrase of a party that must act. Raises PassphraseError if there is none to be had."""
    found = _from_environment(name)
    if found is None and _at_terminal():
        found = typer.prompt(f"Passphrase of {name}", hide_input=True, err=True)
    if found is None:
        raise PassphraseError(
            f"the passphrase of {name} is needed: set {variable(name)} or {_VARIABLE}, or run this on a terminal"
        )
    return os.fsencode(found)


def passphrase_if_at_hand(name: str) -> bytes | None:
    """Return the passphrase of a party that may act; None if it is not here, or the prompt was left empty."""
    found = _from_environment(name)
    if found is None and _at_terminal():
        text = f"Passphrase of {name}, to act as {name} too (empty: not now)"
        found = typer.prompt(text, default="", show_default=False, hide_input=True, err=True)
    return os.fsencode(found) if found else None


def passphrase_if_set(name: str) -> bytes | None:
    """Return the passphrase of a party that may act, if the environment has it; nobody is asked."""
    found = _from_environment(name)
    return None if found is None else os.fsencode(found)


def ask_new(name: str) -> bytes:
    """Return a passphrase for a new identity; on a terminal it is typed twice."""
    found = _from_environment(name)
    if found is None and _at_terminal():
        found = typer.prompt(f"New passphrase for {name}", hide_input=True, confirmation_prompt=True, err=True)
    return passphrase(name) if found is None else os.fsencode(found)


def of_pem(file: str) -> bytes:
    """Return the passphrase of a PEM file that is to be imported. Raises PassphraseError if there is none to be had."""
    found = secret_variable(_PEM_VARIABLE)
    if found is None and _at_terminal():
        found = typer.prompt(f"Passphrase of {file}", hide_input=True, err=True)
    if found is None:
        raise PassphraseError(f"the passphrase of {file} is needed: set {_PEM_VARIABLE}, or run this on a terminal")
    return os.fsencode(found)


def _from_environment(name: str) -> str | None:
    found = secret_variable(variable(name))
    return secret_variable(_VARIABLE) if found is None else found


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()
