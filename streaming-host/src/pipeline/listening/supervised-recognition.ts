/**
 * A recognition stream that outlives its provider's: when one breaks, another is opened within the retry budget and
 * hears again what had not become final (FAIL-4). Offsets stay those of the session's audio.
 */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { isAbort, toVoiceError } from "@voice/shared/platform/errors";
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
  /** Numbers the attempts to open a stream; `current` is the one whose stream is in use. */
  let opening = 0;
  let current: number | undefined;
  let isOutdated = false;
  let flushWanted = false;
  /** Frames since somebody was last heard whose words are not final yet; undefined when there are none. */
  let quietFrames: number | undefined;

  const shift = (text: RecognisedText): RecognisedText => ({
    ...text,
    startMs: text.startMs + offsetMs,
    endMs: text.endMs + offsetMs,
  });

  /** Takes the place of the stream that is open, if one is, once it is open itself. */
  async function open(): Promise<void> {
    const mine = ++opening;
    const isCurrent = (): boolean => mine === current && !closed.signal.aborted;
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
        renewIfQuiet();
      },
      onError: (error: VoiceError) => {
        if (isCurrent()) drop(error);
      },
    };
    const opened = await recogniser.open({ ...options.recognition, hints }, streamEvents, closed.signal);
    if (mine !== opening || closed.signal.aborted) {
      opened.close();
      return;
    }
    stream?.close(); // what it had not finalised is heard again
    current = mine;
    stream = opened;
    if (quietFrames !== undefined) quietFrames = 0; // it has the words only now
    reopening.opened();
    offsetMs = (writtenFrames - replay.frames.length) * vadFrameMs;
    for (const frame of replay.frames) opened.write(frame);
    if (flushWanted) opened.flush();
    flushWanted = false;
  }

  function drop(error: VoiceError): void {
    current = undefined; // whatever the old stream still says is not for us
    opening++;
    stream?.close();
    stream = undefined;
    reopening.lost(error);
  }

  /** New hints that the stream cannot take: another one takes over between two utterances. */
  function renewIfQuiet(): void {
    if (!isOutdated || stream === undefined || quietFrames !== undefined) return;
    isOutdated = false;
    open().catch((error: unknown) => {
      if (isAbort(error) || closed.signal.aborted) return;
      logger.warn({ error, code: toVoiceError(error).code }, "a recogniser could not be told new hints");
    });
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
      if (quietFrames !== undefined) return;
      replay.trim();
      renewIfQuiet();
    },
    flush() {
      if (stream === undefined) flushWanted = true;
      else stream.flush();
    },
    setHints(next) {
      hints = next;
      isOutdated = stream?.setHints(next) === false;
      renewIfQuiet();
    },
    close() {
      if (closed.signal.aborted) return;
      closed.abort();
      stream?.close();
      stream = undefined;
    },
  };
}
