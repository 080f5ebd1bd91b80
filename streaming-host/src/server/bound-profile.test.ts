import { VirtualClock } from "@voice/shared/platform/virtual-clock";
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
  await Promise.all([
    one.forTools()?.updateProfile?.({ cards }),
    one.forTools()?.updateProfile?.({ transactions: [] }),
    other.forTools()?.updateProfile?.({ claims: [] }),
  ]);
  expect((await profiles.get("p-1"))?.document).toMatchObject({ cards, transactions: [], claims: [] });
  expect(one.forTools()?.profile?.cards).toEqual(cards);
});
