import { expect, it } from "vitest";
import { defaultReasoning } from "./reasoning.ts";
import { toCompletionParams } from "./request.ts";

it("a request has whole characters only, because a service refuses a body with half of one", () => {
  const half = "👍".slice(0, 1);
  const { messages } = toCompletionParams(
    {
      agent: { name: "clerk", rules: undefined, templateVars: {} },
      messages: [
        { role: "system", content: `Known: ${half}` },
        { role: "user", content: `Hello ${half} 👍` },
        { role: "assistant", content: half },
        { role: "tool", toolCallId: "1", name: "look", content: half },
      ],
      tools: [],
      settings: { deploymentId: "gpt-x" },
      memory: {},
    },
    "gpt-x",
    { limitsByCompletionTokens: true, takesCacheKey: false, reasoning: defaultReasoning },
  );
  expect(messages.map(({ content }) => content)).toEqual(["Known: \uFFFD", "Hello \uFFFD 👍", "\uFFFD", "\uFFFD"]);
});
