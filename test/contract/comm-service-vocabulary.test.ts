/** What the communication service's SDK knows, we know: each event and value of it is listed, with what is done with it. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { changeByCallback, failedStream, isStreamStopped, settledByCallback } from "@voice/shared/calls/apply-callback";
import { announcedStatus } from "@voice/shared/calls/call-transitions";
import { azureCallback, inboundDelivery, partyOf, toCallReport } from "@voice/shared/calls/azure/azure-event";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const uses = ["status", "participants", "stream", "operation", "logged"] as const;
const fixtures = path.join(import.meta.dirname, "../fixtures/comm-service");
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(fixtures, name), "utf8"));

const { events, enumerations } = z
  .object({ events: z.record(z.string(), z.enum(uses)), enumerations: z.record(z.string(), z.array(z.string())) })
  .parse(read("vocabulary.json"));

const host = createRequire(path.join(import.meta.dirname, "../../streaming-host/package.json"));
const sdk = path.dirname(host.resolve("@azure/communication-call-automation"));
const source = (name: string): string => readFileSync(path.join(sdk, name), "utf8");

describe("the communication service's SDK", () => {
  const parsed = [...source("callAutomationEventParser.js").matchAll(/case "Microsoft\.Communication\.(\w+)"/g)];
  // A compiler numbers the enumerations of the CommonJS build.
  const values = [...source("generated/src/models/index.js").matchAll(/(Known[A-Za-z]+)\d*\["\w+"\] = "([^"]*)"/g)];

  it("[REASON-4] parses no event that is not listed", () => {
    expect(parsed.length).toBeGreaterThan(30);
    expect(parsed.map(([, name = ""]) => name).filter((name) => events[name] === undefined)).toEqual([]);
  });

  it("[REASON-4] has no value of an enumeration that is not listed", () => {
    expect(values.length).toBeGreaterThan(80);
    const unlisted = values.filter(([, name = "", value = ""]) => enumerations[name]?.includes(value) !== true);
    expect(unlisted.map(([, name, value]) => `${name}: ${value}`)).toEqual([]);
  });
});

describe("an event of the communication service", () => {
  it.each(Object.entries(events))("does what is listed for it: %s (%s)", (name, use) => {
    const type = `Microsoft.Communication.${name}`;
    const content = { operationContext: "context" };
    const settled = settledByCallback({
      eventId: "e",
      type,
      atMs: 0,
      connectionId: "c",
      content,
    });
    expect({ name, isStatus: announcedStatus(type) !== undefined }).toEqual({ name, isStatus: use === "status" });
    expect({ name, isOperation: settled !== undefined }).toEqual({ name, isOperation: use === "operation" });
    if (failedStream(type) !== undefined || isStreamStopped(type)) expect(use).toBe("stream");
  });
});

const end = z.object({ number: z.string().nullable(), raw_id: z.string() });
const incoming = z
  .array(z.object({ about: z.string(), data: z.unknown(), caller: end, called: end }))
  .parse(read("incoming-calls.json"));

describe("[NUM-2] an incoming call", () => {
  it.each(incoming)("says who calls and who is called: $about", ({ data, caller, called }) => {
    const { from, to } = inboundDelivery.parse(data);
    expect(partyOf(from)).toEqual({ number: caller.number ?? undefined, rawId: caller.raw_id });
    expect(partyOf(to)).toEqual({ number: called.number ?? undefined, rawId: called.raw_id });
  });
});

const failedCalls = z
  .array(
    z.object({
      about: z.string(),
      direction: z.enum(["inbound", "outbound"]),
      events: z.array(z.object({ type: z.string(), data: azureCallback.transform(toCallReport) })),
      failure: z.string(),
    }),
  )
  .parse(read("failed-calls.json"));

describe("[CB-7b] a call that did not come about", () => {
  it.each(failedCalls)("failed for the reason that the service gives: $about", ({ direction, events, failure }) => {
    const record: CallRecord = {
      callId: "call-1",
      version: 1,
      status: "ringing",
      direction,
      context: {},
      streamingMode: "MEDIA",
      recording: false,
      participants: [],
      sessionId: "session-1",
      createdAtMs: 0,
    };
    for (const [index, { type, data: content }] of events.entries()) {
      const callback = { eventId: `${index}`, type, atMs: index, connectionId: "c-1", content };
      Object.assign(record, changeByCallback(record, callback));
    }
    expect(record).toMatchObject({ status: "failed", failureCode: failure });
  });
});
