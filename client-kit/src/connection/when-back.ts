/** Tells that trying again is worth it: the network is there again, or somebody looks at the page again. */

/** Until the returned function is called. */
export type WhenBack = (callback: () => void) => () => void;

export const whenBack: WhenBack = (callback) => {
  // Without a page there is no moment at which somebody looks at it again, so the next attempt waits for its timer.
  if (globalThis.window === undefined) return () => undefined;
  const stop = new AbortController();
  const { signal } = stop;
  window.addEventListener("online", callback, { signal });
  const looked = (): void => {
    if (document.visibilityState === "visible") callback();
  };
  document.addEventListener("visibilitychange", looked, { signal });
  return () => stop.abort();
};
