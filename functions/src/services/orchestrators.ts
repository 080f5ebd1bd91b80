/** The component that runs a call's conversation, by the call's mode. */
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
