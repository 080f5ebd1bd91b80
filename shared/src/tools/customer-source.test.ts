import { silentLogger } from "../platform/logger.ts";
import { defineCustomers, type CustomerDocument, type CustomerQuery } from "@voice/tool-kit";
import { describe, expect, it } from "vitest";
import { loadSettings } from "../config/load.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { hasDemoCustomers } from "../demo/demo.ts";
import { createStoredCustomers } from "../profiles/stored-customers.ts";
import { defaultProfile } from "@voice/demo/profiles/default-profile";
import { createMemoryState } from "../state/memory/create-memory-state.ts";
import { createCodeCustomers } from "./code/code-customers.ts";
import { customerSourceContract } from "./customer-source.contract.ts";
import { noCustomers } from "./customer.ts";

const ada = { full_name: "Ada Lovelace", phone: "+12065550142" };

customerSourceContract("the demonstration", async () => {
  const { profiles } = createMemoryState({ clock: new VirtualClock() });
  await profiles.create({ profileId: "ada", document: ada });
  return { source: createStoredCustomers(profiles, defaultProfile), known: { id: "ada", document: ada } };
});

customerSourceContract("TOOLS_DIR", async () => {
  const source = createCodeCustomers(ownCustomers(), { clock: new VirtualClock(), logger: silentLogger });
  return await Promise.resolve({ source, known: { id: "ada", document: ada } });
});

function ownCustomers(asked: CustomerQuery[] = []) {
  const documents = new Map<string, CustomerDocument>([["ada", ada]]);
  return defineCustomers({
    find(query) {
      asked.push(query);
      const { customerId, phoneNumber } = query;
      const entry = [...documents].find(([id, { phone }]) => id === customerId || phone === phoneNumber);
      return entry && { id: entry[0], document: entry[1] };
    },
    update(id, change) {
      const changed = change(documents.get(id) ?? {});
      documents.set(id, changed);
      return changed;
    },
  });
}

describe("[CUSTOMER-2] a session that names no customer", () => {
  it("is asked for by what is known of them", async () => {
    const asked: CustomerQuery[] = [];
    const source = createCodeCustomers(ownCustomers(asked), { clock: new VirtualClock(), logger: silentLogger });
    const query = { sessionId: "s-1", customerId: undefined, phoneNumber: ada.phone, subject: "token-subject" };
    expect(await source.find(query)).toEqual({ id: "ada", document: ada });
    expect(asked).toMatchObject([query]);
    expect(await source.find({ ...query, phoneNumber: "+12065550199" })).toBeUndefined();
  });

  it("has its own copy of the demonstration's default customer", async () => {
    const { profiles } = createMemoryState({ clock: new VirtualClock() });
    const source = createStoredCustomers(profiles, defaultProfile);
    const found = await source.find({ sessionId: "s-1", customerId: undefined });
    expect(found?.document).toEqual(defaultProfile);
    await source.update({ id: found?.id ?? "", sessionId: "s-1" }, (document) => ({ ...document, cards: [] }));
    expect((await source.find({ sessionId: "s-1", customerId: undefined }))?.document["cards"]).toEqual([]);
    expect((await source.find({ sessionId: "s-2", customerId: undefined }))?.document["cards"]).not.toEqual([]);
  });
});

describe("customers of TOOLS_DIR", () => {
  const query = { sessionId: "s-1", customerId: "ada" };

  it("[CUSTOMER-4] are waited for no longer than a caller would", async () => {
    const clock = new VirtualClock();
    let given: AbortSignal | undefined;
    const find = ({ signal }: CustomerQuery): Promise<never> => {
      given = signal;
      return new Promise<never>(() => undefined);
    };
    const asking = createCodeCustomers(defineCustomers({ find }), { clock, logger: silentLogger }).find(query);
    const outcome = asking.catch((error: unknown) => error);
    await clock.advanceAsync(5000, 100);
    expect(await outcome).toMatchObject({ code: "upstream_timeout", retryable: true });
    expect(given?.aborted).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it("[CUSTOMER-4] are as good as away when their module throws or gives something else", async () => {
    const throwing = defineCustomers({ find: () => Promise.reject(new Error("no connection")) });
    const wrong = defineCustomers({ find: () => JSON.parse('{ "id": "", "document": [] }') });
    for (const defined of [throwing, wrong])
      await expect(
        createCodeCustomers(defined, { clock: new VirtualClock(), logger: silentLogger }).find(query),
      ).rejects.toMatchObject({
        code: "upstream_unavailable",
        retryable: true,
      });
  });

  it("[CUSTOMER-3] cannot be changed where the module does not say how", async () => {
    const source = createCodeCustomers(defineCustomers({ find: () => undefined }), {
      clock: new VirtualClock(),
      logger: silentLogger,
    });
    await expect(source.update({ id: "ada", sessionId: "s-1" }, (document) => document)).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});

describe("[CUSTOMER-5] the demonstration's customers", () => {
  it("are there in development, and in production where somebody wants them", () => {
    const development = loadSettings({});
    const production = { ...development, environment: "production" as const };
    expect(hasDemoCustomers(development)).toBe(true);
    expect(hasDemoCustomers({ ...development, demoCustomers: false })).toBe(false);
    expect(hasDemoCustomers(production)).toBe(false);
    expect(hasDemoCustomers({ ...production, demoCustomers: true })).toBe(true);
  });

  it("leave nobody behind where they are off", async () => {
    expect(await noCustomers.find({ sessionId: "s-1", customerId: "ada" })).toBeUndefined();
    await expect(noCustomers.update({ id: "ada", sessionId: "s-1" }, (document) => document)).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
