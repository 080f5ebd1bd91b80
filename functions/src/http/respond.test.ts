import azureFunctions from "@azure/functions";
import { createEnvironmentConfiguration } from "@voice/shared/config/configuration-provider";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger, type Logger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { describe, expect, it } from "vitest";
import type { Dependencies } from "../dependencies.ts";
import { createEventCallAutomation } from "../services/call-automation.ts";
import { createHandler, type Answer } from "./respond.ts";

function dependenciesWith(clock: VirtualClock, logger: Logger = silentLogger): Dependencies {
  const settings = loadSettings({});
  const state = createMemoryState({ clock });
  return {
    clock,
    logger,
    settings,
    configuration: createEnvironmentConfiguration(settings),
    state,
    catalog: { agents: new Map(), scenarios: new Map(), defaults: { agent: {}, rules: {} } },
    knownTools: { tools: new Map(), mcpServers: [] },
    callAutomation: createEventCallAutomation(state.events, clock),
    recordings: () => Promise.resolve(undefined),
    archive: () => Promise.resolve(undefined),
    authorise: () => Promise.resolve({ subject: "anonymous" }),
  };
}

async function respond(answer: Answer, provide: () => Promise<Dependencies>) {
  const request = new azureFunctions.HttpRequest({
    method: "GET",
    url: "http://localhost/api/v1/thing?x=1",
    headers: { "x-request-id": "id-1" },
  });
  const { status, headers, body } = await createHandler(answer, provide)(
    request,
    new azureFunctions.InvocationContext(),
  );
  return { status, headers, text: typeof body === "string" ? body : "" };
}

function bodyOf({ text }: { readonly text: string }): unknown {
  return JSON.parse(text);
}

describe("the frame round a handler", () => {
  it("sends what the handler answers, as JSON that nobody stores", async () => {
    const reply = await respond(
      () => Promise.resolve({ status: 200, body: { a: 1 } }),
      () => Promise.resolve(dependenciesWith(new VirtualClock())),
    );
    expect(reply.status).toBe(200);
    expect(bodyOf(reply)).toEqual({ a: 1 });
    expect(reply.headers).toEqual({
      "cache-control": "no-store",
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
      "x-request-id": "id-1",
    });
  });

  it("turns a crash into a 500 and keeps the exception for the log", async () => {
    const logged: unknown[] = [];
    const logger: Logger = { ...silentLogger, error: (fields) => void logged.push(fields) };
    const crash = new Error("hunter2");
    const reply = await respond(
      () => Promise.reject(crash),
      () => Promise.resolve(dependenciesWith(new VirtualClock(), logger)),
    );
    expect(bodyOf(reply)).toMatchObject({ status_code: 500, type: "internal_error", instance: "/api/v1/thing" });
    expect(reply.text).not.toContain("hunter2");
    expect(logged).toEqual([{ requestId: "id-1", status: 500, error: crash }]);
  });

  it("answers 504 for a handler that never does", async () => {
    const clock = new VirtualClock();
    const waiting = respond(
      () => new Promise(() => undefined),
      () => Promise.resolve(dependenciesWith(clock)),
    );
    await clock.advanceAsync(50_000, 10_000);
    expect(bodyOf(await waiting)).toMatchObject({ status_code: 504, type: "upstream_timeout" });
    expect(clock.pendingTimers).toBe(0);
  });

  it("answers 503 while what it works with cannot be had", async () => {
    const reply = await respond(
      () => Promise.resolve({ status: 200 }),
      () => Promise.reject(new Error("BASE_URL is missing")),
    );
    expect(reply.status).toBe(503);
    expect(bodyOf(reply)).toMatchObject({ type: "dependency_not_ready", status_code: 503 });
    expect(reply.text).not.toContain("BASE_URL");
  });
});
