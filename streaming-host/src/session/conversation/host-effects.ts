/** Effects that a tool requests from the host beyond the conversation, and their outcomes. */
import type { RequestedEffect } from "../../pipeline/requested-effects.ts";
import type { EffectWords } from "../turn/turn-effects.ts";

export type HostEffect = RequestedEffect;

/** The reason is spoken to people: it completes "I could not, because …". */
export type EffectOutcome =
  | { readonly ok: true }
  /** `isUnderWay`: the same effect was requested before and has no outcome yet. */
  | { readonly ok: false; readonly reason: string; readonly isUnderWay?: boolean };

const announced: ReadonlySet<HostEffect["type"]> = new Set(["transfer", "escalate", "hold"]);

/** EFFECT-2: the effect has to be announced to the caller before it begins. */
export function isAnnounced({ type }: HostEffect): boolean {
  return announced.has(type);
}

/**
 * EFFECT-17: it is done only when the reply that asked for it was heard, so that a caller who speaks before that calls it off. A
 * conversation ends after the reply by itself; everything that is announced begins then.
 */
export function isDoneOnceHeard(effect: HostEffect): boolean {
  return effect.type === "hang-up" || isAnnounced(effect);
}

/** EFFECT-4: what the caller is told about it; undefined if they notice it anyway. */
export function effectWords({ type }: HostEffect, outcome: EffectOutcome): EffectWords | undefined {
  switch (type) {
    case "hold":
      return outcome.ok ? "resumption" : "regret-hold";
    case "transfer":
    case "escalate":
      if (outcome.ok) return undefined;
      return outcome.isUnderWay === true ? "patience" : "regret";
    case "send-dtmf":
      return outcome.ok ? undefined : "regret-keys";
    case "hang-up":
      return undefined;
  }
}
