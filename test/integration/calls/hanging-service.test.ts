/** A communication service that takes requests and does not answer: through Redis and the vendor's SDK. */
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import type { State } from "@voice/shared/state/ports/state";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { createHost } from "@voice/streaming-host/host/host";
import { startCallControl, type CallControl } from "@voice/streaming-host/calls/call-control";
import { AzureCallAutomation } from "@voice/streaming-host/providers/azure/call-automation/call-automation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRedisAvailable } from "../../support/installed-programs.ts";
import { startRedisServer, type RedisServer } from "../../support/redis-server.ts";
import { eventually } from "../../support/wait.ts";

const placing = "/calling/callConnections";
const hangingUp = "/calling/callConnections/connection-on:terminate";
const answering = "/calling/callConnections:answer";

/** One more than a host has in hand of one type of event. */
const manyCalls = 33;

describe.skipIf(!isRedisAvailable())("a communication service that does not answer when calls are placed", () => {
  let redis: RedisServer;
  let service: Server;
  let state: State;
  let control: CallControl;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    service = createServer((request, response) => {
      const path = (request.url ?? "").split("?", 1)[0] ?? "";
      asked.push(path);
      if (path !== answering && path !== hangingUp) return;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ callConnectionId: "connection-in" }));
    }).listen(0, "127.0.0.1");
    await once(service, "listening");
    const address = service.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const connectionString = `endpoint=http://127.0.0.1:${port}/;accesskey=a2V5`;
    redis = await startRedisServer();
    state = await openRedisState(redis.endpoint, { clock: systemClock, logger: silentLogger }, { closeBoundMs: 500 });
    const settings = loadSettings({
      BASE_URL: "http://127.0.0.1:9",
      COMM_CONNECTION_STRING: connectionString,
      COMM_PHONE_NUMBER: "+12025550100",
    });
    const host = createHost({ id: "host-1", settings, state, clock: systemClock, logger: silentLogger });
    const automation = new AzureCallAutomation({
      access: { connectionString },
      maxAttempts: 1,
      requestTimeoutMs: 8000,
      health: { worked: () => undefined, failed: () => undefined },
    });
    const catalog = { agents: new Map(), scenarios: new Map() };
    control = await startCallControl(host, automation, catalog, async () => new Int16Array(160));
  });

  afterEach(async () => {
    await control.close();
    await state.close();
    service.closeAllConnections();
    service.close();
    await redis.stop();
  });

  it("[SERVICE-2] keeps no caller waiting who calls meanwhile, and no call that is to end", async () => {
    for (let index = 0; index < manyCalls; index++) {
      const callId = `call-${index}`;
      await state.calls.create({ ...newCall(callId, Date.now()), status: "initiating", callConnectionId: undefined });
      await state.events.publish(eventOf(callId, "call.initiation-requested"));
    }
    await eventually(() => asked.filter((path) => path === placing).length === 32, "the host has its hands full");
    const ringing = { status: "ringing", direction: "inbound", callConnectionId: undefined } as const;
    await state.calls.create({ ...newCall("call-in", Date.now()), ...ringing });
    await state.events.publish(eventOf("call-in", "call.inbound-received"));
    await eventually(() => asked.includes(answering), "the caller is answered");
    const on = { status: "connected", direction: "inbound", callConnectionId: "connection-on" } as const;
    await state.calls.create({ ...newCall("call-on", Date.now()), ...on });
    await state.events.publish(eventOf("call-on", "call.termination-requested"));
    await eventually(() => asked.includes(hangingUp), "the call is ended");
    // None of those that hang was given up meanwhile, or the next would have been asked for.
    expect(asked.filter((path) => path === placing)).toHaveLength(32);
  });
});

function eventOf(
  callId: string,
  type: "call.initiation-requested" | "call.inbound-received" | "call.termination-requested",
): CallEvent {
  const common = { id: `${type}:${callId}`, source: "test", time: new Date().toISOString(), subject: callId };
  if (type === "call.initiation-requested") return { ...common, type, data: { call_id: callId } };
  if (type === "call.termination-requested")
    return { ...common, type, data: { call_id: callId, call_connection_id: "connection-on", reason: "asked" } };
  return { ...common, type, data: { call_id: callId, incoming_call_context: "context" } };
}
