/** Describes in words how things stand after a step of the turn machine. */
import type { ReplayedStep } from "@voice/streaming-host/session/flight/replay-flight";

import { reasonOfWaitInWords } from "../conversation/explain-wait.ts";
import { endingInWords } from "../conversation/explain-reason.ts";
import { replyKindInWords } from "./describe-effects.ts";
import {
  durationInWords,
  prosodyInWords,
  quoted,
  sentenceInWords,
  shareInWords,
  timesInWords,
  turnInWords,
} from "./format-value.ts";
import type { TimeOfDay } from "./format-value.ts";

type TurnState = ReplayedStep["state"];
type UserTurn = TurnState["user"];
type ActiveReply = Extract<TurnState["agent"], { readonly reply: unknown }>["reply"];

export interface StateFact {
  readonly name: string;
  /** Empty if there is nothing to say of it any more. */
  readonly value: string;
  readonly isNews: boolean;
}

/** `say` returns an empty text while there is nothing to say. */
interface Row<Values> {
  readonly name: string;
  readonly say: (values: Values, at: TimeOfDay) => string;
}

/** A record, so that no part of the state can be forgotten. */
const ofCaller: Readonly<Record<keyof UserTurn, Row<UserTurn>>> = {
  speech: { name: "The caller", say: ({ speech }, at) => speechInWords(speech, at) },
  finals: { name: "Understood", say: ({ finals }) => quoted(finals.join(" ")) },
  partial: { name: "Heard so far", say: ({ partial }) => quoted(partial) },
  partialEndedMs: {
    name: "The words so far ended at",
    say: ({ partialEndedMs }, at) => (partialEndedMs === undefined ? "" : at(partialEndedMs)),
  },
  sentence: { name: "The words are", say: ({ sentence }) => sentenceInWords(sentence).toLowerCase() },
  prosody: { name: "The voice", say: ({ prosody }) => prosodyInWords(prosody) },
  voice: {
    name: "By the voice alone",
    say: ({ voice }) => (voice === undefined ? "" : `${shareInWords(voice)} sure that the caller has finished`),
  },
  rejected: { name: "Heard, then taken back", say: ({ rejected }) => quoted(rejected) },
  guess: { name: "It may have been", say: ({ guess = "" }) => quoted(guess) },
  unheardMs: {
    name: "Speech without words",
    say: ({ unheardMs }) => (unheardMs === 0 ? "" : durationInWords(unheardMs)),
  },
  estimate: { name: "The wait", say: ({ estimate }) => waitInWords(estimate) },
  anchorMs: {
    name: "Answers are timed from",
    say: ({ anchorMs }, at) => (anchorMs === undefined ? "" : at(anchorMs)),
  },
  finished: { name: "End of the turn", say: ({ finished }) => (finished ? "the page has said that it is here" : "") },
  isWhole: { name: "Typed or keyed", say: ({ isWhole }) => (isWhole ? "at least in part" : "") },
};

