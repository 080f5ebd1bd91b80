/** A recogniser whose results the test determines. */
import type { VoiceError } from "@voice/shared/platform/errors";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type {
  PoolFigures,
  RecognisedText,
  RecognitionEvents,
  RecognitionHints,
  RecognitionOptions,
  Recogniser,
} from "@voice/provider-kit/ports/recogniser";

export interface FakeStream {
  readonly options: RecognitionOptions;
  readonly frames: Int16Array[];
  readonly hints: RecognitionHints[];
  flushes: number;
  isClosed: boolean;
  partial(text: string): void;
  final(text: string, more?: Partial<Omit<RecognisedText, "text">>): void;
  fail(error: VoiceError): void;
  unknown(error: VoiceError): void;
}

export class FakeRecogniser implements Recogniser {
  readonly streams: FakeStream[] = [];
  /** Rejects the next attempts to open, one error each. */
  readonly refusals: VoiceError[] = [];
  /** Streams that are asked for are not open before this is settled. */
  opening: Promise<void> | undefined;
  /** Answers every flush with a final of this text. */
  finalOnFlush: string | undefined;
  /** If off, only a new stream can take other phrases. */
  takesHints = true;
  /** Off in tests that measure memory. */
  keepsFrames = true;

  get last(): FakeStream {
    const stream = this.streams.at(-1);
    if (stream === undefined) throw new Error("no stream was opened");
    return stream;
  }

  /** The current stream fails, and so does every later one. */
  loseForGood(error: VoiceError): void {
    for (let more = 0; more < 100; more += 1) this.refusals.push(error);
    this.last.fail(error);
  }

  async open(options: RecognitionOptions, events: RecognitionEvents): ReturnType<Recogniser["open"]> {
    const refusal = this.refusals.shift();
    if (refusal !== undefined) throw refusal;
    const heard = (text: string) => {
      const endMs = stream.frames.length * 20;
      return { text, startMs: 0, endMs, language: options.language };
    };
    const stream: FakeStream = {
      options,
      frames: [],
      hints: [],
      flushes: 0,
      isClosed: false,
      partial: (text) => events.onPartial(heard(text)),
      final: (text, more) => events.onFinal({ ...heard(text), ...more }),
      fail: (error) => events.onError(error),
      unknown: (error) => events.onUnknown?.(error),
    };
    this.streams.push(stream);
    if (this.opening !== undefined) await this.opening;
    return {
      write: (frame) => {
        if (this.keepsFrames) stream.frames.push(frame);
      },
      flush: () => {
        stream.flushes++;
        if (this.finalOnFlush !== undefined) stream.final(this.finalOnFlush);
      },
      setHints: (hints) => stream.hints.push(hints) > 0 && this.takesHints,
      close: () => {
        stream.isClosed = true;
      },
    };
  }

  pool(): PoolFigures {
    return emptyPool;
  }

  async close(): Promise<void> {
    for (const stream of this.streams) stream.isClosed = true;
  }
}
