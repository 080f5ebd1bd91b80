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

it("a request for one object of a schema is the strict form of structured outputs", () => {
  const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
  const request = {
    agent: { name: "clerk", rules: undefined, templateVars: {} },
    messages: [{ role: "user" as const, content: "Hello." }],
    tools: [],
    answer: { name: "after_call", schema },
    settings: { deploymentId: "gpt-x" },
    memory: {},
  };
  const dialect = { limitsByCompletionTokens: true, takesCacheKey: false, reasoning: defaultReasoning };
  expect(toCompletionParams(request, "gpt-x", dialect)).toMatchObject({
    response_format: { type: "json_schema", json_schema: { name: "after_call", strict: true, schema } },
  });
});
