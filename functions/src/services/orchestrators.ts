/** What conducts the conversation of a call, by the mode it is handled in. */
import type { StreamingMode } from "@voice/shared/state/ports/session-store";

export function orchestratorFor(mode: StreamingMode): string {
  return orchestrators[mode];
}

const orchestrators: Readonly<Record<StreamingMode, string>> = {
  MEDIA: "cascade",
  REALTIME: "cascade",
  TRANSCRIPTION: "transcription",
  VOICE_LIVE: "voice_live",
};
