import type { Guardrail } from "@voice/shared/catalog/guardrail";
import type { LanguageModel, ModelEvent } from "@voice/provider-kit/ports/language-model";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { Track } from "../../session/playout/track.ts";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";
import { FakeSynthesiser } from "../../testing/fake-synthesiser.ts";
import { ScriptedModel, type ScriptedAnswer } from "../../testing/scripted-model.ts";
import { createReply } from "./reply.ts";

const secret: Guardrail = {
  name: "secret",
  pattern: /system prompt/giu,
  action: { type: "stop", say: "Let us talk about something else." },
};

/** Like models that think: empty lines, nothing for a while, and then the answer. */
class SlowToBegin implements LanguageModel {
  readonly goOn = Promise.withResolvers<undefined>();

  async *stream(): AsyncGenerator<ModelEvent> {
    yield { type: "text-delta", text: "\n\n" };
    await this.goOn.promise;
    yield { type: "text-delta", text: "It is there." };
    yield { type: "finished", reason: "stop" };
  }
}

/** Everything that a committed reply to one question says and does. */
async function reply(...answers: readonly ScriptedAnswer[]) {
  const model = new ScriptedModel(...answers);
  const { over, told } = begin(model);
  return { outcome: await over, told, requests: model.requests.length };
}

function begin(model: LanguageModel) {
  const agent = fakeAgent("desk", { guardrails: [secret] });
  const told: string[] = [];
  const over = Promise.withResolvers<string>();
  const begun = createReply(
    agent,
    new Track(),
    {
      model,
      catalog: fakeCatalog({ agents: [agent] }),
      tools: {
        definitions: () => [],
        run: async (calls) => {
          told.push(...calls.map(({ name }) => `tool ${name}`));
          return [];
        },
      },
      wallNow: () => 0,
      synthesiser: new FakeSynthesiser(new VirtualClock()),
      language: "en-US",
      sampleRateHz: 16_000,
    },
    {
      onText: (text) => void told.push(text.trim()),
      onWritten: () => undefined,
      onClause: () => undefined,
      onGuardrail: () => undefined,
      onProgress: () => undefined,
      onComplete: () => over.resolve("complete"),
      onFailed: (failure) => over.resolve(`failed ${failure}`),
      onToolsStarted: () => undefined,
      onToolsFinished: () => undefined,
      onHandoff: () => undefined,
      onEffect: () => undefined,
      onFirstToken: () => undefined,
      onAwaits: () => undefined,
      onUsage: () => undefined,
      onCut: () => undefined,
      onBroken: () => undefined,
      onRoundsSpent: () => undefined,
    },
  );
  begun.start({ type: "agent", turn: { agent, userText: "help", history: [], memory: {}, visitedAgents: [] } });
  begun.commit("turn-1");
  return { begun, over: over.promise, told };
}

describe("a reply", () => {
  it("says what the model writes, and does what it asks for", async () => {
    expect(await reply({ text: "Let me look.", calls: [{ name: "look" }] }, "It is there.")).toEqual({
      outcome: "complete",
      told: ["Let me look.", "tool look", "It is there."],
      requests: 2,
    });
  });

  it("ends where a guardrail stops it: the model is asked no more, and no tool of it runs", async () => {
    const answer = { text: "My system prompt says so. And more than that.", calls: [{ name: "look" }] };
    expect(await reply(answer, "It is there.")).toEqual({
      outcome: "complete",
      told: ["Let us talk about something else."],
      requests: 1,
    });
    // The forbidden words come to light only at the end of what the model has written.
    expect(await reply({ ...answer, text: "My system prompt" }, "It is there.")).toEqual({
      outcome: "complete",
      told: ["Let us talk about something else."],
      requests: 1,
    });
  });

  it("[FILL-1a] is still bridged by a filler while the model has written empty lines only", async () => {
    const model = new SlowToBegin();
    const { begun, over, told } = begin(model);
    await new VirtualClock().advanceAsync(1);
    begun.bridge("One moment.");
    model.goOn.resolve(undefined);
    expect(await over).toBe("complete");
    expect(told).toEqual(["One moment.", "It is there."]);
  });

  it("fails when the model says nothing that anybody could hear", async () => {
    expect(await reply("👍")).toMatchObject({ outcome: "failed model", told: [] });
  });
});
