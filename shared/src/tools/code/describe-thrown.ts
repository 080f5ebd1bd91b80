/**
 * What an exception of one's own code says, for whoever writes that code. It may quote a caller, so only a developer's own terminal shows it:
 * never in production, and never where the log goes elsewhere as well.
 */
import type { Settings } from "../../config/settings.ts";
import type { LogFields } from "../../platform/logger.ts";

const longestWords = 500;
const deepestCause = 3;

export type DescribeThrown = (error: unknown) => LogFields;

export const describesNothingThrown: DescribeThrown = () => ({});

export function describeThrownFor({
  environment,
  telemetry,
}: Pick<Settings, "environment" | "telemetry">): DescribeThrown {
  return environment === "development" && telemetry.length === 0
    ? (error) => ({ said: wordsOf(error, 0) })
    : describesNothingThrown;
}

function wordsOf(error: unknown, depth: number): string {
  if (!(error instanceof Error)) return String(error).slice(0, longestWords);
  const own = `${error.name}: ${error.message}`.slice(0, longestWords);
  if (error.cause === undefined || depth === deepestCause) return own;
  return `${own} (because of ${wordsOf(error.cause, depth + 1)})`;
}
