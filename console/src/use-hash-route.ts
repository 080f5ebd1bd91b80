import { useMemo, useSyncExternalStore } from "react";

import { parseRoute } from "./route.ts";
import type { Route } from "./route.ts";

export function useHashRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  // The same object while the address is the same, because effects depend on it.
  return useMemo(() => parseRoute(hash), [hash]);
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}
