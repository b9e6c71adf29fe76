/**
 * The time in which a game is followed here: who waits for a change, what is due later, and the end.
 * @module
 */

export class Lifetime {
  /** @param {() => void} told is called at each change */
  constructor(told) {
    this.told = told;
    this.stop = new AbortController();
    /** @type {Set<() => void>} */
    this.waiters = new Set();
    /** @type {Set<ReturnType<typeof setTimeout>>} */
    this.timers = new Set();
  }

  /** Whether following and automatic work have ended. */
  get ended() {
    return this.stop.signal.aborted;
  }

  get signal() {
    return this.stop.signal;
  }

  changed() {
    this.wake();
    this.told();
  }

  wake() {
    for (const waiter of [...this.waiters]) waiter();
  }

  /** Waits for a change, or for this time. @param {number} time milliseconds @returns {Promise<void>} */
  change(time) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, time);
      this.waiters.add(done);
    });
  }

  /** Does work after a time, if this lasts so long. @param {number} time milliseconds @param {() => void} work @returns {() => void} calls it off */
  after(time, work) {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, time);
    this.timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.timers.delete(timer);
    };
  }

  end() {
    this.stop.abort();
    for (const timer of this.timers) clearTimeout(timer);
    this.wake();
  }
}
