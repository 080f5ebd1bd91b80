/** The latest failures of services that this host depends on, for operators who look for a problem's cause. */
import type { Clock } from "@voice/shared/platform/clock";
import type { UpstreamFailure } from "@voice/shared/state/ports/host-registry";
import type { Attributes, MetricName, Telemetry } from "@voice/shared/telemetry/telemetry";

/** Few, because they are sent with every heartbeat. */
const kept = 10;

export interface RememberingTelemetry extends Telemetry {
  /** The latest first. */
  recentFailures(): readonly UpstreamFailure[];
}

/** Also remembers each failure that is counted. */
export function rememberFailures(telemetry: Telemetry, clock: Clock): RememberingTelemetry {
  let failures: readonly UpstreamFailure[] = [];
  return {
    recentFailures: () => failures,
    isOn: telemetry.isOn,
    span: (start) => telemetry.span(start),
    count(name, attributes, value) {
      telemetry.count(name, attributes, value);
      const failure = failureOf(name, attributes);
      if (failure !== undefined) failures = [{ ...failure, atMs: clock.wallNow() }, ...failures].slice(0, kept);
    },
    record: (name, value, attributes) => telemetry.record(name, value, attributes),
    observe: (name, read) => telemetry.observe(name, read),
  };
}

function failureOf(name: MetricName, attributes: Attributes = {}): Omit<UpstreamFailure, "atMs"> | undefined {
  // What hangs reports no error; which part it was, only the conversation knows.
  if (name === "voice.dead_air") return { part: "model-or-voice", code: "upstream_timeout" };
  if (name !== "voice.upstream.errors") return undefined;
  const { part = "unknown", code = "unknown" } = attributes;
  return { part: String(part), code: String(code) };
}
