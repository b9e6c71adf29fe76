/**
 * The page: a file goes to the worker, a report comes back.
 * @module
 */

import { kindOf } from '../attachments.js';
import { isBundle } from '../event/bundle.js';
import { isEventLog } from '../event/verify.js';
import { readVerifierKey } from '../identities.js';
import { isRollProof } from '../roll-proof.js';
import { Bench } from '../worker.js';
import { languageOf, render, translate } from '../words.js';
import { Python, Unfinished } from '../python/python.js';
import { explainByRules, verifyWithRules } from '../python/rules.js';
import { byId, element, fill } from './dom.js';
import { eventView } from './event.js';
import { fileOfPage, filesOfPage, hasRules, isOfRoll, rollOfLink } from './files.js';
import { besideText, besideView, meaningOf, restViews, rollView, say, stepViews, verdictOf, verdictView } from './views.js';
import { withRules, withStepOfRules } from './with-rules.js';

/** @typedef {import('../worker.js').Shown} Shown */
/** @typedef {import('../worker.js').ShownRoll} ShownRoll */
/** @typedef {import('../words.js').Language} Language */
/** @typedef {{name: string, bytes: Uint8Array}} Dropped */

/** Rolls shown at once. */
const ROLLS = 100;
/** The words of a page with rules about itself. */
const WORTH =
  'Signatures, chain and dice are checked by a second program, written from the specification alone, that shares nothing with rollproof verify. The rules are checked by the same Python as by rollproof verify: about the rules it is no second opinion.';

/** The reason why an input cannot be used. */
class Refused extends Error {
  /** @param {import('../findings.js').Message} words */
  constructor(words) {
    super('refused');
    this.words = words;
  }
}

/** Asks a worker, or, where the platform starts none from a file or gives it no WebCrypto, this thread. */
class Desk {
  /** @param {string} program the text of the script that this runs in */
  constructor(program) {
    this.waiting = new Map();
    this.last = 0;
    this.ended = false;
    /** @type {(message: any, transfer: Transferable[]) => void} */
    this.send = () => {};
    /** @type {Worker | null} */
    this.worker = null;
    try {
      const worker = new Worker(URL.createObjectURL(new Blob([program], { type: 'text/javascript' })));
      this.worker = worker;
      worker.onmessage = ({ data }) => this.answered(data);
      worker.onerror = (event) => {
        event.preventDefault();
        worker.terminate();
        this.onThisThread();
      };
      this.send = (message) => worker.postMessage(message);
    } catch {
      this.onThisThread();
    }
  }

  onThisThread() {
    const bench = new Bench();
    this.send = (message) =>
      bench.take(message, (answer) => {
        this.answered(answer);
        // The page shows how far it is, and stays one that can be used; what was ended does not go on.
        return new Promise((resume) => {
          if (!this.ended) setTimeout(resume);
        });
      });
    for (const { message } of this.waiting.values()) this.send(message, []);
  }

  /** Ends its work; on this thread, at its next pause. */
  end() {
    this.ended = true;
    this.worker?.terminate();
    this.send = () => {};
    this.waiting.clear();
  }

  /** @param {any} answer */
  answered(answer) {
    const asked = this.waiting.get(answer.id);
    if (!asked) return;
    if (answer.progress !== undefined) {
      asked.progress?.(answer.progress);
      return;
    }
    this.waiting.delete(answer.id);
    if (answer.refused !== undefined) asked.reject(new Refused(answer.refused));
    else if (answer.failed === undefined) asked.resolve(answer.result);
    else asked.reject(new Error(answer.failed));
  }

  /** @param {any} what @param {(done: number) => void} [progress] @returns {Promise<any>} */
  ask(what, progress) {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const message = { id, ...what };
      this.waiting.set(id, { resolve, reject, progress, message });
      this.send(message, []);
    });
  }
}

class Page {
  /** @param {string} program */
  constructor(program) {
    this.program = program;
    this.desk = new Desk(program);
    this.python = hasRules() ? new Python(filesOfPage) : null;
    /** What came of the rules, of this log, by language. @type {Map<Language, import('./with-rules.js').Rules>} */
    this.rules = new Map();
    /** @type {Language} */
    this.language = languageOf(navigator.languages ?? []);
    /** @type {Shown | null} */
    this.report = null;
    /** @type {Dropped | null} */
    this.file = null;
    /** What was given beside the log, or before it. @type {Dropped[]} */
    this.given = [];
    /** Of what was judged without a log. @type {import('../attachments.js').Judged[]} */
    this.beside = [];
    /** @type {ShownRoll[]} */
    this.rolls = [];
    /** Counts files, so that a slow answer about an earlier one is not shown. */
    this.turn = 0;
    /** @type {{text: string, values?: any} | null} */
    this.problem = null;
    /** What the caller knew of the log that is shown. @type {import('../log.js').Options} */
    this.asked = {};
  }

