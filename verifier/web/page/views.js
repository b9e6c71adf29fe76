/**
 * The page's view of a report, rebuilt whenever the language changes.
 * @module
 */

import { mark, render, shown, translate } from '../words.js';
import { element } from './dom.js';

/** @typedef {import('../worker.js').Shown} Shown */
/** @typedef {import('../worker.js').ShownRoll} ShownRoll */
/** @typedef {import('../explain.js').Step} Step */
/** @typedef {import('../findings.js').Message} Message */
/** @typedef {import('../words.js').Language} Language */

/** Signs beside the words, so that colour is never the only sign. */
export const SIGNS = { holds: '✓', fails: '✕', unreadable: '?', unfinished: '?', proof: '!', fair: '✓', off: '–', waits: '…', wrong: '✕' };

/** @param {string} text a template @param {Language} language @param {{[name: string]: import('../findings.js').Value}} [values] */
export const say = (text, language, values = {}) => render({ text, values }, language);

const SEVERITIES = { error: mark('error'), notice: mark('notice') };

/** Notices of dice that the game did not use, or not as they fell. */
const INTERVENTIONS = new Set(['roll.left', 'roll.voids', 'roll.struck', 'roll.taken-back', 'roll.corrected']);

/** @param {string} text @returns {string} */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The verdict in the words of `rollproof verify`. @param {Shown} report @param {Language} language @returns {string} */
export function verdictOf(report, language) {
  const { verdict, kind, events, validPrefix } = report;
  if (report.rules?.state === 'told') return report.rules.told.headline;
  if (kind === 'evidence') {
    if (verdict === 'unreadable') return say('COULD NOT BE READ as a log', language);
    return capital(say(verdict === 'holds' ? mark('the evidence HOLDS (it is proof)') : mark('the evidence DOES NOT HOLD'), language));
  }
  if (kind === 'roll') {
    return capital(
      say(verdict === 'holds' ? mark('the proof of a roll HOLDS') : mark('the proof of a roll DOES NOT HOLD (it shows nothing)'), language),
    );
  }
  if (verdict === 'unreadable') return say(kind === 'bundle' ? mark('COULD NOT BE READ as a bundle') : mark('COULD NOT BE READ as a log'), language);
  if (verdict === 'unfinished') return say('COULD NOT BE FINISHED: whether it holds is not known', language);
  if (verdict === 'holds') return say('HOLDS, {events}', language, { events: { events } });
  if (kind === 'bundle' && validPrefix === events)
    return say('FAILS (something is wrong): the event’s log holds, and not all that lies with it', language);
  if (validPrefix === events)
    return say('FAILS (something is wrong): its {events} events hold, but not with what was given beside them', language, { events });
  return say('FAILS (something is wrong) at event {seq} of {events}; the events before it hold', language, { seq: validPrefix, events });
}

/** Explains the verdict in a sentence. @param {Shown} report @param {Language} language @returns {string} */
export function meaningOf(report, language) {
  const { verdict, kind, findings } = report;
  const [first] = findings;
  if (kind === 'evidence') {
    if (verdict === 'holds')
      return say('{name} signed two histories of one game. That is proof against the key of {name}.', language, { name: first.fault ?? '' });
    return say('It shows nothing about anybody.', language);
  }
  if (kind === 'roll') {
    if (verdict !== 'holds') return say('It shows nothing about anybody.', language);
    const told = [
      say('Its dice follow from secrets that were fixed before the roll. It is one roll of a game, which somebody chose to show.', language),
    ];
    if (findings.some(({ code }) => code === 'roll-proof.ruling')) told.push(say('A judge ruled about it: read the notices.', language));
    return told.join(language === 'ja' ? '' : ' ');
  }
  if (verdict === 'unreadable') return say('Nothing in this file could be judged.', language);
  if (verdict === 'holds' && kind === 'event')
    return say('Every line was signed by who it says, and nothing was changed. Dice of tables are not in it.', language);
  if (verdict === 'holds' && kind === 'bundle')
    return say(
      'The event and the games of its tables are as they were signed, and their dice follow from secrets that were fixed before each roll.',
      language,
    );
  if (verdict === 'holds') {
    const told = [
      report.revealed === 0
        ? say('Nothing in it was changed. It shows no dice.', language)
        : say('Nothing in it was changed, and its dice follow from secrets that were fixed before each roll.', language),
    ];
    for (const { code, fault } of findings) {
      if (code === 'void.opened')
        told.push(say('{fault} called rolls off that {fault} had opened for: read the notices.', language, { fault: fault ?? '' }));
    }
    if (findings.some(({ code }) => INTERVENTIONS.has(code))) {
      told.push(say('Rolls were called off, left without dice, ruled void or corrected: read the notices.', language));
    }
    return told.join(language === 'ja' ? '' : ' ');
  }
  if (verdict === 'unfinished') return say('Its events hold. Whether the policy is met cannot be checked here.', language);
  if (first?.code === 'policy.unmet') return say('Its events hold. It lacks what the policy asks for.', language);
  const fault = first?.fault;
  if (!fault || fault === 'file')
    return say(
      'Something in this file is not as it was signed. No signature shows who made the flaw: anybody who had the file can have made it.',
      language,
    );
  return say('The fault is with the key of {fault}, which signed this or signed over it.', language, { fault });
}

