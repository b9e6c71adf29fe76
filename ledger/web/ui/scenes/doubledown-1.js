/**
 * Double Down: sheets, calls, a roll with its tag and drive, doubling with the odds, boons and banes.
 * @module
 */

import { html, useState } from '../html.js';
import { Fold, go } from '../parts.js';
import { calledOf, t } from '../words.js';
import { doubled, OUTCOMES, succeeding } from './odds.js';
import { Key, Keys, OneOf, ownOf, Steps, Text, TypedLine } from './typed.js';

/** @typedef {import('../fields.js').Action} Action */
/** @typedef {import('../../core/advice.js').Advised} Advised */
/** @typedef {{name: string, stars: number, exhausted?: boolean}} Star a stat, or a tag */
/** @typedef {import('../../core/snapshot.js').Seated} Seated */
/** @typedef {import('./index.js').RollProps} RollProps */
/** @typedef {import('./index.js').QuickProps} QuickProps */
/** @typedef {import('./index.js').SceneProps} SceneProps */
/** @typedef {import('../../core/index.js').ScreenTable} Table */

const DIFFICULTIES = [10, 12, 14, 16, 18, 20, 22, 25];
const MOST_DRIVE = 5;

const OUTCOME_WORDS = () => ({
  'legendary failure': t('legendary failure'),
  'overwhelming failure': t('overwhelming failure'),
  'critical failure': t('critical failure'),
  failure: t('failure'),
  success: t('success'),
  'critical success': t('critical success'),
  'overwhelming success': t('overwhelming success'),
  'legendary success': t('legendary success'),
});
const outcomeWords = (/** @type {string} */ outcome) => OUTCOME_WORDS()[/** @type {'success'} */ (outcome)] ?? outcome;

const isRoll = (/** @type {any} */ action) => action.type === 'roll';
const isGift = (/** @type {any} */ action) => action.type === 'modify';
const isDouble = (/** @type {any} */ action) => action.type === 'reroll';
const isKeep = (/** @type {any} */ action) => action.due && action.type === 'resolve';
const declares = (/** @type {string} */ what) => (/** @type {any} */ action) => action.type === 'declare' && action.body.what === what;
const [isVote, isSpend, isConfirm, isCall, isSheet] = ['vote', 'spend', 'confirm', 'call', 'sheet'].map(declares);
const takes = (/** @type {any} */ action) => [isRoll, isGift, isDouble, isKeep, isVote, isSpend, isConfirm, isCall, isSheet].some((is) => is(action));

const signed = (/** @type {number} */ number) => (number < 0 ? `−${-number}` : `+${number}`);
const stars = (/** @type {number} */ count) => `${count}★`;

/** A character, as on its sheet. @param {{sheet: Advised}} props */
function Sheet({ sheet }) {
  const room = sheet.track.length - 1;
  return html`<div class="sheet">
    <ul class="tokens">${Object.entries(sheet.stats).map(([stat, count]) => html`<li><span>${stat}</span> <strong>${stars(count)}</strong></li>`)}</ul>
    <p>${t('Stress {stress} of {room}: the track gives {stars}', { stress: sheet.stress, room, stars: stars(sheet.track[sheet.stress] ?? 0) })}
      <span class="pips" aria-hidden="true">${Array.from({ length: room }, (_, i) => html`<i class=${i < sheet.stress ? 'on' : ''}></i>`)}</span></p>
    <p>${t('Drive {drive}', { drive: sheet.drive })} <span class="pips" aria-hidden="true">${Array.from({ length: Math.min(sheet.drive, 12) }, () => html`<i class="on"></i>`)}</span></p>
    <ul class="tokens">${Object.entries(sheet.tags).map(([tag, each]) => html`<li class=${each.exhausted ? 'gone' : ''}>${each.exhausted ? html`<s>${tag}</s>` : tag} <strong>${stars(each.stars)}</strong>${each.exhausted && html` <span>${t('exhausted')}</span>`}</li>`)}</ul>
  </div>`;
}

