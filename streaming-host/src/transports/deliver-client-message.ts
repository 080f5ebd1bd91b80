/** Converts a client's parsed message into its session event; a message that cannot be understood becomes an error text. */
import type { BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import { parseClientMessage } from "./parse-client-message.ts";
import type { SessionConfig, TransportEvents } from "./transport.ts";

export interface ClientMessageTarget {
  readonly events: TransportEvents;
  /** Base64 from `audio_data`, in the format of the wire. */
  readonly onAudioData: (base64: string) => void;
  /** Called before the session receives it, for settings that concern the wire. */
  readonly onConfig: (config: SessionConfig) => void;
  /** The session is not notified. */
  readonly onPing: () => void;
  /** Informs the peer what was wrong (FR-3). */
  readonly refuse: (problem: string) => void;
}

export function deliverClientText(text: string, target: ClientMessageTarget): void {
  const parsed = parseClientMessage(text);
  if (parsed.ok) deliver(parsed.input, target);
  else target.refuse(parsed.problem);
}

function deliver(input: BrowserInput, target: ClientMessageTarget): void {
  const { events } = target;
  switch (input.type) {
    case "audio_data":
      target.onAudioData(input.data);
      return;
    case "control":
      events.onControl(input.action);
      return;
    case "config":
      target.onConfig(input);
      events.onConfig(input);
      return;
    case "text":
      events.onText(input.text);
      return;
    case "dtmf":
      events.onDigits(input.digits);
      return;
    case "stop_audio":
      events.onCallerFinished();
      return;
    case "ping":
      target.onPing();
  }
}
