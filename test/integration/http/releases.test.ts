import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routeTable } from "@voice/shared/contracts/http/releases";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import { z } from "zod";
import { startApi, type Api } from "./api-harness.ts";

const path = "/api/v1/releases";
const desk = (greeting: string) => ({ name: "front-desk", prompt: "You answer calls for Harbor Bank.", greeting });
const greetingOf = z.object({ greeting: z.string().nullable() });

describe("publishing", () => {
  let api: Api;
  let ofFiles: string | null;

  const greeting = async (): Promise<string | null> =>
    greetingOf.parse((await api.call("GET", "/api/v1/agents/front-desk")).body).greeting;

  const table = async () => routeTable.parse((await api.call("GET", "/api/v1/routes")).body);
  const publishTable = async (routes: readonly unknown[]) =>
    api.call("POST", path, { note: "Routes", route_table: { version: (await table()).version, routes } });
  const callTo = async (number: string): Promise<CallRecord | undefined> => {
    const phone = (value: string) => ({ kind: "phoneNumber", rawId: `4:${value}`, phoneNumber: { value } });
    const data = { to: phone(number), from: phone("+14255550100"), incomingCallContext: number, correlationId: number };
    const event = { id: number, eventType: "Microsoft.Communication.IncomingCall", data };
    expect((await api.call("POST", "/api/v1/calls/answer", [event])).status).toBe(200);
    const { calls } = await api.state.calls.list({ offset: 0, limit: 10 });
    return calls.find(({ call }) => call.targetNumber === number)?.call;
  };

  beforeAll(async () => {
    api = await startApi();
    ofFiles = await greeting();
  });

  afterAll(() => api.close());

  it("[PUBLISH-4] puts agents over the files, and over what was published before", async () => {
    expect(await api.call("GET", path)).toMatchObject({
      status: 200,
      body: { releases: [], live: [{ version: 0, share: 100 }] },
    });
    const first = await api.call("POST", path, { note: "Greets", agents: [desk("Good morning.")] });
    expect(first).toMatchObject({ status: 200, body: { version: 1, author: "anonymous", agents: ["front-desk"] } });
    expect(await greeting()).toBe("Good morning.");
    const night = { name: "night-desk", prompt: "You answer calls at night." };
    const shift = { name: "night", description: "At night.", agents: ["night-desk"], start_agent: "night-desk" };
    await api.call("POST", path, { note: "Nights", agents: [night], scenarios: [shift], share: 30 });
    expect(await api.call("GET", path)).toMatchObject({
      body: {
        releases: [
          { version: 2, note: "Nights", agents: ["front-desk", "night-desk"], scenarios: ["night"] },
          { version: 1 },
        ],
        live: [
          { version: 2, share: 30 },
          { version: 1, share: 70 },
        ],
      },
    });
    expect(await api.call("GET", `${path}/2`)).toMatchObject({
      body: { agent_documents: [desk("Good morning."), night], scenario_documents: [shift] },
    });
  });

  it("[PUBLISH-6] rolls back to a version or to the files, and shares out in whole", async () => {
    expect(await api.call("PUT", `${path}/live`, { live: [{ version: 0, share: 100 }] })).toMatchObject({
      status: 200,
    });
    expect(await greeting()).toBe(ofFiles);
    expect(await api.call("PUT", `${path}/live`, { live: [{ version: 1, share: 60 }] })).toMatchObject({
      status: 400,
      body: { errors: [{ field: "live", message: "Together they have to be 100 percent, and are 60" }] },
    });
    expect(await api.call("PUT", `${path}/live`, { live: [{ version: 9, share: 100 }] })).toMatchObject({
      status: 404,
    });
    expect(await api.call("PUT", `${path}/live`, { live: [{ version: 1, share: 100 }] })).toMatchObject({
      status: 200,
    });
    expect(await greeting()).toBe("Good morning.");
  });

  it("[PUBLISH-7] refuses what does not pass the check, and says where it is wrong", async () => {
    const wrong = { ...desk("Hi."), tools: ["fly"] };
    expect(await api.call("POST", path, { note: "Flies", agents: [wrong] })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "agents", 0, "tools", 0] }] },
    });
    expect(await api.call("POST", path, { note: "", agents: [] })).toMatchObject({ status: 422 });
    const shift = { name: "day", agents: ["nobody"], start_agent: "nobody" };
    expect(await api.call("POST", path, { note: "Days", scenarios: [shift] })).toMatchObject({ status: 422 });
    expect(await greeting()).toBe("Good morning.");
  });

  it("[ROUTE-7] puts the table of routes over that of the files, with the version that a call keeps with which it rang", async () => {
    expect(await table()).toEqual({ version: 1, routes: [] });
    const rows = [
      { number: ["+14255550111"], scenario: "insurance", language: "de-DE", closed_on: [] },
      { channel: "phone", scenario: "banking" },
    ];
    const published = await publishTable(rows);
    expect(published).toMatchObject({ status: 200, body: { version: 3, routes: 2, agents: ["front-desk"] } });
    expect(await api.call("GET", `${path}/3`)).toMatchObject({ body: { route_documents: rows } });
    expect(await table()).toMatchObject({ version: 3, routes: [{ number: ["+14255550111"] }, { channel: "phone" }] });
    expect(await callTo("+14255550111")).toMatchObject({ scenario: "insurance", language: "de-DE", release: 3 });
    expect(await callTo("+14255550112")).toMatchObject({ scenario: "banking", release: 3 });
    expect((await api.call("GET", "/api/v1/system")).body).toMatchObject({ routes: [{ language: "de-DE" }, {}] });
    // What is published after it keeps the table, and rolling back takes it away.
    await api.call("POST", path, { note: "Greets again", agents: [desk("Good day.")] });
    expect(await callTo("+14255550113")).toMatchObject({ scenario: "banking", release: 4 });
    await api.call("PUT", `${path}/live`, { live: [{ version: 0, share: 100 }] });
    const unrouted = await callTo("+14255550114");
    expect([unrouted?.scenario, unrouted?.release]).toEqual([undefined, 0]);
    await api.call("PUT", `${path}/live`, { live: [{ version: 4, share: 100 }] });
  });

  it("[ROUTE-8] refuses a table that does not hold with its version's scenarios, and scenarios that the table does not hold with", async () => {
    const wrong = [
      [{ channel: "phone", scenario: "nowhere" }, ["scenario"]],
      [{ channel: "phone", scenario: "banking", agent: "claims-intake" }, ["agent"]],
      [{ channel: "phone", scenario: "banking", language: "xx-YY" }, ["language"]],
      [{ channel: "phone", scenario: "banking", hours: { mon: "25:00" }, closed: { say: "No." } }, ["hours", "mon", 0]],
    ] as const;
    for (const [row, place] of wrong)
      expect(await publishTable([row])).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ["body", "route_table", "routes", 0, ...place] }] },
      });
    const night = { name: "night-desk", prompt: "You answer calls at night." };
    const shift = { name: "night", description: "At night.", agents: ["night-desk"], start_agent: "night-desk" };
    const { version } = await table();
    const together = {
      note: "A scenario with its number",
      agents: [night],
      scenarios: [shift],
      route_table: { version, routes: [{ channel: "phone", scenario: "night", agent: "night-desk" }] },
    };
    expect((await api.call("POST", path, together)).status).toBe(200);
    const others = { ...shift, agents: ["front-desk"], start_agent: "front-desk" };
    expect(await api.call("POST", path, { note: "Other agents", scenarios: [others] })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "routes", 0, "agent"] }] },
    });
  });

  it("[ROUTE-9] refuses a table that was read before another version was deployed", async () => {
    const before = await table();
    expect((await publishTable([])).status).toBe(200);
    const late = { note: "Late", route_table: { ...before, routes: [{ channel: "phone", scenario: "banking" }] } };
    expect(await api.call("POST", path, late)).toMatchObject({ status: 409 });
    expect((await table()).routes).toEqual([]);
  });
});
