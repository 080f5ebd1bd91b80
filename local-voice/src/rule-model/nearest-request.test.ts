import { describe, expect, it } from "vitest";
import { AgentMeanings } from "../meaning/agent-meanings.ts";
import { noRules } from "../rules/rules.ts";
import { intent } from "./fake-intent.ts";
import { prepareMatches } from "./match-intent.ts";
import { nearestRequest } from "./nearest-request.ts";

const wish = "list the latest transactions of my account";
const hours = "say when the office opens";

/** `likeness`: of what was said and the wish, in meaning; they have no word in common. */
async function nearestTo(said: string, likeness: number): Promise<string | undefined> {
  const rules = {
    ...noRules,
    intents: [intent("payments", { examples: [wish] }), intent("hours", { examples: [hours] })],
  };
  const meanings = new AgentMeanings({
    encode: (sentences) =>
      Promise.resolve(
        sentences.map((sentence) => {
          if (sentence === wish) return Float32Array.from([1, 0, 0]);
          return Float32Array.from(sentence === hours ? [0, 1, 0] : [likeness, 0, Math.sqrt(1 - likeness ** 2)]);
        }),
      ),
    close: () => Promise.resolve(),
  });
  await prepareMatches(rules, [said], 0, meanings);
  return nearestRequest(said, {
    agent: { name: "bank", templateVars: {} },
    rules,
    memory: {},
    todayMs: 0,
    meanings,
    handoff: () => undefined,
  });
}

describe("the request that is nearest to what was said", () => {
  it("has to be nearer to a question, of which many are alike, than to another sentence [EAR-33a]", async () => {
    const question = "what was bought with his money";
    expect(await nearestTo(question, 0.77)).toBe(wish);
    expect(await nearestTo(question, 0.74)).toBeUndefined();
    expect(await nearestTo("somebody bought things with his money", 0.74)).toBe(wish);
  });
});
