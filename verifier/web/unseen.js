/**
 * Code points that no text has (specs/log.md, "Text").
 *
 * Made by tests/make/unseen.py from the Unicode Character Database (© Unicode, Inc., https://www.unicode.org/license.txt).
 * Do not edit.
 * @module
 */

/** The version of Unicode that the table is of. */
export const UNICODE = '17.0.0';

/** The inside of a character class, for a regular expression with the flag `u`. */
export const UNSEEN = '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f-\\u1160\\u17b4-\\u17b5\\u180b-'
  + '\\u180f\\u200b\\u200e-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff'
  + '\\uffa0\\ufff0-\\ufff8\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
