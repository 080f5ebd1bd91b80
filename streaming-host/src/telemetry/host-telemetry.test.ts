import { describe, expect, it } from "vitest";
import { FakeRecogniser } from "../testing/fake-recogniser.ts";
import { FakeSynthesiser } from "../testing/fake-synthesiser.ts";
import { RecordedTelemetry } from "../testing/recorded-telemetry.ts";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { observeHost } from "./host-telemetry.ts";
import type { ObservedHost } from "./host-telemetry.ts";

function observed(status: ObservedHost["status"]): RecordedTelemetry {
  const telemetry = new RecordedTelemetry();
  const counts = {
    phone: 0,
    browser: 0,
    media: 0,
    telephony: 0,
    "media-session": 0,
    dashboard: 0,
    listen: 0,
    tools: 0,
  };
  observeHost(telemetry, {
    host: { counts: () => ({ ...counts, connected: 0, disconnected: 0 }), isDraining: false },
    maxSessions: 10,
    providers: { recogniser: new FakeRecogniser(), synthesiser: new FakeSynthesiser(new VirtualClock()) },
    status,
  });
  return telemetry;
}

describe("the figures of a host", () => {
  it("say which part it cannot use, as its heartbeat does, so that an outage is noticed while nobody calls", () => {
    const telemetry = observed(() => ({
      recogniser: { name: "azure", healthy: false, error: "it cannot be used (401)" },
      synthesiser: { name: "azure", healthy: true },
      callControl: { name: "azure", healthy: true },
    }));
    expect(telemetry.gauges.get("voice.host.part_down")?.()).toEqual([
      { value: 1, attributes: { part: "recogniser" } },
      { value: 0, attributes: { part: "voice" } },
      { value: 0, attributes: { part: "calls" } },
    ]);
  });

  it("begin at zero where one is enough for an alert, because Prometheus does not see a series begin", () => {
    const { counts } = observed(() => ({}));
    expect(counts).toEqual(
      expect.arrayContaining([
        "voice.webhooks 0 call.ended late",
        "voice.webhooks 0 call.ended given_up",
        "voice.call_events.given_up 0 call.callback-received",
        "voice.recording.ended 0 incomplete",
        "voice.recording.ended 0 failed",
        "voice.after_call 0 given_up",
        "voice.archive 0 late",
        "voice.archive 0 given_up",
      ]),
    );
  });
});
