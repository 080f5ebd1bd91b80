/** The colours that the user has chosen, for this browser. */
import { z } from "zod";

import type { StoredValue } from "./stored-value.ts";
import { Store } from "@voice/client-kit/store";

export const storedTheme = z.enum(["system", "light", "dark"]);
export type Theme = z.output<typeof storedTheme>;

export class ThemeChoice {
  readonly store: Store<Theme>;
  readonly #stored: StoredValue<Theme>;
  readonly #root: { readonly style: Pick<CSSStyleDeclaration, "colorScheme"> };

  /** `root`: the element whose colour scheme all colours follow. */
  constructor(stored: StoredValue<Theme>, root: { readonly style: Pick<CSSStyleDeclaration, "colorScheme"> }) {
    this.#stored = stored;
    this.#root = root;
    this.store = new Store<Theme>(stored.get() ?? "system");
    this.#apply();
  }

  choose(theme: Theme): void {
    this.store.set(theme);
    this.#stored.set(theme === "system" ? undefined : theme);
    this.#apply();
  }

  #apply(): void {
    const theme = this.store.get();
    this.#root.style.colorScheme = theme === "system" ? "" : theme;
  }
}
