import type { SessionRecording } from "@voice/shared/state/ports/session-store";

/** Whoever still records has gone away without an end. */
export function interruptRecordings(recordings: readonly SessionRecording[]): readonly SessionRecording[] {
  return recordings.map((recording) =>
    recording.status === "recording" ? { ...recording, status: "interrupted" } : recording,
  );
}
