/** The lines about a call on the terminal: the phone's own events and the service's transcript between them. */
import { describeAction } from "../person/describe-action.ts";
import { formatLine } from "../person/transcript.ts";
import type { PhoneCallLine } from "./phone-controls.ts";

/** Undefined for events that are not shown. */
export function describeCall(line: PhoneCallLine): string | undefined {
  switch (line.kind) {
    case "waiting":
      return waitingHint(line);
    case "ringing":
      return `ringing: ${line.from} calls ${line.to}`;
    case "picked-up":
      return `picked up after ${seconds(line.rangMs)}`;
    case "heard":
      // Not "after you stopped": a greeting follows the pick-up, and the outcome of a transfer follows nothing that was said.
      return [
        { label: "latency", text: `first audio after ${Math.round(line.answeredInMs)} ms` },
        { label: "listened", text: `${seconds(line.forMs)} of speech` },
      ]
        .map((described) => formatLine(line.atMs, described))
        .join("\n");
    case "said":
      return describeAction({ kind: "say", text: line.text }).map((said) => formatLine(line.atMs, said))[0];
    case "pressed":
      return describeAction({ kind: "press", keys: line.keys }).map((pressed) => formatLine(line.atMs, pressed))[0];
    case "beeped":
      return formatLine(line.atMs, { label: "machine", text: "beeps and records" });
    case "keys-heard":
      return formatLine(line.atMs, { label: "keys", text: `the service presses ${line.keys}` });
    case "nothing-heard":
      return formatLine(line.atMs, { label: "listened", text: "nothing was said" });
    case "transcribed":
      return formatLine(line.atMs, line);
    case "ended":
      return formatLine(line.atMs, { label: "ended", text: line.why });
    case "failed":
      return `failed: ${line.message}`;
    case "recording":
      return undefined;
  }
}

function waitingHint({ number, serviceUrl }: { number: string; serviceUrl: string }): string {
  return [
    "Waiting for a call of the service. In another terminal:",
    `  curl -X POST ${serviceUrl}/api/v1/calls/initiate -H 'content-type: application/json' -d '{"target_number":"${number}"}'`,
  ].join("\n");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
