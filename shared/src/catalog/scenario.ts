/** Which agents take part in a conversation, where it starts, and which agent may hand over to which. Never mutated. */
import type { WaitingSoundName } from "./waiting-sounds.ts";

import type { AfterCall } from "../contracts/agents/after-call-document.ts";

export type HandoffType = "announced" | "discrete";

export interface HandoffEdge {
  readonly from: string;
  readonly to: string;
  /** A named trigger that takes this edge; absent: the generic `handoff_to_agent`. */
  readonly tool?: string | undefined;
  /** `announced`: the new agent greets. `discrete`: it continues as if nothing had happened. */
  readonly type: HandoffType;
  /** Whether the new agent sees what was said before. */
  readonly shareContext: boolean;
  /** When to take it, as text for the model's prompt. */
  readonly condition?: string | undefined;
}

export interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly agents: readonly string[];
  readonly startAgent: string;
  readonly handoffs: readonly HandoffEdge[];
  /** The language if neither an agent nor the caller names one; if absent, the setting. */
  readonly language?: string | undefined;
  /** The languages among which agents without one of their own follow the caller (LANG-11). */
  readonly languages?: readonly string[] | undefined;
  /** The time zone in which "today" is meant, unless the session knows better; if absent, the setting. */
  readonly timeZone?: string | undefined;
  /** SOUND-1: of agents that name none; silence if absent. */
  readonly waitingSound?: WaitingSoundName | undefined;
  readonly templateVars: Readonly<Record<string, unknown>>;
  /** The notes that are made of its conversations, in addition to those that their agents name. */
  readonly afterCall?: AfterCall | undefined;
}
