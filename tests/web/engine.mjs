// Python for core in Node: the driver of the worker, in a process of its own. It answers as `Python` does.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { Unfinished } from '../../verifier/web/python/python.js';

export class Engine {
  constructor(python) {
    this.python = python;
    this.child = null;
    this.waiting = [];
    this.asked = [];
    this.silent = false;
    this.held = [];
  }

  get ready() {
    return this.child !== null;
  }

  begin() {
    const child = spawn(this.python, ['-m', 'tests.web.rules_engine'], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: child.stdout }).on('line', (line) => this.waiting.shift()?.resolve(JSON.parse(line)));
    child.on('exit', () => {
      if (this.child === child) this.child = null;
      for (const each of this.waiting.splice(0)) each.reject(new Unfinished({ text: 'Python ended with an error in this browser.' }));
    });
    return child;
  }

  /** @param {any} request */
  async ask(request) {
    this.asked.push(request);
    if (this.silent)
      await new Promise((resolve) => {
        this.held.push(resolve);
      });
    this.child ??= this.begin();
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }

  /** From now on nothing is answered, until it is let go. @param {boolean} silent */
  hold(silent) {
    this.silent = silent;
    if (!silent) for (const go of this.held.splice(0)) go();
  }

  kill() {
    this.child?.kill('SIGKILL');
  }

  close() {
    this.child?.stdin.end();
  }
}
