import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { noTelemetry } from "@voice/shared/telemetry/telemetry";
import { expect, it } from "vitest";
import { rememberFailures } from "./recent-failures.ts";

it("remembers the newest failures of what the host depends on, and passes everything on", async () => {
  const clock = new VirtualClock();
  const counted: string[] = [];
  const telemetry = rememberFailures({ ...noTelemetry, count: (name) => void counted.push(name) }, clock);
  telemetry.count("voice.barge_ins");
  for (let index = 0; index < 12; index += 1) {
    telemetry.count("voice.upstream.errors", { part: "recogniser", code: `code-${index}` });
    await clock.advanceAsync(1000, 1000);
  }
  expect(counted).toHaveLength(13);
  expect(telemetry.recentFailures()).toHaveLength(10);
  expect(telemetry.recentFailures()[0]).toEqual({ part: "recogniser", code: "code-11", atMs: clock.wallNow() - 1000 });
});

it("remembers as well that a caller heard nothing, because what hangs reports no failure", () => {
  const clock = new VirtualClock();
  const telemetry = rememberFailures(noTelemetry, clock);
  telemetry.count("voice.dead_air", { mode: "REALTIME", channel: "phone" });
  expect(telemetry.recentFailures()).toEqual([
    { part: "model-or-voice", code: "upstream_timeout", atMs: clock.wallNow() },
  ]);
});
