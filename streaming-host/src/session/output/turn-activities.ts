/** The activities of one reply with their times on the session clock: model requests, tool calls, synthesis. */
import type { ModelUsage } from "@voice/provider-kit/ports/language-model";
import type { Attributes } from "@voice/shared/telemetry/telemetry";

export interface TurnActivity {
  readonly part: "recognition" | "model" | "tool" | "synthesis";
  /** The name of the span: one of a small set, including the model's or the tool's name. */
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Absent if the activity succeeded, or was cancelled with its reply. */
  readonly errorType?: string | undefined;
}

export interface OpenActivity {
  /** Only the first call counts. */
  end(endMs: number, outcome?: { readonly attributes?: Attributes; readonly errorType?: string | undefined }): void;
}

export class TurnActivities {
  readonly #done: TurnActivity[] = [];
  readonly #open = new Set<OpenActivity>();

  get all(): readonly TurnActivity[] {
    return this.#done;
  }

  add(activity: TurnActivity): void {
    this.#done.push(activity);
  }

  begin(activity: Omit<TurnActivity, "endMs" | "errorType">): OpenActivity {
    const open: OpenActivity = {
      end: (endMs, { attributes = {}, errorType } = {}) => {
        if (!this.#open.delete(open)) return;
        this.add({ ...activity, endMs, attributes: { ...activity.attributes, ...attributes }, errorType });
      },
    };
    this.#open.add(open);
    return open;
  }

  /** The reply is over, which ends its remaining activities. */
  close(endMs: number): void {
    for (const open of this.#open) open.end(endMs, { attributes: { "voice.cancelled": true } });
  }
}

/** The usage as attributes of OpenTelemetry's GenAI conventions. */
export function usageOf({ inputTokens, outputTokens, cachedTokens }: ModelUsage): Attributes {
  return {
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    ...(cachedTokens === undefined ? {} : { "gen_ai.usage.cache_read.input_tokens": cachedTokens }),
  };
}
