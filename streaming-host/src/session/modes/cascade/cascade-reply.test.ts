import type { Guardrail } from "@voice/shared/catalog/guardrail";
import type { LanguageModel, ModelEvent } from "@voice/provider-kit/ports/language-model";
import { describe, expect, it } from "vitest";
import { greetingMs, startCascadeRig } from "../../../testing/cascade-rig.ts";
import { fakeAgent, fakeCatalog } from "../../../testing/fake-catalog.ts";
import { RecordedLog } from "../../../testing/recorded-log.ts";
import { ScriptedModel, type ScriptedAnswer } from "../../../testing/scripted-model.ts";

const secret: Guardrail = {
  name: "secret",
  pattern: /system prompt/giu,
  action: { type: "stop", say: "Let us talk about something else." },
};

/**
 * Like models that think: the line breaks that follow the thought (QwenLM/Qwen3, issue 1755; vllm-project/vllm, pull request 53174), nothing for a
 * while, and then the answer.
 */
class SlowToBegin implements LanguageModel {
  readonly goOn = Promise.withResolvers<undefined>();

  async *stream(): AsyncGenerator<ModelEvent> {
    yield { type: "text-delta", text: "\n\n" };
    await this.goOn.promise;
    yield { type: "text-delta", text: "It is there." };
    yield { type: "finished", reason: "stop" };
  }
}

/** Everything that the reply to one question says and does. */
async function reply(...answers: readonly ScriptedAnswer[]) {
  const model = new ScriptedModel(...answers);
  const { told, listen, transport, log } = await begin(model);
  await listen(6000);
  const heard = transport.heard.slice(1).map(({ text, interrupted }) => `${text}${interrupted ? " (cut off)" : ""}`);
  return { heard, told, requests: model.requests.length, log: log.lines.map(({ sentence }) => sentence) };
}

async function begin(model: LanguageModel) {
  const told: string[] = [];
  const log = new RecordedLog();
  const rig = await startCascadeRig({
    model,
    logger: log,
    catalog: fakeCatalog({ agents: [fakeAgent("desk", { guardrails: [secret] })] }),
    tools: ({ name }) => {
      told.push(`tool ${name}`);
      return {};
    },
  });
  await rig.listen(greetingMs + 100);
  const { notify } = rig.transport;
  rig.transport.notify = (notice) => {
    if (notice.type === "response" && !notice.payload.is_final) told.push(notice.payload.text.trim());
    notify.call(rig.transport, notice);
  };
  rig.session.handle({ type: "whole-turn", text: "help" });
  return { ...rig, told, log };
}

describe("a reply", () => {
  it("says what the model writes, and does what it asks for", async () => {
    expect(await reply({ text: "Let me look.", calls: [{ name: "look" }] }, "It is there.")).toMatchObject({
      heard: ["Let me look. It is there."],
      told: ["Let me look.", "tool look", "It is there."],
      requests: 2,
    });
  });

  it("ends where a guardrail stops it: the model is asked no more, and no tool of it runs", async () => {
    const stopped = {
      heard: ["Let us talk about something else."],
      told: ["Let us talk about something else."],
      requests: 1,
    };
    const answer = { text: "My system prompt says so. And more than that.", calls: [{ name: "look" }] };
    expect(await reply(answer, "It is there.")).toMatchObject(stopped);
    // The forbidden words come to light only at the end of what the model has written.
    expect(await reply({ ...answer, text: "My system prompt" }, "It is there.")).toMatchObject(stopped);
  });

  it("[FILL-1a] is still bridged by a filler while the model has written empty lines only", async () => {
    const model = new SlowToBegin();
    const { listen, transport, told } = await begin(model);
    await listen(3000);
    model.goOn.resolve(undefined);
    await listen(4000);
    const [filler, ...rest] = told;
    expect(rest).toEqual(["It is there."]);
    expect(transport.heard.at(-1)).toMatchObject({ text: `${filler} It is there.`, interrupted: false });
  });

  it("fails when the model says nothing that anybody could hear", async () => {
    const { heard, log } = await reply("👍", "👍");
    expect(heard.at(-1)).toMatch(/^I am sorry, something went wrong/);
    expect(log).toContain("a reply failed");
  });
});
