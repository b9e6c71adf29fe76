"""Character sheets: proposed by a player, confirmed by a GM, changed by rolls and purchases (R2, T3, T4)."""

from msgspec import UnsetType
from msgspec.structs import replace

from rules.common.shared import refuse
from rules.data.language import N_, Message
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown.state import CharacterTag, Game, Sheet

MOST_STARS = 5
MOST_TRACK_STARS = 3


def propose(game: Game, author: str, body: b.DeclareSheet) -> Game:
    """Return the game with a sheet that a player proposes. Raises Violation R2."""
    if author not in game.seated:
        refuse("R2", "a sheet is its player's; {author} is no player", author=author)
    if not body.stats:
        refuse("R2", "a sheet has at least one base stat")
    for name, stars in body.stats.items():
        _check_stars(Message("the stat {name}", name=name), stars, MOST_STARS)
    if not body.track:
        refuse("R2", "a sheet has a stress track: its stars with no stress taken, with one, and so on")
    for stars in body.track:
        _check_stars(Message("each place of the stress track"), stars, MOST_TRACK_STARS)
    if body.stress >= len(body.track):
        text = N_("the stress track has room for {room} stress, not for {stress}")
        refuse("R2", text, room=len(body.track) - 1, stress=body.stress)
    for name, tag in body.tags.items():
        _check_stars(Message("the tag {name}", name=name), tag.stars, MOST_STARS)
    tags = {name: CharacterTag(tag.stars, tag.exhausted is True) for name, tag in body.tags.items()}
    sheet = Sheet(body.character, body.stats, body.track, body.stress, tags, body.drive)
    return replace(game, proposed={**game.proposed, author: sheet})


def confirm(game: Game, author: str, body: b.DeclareConfirm) -> Game:
    """Return the game with a proposed sheet in force. Raises Violation R2."""
    if author not in game.gms:
        refuse("R2", "a GM confirms sheets; {author} is none", author=author)
    player = body.player
    sheet = game.proposed.get(player)
    if sheet is None:
        refuse("R2", "{player} has no sheet to confirm", player=player)
    proposed = {name: s for name, s in game.proposed.items() if name != player}
    return with_sheet(replace(game, proposed=proposed), player, sheet)


def rest(game: Game, author: str, body: b.DeclareRest) -> Game:
    """Return the game with exhausted tags recovered. Raises Violation R2."""
    if author not in game.gms:
        refuse("R2", "a GM grants rest; {author} is none", author=author)
    sheet = in_force(game, body.player, "R2")
    named = tuple(sheet.tags) if isinstance(body.tags, UnsetType) else body.tags
    for name in named:
        if name not in sheet.tags:
            refuse("R2", "{player} has no tag {tag}", player=body.player, tag=name)
    if len(set(named)) < len(named):
        refuse("R2", "each tag is named once")
    for name in named:
        sheet = with_tag(sheet, name, exhausted=False)
    return with_sheet(game, body.player, sheet)


def pay(game: Game, player: str, tag: str | None, drive: int) -> Game:
    """Return the game after a player exhausted a tag and spent drive. The request has checked that it can."""
    sheet = game.sheets[player]
    sheet = replace(sheet, drive=sheet.drive - drive)
    return with_sheet(game, player, sheet if tag is None else with_tag(sheet, tag, exhausted=True))


def gain(game: Game, player: str, drive: int) -> Game:
    """Return the game with a player's drive changed by `drive`, to 0 at least; unchanged if it has no sheet."""
    sheet = game.sheets.get(player)
    return game if sheet is None else with_sheet(game, player, replace(sheet, drive=max(0, sheet.drive + drive)))


def recover_stress(sheet: Sheet, amount: int) -> Sheet:
    """Return the sheet with less stress. Raises Violation T3 if that much has not been taken."""
    if amount > sheet.stress:
        text = N_("{character} has taken {stress} stress: {amount} cannot be recovered")
        refuse("T3", text, character=sheet.character, stress=sheet.stress, amount=amount)
    return replace(sheet, stress=sheet.stress - amount)


def inflict_stress(sheet: Sheet, amount: int) -> Sheet:
    """Return the sheet with more stress. Raises Violation T4 if the track has no room for it."""
    if amount > sheet.room:
        text = N_("the stress track of {character} has room for {room} more, not for {amount}")
        refuse("T4", text, character=sheet.character, room=sheet.room, amount=amount)
    return replace(sheet, stress=sheet.stress + amount)


def recover_tag(sheet: Sheet, tag: str) -> Sheet:
    """Return the sheet with a tag recovered. Raises Violation T3 if it is not exhausted."""
    if tag not in sheet.tags or not sheet.tags[tag].exhausted:
        refuse("T3", "{character} has no exhausted tag {tag}", character=sheet.character, tag=tag)
    return with_tag(sheet, tag, exhausted=False)


def in_force(game: Game, player: str, clause: str) -> Sheet:
    """Return the player's sheet. Raises Violation of `clause` if no GM has confirmed one."""
    sheet = game.sheets.get(player)
    if sheet is None:
        left = player in game.players and player not in game.seated
        text = "{player} has left the game" if left else N_("{player} has no sheet that a GM confirmed")
        refuse(clause, text, player=player)
    return sheet


def with_sheet(game: Game, player: str, sheet: Sheet) -> Game:
    """Return the game with this as the sheet of the player."""
    return replace(game, sheets={**game.sheets, player: sheet})


def with_tag(sheet: Sheet, tag: str, *, exhausted: bool) -> Sheet:
    """Return the sheet with the tag exhausted or not; unchanged if there is no such tag."""
    if tag not in sheet.tags:
        return sheet
    return replace(sheet, tags={**sheet.tags, tag: replace(sheet.tags[tag], exhausted=exhausted)})


def check_gives(sheet: Sheet, player: str, tag: str | None, drive: int) -> None:
    """Verify that the sheet has this tag, not exhausted, and this much drive. Raises Violation R2."""
    if tag is not None:
        if tag not in sheet.tags:
            refuse("R2", "{player} has no tag {tag}", player=player, tag=tag)
        if sheet.tags[tag].exhausted:
            refuse("R2", "the tag {tag} of {player} is exhausted: recover it first", player=player, tag=tag)
    if drive > sheet.drive:
        refuse("R2", "{player} has {drive} drive, not {spent}", player=player, drive=sheet.drive, spent=drive)


def _check_stars(what: Message, stars: int, most: int) -> None:
    if not 1 <= stars <= most:
        refuse("R2", "{what} has 1 to {most} stars, not {stars}", what=what, most=most, stars=stars)
