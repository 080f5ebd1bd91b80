import type { ModelRequest } from "@voice/provider-kit/ports/language-model";
import { describe, expect, it } from "vitest";
import { fakeAgent } from "../../testing/fake-catalog.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import type { ScriptedAnswer } from "../../testing/scripted-model.ts";
import { askModel } from "./ask-model.ts";

const request: ModelRequest = {
  agent: fakeAgent("desk"),
  messages: [],
  tools: [],
  settings: { deploymentId: "fake" },
  memory: {},
};

async function ask(answer: ScriptedAnswer, stop?: AbortController) {
  const told: string[] = [];
  const asking = askModel(
    new ScriptedModel(answer),
    request,
    {
      onRequest: () => ({
        onFirstEvent: () => told.push("first event"),
        onFinished: ({ reason }) => told.push(`finished: ${reason}`),
        onEnded: () => told.push("ended"),
        onFailed: (error) => told.push(`failed: ${error instanceof Error ? error.message : ""}`),
        onCancelled: () => told.push("cancelled"),
      }),
      onFirstToken: () => told.push("first token"),
      onText: (delta) => told.push(delta),
      onUsage: ({ outputTokens }) => told.push(`${outputTokens} tokens`),
    },
    stop?.signal ?? new AbortController().signal,
  );
  stop?.abort();
  await Promise.allSettled([asking]);
  return told;
}

describe("what is told of a request to a model", () => {
  it("is its beginning once, its words, its reason and cost, and its end", async () => {
    const told = await ask("It is closed.");
    expect(told.join("|")).toBe("first event|first token|It |is |closed.|finished: stop|5 tokens|ended");
  });

  it("is why it failed", async () => {
    expect(await ask(new Error("away"))).toEqual(["failed: away"]);
  });

  it("is that nobody wants it any more, which is no failure of the model", async () => {
    expect(await ask({ hangs: true }, new AbortController())).toEqual(["cancelled"]);
  });
});
