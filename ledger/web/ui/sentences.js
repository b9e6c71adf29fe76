/**
 * An event as one human sentence. It is made from the event itself and from this browser's own verified log, by the
 * table that the rules' Python reads too (`rules/data/sentences.py`; specs/page.md, "Sentences"). Nothing here comes
 * from advice.
 * @module
 */

import { UNTOLD, valueWords } from './event-words.js';
import { kindOf, referenceWords, sentencesFor } from './systems.js';
import { calledOf, t, word } from './words.js';

/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */
/** @typedef {import('../core/snapshot.js').ShownEvent} ShownEvent */
/** @typedef {import('./systems.js').System} System */
/** @typedef {import('./systems.js').Way} Way */
/** @typedef {import('./systems.js').Member} Member */
/** @typedef {import('./systems.js').Objects} Objects */
/** @typedef {import('./systems.js').Value} Value */
/** @typedef {{rolls: ShownRoll[], events: ShownEvent[]}} Log the page's own, verified */
/** @typedef {{author?: string, type: string, body: {[name: string]: any}, seq?: number}} Said */
/**
 * @typedef {object} Sentence
 * @property {string} text @property {string[]} left members of the body that it does not tell
 * @property {boolean} whole whether everything is told: of objects within too, and of lists to their end
 */

/** Parts of a list that are named; of the rest only the number. */
const FEW = 6;
/** Faces that are named one by one; more are counted. */
const FACES = 6;

