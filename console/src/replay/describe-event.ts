/** Describes the turn machine's events in words. */
import type { ReplayedStep } from "@voice/streaming-host/session/flight/replay-flight";

import { endingAfterColon } from "../conversation/explain-reason.ts";
import { timerInWords } from "./describe-effects.ts";
import { durationInWords, prosodyInWords, sentenceInWords, shareInWords, turnInWords } from "./format-value.ts";
import type { TimeOfDay } from "./format-value.ts";

type StepEvent = ReplayedStep["event"];

const eventWords: Readonly<Record<StepEvent["type"], string>> = {
  "session-started": "The conversation begins",
  "sound-started": "A sound began",
  "speech-started": "The caller begins to speak",
  "speech-stopped": "The caller stops speaking",
  "voice-judged": "A model judged the voice",
  partial: "Heard so far",
  final: "Understood",
  "whole-turn": "Written or keyed",
  "key-pressed": "The caller presses a key",
  "caller-finished": "The caller has finished",
  "words-unknown": "Nobody can tell what was said",
  paused: "The page pauses, or goes on",
  "reply-audible": "The reply is heard",
  "reply-written": "The model has found words",
  "reply-drained": "The reply was heard to its end",
  "reply-failed": "The reply failed",
  "response-started": "The service answers",
  "reply-lost": "The reply’s connection is gone",
  "answer-lost": "An answer is lost unheard",
  "reply-stopped": "A guardrail stops the reply",
  "model-lost": "The realtime model is gone",
  "end-requested": "A tool ends the call",
  "effect-started": "Something is done with the call",
  "hold-changed": "The call goes on hold, or comes back",
  "effect-ended": "Something was done with the call",
  "farewell-requested": "Time to say goodbye",
  "voicemail-answered": "An answering machine",
  "voicemail-refuted": "No answering machine after all",
  "last-words": "Last words are given",
  "line-given": "An operator gives a line",
  "person-joined": "A person takes over",
  "person-left": "The person hands back",
  "person-said": "The person says something",
  "line-cut": "An operator’s line was cut off",
  timer: "Time is up",
};

export function eventInWords({ type }: StepEvent): string {
  return eventWords[type];
}

/** What distinguishes it from others of its kind: the words, why something failed, or the timer that fired. */
export function gistOf(event: StepEvent): string {
  if ("text" in event) return `“${event.text}”`;
  const because = "cause" in event && event.cause?.reason !== undefined ? `because ${event.cause.reason}` : "";
  return event.type === "timer" ? `for ${timerInWords(event.timer)} ${because}`.trim() : because;
}

const firstMoves = {
  greet: "It begins with the greeting",
  answer: "It begins with the answer that another host left unsaid",
  listen: "The agent listens first",
} as const;

const replyFailures = {
  model: "The language model failed",
  voice: "The agent’s voice failed",
  stalled: "Nothing came for too long",
} as const;

/** What its name and its words do not say, in sentences; empty if there is nothing else. */
export function eventDetails(event: StepEvent, at: TimeOfDay): string {
  const sentences = detailsOf(event, at).filter((part) => part !== "");
  return sentences.map((sentence) => `${sentence}.`).join(" ");
}

function detailsOf(event: StepEvent, at: TimeOfDay): readonly string[] {
  switch (event.type) {
    case "session-started":
      return [
        firstMoves[event.firstMove] + (event.announces ? ", after an announcement" : ""),
        event.hasGap ? "What the caller said before may be lost" : "",
      ];
    case "sound-started":
    case "speech-started":
      return [`Since ${at(event.sinceMs)}`];
    case "speech-stopped":
      return [`Silent since ${at(event.stoppedMs)}`, prosodyInWords(event.prosody)];
    case "voice-judged":
      return [`${shareInWords(event.probability)} sure that the caller had finished at ${at(event.stoppedMs)}`];
    case "partial":
      return [sentenceInWords(event.sentence)];
    case "final":
      return [
        sentenceInWords(event.sentence),
        event.guess === undefined ? "" : `It may have been “${event.guess}”`,
        `The words ended at ${at(event.endedMs)}`,
        remainingInWords(event.replyRemainingMs),
      ];
    case "paused":
      return [event.isPaused ? "It pauses" : "It goes on"];
    case "reply-audible":
    case "reply-written":
    case "reply-drained":
    case "reply-stopped":
      return [turnInWords(event.turnId)];
    case "reply-lost":
      return [turnInWords(event.turnId), causeInWords(event.cause)];
    case "reply-failed":
      return [
        `${replyFailures[event.failure]}, in ${turnInWords(event.turnId).toLowerCase()}`,
        causeInWords(event.cause),
      ];
    case "model-lost":
      return [
        event.hearsWords ? "The caller had said something that was not recognised yet" : "",
        event.isReplyUnfinished ? "The reply was not finished" : "",
        causeInWords(event.cause),
      ];
    case "effect-started":
      return [event.isHold ? "The caller is put on hold" : ""];
    case "hold-changed":
      return [event.onHold ? "The caller hears music" : "The caller hears the agent again"];
    case "effect-ended":
      return [event.words === undefined ? "" : "The caller has to be told how it went"];
    case "end-requested":
    case "last-words":
      return [`The reason: ${endingAfterColon(event.reason)}`];
    case "farewell-requested":
      return [`The reason: ${endingAfterColon(event.reason)}`, causeInWords(event.cause)];
    case "timer":
    case "words-unknown":
      return [causeInWords(event.cause)];
    case "whole-turn":
    case "key-pressed":
    case "caller-finished":
    case "response-started":
    case "answer-lost":
    case "voicemail-answered":
    case "voicemail-refuted":
    case "line-given":
    case "person-joined":
    case "person-left":
    case "person-said":
      return [];
    case "line-cut":
      return [heardPartInWords[event.heard]];
    default:
      return event satisfies never;
  }
}

const heardPartInWords = {
  nothing: "Nothing of it was heard",
  beginning: "Its beginning was heard",
  most: "Most of it was heard",
} as const;

type Cause = Extract<StepEvent, { type: "reply-failed" }>["cause"];

function causeInWords(cause: Cause): string {
  if (cause === undefined) return "";
  return `The cause: ${cause.reason === undefined ? cause.code : `${cause.reason} (${cause.code})`}`;
}

function remainingInWords(ms: number): string {
  if (ms === 0) return "";
  return Number.isFinite(ms) ? `The agent had ${durationInWords(ms)} left to say` : "The agent was still speaking";
}
