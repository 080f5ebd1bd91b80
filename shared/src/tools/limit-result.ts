/**
 * Limits the size of a tool's result. A result becomes part of every later request to the model, and is sent to
 * watching browsers and to the store; one that fills the model's context would end the conversation.
 */

type Result = Readonly<Record<string, unknown>>;

/** About 2,000 tokens: a third of the conversation history that a model receives before older turns are summarised. */
export const defaultResultLimit = 8_000;

const note = "The result was too long. This is its beginning; ask the tool for less, or for one thing at a time.";

/** `limit`: characters of JSON. Whatever is cut, the result still says whether the tool succeeded. */
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
