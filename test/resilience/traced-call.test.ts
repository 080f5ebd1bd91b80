/**
 * One trace for a call, whatever works on it: a functions app, Redis and two streaming hosts as processes of their own, the
 * first of which is stopped in the middle of the call. A collector hears of them all over a real socket.
 */
import { parseTraceparent } from "@voice/shared/telemetry/traceparent";
import { expect, inject, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { startCallFleet } from "../support/call-fleet.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startOtlpReceiver } from "../support/otlp-receiver.ts";
import { eventually } from "../support/wait.ts";

it.skipIf(!isRedisAvailable())("is one trace over functions, Redis and both hosts", async () => {
  await using receiver = await startOtlpReceiver();
  const fleet = await startCallFleet({
    hosts: 2,
    packages: inject("packages"),
    environment: {
      TELEMETRY: "otlp",
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      // Milliseconds from a span's end to its export; five seconds where nobody waits for it.
      OTEL_BSP_SCHEDULE_DELAY: "200",
      // The conversation moves when five seconds of it are left.
      DRAIN_TIMEOUT: "6",
    },
  });
  let stopped: Promise<unknown> | undefined;
  const phone = fleet.network.expectCall(
    { actions: [{ kind: "say", text: "I want to check my balance" }] },
    (event) => {
      if (event.kind === "said") stopped ??= fleet.carrier().stop();
    },
  );
  const callId = await fleet.initiate({ target_number: phoneNumbers.person });
  await phone.finished;
  const call = await fleet.ended(callId);
  await stopped;
  const traceId = parseTraceparent(call.traceparent)?.traceId;
  const spans = () => receiver.spans.filter((span) => span.traceId === traceId);
  const calls = () => spans().filter((span) => span.name === "call");
  await eventually(() => calls().length === 2, "both hosts have exported what they had of the call");
  await eventually(
    () => spans().some((span) => span.attributes["voice.turn.kind"] === "answer"),
    "the answer is exported",
  );
  await fleet.close();

  expect(new Set(spans().map(({ service }) => service))).toEqual(new Set(["voice-functions", "voice-streaming-host"]));
  expect(new Set(calls().map(({ attributes }) => attributes["voice.host.id"])).size).toBe(2);
  expect(calls().map(({ attributes }) => attributes["voice.resumed"])).toEqual([false, true]);
  for (const { attributes } of calls()) expect(attributes["voice.call.id"]).toBe(callId);
  const request = spans().find(({ parentSpanId }) => parentSpanId === "");
  expect(request?.name).toMatch(/^POST .*\/calls\/initiate$/);
  const known = new Set(spans().map(({ spanId }) => spanId));
  const orphans = spans().filter(({ parentSpanId }) => parentSpanId !== "" && !known.has(parentSpanId));
  expect(orphans.map(({ name }) => name)).toEqual([]);
  expect(spans().map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "process call.initiation-requested",
      "process call.callback-received",
      "turn",
      "recognition",
      "synthesis",
    ]),
  );
});
