/**
 * What an agent can do besides talking. A tool is defined once, with a zod schema, from which the model's JSON Schema
 * is derived.
 */
import type { z } from "zod";
import type { Clock } from "../platform/clock.ts";
import type { Customer } from "./customer.ts";
import type { IdentityChecks } from "./identity/identity-checks.ts";

/** Effects that only the host can carry out. It must do so, or report to the model and the caller that it could not. */
export type ToolEffect =
  | {
      readonly type: "handoff";
      readonly to: string;
      readonly reason: string;
      readonly context: Readonly<Record<string, unknown>>;
      /** The tool that identifies the edge; the generic one if absent. */
      readonly trigger?: string | undefined;
    }
  /** `introduction`: spoken to the person who answers, before the caller is connected (EFFECT-11). */
  | {
      readonly type: "transfer";
      readonly target: string;
      readonly reason: string;
      readonly introduction?: string | undefined;
    }
  | { readonly type: "escalate"; readonly reason: string; readonly introduction?: string | undefined }
  /** Plays the network's music for this long, unless something ends it earlier. */
  | { readonly type: "hold"; readonly seconds: number }
  | { readonly type: "send-dtmf"; readonly digits: string }
  | { readonly type: "hang-up"; readonly reason: string };

/** Effects on the call itself, not only on which agent speaks. */
export type CallEffect = Exclude<ToolEffect, { type: "handoff" }>;

export interface ToolContext {
  readonly sessionId: string;
  readonly turnId: string;
  readonly agent: string;
  readonly memory: Readonly<Record<string, unknown>>;
  /** Aborted by the time-out, and by an interruption when the tool's policy is `cancel`. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The customer for whom the tools act. */
  readonly customer?: Customer | undefined;
  readonly checks: IdentityChecks;
  /** The names of the sources that the agent may search; none if absent. */
  readonly knowledge?: readonly string[] | undefined;
  /** The language that the agent speaks; English if absent. */
  readonly language?: string | undefined;
  /** The caller's time zone; UTC if absent. */
  readonly timeZone?: string | undefined;
}

export interface ToolOutcome {
  /** Sent to the model as JSON. By convention it has `success: boolean` plus what the agent needs to say. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Merged into the session's memory. */
  readonly memory?: Readonly<Record<string, unknown>> | undefined;
  readonly effects?: readonly ToolEffect[] | undefined;
  /** The tool could not do its work, which is reported to operators; absent if it has answered, even if the answer is no. */
  readonly isFault?: true | undefined;
}

/** The tool's own text, or the service's default in the language of the conversation. */
export type SlowNotice = string | typeof usualNotice;
export const usualNotice = { isUsual: true } as const;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodObject;
  /** For tools with a foreign schema (MCP); otherwise it is derived from `parameters`. */
  readonly jsonSchema?: Readonly<Record<string, unknown>> | undefined;
  /**
   * All fields that a result may have, besides whether it succeeded and why not; absent if the tool does not declare
   * them.
   */
  readonly resultFields?: readonly string[] | undefined;
  readonly timeoutMs: number;
  /** What happens if the caller interrupts the call: a query is cancelled, a booking finishes and its result is stored. */
  readonly onInterruption: "cancel" | "finish";
  /**
   * The tool changes something in the session that similar tools read, such as attempts or a blocked card. Such calls of one step run one
   * after the other, so that each sees the change of the previous one; other calls run in parallel.
   */
  readonly takesTurns?: boolean | undefined;
  /**
   * Although it must finish, running it again does nothing twice: it changes nothing itself, and the effect that it requests is carried out
   * only after the caller has heard of it.
   */
  readonly isRepeatable?: boolean | undefined;
  /** Whoever offers it does not say whether it changes something. Then it counts as if it did. */
  readonly hasUnknownEffect?: boolean | undefined;
  /** It changes something, and calling it again with the same arguments changes nothing more. */
  readonly isIdempotent?: boolean | undefined;
  /** Said when the tool takes longer than a listener would accept in silence. */
  readonly slowNotice?: SlowNotice | undefined;
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolOutcome>;
}

/** It leaves something behind that must not be done twice. */
export function hasLastingEffect({
  onInterruption,
  isRepeatable,
}: Pick<Tool, "onInterruption" | "isRepeatable">): boolean {
  return onInterruption === "finish" && isRepeatable !== true;
}
