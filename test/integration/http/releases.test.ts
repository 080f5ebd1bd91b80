import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
});
