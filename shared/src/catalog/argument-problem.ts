/** What is wrong with a value that a file assigns to a tool's argument. */
import { z } from "zod";
import type { KnownTool } from "./known-tools.ts";

/**
 * Undefined if the tool accepts one of the possible readings of the value; text in a rule may stand for a number. Only complete values are
 * compared, because dialogues may contain a part of an object.
 */
export function argumentProblem(
  { parameters }: KnownTool,
  argument: string,
  ...readings: readonly unknown[]
): string | undefined {
  const schema = parameters.shape[argument];
  const [first] = readings;
  if (schema === undefined || typeof first === "object") return undefined;
  const parsed = readings.map((reading) => z.safeParse(schema, reading));
  if (parsed.some(({ success }) => success)) return undefined;
  return `${JSON.stringify(first)} does not fit: ${parsed[0]?.error?.issues[0]?.message ?? "another type"}`;
}
