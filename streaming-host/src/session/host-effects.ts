/** What a tool asks of the host beyond the conversation, and how it went. */
import type { ToolEffect } from "@voice/shared/tools/tool";

export type HostEffect = Exclude<ToolEffect, { type: "handoff" }>;

/** The reason is for people: it completes "I could not, because …". */
export type EffectOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: string };
