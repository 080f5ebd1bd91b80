import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { BegunCalls } from "@voice/shared/state/ports/session-store";
import { demoTools } from "@voice/shared/demo/demo-parts";
import { defineTool } from "@voice/shared/tools/define-tool";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";
import { createToolRunner } from "./tool-runner.ts";
import type { ToolRunnerOptions } from "./tool-runner.ts";
import type { StorageOutcome } from "./until-stored.ts";

const nothing = z.object({});
const books = defineTool({
  name: "books",
  description: "",
  parameters: nothing,
  onInterruption: "finish",
  run: () => ({ result: { success: true } }),
});
const asks = defineTool({ ...books, name: "asks", parameters: nothing, onInterruption: "cancel" });
const known = new Map([...demoTools.values(), books, asks].map((tool) => [tool.name, tool]));
const checks = { showsCodes: false, countTry: () => Promise.resolve(1), clearTries: () => Promise.resolve() };

it("[TAKE-4a] [TAKE-5] writes down what a host that takes over may not do again, and nothing else", async () => {
  const writtenDown: BegunCalls[] = [];
  const names = ["books", "asks", "end_call", "transfer_call", "escalate_human", "hold_call", "press_keys"];
  const agent = fakeAgent("desk", { tools: names });
  const catalog = fakeCatalog({ agents: [agent] });
  const runner = createToolRunner({
    registry: known,
    catalog: () => catalog,
    sessionId: "session-1",
    clock: new VirtualClock(),
    checks,
    async writeDown(begun) {
      writtenDown.push(begun);
      return "stored";
    },
  });
  const calls = names.map((name) => ({ id: `call-${name}`, name, argumentsJson: "{}" }));
  const context = { turnId: "turn-1", agent, memory: {} };
  await runner.run(calls, context, () => undefined, new AbortController().signal);
  expect(writtenDown).toMatchObject([{ turnId: "turn-1", calls: [{ name: "books" }, { name: "press_keys" }] }]);
});

/** An agent whose one tool pays, asked for it once. */
function payingDesk() {
  const run = vi.fn<() => { result: { success: true } }>(() => ({ result: { success: true } }));
  const pays = defineTool({ ...books, name: "pays", parameters: nothing, run });
  const agent = fakeAgent("desk", { tools: ["pays"] });
  const catalog = fakeCatalog({ agents: [agent] });
  const clock = new VirtualClock();
  const parts = { registry: new Map([["pays", pays]]), catalog: () => catalog, sessionId: "session-1", clock, checks };
  const calls = [{ id: "call-1", name: "pays", argumentsJson: "{}" }];
  const context = { turnId: "turn-1", agent, memory: {} };
  return {
    clock,
    run,
    answers: (own: Pick<ToolRunnerOptions, "writeDown" | "customer">, signal = new AbortController().signal) =>
      createToolRunner({ ...parts, ...own }).run(calls, context, () => undefined, signal),
  };
}

const cancelled = [{ status: "error", result: { error: "cancelled" } }];

it("[TAKE-4b] runs nothing with a lasting effect once another host has taken over, because that one asks for the words again", async () => {
  const { run, answers } = payingDesk();
  const ranWhere = (written: StorageOutcome) => answers({ writeDown: async () => written });
  expect(await ranWhere("taken over")).toEqual([]);
  expect(run).not.toHaveBeenCalled();
  expect(await ranWhere("stored")).toMatchObject([{ status: "success" }]);
});

it("[TAKE-4b] begins nothing with a lasting effect that was called off while it was written down", async () => {
  const { run, answers } = payingDesk();
  const leaving = new AbortController();
  const writeDown = async (): Promise<StorageOutcome> => {
    leaving.abort();
    return "stored";
  };
  expect(await answers({ writeDown }, leaving.signal)).toMatchObject(cancelled);
  expect(run).not.toHaveBeenCalled();
});

it("[TAKE-4b] begins nothing with a lasting effect whose stream ends while the store is away, or while the customer is looked up", async () => {
  const { clock, run, answers } = payingDesk();
  const leaving = new AbortController();
  const left = answers({ writeDown: async () => "waits" }, leaving.signal);
  await clock.advanceAsync(400, 100);
  leaving.abort();
  await clock.advanceAsync(100, 100);
  expect(await left).toMatchObject(cancelled);

  const leavingLater = new AbortController();
  const customer = async (): Promise<undefined> => {
    leavingLater.abort();
    return undefined;
  };
  expect(await answers({ writeDown: async () => "stored", customer }, leavingLater.signal)).toMatchObject(cancelled);
  expect(run).not.toHaveBeenCalled();
});
