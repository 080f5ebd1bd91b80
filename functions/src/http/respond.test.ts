import azureFunctions from "@azure/functions";
import { noAuditTrail } from "@voice/shared/audit/audit-trail";
import { anonymous } from "@voice/shared/auth/caller";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { createEnvironmentConfiguration } from "@voice/shared/config/configuration-provider";
import { loadSettings } from "@voice/shared/config/load";
import { noTelemetry } from "@voice/shared/telemetry/telemetry";
import { VoiceError } from "@voice/shared/platform/errors";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import { silentLogger, type Logger } from "@voice/shared/platform/logger";
import { ReleasedCatalogs } from "@voice/shared/catalog/released-catalogs";
import { parseCatalog } from "@voice/shared/catalog/parse-catalog";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { createSessionQuota, createStorageQuota } from "@voice/shared/state/shared-quota";
import { describe, expect, it } from "vitest";
import type { Dependencies } from "../dependencies.ts";
import { createCallRequests } from "../services/call-requests.ts";
import { createHandler, type Answer } from "./respond.ts";

function dependenciesWith(clock: VirtualClock, logger: Logger = silentLogger): Dependencies {
  const settings = loadSettings({});
  const state = createMemoryState({ clock });
  const knownTools = { tools: new Map(), mcpServers: [] };
  const catalog = parseCatalog([], knownTools);
  return {
    clock,
    logger,
    settings,
    configuration: createEnvironmentConfiguration(settings),
    state,
    catalog,
    releases: new ReleasedCatalogs(catalog, knownTools, { store: state.releases, logger }),
    knownTools,
    callRequests: createCallRequests(state.events, clock),
    heartbeatReading: createOutageLog(logger, { failing: "not read", over: "read again" }),
    recordings: () => Promise.resolve(undefined),
    archive: () => Promise.resolve(undefined),
    watchAccess: () => Promise.resolve(undefined),
    telemetry: noTelemetry,
    authorise: () => Promise.resolve(anonymous),
    keysProblem: () => undefined,
    auditTrail: noAuditTrail,
    hasBrowserPhones: false,
    storageQuota: createStorageQuota(() => ({ maxStoredBytesPerHour: 1 }), {
      counters: state.counters,
      clock,
      logger: silentLogger,
    }),
    sessionQuota: createSessionQuota(() => ({ maxSessionsPerHour: 1 }), {
      counters: state.counters,
      clock,
      logger: silentLogger,
    }),
  };
}

async function respond(answer: Answer, provide: () => Promise<Dependencies>) {
  const request = new azureFunctions.HttpRequest({
    method: "GET",
    url: "http://localhost/api/v1/thing?x=1",
    headers: { "x-request-id": "id-1" },
  });
  const { status, headers, body } = await createHandler(
    answer,
    provide,
    "/api/v1/thing",
  )(request, new azureFunctions.InvocationContext({ invocationId: "invocation-1" }));
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
      "strict-transport-security": "max-age=31536000",
      "x-content-type-options": "nosniff",
      "x-request-id": "id-1",
    });
  });

  it("turns a crash into a 500 and keeps the exception for the log, under the invocation's id", async () => {
    const logged: unknown[] = [];
    const logger: Logger = {
      ...silentLogger,
      child: (bound) => ({ ...silentLogger, error: (fields) => void logged.push({ ...bound, ...fields }) }),
    };
    const crash = new Error("hunter2");
    const reply = await respond(
      () => Promise.reject(crash),
      () => Promise.resolve(dependenciesWith(new VirtualClock(), logger)),
    );
    expect(bodyOf(reply)).toMatchObject({ status_code: 500, type: "internal_error", instance: "/api/v1/thing" });
    expect(reply.text).not.toContain("hunter2");
    expect(logged).toEqual([{ invocationId: "invocation-1", requestId: "id-1", status: 500, error: crash }]);
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

  it("answers 503 while its dependencies cannot be composed", async () => {
    const reply = await respond(
      () => Promise.resolve({ status: 200 }),
      () => Promise.reject(new Error("BASE_URL is missing")),
    );
    expect(reply.status).toBe(503);
    expect(bodyOf(reply)).toMatchObject({ type: "dependency_not_ready", status_code: 503 });
    expect(reply.text).not.toContain("BASE_URL");
  });

  it("says that the configuration is invalid, and leaves the settings' names to the log", async () => {
    const reply = await respond(
      () => Promise.resolve({ status: 200 }),
      () => Promise.reject(new ConfigurationError(["BASE_URL is missing"])),
    );
    expect(bodyOf(reply)).toMatchObject({
      type: "dependency_not_ready",
      detail: "The service's configuration is not valid. Its log says what is wrong.",
    });
  });

  it("answers 503 with the type of the dependency that could not be composed", async () => {
    const reply = await respond(
      () => Promise.resolve({ status: 200 }),
      () => Promise.reject(new VoiceError("cache_connection_failed", "no connection")),
    );
    expect(bodyOf(reply)).toMatchObject({ type: "cache_connection_failed", status_code: 503 });
  });
});
