"""Tools for authors of a client: a server that lies to it, and a program that kills it at critical moments.

proxy    stands between a client and a real server, and alters what passes
forging  the key of the keeper, in the hands of whoever cheats
stage    a real server, honest players at it, and the proxy for the client that is tried
lie      what a lie is
lies     all of them; each is a short script of table_lies, log_lies or answer_lies
trials   a client at a lie, or killed at each of its posts: the verdict

specs/guide/clients.md says how they are used. Nothing here is used by anything that plays.
"""

__all__: list[str] = []
