"""`rollproof explain`: one roll from commitment to outcome (specs/explanations.md)."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import FileOrGame, GamePin, KeyPins
from ledger.cli.call import Call
from ledger.cli.event_sources import refuse_event
from ledger.cli.language import N_, Translate
from ledger.cli.output import Output, command_line, printable
from ledger.cli.sources import named_log
from ledger.cli.verify import pins_of, show_report
from ledger.errors import UsageError

if TYPE_CHECKING:
    from ledger.analysis.explanation import ByHand, Draw, Explanation, ShownLink, SignedEvent
    from verifier import Report

STORED = "LOG.jsonl"
"""how lines for a shell call the file of a stored game"""
_DICE_COLUMNS = (N_("die"), N_("sides"), N_("bytes"), N_("number"), N_("limit"), N_("natural"), N_("passed over"))


@command(
    app,
    "explain",
    reads=True,
    examples=["rollproof explain table-12.jsonl 9", "rollproof explain 9c31 9", "rollproof explain --json 9c31 9"],
)
def explain(
    call: Call,
    what: FileOrGame,
    seq: Annotated[int, typer.Argument(metavar="SEQ", min=0, help="An event of the roll.", show_default=False)],
    game: GamePin = None,
    key: KeyPins = None,
) -> None:
    """Explain one roll: what was committed, opened and derived, with lines to redo it by hand, and what the rules made
    of it.

    The log is verified first. Exit code: 0 explained; 1 the log does not hold up to that event; 2 it is no log.
    """
    _ = call.translate
    from ledger.analysis.explanation import explain as explained

    refuse_event(call, what, "event", "log")
    log = named_log(call, what)
    report, _replay = log.verified(_, pins_of(game, key))
    if report.valid_prefix <= seq:
        if report.error is None:
            text = _("{file} has {events} events, 0 to {last}: there is no event {seq}")
            told = text.format(file=log.name, events=report.events, last=report.events - 1, seq=seq)
            raise UsageError(told)
        show_report(call.out, report)
        raise typer.Exit(report.exit_code)
    # A name that no terminal can show is none to be typed either.
    file = what if Path(what).is_file() and what == printable(what) else STORED
    found = explained(lambda: log.lines(report.valid_prefix), seq, file)
    if call.out.json:
        call.out.value(_as_json(found, report, _))
    else:
        _Told(call.out, found).all()
        if not Path(what).is_file():
            text = _("{file} is the game's log, once it is written with:")
            stored = call.find(what).hex()[:12]
            call.out.say(text.format(file=file) + command_line("export", stored, "--out", Path(file)))


class _Told:
    """An explanation in words."""

    def __init__(self, out: Output, found: "Explanation") -> None:
        self.out = out
        self.found = found

    def all(self) -> None:
        _ = self.out.translate
        found = self.found
        if not found.draws:
            self._signed(found.event)
            text = _("Event {seq} belongs to no roll: nothing was drawn for it.")
            self.out.say(text.format(seq=found.event.seq))
            return
        text = _("Roll {roll}, in events {events}.")
        self.out.say(text.format(roll=found.roll, events=", ".join(map(str, found.events))))
        text = _(
            "Lines that begin with $ are for a shell with openssl 3, xxd and sed. Their output ends with the line "
            "below."
        )
        self.out.say(text)
        for draw in found.draws:
            self._draw(draw)
        self.out.heading(_("Step 6: the rules"))
        rows = [(told.clause or "", told.message(_)) for told in found.told]
        self.out.table([_("clause"), _("what it means here")], rows)

    def _draw(self, draw: "Draw") -> None:
        _ = self.out.translate
        out = self.out
        self._signed(draw.request)
        out.heading(_("Step 2: the commitments"))
        pairs = zip(draw.contributors, draw.committed, strict=True)
        out.table([_("contributor"), _("event"), _("tip")], [(name, tip.seq, tip.link) for name, tip in pairs])
        for name in draw.without if draw.ended == "reveal" else ():
            text = _("Made without {name}, whom somebody else had signed away. {name} has accepted it.")
            if name in draw.unaccepted:
                text = _("Made without {name}, whom somebody else had signed away. {name} has not accepted it.")
            out.say(text.format(name=name))
        out.heading(_("Step 3: the openings"))
        for opened in draw.openings:
            text = _("{name} opened link {index} for this request; it must lead to link {known}, seen in event {seq}.")
            known = opened.known
            out.say(text.format(name=opened.author, index=opened.index, known=known.index, seq=known.seq))
            self._by_hand(opened.by_hand)
        if draw.ended != "reveal":
            self._no_dice(draw)
        if draw.secret is not None and draw.seed_by_hand is None:
            text = _("A secret roll of {holder}: its seed takes a secret that only {holder} knows, and so do its dice.")
            out.say(text.format(holder=draw.secret.holder))
        if draw.seed_by_hand is None:
            return
        out.heading(_("Step 4: the seed"))
        self._by_hand((draw.seed_by_hand,))
        out.heading(_("Step 5: the dice"))
        self._by_hand(draw.blocks)
        rows = [
            (n, die.sides, die.bytes, die.number, die.limit, die.natural, " ".join(die.passed_over))
            for n, die in enumerate(draw.dice, 1)
        ]
        out.table([_(column) for column in _DICE_COLUMNS], rows, whole=6)
        out.say(_("Each natural is the number mod the sides, plus 1; numbers from the limit on are passed over."))

    def _no_dice(self, draw: "Draw") -> None:
        """A request that waits, or ended without dice."""
        _ = self.out.translate
        out = self.out
        if draw.end is None:
            out.say(_("The dice have not been revealed yet."))
            return
        if draw.ended == "void":
            text = _("In event {seq} {author} voids the request. Its links are used up, and no dice count.")
        else:
            text = _("In event {seq} {author} closes the game while the request waits. No dice count.")
        out.say(text.format(seq=draw.end, author=draw.by))
        if draw.missing:
            text = _("Who had not opened, by {author}'s word: {names}.")
            out.say(text.format(author=draw.by, names=", ".join(draw.missing)))
        if draw.ended == "void" and draw.disclosed is None:
            out.say(_("What was opened for it has not been disclosed yet."))
            return
        if draw.ended == "void" and any(opened.author == draw.by for opened in draw.openings):
            text = _("{author} opened for this request too: who closes a roll does not do both.")
            out.say(text.format(author=draw.by))
        for shown in draw.shown:
            self._shown(shown)
        if draw.hidden_by:
            text = _("What it would have shown is not known: the log has no link of {names} for it.")
            out.say(text.format(names=", ".join(draw.hidden_by)))
        elif draw.seed_by_hand is not None:
            out.say(_("All its links are known by now. This is what it would have shown:"))

    def _shown(self, shown: "ShownLink") -> None:
        """A link that nobody opened for the request, and that is known all the same."""
        _ = self.out.translate
        if shown.shown.index == shown.index:
            text = _("{name} gave link {index} in event {seq}; it must lead to link {known}, seen in event {before}.")
        else:
            text = _(
                "{name} gave link {later} in event {seq}; it leads down to link {index}, the one of this request, and "
                "must lead to link {known}, seen in event {before}."
            )
        later, known = shown.shown, shown.known
        told = {"name": shown.author, "index": shown.index, "later": later.index, "seq": later.seq}
        self.out.say(text.format(known=known.index, before=known.seq, **told))
        self._by_hand(shown.by_hand)

    def _signed(self, signed: "SignedEvent") -> None:
        _ = self.out.translate
        self.out.heading(_("Step 1: the event"))
        text = _("Event {seq}, {type}, signed by {author} at {time}; its leaf hash is {leaf}.")
        told = {name: getattr(signed, name) for name in ("seq", "type", "author", "time", "leaf")}
        self.out.say(text.format(**told))
        self._by_hand(signed.by_hand)

    def _by_hand(self, lines: tuple["ByHand", ...]) -> None:
        for by_hand in lines:
            self.out.line(f"  $ {by_hand.command}")
            self.out.line(f"  {by_hand.prints}")


def _as_json(found: "Explanation", report: "Report", _: Translate) -> dict[str, Any]:
    import msgspec

    return {
        "file": report.file,
        "game": report.game,
        "seq": found.event.seq,
        "roll": found.roll,
        "events": found.events,
        "event": msgspec.to_builtins(found.event),
        "draws": msgspec.to_builtins(found.draws),
        "rules": [{"clause": told.clause, "text": told.message(_)} for told in found.told],
        "report": msgspec.to_builtins(report),
    }
