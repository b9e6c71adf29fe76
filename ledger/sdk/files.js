/**
 * Storage in a folder, for Node: one journal of sealed transactions. It is one program's at a time.
 *
 * Each line is a transaction, sealed with AES-256-GCM and bound to its number, so that none is changed, moved or left out of
 * the middle unnoticed. What is not whole at the end is a transaction that a crash cut off, and never happened. (As in a
 * browser, a folder that as a whole was put back to an earlier day is told by nothing but the log.)
 * @module
 */

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { MIN_PASSPHRASE, Refused } from '../web/core/index.js';
import { say, Unstored } from '../web/core/errors.js';
import { MemoryStorage } from '../web/core/storage.js';

const { subtle } = globalThis.crypto;
const FORMAT = 'rollproof/storage/v1';
const SCRYPT = { N: 1 << 15, r: 8, p: 1, maxmem: 1 << 26 };

/** @param {Buffer} key @param {number} number @param {string} text @returns {string} a line */
function sealed(key, number, text) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`${FORMAT} ${number}`));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** @param {Buffer} key @param {number} number @param {string} line @returns {string} @throws {Error} */
function unsealed(key, number, line) {
  const bytes = Buffer.from(line, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(`${FORMAT} ${number}`));
  decipher.setAuthTag(bytes.subarray(-16));
  return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
}

/** A record as JSON: keys by what they are, bytes in base64. @param {any} value @returns {Promise<any>} */
async function plain(value) {
  if (value instanceof CryptoKey) {
    const format = value.type === 'private' ? 'pkcs8' : 'raw';
    return { '#key': Buffer.from(await subtle.exportKey(format, value)).toString('base64'), format, name: value.algorithm.name, uses: value.usages };
  }
  if (value instanceof Uint8Array) return { '#bytes': Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await plain(each)])));
}

/** @param {any} value @returns {Promise<any>} */
async function revived(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map(revived));
  if (typeof value['#bytes'] === 'string') return new Uint8Array(Buffer.from(value['#bytes'], 'base64'));
  if (typeof value['#key'] === 'string') {
    return subtle.importKey(value.format, Buffer.from(value['#key'], 'base64'), value.name, true, value.uses);
  }
  return Object.fromEntries(await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await revived(each)])));
}

/** @implements {import('../web/core/storage.js').Storage} */
export class FileStorage extends MemoryStorage {
  /** @param {string} folder @param {Buffer} key @param {number} file @param {number} number of the next transaction */
  constructor(folder, key, file, number) {
    super();
    this.readsKeys = true;
    this.folder = folder;
    this.key = key;
    this.file = file;
    this.number = number;
    this.end = 0;
    /** @type {Promise<any>} */
    this.last = Promise.resolve();
  }

