/**
 * A weapon as a datasheet prints it, and attacks as one line (specs/wh40k.md, "Notation").
 * @module
 */

const TYPES = 'rapid fire|assault|heavy|pistol|grenade';
/** `Bolt rifle 30" Rapid Fire 1 4 -1 1`: a row of the datasheet's table. */
const ROW = new RegExp(String.raw`^(.+?)\s+(?:\d+["”″]\s+)?(${TYPES})\s+(\S+)\s+(\S+)\s+([-−–]?\d+)\s+(\S+)$`, 'iu');
/** `Chainsword Melee Melee User 0 1` */
const MELEE = /^(.+?)\s+(?:melee\s+){1,2}(\S+)\s+([-−–]?\d+)\s+(\S+)$/iu;
/** The place where the profile begins, in a text of the notation. */
const PROFILE = new RegExp(
  String.raw`^(.+?)[,:]?\s+((?:(?:${TYPES}|melee|ranged|once)\b|(?:AP|A|S|D):?\s*[-−–+x×\d]|(?:A|S|D)\s*user\b|(?:A|D):?\s*d\d).*)$`,
  'iu',
);

/** The most characters of a weapon's line: in a longer text the patterns would search for hours. */
const MOST = 500;

/** @param {string} text @returns {string} a weapon's name as the notation takes any */
const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
const minus = (/** @type {string} */ text) => text.replace(/[−–]/u, '-');

/** @param {string} text @returns {{name: string, profile: string} | null} */
export function weaponOf(text) {
  if (text.length > MOST) return null;
  const plain = text
    .trim()
    .replace(/\s*[|\t]\s*/gu, ' ')
    .replace(/\s+/gu, ' ');
  const row = ROW.exec(plain);
  if (row) return { name: row[1], profile: `${row[2].toLowerCase()} ${row[3]}, S${row[4]} AP${minus(row[5])} D${row[6]}` };
  const melee = MELEE.exec(plain);
  if (melee) return { name: melee[1], profile: `melee, S ${melee[2]} AP${minus(melee[3])} D${melee[4]}` };
  const found = PROFILE.exec(plain);
  return found ? { name: found[1].trim(), profile: minus(found[2]) } : null;
}

/** @param {number[]} numbers in order @returns {string} `1-5,7` */
export function ranges(numbers) {
  /** @type {[number, number][]} */
  const found = [];
  for (const number of numbers) {
    const last = found[found.length - 1];
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/**
 * Attacks of a unit as one line. @param {string} unit
 * @param {{weapon: string, target: string, bearers: number[] | null, rules: string}[]} groups `bearers` null: all models
 * @returns {string} empty where a weapon cannot be read
 */
export function attackLine(unit, groups) {
  const told = groups.map(({ weapon, target, bearers, rules }) => {
    const found = weaponOf(weapon);
    if (!found || !target) return '';
    const extra = rules
      .split(/[\n;]/u)
      .map((rule) => rule.trim())
      .filter(Boolean);
    return [`${quoted(found.name)} at ${target}${bearers ? ` by ${ranges(bearers)}` : ''}`, found.profile, ...extra].join(', ');
  });
  return told.includes('') ? '' : `${unit}: ${told.join('; ')}`;
}
