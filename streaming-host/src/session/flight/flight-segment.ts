/**
 * A segment of a conversation's flight record: the turn machine's state at its start, and the events from there with
 * the decision on each. Each segment can be replayed by itself, so the oldest may be dropped.
 */
import { z } from "zod";
import { flightEvent } from "./flight-event.ts";
import { packOf } from "@voice/shared/languages/packs";
import { languageSettings } from "../turn/language-settings.ts";
import { effectWords, replyKinds } from "../turn/turn-effects.ts";
import type { TurnSettings } from "../turn/turn-settings.ts";
import { firstMoves, noFalseAlarms } from "../turn/turn-state.ts";
import type {
  ActiveReply,
  AgentState,
  LateFinal,
  StoppedReply,
  TurnState,
  UserSpeech,
  UserTurn,
} from "../turn/turn-state.ts";
import {
  anyNumber,
  endOfTurnEstimate,
  expected,
  orUndefined,
  pauseHabit,
  prosody,
  sentenceState,
} from "./flight-values.ts";

const operatorLine = z.object({
  text: z.string(),
  id: z.string().optional(),
  isRepeated: z.literal(true).optional(),
});

const activeReply: z.ZodType<ActiveReply> = z.object({
  turnId: z.string(),
  kind: z.enum(replyKinds),
  words: z.string().exactOptional(),
  line: operatorLine.exactOptional(),
  isOnlyFiller: z.boolean().exactOptional(),
  isExpected: z.boolean().exactOptional(),
  timesResumed: z.number().exactOptional(),
  finalsBefore: z.number().exactOptional(),
});

const stoppedReply: z.ZodType<StoppedReply> = z.object({
  kind: z.enum(replyKinds),
  words: orUndefined(z.string()),
  line: operatorLine.optional(),
  timesResumed: orUndefined(z.number()),
  endReason: orUndefined(z.string()),
});

const agentState: z.ZodType<AgentState> = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["listening", "ended"]) }),
  z.object({ kind: z.literal("awaiting"), sinceMs: z.number(), endedMs: z.number().optional() }),
  z.object({ kind: z.enum(["thinking", "speaking"]), reply: activeReply }),
  z.object({ kind: z.literal("held"), reply: activeReply, was: z.enum(["thinking", "speaking"]) }),
]);

const userSpeech: z.ZodType<UserSpeech> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("quiet") }),
  z.object({ kind: z.literal("speaking"), sinceMs: z.number() }),
  z.object({ kind: z.literal("stopped"), stoppedMs: z.number(), lastedMs: z.number() }),
]);

const userTurn: z.ZodType<UserTurn> = z.object({
  speech: userSpeech,
  finals: z.array(z.string()),
  partial: z.string(),
  partialEndedMs: orUndefined(z.number()),
  sentence: orUndefined(sentenceState),
  prosody: orUndefined(prosody),
  voice: orUndefined(z.number()),
  rejected: z.string(),
  guess: orUndefined(z.string()),
  unheardMs: z.number(),
  estimate: orUndefined(endOfTurnEstimate),
  anchorMs: orUndefined(z.number()),
  finished: z.boolean(),
  isWhole: z.boolean(),
});

const lateFinal: z.ZodType<LateFinal> = z.object({
  // In records from before finals were compared by words and time, every one counted as late.
  heard: z.string().default(""),
  isAnswered: z.boolean().default(false),
  turnEndedMs: z.number().default(Number.MAX_SAFE_INTEGER),
  speechSinceMs: orUndefined(z.number()),
});

/** The turn machine's state in a flight record. */
const flightState = z
  .object({
    agent: agentState,
    user: userTurn,
    preparedText: orUndefined(z.string()),
    preparations: z.number(),
    pauses: pauseHabit,
    turnCount: z.number(),
    reprompts: z.number(),
    failures: z.number(),
    clarifications: z.number(),
    effectsRunning: z.number(),
    onHold: z.boolean(),
    pendingWords: orUndefined(z.enum(effectWords)),
    firstMove: z.enum(firstMoves).optional(),
    /** Records from before the machine remembered the whole first move have this in its place. */
    greetsNext: z.boolean().optional(),
    lateFinal: orUndefined(lateFinal),
    isDeaf: z.boolean(),
    gap: orUndefined(
      z.object({
        endsMs: z.number(),
        isFragment: z.boolean(),
        isLong: z.literal(true).exactOptional(),
        areKeysCut: z.literal(true).exactOptional(),
      }),
    ),
    /** Records from before PERSON-4 have none. */
    withPerson: z.boolean().default(false),
    isPaused: z.boolean(),
    stopped: orUndefined(stoppedReply),
    /** Records from before BARGE-14 have none. */
    falseAlarms: z.object({ count: z.number(), latestMs: z.number() }).default(noFalseAlarms),
    /** Records from before answers were owed have none. */
    owesAnswer: z.boolean().default(false),
    /** Records from before lines had ids have their text alone. */
    lines: z.array(operatorLine.or(z.string().transform((text) => ({ text })))),
    cutLine: orUndefined(
      z.object({ turnId: z.string(), line: operatorLine, isHopeless: z.literal(true).exactOptional() }),
    ),
    endReason: orUndefined(z.string()),
  })
  .transform(({ greetsNext = false, firstMove = greetsNext ? "greet" : "listen", ...state }): TurnState => ({
    ...state,
    firstMove,
  }));

/** The estimator and what words mean are code: a replay asks those that there are now. */
const flightSettings: z.ZodType<TurnSettings> = z
  .object({
    policy: z.object({
      turnsEndedBy: z.enum(["us", "service", "nobody"]),
      agentSpeaks: z.boolean(),
      afterRepeatedFailure: z.enum(["say-goodbye", "give-up-model"]),
    }),
    silenceMs: anyNumber,
    expected,
    silenceTimeoutMs: anyNumber,
    bargeInEnabled: z.boolean(),
    bargeInThresholdMs: anyNumber,
    idleMs: anyNumber,
    deadAirMs: anyNumber,
    fillerMs: anyNumber,
    /** Records from before there were others are English. */
    language: z.object({ code: z.string() }).default({ code: "en" }),
  })
  .transform((settings) => ({ ...settings, ...languageSettings(packOf(settings.language.code)) }));

/** Incremented when older records can no longer be read. */
export const flightFormat = 1;

const effectJson = z.looseObject({ type: z.string() });

/** Plain JSON, because recorded effects are compared and shown but never carried out. */
export type EffectJson = z.infer<typeof effectJson>;

const flightStep = z.object({
  event: flightEvent,
  effects: z.array(effectJson),
  /** The settings from here on, if they changed. */
  settings: flightSettings.optional(),
});

export const flightSegment = z.object({
  format: z.literal(flightFormat),
  /** The wall clock at the first event, whose `atMs` is the session's. */
  wallMs: z.number(),
  state: flightState,
  settings: flightSettings,
  steps: z.array(flightStep).min(1),
});

export type FlightSegment = z.infer<typeof flightSegment>;

/** The response of `GET /sessions/{id}/flight-record`, also when saved as a file. */
export const flightRecord = z.object({
  session_id: z.string(),
  segments: z.array(flightSegment).min(1),
  /** Beside the decisions, for people: a replay does without. Absent from records of older versions. */
  messages: z.array(z.unknown()).optional(),
  model_requests: z.array(z.unknown()).nullish(),
});

export type FlightRecord = z.infer<typeof flightRecord>;
