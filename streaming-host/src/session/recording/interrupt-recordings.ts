import type { SessionRecording } from "@voice/shared/state/ports/session-store";

/** A recording that is still marked as running was left by a host that went away without ending it. */
export function interruptRecordings(recordings: readonly SessionRecording[]): readonly SessionRecording[] {
  return recordings.map((recording) =>
    recording.status === "recording" ? { ...recording, status: "interrupted" } : recording,
  );
}
