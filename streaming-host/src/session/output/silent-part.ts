/** What a silent agent is waiting for (FAIL-1, FAIL-3). Pure. */
import type { ErrorCode } from "@voice/shared/platform/errors";

export interface SilentPart {
  readonly part: "model" | "realtime-model" | "tool" | "voice";
  readonly code: ErrorCode;
  /** For operators. */
  readonly reason: string;
}

/** Length limit of the tool names. A model chooses the tools, but only those of the agent. */
const longestNames = 100;

export function silentTools(names: readonly string[]): SilentPart {
  const listed = names.join(", ").slice(0, longestNames);
  return {
    part: "tool",
    code: "upstream_timeout",
    reason: nothingFrom(`the tool${names.length === 1 ? "" : "s"} ${listed}`),
  };
}

export const silentModel: SilentPart = {
  part: "model",
  code: "upstream_timeout",
  reason: nothingFrom("the language model"),
};
export const silentVoice: SilentPart = {
  part: "voice",
  code: "upstream_timeout",
  reason: nothingFrom("the agent's voice"),
};
export const silentRealtimeModel: SilentPart = {
  part: "realtime-model",
  code: "upstream_unavailable",
  reason: nothingFrom("the realtime model"),
};

function nothingFrom(what: string): string {
  return `nothing came from ${what} in time`;
}
