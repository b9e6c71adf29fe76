"""Ordinary games: those that the differential tests play, signed."""

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

from rules import Role, Violation
from rules.systems.wh40k.bodies import Options
from tests.hostile.forge import Forge
from tests.oracles import test_dice_differential as dice
from tests.oracles import test_doubledown_differential as doubledown
from tests.oracles import test_t9a_differential as t9a
from tests.oracles import test_wh40k_differential as wh40k
from tests.support.dealer import PARTIES, Dealer

__all__ = ["SYSTEMS", "ordinary"]

Dealt = tuple[Dealer, Mapping[str, Any], Mapping[str, Role]]
"""who makes up the events, with which options, for which parties"""


def _wh40k(random: Random) -> Dealt:
    options = Options(True, True, True)
    told = {"fast_rolling": True, "fast_saves": True, "command_reroll": True}
    return wh40k.Commander(random, options), told, wh40k.PARTIES


SYSTEMS: Mapping[str, Callable[[Random], Dealt]] = {
    "mtg-706-2023-11-17": lambda random: (Dealer(random), {"planechase": True}, PARTIES),
    "t9a-2022": lambda random: (t9a.Marshal(random), {}, PARTIES),
    "doubledown-1": lambda random: (doubledown.GameMaster(random), {}, doubledown.PARTIES),
    "wh40k-9e": _wh40k,
    "dice-1": lambda random: (dice.Host(random), {}, dice.PARTIES),
}


@cache
def ordinary(system: str, least: int, seed: int = 0) -> tuple[bytes, ...]:
    """Logs of random games, `least` bytes or more together."""
    logs, size, random = list[bytes](), 0, Random(f"{system} {seed}")
    while size < least:
        deal, options, parties = SYSTEMS[system](random)
        forge = Forge(system, options, parties)
        for _ in range(300):
            if forge.session.phase == "closed" or forge.bytes > least:
                break
            event = deal.event(forge.session.view())
            if event["type"] in ("close", "void", "leave", "away", "join"):
                continue
            try:
                seq = forge.act(event["author"], event["type"], event["body"])
            except (Violation, ValueError, TypeError):
                continue
            if hasattr(deal, "asked"):
                deal.asked[seq] = event
        logs.append(forge.log)
        size += forge.bytes
    return tuple(logs)
