/** Counts for operators how recordings ended, how much of them was lost, and how often their storage failed. */
import type { SessionRecording } from "@voice/shared/state/ports/session-store";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";

export interface RecordingTelemetry {
  storageFailed(): void;
  ended(recording: SessionRecording): void;
}

export function createRecordingTelemetry({ count }: Pick<Telemetry, "count">): RecordingTelemetry {
  return {
    storageFailed: () => count("voice.recording.storage_failures"),
    ended({ status, lostMs = 0 }) {
      count("voice.recording.ended", { status });
      if (lostMs > 0) count("voice.recording.lost", {}, lostMs);
    },
  };
}
