import { describe, expect, it } from "vitest";
import { z } from "zod";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createMemoryState } from "../state/memory/create-memory-state.ts";
import { defineTool } from "./define-tool.ts";
import { createIdentityChecks } from "./identity/identity-checks.ts";
import { succeeded } from "./outcome.ts";
import type { ToolContext } from "./tool.ts";
import { forVerifiedCallers } from "./verified-caller.ts";

const balance = forVerifiedCallers(
  defineTool({
    name: "balance",
    description: "Tells the balance.",
    parameters: z.object({}),
    run: () => succeeded({ balance: 12 }),
  }),
);

const clock = new VirtualClock();
const { counters } = createMemoryState({ clock });

function contextWith(memory: ToolContext["memory"], customerId?: string): ToolContext {
  const { signal } = new AbortController();
  const checks = createIdentityChecks(counters, () => "ada", false);
  const customer = customerId === undefined ? undefined : { id: customerId, document: {}, update: async () => ({}) };
  return { sessionId: "s-1", turnId: "t-1", agent: "teller", memory, signal, clock, checks, customer };
}

describe("a tool for verified callers", () => {
  it("[TOOL-20] runs for the customer whose identity was verified, and says so to the model", async () => {
    const verified = { identity_verified: true, verified_customer: "ada" };
    expect((await balance.run({}, contextWith(verified, "ada"))).result).toEqual({ success: true, balance: 12 });
    expect((await balance.run({}, contextWith({ identity_verified: true }))).result).toMatchObject({ success: true });
    expect(balance.description).toBe("Tells the balance. The caller's identity must have been verified before.");
  });

  it.each([
    ["nobody was verified", {}, "ada", undefined],
    [
      "something else than true is remembered",
      { identity_verified: "true", verified_customer: "ada" },
      "ada",
      undefined,
    ],
    ["somebody else was verified", { identity_verified: true, verified_customer: "ada" }, "bob", false],
    ["the customer is not known any more", { identity_verified: true, verified_customer: "ada" }, undefined, false],
  ])("[TOOL-20] refuses while %s", async (_why, memory, customer, forgotten) => {
    const outcome = await balance.run({}, contextWith(memory, customer));
    expect(outcome.result).toMatchObject({ success: false, error: "not_verified" });
    expect(outcome.memory?.["identity_verified"]).toBe(forgotten);
  });
});