/** @param {string} label @param {string} text @param {boolean} [code] @returns {HTMLElement} */
const pair = (label, text, code = false) =>
  element('div', { class: 'pair' }, element('dt', {}, label), element('dd', { class: code ? 'code' : null }, element('bdi', {}, text)));

/**
 * Words the report's result about the rules. @param {import('./with-rules.js').Rules | undefined} rules @returns
 * {Message}
 */
function ofRules(rules) {
  const values = { command: 'rollproof verify' };
  if (rules === undefined) return { text: 'The rules of the game were not checked: {command} does that.', values };
  if (rules.state === 'asked') return { text: 'The rules of the game are being checked…' };
  if (rules.state === 'unfinished')
    return { text: 'The rules of the game could not be checked here. {why} {command} checks them.', values: { ...values, why: rules.why } };
  return { text: 'The rules of the game were checked too, by the same program as {command}.', values };
}

/** @param {Shown} report @param {Language} language @returns {HTMLElement} */
export function verdictView(report, language) {
  const head = report.head;
  const facts = element('dl', { class: 'facts' });
  facts.append(pair(translate('File', language), shown(report.name)));
  if (report.title !== '') facts.append(pair(translate('Title', language), shown(report.title)));
  if (report.game !== null) facts.append(pair(translate(report.event ? mark('Event') : mark('Game'), language), report.game, true));
  if (head) {
    const label = report.validPrefix === report.events ? mark('Size and root of the log') : mark('Size and root of what holds');
    facts.append(pair(translate(label, language), `${head.size} ${head.root}`, true));
  }
  const trust = render(report.trust, language);
  const error =
    report.verdict === 'fails' || report.verdict === 'unfinished' ? report.findings.find(({ severity }) => severity === 'error') : undefined;
  // Evidence that holds is bad news for somebody: no green tick.
  const look = report.kind === 'evidence' && report.verdict === 'holds' ? 'proof' : report.verdict;
  return element(
    'section',
    { class: `verdict ${look}`, 'aria-labelledby': 'verdict' },
    element('p', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[look]),
    element(
      'div',
      {},
      element('h2', { id: 'verdict', tabindex: '-1' }, verdictOf(report, language)),
      error ? element('p', { class: 'meaning' }, render(error.message, language)) : null,
      element('p', { class: error ? 'rules' : 'meaning' }, meaningOf(report, language)),
      report.kind === 'log' && report.verdict !== 'unreadable' ? element('p', { class: 'rules' }, render(ofRules(report.rules), language)) : null,
      report.rules?.state === 'told' && report.rules.differ
        ? element('p', { class: 'problem', role: 'alert' }, render(report.rules.differ, language))
        : null,
      trust === '' ? null : element('p', { class: 'trust' }, element('strong', {}, `${translate('Trust', language)} `), trust),
      facts,
    ),
  );
}

