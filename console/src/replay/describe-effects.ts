/** Describes the turn machine's decisions in words. They are recorded as JSON, by any version of the machine. */
import type { ReplayedStep } from "@voice/streaming-host/session/flight/replay-flight";
import { z } from "zod";

import { reasonOfWaitInWords } from "../conversation/explain-wait.ts";
import { endingInWords } from "../conversation/explain-reason.ts";
import { displayName } from "../display-name.ts";
import { durationInWords, factsInWords } from "./format-value.ts";

type Effect = ReplayedStep["today"][number];

const timers: Readonly<Record<string, string>> = {
  "end-of-turn": "the end of the caller’s turn",
  flush: "asking the recogniser for its last words",
  "turn-watchdog": "ending a turn that never ended",
  hold: "pausing the agent, if the caller goes on speaking",
  "confirm-interruption": "taking long speech for an interruption",
  "false-alarm": "taking short speech for a false alarm",
  idle: "asking a silent caller",
  "dead-air": "giving up a silent agent",
  filler: "a filler, if the model is slow",
};

export function timerInWords(timer: string): string {
  return timers[timer] ?? timer.replaceAll("-", " ");
}

const replies: Readonly<Record<string, string>> = {
  answer: "the answer",
  greeting: "the greeting",
  announcement: "the announcement",
  clarification: "a question, because nothing was understood",
  reprompt: "a question to the silent caller",
  apology: "an apology",
  replacement: "a guardrail’s words in place of the reply",
  line: "an operator’s line",
  regret: "that the transfer did not come about",
  "regret-hold": "that the call could not be put on hold",
  "regret-keys": "that the keys could not be pressed",
  resumption: "that the caller is back from hold",
  patience: "that it takes a moment more",
  farewell: "the goodbye",
  closing: "the goodbye, because the conversation may not go on",
  message: "the message for an answering machine",
};

export function replyKindInWords(kind: string): string {
  return replies[kind] ?? kind.replaceAll("-", " ");
}

const cancelReasons: Readonly<Record<string, string>> = {
  barge_in: "the caller interrupts",
  // Its silence, a failure, or the loss of the connection it came over: the step itself says which.
  dead_air: "no answer comes of it",
  superseded: "something newer is to be said",
  passed_on: "without the realtime model it is given in another way",
  ended: "the conversation ends",
};

const plan = z.looseObject({
  kind: z.string(),
  text: z.string().catch(""),
  prepared: z.boolean().catch(false),
  origin: z.string().catch("session"),
  endOfTurn: z
    .object({ probability: z.number(), waitMs: z.number(), reasons: z.array(z.string()) })
    .optional()
    .catch(undefined),
});

const origins: Readonly<Record<string, string>> = {
  service: "which the service has begun by itself",
  "taken-over": "which another host left unsaid",
  noise: "which a sound without words has stopped",
  "lost-connection": "again, on a new connection",
};

/** One line for each decision, but a single one for all timers that are stopped; most that are cleared did not run. */
export function effectsInWords(effects: readonly Effect[], stopped: readonly string[]): readonly string[] {
  const lines = effects.filter(({ type }) => type !== "clear-timer").map(effectInWords);
  if (stopped.length > 0) lines.push(`Wait no longer for: ${stopped.map(timerInWords).join("; ")}`);
  return lines.length === 0 ? ["Nothing to do"] : lines;
}

function effectInWords(effect: Effect): string {
  const { type, ...values } = effect;
  const text = (name: string): string => (typeof values[name] === "string" ? values[name] : "");
  switch (type) {
    case "begin-reply":
      return replyInWords(values["plan"]);
    case "say-filler":
      return "Say a filler, because the model is slow";
    case "prepare-reply":
      return `Prepare an answer to “${text("text")}”`;
    case "discard-prepared":
      return "Drop the prepared answer";
    case "hold-playout":
      return "Pause what the agent says";
    case "resume-playout":
      return "Go on with what the agent says";
    case "cancel-reply":
      return `Cancel the reply, because ${cancelReasons[text("reason")] ?? text("reason")}`;
    case "refuse-response":
      return "Refuse the answer that the service begins by itself";
    case "keep-words":
      return `Keep “${text("text")}” for the history`;
    case "publish-words":
      return `Take “${text("text")}” for what the caller said`;
    case "refuse-line":
      return "Do not say the operator’s line, and report that";
    case "report-silence":
      return "Report that the agent was not heard";
    case "flush-recogniser":
      return "Ask the recogniser for its last words";
    case "set-timer":
      return `In ${durationInWords(Number(values["delayMs"]))}: ${timerInWords(text("timer"))}`;
    case "give-up-model":
      return "Give the realtime model up";
    case "end-session":
      return `End the conversation, because ${endingInWords(text("reason"))}`;
    default:
      return `${displayName(type)}${Object.keys(values).length === 0 ? "" : `: ${factsInWords(values)}`}`;
  }
}

function replyInWords(value: unknown): string {
  const read = plan.safeParse(value);
  if (!read.success) return "Say something";
  const { kind, text, prepared, origin, endOfTurn } = read.data;
  const what = replyKindInWords(kind);
  const words = text === "" ? "" : kind === "answer" ? ` to “${text}”` : ` “${text}”`;
  const details = [
    origins[origin] ?? [],
    prepared ? "as it was prepared, if it was" : [],
    endOfTurn === undefined ? [] : whyNow(endOfTurn),
  ].flat();
  return `Say ${what}${words}${details.length === 0 ? "" : `, ${details.join("; ")}`}`;
}

function whyNow({ probability, waitMs, reasons }: NonNullable<z.infer<typeof plan>["endOfTurn"]>): string {
  const because = reasons.map(reasonOfWaitInWords).join(", ");
  return `after ${durationInWords(waitMs)}, ${Math.round(probability * 100)} % sure that the caller had finished${because === "" ? "" : ` (${because})`}`;
}
