import type { SessionRecording } from "@voice/shared/state/ports/session-store";

/** A recording still marked as running was left behind by a host that died. */
export function interruptRecordings(recordings: readonly SessionRecording[]): readonly SessionRecording[] {
  return recordings.map((recording) =>
    recording.status === "recording" ? { ...recording, status: "interrupted" } : recording,
  );
}
