import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { dictionaryOf } from "./dictionary.ts";

const few = dictionaryOf(
  Buffer.from(
    [
      ";; A dictionary",
      ";; of few words",
      "'cause K AH Z",
      "a AH",
      "a(2) EY",
      "a's EY Z",
      "either IY DH ER",
      "either(2) AY DH ER",
      "",
    ].join("\n"),
  ),
);

describe("the dictionary", () => {
  it("says how a word is said, the usual way first", () => {
    expect(few.pronunciationsOf("either")).toEqual(["IY DH ER", "AY DH ER"]);
    expect(few.pronunciationsOf("a")).toEqual(["AH", "EY"]);
    expect(few.pronunciationsOf("a's")).toEqual(["EY Z"]);
    expect(few.pronunciationsOf("'cause")).toEqual(["K AH Z"]);
  });

  it.each(["zulu", "b", "'", "eithe", "either(2)", ";;", ""])("knows nothing of %j", (word) => {
    expect(few.pronunciationsOf(word)).toEqual([]);
  });

  it("finds every word of the engine's model", async () => {
    const model = path.join(
      path.dirname(createRequire(import.meta.url).resolve("soundswallower")),
      "model/en-us/dict.txt",
    );
    const bytes = await readFile(model);
    const dictionary = dictionaryOf(bytes);
    const expected = new Map<string, string[]>();
    for (const line of bytes.toString("latin1").split("\n")) {
      const [, word, phones] = /^([^;\s][^\s(]*)(?:\(\d+\))? (.*)$/.exec(line) ?? [];
      if (word === undefined || phones === undefined) continue;
      expected.set(word, [...(expected.get(word) ?? []), phones.trim()]);
    }
    expect(expected.size).toBeGreaterThan(125_000);
    const wrong = [...expected].filter(([word, ways]) => dictionary.pronunciationsOf(word).join() !== ways.join());
    expect(wrong).toEqual([]);
  });
});
