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
  /** number of the event that asked for it, by which it is shared and published */
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
  /** in the event `roll`: it ended while this program was not connected */
  before?: boolean;
  /** what the dice come to; null where nothing was said within two seconds */
  said: Said | null;
}
export interface Said {
  /** the result in words, such as `= 16`; null where the game has none for it */
  summary: string | null;
  /** all dice on one line, those that do not count between `~~`, and the result */
  text: string | null;
  /** the rules in this program say it; else the server does, as from this package always */
  own: boolean;
  /** what became of each die: `status` is `counted`, `ignored`, …; `result` what it counts as */
  dice: { die: number; naturals: number[]; result: number | null; sides: number; status: string; text: string }[] | null;
  /** what the system's page gives a roll (`dice-1`: `values.results[0].total` is the total) */
  values: { [member: string]: any } | null;
}
export interface Warning { id: string; text: string; files: { name: string; bytes: Uint8Array }[] }
export interface File { name: string; bytes: Uint8Array }

export interface Player {
  /** of the seat; of a spectator empty */
  readonly name: string;
  on(event: 'roll', listener: (roll: Roll) => void): () => void;
  on(event: 'waits', listener: (waits: { roll: number; for: string[] }) => void): () => void;
  /** The names of who sits at the table, before the start. */
  on(event: 'seats', listener: (names: string[]) => void): () => void;
  /** The connection: `connecting` at first, then `live`, or `away`, and tried again by itself. */
  on(event: 'line', listener: (line: 'connecting' | 'live' | 'away') => void): () => void;
  on(event: 'here', listener: (names: string[]) => void): () => void;
  on(event: 'warning', listener: (warning: Warning) => void): () => void;
  on(event: 'cheated', listener: (error: Cheated) => void): () => void;
  /** As the host: starts, when those who are named sit here; where the game has begun already, as `begun`. */
  start(how?: { with?: string[] }): Promise<void>;
  /** When the game has begun, and this seat has joined and committed. */
  begun(): Promise<void>;
  roll(what: string | { dice: string; source?: string; [member: string]: unknown } | { [member: string]: unknown }): Promise<Roll>;
  /** What people read for a party's name, which is the name itself where it is called nothing else. */
  calledOf(name: string): string;
  act(type: string, body: any): Promise<{ seq: number }>;
  /** The table as it stands, verified. */
  show(): Shown;
  void(missing?: string[]): Promise<{ seq: number }>;
  close(): Promise<void>;
  log(): File & { checkpoint: File | null };
  code(): string;
  /** A link to one roll with its proof in it; names are in it in any case, and shown only with `names`. */
  share(roll: number | Roll, how?: { names?: boolean }): Promise<string>;
  /** Has the server show an own roll under a short link; gives the link. `names`: the page shows them; the proof has them in any case. */
  publish(roll: number | Roll, how?: { names?: boolean }): Promise<string>;
  /** The rolls of this game that are published, by anybody. */
  published(): Promise<{ roll: number; link: string; by: string; names: boolean }[]>;
  /** Takes an own short link back. */
  revoke(link: string): Promise<void>;
  end(): void;
}

/** The table as it stands; there is more in it, which `ledger/web/core/snapshot.js` of this package describes. */
export interface Shown {
  stage: 'connecting' | 'lobby' | 'agreeing' | 'playing' | 'closed' | 'deleted' | 'refused';
  line: string;
  table: { id: string; title: string; system: string; canStart: boolean; seats: { name: string; called: string | null; role: string; key: string; mine: boolean }[] } | null;
  me: { name: string; role: string; seated: boolean; joined: boolean } | null;
  /** null before the start */
  game: {
    id: string;
    size: number;
    parties: { name: string; called: string | null; role: string; joined: boolean; left: boolean; away: boolean; here: boolean; mine: boolean }[];
    rolls: { seq: number; author: string; body: any; time: string; naturals: number[] | null; sides: number[] | null; ended: string | null; contributors: string[]; fair: boolean }[];
    waiting: { seq: number; author: string; contributors: string[]; opened: string[]; awaited: string[]; closer: string } | null;
  } | null;
  warnings: { id: string; files: File[] }[];
  /** what the server showed that cannot be */
  trouble: { files: File[] } | null;
}

/** One for each role that was asked for. */
export interface Links { player: string; spectator: string; gm?: string; judge?: string; witness?: string }
export type Role = keyof Links;

export interface TableOptions {
  system?: string;
  title?: string;
  options?: any;
  roles?: Role[];
  contributors?: 'all' | 'roller' | string[];
  away?: 'others' | null;
  judgeAfter?: number | null;
  storage?: Storage;
}
export function openTable(address: string, what?: TableOptions): Promise<{ table: string; links: Links }>;
export function join(
  link: string,
  how?: { name?: string; called?: string; own?: boolean; storage?: Storage; agree?: (terms: any) => boolean | Promise<boolean> },
): Promise<Player>;

/** Somebody says no: the server, by a code of network.md, or this program. */
export class Refused extends Error { readonly code: string; readonly status: number; readonly clause: string | null }
/** No answer came. `signed` is false where nothing was signed: ask again. Else what was signed is sent again by itself. */
export class Away extends Error { readonly signed?: false }
/** Another event came first, and what was wanted may not make sense any more. */
export class Changed extends Error {}
/** The seat signs nothing more in this game, or was ended in this program. */
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
