/**
 * The window for plugins, from the plugin's side: it opens the table's own window, in which the player signs by a tap, and has no key
 * (specs/window.md). It stands alone: no other module of the package is loaded with it.
 * @module
 */

const FORMAT = 'rollproof/window/v1';
/** How the window is opened: tall enough for the tray and one question. */
const FEATURES = 'popup,width=440,height=720';
/** Milliseconds between two looks at whether the window is still there. */
const EVERY = 500;

/** It was not rolled, or there is no window to roll in; `code` is one of specs/window.md, `blocked` or `gone`. */
export class WindowRefused extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(text || code);
    this.name = 'WindowRefused';
    this.code = code;
  }
}

/**
 * Opens the window of a server, and asks to be connected. Call it in a click of the player's: browsers block windows that nobody asked for.
 * @param {string} address of the server @param {{features?: string}} [how] as `window.open` takes them
 * @returns {Promise<RollWindow>} when the player has chosen a table @throws {WindowRefused}
 */
export async function openWindow(address, { features = FEATURES } = {}) {
  const url = new URL(`${address.replace(/\/+$/, '')}/w`);
  const opened = globalThis.open(url, '_blank', features);
  if (!opened) throw new WindowRefused('blocked', 'The browser blocked the window. Open it in a click of the player’s.');
  const made = new RollWindow(opened, url.origin);
  await made.connecting;
  return made;
}

/** @typedef {{resolve: (roll: any) => void, reject: (error: Error) => void}} Waiting */

/** A window in which somebody rolls. */
export class RollWindow {
  /** @param {Window} opened @param {string} origin of the server */
  constructor(opened, origin) {
    this.window = opened;
    this.origin = origin;
    /** @type {any} */
    this.table = null;
    /** @type {any} */
    this.me = null;
    this.id = 0;
    this.greeted = false;
    /** @type {string | null} why it is over */
    this.ended = null;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    /** @type {Map<string, Set<(what: any) => void>>} */
    this.listeners = new Map();
    /** @type {Promise<void>} */
    this.connecting = new Promise((resolve, reject) => {
      this.waiting.set(1, { resolve, reject });
    });
    this.hear = (/** @type {MessageEvent} */ event) => {
      if (event.source === opened && event.origin === origin && typeof event.data === 'string') this.take(JSON.parse(event.data));
    };
    globalThis.addEventListener('message', this.hear);
    this.timer = setInterval(() => {
      if (opened.closed) this.over('gone');
    }, EVERY);
  }

  /** @param {string} type @param {object} [more] @returns {number} the message's id */
  send(type, more = {}) {
    this.id += 1;
    this.window.postMessage(JSON.stringify({ format: FORMAT, id: this.id, type, ...more }), this.origin);
    return this.id;
  }

  /** @param {any} message of the window's */
  take(message) {
    if (message?.format !== FORMAT) return;
    const waiting = this.waiting.get(message.id);
    switch (message.type) {
      case 'ready':
        // A second one is another page in the same window: it knows nothing of this connection.
        if (this.greeted) this.over('gone');
        else {
          this.greeted = true;
          this.send('hello');
        }
        break;
      case 'connected':
        this.table = message.table;
        this.me = message.me;
        this.settle(message.id, () => waiting?.resolve(undefined));
        break;
      case 'rolled':
        this.settle(message.id, () => waiting?.resolve(message.roll));
        this.tell('roll', message.roll);
        break;
      case 'roll':
        this.tell('roll', message.roll);
        break;
      case 'refused':
        this.settle(message.id, () => waiting?.reject(new WindowRefused(message.code, message.text)));
        break;
      case 'bye':
        this.over(message.code);
        break;
      default:
    }
  }

  /** @param {number} id @param {() => void} how */
  settle(id, how) {
    how();
    this.waiting.delete(id);
  }

  /** @param {'roll' | 'end'} event @param {(what: any) => void} listener @returns {() => void} ends it */
  on(event, listener) {
    const those = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, those.add(listener));
    return () => void those.delete(listener);
  }

  /** @param {string} event @param {any} what */
  tell(event, what) {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(what);
  }

  /** @param {string} code */
  over(code) {
    if (this.ended !== null) return;
    this.ended = code;
    clearInterval(this.timer);
    globalThis.removeEventListener('message', this.hear);
    for (const { reject } of this.waiting.values()) reject(new WindowRefused(code, 'The window is not connected any more.'));
    this.waiting.clear();
    this.tell('end', code);
  }

  /**
   * Asks the player to roll, and brings the window to the front.
   * @param {string} line as the game writes it @param {{signal?: AbortSignal}} [how] `signal`: takes it back while nobody has tapped
   * @returns {Promise<any>} when the roll has ended @throws {WindowRefused}
   */
  roll(line, { signal } = {}) {
    if (this.ended !== null) return Promise.reject(new WindowRefused(this.ended, 'The window is not connected any more.'));
    if (signal?.aborted) return Promise.reject(new WindowRefused('cancelled', 'It was taken back before it was asked for.'));
    const id = this.send('roll', { line });
    signal?.addEventListener('abort', () => this.ended === null && this.send('cancel', { of: id }), { once: true });
    this.window.focus();
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
    });
  }

  /** Ends the connection, and closes the window. */
  close() {
    this.window.close();
    this.over('gone');
  }
}
