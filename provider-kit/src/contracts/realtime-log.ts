/** Records what a realtime session reports to its listener, and simulates a caller who speaks into it. */
import type { RealtimeEvent, RealtimeListener, RealtimeSession } from "../ports/realtime-model.ts";
import type { VoiceError } from "@voice/shared/platform/errors";

export class RealtimeLog implements RealtimeListener {
  readonly events: RealtimeEvent[] = [];
  readonly ended: VoiceError[] = [];

  onEvent(event: RealtimeEvent): void {
    this.events.push(event);
  }

  onEnded(error: VoiceError): void {
    this.ended.push(error);
  }

  of<Type extends RealtimeEvent["type"]>(type: Type): Extract<RealtimeEvent, { type: Type }>[] {
    return this.events.filter((event): event is Extract<RealtimeEvent, { type: Type }> => event.type === type);
  }

  text(): string {
    return this.of("agent-text-finished")
      .map(({ text }) => text)
      .join(" ");
  }

  audioMs(sampleRateHz: number): number {
    return this.of("audio").reduce((sum, { samples }) => sum + (samples.length * 1000) / sampleRateHz, 0);
  }

  samples(): number {
    return this.of("audio").reduce((sum, { samples }) => sum + samples.length, 0);
  }
}

const toneHz = 220;
const amplitude = 8000;

/** Sends a tone of this length, followed by silence, in frames of 20 ms. */
export function say(session: RealtimeSession, speechMs: number, silenceMs = 500, sampleRateHz = 24_000): void {
  const samples = new Int16Array((sampleRateHz * (speechMs + silenceMs)) / 1000);
  const voiced = (sampleRateHz * speechMs) / 1000;
  for (let index = 0; index < voiced; index++)
    samples[index] = Math.round(amplitude * Math.sin((2 * Math.PI * toneHz * index) / sampleRateHz));
  const frame = sampleRateHz / 50;
  for (let start = 0; start < samples.length; start += frame)
    session.appendAudio(samples.subarray(start, start + frame));
}
