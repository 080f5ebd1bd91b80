import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ToolEffect } from "@voice/shared/tools/tool";
import { describe, expect, it } from "vitest";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import type { ScriptedAnswer } from "../../testing/scripted-model.ts";
import { runAgentLoop } from "./agent-loop.ts";
import type { ToolRunner } from "../tool-round.ts";
import { longestAnswer, mostCalls } from "./ask-model.ts";
import { mayCallTools } from "../tool-round.ts";

const desk = fakeAgent("desk");

/** Tools named `to_<agent>` hand over to that agent; `slow` takes its time, and says so. */
const tools: ToolRunner = {
  definitions: () => [{ name: "anything", description: "", parameters: {} }],
  run: async (calls, _context, onSlow) =>
    calls.map((call) => {
      if (call.name === "slow") onSlow("One moment.");
      const to = /^to_(.*)$/.exec(call.name)?.[1];
      const effects: ToolEffect[] = to === undefined ? [] : [{ type: "handoff", to, reason: "asked", context: { to } }];
      return { call, args: {}, result: { success: true }, status: "success", durationMs: 1, memory: {}, effects };
    }),
};

async function run(answers: readonly ScriptedAnswer[], history: readonly HistoryItem[] = []) {
  const model = new ScriptedModel(...answers);
  const said: string[] = [];
  const handoffs: string[] = [];
  const cuts: string[] = [];
  const spent: number[] = [];
  await runAgentLoop(
    { agent: desk, userText: "help", history, memory: {}, visitedAgents: [] },
    { model, catalog: fakeCatalog(), tools, wallNow: () => 0, committed: Promise.resolve("turn-1") },
    {
      onText: (text) => said.push(text),
      onSentenceEnd: () => said.push("|"),
      onToolsStarted: () => undefined,
      onToolsFinished: () => undefined,
      onHandoff: ({ from, to }) => handoffs.push(`${from.name} → ${to.name}`),
      onEffect: () => undefined,
      onFirstToken: () => undefined,
      onAwaits: () => undefined,
      onUsage: () => undefined,
      onCut: (cut) => cuts.push(cut),
      onRoundsSpent: (rounds) => spent.push(rounds),
    },
    new AbortController().signal,
  );
  const results = model.requests
    .at(-1)
    ?.messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
  return { model, said: said.join(""), handoffs, results, cuts, spent };
}

const to = (...names: readonly string[]): ScriptedAnswer => ({ calls: names.map((name) => ({ name: `to_${name}` })) });

