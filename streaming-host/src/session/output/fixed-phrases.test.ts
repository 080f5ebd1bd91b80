import { packOf } from "@voice/shared/languages/packs";
import { expect, it } from "vitest";
import { FixedPhrases } from "./fixed-phrases.ts";

const { sentences } = packOf("en");

it("says every sentence of a kind before it repeats one, whatever else is said in between", () => {
  const phrases = new FixedPhrases();
  const said = sentences.reprompt.map(() => {
    phrases.next("apology", sentences);
    return phrases.next("reprompt", sentences);
  });
  expect(said).toEqual(sentences.reprompt);
  expect(phrases.next("reprompt", sentences)).toBe(sentences.reprompt[0]);
});

it("[FILL-1b] has the agent's own fillers in turn, or the service's where it names none", () => {
  const phrases = new FixedPhrases();
  expect(["Let me see.", "Nearly there.", "Let me see."]).toEqual(
    [1, 2, 3].map(() => phrases.nextFiller(["Let me see.", "Nearly there."], sentences)),
  );
  expect(sentences.fillers).toContain(phrases.nextFiller([], sentences));
});
