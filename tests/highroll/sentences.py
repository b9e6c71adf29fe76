"""What the events say (rules/data/sentences.py)."""

from rules.data.sentences import Say, Sentences

__all__ = ["SENTENCES"]

SENTENCES: Sentences = {
    "roll": (Say("{dice}"),),
    "reroll": (Say("[Reroll|rerolls] {@dice} ({@roll})"),),
    "resolve": (Say("[End the roll|ends the roll] ({@roll})", "", (Say("total {total}", "total?"),)),),
}
