/** A session of which nothing is recorded and nothing is reported to telemetry. */
import { noFlightRecorder } from "../session/flight/flight-recorder.ts";
import type { SessionOptions } from "../session/modes/session-options.ts";
import { noRecorder } from "../session/recording/session-recorder.ts";

export const unobserved: Pick<SessionOptions, "recorder" | "probe" | "flightRecorder"> = {
  recorder: noRecorder,
  flightRecorder: noFlightRecorder,
  probe: {
    wantsActivities: false,
    decided: () => undefined,
    replied: () => undefined,
    upstreamFailed: () => undefined,
    settingsRepaired: () => undefined,
    silent: () => undefined,
  },
};
