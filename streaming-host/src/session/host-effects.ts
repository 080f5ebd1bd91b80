/** What a tool asks of the host beyond the conversation, and how it went. */
import type { AskedEffect } from "../pipeline/asked-effects.ts";

export type HostEffect = AskedEffect;

/** The reason is for people: it completes "I could not, because …". */
export type EffectOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: string };