const number = (/** @type {string} */ text) => text.trim().replace(/[^\d]/gu, '');
const rowsLine = (/** @type {{name: string, stars: number, exhausted?: boolean}[]} */ rows) =>
  rows
    .filter(({ name }) => name.trim() !== '')
    .map(({ name, stars: count, exhausted }) => `${name.trim()} ${count}${exhausted ? ' exhausted' : ''}`)
    .join(', ');

/** Names with their stars. @param {{title: string, rows: Star[], onChange: (rows: Star[]) => void, more: string, tags?: boolean}} props */
const Starred = ({ title, rows, onChange, more, tags = false }) => html`<fieldset class="field"><legend>${title}</legend>
  ${rows.map(
    (/** @type {any} */ row, /** @type {number} */ i) => html`<div class="starred" key=${i}>
    <input type="text" autocomplete="off" autocapitalize="off" aria-label=${t('{what}, number {number}', { what: title, number: i + 1 })} value=${row.name}
      oninput=${(/** @type {any} */ event) => onChange(rows.map((/** @type {any} */ each, /** @type {number} */ k) => (k === i ? { ...each, name: event.currentTarget.value } : each)))} />
    <${Steps} label=${t('stars')} value=${stars(row.stars)} onLess=${() => onChange(rows.map((/** @type {any} */ each, /** @type {number} */ k) => (k === i ? { ...each, stars: Math.max(1, each.stars - 1) } : each)))}
      onMore=${() => onChange(rows.map((/** @type {any} */ each, /** @type {number} */ k) => (k === i ? { ...each, stars: Math.min(5, each.stars + 1) } : each)))} />
    ${tags && html`<${Key} on=${row.exhausted} onTap=${() => onChange(rows.map((/** @type {any} */ each, /** @type {number} */ k) => (k === i ? { ...each, exhausted: !each.exhausted } : each)))}>${t('exhausted')}<//>`}</div>`,
  )}
  <button type="button" class="quiet" onclick=${() => onChange([...rows, { name: '', stars: 1, exhausted: false }])}>${more}</button></fieldset>`;

const STATS = [{ name: '', stars: 1 }];

/** A sheet to fill in, or to paste. @param {{table: Table, snapshot: Seated, Act: Function, own: Advised}} props */
function SheetForm({ table, snapshot, Act, own }) {
  const old = own.proposed?.[snapshot.me.name] ?? own.sheets?.[snapshot.me.name];
  const [character, setCharacter] = useState(old?.character ?? '');
  const [stats, setStats] = useState(() => (old ? Object.entries(old.stats).map(([name, count]) => ({ name, stars: count })) : STATS));
  const [track, setTrack] = useState(() => (old ? old.track.join(' ') : '1 1 2 3'));
  const [stress, setStress] = useState(old?.stress ?? 0);
  const [tags, setTags] = useState(() =>
    old
      ? Object.entries(old.tags).map(([name, each]) => ({ name, stars: each.stars, exhausted: each.exhausted }))
      : [{ name: '', stars: 1, exhausted: false }],
  );
  const [drive, setDrive] = useState(old?.drive ?? 0);
  const [pasted, setPasted] = useState('');
  const told = [
    ['stats', rowsLine(stats)],
    [
      'track',
      track
        .split(/[\s,]+/u)
        .map(number)
        .filter(Boolean)
        .join(' '),
    ],
    ['stress', stress ? String(stress) : ''],
    ['tags', rowsLine(tags)],
    ['drive', drive ? String(drive) : ''],
  ];
  const line =
    character.trim() === '' || !told[0][1]
      ? ''
      : [`"${character.trim().replaceAll('"', '""')}"`, ...told.filter(([, text]) => text).map(([name, text]) => `${name} ${text}`)].join('; ');
  const request = { type: 'declare', kind: 'sheet', party: snapshot.me.name };
  return html`<${Text} label=${t('The character’s name')} value=${character} onChange=${setCharacter} />
    <${Starred} title=${t('Base stats')} rows=${stats} onChange=${setStats} more=${t('One more stat')} />
    <${Text} label=${t('Stress track: the stars with no stress, with one, with two, …')} value=${track} onChange=${setTrack} />
    <div class="tuning field"><${Steps} label=${t('stress taken')} value=${stress} onLess=${() => setStress(Math.max(0, stress - 1))} onMore=${() => setStress(stress + 1)} />
      <${Steps} label=${t('drive')} value=${drive} onLess=${() => setDrive(Math.max(0, drive - 1))} onMore=${() => setDrive(drive + 1)} /></div>
    <${Starred} title=${t('Tags')} rows=${tags} onChange=${setTags} more=${t('One more tag')} tags=${true} />
    <${TypedLine} table=${table} Act=${Act} request=${request} type="declare" line=${line} made=${true} label="" short=${t('Propose this sheet')} missing=${t('first a name and a stat')} onDone=${() => go('now')} />
    <${Fold} title=${t('Or paste it as a text')} className="plain"><${TypedLine} table=${table} Act=${Act} request=${request} type="declare" rows=${5} line=${pasted} setLine=${setPasted} label=${t('The sheet')} kind="" short=${t('Propose this sheet')}
      example="Ash; stats agility 3, wits 2; track 1 1 2 3; stress 1; tags rogue 2, loud 1 exhausted; drive 1" missing=${t('first paste the sheet')} onDone=${() => setPasted('')} /><//>`;
}

