/** Publishes the caller's text to the peer, to watchers, and to the recording's transcript. */
import type { SessionNotice } from "../../transports/transport.ts";
import type { SessionRecorder } from "../recording/session-recorder.ts";
import { beganAt } from "./began-at.ts";
import type { BegunTurn } from "../turn/turn-state.ts";

/** The position of the words in the received audio, their language and their turn; or that they were keyed in. */
interface WordPlace {
  readonly keyed?: true;
  readonly start_ms?: number;
  readonly end_ms?: number;
  readonly language?: string | undefined;
  /** Absent: the one that is under way. */
  readonly turn?: BegunTurn | undefined;
}

/** From our recogniser, or from a peer's, which does not report the language. */
export interface HeardText {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly language?: string | undefined;
}

export interface CallerTextOutput {
  partial(text: string, more?: WordPlace): void;
  /** `endedMs` is on the session's clock. Does nothing if nothing was recognised. */
  final(final: HeardText, endedMs: number): void;
  /** For typed text and keys, or for text with times on the session's clock. */
  whole(text: string, startedAtMs: number, endedAtMs: number, place?: WordPlace): void;
}

export function createCallerWords(options: {
  readonly notify: (notice: SessionNotice) => void;
  readonly recorder: SessionRecorder;
  /** The turn to which the text belongs. */
  readonly turnId: () => string;
  /** Duration of the audio before the first that the recogniser received; a previous session has processed it. */
  readonly heardBeforeMs?: number | undefined;
}): CallerTextOutput {
  const { notify, recorder, turnId, heardBeforeMs = 0 } = options;

  function tell(text: string, isFinal: boolean, { turn, ...place }: WordPlace): void {
    const said = { text, is_final: isFinal, speaker: "user", turn_id: turn?.turnId ?? turnId() } as const;
    notify({ type: "transcript", payload: { ...said, ...place, ...beganAt(turn?.begunAtMs) } });
  }

  return {
    partial: (text, more) => tell(text, false, more === undefined ? {} : later(more, heardBeforeMs)),
    final({ text, startMs, endMs, language }, endedMs) {
      if (text === "") return;
      tell(text, true, later({ start_ms: startMs, end_ms: endMs, language }, heardBeforeMs));
      recorder.callerSaid({ text, turnId: turnId(), startedAtMs: endedMs - (endMs - startMs), endedAtMs: endedMs });
    },
    whole(text, startedAtMs, endedAtMs, place = {}) {
      tell(text, true, place);
      recorder.callerSaid({ text, turnId: place.turn?.turnId ?? turnId(), startedAtMs, endedAtMs });
    },
  };
}

function later(place: WordPlace, byMs: number): WordPlace {
  if (byMs === 0) return place;
  const { start_ms: start, end_ms: end } = place;
  return {
    ...place,
    ...(start !== undefined && { start_ms: start + byMs }),
    ...(end !== undefined && { end_ms: end + byMs }),
  };
}
