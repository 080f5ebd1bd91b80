/** What callers of each server send, and how they tell an answer. */
import { encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { callerFrame, markLevels, noise, spokenFrame } from "../wire-frames.ts";
import { marks, markSign } from "../instant-providers.ts";
import { maskedFrame } from "./raw-line.ts";

export interface Wire {
  /** What the caller of this number sends before anything else. */
  opening?(index: number): Buffer;
  /** 20 ms in which nobody speaks. */
  readonly quiet: Buffer;
  /**
   * The recogniser has understood the question and not finalised it, or the service has noticed that the caller speaks. Where neither
   * says so, 20 ms in which nobody speaks.
   */
  readonly hearing: Buffer;
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
  /** Milliseconds of audio in each message, where messages come at the pace at which they are heard. */
  readonly pacedMs?: number | undefined;
}

/** Of the phone calls in `products.ts`, and of their conversations. */
export const callConnectionId = (index: number): string => `bench-${index}`;
export const callSessionId = (index: number): string => `bench-session-${index}`;

/**
 * The media protocol of the communication service. `saysWhatItHears`: the recogniser or the service does, before the words are final.
 * `endsTurns`: the caller says that the speech is over; a realtime service would answer that at once, before the question (TURN-12).
 */
export function mediaWire(
  sampleRateHz: number,
  {
    isPaced,
    saysWhatItHears = false,
    endsTurns = true,
  }: { readonly isPaced: boolean; readonly saysWhatItHears?: boolean; readonly endsTurns?: boolean },
): Wire {
  const spoken = (mark: number): Buffer => maskedFrame(spokenFrame(mark, markSign, sampleRateHz));
  const quiet = maskedFrame(callerFrame(undefined, sampleRateHz));
  return {
    quiet,
    hearing: saysWhatItHears ? spoken(marks.hearing) : quiet,
    finished: endsTurns ? maskedFrame('{"kind":"StopAudio"}') : quiet,
    question: spoken(marks.question),
    interruption: spoken(marks.interruption),
    nothing: spoken(marks.nothing),
    isAudio: (start) => start.includes('"Kind":"AudioData"'),
    isStop: (start) => start.includes('"Kind":"StopAudio"'),
    pacedMs: isPaced ? 20 : undefined,
  };
}

/** In an echo, only two frames can be told from the others. */
export const echoWire: Wire = {
  quiet: maskedFrame(callerFrame(undefined, 16_000)),
  hearing: maskedFrame(callerFrame(undefined, 16_000)),
  finished: maskedFrame('{"kind":"StopAudio"}'),
  question: maskedFrame(callerFrame(undefined, 16_000, "Question")),
  interruption: maskedFrame(callerFrame(undefined, 16_000, "Interruption")),
  nothing: maskedFrame(callerFrame(undefined, 16_000)),
  isAudio: (start) => start.includes('"kind":"Question"'),
  isStop: (start) => start.includes('"kind":"Interruption"'),
};

const hookRateHz = 8000;

/**
 * The session's id is that of a stored conversation of `products.ts`, which is resumed. No events are asked for, so the only ones that
 * come are barge-ins.
 */
export const hookSessionId = (index: number): string => `00000000-0000-4000-8000-${`${index}`.padStart(12, "0")}`;

function hookOpening(index: number): Buffer {
  const parameters = {
    organizationId: "d7934305-0972-4844-938e-9060eef73d05",
    conversationId: hookSessionId(index),
    participant: { id: hookSessionId(index), ani: "+12025550123", aniName: "", dnis: "" },
    media: [{ type: "audio", format: "PCMU", channels: ["external"], rate: hookRateHz }],
    customConfig: { events: [] },
  };
  const envelope = { version: "2", id: hookSessionId(index), type: "open", seq: 1, serverseq: 0, position: "PT0S" };
  return maskedFrame(JSON.stringify({ ...envelope, parameters }));
}

/** The hook protocol of telephony platforms: mu-law in binary messages, and no message that the caller has finished. */
export function hookWire(pacedMs: number | undefined): Wire {
  const loud = (level: number): Buffer => maskedFrame(encodeMulaw(noise(hookRateHz).fill(level)));
  const quiet = maskedFrame(encodeMulaw(noise(hookRateHz)));
  return {
    opening: hookOpening,
    quiet,
    hearing: loud(markLevels.hearing),
    finished: quiet,
    question: loud(markLevels.question),
    interruption: loud(markLevels.interruption),
    nothing: loud(markLevels.nothing),
    isAudio: (start) => !start.startsWith('{"version"'),
    isStop: (start) => start.includes('"type":"event"'),
    pacedMs,
  };
}
