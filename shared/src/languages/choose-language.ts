/** Chooses one of the languages on offer. */
import { primaryLanguage } from "./packs.ts";

/** The requested language, or another region's variety of it; undefined if there is none. */
export function chooseLanguage(requested: string, offered: readonly string[]): string | undefined {
  return (
    offered.find((language) => language.toLowerCase() === requested.toLowerCase()) ??
    offered.find((language) => primaryLanguage(language) === primaryLanguage(requested))
  );
}
