"""Code points that are forbidden in texts (specs/log.md, "Text").

Made by tests/make/unseen.py from the Unicode Character Database (© Unicode, Inc., https://www.unicode.org/license.txt).
Do not edit.
"""

UNICODE = "17.0.0"
"""the version of Unicode of the table"""

UNSEEN = (
    "\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-"
    "\u180f\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-"
    "\U000e0fff"
)
"""the code points, as the inside of a character class"""
