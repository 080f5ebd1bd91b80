/** What the caller said: told to the peer and to those who watch, and put beside the recording. */
import type { SessionNotice } from "../transports/transport.ts";
import type { SessionRecorder } from "./recording/session-recorder.ts";
import type { RecognisedText } from "../providers/ports/recogniser.ts";

export interface CallerWords {
  partial(text: string, more?: { readonly start_ms: number; readonly language: string }): void;
  /** `endedMs` is on the session's clock. Nothing recognised is nothing said. */
  final(final: RecognisedText, endedMs: number): void;
  /** Words that were not spoken, or whose place in the audio is told as times of the session's clock. */
  whole(text: string, startedAtMs: number, endedAtMs: number): void;
}

export function createCallerWords(options: {
  readonly notify: (notice: SessionNotice) => void;
  readonly recorder: SessionRecorder;
  /** Of the turn that these words will begin. */
  readonly turnId: () => string;
}): CallerWords {
  const { notify, recorder, turnId } = options;

  function tell(text: string, isFinal: boolean, more: { start_ms?: number; end_ms?: number; language?: string }): void {
    notify({
      type: "transcript",
      payload: { text, is_final: isFinal, speaker: "user", turn_id: turnId(), ...more },
    });
  }

  return {
    partial: (text, more) => tell(text, false, more ?? {}),
    final({ text, startMs, endMs, language }, endedMs) {
      if (text === "") return;
      tell(text, true, { start_ms: startMs, end_ms: endMs, language });
      recorder.callerSaid({ text, turnId: turnId(), startedAtMs: endedMs - (endMs - startMs), endedAtMs: endedMs });
    },
    whole(text, startedAtMs, endedAtMs) {
      tell(text, true, {});
      recorder.callerSaid({ text, turnId: turnId(), startedAtMs, endedAtMs });
    },
  };
}
