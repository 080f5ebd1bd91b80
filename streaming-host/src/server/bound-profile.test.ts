import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { DemoProfile } from "@voice/shared/profiles/demo-profile";
import { generateProfile } from "@voice/shared/profiles/generate";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { expect, it } from "vitest";
import { createBoundProfile } from "./bound-profile.ts";

async function rig() {
  const clock = new VirtualClock();
  const { profiles } = createMemoryState({ clock });
  const document = generateProfile({ profileId: "p-1", nowMs: clock.wallNow(), seed: 1 });
  await profiles.create({ profileId: "p-1", document: { ...document } });
  return { profiles, document };
}

it("gives tools the customer that the session is bound to, and nobody before", async () => {
  const { profiles, document } = await rig();
  const bound = createBoundProfile(profiles);
  expect(bound.forTools()).toBeUndefined();
  await bound.bind("p-1");
  expect(bound.forTools()?.profile).toEqual(document);
  expect(bound.callerName).toBe(document.full_name);
});

it("refuses a profile that does not exist, and keeps the one before", async () => {
  const { profiles } = await rig();
  const bound = createBoundProfile(profiles);
  await bound.bind("p-1");
  await expect(bound.bind("p-2")).rejects.toMatchObject({ code: "not_found" });
  expect(bound.profileId).toBe("p-1");
});

it("[LIVE-3] keeps every change of tools that run side by side, and of other sessions", async () => {
  const { profiles, document } = await rig();
  const [one, other] = [createBoundProfile(profiles), createBoundProfile(profiles)];
  await Promise.all([one.bind("p-1"), other.bind("p-1")]);
  const cards = document.cards.map((card) => ({ ...card, status: "blocked" as const }));
  const without = (merchant: string | undefined) => (profile: DemoProfile) => ({
    transactions: profile.transactions.filter((transaction) => transaction.merchant !== merchant),
  });
  const [first, second, third] = [...new Set(document.transactions.map(({ merchant }) => merchant))];
  await Promise.all([
    one.forTools()?.update(() => ({ cards })),
    one.forTools()?.update(without(first)),
    one.forTools()?.update(without(second)),
    other.forTools()?.update(without(third)),
  ]);
  const left = document.transactions.filter(({ merchant }) => ![first, second, third].includes(merchant));
  expect(left.length).toBeLessThan(document.transactions.length - 2);
  expect((await profiles.get("p-1"))?.document).toMatchObject({ cards, transactions: left });
  expect(one.forTools()?.profile.cards).toEqual(cards);
});
