/** What a use of a service costs. A service that is not in the price file has no price, which is not the same as 0. */
import type { BilledPart, Cost, Quantities } from "./usage.ts";

/** A price for tokens, characters, minutes or hours: exactly one of them. */
export interface Price {
  readonly part: BilledPart;
  readonly models: readonly string[];
  readonly per_million_tokens?: TokenPrices | undefined;
  readonly per_million_characters?: number | undefined;
  readonly per_minute?: number | undefined;
  readonly per_hour?: number | undefined;
}

interface TokenPrices {
  readonly input: number;
  /** If absent, cached tokens cost as much as others. */
  readonly cached_input?: number | undefined;
  readonly audio_input?: number | undefined;
  readonly cached_audio_input?: number | undefined;
  readonly output: number;
  readonly audio_output?: number | undefined;
}

export interface Prices {
  /** Undefined if this model is not listed, or if a price is missing for a kind of token that was used. */
  priceOf(part: BilledPart, model: string, quantities: Quantities): Cost | undefined;
}

export const noPrices: Prices = { priceOf: () => undefined };

const million = 1_000_000;

export function createPrices(currency: string, prices: readonly Price[]): Prices {
  const known = new Map(
    prices.flatMap((price) => price.models.map((model): [string, Price] => [`${price.part} ${model}`, price])),
  );
  return {
    priceOf(part, model, quantities) {
      const price = known.get(`${part} ${model}`) ?? known.get(`${part} ${undated(model)}`);
      const amount = price && amountOf(price, quantities);
      return amount === undefined ? undefined : { amount, currency };
    },
  };
}

/** Services report `gpt-4.1-mini-2025-04-14` for a model that was requested, and is priced, as `gpt-4.1-mini`. */
function undated(model: string): string {
  return model.replace(/-\d{4}-\d{2}-\d{2}$/, "");
}

function amountOf(price: Price, quantities: Quantities): number | undefined {
  const { characters, audio_seconds: audioSeconds, call_seconds: callSeconds } = quantities;
  if (price.per_million_tokens !== undefined) return tokensAmount(price.per_million_tokens, quantities);
  if (price.per_million_characters !== undefined)
    return characters === undefined ? undefined : (characters * price.per_million_characters) / million;
  const seconds = callSeconds ?? audioSeconds;
  if (seconds === undefined) return undefined;
  return price.per_hour === undefined ? (seconds * (price.per_minute ?? 0)) / 60 : (seconds * price.per_hour) / 3600;
}

function tokensAmount(price: TokenPrices, used: Quantities): number | undefined {
  const { input_tokens: input, output_tokens: output } = used;
  if (input === undefined && output === undefined) return undefined;
  const { cached_tokens: cached = 0, audio_input_tokens: audioIn = 0, audio_output_tokens: audioOut = 0 } = used;
  const cachedAudio = Math.min(used.cached_audio_tokens ?? 0, cached, audioIn);
  if ((audioIn > 0 && price.audio_input === undefined) || (audioOut > 0 && price.audio_output === undefined))
    return undefined;
  const cachedText = cached - cachedAudio;
  const text = Math.max(0, (input ?? 0) - audioIn - cachedText);
  const { audio_input: audioPrice = 0, audio_output: audioOutPrice = 0 } = price;
  return (
    (text * price.input +
      cachedText * (price.cached_input ?? price.input) +
      (audioIn - cachedAudio) * audioPrice +
      cachedAudio * (price.cached_audio_input ?? audioPrice) +
      ((output ?? 0) - audioOut) * price.output +
      audioOut * audioOutPrice) /
    million
  );
}
