"""Make typed text, of a shell or a page, into bodies of events: from schemas, notations and actions alone.

form      the kinds of bodies of a type of event, each with its members and its notation
members   a member of a body as texts, and back
offers    what was typed, completed by what the rules offer

Nothing here names a game, opens a file or prints.
"""
