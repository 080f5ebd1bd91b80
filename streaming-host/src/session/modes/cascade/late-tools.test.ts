/** The caller speaks while a tool runs that goes on: what they say next, and what the tool gave, are both answered, once. */
import { describe, expect, it } from "vitest";
import { greetingMs, startCascadeRig } from "../../../testing/cascade-rig.ts";
import { defineTool } from "@voice/shared/tools/define-tool";
import type { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { z } from "zod";
import { createToolRunner } from "../../../pipeline/cascade/tool-runner.ts";
import { fakeAgent, fakeCatalog } from "../../../testing/fake-catalog.ts";
import type { ScriptedAnswer } from "../../../testing/scripted-model.ts";
import type { BothModesOptions } from "../../../testing/both-modes-rig.ts";

const pays = { text: "I will pay that.", calls: [{ name: "pay" }] };

async function whilePaying(options: BothModesOptions) {
  const rig = await startCascadeRig(options);
  await rig.listen(greetingMs + 100);
  rig.session.handle({ type: "whole-turn", text: "pay the bill" });
  await rig.listen(1500);
  return rig;
}

describe("a tool that goes on when the caller speaks", () => {
  it("[TOOL-3a] [TOOL-3b] [FILL-1a] is known to the model that answers them, which is asked when the result is there", async () => {
    const { listen, recogniser, model, transport, conversation } = await whilePaying({
      answers: [pays, "It is paid, and I am here."],
      toolMs: 6000,
    });
    await listen(600, true);
    recogniser.last.final("hello are you there");
    await listen(3500);
    expect(model.requests).toHaveLength(1);
    await listen(4000);
    expect(model.requests[1]?.messages.slice(-3)).toMatchObject([
      { role: "user", content: "hello are you there" },
      { role: "assistant", toolCalls: [{ name: "pay" }] },
      { role: "tool", content: '{"success":true}' },
    ]);
    expect(transport.heard.at(-1)?.text).toBe("One moment, please. It is paid, and I am here.");
    expect(conversation.knownHistory.slice(-4).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
  });

  it("[TOOL-3a] is waited for once, however often the caller speaks meanwhile", async () => {
    const { listen, session, model, transport } = await whilePaying({ answers: [pays, "Paid."], toolMs: 5000 });
    for (const text of ["hello", "are you there"]) {
      session.handle({ type: "whole-turn", text });
      await listen(1000);
    }
    await listen(4000);
    const messages = model.requests[1]?.messages ?? [];
    expect(messages.map(({ content }) => content).slice(-4)).toEqual([
      "hello",
      "are you there",
      "",
      '{"success":true}',
    ]);
    expect(messages.filter(({ role }) => role === "tool")).toHaveLength(1);
    expect(transport.heard.at(-1)?.text).toBe("One moment, please. Paid.");
  });

  it("[TOOL-3c] [EFFECT-2c] does nothing that it asks for any more, and the model knows that, too", async () => {
    const { listen, session, model, effects } = await whilePaying({
      answers: [pays, "Shall I still connect you?"],
      tools: () => ({ effects: [{ type: "transfer", target: "person", reason: "wanted" }] }),
      toolMs: 3000,
    });
    session.handle({ type: "whole-turn", text: "what about my card" });
    await listen(6000);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain("talked_over");
    expect(effects).toEqual([]);
  });

  it("[TOOL-3b] [FAIL-1] is not waited for without end, and what it gave is known later", async () => {
    const { listen, session, model, transport } = await whilePaying({ answers: [pays, "It is paid."], toolMs: 14_000 });
    session.handle({ type: "whole-turn", text: "hello" });
    await listen(14_000);
    expect(transport.heard.at(-1)?.text).toMatch(/^I am sorry, something went wrong/);
    const { payload } = transport.notices.find(({ type }) => type === "error") ?? {};
    expect(payload).toMatchObject({ message: expect.stringContaining("nothing came from the tool pay in time") });
    session.handle({ type: "whole-turn", text: "have you paid" });
    await listen(2000);
    expect(model.requests[1]?.messages.filter(({ role }) => role === "tool")).toHaveLength(1);
    expect(transport.heard.at(-1)?.text).toBe("It is paid.");
  });
});

describe("a look-up that the caller speaks over", () => {
  async function whileLookingUp(...answers: readonly ScriptedAnswer[]) {
    const ran: string[] = [];
    const agent = fakeAgent("desk", { tools: ["look_up", "hours"] });
    const catalog = fakeCatalog({ agents: [agent] });
    const createRunner = (clock: VirtualClock) => {
      const tool = (name: string, ms: number) =>
        defineTool({
          name,
          description: "Finds it.",
          parameters: z.object({ order: z.string().default("4412") }),
          run: async (_args, { signal }) => {
            ran.push(name);
            signal.addEventListener("abort", () => ran.push(`${name} is over`), { once: true });
            await new Promise<void>((resolve) => void clock.setTimer(ms, resolve));
            return { result: { success: true, found: name } };
          },
        });
      const registry = new Map([tool("look_up", 6000), tool("hours", 10)].map((one) => [one.name, one]));
      const checks = { showsCodes: false, countTry: () => Promise.resolve(1), clearTries: () => Promise.resolve() };
      return createToolRunner({ registry, catalog: () => catalog, sessionId: "s", clock, checks });
    };
    const looksUp = { text: "Let me see.", calls: [{ name: "look_up", args: { order: "4412" } }] };
    const rig = await startCascadeRig({ answers: [looksUp, ...answers], catalog, createRunner });
    await rig.listen(greetingMs + 100);
    rig.session.handle({ type: "whole-turn", text: "where is my order" });
    await rig.listen(2500);
    rig.session.handle({ type: "whole-turn", text: "hello are you there" });
    await rig.listen(2000);
    const results = (request = -1) =>
      rig.model.requests.at(request)?.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
    return { ...rig, ran, results };
  }

  it("[TOOL-10a] goes on, is shown to the model as running, and is joined by the same call", async () => {
    const again = { calls: [{ name: "look_up", args: { order: "4412" } }] };
    const { listen, ran, results, transport } = await whileLookingUp(again, "It is in the oven.");
    expect(results()).toEqual([expect.stringContaining('"status":"running"')]);
    expect(ran).toEqual(["look_up"]);
    await listen(3500);
    expect(ran).toEqual(["look_up", "look_up is over"]);
    expect(results()?.at(-1)).toBe('{"success":true,"found":"look_up"}');
    expect(transport.heard.at(-1)?.text).toContain("It is in the oven.");
  });

  it("[TOOL-10b] is joined by a call that leaves out what the tool takes for granted", async () => {
    const { listen, ran, results } = await whileLookingUp({ calls: [{ name: "look_up" }] }, "It is in the oven.");
    await listen(3500);
    expect(ran).toEqual(["look_up", "look_up is over"]);
    expect(results()?.at(-1)).toBe('{"success":true,"found":"look_up"}');
  });

  it("[TOOL-10c] is told after words of the agent that call nothing, in the same answer", async () => {
    const { listen, ran, results, transport, model } = await whileLookingUp(
      "I am still looking.",
      "It is in the oven.",
    );
    expect(ran).toEqual(["look_up"]);
    await listen(5000);
    expect(results()).toEqual(['{"success":true,"found":"look_up"}']);
    expect(model.requests.at(-1)?.messages.slice(-3)).toMatchObject([
      { role: "assistant", content: "I am still looking." },
      { role: "assistant", toolCalls: [{ name: "look_up" }] },
      { role: "tool" },
    ]);
    expect(transport.heard.at(-1)?.text).toMatch(/I am still looking\..*It is in the oven\./);
  });

  it("[TOOL-10d] is dropped when the model asks for something else", async () => {
    const { ran, listen, transport } = await whileLookingUp({ calls: [{ name: "hours" }] }, "From nine to five.");
    await listen(2000);
    expect(ran).toEqual(["look_up", "look_up is over", "hours", "hours is over"]);
    expect(transport.heard.at(-1)?.text).toContain("From nine to five.");
  });

  it("[TOOL-10d] [DRAIN-2] is dropped when the caller leaves", async () => {
    const { ran, session } = await whileLookingUp("I am still looking.");
    await session.close("finished");
    expect(ran).toEqual(["look_up", "look_up is over"]);
  });
});

describe("a tool that takes longer than a caller would accept in silence", () => {
  it("[TOOL-13] is shown as thinking, from the agent's last word before it to the first one after it", async () => {
    const { listen, session, transport } = await startCascadeRig({ answers: [pays, "It is paid."], toolMs: 3000 });
    await listen(greetingMs + 100);
    const before = transport.notices.length;
    session.handle({ type: "whole-turn", text: "pay the bill" });
    await listen(6000);
    const states = transport.notices
      .slice(before)
      .flatMap(({ type, payload }) => (type === "event" && payload.name === "state_change" ? [payload.state] : []));
    expect(states).toEqual(["thinking", "speaking", "thinking", "speaking", "listening"]);
  });

  it("[FAIL-3] [TOOL-2] is waited for with fillers after the agent's own words, so that the caller hears what it gave", async () => {
    const { listen, session, transport, model } = await startCascadeRig({
      answers: [pays, "It is paid."],
      toolMs: 14_000,
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "pay the bill" });
    await listen(17_000);
    expect(transport.notices.filter(({ type }) => type === "error")).toEqual([]);
    expect(transport.heard.at(-1)?.text).toBe(
      "I will pay that. One moment, please. I am still working on it. It is paid.",
    );
    expect(model.requests).toHaveLength(2);
  });

  it("[FAIL-3] is not bridged with the words that were said last", async () => {
    const says = { ...pays, text: "One moment, please." };
    const { listen, session, transport } = await startCascadeRig({ answers: [says, "It is paid."], toolMs: 8000 });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "pay the bill" });
    await listen(11_000);
    expect(transport.heard.at(-1)?.text).toBe("One moment, please. I am still working on it. It is paid.");
  });

  it("[FAIL-3] is not what a caller waits for once it has answered: then the model is, which is given up", async () => {
    const { listen, session, transport } = await startCascadeRig({ answers: [pays, { hangs: true }], toolMs: 1000 });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "pay the bill" });
    await listen(9000);
    const { payload } = transport.notices.find(({ type }) => type === "error") ?? {};
    expect(payload).toMatchObject({ message: expect.stringContaining("nothing came from the language model in time") });
  });
});
