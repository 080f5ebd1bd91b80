import { expect, it } from "vitest";
import { noRules, type AgentRules } from "../rules/rules.ts";
import { prepareVocabulary, vocabularyOf } from "./vocabulary.ts";

function manyExamples(): AgentRules {
  const examples = Array.from(
    { length: 3000 },
    (_, at) => `sentence number ${at} of march the third and one thousand more`,
  );
  const intent = { name: "one", examples, slots: [], action: { type: "say", say: "ok" }, after: {} } as const;
  return { ...noRules, intents: [intent] };
}

it("a large vocabulary is prepared in slices, between which everybody else is served, and is the same as one made at once", async () => {
  const rules = manyExamples();
  let served = 0;
  let isReady = false;
  const serve = (): void => {
    served += 1;
    if (!isReady) setImmediate(serve);
  };
  setImmediate(serve);
  await prepareVocabulary(rules);
  isReady = true;
  expect(served).toBeGreaterThan(1);
  const { examples, words } = vocabularyOf(manyExamples());
  expect(vocabularyOf(rules)).toMatchObject({ examples: { length: examples.length }, words });
});