  start() {
    byId('language').addEventListener('change', () => {
      this.language = languageOf([/** @type {HTMLSelectElement} */ (byId('language')).value]);
      this.show();
      this.checkRules();
    });
    byId('stop').addEventListener('click', () => this.stop());
    if (isOfRoll()) {
      this.takeRoll();
      return;
    }
    this.takeFiles();
    if (this.python) {
      byId('worth').dataset.say = WORTH;
      byId('licences').hidden = false;
      byId('licences').addEventListener('toggle', async () => {
        const text = new TextDecoder().decode(await fileOfPage('licences.txt'));
        fill(/** @type {HTMLElement} */ (byId('licences').querySelector('pre')), text);
      });
    }
    addEventListener('hashchange', () => this.takeLink());
    this.show();
    this.takeLink();
  }

  /** Takes what is chosen, dropped or typed from now on. */
  takeFiles() {
    const input = /** @type {HTMLInputElement} */ (byId('file'));
    input.addEventListener('change', () => {
      this.drop([...(input.files ?? [])]);
      input.value = '';
    });
    byId('known').addEventListener('submit', (event) => {
      event.preventDefault();
      this.problem = null;
      if (this.file) this.verify();
      else this.verifyBeside();
    });
    for (const type of ['dragenter', 'dragover']) {
      document.addEventListener(type, (event) => {
        event.preventDefault();
        byId('drop').classList.add('over');
      });
    }
    for (const type of ['dragleave', 'drop']) document.addEventListener(type, () => byId('drop').classList.remove('over'));
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      this.drop([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /** Verifies the roll whose proof stands in this page. */
  async takeRoll() {
    document.documentElement.classList.toggle('framed', window.parent !== window);
    const { origin, pathname } = new URL(location.href);
    const [, before, roll] = /^(.*)\/r\/([0-9a-f]{32})$/.exec(pathname) ?? [];
    const link = /** @type {HTMLAnchorElement} */ (byId('proof'));
    if (roll !== undefined) {
      link.href = `${origin}${before}/v1/rolls/${roll}`;
      fill(link, link.href);
    }
    this.show();
    this.file = { name: 'roll', bytes: await fileOfPage('roll') };
    await this.verify();
  }

  /** Verifies the roll that the page's own link has in it. */
  async takeLink() {
    const [, packed] = /^#roll=([\w-]*)$/.exec(location.hash) ?? [];
    if (packed === undefined) return;
    try {
      this.file = { name: 'roll', bytes: await rollOfLink(packed) };
    } catch {
      this.file = null;
      this.report = null;
      this.problem = { text: 'This link has no proof of a roll in it that could be read: it was cut, or changed.' };
      this.show();
      return;
    }
    this.problem = null;
    this.given = [];
    await this.verify();
  }

  /** @param {File[]} files */
  async drop(files) {
    /** @type {HTMLProgressElement} */ (byId('bar')).value = 0;
    byId('work').hidden = false; // files are read first, and they may be long
    let dropped;
    try {
      dropped = await Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
    } catch (error) {
      // a folder, or what is gone since
      byId('work').hidden = true;
      this.failed(error);
      this.show();
      return;
    }
    const logs = dropped.filter(({ name, bytes }) => kindOf(bytes, name) === 'log');
    const others = dropped.filter((each) => !logs.includes(each));
    this.problem =
      logs.length > 1 ? { text: 'One log at a time: {name} is verified, the others are left out.', values: { name: logs[0].name } } : null;
    // What came before any log is for this one.
    this.given = this.file === null || logs.length === 0 ? [...this.given, ...others] : others;
    if (logs.length > 0) [this.file] = logs;
    if (this.file) await this.verify();
    else await this.verifyBeside();
  }

  /** @param {import('../attachments.js').Kind} kind @returns {Dropped[]} what was given of it */
  of(kind) {
    return this.given.filter(({ name, bytes }) => kindOf(bytes, name) === kind);
  }

  /** The policy that counts: the last one. @returns {Uint8Array | null} */
  policy() {
    return this.of('policy').at(-1)?.bytes ?? null;
  }

  /** What needs no log, as long as there is none. */
  async verifyBeside() {
    const known = this.known();
    const proofs = this.of('proof');
    if (known !== null) {
      const turn = ++this.turn;
      try {
        const files = [...proofs, ...this.of('opening')];
        const judged = await this.desk.ask({ beside: { files, known, policy: this.policy() } });
        if (turn !== this.turn) return;
        this.beside = judged;
        if (this.of('receipt').length > 0) this.problem = { text: 'A receipt is compared with a log: choose the log too.' };
        else if (this.policy() !== null && proofs.length === 0) this.problem = { text: 'A policy is for a log or a proof: choose that too.' };
      } catch (error) {
        this.failed(error);
      }
    }
    byId('work').hidden = true;
    this.show();
  }

  /** @param {unknown} error */
  failed(error) {
    this.beside = [];
    this.problem =
      error instanceof Refused
        ? { text: 'Nothing was verified, because the policy cannot be used: {problem}', values: { problem: error.words } }
        : { text: 'It could not be finished: {text}', values: { text: String(error) } };
  }

  /** What the caller knows, as it was typed. @returns {import('../attachments.js').Known | null} null where it cannot be read */
  known() {
    const words = /** @type {HTMLTextAreaElement} */ (byId('keys-known')).value.split(/\s+/).filter((word) => word !== '');
    const games = words.filter((word) => /^[0-9a-f]{64}$/.test(word));
    const numbers = words.filter((word) => /^(?:0|[1-9][0-9]{0,15})$/.test(word));
    const keys = words.filter((word) => !games.includes(word) && !numbers.includes(word));
    const wrong = keys.find((key) => readVerifierKey(key) === null);
    if (wrong === undefined && games.length < 2 && numbers.length < 2) {
      return { keys, game: games[0] ?? null, index: numbers.length > 0 ? Number(numbers[0]) : null };
    }
    this.problem = { text: 'This is no verifier key and no id of a game: {text}', values: { text: wrong ?? games[1] ?? numbers[1] } };
    return null;
  }

  async verify() {
    const file = /** @type {Dropped} */ (this.file);
    const known = this.known();
    if (known === null) {
      byId('work').hidden = true;
      this.show();
      return;
    }
    const turn = ++this.turn;
    if (this.rules.size > 0) this.python?.stop(); // what is still being done is about another file, or other keys
    this.rules = new Map();
    // one roll has no rules: they take the rolls before it; an event has none
    if (!isRollProof(file.bytes, file.name) && !isBundle(file.bytes) && !isEventLog(file.bytes)) this.python?.prepare();
    const bar = /** @type {HTMLProgressElement} */ (byId('bar'));
    bar.max = Math.max(1, file.bytes.length);
    bar.value = 0;
    byId('work').hidden = false;
    fill(byId('status'), say('Verifying {name}…', this.language, { name: file.name }));
    try {
      const { index, ...pins } = known;
      const options = { ...pins, receipts: this.of('receipt'), policy: this.policy() };
      const beside = { files: [...this.of('proof'), ...this.of('opening')], index };
      const what = { check: { name: file.name, bytes: file.bytes, options, beside } };
      const report = await this.desk.ask(what, (done) => {
        if (turn === this.turn) bar.value = done;
      });
      const rolls = await this.desk.ask({ rolls: { from: 0, count: ROLLS } });
      if (turn !== this.turn) return;
      this.report = report;
      this.rolls = rolls;
      this.asked = options;
    } catch (error) {
      if (turn !== this.turn) return;
      this.report = null;
      this.failed(error);
    }
    byId('work').hidden = true;
    const ruled = this.checkRules();
    this.show();
    if (!isOfRoll()) {
      // which begins with its roll, and in a frame moves nothing of the page around it
      if (this.report) byId('verdict').focus({ preventScroll: true });
      byId(byId('work').hidden ? 'result' : 'work').scrollIntoView?.({ block: 'start' });
    }
    await ruled;
  }

  /** Has the log verified with the rules, in the language of now, unless it has been. */
  async checkRules() {
    const { python, report, file, language, turn } = this;
    if (!python || !report || !file || report.kind !== 'log' || report.verdict === 'unreadable' || this.rules.has(language)) return;
    this.rules.set(language, { state: 'asked' });
    byId('work').hidden = false;
    /** @type {HTMLProgressElement} */ (byId('bar')).removeAttribute('value');
    /** @type {import('./with-rules.js').Rules} */
    let found;
    try {
      const check = (/** @type {any} */ signatures) => this.desk.ask({ signatures });
      const told = await verifyWithRules(python, file.name, file.bytes, this.asked, language, check);
      found = { state: 'told', told };
    } catch (error) {
      found = { state: 'unfinished', why: error instanceof Unfinished ? error.words : { text: '{text}', values: { text: String(error) } } };
    }
    if (turn !== this.turn) return;
    this.rules.set(language, found);
    byId('work').hidden = [...this.rules.values()].every(({ state }) => state !== 'asked');
    this.show();
  }

  /** Ends what is being done. */
  stop() {
    this.python?.stop();
    if ([...this.rules.values()].some(({ state }) => state === 'asked')) return; // the page says so when it comes back
    this.turn += 1;
    this.desk.end();
    this.desk = new Desk(this.program);
    this.report = null;
    this.problem = { text: 'It was stopped.' };
    byId('work').hidden = true;
    this.show();
  }

  /** Everything in words, in the language of now. */
  show() {
    document.documentElement.lang = this.language;
    for (const node of document.querySelectorAll('[data-say]')) {
      node.textContent = translate(/** @type {HTMLElement} */ (node).dataset.say ?? '', this.language);
    }
    /** @type {HTMLSelectElement} */ (byId('language')).value = this.language;
    if (!isOfRoll()) document.title = translate('Verify a Rollproof log', this.language); // that of a roll is its card's
    const said = this.problem ? render(this.problem, this.language) : '';
    fill(byId('problem'), said);
    const { report: own } = this;
    const report = own && withRules(own, this.rules.get(this.language) ?? null, this.file?.bytes ?? new Uint8Array(0));
    if (report === null) {
      fill(byId('status'), [said, ...besideText(this.beside, this.language)].filter(Boolean).join(' '));
      fill(byId('result'), besideView(this.beside, this.language));
      return;
    }
    fill(
      byId('status'),
      [said, verdictOf(report, this.language), meaningOf(report, this.language), ...besideText(report.beside, this.language)]
        .filter(Boolean)
        .join(' '),
    );
    const [verdict, beside, rolls] = [verdictView(report, this.language), besideView(report.beside, this.language), this.rollsView(report)];
    // Whoever opens one roll wants to see its dice: they come before what the check says of them.
    fill(
      byId('result'),
      ...(report.kind === 'roll' ? [rolls, verdict, beside] : [verdict, beside, eventView(report, this.language), rolls]),
      ...restViews(report, this.language),
    );
  }

  /** @param {Shown} report @returns {HTMLElement | null} */
  rollsView(report) {
    if (report.rolls === 0) return null;
    const list = element('ol', { class: report.kind === 'roll' ? 'rolls one' : 'rolls' }, ...this.rolls.map((roll) => this.rollView(roll)));
    if (report.kind === 'roll') return element('section', { 'aria-label': say('One roll', this.language) }, list);
    const left = report.rolls - this.rolls.length;
    const more =
      left <= 0
        ? null
        : element(
            'button',
            { type: 'button', class: 'more', onclick: () => this.more() },
            say('Show {count} more of {left}', this.language, { count: Math.min(ROLLS, left), left }),
          );
    return element(
      'section',
      { 'aria-labelledby': 'rolls' },
      element('h2', { id: 'rolls' }, say('Rolls ({count})', this.language, { count: report.rolls })),
      element(
        'p',
        { class: 'hint' },
        translate(
          'Naturals are what the dice showed, before the rules of the game. Open a roll to see why it was fair, and to redo it by hand.',
          this.language,
        ),
      ),
      list,
      more,
    );
  }

  /** @param {ShownRoll} roll @returns {HTMLElement} */
  rollView(roll) {
    const rules = this.rules.get(this.language);
    const words = rules?.state === 'told' ? (new Map(rules.told.rolls).get(roll.seq) ?? null) : null;
    return rollView(roll, words, this.language, (seq, into) => this.explain(seq, into));
  }

  /** @param {number} seq @param {HTMLElement} into */
  async explain(seq, into) {
    const { python, language, file, report, turn } = this;
    const steps = await this.desk.ask({ explain: seq });
    fill(into, ...stepViews(steps, language));
    const rules = this.rules.get(language);
    if (python === null || rules?.state !== 'told' || !file || !report) return;
    try {
      const size = Math.min(rules.told.report.valid_prefix, report.validPrefix);
      const told = await explainByRules(python, file.bytes, size, seq, language);
      if (turn === this.turn && told.length > 0) fill(into, ...stepViews(withStepOfRules(steps, told), language));
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error; // the steps before stand by themselves
    }
  }

  async more() {
    const from = this.rolls.length;
    const rolls = await this.desk.ask({ rolls: { from, count: ROLLS } });
    this.rolls.push(...rolls);
    this.show();
    const next = document.querySelectorAll('.rolls summary')[from];
    if (next instanceof HTMLElement) next.focus();
  }
}

/** @param {string} program the text of the script that this runs in: the worker runs the same */
export function startPage(program) {
  if (globalThis.crypto?.subtle === undefined) {
    byId('problem').textContent = translate(
      'This browser gives the page no WebCrypto here. Save the page and open it from disk, or over https.',
      languageOf(navigator.languages ?? []),
    );
    return;
  }
  new Page(program).start();
}
