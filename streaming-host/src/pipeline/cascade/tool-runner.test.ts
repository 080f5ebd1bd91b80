import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { BegunCalls } from "@voice/shared/state/ports/session-store";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { defineTool } from "@voice/shared/tools/define-tool";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";
import { createToolRunner } from "./tool-runner.ts";
import type { WrittenDown } from "./until-written-down.ts";

const nothing = z.object({});
const books = defineTool({
  name: "books",
  description: "",
  parameters: nothing,
  onInterruption: "finish",
  run: () => ({ result: { success: true } }),
});
const asks = defineTool({ ...books, name: "asks", parameters: nothing, onInterruption: "cancel" });
const known = new Map([...builtInTools.values(), books, asks].map((tool) => [tool.name, tool]));
const checks = { showsCodes: false, countTry: () => Promise.resolve(1), clearTries: () => Promise.resolve() };

it("[TAKE-4] [TAKE-5] writes down what a host that takes over may not do again, and nothing else", async () => {
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

it("[TAKE-4] runs nothing with a lasting effect once another host has taken over, because that one asks for the words again", async () => {
  const run = vi.fn<() => { result: { success: true } }>(() => ({ result: { success: true } }));
  const pays = defineTool({ ...books, name: "pays", parameters: nothing, run });
  const agent = fakeAgent("desk", { tools: ["pays"] });
  const catalog = fakeCatalog({ agents: [agent] });
  const parts = { registry: new Map([["pays", pays]]), catalog: () => catalog, sessionId: "session-1", checks };
  const calls = [{ id: "call-1", name: "pays", argumentsJson: "{}" }];
  const ranWhere = (written: WrittenDown) =>
    createToolRunner({ ...parts, clock: new VirtualClock(), writeDown: async () => written }).run(
      calls,
      { turnId: "turn-1", agent, memory: {} },
      () => undefined,
      new AbortController().signal,
    );
  expect(await ranWhere("taken over")).toEqual([]);
  expect(run).not.toHaveBeenCalled();
  expect(await ranWhere("stored")).toMatchObject([{ status: "success" }]);
});

it("[TAKE-4] begins nothing with a lasting effect that was called off while it was written down", async () => {
  const run = vi.fn<() => { result: { success: true } }>(() => ({ result: { success: true } }));
  const pays = defineTool({ ...books, name: "pays", parameters: nothing, run });
  const agent = fakeAgent("desk", { tools: ["pays"] });
  const catalog = fakeCatalog({ agents: [agent] });
  const leaving = new AbortController();
  const runner = createToolRunner({
    registry: new Map([["pays", pays]]),
    catalog: () => catalog,
    sessionId: "session-1",
    clock: new VirtualClock(),
    checks,
    writeDown: async () => {
      leaving.abort();
      return "stored";
    },
  });
  const calls = [{ id: "call-1", name: "pays", argumentsJson: "{}" }];
  const context = { turnId: "turn-1", agent, memory: {} };
  expect(await runner.run(calls, context, () => undefined, leaving.signal)).toMatchObject([
    { status: "error", result: { error: "cancelled" } },
  ]);
  expect(run).not.toHaveBeenCalled();
});

it("[TAKE-4] begins nothing with a lasting effect whose stream ends while the store is away, or while the customer is looked up", async () => {
  const run = vi.fn<() => { result: { success: true } }>(() => ({ result: { success: true } }));
  const pays = defineTool({ ...books, name: "pays", parameters: nothing, run });
  const agent = fakeAgent("desk", { tools: ["pays"] });
  const catalog = fakeCatalog({ agents: [agent] });
  const clock = new VirtualClock();
  const parts = { registry: new Map([["pays", pays]]), catalog: () => catalog, sessionId: "session-1", clock, checks };
  const calls = [{ id: "call-1", name: "pays", argumentsJson: "{}" }];
  const context = { turnId: "turn-1", agent, memory: {} };
  const cancelled = [{ status: "error", result: { error: "cancelled" } }];

  const leaving = new AbortController();
  const away = createToolRunner({ ...parts, writeDown: async () => "waits" });
  const left = away.run(calls, context, () => undefined, leaving.signal);
  await clock.advanceAsync(400, 100);
  leaving.abort();
  await clock.advanceAsync(100, 100);
  expect(await left).toMatchObject(cancelled);

  const leavingLater = new AbortController();
  const slow = createToolRunner({
    ...parts,
    writeDown: async () => "stored",
    async customer() {
      leavingLater.abort();
      return undefined;
    },
  });
  expect(await slow.run(calls, context, () => undefined, leavingLater.signal)).toMatchObject(cancelled);
  expect(run).not.toHaveBeenCalled();
});