  /**
   * @param {string} folder made where it is not there @param {{passphrase: string}} how
   * @returns {Promise<FileStorage>} @throws {Refused} where the passphrase is short or another, another program has it, or it is damaged
   */
  static async open(folder, { passphrase } = /** @type {any} */ ({})) {
    if (typeof passphrase !== 'string' || [...passphrase].length < MIN_PASSPHRASE) {
      throw new Refused(
        'storage.passphrase',
        say('Give the passphrase of this storage: it has at least {count} characters.', { count: MIN_PASSPHRASE }),
      );
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    take(join(folder, 'lock'));
    try {
      const path = join(folder, 'journal');
      if (!existsSync(path)) begin(path, folder);
      return await FileStorage.read(folder, path, passphrase);
    } catch (error) {
      unlinkSync(join(folder, 'lock'));
      throw error;
    }
  }

  /** @param {string} folder @param {string} path @param {string} passphrase @returns {Promise<FileStorage>} */
  static async read(folder, path, passphrase) {
    const data = readFileSync(path);
    const [head, ...lines] = data.toString('latin1').split('\n');
    const [format, salt] = head.split(' ');
    if (format !== FORMAT) throw new Refused('storage.damaged', say('{path} is no storage of this program.', { path }));
    const storage = new FileStorage(folder, scryptSync(passphrase, Buffer.from(salt, 'hex'), 32, SCRYPT), openSync(path, 'r+'), 0);
    storage.end = head.length + 1;
    const rest = /** @type {string} */ (lines.pop()); // what has no line feed was cut off by a crash
    try {
      for (const line of lines) {
        await storage.apply(JSON.parse(unsealed(storage.key, storage.number, line)));
        storage.number += 1;
        storage.end += line.length + 1;
      }
    } catch {
      closeSync(storage.file);
      if (storage.number === 0)
        throw new Refused(
          'storage.passphrase',
          say('This is not the passphrase of this storage, or its beginning is damaged. There is no way into it without the passphrase.'),
        );
      throw new Refused('storage.damaged', say('{path} is damaged in line {line}: nothing is signed upon it.', { path, line: storage.number + 2 }));
    }
    if (rest !== '') {
      ftruncateSync(storage.file, storage.end);
      fsyncSync(storage.file);
    }
    if (storage.number === 0) await storage.append({ changes: [] }); // by which the passphrase is known
    return storage;
  }

  /** @param {{changes?: any[], game?: string, from?: number, lines?: string[]}} entry */
  async apply(entry) {
    if (entry.changes) {
      const changes = await Promise.all(
        entry.changes.map(async ({ value, ...rest }) => ({ ...rest, value: value === undefined ? undefined : await revived(value) })),
      );
      await super.write(changes);
    } else {
      const lines = /** @type {string[]} */ (entry.lines).map((line) => new Uint8Array(Buffer.from(line, 'utf8')));
      await super.putLines(/** @type {string} */ (entry.game), /** @type {number} */ (entry.from), lines);
    }
  }

  /** Appends a transaction; it is on the disk when this returns. @param {any} entry */
  async append(entry) {
    const line = Buffer.from(`${sealed(this.key, this.number, JSON.stringify(entry))}\n`, 'latin1');
    try {
      for (let done = 0; done < line.length; ) done += writeSync(this.file, line, done, line.length - done, this.end + done);
      fsyncSync(this.file);
    } catch (error) {
      throw new Unstored(error);
    }
    this.end += line.length;
    this.number += 1;
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} one after the other */
  alone(work) {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }

  /** @param {import('../web/core/storage.js').Change[]} changes @returns {Promise<void>} */
  async write(changes) {
    return this.alone(async () => {
      this.check(changes);
      await this.append({
        changes: await Promise.all(
          changes.map(async ({ value, number: _number, ...rest }) => (value === undefined ? rest : { ...rest, value: await plain(value) })),
        ),
      });
      await super.write(changes.map(({ number: _number, ...rest }) => rest));
    });
  }

  /** @param {string} game @param {number} from @param {Uint8Array[]} lines @returns {Promise<void>} */
  async putLines(game, from, lines) {
    return this.alone(async () => {
      await this.append({ game, from, lines: lines.map((line) => Buffer.from(line).toString('utf8')) });
      await super.putLines(game, from, lines);
    });
  }

  async persist() {
    return null;
  }

  close() {
    closeSync(this.file);
    unlinkSync(join(this.folder, 'lock'));
  }
}

/** Begins a journal under its name when it is whole. @param {string} path @param {string} folder */
function begin(path, folder) {
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, `${FORMAT} ${randomBytes(16).toString('hex')}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  const directory = openSync(folder, 'r');
  fsyncSync(directory);
  closeSync(directory);
}

/** One program at a time: a second one would sign what the first does not know of. @param {string} path @throws {Refused} */
function take(path) {
  for (let attempt = 0; ; attempt++) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return;
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'EEXIST' || attempt > 0) throw error;
      const owner = Number(readFileSync(path, 'utf8'));
      if (isAlive(owner)) {
        throw new Refused(
          'storage.taken',
          say(
            'Another program (process {owner}) has this storage: a seat is in one program at a time. End that one; if it has just ended, try again in a moment.',
            { owner },
          ),
        );
      }
      unlinkSync(path); // it crashed
    }
  }
}

/** @param {number} pid @returns {boolean} */
function isAlive(pid) {
  if (!(pid > 0)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {any} */ (error).code !== 'ESRCH';
  }
}
