/** A client's parsed message becomes the session event it stands for; what cannot be understood becomes an error text. */
import type { BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import { samplesFromBase64, samplesFromBytes } from "../audio/pcm16.ts";
import { parseClientMessage } from "./parse-client-message.ts";
import type { SessionConfig, TransportEvents } from "./transport.ts";

export interface ClientMessageTarget {
  readonly events: TransportEvents;
  /** Before the session sees it: the transport keeps what concerns its wire. */
  readonly onConfig: (config: SessionConfig) => void;
  /** Tells the peer what was wrong (FR-3). */
  readonly refuse: (problem: string) => void;
}

export function deliverClientText(text: string, target: ClientMessageTarget): void {
  const parsed = parseClientMessage(text);
  if (parsed.ok) deliver(parsed.input, target);
  else target.refuse(parsed.problem);
}

export function deliverClientAudio(bytes: Uint8Array, target: ClientMessageTarget): void {
  if (bytes.length % 2 === 0) target.events.onAudio(samplesFromBytes(bytes));
  else target.refuse("Audio must be 16-bit samples: an even number of bytes.");
}

function deliver(input: BrowserInput, target: ClientMessageTarget): void {
  const { events } = target;
  switch (input.type) {
    case "audio_data":
      if (Buffer.byteLength(input.data, "base64") % 2 === 0) events.onAudio(samplesFromBase64(input.data));
      else target.refuse("Audio must be 16-bit samples: an even number of bytes.");
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
  }
}
