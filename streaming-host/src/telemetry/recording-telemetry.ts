/** Counts for operators how recordings ended, how much of them was lost, and how often their storage failed. */
import type { SessionRecording } from "@voice/shared/state/ports/session-store";

/** The part of an OpenTelemetry counter that is used here. */
export interface Counter {
  add(value: number, attributes?: Readonly<Record<string, string>>): void;
}

export type CreateCounter = (name: string, options: { readonly unit: string; readonly description: string }) => Counter;

export interface RecordingTelemetry {
  storageFailed(): void;
  ended(recording: SessionRecording): void;
}

export function createRecordingTelemetry(createCounter: CreateCounter): RecordingTelemetry {
  const description = "See docs/operations.md.";
  const ended = createCounter("voice.recording.ended", { unit: "{recording}", description });
  const lost = createCounter("voice.recording.lost", { unit: "ms", description });
  const failures = createCounter("voice.recording.storage_failures", { unit: "{failure}", description });
  return {
    storageFailed: () => failures.add(1),
    ended({ status, lostMs = 0 }) {
      ended.add(1, { status });
      if (lostMs > 0) lost.add(lostMs);
    },
  };
}
