/** What became of a call, in the few kinds by which lists are filtered. */
import type { CallStatus } from "./call-status.ts";

export const callOutcomes = ["in_progress", "completed", "busy", "declined", "no_answer", "failed"] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** The failure codes that are an outcome of their own, because they say something about the person who was called. */
export const namedFailures = ["busy", "declined", "no_answer"] as const satisfies readonly CallOutcome[];

/** `completed`: there was a conversation with a person. */
export function callOutcomeOf(call: {
  readonly status: CallStatus;
  readonly failureCode?: string | undefined;
}): CallOutcome {
  if (call.status !== "disconnected" && call.status !== "failed") return "in_progress";
  const named = namedFailures.find((code) => code === call.failureCode);
  if (named !== undefined) return named;
  return call.status === "failed" || call.failureCode !== undefined ? "failed" : "completed";
}
