import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createStoredCustomers } from "@voice/shared/profiles/stored-customers";
import { defaultProfile } from "@voice/demo/profiles/default-profile";
import { applyProfilePatch, demoProfileSchema } from "@voice/demo/tools/customers/profile";
import type { DemoProfile, ProfilePatch } from "@voice/demo/tools/customers/profile";
import type { Customer } from "@voice/shared/tools/customer";
import { generateProfile } from "@voice/demo/profiles/generate";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { ProfileStore } from "@voice/shared/state/records/profile-store";
import { expect, it } from "vitest";
import { createBoundCustomer } from "./bound-customer.ts";

interface Holder {
  readonly customer: Customer | undefined;
}

const profileOf = ({ customer }: Holder): DemoProfile => demoProfileSchema.parse(customer?.document);

async function changeProfile({ customer }: Holder, change: (profile: DemoProfile) => ProfilePatch): Promise<void> {
  await customer?.update((document) => {
    const profile = demoProfileSchema.parse(document);
    return applyProfilePatch(profile, change(profile));
  });
}

async function rig() {
  const clock = new VirtualClock();
  const { profiles } = createMemoryState({ clock });
  const document = generateProfile({ profileId: "p-1", nowMs: clock.wallNow(), seed: 1 });
  await profiles.create({ profileId: "p-1", document: { ...document } });
  return { profiles, document };
}

it("gives tools the customer that the session is bound to, and the default one before", async () => {
  const { profiles, document } = await rig();
  const bound = createBoundCustomer(createStoredCustomers(profiles, defaultProfile));
  expect((await bound.forTools("s-1"))?.document).toEqual(defaultProfile);
  expect(bound.callerName).toBeUndefined();
  await bound.bind("p-1");
  expect((await bound.forTools("s-1"))?.document).toEqual(document);
  expect(bound.callerName).toBe(document.full_name);
});

it("refuses a profile that does not exist, and keeps the one before", async () => {
  const { profiles } = await rig();
  const bound = createBoundCustomer(createStoredCustomers(profiles, defaultProfile));
  await bound.bind("p-1");
  await expect(bound.bind("p-2")).rejects.toMatchObject({ code: "not_found" });
  expect(bound.profileId).toBe("p-1");
});

it("[LIVE-3] keeps every change of tools that run side by side, and of other sessions", async () => {
  const { profiles, document } = await rig();
  const [one, other] = [
    createBoundCustomer(createStoredCustomers(profiles, defaultProfile)),
    createBoundCustomer(createStoredCustomers(profiles, defaultProfile)),
  ];
  await Promise.all([one.bind("p-1"), other.bind("p-1")]);
  const cards = document.cards.map((card) => ({ ...card, status: "blocked" as const }));
  const without = (merchant: string | undefined) => (profile: DemoProfile) => ({
    transactions: profile.transactions.filter((transaction) => transaction.merchant !== merchant),
  });
  const [first, second, third] = [...new Set(document.transactions.map(({ merchant }) => merchant))];
  const mine = { customer: await one.forTools("s-1") };
  const theirs = { customer: await other.forTools("s-2") };
  await Promise.all([
    changeProfile(mine, () => ({ cards })),
    changeProfile(mine, without(first)),
    changeProfile(mine, without(second)),
    changeProfile(theirs, without(third)),
  ]);
  const left = document.transactions.filter(({ merchant }) => ![first, second, third].includes(merchant));
  expect(left.length).toBeLessThan(document.transactions.length - 2);
  expect((await profiles.get("p-1"))?.document).toMatchObject({ cards, transactions: left });
  expect(profileOf(mine).cards).toEqual(cards);
});

const blocked = { cards: defaultProfile.cards.map((card) => ({ ...card, status: "blocked" as const })) };

it("keeps what tools change about the default customer for the session, on whichever host it goes on", async () => {
  const { profiles } = await rig();
  const here = { customer: await createBoundCustomer(createStoredCustomers(profiles, defaultProfile)).forTools("s-1") };
  await changeProfile(here, () => blocked);
  expect(profileOf(here).cards).toEqual(blocked.cards);
  const elsewhere = {
    customer: await createBoundCustomer(createStoredCustomers(profiles, defaultProfile)).forTools("s-1"),
  };
  expect(profileOf(elsewhere).cards).toEqual(blocked.cards);
  const another = {
    customer: await createBoundCustomer(createStoredCustomers(profiles, defaultProfile)).forTools("s-2"),
  };
  expect(profileOf(another).cards).toEqual(defaultProfile.cards);
});

it("[CACHE-5e] acts for nobody else while the customer that a session is bound to cannot be read", async () => {
  const { profiles, document } = await rig();
  let isAway = true;
  const flaky: ProfileStore = {
    create: (profile) => profiles.create(profile),
    update: (profileId, version, document) => profiles.update(profileId, version, document),
    delete: (profileId) => profiles.delete(profileId),
    get: (profileId) =>
      isAway ? Promise.reject(new VoiceError("cache_connection_failed", "away")) : profiles.get(profileId),
  };
  const bound = createBoundCustomer(createStoredCustomers(flaky, defaultProfile));
  await bound.follow("p-1", silentLogger);
  const customer = await bound.forTools("s-1");
  expect(() => customer?.document).toThrow("away");
  isAway = false;
  expect((await bound.forTools("s-1"))?.document).toEqual(document);
});

it("fails the tools that ask about a customer who cannot be read, and no others", async () => {
  const away = new VoiceError("cache_connection_failed", "the store is away");
  const refuse = () => Promise.reject(away);
  const bound = createBoundCustomer(
    createStoredCustomers({ get: refuse, create: refuse, update: refuse, delete: refuse }, defaultProfile),
  );
  const customer = await bound.forTools("s-1");
  expect(() => customer?.document).toThrow(away.message);
  // TOOL-4: whoever cannot even read has changed nothing.
  await expect(customer?.update((document) => document)).rejects.toMatchObject({ name: "NotDoneError", cause: away });
});
