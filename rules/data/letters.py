"""Letters and numbers that notations accept: those of Unicode 14.0.0, whatever version the platform has.

Made by tests/make/letters.py from the properties of characters in Python and Node. Do not edit.
"""

__all__ = ["LATER", "LETTER", "WORD"]

LATER = (
    r"\u088f\u0c5c\u0cdc\u1c89-\u1c8a"
    r"\ua7cb-\ua7cf\ua7d2\ua7d4\ua7da-\ua7dc"
    r"\ua7f1\U000105c0-\U000105f3\U00010940-\U00010959\U00010d40-\U00010d65"
    r"\U00010d6f-\U00010d85\U00010ec2-\U00010ec7\U0001123f-\U00011240\U00011380-\U00011389"
    r"\U0001138b\U0001138e\U00011390-\U000113b5\U000113b7"
    r"\U000113d1\U000113d3\U000116d0-\U000116e3\U00011bc0-\U00011be0"
    r"\U00011bf0-\U00011bf9\U00011db0-\U00011ddb\U00011de0-\U00011de9\U00011f02"
    r"\U00011f04-\U00011f10\U00011f12-\U00011f33\U00011f50-\U00011f59\U0001342f"
    r"\U00013441-\U00013446\U00013460-\U000143fa\U00016100-\U0001611d\U00016130-\U00016139"
    r"\U00016d40-\U00016d6c\U00016d70-\U00016d79\U00016ea0-\U00016eb8\U00016ebb-\U00016ed3"
    r"\U00016ff2-\U00016ff6\U000187f8-\U000187ff\U00018cff\U00018d09-\U00018d1e"
    r"\U00018d80-\U00018df2\U0001b132\U0001b155\U0001ccf0-\U0001ccf9"
    r"\U0001d2c0-\U0001d2d3\U0001df25-\U0001df2a\U0001e030-\U0001e06d\U0001e4d0-\U0001e4eb"
    r"\U0001e4f0-\U0001e4f9\U0001e5d0-\U0001e5ed\U0001e5f0-\U0001e5fa\U0001e6c0-\U0001e6de"
    r"\U0001e6e0-\U0001e6e2\U0001e6e4-\U0001e6e5\U0001e6e7-\U0001e6ed\U0001e6f0-\U0001e6f4"
    r"\U0001e6fe-\U0001e6ff\U0002b739-\U0002b73f\U0002cea2-\U0002cead\U0002ebf0-\U0002ee5d"
    r"\U00031350-\U00033479"
)
"""letters and numbers up to Unicode 17.0 that 14.0.0 lacks, as the inside of a character class"""

# These never ignore case: else an older letter whose capital is in LATER would count as one of LATER.
LETTER = rf"(?-i:(?![{LATER}])[^\W\d_])"
"""pattern of a letter, or of a number that is no decimal digit"""
WORD = rf"(?-i:(?![{LATER}])\w)"
"""pattern of a letter, a number or an underscore"""
