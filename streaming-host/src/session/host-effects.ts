/** What a tool asks of the host beyond the conversation, and how it went. */
import type { ToolEffect } from "@voice/shared/tools/tool";
import type { EffectWords } from "./turn/turn-effects.ts";

export type HostEffect =
  | Exclude<ToolEffect, { type: "handoff" }>
  /** What another host began with this call; it is gone, and somebody has to wait for the outcome. */
  | { readonly type: "await-resumption" }
  | { readonly type: "await-transfer"; readonly operationContext: string };

/** The reason is for people: it completes "I could not, because …". */
export type EffectOutcome =
  | { readonly ok: true }
  /** `isUnderWay`: the same was asked for before and is not decided yet. */
  | { readonly ok: false; readonly reason: string; readonly isUnderWay?: boolean };

/** The caller waits with the network's music in their ear. */
export function isHold({ type }: HostEffect): boolean {
  return type === "hold" || type === "await-resumption";
}

/** EFFECT-4: what the caller is told about it; undefined where they notice by themselves. */
export function effectWords({ type }: HostEffect, outcome: EffectOutcome): EffectWords | undefined {
  switch (type) {
    case "hold":
    case "await-resumption":
      return outcome.ok ? "resumption" : "regret-hold";
    case "transfer":
    case "escalate":
    case "await-transfer":
      if (outcome.ok) return undefined;
      return outcome.isUnderWay === true ? "patience" : "regret";
    case "send-dtmf":
      return outcome.ok ? undefined : "regret-keys";
    case "hang-up":
      return undefined;
  }
}
