/**
 * Called names: people's display names, in any script (specs/log.md, "Called names"). Their look-alikes are only a
 * warning on a screen: no verdict depends on them.
 * @module
 */

/** Letters of other scripts that look like Latin ones. */
const LIKE_LATIN = new Map(
  Object.entries({
    а: 'a',
    в: 'b',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    ё: 'e',
    һ: 'h',
    н: 'h',
    і: 'i',
    ї: 'i',
    ј: 'j',
    к: 'k',
    ӏ: 'l',
    м: 'm',
    о: 'o',
    р: 'p',
    ԛ: 'q',
    ѕ: 's',
    т: 't',
    у: 'y',
    ѵ: 'v',
    ԝ: 'w',
    х: 'x',
    α: 'a',
    β: 'b',
    ε: 'e',
    η: 'n',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
    ı: 'i',
    ł: 'l',
    ø: 'o',
    ɑ: 'a',
    ɡ: 'g',
  }),
);

/** @param {string} text @returns {string} what names that look alike have in common, by this browser's tables */
const skeleton = (text) =>
  [
    ...text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\p{Cf}\p{M}\p{P}\p{Z}\p{S}]/gu, ''),
  ]
    .map((letter) => LIKE_LATIN.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replace(/[1i|]/g, 'l');

/** @param {{name: string, called: string | null}} party @returns {string[]} */
const skeletons = ({ name, called }) => [name, ...(called === null ? [] : [called])].map(skeleton).filter((each) => each !== '');

/**
 * Notes of each seat the first one before it that has, or is called by, a name like one of its own.
 * @param {{name: string, called: string | null, alike: string | null}[]} seats changed in place
 */
export function markAlike(seats) {
  seats.forEach((seat, i) => {
    const mine = skeletons(seat);
    const other = seats.slice(0, i).find((each) => skeletons(each).some((one) => mine.includes(one)));
    if (other !== undefined) seat.alike ??= other.name;
  });
}
