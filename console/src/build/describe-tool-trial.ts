/** A trial of a tool in words. */
import type { ToolDescription, ToolTrialOutcome } from "@voice/shared/contracts/stream/tool-trial";
import { z } from "zod";

export const changeSentences = {
  something: "It changes something. What it does here is really done, as in a call, and nothing takes it back.",
  nothing: "It only reads: trying it changes nothing.",
  not_known: "Whether it changes something is not known, because its server does not say. It may be really done.",
} as const satisfies Record<ToolDescription["changes"], string>;

export const outcomeNames = {
  done: "Done",
  not_done: "It answered no, and nothing was done",
  failed: "It failed",
  timed_out: "It took too long",
  not_known: "Nobody knows whether it was done",
  invalid_arguments: "What it was given does not fit",
  needs_confirmation: "What it was given fits. It did not run",
  not_run: "It did not run",
} as const satisfies Record<ToolTrialOutcome["outcome"], string>;

export function describeLimit({ timeout_ms: timeoutMs, slow_notice: notice }: ToolDescription): string {
  const limit = `It may take ${timeoutMs / 1000} s.`;
  return notice === null
    ? `${limit} It says nothing while a caller waits.`
    : `${limit} A caller who waits hears “${notice}”`;
}

const said = z.looseObject({ message: z.string().optional(), note: z.string().optional() });

/** Why it is so, in the tool's words. */
export function reasonOf({ outcome, problem, result }: ToolTrialOutcome): string | undefined {
  if (problem !== null) return problem;
  if (outcome === "done" || result === null) return undefined;
  const { message, note } = said.catch({}).parse(result);
  return outcome === "not_known" ? (note ?? message) : message;
}
