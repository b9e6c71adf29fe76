"""The lines of a log: form, hashes, signatures, terms, and the checks of single lines (specs/log.md).

format         the form of a line and its envelope; `plainjson` reads what every parser reads alike
bodies         the bodies of the protocol's events
merkle         hashes of lines: chain and tree
identity       verifier keys; `succession` says that one goes on for another, `roster` whose they are
signatures     when signatures are checked; `ed25519_backend` by what, `workers` in which process

first_line     steps 1 to 3: whether a file is a log
event_body     steps 8 and 9: the body of an event
terms          step 10: what event 0 sets
line_checks    steps 5, 6, 12 to 22: signatures, links, dice; `fast_path` the same for valid lines
new_keys       steps 15 and 16 of a `replace`
secret_checks  steps 16, 21 and 22 of secret rolls
contributors   who contributes to a roll
conduct        what parties did besides the dice
"""
