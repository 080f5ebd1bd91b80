import { expect, it } from "vitest";
import { hasPack } from "../packs.ts";
import { shortPhrases } from "./short-phrases.ts";

it("[LANG-2e] short words are of languages that have no pack", () => {
  expect(Object.keys(shortPhrases).filter(hasPack)).toEqual([]);
});

it.each(Object.entries(shortPhrases))(
  "[LANG-2e] short words in %s are in small letters, and mean one thing",
  (_code, words) => {
    const all = [...words.yes, ...words.other, ...words.greetings];
    expect(all).toEqual([...new Set(all)]);
    expect(all.filter((word) => word !== word.toLowerCase().trim() || word !== word.normalize("NFC"))).toEqual([]);
  },
);
