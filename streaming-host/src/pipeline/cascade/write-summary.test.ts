import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { expect, it } from "vitest";
import { fakeAgent } from "../../testing/fake-catalog.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { createSummaryWriter } from "./write-summary.ts";

const item: HistoryItem = {
  role: "user",
  content: "my card is lost",
  agent: "desk",
  turnId: "turn-1",
  timestampMs: 1,
  interrupted: false,
};
const task = { agent: fakeAgent("desk"), previous: "They said hello.", items: [item] };
const never = new AbortController().signal;

it("asks the agent's own model, without tools, for what was said since the summary before", async () => {
  const model = new ScriptedModel("The caller has lost a card.");
  const written = await createSummaryWriter(model, new VirtualClock())(task, never);
  expect(written).toEqual({ text: "The caller has lost a card.", usage: { inputTokens: 10, outputTokens: 5 } });
  expect(model.requests[0]).toMatchObject({ tools: [], settings: { deploymentId: "fake", temperature: 0 } });
  expect(model.requests[0]?.messages.at(-1)?.content).toBe("Before that: They said hello.\nCaller: my card is lost");
});

it("the writing of a summary has a time limit, and is cancelled when nobody needs it", async () => {
  const clock = new VirtualClock();
  const model = new ScriptedModel({ hangs: true }, { hangs: true });
  const write = createSummaryWriter(model, clock);
  const slow = Promise.allSettled([write(task, never)]);
  await clock.advanceAsync(30_000);
  expect(await slow).toMatchObject([{ status: "rejected", reason: { code: "upstream_timeout" } }]);
  const unwanted = new AbortController();
  const cancelled = write(task, unwanted.signal);
  unwanted.abort();
  await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
  expect(model.aborts).toBe(2);
  expect(clock.pendingTimers).toBe(0);
});

it("takes silence for a failure", async () => {
  const write = createSummaryWriter(new ScriptedModel(" "), new VirtualClock());
  await expect(write(task, never)).rejects.toMatchObject({ code: "upstream_unavailable" });
});

it("stops reading a model that does not stop writing", async () => {
  const write = createSummaryWriter(new ScriptedModel("and so on ".repeat(5_000)), new VirtualClock());
  const { text } = await write(task, never);
  expect(text.length).toBeLessThan(6_010);
});
