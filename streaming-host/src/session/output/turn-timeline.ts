/** When what happened in one turn, in milliseconds after its anchor: the latency waterfall that operators read. */
import type { EndOfTurnEstimate, EndOfTurnReason } from "@voice/provider-kit/ports/end-of-turn";
import type { ModelUsage } from "@voice/provider-kit/ports/language-model";
import { TurnActivities } from "./turn-activities.ts";

export const turnMarks = [
  /** The recogniser's final arrived. */
  "recognised_ms",
  /** The answer was begun, before its turn was over. Absent where what was prepared was not used. */
  "prepared_ms",
  /** How much silence the estimator asked for, and how sure it was that the caller had finished (0 to 1). */
  "wait_ms",
  "end_of_turn_probability",
  /** The turn was taken to be over. */
  "end_of_turn_ms",
  "model_first_token_ms",
  "first_clause_ms",
  /** The synthesiser gave its first audio. */
  "synthesis_first_audio_ms",
  /** A filler was heard: the answer took long (FILL-1). */
  "filler_ms",
  /** The first frame of the answer left for the peer: what the caller felt. */
  "first_audio_ms",
  /** It was heard to its end, or cut off. */
  "reply_over_ms",
  /** Time spent in tools; a duration, not a moment. */
  "tools_ms",
  "input_tokens",
  /** Of the input tokens: what the service had kept from an earlier request. */
  "cached_tokens",
  "output_tokens",
  /** Read and written for the summary of what was long ago, since the turn before. */
  "summary_tokens",
  /** Answers that were prepared for what the caller then did not say, or not as the whole. */
  "preparations_discarded",
  /** Clauses in which the agent was about to say what it may not. */
  "guardrail_hits",
] as const;

export type TurnMark = (typeof turnMarks)[number];

/** As much of a tool call as takes time. */
interface TimedToolCall {
  readonly call: { readonly id: string; readonly name: string };
  readonly status: "success" | "error";
  readonly durationMs: number;
}

export class TurnTimeline {
  readonly activities = new TurnActivities();
  /** Moments on the session clock. */
  readonly #reached = new Map<TurnMark, number>();
  readonly #amounts = new Map<TurnMark, number>();

  #why: readonly EndOfTurnReason[] = [];

  /** Why the turn was taken to be over when it was. */
  get why(): readonly EndOfTurnReason[] {
    return this.#why;
  }

  explain({ waitMs, probability, reasons }: EndOfTurnEstimate): void {
    this.add("wait_ms", waitMs);
    this.add("end_of_turn_probability", probability);
    this.#why = reasons;
  }

  /** The first time counts. */
  reach(mark: TurnMark, atMs: number): void {
    if (!this.#reached.has(mark)) this.#reached.set(mark, atMs);
  }

  add(mark: TurnMark, amount: number): void {
    this.#amounts.set(mark, (this.#amounts.get(mark) ?? 0) + amount);
  }

  addUsage({ inputTokens, outputTokens, cachedTokens }: ModelUsage): void {
    if (cachedTokens !== undefined) this.add("cached_tokens", cachedTokens);
    this.add("input_tokens", inputTokens);
    this.add("output_tokens", outputTokens);
  }

  /** They ran beside each other and have just come back. */
  addTools(calls: readonly TimedToolCall[], nowMs: number): void {
    const longestMs = Math.max(0, ...calls.map(({ durationMs }) => durationMs));
    this.add("tools_ms", longestMs);
    const startMs = nowMs - longestMs;
    for (const { call, status, durationMs } of calls)
      this.activities.add({
        part: "tool",
        name: `execute_tool ${call.name}`,
        startMs,
        endMs: startMs + durationMs,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": call.name,
          "gen_ai.tool.call.id": call.id,
        },
        errorType: status === "error" ? "tool_failed" : undefined,
      });
  }

  /** A prepared answer begins before its turn ends, so the anchor is known last. */
  since(anchorMs: number): Record<string, number> {
    const tenths = (value: number): number => Math.round(value * 10) / 10;
    const hundredths = (value: number): number => Math.round(value * 100) / 100;
    return {
      ...Object.fromEntries([...this.#reached].map(([mark, atMs]) => [mark, tenths(atMs - anchorMs)])),
      ...Object.fromEntries([...this.#amounts].map(([mark, amount]) => [mark, hundredths(amount)])),
    };
  }
}
