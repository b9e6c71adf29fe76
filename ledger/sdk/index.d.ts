/** What a seat must remember, kept. README.md, "Storage", says what it owes. */
export interface Storage {
  get(store: StoreName, key: string): Promise<any>;
  all(store: StoreName): Promise<any[]>;
  /** One transaction: all of it or nothing, durable when it is done. */
  write(changes: Change[]): Promise<void>;
  lines(game: string): Promise<Uint8Array[]>;
  putLines(game: string, from: number, lines: Uint8Array[]): Promise<void>;
  persist(): Promise<boolean | null>;
  close(): void;
  /** It must read a key to keep it. */
  readonly readsKeys?: boolean;
}
export type StoreName = 'seats' | 'hosts' | 'tables' | 'games' | 'memory' | 'profiles';
/** `value` undefined takes the record away; `number`: only if the record there has this number (0: there is none). */
export interface Change { store: StoreName; key: string; value: any; number?: number }

export interface Die { natural: number; sides: number }
export interface Roll {
  /** number of the request */
  roll: number;
  /** the name of the key */
  author: string;
  /** what people read for it */
  called: string;
  body: any;
  /** verified here: the dice follow from the secrets of all who had a part */
  fair: boolean;
  /** the type of the event that ended it: `reveal`, or it was called off */
  ended: string;
  contributors: string[];
  dice: Die[];
  /** what the dice come to; null where nothing was said in time. `own`: the rules here say it; else the server does */
  said: { summary: string | null; text: string | null; own: boolean } | null;
}
export interface Warning { id: string; text: string; files: { name: string; bytes: Uint8Array }[] }
export interface File { name: string; bytes: Uint8Array }

export interface Player {
  /** of the seat; of a spectator empty */
  readonly name: string;
  on(event: 'roll', listener: (roll: Roll) => void): () => void;
  on(event: 'waits', listener: (waits: { roll: number; for: string[] }) => void): () => void;
  on(event: 'here', listener: (names: string[]) => void): () => void;
  on(event: 'warning', listener: (warning: Warning) => void): () => void;
  on(event: 'cheated', listener: (error: Cheated) => void): () => void;
  /** As the host: starts, when those who are named sit here. */
  start(how?: { with?: string[] }): Promise<void>;
  /** When the game has begun, and this seat has joined and committed. */
  begun(): Promise<void>;
  roll(what: string | object): Promise<Roll>;
  /** What people read for a party's name, which is the name itself where it is called nothing else. */
  calledOf(name: string): string;
  act(type: string, body: any): Promise<{ seq: number }>;
  show(): any;
  void(missing?: string[]): Promise<{ seq: number }>;
  close(): Promise<void>;
  log(): File & { checkpoint: File | null };
  code(): string;
  /** A link to one roll with its proof in it; names are in it in any case, and shown only with `names`. */
  share(roll: number, how?: { names?: boolean }): Promise<string>;
  /** Has the server show an own roll under a short link; gives the link. `names`: the page shows them; the proof has them in any case. */
  publish(roll: number, how?: { names?: boolean }): Promise<string>;
  /** The rolls of this game that are published, by anybody. */
  published(): Promise<{ roll: number; link: string; by: string; names: boolean }[]>;
  /** Takes an own short link back. */
  revoke(link: string): Promise<void>;
  end(): void;
}

export interface TableOptions {
  system?: string;
  title?: string;
  options?: any;
  roles?: string[];
  contributors?: 'all' | 'roller' | string[];
  away?: 'others' | null;
  judgeAfter?: number | null;
  storage?: Storage;
}
export function openTable(address: string, what?: TableOptions): Promise<{ table: string; links: { [role: string]: string } }>;
export function join(
  link: string,
  how?: { name?: string; called?: string; own?: boolean; storage?: Storage; agree?: (terms: any) => boolean | Promise<boolean> },
): Promise<Player>;

/** Somebody says no: the server, by a code of network.md, or this program. */
export class Refused extends Error { readonly code: string; readonly status: number; readonly clause: string | null }
/** No answer came. */
export class Away extends Error {}
/** Another event came first, and what was wanted may not make sense any more. */
export class Changed extends Error {}
/** The seat signs nothing more in this game. */
export class Stopped extends Error {}
/** What the server showed cannot be. */
export class Cheated extends Error { readonly files: File[] }
/** A storage's: another program wrote in between. */
export class Conflict extends Error {}
/** Ends with the program. */
export class MemoryStorage implements Storage {
  get(store: StoreName, key: string): Promise<any>;
  all(store: StoreName): Promise<any[]>;
  write(changes: Change[]): Promise<void>;
  lines(game: string): Promise<Uint8Array[]>;
  putLines(game: string, from: number, lines: Uint8Array[]): Promise<void>;
  persist(): Promise<null>;
  close(): void;
}
/** Of a browser. */
export class IndexedDbStorage implements Storage {
  static open(name?: string): Promise<IndexedDbStorage>;
  get(store: StoreName, key: string): Promise<any>;
  all(store: StoreName): Promise<any[]>;
  write(changes: Change[]): Promise<void>;
  lines(game: string): Promise<Uint8Array[]>;
  putLines(game: string, from: number, lines: Uint8Array[]): Promise<void>;
  persist(): Promise<boolean | null>;
  close(): void;
}