/** @param {Shown['findings'][number]} finding @param {Language} language @returns {HTMLElement} */
function findingView(finding, language) {
  const { severity, code, seq, fault, clause, message, expected, actual } = finding;
  const where = [];
  if (seq !== null) where.push(say('event {seq}', language, { seq }));
  if (fault !== null) where.push(`${translate('fault', language)}: ${shown(fault)}`);
  if (clause !== null) where.push(`${translate('clause', language)} ${clause}`);
  return element(
    'li',
    { class: severity },
    element(
      'p',
      { class: 'finding' },
      element('strong', {}, translate(SEVERITIES[severity], language)),
      ' ',
      element('code', {}, code),
      where.length ? ` (${where.join(language === 'ja' ? '、' : ', ')})` : '',
    ),
    element('p', {}, render(message, language)),
    expected === null && actual === null
      ? null
      : element(
          'dl',
          { class: 'facts' },
          expected === null ? null : pair(translate('expected', language), shown(expected), true),
          actual === null ? null : pair(translate('actual', language), shown(actual), true),
        ),
  );
}

/** @param {string} title @param {string} id @param {...(Node | null)} children @returns {HTMLElement} */
const section = (title, id, ...children) => element('section', { 'aria-labelledby': id }, element('h2', { id }, title), ...children);

/** @param {Message[]} messages @param {Language} language @returns {HTMLElement} */
const listOf = (messages, language) => element('ul', {}, ...messages.map((each) => element('li', {}, render(each, language))));

/** @param {import('../attachments.js').Judged[]} judged @param {Language} language @returns {string[]} what was given beside the log, in words */
export const besideText = (judged, language) =>
  judged.map(({ name, words }) => {
    const [first] = words.map((each) => render(each, language));
    return first.includes(name) ? first : `${shown(name)}: ${first}`;
  });

/** @param {import('../attachments.js').Judged[]} judged @param {Language} language @returns {HTMLElement | null} */
export function besideView(judged, language) {
  if (judged.length === 0) return null;
  return section(
    translate('Proofs and openings', language),
    'beside',
    ...judged.map(({ name, verdict, words }) =>
      element(
        'div',
        { class: `beside ${verdict}` },
        element('p', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[verdict]),
        element(
          'div',
          {},
          element('p', { class: 'hint' }, shown(name)),
          ...words.map((each) => element('p', { class: 'text' in each && each.text === '{line}' ? 'code' : null }, render(each, language))),
        ),
      ),
    ),
  );
}

/** Findings, what was checked and what was not, keys. @param {Shown} report @param {Language} language @returns {HTMLElement[]} */
export function restViews(report, language) {
  const views = [];
  if (report.findings.length > 0) {
    views.push(
      section(
        translate('Findings and notices', language),
        'findings',
        element('ul', { class: 'findings' }, ...report.findings.map((finding) => findingView(finding, language))),
      ),
    );
  }
  if (report.checked.length > 0) views.push(section(translate('Checked', language), 'checked', listOf(report.checked, language)));
  if (report.notChecked.length > 0) views.push(section(translate('Not checked', language), 'not-checked', listOf(report.notChecked, language)));
  if (report.rules?.state === 'told' && report.rules.told.report.state) {
    const { state } = report.rules.told.report;
    const text = element('pre', { class: 'code', tabindex: '0' });
    const open = () => {
      if (text.textContent === '') text.textContent = shownLines(JSON.stringify(state, null, 2));
    };
    views.push(
      section(
        translate('The state of the game', language),
        'state',
        element('details', { ontoggle: open }, element('summary', {}, translate('What the rules have made of the events, as data', language)), text),
      ),
    );
  }
  if (report.parties.length > 0) {
    views.push(
      section(
        translate('Keys', language),
        'keys',
        element('p', {}, translate('A name is anybody’s. Compare each key with the one that its owner gave you.', language)),
        element(
          'ul',
          { class: 'keys' },
          ...report.parties.map(({ name, role, key }) =>
            element('li', {}, element('span', {}, element('strong', {}, name), ` ${translate(role, language)}`), element('code', {}, key)),
          ),
        ),
      ),
    );
  }
  return views;
}

