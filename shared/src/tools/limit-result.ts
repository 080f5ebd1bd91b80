/**
 * Limits the size of a tool's result. A result becomes part of every later request to the model, and is sent to
 * watching browsers and to the store; one that fills the model's context would end the conversation.
 */

import { sizeOfJson } from "../platform/json-size.ts";

type Result = Readonly<Record<string, unknown>>;

/** About 2,000 tokens: a third of the conversation history that a model receives before older turns are summarised. */
export const defaultResultLimit = 8_000;

/** As deep as a request's body may be. Some thousands are more than the stack has room for when the result is written as JSON. */
const deepestResult = 64;

const tooLong = "The result was too long. This is its beginning; ask the tool for less, or for one thing at a time.";
const tooDeep = "The result was nested too deeply to be read.";

/** `limit`: characters of JSON. Whatever is cut, the result still says whether the tool succeeded. */
export function limitResult(result: Result, limit: number = defaultResultLimit): Result {
  const json = written(result);
  const isTooLong = json !== undefined && json.length > limit;
  if (json !== undefined && !isTooLong && sizeOfJson(json).depth <= deepestResult) return result;
  const { success, error } = result;
  return {
    ...(typeof success === "boolean" && { success }),
    ...(typeof error === "string" && error.length <= limit && { error }),
    truncated: true,
    note: isTooLong ? tooLong : tooDeep,
    ...(isTooLong && { beginning: json.slice(0, limit) }),
  };
}

/** Undefined if the stack is not deep enough for it. */
function written(result: Result): string | undefined {
  try {
    return JSON.stringify(result);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
