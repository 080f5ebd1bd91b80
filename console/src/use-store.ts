import { useSyncExternalStore } from "react";

import type { Store } from "@voice/client-kit/store";

export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get);
}