/** Dice of one kind that stand together: `2d20`. @param {ShownRoll['dice']} dice @returns {{sides: number, naturals: number[]}[]} */
function runs(dice) {
  /** @type {{sides: number, naturals: number[]}[]} */
  const all = [];
  for (const { sides, natural } of dice) {
    const last = all[all.length - 1];
    if (last && last.sides === sides) last.naturals.push(natural);
    else all.push({ sides, naturals: [natural] });
  }
  return all;
}

/** Dice that a line shows; the others are in the explanation. */
const DICE_SHOWN = 24;

/** @param {ShownRoll} roll @param {Language} language @returns {HTMLElement} */
function diceView(roll, language) {
  const dice = element('span', { class: 'dice' });
  let left = DICE_SHOWN;
  for (const { sides, naturals } of runs(roll.dice)) {
    if (left <= 0) break;
    dice.append(
      element(
        'span',
        { class: 'run' },
        element('span', { class: 'kind' }, `${naturals.length === 1 ? '' : naturals.length}d${sides}`),
        ' ',
        ...naturals.slice(0, left).flatMap((natural) => [element('b', { class: 'die' }, String(natural)), ' ']),
      ),
    );
    left -= naturals.length;
  }
  if (left < 0) dice.append(element('span', { class: 'kind' }, say('and {count} more', language, { count: -left })));
  return dice;
}

/** @param {string} text of several lines @returns {string} as `shown`, line by line */
const shownLines = (text) => text.split('\n').map(shown).join('\n');

/**
 * @param {ShownRoll} roll @param {string | null} words what the rules make of its dice @param {Language} language
 * @param {(seq: number, into: HTMLElement) => void} open @returns {HTMLElement}
 */
export function rollView(roll, words, language, open) {
  const steps = element('div', { class: 'steps' });
  const details = element(
    'details',
    {
      class: `roll ${roll.standing}`,
      ontoggle: () => {
        if (/** @type {HTMLDetailsElement} */ (details).open && !steps.hasChildNodes()) open(roll.seq, steps);
      },
    },
    element(
      'summary',
      {},
      element('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[roll.standing]),
      element(
        'span',
        { class: 'what' },
        element(
          'span',
          { class: 'who' },
          element('strong', {}, roll.author),
          ' ',
          element('bdi', { class: 'purpose' }, shown(roll.purpose)),
          ' ',
          element('span', { class: 'number' }, say('event {seq}', language, { seq: roll.seq })),
        ),
        roll.dice.length > 0 ? diceView(roll, language) : null,
        words === null ? null : element('span', { class: 'came-to' }, element('bdi', {}, words)),
        element('span', { class: 'why' }, render(roll.why, language)),
        ...roll.rulings.map((ruling) => element('span', { class: 'ruling' }, render(ruling, language))),
      ),
    ),
    steps,
  );
  return element('li', {}, details);
}

/** @param {Step[]} steps @param {Language} language @returns {HTMLElement[]} */
export const stepViews = (steps, language) => [
  element(
    'p',
    { class: 'hint' },
    translate('Lines that begin with $ are for a shell with openssl 3, xxd and sed. Their output ends with the line below.', language),
  ),
  ...steps.map(({ title, parts }) =>
    element(
      'section',
      {},
      element('h3', {}, render(title, language)),
      ...parts.map((part) => {
        if ('say' in part) return element('p', {}, render(part.say, language));
        if ('byHand' in part) {
          return element(
            'div',
            { class: 'hand', tabindex: '0', role: 'group', 'aria-label': translate('By hand', language) },
            element('code', {}, `$ ${part.byHand.command}`),
            element('samp', {}, part.byHand.prints),
          );
        }
        const { head, rows } = part.table;
        return element(
          'div',
          { class: 'wide', tabindex: '0', role: 'group', 'aria-label': render(title, language) },
          element(
            'table',
            {},
            element('thead', {}, element('tr', {}, ...head.map((each) => element('th', { scope: 'col' }, translate(each, language))))),
            element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map((cell) => element('td', {}, cell))))),
          ),
        );
      }),
    ),
  ),
];