describe("the agent loop", () => {
  it("says that it takes a moment as a sentence of its own, and goes on", async () => {
    const { said } = await run([{ text: "Let me see", calls: [{ name: "slow" }] }, "Ten dollars."]);
    expect(said).toBe("Let me see|One moment.|Ten dollars.");
  });

  it("chains handoffs within a turn, and tells the model when there were enough", async () => {
    const { handoffs, results, model } = await run([to("cards"), to("desk"), to("cards"), to("desk"), "I stay here."]);
    expect(handoffs).toEqual(["desk → cards", "cards → desk", "desk → cards"]);
    expect(model.requests.map(({ agent }) => agent.name)).toEqual(["desk", "cards", "desk", "cards", "cards"]);
    expect(results?.map((content) => content.includes("handoff_not_possible"))).toEqual([false, false, false, true]);
  });

  it("takes one of two handoffs, and says so of the other and of one to nobody", async () => {
    const two = await run([to("desk", "cards"), "Hello."]);
    expect(two.handoffs).toEqual(["desk → cards"]);
    expect(two.results?.map((content) => content.includes("handoff_not_possible"))).toEqual([true, false]);
    const nobody = await run([to("nobody"), "I am still here."]);
    expect(nobody.handoffs).toEqual([]);
    expect(nobody.results?.[0]).toContain("I cannot connect you there right now");
  });

  it("[MODEL-1a] says so when the model reached its token limit, or was stopped by its filter", async () => {
    const long = await run([{ text: "Then you can", end: "length" }]);
    expect(long.said).toBe("Then you can|That is not all of it. Shall I go on?");
    const stopped = await run([{ text: "You should", end: "content-filter" }]);
    expect(stopped.said).toBe("You should|I am sorry, I cannot say more about that. What else can I do for you?");
    expect([...long.cuts, ...stopped.cuts]).toEqual(["length", "filtered-answer"]);
  });

  it("[MODEL-2] answers a request that the filter refused in words of its own", async () => {
    const { said, cuts } = await run([{ text: "", end: "content-filter" }]);
    expect(said).toBe("|I am sorry, I cannot talk about that. What else can I do for you?");
    expect(cuts).toEqual(["filtered-prompt"]);
  });

  it("[MODEL-3] fails when the limit was used up before the first word, or tools are called for ever", async () => {
    await expect(run([{ text: "", end: "length" }])).rejects.toMatchObject({
      reason: expect.stringContaining("token limit before the first word"),
    });
    const forEver = Array.from({ length: 26 }, () => ({ calls: [{ name: "look" }] }));
    await expect(run(forEver)).rejects.toMatchObject({
      reason: "the language model called tools in 26 requests in a row",
    });
  });

  it("[TOOL-11] lists the tools for the last request and forbids them, says why, and reports it", async () => {
    const rounds = Array.from({ length: 25 }, () => ({ calls: [{ name: "look" }] }));
    const { model, spent, said } = await run([...rounds, "Half of it is done."]);
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([...rounds.map(() => undefined), "none"]);
    expect(model.requests.at(-1)).toMatchObject({ tools: [{ name: "anything" }] });
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain("as often as you may in one turn");
    expect(spent).toEqual([25]);
    expect(said).toContain("Half of it is done.");
  });

  it("[TOOL-11] calls as many rounds of tools as the agent's setting allows", () => {
    const agent = fakeAgent("desk");
    const few = { model: { ...agent.model, maxToolRounds: 2 } };
    const workedMs = 0;
    expect([1, 2].map((rounds) => mayCallTools(few, { rounds, workedMs }))).toEqual([true, false]);
    expect([24, 25].map((rounds) => mayCallTools(agent, { rounds, workedMs }))).toEqual([true, false]);
    expect(mayCallTools(agent, { rounds: 3, workedMs: 120_000 })).toBe(false);
  });

  it.each(["", " \n", "…", "👍", "**"])("[MODEL-3] fails when nobody would hear the answer: %j", async (text) => {
    await expect(run([text, text])).rejects.toMatchObject({ reason: "the language model had nothing to say" });
  });

  it("[MODEL-14] asks once more when the answer is empty, also after a tool", async () => {
    expect((await run(["", "Ten dollars."])).said).toBe("Ten dollars.");
    const look: ScriptedAnswer = { text: "Let me see.", calls: [{ name: "look" }] };
    const { said, model } = await run([look, "👍", "Ten dollars."]);
    expect(said).toBe("Let me see.|👍Ten dollars.");
    expect(model.requests[2]).toEqual(model.requests[1]);
  });

  it("[MODEL-14] never says that something went wrong after a tool that succeeded", async () => {
    for (const preamble of ["", "Let me see."]) {
      const { said, model } = await run([{ text: preamble, calls: [{ name: "look" }] }, "", ""]);
      expect(said.endsWith("|All right. What else can I do for you?")).toBe(true);
      expect(model.requests).toHaveLength(3);
    }
  });

  it("[MODEL-14] does not ask again where a handoff's greeting has been heard", async () => {
    const { model } = await run([to("cards"), ""]);
    expect(model.requests).toHaveLength(2);
  });

  it("[MODEL-1b] cuts an answer that does not end, as if the model had reached its limit", async () => {
    const { said, cuts } = await run(["and so on ".repeat(50_000)]);
    expect(said.length).toBeLessThan(longestAnswer + 100);
    expect(cuts).toEqual(["length"]);
  });

  it("[MODEL-3] fails, and runs none of them, when one answer has senselessly many or long calls", async () => {
    const many = Array.from({ length: mostCalls + 1 }, () => ({ name: "look" }));
    await expect(run([{ calls: many }])).rejects.toThrow("more than 128 calls in one answer");
    const long = [{ name: "look", args: { what: "a".repeat(longestAnswer) } }];
    await expect(run([{ calls: long }])).rejects.toThrow("100000 characters");
  });
});
