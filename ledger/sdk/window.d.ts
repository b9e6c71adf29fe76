import type { Roll } from './index.js';

/** It was not rolled, or there is no window to roll in: `declined`, `busy`, `unreadable`, `cancelled`, `away`, `blocked` (by the browser), `gone` (the window was closed), or why it is over. */
export class WindowRefused extends Error { readonly code: string }

/**
 * Opens the table's own window, in a click of the player's, and resolves when the player has chosen a table there.
 * `address`: of the server.
 */
export function openWindow(address: string, how?: { features?: string }): Promise<RollWindow>;

/** A window in which a player signs by a tap. This page has no key. */
export interface RollWindow {
  readonly table: { game: string; title: string; system: string };
  readonly me: { name: string; called: string; role: string };
  /** The window itself, for `focus()`. */
  readonly window: Window;
  /** Why it is over; null while it is not. */
  readonly ended: string | null;
  /** Asks the player to roll. Of a roll that was called off `ended` is not `reveal`, and there are no dice. */
  roll(line: string, how?: { signal?: AbortSignal }): Promise<Roll>;
  /** Each roll of the table that ends, by whomever. */
  on(event: 'roll', listener: (roll: Roll) => void): () => void;
  on(event: 'end', listener: (code: string) => void): () => void;
  close(): void;
}
