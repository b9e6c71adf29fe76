/**
 * Warhammer 40,000: whose turn it is, units from their datasheets, and a volley that goes hit, wound, save, damage.
 * @module
 */

import { html, useState } from '../html.js';
import { Fold } from '../parts.js';
import { calledOf, mark, t } from '../words.js';
import { Key, Keys, Numbers, OneOf, ownOf, Steps, Text, TypedLine, useKept } from './typed.js';
import { passed, result, roll } from './volley.js';
import { attackLine, weaponOf } from './weapons.js';

/** @typedef {import('../fields.js').Action} Action */
/** @typedef {import('../../core/advice.js').Advised} Advised */
/** @typedef {import('../../core/snapshot.js').Seated} Seated */
/** @typedef {import('./index.js').QuickProps} QuickProps */
/** @typedef {import('./index.js').SceneProps} SceneProps */
/** @typedef {import('../../core/index.js').ScreenTable} Table */

/** Weapons of a unit that are kept, to be used again with one tap. */
const WEAPONS = 6;
const DATASHEET = '10 Intercessors M6" WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+';
const WEAPON = 'Bolt rifle, A2 S4 AP-1 D1';
/** Rules that many attacks have, as they are typed in every language; the words on their keys are each language’s own. */
const RULES = [
  mark('hit -1 Dense Cover'),
  mark('reroll hit 1 Captain'),
  mark('reroll wound 1 Lieutenant'),
  mark('reroll hit failed Oath'),
  mark('on hit unmodified 6: extra hits 1 Exploding sixes'),
  mark('wounds on 4+ Poison'),
  mark('on wound unmodified 1-3: fails Transhuman Physiology'),
];
const FREE = [mark('2d6 sum for Charge, 7+'), mark('2d6 sum for Psychic test, 5+'), mark('d6 sum for Advance')];

/** @param {any} action @returns {string} what a step is, as players say it */
function stepWords({ type, body, fields }) {
  const invulnerable = body.invulnerable === true;
  if (type === 'resolve' && isSure({ body, fields })) return t('Hit without a roll');
  if (type === 'resolve')
    return fields.some((/** @type {any} */ field) => field.name === 'mortal') ? t('Suffer mortal wounds') : t('A wound that no save can stop');
  return (
    {
      attacks: t('Roll how many attacks'),
      hit: t('Roll to hit'),
      extra: t('Roll how many further hits'),
      strength: t('Roll the Strength'),
      wound: t('Roll to wound'),
      save: invulnerable ? t('Roll the invulnerable saves') : t('Roll the saves'),
      damage: t('Roll the damage'),
      ignore: t('Roll to ignore wounds'),
      mortal: t('Roll the mortal wounds'),
      move: t('Roll the move'),
    }[/** @type {'hit'} */ (body.for)] ?? ''
  );
}

/**
 * Returns which of the saves comes, if they are rolled one by one.
 * @param {any} action @param {Advised} sequence @param {number} rolled saves whose dice lie there and can still be rolled again @returns {string} empty: they are rolled together, or it is no save
 */
function saveWords({ body, fields }, sequence, rolled) {
  const count = (sequence?.groups ?? []).reduce((/** @type {number} */ all, /** @type {any} */ group) => all + (group.wounds ?? 0), 0);
  if (body.for !== 'save' || count < 2 || fields.some((/** @type {any} */ field) => field.name === 'count' && field.most > 1)) return '';
  const number = count - sequence.wounds + 1 + rolled;
  return body.invulnerable === true
    ? t('Roll invulnerable save {number} of {count}', { number, count })
    : t('Roll save {number} of {count}', { number, count });
}

const PHASES = () => ({
  command: t('command phase'),
  movement: t('movement phase'),
  psychic: t('psychic phase'),
  shooting: t('shooting phase'),
  charge: t('charge phase'),
  fight: t('fight phase'),
  morale: t('morale phase'),
});
const phaseWords = (/** @type {string} */ phase) => PHASES()[/** @type {'fight'} */ (phase)] ?? phase;