const FORMS = /\[([^\][|]*)\|([^\][|]*)\]/gu;
const SLOT = /\{([#~@]?)(\w+)(:\+d)?\}/gu;
const CONDITION = /^(!?)(\w+)(?:([=>?])(.*))?$/u;

const comma = () => t(', ');
const semicolon = () => t('; ');

/** @param {number[]} numbers @returns {string[]} `1-3`, `7` */
export function ranges(numbers) {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  /** @type {number[][]} */
  const runs = [];
  for (const number of sorted) {
    const last = runs[runs.length - 1];
    if (last && last[last.length - 1] === number - 1) last.push(number);
    else runs.push([number]);
  }
  return runs.flatMap((run) => (run.length > 2 ? [`${run[0]}-${run[run.length - 1]}`] : run.map(String)));
}

/** @param {any} value @returns {boolean} */
const isEmpty = (value) => value === undefined || value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);

/** @param {any} value @returns {string | null} as a condition names it */
function plain(value) {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? (Object.keys(value).length === 0 ? '' : null) : String(value);
}

/**
 * Returns the dice of a roll as they lie, from verified naturals alone; null if the log alone does not say.
 * @param {Log} log
 * @param {number} seq
 * @param {number} before
 * @returns {number[] | null}
 */
export function naturalsOf({ rolls }, seq, before) {
  const roll = rolls.find((each) => each.seq === seq && each.ended === 'reveal');
  if (!roll?.naturals) return null;
  const now = [...roll.naturals];
  for (const again of rolls) {
    if (again.type !== 'reroll' || again.ended !== 'reveal' || again.body?.roll !== seq || again.seq >= before) continue;
    const { dice } = again.body;
    const inOrder = Array.isArray(dice) && dice.every((die, i) => i === 0 || die > dice[i - 1]);
    if (!inOrder || dice.length !== again.naturals?.length) return null;
    dice.forEach((/** @type {number} */ die, /** @type {number} */ i) => {
      now[die - 1] = /** @type {number[]} */ (again.naturals)[i];
    });
  }
  return now;
}

/** Members that are names of people: told as they are called. The details of what is signed have the names of their keys. */
const PEOPLE = new Set(['party', 'parties', 'player', 'players', 'roller', 'sealed']);
/** Members that are the short names of units (Warhammer): told by the units' own names. */
const UNITS = new Set(['unit', 'target']);

/** Makes one sentence. */
class Teller {
  /** @param {System | null} system @param {Said} event @param {Log} log @param {1 | 2} form */
  constructor(system, event, log, form) {
    this.system = system;
    this.event = event;
    this.log = log;
    this.form = form;
    this.whole = true;
  }

  /** @param {string[]} parts @param {string} [separator] @returns {string} */
  few(parts, separator = comma()) {
    if (parts.length === 0) return t('none');
    if (parts.length <= FEW) return parts.join(separator);
    this.whole = false;
    return [...parts.slice(0, FEW), t('{count} more', { count: parts.length - FEW })].join(separator);
  }

  /**
   * @param {Way[]} ways @param {{[name: string]: any}} given @param {Member[]} members @param {Objects} objects @param {string | null} tag
   * @returns {{text: string, left: string[], bare: boolean} | null} `bare`: the same on a button and in a log
   */
  tell(ways, given, members, objects, tag) {
    const defaults = Object.fromEntries(members.filter((each) => each.default !== null).map(({ name, default: value }) => [name, value]));
    const value = { ...defaults, ...given };
    /** @type {Set<string>} */
    const used = new Set();
    const fits = (/** @type {Way} */ way) =>
      (way.when ?? '')
        .split(' ')
        .filter(Boolean)
        .every((condition) => this.holds(condition, value));
    const first = ways.find(fits);
    if (!first) return null;
    const said = [first, ...(first.more ?? []).filter(fits)];
    for (const { when = '' } of said)
      for (const condition of when.split(' ')) {
        const [, negated, name] = CONDITION.exec(condition) ?? [];
        if (
          name &&
          !negated &&
          (value[name] === true ||
            condition.includes('=') ||
            /** @type {any} */ (members.find((each) => each.name === name))?.value.kind === 'literal')
        )
          used.add(name);
        if (condition.endsWith('@own')) used.add('party');
      }
    const text = said
      .map((way) =>
        word(way.text)
          .replace(FORMS, this.form === 1 ? '$1' : '$2')
          .replace(SLOT, (_, sign, name, signed) => {
            used.add(name);
            if (signed) return `${value[name] < 0 ? '−' : '+'}${Math.abs(value[name])}`;
            return this.told(sign, name, value[name], members.find((each) => each.name === name)?.value ?? { kind: 'any' }, objects);
          }),
      )
      .join(comma());
    const left = Object.keys(given).filter((name) => name !== tag && !used.has(name) && !UNTOLD.has(name));
    return { text, left, bare: !first.text.includes('[') };
  }

  /** @param {string} condition @param {{[name: string]: any}} value @returns {boolean} */
  holds(condition, value) {
    if (condition.endsWith('@own')) return (this.event.author === undefined || value.party === this.event.author) === (condition === '@own');
    const [, negated, name, sign, wanted] = /** @type {RegExpExecArray} */ (CONDITION.exec(condition));
    const found = value[name];
    if (sign === '?') return found !== undefined && found !== null;
    if (sign === '>') return (typeof found === 'number' ? found : (found?.length ?? 0)) > Number(wanted);
    if (sign === '=') return plain(found) === wanted;
    return isEmpty(found) === (negated === '!');
  }

  /** @param {string} sign @param {string} name @param {any} value @param {Value} kind @param {Objects} objects @returns {string} */
  told(sign, name, value, kind, objects) {
    if (sign === '#') return String(value.length);
    if (sign === '~') return this.few(ranges(value));
    if (sign === '@') return this.reference(name, value);
    if (PEOPLE.has(name)) return this.value(Array.isArray(value) ? value.map(calledOf) : calledOf(value), kind, objects);
    if (UNITS.has(name) && typeof value === 'string') return this.unit(value);
    return this.value(value, kind, objects);
  }

  /** @param {any} value @param {Value} kind @param {Objects} objects @returns {string} */
  value(value, kind, objects) {
    if (Array.isArray(value)) {
      const inner = kind.kind === 'array' ? kind.items : /** @type {Value} */ ({ kind: 'any' });
      return this.few(
        value.map((each) => this.value(each, inner, objects)),
        typeof value[0] === 'object' ? semicolon() : comma(),
      );
    }
    if (typeof value !== 'object' || value === null) return valueWords(value, kind, objects);
    if (kind.kind === 'mapping')
      return this.few(
        Object.entries(value).map(([name, each]) => t('{name} {value}', { name, value: { text: this.value(each, kind.values, objects) } })),
      );
    const kinds = kind.kind === 'one-of' ? kind.values : [kind];
    const fits = kinds.find(
      (each) =>
        each.kind === 'object' &&
        (objects[each.object].tag === null || value[objects[each.object].tag?.name ?? ''] === objects[each.object].tag?.value),
    );
    const name = fits?.kind === 'object' ? fits.object : '';
    const object = objects[name];
    const ways = name ? sentencesFor(this.system, [name]) : null;
    const found = ways && this.tell(ways, value, object.members, objects, object.tag?.name ?? null);
    if (!found) return valueWords(value, kind, objects);
    if (found.left.length > 0) this.whole = false;
    return found.text;
  }

  /**
   * Returns what a number refers to, by this browser's log; otherwise the number.
   * @param {string} name
   * @param {any} value
   * @returns {string}
   */
  reference(name, value) {
    if (typeof value === 'string') return t('{text}', { text: value.split('+')[0] });
    return this.known(name, value) ?? this.numbered(name, value);
  }

  /** @param {string} name @param {number | number[]} value @returns {string} */
  numbered(name, value) {
    const texts = referenceWords(name);
    if (!Array.isArray(value)) return word(texts[0]).replace('{number}', String(value));
    return word(value.length > 1 ? texts[1] : texts[0]).replace('{number}', this.few(ranges(value)));
  }

  /** @param {string} name @param {any} value @returns {string | null} */
  known(name, value) {
    const { body } = this.event;
    switch (name) {
      case 'die':
        return this.faces([value]);
      case 'dice':
        return this.faces(value);
      case 'throws':
        return /^1?d\d+$/u.test(this.roll(body.roll)?.body?.dice ?? '') &&
          !this.roll(body.roll)?.body?.maximised &&
          !this.roll(body.roll)?.body?.minimised
          ? this.faces(value)
          : null;
      case 'call':
        return this.call(value);
      case 'effect':
        return this.source(this.roll(body.roll)?.body?.again === undefined ? this.roll(body.roll)?.body?.effects : undefined, value);
      case 'rule':
      case 'reroll':
        return this.source(this.roll(body.roll)?.body?.rerolls, value);
      case 'admit':
        return ['admit', 'replace'].includes(this.entry(value)?.type ?? '')
          ? t('{text}', { text: calledOf(String(this.entry(value)?.body.key).split('+')[0]) })
          : null;
      case 'trigger':
      case 'standing':
        return null;
      default:
        return this.purpose(value);
    }
  }

  /** @param {string} id of a unit @returns {string} its name; with its id where another has the same; the id where this log does not declare it before */
  unit(id) {
    const { type, body, seq = Infinity } = this.event;
    const declared = this.log.events.filter((event) => event.seq < seq && event.type === 'declare' && event.body.what === 'unit');
    const name = declared.findLast((event) => event.body.unit === id)?.body.name;
    if (name === undefined || (type === 'declare' && body.what === 'unit')) return t('{text}', { text: id });
    const shared = declared.some((event) => event.body.name === name && event.body.unit !== id);
    return t('{text}', { text: shared ? `${name} (${id})` : name });
  }

  /** @param {number} seq @returns {ShownRoll | undefined} */
  roll(seq) {
    return this.log.rolls.find((each) => each.seq === seq);
  }

  /** @param {number} seq @returns {ShownEvent | undefined} */
  entry(seq) {
    return this.log.events.find((each) => each.seq === seq);
  }

  /** @param {any[] | undefined} list @param {number} number @returns {string | null} */
  source(list, number) {
    const source = list?.[number - 1]?.source;
    return typeof source === 'string' ? t('{text}', { text: source }) : null;
  }

  /** Calls that have a difficulty are numbered as they are declared (Double Down), others by their event. @param {number} number @returns {string | null} */
  call(number) {
    const calls = this.log.events.filter(({ type, body }) => type === 'declare' && body.what === 'call');
    const call = calls.some(({ body }) => body.difficulty !== undefined) ? calls[number - 1] : calls.find(({ seq }) => seq === number);
    return typeof call?.body.source === 'string' ? t('the call “{source}”', { source: call.body.source }) : null;
  }

  /**
   * Returns whose an earlier event was, and what it was: of a roll the dice, and what they were for.
   * @param {number} seq
   * @returns {string | null}
   */
  purpose(seq) {
    const event = this.entry(seq);
    return event ? t('{author}: {what}', { author: event.author, what: { text: this.short(event) } }) : null;
  }

  /** @param {ShownEvent} event @returns {string} */
  short({ type, body }) {
    const dice = typeof body.dice === 'string' ? t('{text}', { text: body.dice }) : null;
    const source = typeof body.source === 'string' ? t('{text}', { text: body.source }) : typeof body.call === 'number' ? this.call(body.call) : null;
    if (dice !== null && source !== null) return t('{dice} for {source}', { dice: { text: dice }, source: { text: source } });
    if (dice !== null || source !== null) return dice ?? /** @type {string} */ (source);
    const found = kindOf(this.system, type, body);
    const kind = found ? word(found.kind.title) : t('{text}', { text: type });
    const of = typeof body.roll === 'number' ? this.purpose(body.roll) : null;
    return of === null ? kind : t('{kind} ({what})', { kind: { text: kind }, what: { text: of } });
  }

  /** @param {number[]} dice @returns {string | null} */
  faces(dice) {
    const now = naturalsOf(this.log, this.event.body.roll, this.event.seq ?? Infinity);
    const shown = now === null ? [] : dice.map((die) => now[die - 1]);
    if (shown.length === 0 || shown.some((natural) => natural === undefined)) return null;
    if (shown.length <= FACES) return t('the {faces}', { faces: { text: shown.join(comma()) } });
    const counted = [...new Set(shown)].sort((a, b) => a - b).map((natural) => `${shown.filter((each) => each === natural).length} × ${natural}`);
    return t('the {faces}', { faces: { text: counted.join(comma()) } });
  }
}

/**
 * @param {System | null} system of the game @param {Said} event @param {Log} log @param {1 | 2} form 1: as a button says it, 2: as a log does
 * @returns {Sentence}
 */
export function sentence(system, event, log, form) {
  const found = kindOf(system, event.type, event.body);
  const tag = found?.kind.tag ?? null;
  const ways = sentencesFor(system, tag ? [`${event.type} ${tag.value}`, event.type] : [event.type]);
  const teller = new Teller(system, event, log, form);
  let told = null;
  try {
    told = found && ways ? teller.tell(ways, event.body, found.kind.members, found.objects, tag?.name ?? null) : null;
  } catch {
    /* a table that does not fit what is said: each member is told by itself */
  }
  if (told === null) {
    return {
      text: found ? word(found.kind.title) : t('{text}', { text: event.type }),
      left: Object.keys(event.body).filter((name) => name !== tag?.name),
      whole: false,
    };
  }
  const text = event.type === 'roll' && form === 1 && told.bare ? t('Roll {what}', { what: { text: told.text } }) : told.text;
  return { text: form === 1 ? text.slice(0, 1).toUpperCase() + text.slice(1) : text, left: told.left, whole: teller.whole && told.left.length === 0 };
}

/**
 * Returns whose an event was, and what it was, in a few words; null if it is not in this log.
 * @param {System | null} system
 * @param {Log} log
 * @param {number} seq
 * @returns {string | null}
 */
export const purposeWords = (system, log, seq) => new Teller(system, { type: '', body: {} }, log, 2).purpose(seq);
