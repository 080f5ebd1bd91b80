import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { expect, it } from "vitest";
import { noCustomers } from "@voice/shared/tools/customer";
import { customerIdOf, customerProblem, customerSourceOf, customersOf } from "./dialogue-customers.ts";
import type { Dialogue } from "./dialogue.ts";

const clock = new VirtualClock();
const own = { ...noCustomers, find: async () => ({ id: "ada", document: { full_name: "Ada" } }) };
const demo = {
  catalogDir: undefined,
  demoEnabled: true,
  demoCustomers: undefined,
  environment: "development",
} as const;
const dialogue: Dialogue = { file: "", name: "", scenario: "", customer: "4711", greetingHas: [], steps: [] };

it("[MAKER-3] a dialogue meets one's own customers, else the demonstration's, else nobody", async () => {
  const { profiles } = createMemoryState({ clock });
  const meets = async (...options: Parameters<typeof customersOf>) => {
    const customers = customersOf(...options);
    const customerId = await customerIdOf(dialogue, customers, profiles);
    const source = await customerSourceOf(customers, profiles);
    return (await source.find({ sessionId: "s", customerId }))?.document["full_name"];
  };
  expect(await meets(demo, own)).toBe("Ada");
  expect(await meets(demo, undefined)).toBe("Alex Morgan");
  expect(await meets({ ...demo, demoEnabled: undefined, catalogDir: "own" }, undefined)).toBeUndefined();
});

it("[MAKER-4] a dialogue names a customer of one's own, and no one else's", async () => {
  const { profiles } = createMemoryState({ clock });
  expect(await customerIdOf(dialogue, { kind: "own", source: own }, profiles)).toBe("4711");
  expect(customerProblem({ customer: "4711", hasProfile: false }, "demo")).toMatch(/^only customers of TOOLS_DIR/);
  expect(customerProblem({ customer: undefined, hasProfile: true }, "own")).toMatch(/^the demonstration's customers/);
  expect(customerProblem({ customer: "4711", hasProfile: false }, "own")).toBeUndefined();
});
