/** What callers of each server send, and how they tell an answer. */
import { callerFrame, spokenFrame } from "../wire-frames.ts";
import { marks, markSign } from "../instant-providers.ts";
import { maskedFrame } from "./raw-line.ts";

export interface Wire {
  /** 20 ms in which nobody speaks. */
  readonly quiet: Buffer;
  /** The protocol's message that the caller has finished. */
  readonly finished: Buffer;
  readonly question: Buffer;
  readonly interruption: Buffer;
  /** The protocol's message that the interruption contained no words. */
  readonly nothing: Buffer;
  /** The first bytes of a message with the agent's audio, after the question. */
  isAudio(start: string): boolean;
  /** The peer is told to drop what it has buffered. */
  isStop(start: string): boolean;
  /** Frames come at the pace at which they are heard. */
  readonly isPaced: boolean;
}

/** The media protocol of the communication service. */
export function mediaWire(sampleRateHz: number, isPaced: boolean): Wire {
  const spoken = (mark: number): Buffer => maskedFrame(spokenFrame(mark, markSign, sampleRateHz));
  return {
    quiet: maskedFrame(callerFrame(undefined, sampleRateHz)),
    finished: maskedFrame('{"kind":"StopAudio"}'),
    question: spoken(marks.question),
    interruption: spoken(marks.interruption),
    nothing: spoken(marks.nothing),
    isAudio: (start) => start.includes('"Kind":"AudioData"'),
    isStop: (start) => start.includes('"Kind":"StopAudio"'),
    isPaced,
  };
}

/** In an echo, only two frames can be told from the others. */
export const echoWire: Wire = {
  quiet: maskedFrame(callerFrame(undefined, 16_000)),
  finished: maskedFrame('{"kind":"StopAudio"}'),
  question: maskedFrame(callerFrame(undefined, 16_000, "Question")),
  interruption: maskedFrame(callerFrame(undefined, 16_000, "Interruption")),
  nothing: maskedFrame(callerFrame(undefined, 16_000)),
  isAudio: (start) => start.includes('"kind":"Question"'),
  isStop: (start) => start.includes('"kind":"Interruption"'),
  isPaced: false,
};
