import type { Storage } from './index.js';

/** Tries a storage: README.md, "Storage". Returns what was found to hold; throws an Error that says what does not. */
export function checkStorage(how: { open: () => Promise<Storage>; crash: (storage: Storage) => Promise<void> | void }): Promise<string[]>;