const hasModel = (/** @type {any} */ action) => 'model' in action.body || action.fields.some((/** @type {any} */ field) => field.name === 'model');
const isSure = (/** @type {any} */ action) => 'groups' in action.body || action.fields.some((/** @type {any} */ field) => field.name === 'groups');
export const isStep = (/** @type {any} */ action) =>
  (action.type === 'roll' && !['free', 'off', 'attack', undefined].includes(action.body.for)) ||
  (action.type === 'resolve' && (hasModel(action) || isSure(action)));
const isKeep = (/** @type {any} */ action) => action.due && action.type === 'resolve' && Object.keys(action.body).join() === 'roll';
const isCommand = (/** @type {any} */ action) => action.type === 'reroll' && action.body.command === true;
const isPhase = (/** @type {any} */ action) => action.type === 'declare' && action.body.what === 'phase';
const isUnit = (/** @type {any} */ action) => action.type === 'declare' && action.body.what === 'unit';
const isOff = (/** @type {any} */ action) => action.type === 'roll' && action.body.for === 'off';
const isAttack = (/** @type {any} */ action) => action.type === 'roll' && action.body.for === 'attack';
const takes = (/** @type {any} */ action) =>
  isStep(action) || isKeep(action) || isCommand(action) || isPhase(action) || isUnit(action) || isOff(action) || isAttack(action);

const alive = (/** @type {any} */ unit) => unit.models.filter((/** @type {any} */ model) => !model.destroyed);

/** Whose turn it is. @param {{turn: Advised, me: string}} props */
const Turn = ({ turn, me }) =>
  html`<p class="whose"><strong>${turn ? (turn.player === me ? t('Your turn') : t('Turn of {player}', { player: turn.player })) : t('No turn has begun')}</strong>${turn && html` <span class="phase">${phaseWords(turn.phase)}</span>`}</p>`;

/**
 * The next phase, with one tap.
 * @param {{turn: Advised, action: Action, Act: Function, ActionForm: Function, me: string}} props
 */
function NextPhase({ turn, action, Act, ActionForm, me }) {
  const phases = action.fields[0]?.options ?? [];
  const next =
    phases.find(
      (/** @type {any} */ option) =>
        Object.keys(PHASES()).indexOf(option.value) > Object.keys(PHASES()).indexOf(turn?.player === me ? turn.phase : ''),
    ) ?? phases[0];
  if (!next) return null;
  return html`<div class="turn"><${Act} type="declare" body=${{ ...action.body, phase: next.value }} short=${turn?.player === me ? t('Go on to the {phase}', { phase: phaseWords(String(next.value)) }) : t('Begin my {phase}', { phase: phaseWords(String(next.value)) })} />
    ${phases.length > 1 && html`<${Fold} title=${t('Another phase')} className="plain"><${ActionForm} action=${action} kind="" /><//>`}</div>`;
}

/** @param {any} field @returns {any} its only value, of a number the most, of several groups all, which are then rolled together; else undefined */
const whole = (field) =>
  field.kind === 'range'
    ? field.most
    : field.kind === 'one-of' && field.options.length === 1
      ? field.options[0].value
      : field.kind === 'some-of' && field.most >= field.options.length
        ? field.options.map((/** @type {any} */ option) => option.value)
        : undefined;

/**
 * Returns the next actions, one for each kind of model that can take it: of models alike players mean any.
 * @param {any[]} steps actions @param {any} own @returns {{action: any, body: any, kind: string, open: boolean}[]} `open`: something is left to fill in
 */
