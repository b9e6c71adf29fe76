"""A party's own seed chains: made, opened once for each roll, and replaced (specs/seats.md, specs/dice.md)."""

import secrets

import msgspec
from msgspec import UNSET, UnsetType

from ledger.errors import SeedError, TurnError
from ledger.seats.identity import Identity
from ledger.seats.memory import Turn
from ledger.seats.records import OwnChain
from ledger.seats.seed_chain import SeedChain
from verifier import Replay
from verifier.dice.derivation import opening_message
from verifier.dice.pending import PendingRoll
from verifier.log.bodies import Commit, Opening

__all__ = ["SeedVault"]


class SeedVault:
    """The only place that gives out links of a party's seed chains.

    Each method works on the party's turn in a game: which link was opened for which request is in the turn's record
    before the link is returned, and on the disk before the turn ends.
    """

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._name = identity.name
        self._computed: dict[tuple[bytes, str], SeedChain] = {}
        """all links of a chain, by game and tip"""

    def forget(self) -> None:
        """Drop the computed links and the key; the vault is unusable then."""
        self._computed.clear()
        del self._identity

    # --- making and replacing chains -----------------------------------------------------------------------------

    def commit(self, turn: Turn, replay: Replay, length: int) -> Commit:
        """Make a chain, record its secret, and return the body of its commit.

        If the party has a chain in this game, its next link goes into the body, and the chain is used up. Raises
        TurnError if that chain still has links for rolls, SeedError if it is not in the record.
        """
        game, replaced = replay.terms.game, replay.chains.get(self._name)
        link: str | UnsetType = UNSET
        if replaced is not None and self._name not in replay.lost:
            own = self.chain(turn, replaced.tip)
            left = replaced.length - replaced.next
            if left > 0 and not (own.moved or own.replaced):
                raise TurnError(
                    f"{self._name}'s seed chain in this game has links for {left} more "
                    f"roll{'s' if left > 1 else ''}: {self._name} commits anew when there is none left. A roll that "
                    f"is asked for meanwhile would wait for a link that is given away with the commit"
                )
            link = self.link(game, own, replaced.next).hex()
            _change(turn, own, replaced=True)
        secret = secrets.token_bytes(32)
        chain = SeedChain(game, self._name, length, secret)
        own = OwnChain(chain.tip.hex(), length, secret.hex())
        self._computed[game, own.tip] = chain
        turn.change(chains=(*turn.record.chains, own))
        return Commit(length, own.tip, link)

    def burned_link(self, turn: Turn, replay: Replay) -> str | UnsetType:
        """Return the link (hex) of the latest voided roll, if it is not in the log."""
        chain = replay.chains.get(self._name)
        if chain is None or chain.known >= chain.next - 1:
            return UNSET
        return self.link(replay.terms.game, self.chain(turn, chain.tip), chain.next - 1).hex()

    # --- opening -------------------------------------------------------------------------------------------------

    def open(self, turn: Turn, replay: Replay, pending: PendingRoll) -> Opening:
        """Record and return the opening for the pending request; the same if it is asked for again.

        Raises SeedError if the link must not be opened, or the chain is not in the record.
        """
        chain, request = replay.chains[self._name], pending.request.hex()
        own = self.chain(turn, chain.tip)
        self._check_open(turn, own, chain.next, request)
        _change(turn, own, opened=chain.next, request=request)
        return self._signed_opening(replay.terms.game, own, pending, chain.next)

    def opening_of(self, turn: Turn, replay: Replay, ended: PendingRoll, index: int) -> Opening:
        """Return the opening, made before, of link `index` for a roll that has ended. Raises SeedError."""
        own = self.chain(turn, replay.chains[self._name].tip)
        return self._signed_opening(replay.terms.game, own, ended, index)

    def check_can_open(self, turn: Turn, replay: Replay) -> None:
        """Check that the party could open for a roll: else it requests none, which would wait for it. Raises SeedError.

        A party that has committed to no chain passes: the rules refuse its request.
        """
        chain = replay.chains.get(self._name)
        if chain is not None:
            self._check_usable(self.chain(turn, chain.tip))

    def check_unopened(self, turn: Turn, pending: PendingRoll) -> None:
        """Check that the party has not opened for the pending roll. Raises SeedError."""
        if pending.request.hex() in {chain.request for chain in turn.record.chains}:
            raise SeedError(
                f"{self._name} has opened for this roll, and cannot call it off any more: the keeper may know the dice"
            )

    def _check_open(self, turn: Turn, own: OwnChain, index: int, request: str) -> None:
        """Check that link `index` may be opened for the request. Raises SeedError."""
        name = self._name
        if turn.record.voided == request:
            raise SeedError(f"{name} has called this roll off, and opens nothing for it")
        self._check_usable(own)
        for chain in turn.record.chains:
            if chain.request == request and (chain.tip, chain.opened) != (own.tip, index):
                raise SeedError(
                    f"{name} opened link {chain.opened} for this request and will not open link {index} for it too: "
                    f"the log is not the one that {name} saw. Keep both versions and ask a judge."
                )
        if index < own.opened or (index == own.opened and request != own.request):
            raise SeedError(
                f"{name} opened link {index} for another request and never opens it twice: "
                f"somebody shows two histories of this game. Keep both versions and ask a judge."
            )

    def _check_usable(self, own: OwnChain) -> None:
        """Check that a chain may still be opened here. Raises SeedError."""
        name = self._name
        if own.moved:
            raise SeedError(
                f"{name}'s seed chain came from another machine, and is opened for no roll here: {name} has to commit "
                f"to a new chain between rolls. A roll that waits for it is called off, or waits"
            )
        if own.replaced:
            raise SeedError(
                f"{name}'s commit to a new chain gave away a link of this one, so this one is used up. A roll that "
                f"waits for it has to be called off, and {name} commits again"
            )

    def _signed_opening(self, game: bytes, own: OwnChain, roll: PendingRoll, index: int) -> Opening:
        link = self.link(game, own, index)
        message = opening_message(game, roll.request, self._name, index, link)
        return Opening(self._name, index, link.hex(), self._identity.sign(message).hex())

    # --- chains and links ----------------------------------------------------------------------------------------

    def chain(self, turn: Turn, tip: bytes) -> OwnChain:
        """Return the own chain with this tip. Raises SeedError."""
        for own in turn.record.chains:
            if own.tip == tip.hex():
                return own
        raise SeedError(
            f"the secret of {self._name}'s seed chain is not on this machine. Open from the machine that made the "
            f"commitment, or commit to a new chain between rolls."
        )

    def link(self, game: bytes, own: OwnChain, index: int) -> bytes:
        """Return link `index` (32 bytes) of an own chain, whatever was opened. Raises SeedError without such a link."""
        chain = self._computed.get((game, own.tip))
        if chain is None:
            chain = SeedChain(game, self._name, own.length, bytes.fromhex(own.secret))
            self._computed[game, own.tip] = chain
        return chain.link(index)


def _change(turn: Turn, own: OwnChain, **members: object) -> None:
    """Replace members of an own chain in the record."""
    changed = msgspec.structs.replace(own, **members)
    turn.change(chains=tuple(changed if chain is own else chain for chain in turn.record.chains))
