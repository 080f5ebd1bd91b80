/** Asks any server of OpenAI's protocol for one answer, and tells what it cost. */
import type { Prices } from "@voice/shared/costs/prices";
import { addUsage, costIn, unpricedCount, usageKey } from "@voice/shared/costs/usage";
import type { Quantities, Usage } from "@voice/shared/costs/usage";
import { VoiceError } from "@voice/shared/platform/errors";
import { parseJson } from "@voice/shared/platform/parse-json";
import { z } from "zod";
import { problemOf } from "../doctor/problem-of.ts";

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface ChatModelOptions {
  /** `/v1` included. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly model: string;
  /** The role under which the costs are listed. */
  readonly role: "caller" | "judge";
  readonly prices: Prices;
  readonly seed: number | undefined;
}

export interface ChatModel {
  ask(messages: readonly ChatMessage[], schema?: AnswerSchema): Promise<string>;
  usage(): Usage;
}

export interface AnswerSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const timeoutMs = 60_000;

const answerSchema = z.object({
  model: z.string().optional(),
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
  usage: z
    .object({
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish(),
});

export function createChatModel({ baseUrl, key, model, role, prices, seed }: ChatModelOptions): ChatModel {
  let used: Usage = {};

  function count(name: string, quantities: Quantities): void {
    const cost = prices.priceOf("language_model", name, quantities);
    const priced = cost === undefined ? { [unpricedCount]: 1 } : { [costIn(cost.currency)]: cost.amount };
    const key = usageKey({ part: "language_model", model: name, agent: role });
    used = addUsage(used, { [key]: { ...quantities, ...priced } });
  }

  return {
    usage: () => used,
    async ask(messages, schema) {
      const unusable = (cause: unknown): never => {
        throw new VoiceError("upstream_unavailable", `the ${role}'s model ${model} cannot be asked at ${baseUrl}`, {
          cause,
          reason: problemOf(cause),
        });
      };
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({
          model,
          messages,
          ...(seed !== undefined && { seed }),
          ...(schema !== undefined && {
            response_format: { type: "json_schema", json_schema: { ...schema, strict: true } },
          }),
        }),
        signal: AbortSignal.timeout(timeoutMs),
      }).catch(unusable);
      if (!response.ok)
        throw new VoiceError(
          "upstream_unavailable",
          `the ${role}'s model ${model} answered ${response.status} at ${baseUrl}`,
          {
            reason: (await response.text().catch(unusable)).slice(0, 300),
          },
        );
      const answer = answerSchema.safeParse(parseJson(await response.text().catch(unusable)));
      if (!answer.success)
        throw new VoiceError(
          "upstream_unavailable",
          `the ${role}'s model ${model} gave no answer of OpenAI's protocol at ${baseUrl}`,
        );
      const { choices, usage, model: name = model } = answer.data;
      if (usage == null) count(name, {});
      else
        count(name, {
          input_tokens: usage.prompt_tokens,
          output_tokens: usage.completion_tokens,
          cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
        });
      return choices[0]?.message.content?.trim() ?? "";
    },
  };
}
