/** What the caller said: told to the peer and to those who watch, and put beside the recording. */
import type { SessionNotice } from "../../transports/transport.ts";
import type { SessionRecorder } from "../recording/session-recorder.ts";

/** Where the words stand in the audio that was heard, and in which language they are. */
interface WordPlace {
  readonly start_ms?: number;
  readonly end_ms?: number;
  readonly language?: string | undefined;
}

/** As our recogniser gives them, or a peer's that does not tell the language. */
export interface HeardText {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly language?: string | undefined;
}

export interface CallerWordsOutput {
  partial(text: string, more?: WordPlace): void;
  /** `endedMs` is on the session's clock. Nothing recognised is nothing said. */
  final(final: HeardText, endedMs: number): void;
  /** Words that were not spoken, or whose times are told on the session's clock. */
  whole(text: string, startedAtMs: number, endedAtMs: number, place?: WordPlace): void;
}

export function createCallerWords(options: {
  readonly notify: (notice: SessionNotice) => void;
  readonly recorder: SessionRecorder;
  /** The turn that these words belong to. */
  readonly turnId: () => string;
  /** What the caller's audio was long before the recogniser was given any; another session has heard that. */
  readonly heardBeforeMs?: number | undefined;
}): CallerWordsOutput {
  const { notify, recorder, turnId, heardBeforeMs = 0 } = options;

  function tell(text: string, isFinal: boolean, more: WordPlace): void {
    notify({
      type: "transcript",
      payload: { text, is_final: isFinal, speaker: "user", turn_id: turnId(), ...more },
    });
  }

  return {
    partial: (text, more) => tell(text, false, more === undefined ? {} : later(more, heardBeforeMs)),
    final({ text, startMs, endMs, language }, endedMs) {
      if (text === "") return;
      tell(text, true, later({ start_ms: startMs, end_ms: endMs, language }, heardBeforeMs));
      recorder.callerSaid({ text, turnId: turnId(), startedAtMs: endedMs - (endMs - startMs), endedAtMs: endedMs });
    },
    whole(text, startedAtMs, endedAtMs, place) {
      tell(text, true, place ?? {});
      recorder.callerSaid({ text, turnId: turnId(), startedAtMs, endedAtMs });
    },
  };
}

function later(place: WordPlace, byMs: number): WordPlace {
  const { start_ms: start, end_ms: end } = place;
  return {
    ...place,
    ...(start !== undefined && { start_ms: start + byMs }),
    ...(end !== undefined && { end_ms: end + byMs }),
  };
}
