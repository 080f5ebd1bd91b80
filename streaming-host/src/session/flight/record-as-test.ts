/** The text of a flight record that is stored as a test, with the decisions of today's machine. */
import type { FlightRecord } from "./flight-segment.ts";
import { flightJson } from "./flight-values.ts";
import { replayFlight } from "./replay-flight.ts";

export function recordAsTest({ session_id, segments }: FlightRecord): string {
  const decided = segments.map((segment) => {
    const steps = replayFlight([segment]);
    return { ...segment, steps: segment.steps.map((step, index) => ({ ...step, effects: steps[index]?.today ?? [] })) };
  });
  return `${JSON.stringify(JSON.parse(flightJson({ session_id, segments: decided })), undefined, 2)}\n`;
}

/** Named after what it shows; a real session's id does not belong in a test. */
export function testFileOf(name: string, segments: FlightRecord["segments"]): { fileName: string; text: string } {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return { fileName: `${words.replaceAll(/^-|-$/g, "")}.json`, text: recordAsTest({ session_id: name, segments }) };
}
