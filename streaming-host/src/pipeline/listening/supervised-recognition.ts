/**
 * A recognition stream that outlives its provider's: when one breaks, another is opened within the retry budget and
 * hears again what had not become final (FAIL-4). Offsets stay those of the session's audio.
 */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type {
  RecognisedText,
  RecognitionHints,
  RecognitionOptions,
  RecognitionStream,
  Recogniser,
} from "../../providers/ports/recogniser.ts";
import { vadFrameMs } from "../../providers/ports/voice-activity.ts";
import { createReopening } from "../reopening.ts";
import { createReplayBuffer } from "./replay-buffer.ts";

export interface SupervisedEvents {
  onPartial(partial: RecognisedText): void;
  onFinal(final: RecognisedText): void;
  /** The retry budget is spent. */
  onLost(error: VoiceError): void;
}

export interface SupervisedRecognition {
  /** One 20 ms frame; kept by reference. */
  write(frame: Int16Array, somebodySpeaks: boolean): void;
  flush(): void;
  setHints(hints: RecognitionHints): void;
  close(): void;
}

export interface SupervisionOptions {
  readonly recogniser: Recogniser;
  readonly recognition: RecognitionOptions;
  readonly retry: RetrySettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** 5 s: a recogniser that has said nothing about a sound by then has heard no word in it. */
const maxQuietFrames = 250;

export function superviseRecognition(options: SupervisionOptions, events: SupervisedEvents): SupervisedRecognition {
  const { recogniser, clock, logger } = options;
  const replay = createReplayBuffer();
  const closed = new AbortController();
  let hints = options.recognition.hints;
  let stream: RecognitionStream | undefined;
  let writtenFrames = 0;
  /** Session audio before the current stream's first frame. */
  let offsetMs = 0;
  let generation = 0;
  let flushWanted = false;
  /** Frames since somebody was last heard whose words are not final yet; undefined when there are none. */
  let quietFrames: number | undefined;

  const shift = (text: RecognisedText): RecognisedText => ({
    ...text,
    startMs: text.startMs + offsetMs,
    endMs: text.endMs + offsetMs,
  });

  async function open(): Promise<void> {
    const mine = ++generation;
    const isCurrent = (): boolean => mine === generation && !closed.signal.aborted;
    const streamEvents = {
      onPartial: (partial: RecognisedText) => {
        if (isCurrent()) events.onPartial(shift(partial));
      },
      onFinal: (final: RecognisedText) => {
        if (!isCurrent()) return;
        const heard = shift(final);
        replay.markFinal(writtenFrames - Math.floor(heard.endMs / vadFrameMs));
        quietFrames = undefined;
        events.onFinal(heard);
      },
      onError: (error: VoiceError) => {
        if (isCurrent()) drop(error);
      },
    };
    const opened = await recogniser.open({ ...options.recognition, hints }, streamEvents, closed.signal);
    if (!isCurrent()) {
      opened.close();
      return;
    }
    stream = opened;
    if (quietFrames !== undefined) quietFrames = 0; // it has the words only now
    reopening.opened();
    offsetMs = (writtenFrames - replay.frames.length) * vadFrameMs;
    for (const frame of replay.frames) opened.write(frame);
    if (flushWanted) opened.flush();
    flushWanted = false;
  }

  function drop(error: VoiceError): void {
    generation++; // whatever the old stream still says is not for us
    stream?.close();
    stream = undefined;
    reopening.lost(error);
  }

  const reopening = createReopening({
    what: "recogniser",
    retry: options.retry,
    clock,
    logger,
    random: options.random,
    closed: closed.signal,
    open,
    onLost: (error) => events.onLost(error),
  });
  reopening.start();

  return {
    write(frame, somebodySpeaks) {
      writtenFrames++;
      replay.push(frame);
      stream?.write(frame);
      if (somebodySpeaks) quietFrames = 0;
      else if (quietFrames !== undefined && ++quietFrames > maxQuietFrames && stream !== undefined)
        quietFrames = undefined;
      if (quietFrames === undefined) replay.trim();
    },
    flush() {
      if (stream === undefined) flushWanted = true;
      else stream.flush();
    },
    setHints(next) {
      hints = next;
      stream?.setHints(next);
    },
    close() {
      if (closed.signal.aborted) return;
      closed.abort();
      stream?.close();
      stream = undefined;
    },
  };
}
