"""The log of an organized event (specs/event.md).

acts          the bodies of acts, and what is signed
terms         what line 0 sets
replay        the log line by line: keeper, author, signature
rules         who may write which act, and the table of what each does
people_rules  staff, players, keys, penalties
round_rules   rounds, their tables and games
result_rules  calls to a judge, match results
refusals      how a rule refuses
state         what the acts have come to; `records` are its parts
tables        event 0 of a table's game
names         players' names, which stay out of the log
bundle        one file that proves the event
verification  the verdict on a log
"""
