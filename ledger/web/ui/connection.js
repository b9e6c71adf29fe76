/**
 * The connection to the table or event that a page shows, for as long as it is shown.
 * @module
 */

import { useEffect } from './html.js';

/**
 * @template {(...now: any[]) => void} L
 * @typedef {{subscribe: (look: L) => () => void, connect: () => unknown, wake: () => void, close: () => void}} Source
 */

/**
 * Connect, and call `look` at each change, until the component goes or `source` is another one. When the browser is online or the
 * page visible again, a source that waits for its next attempt tries at once.
 * @template {(...now: any[]) => void} L @param {Source<L> | null} source @param {L} look
 */
export function useConnection(source, look) {
  useEffect(() => {
    if (source === null) return undefined;
    const stop = source.subscribe(look);
    Promise.resolve(source.connect()).catch(() => undefined);
    const wake = () => {
      if (document.visibilityState === 'visible') source.wake();
    };
    addEventListener('online', wake);
    addEventListener('pageshow', wake);
    document.addEventListener('visibilitychange', wake);
    return () => {
      removeEventListener('online', wake);
      removeEventListener('pageshow', wake);
      document.removeEventListener('visibilitychange', wake);
      stop();
      source.close();
    };
  }, [source]);
}
