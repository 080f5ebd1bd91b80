/** One session's audio in its worker thread: cut into frames, into segments, each through a decoder. */
import { createFramer } from "../../../audio/framing.ts";
import { createResampler } from "../../../audio/resample.ts";
import { vadFrameMs } from "../../ports/voice-activity.ts";
import type { CreateVoiceActivityDetector } from "../../ports/voice-activity.ts";
import { decoderRateHz } from "./decoder.ts";
import type { SpeechDecoder } from "./decoder.ts";
import type { DecoderPool } from "./decoder-pool.ts";
import type { Grammar } from "./grammar.ts";
import { createSegmenter, maxPrerollFrames } from "./segmenter.ts";

export interface SegmentText {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface RecognisedStreamOptions {
  readonly sampleRateHz: number;
  readonly segmentationSilenceMs: number;
  readonly decoders: DecoderPool;
  readonly createDetector: CreateVoiceActivityDetector;
  readonly grammar: Grammar;
  onPartial(partial: SegmentText): void;
  onFinal(final: SegmentText): void;
}

export interface RecognisedStream {
  /** From the next segment on. */
  grammar: Grammar;
  write(samples: Int16Array): void;
  flush(): void;
  /** A decoder may have become free. */
  resume(): void;
  close(): void;
}

const FRAME_SAMPLES = (decoderRateHz * vadFrameMs) / 1_000;
/** How often a partial is looked for; reading it costs as much as a frame of decoding. */
const PARTIAL_FRAMES = 5;

interface Segment {
  readonly startMs: number;
  readonly grammar: Grammar;
  decoder: SpeechDecoder | undefined;
  /** Not decoded yet: there was no decoder. */
  readonly frames: Int16Array[];
  decodedFrames: number;
  endMs: number | undefined;
  text: string;
}

export function createRecognisedStream(options: RecognisedStreamOptions): RecognisedStream {
  const { decoders } = options;
  const resampler = createResampler(options.sampleRateHz, decoderRateHz);
  const framer = createFramer(FRAME_SAMPLES);
  const segmenter = createSegmenter({ frameMs: vadFrameMs, silenceMs: options.segmentationSilenceMs });
  const detector = options.createDetector({ sampleRateHz: decoderRateHz, sensitivity: "medium" });
  const preroll: Int16Array[] = [];
  /** In order; more than one only while decoders are short. */
  const segments: Segment[] = [];
  let heardMs = 0;

  const decode = (segment: Segment): void => {
    if (segment.decoder === undefined) {
      segment.decoder = decoders.take(segment.grammar);
      segment.decoder?.begin();
    }
    const { decoder } = segment;
    if (decoder === undefined) return;
    for (const frame of segment.frames.splice(0)) {
      decoder.hear(frame);
      segment.decodedFrames += 1;
      if (segment.decodedFrames % PARTIAL_FRAMES !== 0 || segment.endMs !== undefined) continue;
      const text = decoder.partialText();
      if (text === "" || text === segment.text) continue;
      segment.text = text;
      options.onPartial({ text, startMs: segment.startMs, endMs: heardMs });
    }
    if (segment.endMs === undefined) return;
    const text = decoder.end();
    decoders.release(decoder);
    segments.shift();
    options.onFinal({ text, startMs: segment.startMs, endMs: segment.endMs });
  };

  const decodeAll = (): void => {
    for (let [segment] = segments; segment !== undefined; [segment] = segments) {
      decode(segment);
      if (segments[0] === segment) return; // not over yet; the next one waits for its end
    }
  };

  const end = (endMs: number): void => {
    const segment = segments.at(-1);
    if (segment !== undefined) segment.endMs = endMs;
  };

  const hear = (frame: Int16Array): void => {
    heardMs += vadFrameMs;
    const step = segmenter.next(detector.isSpeech(frame));
    preroll.push(frame);
    if (preroll.length > maxPrerollFrames) preroll.shift();

    if (step.type === "idle") return;
    if (step.type === "begin")
      segments.push({
        startMs: step.startMs,
        grammar: stream.grammar,
        decoder: undefined,
        frames: preroll.slice(-step.prerollFrames),
        decodedFrames: 0,
        endMs: undefined,
        text: "",
      });
    else segments.at(-1)?.frames.push(frame);
    if (step.type === "end") end(step.endMs);
    decodeAll();
  };

  const stream: RecognisedStream = {
    grammar: options.grammar,
    write: (samples) => framer.push(resampler.process(samples), hear),
    flush() {
      const last = framer.flush();
      if (last !== undefined) hear(last);
      const ended = segmenter.flush();
      if (ended === undefined) return;
      end(ended.endMs);
      decodeAll();
    },
    resume: decodeAll,
    close() {
      detector.close();
      for (const { decoder } of segments.splice(0)) {
        if (decoder === undefined) continue;
        decoder.end();
        decoders.release(decoder);
      }
    },
  };
  return stream;
}