/**
 * A roll for a call, with its value.
 * @param {{own: Advised, me: string, actions: Action[], Act: Function, main: boolean}} props
 */
function Roll({ own, me, actions, Act, main }) {
  const [action] = actions;
  const call = (own.calls ?? []).find((/** @type {any} */ each) => each.call === action.body.call);
  const sheet = own.sheets?.[me];
  const [tag, setTag] = useState('');
  const [irrelevant, setIrrelevant] = useState(false);
  const [spent, setSpent] = useState(0);
  if (!call || !sheet) return null;
  const tagged = actions.find((/** @type {any} */ each) => each.fields.some((/** @type {any} */ field) => field.name === 'tag'));
  const tags =
    tagged?.fields.find((/** @type {any} */ field) => field.name === 'tag')?.options?.map((/** @type {any} */ option) => option.value) ?? [];
  const most = Math.min(
    MOST_DRIVE,
    ...action.fields.filter((/** @type {any} */ field) => field.name === 'drive').map((/** @type {any} */ field) => field.most),
  );
  const chosen = tags.includes(tag) ? tag : '';
  const drive = action.fields.some((/** @type {any} */ field) => field.name === 'drive') ? Math.min(spent, most) : 0;
  const body = { ...action.body, ...(chosen ? { tag: chosen, ...(irrelevant ? { irrelevant: true } : {}) } : {}), ...(drive > 0 ? { drive } : {}) };
  const alone = call.players.length === 1;
  const modifier = (sheet.stats[call.stat] ?? 0) + sheet.stars + (chosen ? sheet.tags[chosen].stars - (irrelevant ? 1 : 0) : 0) + drive;
  return html`<div class="offer called"><h3>${call.source} <small>${t('{stat}, difficulty {difficulty}', { stat: call.stat, difficulty: call.difficulty })}${call.support && ` · ${t('a support roll')}`}${call.combat && ` · ${t('in combat')}`}</small></h3>
    ${tags.length > 0 && html`<${OneOf} label=${t('Exhaust a tag')} value=${chosen} onChange=${setTag} options=${[{ value: '', label: t('none') }, ...tags.map((/** @type {string} */ each) => ({ value: each, label: `${each} ${stars(sheet.tags[each]?.stars ?? 0)}` }))]} />`}
    ${chosen && html`<${Keys} label=${t('Is the tag relevant?')}><${Key} on=${irrelevant} onTap=${() => setIrrelevant(!irrelevant)}>${t('irrelevant: one star less')}<//><//>`}
    ${most > 0 && Number.isFinite(most) && html`<div class="field"><${Steps} label=${t('drive to spend')} value=${drive} onLess=${() => setSpent(Math.max(0, drive - 1))} onMore=${() => setSpent(Math.min(most, drive + 1))} /></div>`}
    ${alone && html`<p class="odds">${t('Modifier {modifier}: {of20} of 20 dice {of20:succeeds|succeed}.', { modifier: signed(modifier), of20: succeeding(modifier, call.difficulty) })}</p>`}
    <${Act} type="roll" body=${body} kind=${main ? 'main' : ''} short=${t('Roll the d20')} /></div>`;
}

/**
 * A participant's contribution to a group roll, and the roller whom it names.
 * @param {{own: Advised, me: string, actions: Action[], Act: Function}} props
 */
function Contribution({ own, me, actions, Act }) {
  const call = (own.calls ?? []).find((/** @type {any} */ each) => each.call === actions[0].body.call);
  const sheet = own.sheets?.[me];
  const old = call?.contributions?.[me];
  const of = (/** @type {string} */ name) =>
    actions.flatMap((/** @type {any} */ action) => action.fields).find((/** @type {any} */ field) => field.name === name);
  const rollers = of('roller')?.options.map((/** @type {any} */ option) => option.value) ?? [];
  const [roller, setRoller] = useState(old?.roller ?? (rollers.length === 1 ? rollers[0] : ''));
  const [given, setGiven] = useState({ stat: old?.stat ?? false, stress: old?.stress ?? false, irrelevant: old?.irrelevant ?? false });
  const [tag, setTag] = useState(old?.tag ?? '');
  const [spent, setSpent] = useState(old?.drive ?? 0);
  if (!call || !sheet) return null;
  const tags = of('tag')?.options.map((/** @type {any} */ option) => option.value) ?? [];
  const chosen = tags.includes(tag) ? tag : '';
  const most = of('drive')?.most ?? 0;
  const drive = Math.min(spent, most);
  const body = !rollers.includes(roller)
    ? null
    : {
        ...actions[0].body,
        roller,
        ...(given.stat && of('stat') ? { stat: true } : {}),
        ...(given.stress && of('stress') ? { stress: true } : {}),
        ...(chosen ? { tag: chosen, ...(given.irrelevant ? { irrelevant: true } : {}) } : {}),
        ...(drive > 0 ? { drive } : {}),
      };
  const turn = (/** @type {'stat' | 'stress' | 'irrelevant'} */ name) => setGiven({ ...given, [name]: !given[name] });
  return html`<div class="offer"><h3>${call.source} <small>${t('{stat}, difficulty {difficulty}', { stat: call.stat, difficulty: call.difficulty })} · ${t('together with {names}', { names: { names: call.players.filter((/** @type {string} */ name) => name !== me) } })}</small></h3>
    <${OneOf} label=${t('Who is to roll')} value=${roller} onChange=${setRoller} options=${rollers.map((/** @type {string} */ name) => ({ value: name, label: calledOf(name) }))} />
    <${Keys} label=${t('What you give')} seen=${true}>
      ${of('stat') && sheet.stats[call.stat] !== undefined && html`<${Key} on=${given.stat} onTap=${() => turn('stat')}>${call.stat} ${stars(sheet.stats[call.stat])}<//>`}
      ${of('stress') && html`<${Key} on=${given.stress} onTap=${() => turn('stress')}>${t('stress track')} ${stars(sheet.stars)}<//>`}
      ${tags.map((/** @type {string} */ each) => html`<${Key} key=${each} on=${chosen === each} onTap=${() => setTag(chosen === each ? '' : each)}>${each} ${stars(sheet.tags[each]?.stars ?? 0)}<//>`)}
      ${chosen && html`<${Key} on=${given.irrelevant} onTap=${() => turn('irrelevant')}>${t('irrelevant: one star less')}<//>`}<//>
    ${most > 0 && html`<div class="field"><${Steps} label=${t('drive to spend')} value=${drive} onLess=${() => setSpent(Math.max(0, drive - 1))} onMore=${() => setSpent(Math.min(most, drive + 1))} /></div>`}
    <${Act} type="modify" body=${body} short=${old ? t('Contribute this instead') : t('Contribute')} missing=${t('first who is to roll')} /></div>`;
}

/** The odds of doubling, in words, and as a small table below the choice itself. @param {{own: Advised, children?: any}} props */
function Odds({ own, children }) {
  const rows = doubled(own.before, own.modifier, own.difficulty);
  const better = rows.filter(({ outcome }) => OUTCOMES.indexOf(outcome) > OUTCOMES.indexOf(own.before)).reduce((sum, { of20 }) => sum + of20, 0);
  return html`<p class="odds">${t('It is a {outcome} now. Doubling down makes it better with {better} of 20 dice, worse with {worse}.', { outcome: outcomeWords(own.before), better, worse: 20 - better })}</p>
    ${children}
    <table class="rows odds-rows"><caption class="unseen">${t('What the second die can make of it')}</caption><tbody>${rows.map(({ outcome, of20 }) => html`<tr><th scope="row">${t('{of20} of 20', { of20 })}</th><td>${outcomeWords(outcome)}</td></tr>`)}</tbody></table>`;
}

/**
 * The choice when the first die shows: double down, or let it stand; a group votes.
 * @param {{told: Advised, several: boolean, double: Action | undefined, keep: Action | undefined, vote: Action | undefined, Act: Function}} props
 */
function Doubling({ told, several, double, keep, vote, Act }) {
  if (!told) return null;
  return html`<div class="offer">${several && html`<h3>${told.source}</h3>`}
    <${Odds} own=${told.own}>
    ${vote && html`<${Act} type="declare" body=${{ ...vote.body, double: true }} kind="main" short=${t('I vote for doubling down')} /><${Act} type="declare" body=${{ ...vote.body, double: false }} short=${t('I vote against it')} />`}
    ${double && html`<${Act} type="reroll" body=${double.body} kind="main" short=${t('Double down')} />`}
    ${keep && html`<${Act} type="resolve" body=${keep.body} short=${t('Do not double down')} />`}<//></div>`;
}

