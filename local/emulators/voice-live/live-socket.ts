/**
 * One accepted connection to the Voice Live service, with a record of what it received. What it sends is held against
 * `@azure/ai-voicelive` 1.1.
 */
import { createProtocolId } from "../speech/framing.ts";
import type { Fault } from "../fault.ts";
import { FaultySocket } from "../faulty-socket.ts";
import type { ClientEvent } from "./client-events.ts";

/** `open`: before session.created. `session`: before session.updated. `middle`: after the first audio of a response. `end`: before response.done. */
export type LivePhase = "open" | "session" | "middle" | "end";
export type LiveFault = Fault<LivePhase>;

export class LiveSocket extends FaultySocket<LivePhase> {
  /** Audio is counted, not kept. */
  readonly received: Exclude<ClientEvent, { type: "input_audio_buffer.append" }>[] = [];
  readonly sent: string[] = [];
  audioBytes = 0;

  record(event: ClientEvent): void {
    if (event.type === "input_audio_buffer.append") this.audioBytes += Buffer.byteLength(event.audio, "base64");
    else this.received.push(event);
  }

  sendEvent(type: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.sent.push(type);
    this.send(JSON.stringify({ type, event_id: `event_${createProtocolId()}`, ...fields }));
  }
}