export function choices(steps, own) {
  const models = own.units?.[own.sequence?.target]?.models ?? [];
  const nameOf = (/** @type {number} */ number) => models.find((/** @type {any} */ each) => each.model === number)?.name ?? String(number);
  const found = new Map();
  for (const action of steps) {
    const field = action.fields.find((/** @type {any} */ each) => each.name === 'model' && each.required);
    const mortal = action.fields.find((/** @type {any} */ each) => each.name === 'mortal' && each.required);
    const rest = action.fields.filter((/** @type {any} */ each) => each.required && each !== field && each !== mortal);
    const open = rest.some((/** @type {any} */ each) => whole(each) === undefined);
    const filled = Object.fromEntries(rest.map((/** @type {any} */ each) => [each.name, whole(each)]));
    const bounds = rest.concat(mortal ?? []).map((/** @type {any} */ each) => each.most ?? null);
    for (const model of field ? field.options.map((/** @type {any} */ option) => option.value) : [null]) {
      const kind = model === null ? '' : nameOf(model);
      const key = JSON.stringify([action.type, action.body, kind, bounds]);
      if (!found.has(key))
        found.set(key, {
          action,
          open,
          kind,
          body: { ...action.body, ...(open ? {} : filled), ...(model === null ? {} : { model }), ...(mortal ? { mortal: mortal.most } : {}) },
        });
    }
  }
  return [...found.values()];
}

/**
 * The steps of this party, one tap for each.
 * @param {{snapshot: Seated, own: Advised, steps: Action[], keep: Action | undefined, command: Action[], Act: Function, ActionForm: Function, isInTray: (action: Action) => boolean}} props
 */
