/**
 * Limits the size of a tool's result. It becomes part of every later request to the model, and goes to watching
 * browsers and into the store; a result that fills the model's context ends the conversation.
 */

type Result = Readonly<Record<string, unknown>>;

/** About 2,000 tokens: a third of what a model is told of a conversation before older turns are summed up. */
export const defaultResultLimit = 8_000;

const note = "The result was too long. This is its beginning; ask the tool for less, or for one thing at a time.";

/** `limit`: characters of JSON. Whether the tool succeeded stays readable, whatever is cut. */
export function limitResult(result: Result, limit: number = defaultResultLimit): Result {
  const json = JSON.stringify(result);
  if (json.length <= limit) return result;
  const { success, error } = result;
  return {
    ...(typeof success === "boolean" && { success }),
    ...(typeof error === "string" && error.length <= limit && { error }),
    truncated: true,
    note,
    beginning: json.slice(0, limit),
  };
}
