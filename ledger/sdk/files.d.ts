import { MemoryStorage } from './index.js';

/** Storage in a folder, for Node, sealed under a passphrase of at least 12 characters. One program has it at a time. */
export class FileStorage extends MemoryStorage {
  static open(folder: string, how: { passphrase: string }): Promise<FileStorage>;
  readonly readsKeys: true;
}