function Course({ snapshot, own, steps, keep, command, Act, ActionForm, isInTray }) {
  const all = choices(steps, own);
  const several = new Set(all.map(({ kind }) => kind)).size > 1;
  const open = (snapshot.advice?.state.rolls ?? []).find((/** @type {any} */ each) => each.status === 'open' && each.own?.for === 'save');
  const words = (/** @type {any} */ each) => saveWords(each.action, own.sequence, open?.dice.length ?? 0) || stepWords(each.action);
  // The step leaves the dice as they lie: said by the word that the other ways on have too. No step begins with a noun.
  const onward = (/** @type {string} */ step) =>
    keep ? t('Go on: {step}', { step: { text: step.slice(0, 1).toLowerCase() + step.slice(1) } }) : step;
  const label = (/** @type {any} */ each) =>
    onward(several && each.kind ? t('{step}: {model}', { step: words(each), model: each.kind }) : words(each));
  return html`<div class="course">
    ${all.map((each, i) =>
      each.open
        ? html`<div class="offer" key=${`${i} ${label(each)}`}><h3>${label(each)}</h3><${ActionForm} action=${each.action} kind=${i === 0 ? 'main' : ''} /></div>`
        : html`<${Act} key=${`${i} ${label(each)}`} type=${each.action.type} body=${each.body} kind=${i === 0 ? 'main' : ''} short=${label(each)} />`,
    )}
    ${
      all.some(({ action, open }) => !open && action.fields.length > 0) &&
      html`<${Fold} title=${t('Choose which model, or how many')} className="plain">
      ${all.filter(({ action, open }) => !open && action.fields.length > 0).map((each, i) => html`<div class="offer" key=${`${i} ${label(each)}`}><h4>${label(each)}</h4><${ActionForm} action=${each.action} kind="" /></div>`)}<//>`
    }
    ${keep && steps.length === 0 && html`<${Act} type="resolve" body=${keep.body} kind="main" short=${t('Go on: no re-roll')} />`}
    ${command.map((/** @type {any} */ action, /** @type {number} */ i) => (isInTray(action) ? html`<p class="hint" key=${i}>${t('Command Re-roll, once in a phase: tap its die among the dice above.')}</p>` : html`<${Fold} key=${i} title=${t('Command Re-roll')} hint=${t('once in a phase')} className="plain"><${ActionForm} action=${action} kind="" /><//>`))}
  </div>`;
}

/**
 * One weapon at one target, by so many models.
 * @param {{group: Group, setGroup: (group: Group) => void, unit: Advised, targets: string[], units: {[id: string]: Advised}, known: string[], borne: {[weapon: string]: number | null}, onForget?: (() => void) | null}} props
 *   `borne`: by how many models each weapon was used last
 */
function Weapon({ group, setGroup, unit, targets, units, known, borne, onForget }) {
  const models = unit ? alive(unit) : [];
  const many = group.count ?? models.length;
  const profile = weaponOf(group.weapon);
  const each = Number(/(?:^|[\s,])(?:A:?\s*|rapid fire |assault |heavy |pistol |grenade )(\d+)/iu.exec(profile?.profile ?? '')?.[1] ?? NaN);
  const label = (/** @type {string} */ id) => (units[id]?.name && units[id].name !== id ? `${units[id].name} (${alive(units[id]).length})` : id);
  return html`<div class="weapon">
    <${Text} label=${t('Weapon, as its datasheet has it')} value=${group.weapon} onChange=${(/** @type {string} */ weapon) => setGroup({ ...group, weapon })} />
    ${known.length > 0 && html`<${Keys} label=${t('Weapons used before')}>${known.map((/** @type {string} */ each) => html`<${Key} key=${each} on=${group.weapon === each} onTap=${() => setGroup({ ...group, weapon: each, count: borne[each] ?? null })}>${weaponOf(each)?.name ?? each}<//>`)}<//>`}
    ${group.weapon === '' && known.length === 0 && html`<p class="hint">${t('such as {example}', { example: WEAPON })} <button type="button" class="quiet small" onclick=${() => setGroup({ ...group, weapon: WEAPON })}>${t('Use this')}</button></p>`}
    ${group.weapon !== '' && !profile && html`<p class="hint">${t('A name, then its profile: A, S, AP and D, or a row of the datasheet.')}</p>`}
    <${OneOf} label=${t('At')} className="one-row" options=${targets.map((/** @type {string} */ id) => ({ value: id, label: label(id) }))} value=${group.target} onChange=${(/** @type {string} */ target) => setGroup({ ...group, target })} />
    ${
      models.length > 1 &&
      html`<div class="field"><${Numbers} label=${Number.isNaN(each) ? t('models that attack') : t('models that attack: {count}, {attacks} {attacks:attack|attacks}', { count: many, attacks: many * each })}
        numbers=${bearers(models.length)} value=${many} words=${(/** @type {number} */ number) => (number === models.length ? t('all {count}', { count: number }) : String(number))}
        onChange=${(/** @type {number} */ count) => setGroup({ ...group, count: count === models.length ? null : count })} />
      <${Steps} label=${t('models that attack')} value=${many} onLess=${() => setGroup({ ...group, count: Math.max(1, many - 1) })} onMore=${() => setGroup({ ...group, count: many + 1 >= models.length ? null : many + 1 })} /></div>`
    }
    <${Fold} title=${t('Rules and modifiers')} hint=${group.rules.split('\n').filter(Boolean).join('; ')} className="plain">
      <div class="field"><label for=${`rules-${group.key}`}>${t('One a line')}</label>
        <textarea id=${`rules-${group.key}`} class="typed" rows="3" autocomplete="off" autocapitalize="off" spellcheck=${false} value=${group.rules} oninput=${(/** @type {any} */ event) => setGroup({ ...group, rules: event.currentTarget.value })}></textarea></div>
      <${Keys} label=${t('Common rules')}>${RULES.map((rule) => html`<${Key} key=${rule} onTap=${() => setGroup({ ...group, rules: [...group.rules.split('\n').filter((/** @type {string} */ one) => one && one !== rule), rule].join('\n') })}>${t(rule)}<//>`)}<//>
    <//>
    ${onForget && html`<button type="button" class="quiet" onclick=${onForget}>${t('Without this weapon')}</button>`}
  </div>`;
}

/** @param {number} all models @returns {number[]} how many of them bear a weapon, most often */
const bearers = (all) =>
  [...new Set([1, 2, 3, 5, Math.floor(all / 2), all - 1, all])].filter((count) => count >= 1 && count <= all).sort((a, b) => a - b);

let keys = 0;
/** @typedef {{key: number, weapon: string, target: string, count?: number | null, rules: string}} Group models that attack with one weapon; `count` null: all, absent: as many as last */
/** @returns {Group} */
const blank = () => ({ key: keys++, weapon: '', target: '', rules: '' });

/**
 * Attacker, weapon, target, number: one line, one tap.
 * @param {{table: Table, snapshot: Seated, action: Action, Act: Function, main: boolean}} props
 */
function Attack({ table, snapshot, action, Act, main }) {
  const { units = {}, turn } = ownOf(snapshot);
  const me = snapshot.me.name;
  const mine =
    action.fields.find((/** @type {any} */ field) => field.name === 'unit')?.options?.map((/** @type {any} */ option) => option.value) ?? [];
  const targets = Object.keys(units).filter((id) => units[id].player !== me && alive(units[id]).length > 0);
  const [chosen, setChosen] = useState('');
  const [groups, setGroups] = useState(() => [blank()]);
  const [weapons, setWeapons] = useKept(snapshot, 'weapons', /** @type {{[unit: string]: string[]}} */ ({}));
  const unit = mine.includes(chosen) ? chosen : mine[0];
  const [borneBy, setBorneBy] = useKept(snapshot, 'bearers', /** @type {{[unit: string]: {[weapon: string]: number | null}}} */ ({}));
  const known = weapons[unit] ?? [];
  const borne = borneBy[unit] ?? {};
  const whole = groups.map((group) => ({
    ...group,
    ...(group.weapon === '' && groups.length === 1 && known.length > 0
      ? { weapon: known[0], count: group.count === undefined ? (borne[known[0]] ?? null) : group.count }
      : {}),
    target: targets.includes(group.target) ? group.target : (targets[0] ?? ''),
  }));
  const line = attackLine(
    unit,
    whole.map(({ weapon, target, count, rules }) => ({
      weapon,
      target,
      rules,
      bearers:
        count == null || !units[unit]
          ? null
          : alive(units[unit])
              .slice(0, count)
              .map((/** @type {any} */ model) => model.model),
    })),
  );
  const melee = turn?.phase === 'fight' || /\bmelee\b/iu.test(line);
  const done = () => {
    setWeapons({ ...weapons, [unit]: [...new Set([...whole.map(({ weapon }) => weapon), ...known])].slice(0, WEAPONS) });
    setBorneBy({ ...borneBy, [unit]: { ...borne, ...Object.fromEntries(whole.map(({ weapon, count }) => [weapon, count ?? null])) } });
    setGroups([blank()]);
  };
  const set = (/** @type {number} */ at, /** @type {any} */ group) => setGroups(groups.map((each, i) => (i === at ? group : each)));
  if (targets.length === 0) return html`<p class="quietly">${t('As soon as another player has a unit on the table, yours can shoot at it.')}</p>`;
  return html`<div class="attack">
    <h3>${melee ? t('Fight') : t('Shoot')}</h3>
    ${mine.length > 1 && html`<${OneOf} label=${t('Who attacks')} options=${mine.map((/** @type {string} */ id) => ({ value: id, label: units[id]?.name ?? id }))} value=${unit} onChange=${setChosen} />`}
    <p class="pairing">${t('{attacker} at {targets}', { attacker: units[unit]?.name ?? unit, targets: { names: [...new Set(whole.map(({ target }) => units[target]?.name ?? target))] } })}</p>
    ${whole.map(
      (
        group,
        i,
      ) => html`<${Weapon} key=${group.key} group=${{ ...group, count: whole[i].count }} setGroup=${(/** @type {any} */ next) => set(i, next)} unit=${units[unit]} units=${units} targets=${targets} known=${known} borne=${borne}
      onForget=${groups.length > 1 ? () => setGroups(groups.filter((_, k) => k !== i)) : null} />`,
    )}
    <${Read} table=${table} Act=${Act} request=${{ type: 'roll', kind: 'attack', party: me }} line=${line} short=${melee ? t('Fight: roll the first dice') : t('Shoot: roll the first dice')} main=${main} missing=${t('first the weapon')} onDone=${done} />
    <button type="button" class="quiet" onclick=${() => setGroups([...groups, blank()])}>${t('One more weapon')}</button>
  </div>`;
}

/**
 * A line that a form made, as it was read, and the act made from it.
 * @param {{table: Table, Act: Function, request: object, line: string, short: string, main: boolean, missing: string, onDone: (body: any) => void}} props
 */
function Read({ table, Act, request, line, short, main, missing, onDone }) {
  return html`<${TypedLine} table=${table} Act=${Act} request=${request} type="roll" line=${line} made=${true} label="" kind=${main ? 'main' : ''} short=${short} missing=${missing} onDone=${onDone} />`;
}

/** `4-9 Intercessors`: the number that a unit may have. The page asks how many there are, and never guesses. */
const RANGE = /^((?:[•*>.–—-][^\S\n])?[^\S\n]*)(\d{1,4}) ?[-–] ?(\d{1,4})(?=\s)/mu;
/** The most numbers that are offered. */
const NUMBERS = 40;

/**
 * The number of models within a pasted range, with one tap.
 * @param {{sheet: string, setSheet: (sheet: string) => void}} props
 */
function HowMany({ sheet, setSheet }) {
  const found = RANGE.exec(sheet);
  const [least, most] = [Number(found?.[2]), Number(found?.[3])];
  if (!found || !(most > least) || most - least >= NUMBERS) return null;
  const numbers = Array.from({ length: most - least + 1 }, (_, i) => least + i);
  return html`<${Numbers} label=${t('How many are there?')} value=${null} numbers=${numbers} onChange=${(/** @type {number} */ number) => setSheet(sheet.replace(RANGE, `$1${number}`))} />`;
}

/** A unit from its datasheet. @param {{table: Table, snapshot: Seated, Act: Function, open: boolean}} props */
function Unit({ table, snapshot, Act, open }) {
  const [sheet, setSheet] = useState('');
  return html`<${Fold} title=${t('Put a unit on the table')} hint=${t('paste its datasheet')} open=${open} className="offer">
    <${TypedLine} table=${table} Act=${Act} request=${{ type: 'declare', kind: 'unit', party: snapshot.me.name }} type="declare" rows=${4} line=${sheet} setLine=${setSheet}
      label=${t('Datasheet: the unit’s name, then one line for each kind of model')} example=${DATASHEET} kind="" short=${t('Put it on the table')} missing=${t('first paste the datasheet')} onDone=${() => setSheet('')}><${HowMany} sheet=${sheet} setSheet=${setSheet} /><//><//>`;
}

