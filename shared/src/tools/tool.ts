/**
 * What an agent can do besides talking. A tool is defined once, with a zod schema, from which the model's JSON Schema
 * is derived.
 */
import type { z } from "zod";
import type { Clock } from "../platform/clock.ts";
import type { Customer } from "./customer.ts";
import type { IdentityChecks } from "./identity/identity-checks.ts";

/** Things only the host can do. It must carry them out or report to the model and the caller that it could not. */
export type ToolEffect =
  | {
      readonly type: "handoff";
      readonly to: string;
      readonly reason: string;
      readonly context: Readonly<Record<string, unknown>>;
      /** The tool by which the edge is found; the generic one if absent. */
      readonly trigger?: string | undefined;
    }
  /** `introduction`: told to the person who answers, before the caller is connected (EFFECT-11). */
  | {
      readonly type: "transfer";
      readonly target: string;
      readonly reason: string;
      readonly introduction?: string | undefined;
    }
  | { readonly type: "escalate"; readonly reason: string; readonly introduction?: string | undefined }
  /** The network's music for this long, unless something ends it before. */
  | { readonly type: "hold"; readonly seconds: number }
  | { readonly type: "send-dtmf"; readonly digits: string }
  | { readonly type: "hang-up"; readonly reason: string };

/** Effects on the call itself, and not only on which agent speaks. */
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
  /** What the agent speaks; English where absent. */
  readonly language?: string | undefined;
  /** Where the caller is; UTC where absent. */
  readonly timeZone?: string | undefined;
}

export interface ToolOutcome {
  /** Told to the model; JSON. By convention `success: boolean` plus what the agent needs to say. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Merged into the session's memory. */
  readonly memory?: Readonly<Record<string, unknown>> | undefined;
  readonly effects?: readonly ToolEffect[] | undefined;
}

/** Words of the tool's own, or the service's usual ones in the language that is spoken. */
export type SlowNotice = string | typeof usualNotice;
export const usualNotice = { isUsual: true } as const;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodObject;
  /** For tools with a foreign schema (MCP); otherwise it is derived from `parameters`. */
  readonly jsonSchema?: Readonly<Record<string, unknown>> | undefined;
  /** All that a result may have, besides whether it succeeded and why not; absent where nobody has said it. */
  readonly resultFields?: readonly string[] | undefined;
  readonly timeoutMs: number;
  /** What happens if the caller interrupts the call: a query is cancelled, a booking finishes and is kept. */
  readonly onInterruption: "cancel" | "finish";
  /**
   * It leaves something in the session that others of its kind read: attempts, a blocked card. Of such calls in one step,
   * each begins when the one before it is done and sees what it left; the others run side by side.
   */
  readonly takesTurns?: boolean | undefined;
  /** Said when the tool takes longer than a listener would accept in silence. */
  readonly slowNotice?: SlowNotice | undefined;
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolOutcome>;
}
