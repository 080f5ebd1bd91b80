/** Text that is being typed, kept in this tab: signing in again leaves the page, and what was typed must not be lost. */
import { useState } from "react";
import { z } from "zod";

import { StoredValue } from "./stored-value.ts";

const keptTexts = new StoredValue(sessionStorage, "voice.typed", z.record(z.string(), z.string()));

/** `field` names what it is typed into, such as `message`; `initial` is there until something was typed. */
export function useKeptText(field: string, initial = ""): readonly [string, (typed: string) => void] {
  const [typed, setTyped] = useState(() => keptTexts.get()?.[field] ?? initial);
  const keep = (text: string): void => {
    setTyped(text);
    const { [field]: _, ...others } = keptTexts.get() ?? {};
    try {
      keptTexts.set(text === "" ? others : { ...others, [field]: text });
    } catch (error) {
      // More than the browser has room for was pasted: it is in the field, and lost with the page.
      if (!(error instanceof DOMException)) throw error;
    }
  };
  return [typed, keep];
}

/** Whoever uses this tab next is perhaps somebody else. */
export function forgetKeptTexts(): void {
  keptTexts.set(undefined);
}