/** @param {{table: Table, snapshot: Seated, Act: Function}} props */
function Free({ table, snapshot, Act }) {
  const [line, setLine] = useState('');
  return html`<${Fold} title=${t('Other dice')} hint=${t('charge, tests')} className="offer">
    <${TypedLine} table=${table} Act=${Act} request=${{ type: 'roll', kind: 'free', party: snapshot.me.name }} type="roll" line=${line} setLine=${setLine} label=${t('What to roll')} kind="" onDone=${() => setLine('')}>
      <${Keys} label=${t('Common rolls')}>${FREE.map((each) => html`<${Key} key=${each} on=${line === each} onTap=${() => setLine(each)}>${t(each)}<//>`)}<//>
    <//><//>`;
}

/** @param {QuickProps} props */
function quick({ table, snapshot, actions, Act, ActionForm }) {
  const own = ownOf(snapshot);
  const me = snapshot.me.name;
  const steps = actions.filter(isStep);
  const keep = actions.find(isKeep);
  const attack = actions.find(isAttack);
  const phase = actions.find(isPhase);
  const off = actions.find(isOff);
  const units = Object.values(own.units ?? {});
  const busy = steps.length > 0 || keep;
  const hasUnit = units.some((/** @type {any} */ each) => each.player === me);
  const unit = actions.some(isUnit) && html`<${Unit} table=${table} snapshot=${snapshot} Act=${Act} open=${!hasUnit} />`;
  const turn = !own.turn || own.turn.player === me || own.turn.phase === 'fight';
  return html`
    ${(own.turn || phase) && html`<${Turn} turn=${own.turn ?? null} me=${me} />`}
    ${!hasUnit && unit}
    ${
      attack &&
      !busy &&
      (turn
        ? html`<${Attack} table=${table} snapshot=${snapshot} action=${attack} Act=${Act} main=${true} />`
        : html`<${Fold} title=${t('Attack in the turn of {player}', { player: own.turn.player })} className="offer"><${Attack} table=${table} snapshot=${snapshot} action=${attack} Act=${Act} main=${false} /><//>`)
    }
    ${phase && html`<${NextPhase} turn=${own.turn ?? null} action=${phase} Act=${Act} ActionForm=${ActionForm} me=${me} />`}
    ${hasUnit && unit}
    ${off && !busy && html`<${Fold} title=${t('Roll-off')} className="offer"><${ActionForm} action=${off} kind="" /><//>`}
    ${actions.some((/** @type {any} */ action) => action.body.for === 'free') && html`<${Free} table=${table} snapshot=${snapshot} Act=${Act} />`}`;
}

/** The next step of a volley, for whoever has to take it. @param {QuickProps} props */
function next({ snapshot, actions, Act, ActionForm, isInTray }) {
  const steps = actions.filter(isStep);
  const keep = actions.find(isKeep);
  if (steps.length === 0 && !keep) return null;
  return html`<${Course} snapshot=${snapshot} own=${ownOf(snapshot)} steps=${steps} keep=${keep} command=${actions.filter(isCommand)} Act=${Act} ActionForm=${ActionForm} isInTray=${isInTray} />`;
}

/** Units, with the wounds of their models. @param {{units: {[id: string]: Advised}, me: string}} props */
function Units({ units, me }) {
  return Object.entries(units).map(([id, unit]) => {
    const left = alive(unit);
    const hurt = left.filter((/** @type {any} */ model) => model.lost > 0);
    const kinds = [...new Set(unit.models.map((/** @type {any} */ model) => model.name))];
    return html`<div class=${`thing unit ${left.length === 0 ? 'gone' : ''}`} key=${id}>
      <h3>${unit.name} <small>${unit.player === me ? t('yours') : calledOf(unit.player)}</small></h3>
      <p><strong>${left.length === 0 ? t('destroyed') : unit.models.length === 1 ? t('{left} of {all} {all:wound|wounds} left', { left: left[0].W - left[0].lost, all: left[0].W }) : t('{left} of {all} {all:model|models}', { left: left.length, all: unit.models.length })}</strong>
        ${kinds.length > 1 && html` <span class="quietly">${kinds.map((kind) => `${left.filter((/** @type {any} */ model) => model.name === kind).length} ${kind}`).join(', ')}</span>`}</p>
      ${unit.models.length > 1 && hurt.length > 0 && html`<p class="quietly">${hurt.map((/** @type {any} */ model) => t('model {model}: {left} of {all} {all:wound|wounds} left', { model: model.model, left: model.W - model.lost, all: model.W })).join(t('; '))}</p>`}
      <div class="strength" aria-hidden="true"><span style=${{ width: `${Math.round((100 * unit.models.reduce((/** @type {number} */ sum, /** @type {any} */ model) => sum + (model.destroyed ? 0 : model.W - model.lost), 0)) / unit.models.reduce((/** @type {number} */ sum, /** @type {any} */ model) => sum + model.W, 0))}%` }}></span></div>
      ${unit.move && unit.move.value !== null && html`<p class="quietly">${t('moves {inches}"', { inches: unit.move.value })}</p>`}
    </div>`;
  });
}

/** @param {SceneProps} props */
function table({ snapshot, tables, Plain }) {
  const own = ownOf(snapshot);
  return html`<${Units} units=${own.units ?? {}} me=${snapshot.me?.name ?? ''} />
    ${tables.length > 0 && html`<${Fold} title=${t('All that the rules keep')} className="plain">${tables.map((/** @type {any} */ each) => html`<${Plain} key=${each.title} ...${each} />`)}<//>`}`;
}

/** Fast rolling is what players expect: both agree to it once, in the terms. */
const options = { fast_rolling: true, fast_saves: true };

export const scene = { options, quick, next, table, roll, result, passed, takes };