/** @param {{buy: string, player?: string}} what @param {string} kind @returns {string} */
const bought = ({ buy, player }, kind) => {
  if (buy === 'stress' && kind === 'banes' && player) return t('inflict stress on {player}', { player });
  const words =
    {
      stress: kind === 'boons' ? t('recover stress') : t('inflict stress'),
      tag: t('recover a tag'),
      drive: t('gain drive'),
      story: t('a story reward'),
      tension: t('add tension'),
      complication: t('a complication'),
    }[/** @type {'tag'} */ (buy)] ?? buy;
  return player ? t('{what}, for {player}', { what: words, player }) : words;
};

/**
 * Boons, or a game master's banes, to be spent. Purchases that need no more are one tap, the others open.
 * @param {{owed: Advised, roller: string, actions: Action[], Act: Function, ActionForm: Function}} props `roller`: who gets what names nobody
 */
function Spending({ owed, roller, actions, Act, ActionForm }) {
  const words =
    owed.kind === 'boons' ? t('{left} {left:boon|boons} to spend', { left: owed.left }) : t('{left} {left:bane|banes} to spend', { left: owed.left });
  const what = (/** @type {any} */ { body, fields }) => {
    const named = fields.find((/** @type {any} */ field) => field.name === 'player');
    return bought({ ...body, ...(named ? { player: body.player ?? named.default ?? roller } : {}) }, owed.kind);
  };
  const ready = (/** @type {any} */ action) => !action.fields.some((/** @type {any} */ field) => field.required);
  return html`<div class="offer"><h3>${words}</h3>
    ${actions.filter(ready).map((/** @type {any} */ action) => html`<${Act} key=${JSON.stringify(action.body)} type="declare" body=${action.body} short=${what(action)} />`)}
    <${Fold} title=${t('More ways to spend them')} className="plain">${actions.filter((/** @type {any} */ action) => action.fields.length > 0).map((/** @type {any} */ action) => html`<div class="offer" key=${JSON.stringify(action.body)}><h4>${what(action)}</h4><${ActionForm} action=${action} kind="" /></div>`)}<//></div>`;
}

