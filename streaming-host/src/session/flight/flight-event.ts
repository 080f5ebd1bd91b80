/** The turn machine's events in a flight record. */
import { z } from "zod";
import { effectWords, heardParts, turnTimers } from "../turn/turn-effects.ts";
import { firstMoves } from "../turn/turn-state.ts";
import { anyNumber, orUndefined, prosody, sentenceState } from "./flight-values.ts";

const atMs = z.number();
const turnId = z.string();
const sentence = sentenceState.optional();
/** Absent from records of older versions. */
const cause = z.object({ code: z.string(), reason: z.string().optional() }).optional();

function event<T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) {
  return z.object({ type: z.literal(type), atMs, ...shape });
}

export const flightEvent = z.discriminatedUnion("type", [
  event("session-started", {
    firstMove: z.enum(firstMoves),
    announces: z.boolean().exactOptional(),
    hasGap: z.boolean().exactOptional(),
    gapMs: z.number().exactOptional(),
  }),
  event("sound-started", { sinceMs: z.number() }),
  event("speech-started", { sinceMs: z.number() }),
  event("speech-stopped", { stoppedMs: z.number(), prosody: prosody.optional() }),
  event("voice-judged", { stoppedMs: z.number(), probability: z.number() }),
  event("partial", {
    text: z.string(),
    sentence,
    endedMs: orUndefined(z.number()),
  }),
  event("final", {
    text: z.string(),
    sentence,
    guess: z.string().optional(),
    endedMs: z.number(),
    replyRemainingMs: anyNumber,
    turn: z.object({ turnId, begunAtMs: z.number() }).optional(),
  }),
  event("whole-turn", { text: z.string() }),
  event("key-pressed", {}),
  event("caller-finished", {}),
  event("words-unknown", { cause }),
  event("paused", { isPaused: z.boolean() }),
  event("reply-audible", { turnId }),
  event("reply-written", { turnId }),
  event("reply-drained", { turnId }),
  event("reply-failed", { turnId, failure: z.enum(["model", "voice", "stalled"]), cause }),
  event("response-started", {}),
  event("reply-lost", { turnId, isHeardAgain: z.boolean().optional(), cause }),
  event("answer-lost", {}),
  event("reply-stopped", { turnId, text: z.string() }),
  event("model-lost", { hearsWords: z.boolean(), isReplyUnfinished: z.boolean(), cause }),
  event("end-requested", { reason: z.string() }),
  event("effect-started", { isHold: z.boolean() }),
  event("hold-changed", { onHold: z.boolean() }),
  event("effect-ended", { isHold: z.boolean(), words: orUndefined(z.enum(effectWords)) }),
  event("farewell-requested", { reason: z.string(), cause }),
  event("voicemail-answered", {}),
  event("voicemail-refuted", {}),
  event("last-words", { text: z.string(), reason: z.string() }),
  event("line-given", { text: z.string(), lineId: z.string().optional() }),
  event("person-joined", {}),
  event("person-left", {}),
  event("person-said", { text: z.string(), endedMs: z.number() }),
  event("line-cut", { turnId, heard: z.enum(heardParts) }),
  event("timer", { timer: z.enum(turnTimers), cause }),
]);
