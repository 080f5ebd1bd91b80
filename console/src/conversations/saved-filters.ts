/** Filters that the user has named, in this browser. */
import { z } from "zod";

import type { StoredValue } from "../stored-value.ts";
import { Store } from "@voice/client-kit/store";
import { formatFilter, isSameFilter, parseFilter } from "../conversation/conversation-filter.ts";
import type { ConversationFilter } from "../conversation/conversation-filter.ts";

/** The address says the same, so both can change together. */
export const storedFilters = z.array(z.object({ name: z.string(), query: z.string() }));

export interface SavedFilter {
  readonly name: string;
  readonly filter: ConversationFilter;
}

const most = 30;

export class SavedFilters {
  readonly store: Store<readonly SavedFilter[]>;
  readonly #stored: StoredValue<z.output<typeof storedFilters>>;

  constructor(stored: StoredValue<z.output<typeof storedFilters>>) {
    this.#stored = stored;
    const saved = (stored.get() ?? []).map(({ name, query }) => ({
      name,
      filter: parseFilter(new URLSearchParams(query)),
    }));
    this.store = new Store<readonly SavedFilter[]>(saved);
  }

  /** Replaces one of the same name. */
  save(name: string, filter: ConversationFilter): void {
    const others = this.store.get().filter((saved) => saved.name !== name);
    this.#set([...others, { name, filter }].slice(-most));
  }

  remove(name: string): void {
    this.#set(this.store.get().filter((saved) => saved.name !== name));
  }

  nameOf(filter: ConversationFilter): string | undefined {
    return this.store.get().find((saved) => isSameFilter(saved.filter, filter))?.name;
  }

  #set(saved: readonly SavedFilter[]): void {
    this.store.set(saved);
    this.#stored.set(saved.map(({ name, filter }) => ({ name, query: formatFilter(filter) })));
  }
}
