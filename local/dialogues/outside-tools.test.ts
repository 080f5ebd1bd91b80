import { setImmediate } from "node:timers/promises";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import type { Tool, ToolContext } from "@voice/shared/tools/tool";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { watchOutsideTools } from "./outside-tools.ts";

const clock = new VirtualClock();
const context: ToolContext = {
  sessionId: "s",
  turnId: "t",
  agent: "a",
  memory: {},
  signal: new AbortController().signal,
  clock,
  checks: createIdentityChecks(createMemoryState({ clock }).counters, () => "ada", true),
};
const unhandled = vi.fn<(reason: unknown) => void>();

beforeEach(() => void process.on("unhandledRejection", unhandled));
afterEach(() => void process.off("unhandledRejection", unhandled));

test("a tool that fails while nobody waits for it leaves no rejection behind, which would end the process", async () => {
  const { tools } = watchOutsideTools(new Map([["probe", failing]]));

  const running = tools.get("probe")?.run({}, context);

  await expect(running).rejects.toThrow("the back end is away");
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
});

test("nothing waits any more once the tool has failed", async () => {
  const watched = watchOutsideTools(new Map([["probe", failing]]));
  const running = watched.tools.get("probe")?.run({}, context);

  await watched.settled();

  await expect(running).rejects.toThrow("the back end is away");
});

const failing: Tool = {
  name: "probe",
  description: "Asks a back end.",
  parameters: z.object({}),
  timeoutMs: 1000,
  onInterruption: "cancel",
  run: async () => {
    await setImmediate();
    throw new Error("the back end is away");
  },
};