/** The form with which a game master calls. @param {{own: Advised, Act: Function}} props */
function Call({ own, Act }) {
  const sheets = Object.entries(own.sheets ?? {});
  const all = [...new Set(sheets.flatMap(([, sheet]) => Object.keys(sheet.stats)))];
  const [source, setSource] = useState('');
  const [stat, setStat] = useState('');
  const [difficulty, setDifficulty] = useState(14);
  const [players, setPlayers] = useState(() => (sheets.length === 1 ? [sheets[0][0]] : /** @type {string[]} */ ([])));
  const [support, setSupport] = useState(false);
  const [combat, setCombat] = useState(false);
  const called = players.filter((name) => own.sheets[name]);
  const has = called.some((name) => stat in own.sheets[name].stats);
  const missing = [
    source.trim() === '' && t('what is attempted'),
    stat === '' && t('the stat'),
    called.length === 0 && t('who'),
    called.length > 0 && stat !== '' && !has && t('somebody with this stat'),
  ].filter(Boolean);
  const body =
    missing.length > 0
      ? null
      : {
          what: 'call',
          source: source.trim(),
          stat,
          difficulty,
          players: called,
          ...(support ? { support: true } : {}),
          ...(combat ? { combat: true } : {}),
        };
  return html`<${Text} label=${t('What is attempted')} value=${source} onChange=${setSource} />
    <${Keys} label=${t('Who rolls; several contribute together')} seen=${true}>${sheets.map(([name, sheet]) => html`<${Key} key=${name} on=${players.includes(name)} onTap=${() => setPlayers(players.includes(name) ? players.filter((one) => one !== name) : [...players, name])}>${sheet.character} <small>${calledOf(name)}</small><//>`)}<//>
    <${OneOf} label=${t('Stat')} value=${stat} onChange=${setStat} options=${all.map((each) => ({ value: each, label: each }))} />
    <div class="field"><${Steps} label=${t('difficulty')} value=${difficulty} onLess=${() => setDifficulty(Math.max(10, difficulty - 1))} onMore=${() => setDifficulty(difficulty + 1)} /></div>
    <${Keys} label=${t('Usual difficulties')}>${DIFFICULTIES.map((each) => html`<${Key} key=${each} on=${difficulty === each} onTap=${() => setDifficulty(each)}>${each}<//>`)}<//>
    <${Keys} label=${t('Kind of roll')}><${Key} on=${support} onTap=${() => setSupport(!support)}>${t('a support roll')}<//><${Key} on=${combat} onTap=${() => setCombat(!combat)}>${t('in combat')}<//><//>
    <${Act} type="declare" body=${body} kind="main" short=${t('Call for this roll')} missing=${t('first: {what}', { what: missing.join(t(', ')) })} onDone=${() => setSource('')} />`;
}

/** @param {QuickProps} props */
function quick({ table, snapshot, actions, Act }) {
  const own = ownOf(snapshot);
  const me = snapshot.me.name;
  const sheet = actions.find(isSheet);
  const none = !own.sheets?.[me] && !own.proposed?.[me];
  return html`
    ${snapshot.me.role === 'gm' && Object.keys(own.sheets ?? {}).length === 0 && html`<p class="quietly">${t('The players hand in their characters’ sheets first. You confirm each here, and then call for rolls.')}</p>`}
    ${actions.some(isCall) && html`<${Fold} title=${t('Call for a roll')} open=${true} className="offer"><${Call} own=${own} Act=${Act} /><//>`}
    ${sheet && !none && own.proposed?.[me] && html`<p class="quietly">${t('Your sheet waits for a game master to confirm it.')}${masterless(snapshot) && html` <strong>${masterless(snapshot)}</strong>`}</p>`}
    ${snapshot.me.role === 'player' && own.sheets?.[me] && !own.proposed?.[me] && actions.every((/** @type {any} */ action) => !action.due) && html`<p class="quietly">${t('Your sheet is confirmed. A game master calls for rolls: a call to you stands here.')}</p>`}
    ${sheet && html`<${Fold} title=${none ? t('Your character’s sheet') : t('Propose another sheet')} open=${none} className="offer"><${SheetForm} table=${table} snapshot=${snapshot} Act=${Act} own=${own} /><//>`}`;
}

/** The choice to double down, and boons or banes to spend. @param {QuickProps} props */
function next({ snapshot, actions, Act, ActionForm }) {
  const told = (/** @type {number} */ roll) => (snapshot.advice?.state?.rolls ?? []).find((/** @type {any} */ each) => each.roll === roll);
  const open = [
    ...new Set(
      actions
        .filter((/** @type {any} */ action) => isDouble(action) || isKeep(action) || isVote(action))
        .map((/** @type {any} */ action) => action.body.roll),
    ),
  ];
  const of = (/** @type {(action: any) => boolean} */ is, /** @type {number} */ roll) =>
    actions.find((/** @type {any} */ action) => is(action) && action.body.roll === roll);
  const owing = (ownOf(snapshot).owed ?? [])
    .map((/** @type {any} */ owed) => ({
      owed,
      mine: actions.filter((/** @type {any} */ action) => isSpend(action) && action.body.roll === owed.roll),
    }))
    .filter((/** @type {{mine: Action[]}} */ { mine }) => mine.length > 0);
  if (open.length === 0 && owing.length === 0) return null;
  return html`<div class="course">
    ${open.map((roll) => html`<${Doubling} key=${roll} told=${told(roll)} several=${open.length > 1} double=${of(isDouble, roll)} keep=${of(isKeep, roll)} vote=${of(isVote, roll)} Act=${Act} />`)}
    ${owing.map(
      (/** @type {{owed: Advised, mine: Action[]}} */ { owed, mine }) =>
        html`<${Spending} key=${owed.roll} owed=${owed} roller=${told(owed.roll)?.player ?? ''} actions=${mine} Act=${Act} ActionForm=${ActionForm} />`,
    )}</div>`;
}

const asks = (/** @type {any} */ action) => isRoll(action) || isGift(action) || isConfirm(action);

/** @param {{snapshot: import('../../core/snapshot.js').InGame, actions: Action[]}} props @returns {string} the oldest call that waits, else whose sheet does */
function says({ snapshot, actions }) {
  const { calls = [] } = ownOf(snapshot);
  const call = calls.find((/** @type {any} */ each) =>
    actions.some((action) => (isRoll(action) || isGift(action)) && action.body.call === each.call),
  );
  if (call) return t('A call for you: {source}', { source: call.source });
  const [sheet] = actions.find(isConfirm)?.fields[0]?.options ?? [];
  return sheet ? t('A sheet to confirm: {player}', { player: String(sheet.value) }) : '';
}

/** @param {{snapshot: import('../../core/snapshot.js').InGame, actions: Action[]}} props @returns {string} what comes before the first dice; empty: what stands below */
function first({ snapshot: { advice, me }, actions }) {
  const { sheets = {}, proposed = {} } = advice?.state?.own ?? {};
  if (actions.some(isConfirm)) return '';
  if (me?.role === 'gm') return Object.keys(sheets).length === 0 ? t('No dice yet: the players hand in their sheets first.') : '';
  if (proposed[me?.name ?? '']) return t('No dice yet: your sheet waits for a game master.');
  return sheets[me?.name ?? ''] ? t('No dice yet: a game master calls for the first roll.') : '';
}

/** Calls of a game master's to answer, oldest first, and sheets for one to confirm. @param {QuickProps} props */
function asked({ snapshot, actions, Act }) {
  const own = ownOf(snapshot);
  const me = snapshot.me.name;
  const calls = [
    ...new Set(actions.filter((/** @type {any} */ action) => isRoll(action) || isGift(action)).map((/** @type {any} */ action) => action.body.call)),
  ];
  const confirm = actions.find(isConfirm);
  const given = (/** @type {number} */ call) =>
    JSON.stringify((own.calls ?? []).find((/** @type {any} */ each) => each.call === call)?.contributions?.[me] ?? null);
  return html`
    ${calls
      .sort((a, b) => a - b)
      .map((call, i) => {
        const of = actions.filter((/** @type {any} */ action) => action.body.call === call);
        const [rolls, gifts] = [of.filter(isRoll), of.filter(isGift)];
        return html`${rolls.length > 0 && html`<${Roll} key=${call} own=${own} me=${me} actions=${rolls} Act=${Act} main=${i === 0} />`}
        ${gifts.length > 0 && html`<${Contribution} key=${`gift ${call} ${given(call)}`} own=${own} me=${me} actions=${gifts} Act=${Act} />`}`;
      })}
    ${confirm?.fields[0].options?.map(
      (
        /** @type {any} */ option,
      ) => html`<div class="offer" key=${option.value}><h3>${own.proposed?.[option.value]?.character ?? calledOf(option.value)} <small>${calledOf(option.value)}</small></h3>
      ${own.proposed?.[option.value] && html`<${Sheet} sheet=${own.proposed[option.value]} />`}<${Act} type="declare" body=${{ ...confirm.body, player: option.value }} kind="main" short=${t('Confirm this sheet')} /></div>`,
    )}`;
}

/** @param {SceneProps} props */
function table({ snapshot }) {
  const own = ownOf(snapshot);
  return html`
    ${Object.entries(own.sheets ?? {}).map(([name, sheet]) => html`<div class="thing" key=${name}><h3>${sheet.character} <small>${calledOf(name)}</small></h3><${Sheet} sheet=${sheet} /></div>`)}
    ${Object.entries(own.proposed ?? {}).map(([name, sheet]) => html`<div class="thing" key=${`proposed ${name}`}><h3>${sheet.character} <small>${calledOf(name)}</small></h3><p class="quietly">${t('proposed, not confirmed yet')}</p></div>`)}
    ${(own.calls ?? []).map(
      (/** @type {any} */ call) => html`<div class="thing" key=${`call ${call.call}`}><h3>${call.source}</h3>
      <p>${t('{stat}, difficulty {difficulty}', { stat: call.stat, difficulty: call.difficulty })} · ${call.players.map(calledOf).join(t(', '))}${call.support && ` · ${t('a support roll')}`}${call.combat && ` · ${t('in combat')}`}</p>
      ${call.players.length > 1 && Object.keys(call.contributions).length > 0 && html`<p class="quietly">${t('Have contributed: {names}.', { names: { names: Object.keys(call.contributions) } })}</p>`}</div>`,
    )}
    ${own.tension > 0 && html`<div class="thing"><p><strong>${t('Tension {tension}', { tension: own.tension })}</strong></p></div>`}`;
}

/** The outcome, large, with its value. @param {RollProps} props */
function result({ told }) {
  const own = told?.own;
  if (!own?.outcome) return null;
  const total = told.dice.map((/** @type {any} */ die) => die.result).join(t(', '));
  const [, side] = String(own.outcome).split(' '); // more than a success or failure looks like it
  return html`<strong class=${side === undefined ? '' : `natural ${side === 'success' ? 'high' : 'low'}`}>${outcomeWords(own.outcome)}</strong> <span class="quietly">${t('{total} against {difficulty}', { total, difficulty: own.difficulty })}</span>
    ${own.boons.earned > 0 && html` · ${t('{count} {count:boon|boons}', { count: own.boons.earned })}`}${own.banes.earned > 0 && html` · ${t('{count} {count:bane|banes}', { count: own.banes.earned })}`}${own.damage > 0 && html` · ${t('{count} damage', { count: own.damage })}`}`;
}

/** @param {Seated} snapshot @returns {string} what there is to do where nobody is a game master; else empty */
function masterless({ game, table: terms }) {
  if (game.parties.some(({ role, left }) => role === 'gm' && !left)) return '';
  return terms?.admits.includes('gm')
    ? t('Nobody here is one: {host} can let one in, who comes by the link for the game master.', { host: terms.host })
    : t('Nobody here is one, and nobody can come in any more: open another table.');
}

export const scene = { needsMaster: true, quick, next, asked, asks, says, first, table, result, takes };
