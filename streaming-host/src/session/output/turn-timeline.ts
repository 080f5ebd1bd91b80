/** The times of one turn's events in milliseconds after its anchor, and its amounts: the latency waterfall for operators. */
import type { EndOfTurnEstimate, EndOfTurnReason } from "@voice/provider-kit/ports/end-of-turn";
import type { ModelUsage } from "@voice/provider-kit/ports/language-model";
import { isUnknownTool } from "@voice/shared/tools/run-tools";
import { TurnActivities } from "./turn-activities.ts";

/** When something happened, in milliseconds after the anchor. */
export const turnMoments = [
  /** The recogniser's final arrived. */
  "recognised_ms",
  /** The answer was prepared before its turn ended. Absent if the prepared answer was not used. */
  "prepared_ms",
  /** The turn was considered over. */
  "end_of_turn_ms",
  "model_first_token_ms",
  "first_clause_ms",
  /** The synthesiser delivered its first audio. */
  "synthesis_first_audio_ms",
  /** A filler was played, because the answer took long (FILL-1). */
  "filler_ms",
  /** The first frame of the answer was sent to the peer: the latency that the caller notices. */
  "first_audio_ms",
  /** The answer was heard in full, or cut off. */
  "reply_over_ms",
] as const;

/** How much there was of something; milliseconds are durations here. */
const turnAmounts = [
  /** The silence that the estimator required, and its probability that the caller had finished (0 to 1). */
  "wait_ms",
  "end_of_turn_probability",
  /** Time spent in tools. */
  "tools_ms",
  "input_tokens",
  /** The input tokens that the service had cached from an earlier request. */
  "cached_tokens",
  "output_tokens",
  /** Tokens for summaries of older history, since the previous turn. */
  "summary_tokens",
  /** Prepared answers that were discarded because the caller's final text differed. */
  "preparations_discarded",
  /** Clauses in which a guardrail was hit. */
  "guardrail_hits",
] as const;

export const turnMarks = [...turnMoments, ...turnAmounts];

type TurnMoment = (typeof turnMoments)[number];
type TurnAmount = (typeof turnAmounts)[number];
export type TurnMark = TurnMoment | TurnAmount;

/** The part of a tool call that is timed. */
interface TimedToolCall {
  readonly call: { readonly id: string; readonly name: string };
  readonly result: unknown;
  readonly status: "success" | "error";
  readonly durationMs: number;
}

export class TurnTimeline {
  readonly activities = new TurnActivities();
  /** Times on the session clock. */
  readonly #reached: Partial<Record<TurnMoment, number>> = {};
  readonly #amounts: Partial<Record<TurnAmount, number>> = {};

  #why: readonly EndOfTurnReason[] = [];

  /** The reasons for ending the turn at that time. */
  get why(): readonly EndOfTurnReason[] {
    return this.#why;
  }

  explain({ waitMs, probability, reasons }: EndOfTurnEstimate): void {
    this.add("wait_ms", waitMs);
    this.add("end_of_turn_probability", probability);
    this.#why = reasons;
  }

  /** Only the first time counts. */
  reach(mark: TurnMoment, atMs: number): void {
    this.#reached[mark] ??= atMs;
  }

  add(mark: TurnAmount, amount: number): void {
    this.#amounts[mark] = (this.#amounts[mark] ?? 0) + amount;
  }

  addUsage({ inputTokens, outputTokens, cachedTokens }: ModelUsage): void {
    if (cachedTokens !== undefined) this.add("cached_tokens", cachedTokens);
    this.add("input_tokens", inputTokens);
    this.add("output_tokens", outputTokens);
  }

  /** These tools ran concurrently and have just finished. */
  addTools(calls: readonly TimedToolCall[], nowMs: number): void {
    const longestMs = Math.max(0, ...calls.map(({ durationMs }) => durationMs));
    this.add("tools_ms", longestMs);
    const startMs = nowMs - longestMs;
    for (const { call, result, status, durationMs } of calls) {
      const tool = isUnknownTool(result) ? "unknown" : call.name;
      this.activities.add({
        part: "tool",
        name: `execute_tool ${tool}`,
        startMs,
        endMs: startMs + durationMs,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": tool,
          "gen_ai.tool.call.id": call.id,
        },
        errorType: status === "error" ? "tool_failed" : undefined,
      });
    }
  }

  /** A prepared answer begins before its turn ends, so the anchor is set last. */
  since(anchorMs: number): Record<string, number> {
    const tenths = (value: number): number => Math.round(value * 10) / 10;
    const hundredths = (value: number): number => Math.round(value * 100) / 100;
    return {
      ...Object.fromEntries(Object.entries(this.#reached).map(([mark, atMs]) => [mark, tenths(atMs - anchorMs)])),
      ...Object.fromEntries(Object.entries(this.#amounts).map(([mark, amount]) => [mark, hundredths(amount)])),
    };
  }
}
