/** The sample rate of each mode, at which a channel passes audio on. */
import type { StreamingMode } from "@voice/shared/state/ports/session-store";

/** The cascade and transcription. */
const cascadeRateHz = 16_000;
/** The realtime model. */
export const realtimeRateHz = 24_000;

export function sampleRateOf(mode: StreamingMode): number {
  return mode === "VOICE_LIVE" ? realtimeRateHz : cascadeRateHz;
}