const ofConversation: Readonly<Record<Exclude<keyof TurnState, "user">, Row<TurnState>>> = {
  agent: { name: "The agent", say: ({ agent }, at) => agentInWords(agent, at) },
  preparedText: { name: "Prepared is an answer to", say: ({ preparedText = "" }) => quoted(preparedText) },
  preparations: { name: "Prepared in this turn", say: ({ preparations }) => timesInWords(preparations) },
  lateFinal: {
    name: "Late words",
    say: ({ lateFinal }) => (lateFinal === undefined ? "" : "those of the turn before may still come, and are not new"),
  },
  pauses: {
    name: "This caller’s pauses",
    say: ({ pauses: { count, longestMs } }) =>
      count === 0 ? "" : `${timesInWords(count)} before going on, for ${durationInWords(longestMs)} at most`,
  },
  lines: { name: "To be said for an operator", say: ({ lines }) => lines.map(({ text }) => quoted(text)).join(", ") },
  cutLine: {
    name: "An operator’s line that was cut off",
    say: ({ cutLine }) => (cutLine === undefined ? "" : quoted(cutLine.line.text)),
  },
  owesAnswer: { name: "Owed", say: ({ owesAnswer }) => (owesAnswer ? "an answer that was lost unheard" : "") },
  firstMove: { name: "After the announcement", say: ({ firstMove }) => firstMoveInWords[firstMove] },
  effectsRunning: {
    name: "With the call",
    say: ({ effectsRunning }) => (effectsRunning === 0 ? "" : "something is being done, such as a transfer"),
  },
  onHold: { name: "On hold", say: ({ onHold }) => (onHold ? "the caller hears music" : "") },
  pendingWords: {
    name: "Still to be told",
    say: ({ pendingWords }) => (pendingWords === undefined ? "" : replyKindInWords(pendingWords)),
  },
  isDeaf: { name: "Not listened to", say: ({ isDeaf }) => (isDeaf ? "an answering machine" : "") },
  gap: {
    name: "Words may be lost",
    say: ({ gap }, at) =>
      gap === undefined
        ? ""
        : `before ${at(gap.endsMs)}${gap.isFragment ? ", and the beginning of what is said now" : ""}`,
  },
  stopped: {
    name: "Stopped for a sound",
    say: ({ stopped }) => (stopped === undefined ? "" : replyKindInWords(stopped.kind)),
  },
  falseAlarms: {
    name: "Sounds that were nothing",
    say: ({ falseAlarms: { count, latestMs } }, at) =>
      count === 0 ? "" : `${timesInWords(count)}, the latest at ${at(latestMs)}`,
  },
  withPerson: { name: "With a person", say: ({ withPerson }) => (withPerson ? "the agent is silent" : "") },
  isPaused: { name: "Paused by the page", say: ({ isPaused }) => (isPaused ? "nothing is timed" : "") },
  turnCount: { name: "Turns so far", say: ({ turnCount }) => (turnCount === 0 ? "" : String(turnCount)) },
  reprompts: { name: "Asked a silent caller", say: ({ reprompts }) => timesInWords(reprompts) },
  clarifications: { name: "Asked to say it again", say: ({ clarifications }) => timesInWords(clarifications) },
  failures: { name: "Answers failed", say: ({ failures }) => timesInWords(failures) },
  endReason: {
    name: "Ends after this reply",
    say: ({ endReason }) => (endReason === undefined ? "" : `because ${endingInWords(endReason)}`),
  },
};

const firstMoveInWords: Readonly<Record<TurnState["firstMove"], string>> = {
  greet: "the greeting",
  answer: "the answer that another host left unsaid",
  listen: "",
};

/** What there is to say, and what there is nothing to say of any more since the step before. */
export function stateFacts(state: TurnState, before: TurnState | undefined, at: TimeOfDay): readonly StateFact[] {
  const { agent, ...others } = ofConversation;
  return [
    factOf(agent, state, before, at),
    ...Object.values(ofCaller).map((row) => factOf(row, state.user, before?.user, at)),
    ...Object.values(others).map((row) => factOf(row, state, before, at)),
  ].filter(({ value, isNews }) => isNews || value !== "");
}

function factOf<Values>({ name, say }: Row<Values>, now: Values, before: Values | undefined, at: TimeOfDay): StateFact {
  const value = say(now, at);
  return { name, value, isNews: before !== undefined && say(before, at) !== value };
}

function agentInWords(agent: TurnState["agent"], at: TimeOfDay): string {
  switch (agent.kind) {
    case "listening":
      return "listens";
    case "awaiting":
      return `waits for the service’s answer since ${at(agent.sinceMs)}`;
    case "thinking":
      return `makes ${whichReply(agent.reply)}; nothing is heard yet`;
    case "speaking":
      return agent.reply.isOnlyFiller
        ? `fills the time until ${whichReply(agent.reply)}`
        : `says ${whichReply(agent.reply)}`;
    case "held":
      return `has paused ${whichReply(agent.reply)}, until it is clear whether the caller interrupts`;
    case "ended":
      return "has nothing more to do: the conversation is over";
    default:
      return agent satisfies never;
  }
}

function whichReply({ kind, turnId }: ActiveReply): string {
  return `${replyKindInWords(kind)} (${turnInWords(turnId).toLowerCase()})`;
}

function speechInWords(speech: UserTurn["speech"], at: TimeOfDay): string {
  switch (speech.kind) {
    case "quiet":
      return "is silent";
    case "speaking":
      return `speaks since ${at(speech.sinceMs)}`;
    case "stopped":
      return `is silent since ${at(speech.stoppedMs)}, after ${durationInWords(speech.lastedMs)} of speech`;
    default:
      return speech satisfies never;
  }
}

function waitInWords(estimate: UserTurn["estimate"]): string {
  if (estimate === undefined) return "";
  const { waitMs, probability, reasons } = estimate;
  const because = reasons.length === 0 ? "" : `: ${reasons.map(reasonOfWaitInWords).join(", ")}`;
  return `${durationInWords(waitMs)}, being ${shareInWords(probability)} sure that the caller has finished${because}`;
}
