/** The outcomes of a tool: done, not done, and not known, which is neither. */
import { packOf } from "../languages/packs.ts";
import type { Tool, ToolContext, ToolEffect, ToolOutcome } from "./tool.ts";

type Memory = Readonly<Record<string, unknown>>;
type Result = ToolOutcome["result"];

/** The `error` of a result that does not say whether anything was done. */
export const outcomeUnknown = "outcome_unknown";

export function succeeded(
  result: Readonly<Record<string, unknown>>,
  more: { readonly memory?: Memory; readonly effects?: readonly ToolEffect[] } = {},
): ToolOutcome {
  return { result: { success: true, ...result }, ...more };
}

/**
 * Nothing was done. `message` is a sentence that may be spoken to the caller unchanged. Values that must not be spoken
 * belong in `result`.
 */
export function failed(
  error: string,
  message: string,
  { result = {}, memory }: { readonly result?: Readonly<Record<string, unknown>>; readonly memory?: Memory } = {},
): ToolOutcome {
  const told = { success: false, error, message, ...result };
  return memory === undefined ? { result: told } : { result: told, memory };
}

/** Nothing was done, because the tool or what is behind it does not work; `failed` is the answer of a tool that works. */
export function faulted(...[error, message, more]: Parameters<typeof failed>): ToolOutcome {
  return { ...failed(error, message, more), isFault: true };
}

/**
 * It may have been done, or not (TOOL-2). `why`: a sentence for the model. `message` may be spoken to the caller; `note` says what the
 * model should do about it.
 */
export function unknownOutcome(
  why: string,
  { isIdempotent }: Pick<Tool, "isIdempotent">,
  { language }: Pick<ToolContext, "language">,
): ToolOutcome {
  const advice =
    isIdempotent === true
      ? "It may have been done all the same. Calling it again with the same arguments does nothing twice, so you may try once more."
      : "It may have been done all the same. Tell the caller that you cannot tell, and do not call it again unless the caller asks for that.";
  const result: Result = {
    success: false,
    error: outcomeUnknown,
    message: packOf(language).sentences.outcomeUnknown,
    note: `${why} ${advice}`,
  };
  return { result, isFault: true };
}

/** It was done, and nothing more is known about it (TOOL-5). `why`: what is wrong with the response. */
export function doneUnread(why: string, { language }: Pick<ToolContext, "language">): ToolOutcome {
  return succeeded({
    message: packOf(language).sentences.done,
    note: `It was done, but its answer ${why}, so there are no details. Do not do it again, and do not make details up.`,
  });
}
