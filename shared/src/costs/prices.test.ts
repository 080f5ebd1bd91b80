import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { loadPrices, parsePriceFile } from "./price-file.ts";
import type { Prices } from "./prices.ts";
import { describeCost, describeUsage } from "./describe-usage.ts";
import { addUsage, totalCost } from "./usage.ts";

const head = "currency: USD\nprices:\n";

function pricesOf(yaml: string): Prices {
  const prices = parsePriceFile("prices.yaml", head + yaml);
  if (!("priceOf" in prices)) throw new Error(JSON.stringify(prices));
  return prices;
}

const price = (what: string, part = "language_model", model = "gpt-x") =>
  `  - { part: ${part}, models: [${model}], ${what}, source: a page, as_of: 2026-06-21 }\n`;

describe("what a use costs", () => {
  it("[COST-2d] is that of its tokens, cached ones at their own price, reasoning as output", () => {
    const prices = pricesOf(price("per_million_tokens: { input: 4, cached_input: 1, output: 16 }"));
    const used = { input_tokens: 1000, cached_tokens: 400, output_tokens: 100, reasoning_tokens: 60 };
    expect(prices.priceOf("language_model", "gpt-x", used)).toEqual({
      amount: (600 * 4 + 400 * 1 + 100 * 16) / 1e6,
      currency: "USD",
    });
  });

  it("[COST-2d] is that of audio tokens too, in and out, as realtime models report them", () => {
    const tokens =
      "input: 4, cached_input: 0.4, audio_input: 32, cached_audio_input: 0.5, output: 16, audio_output: 64";
    const prices = pricesOf(price(`per_million_tokens: { ${tokens} }`, "realtime_model"));
    const used = {
      input_tokens: 1000,
      audio_input_tokens: 300,
      cached_tokens: 500,
      cached_audio_tokens: 100,
      output_tokens: 200,
      audio_output_tokens: 150,
    };
    expect(prices.priceOf("realtime_model", "gpt-x", used)?.amount).toBeCloseTo(
      (300 * 4 + 400 * 0.4 + 200 * 32 + 100 * 0.5 + 50 * 16 + 150 * 64) / 1e6,
      12,
    );
  });

  it.each([
    ["per_hour: 1", "recognition", { audio_seconds: 36 }, 0.01],
    ["per_minute: 0.006", "recognition", { audio_seconds: 30 }, 0.003],
    ["per_million_characters: 15", "synthesis", { characters: 200, audio_seconds: 14 }, 0.003],
    ["per_minute: 0.015", "synthesis", { characters: 200, audio_seconds: 14 }, 0.0035],
    ["per_minute: 0.013", "telephony", { call_seconds: 90 }, 0.0195],
  ] as const)("[COST-2d] is %s of %s", (what, part, used, amount) => {
    expect(pricesOf(price(what, part)).priceOf(part, "gpt-x", used)?.amount).toBeCloseTo(amount, 12);
  });

  it("[COST-2a] is unknown, and not 0, for a model or a kind of token that has no price", () => {
    const prices = pricesOf(price("per_million_tokens: { input: 4, output: 16 }"));
    const used = { input_tokens: 10, output_tokens: 1 };
    expect(prices.priceOf("language_model", "gpt-y", used)).toBeUndefined();
    expect(prices.priceOf("realtime_model", "gpt-x", used)).toBeUndefined();
    expect(prices.priceOf("language_model", "gpt-x", { ...used, audio_output_tokens: 1 })).toBeUndefined();
    expect(prices.priceOf("language_model", "gpt-x", { characters: 5 })).toBeUndefined();
  });

  it("[COST-2d] is found for the dated name that a service answers with", () => {
    const prices = pricesOf(price("per_million_tokens: { input: 1, output: 0 }"));
    expect(prices.priceOf("language_model", "gpt-x-2026-03-05", { input_tokens: 1e6 })?.amount).toBe(1);
  });
});

describe("the price file", () => {
  it("[COST-2c] is refused with file and key where it cannot mean anything", () => {
    expect(
      parsePriceFile("prices.yaml", `${head}  - { part: languge_model, models: [a], per_hour: 1, sorce: x }`),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ file: "prices.yaml", key: "prices.0.part" }),
        expect.objectContaining({ key: "prices.0.source", message: "is missing" }),
        expect.objectContaining({ key: "prices.0.as_of", message: "is missing" }),
        { file: "prices.yaml", key: "prices.0.sorce", line: 3, message: 'unknown key (did you mean "source"?)' },
      ]),
    );
    expect(parsePriceFile("p.yaml", head + price("per_hour: 1, per_minute: 2", "recognition"))).toEqual([
      expect.objectContaining({ key: "prices.0", message: expect.stringContaining("exactly one") }),
    ]);
    const twice = price("per_hour: 1", "recognition");
    expect(parsePriceFile("p.yaml", head + twice + twice)).toEqual([
      expect.objectContaining({ file: "p.yaml", key: "prices.1.models", message: "gpt-x has a price already" }),
    ]);
  });

  it("[COST-2c] that is documented is one, and names a source and a date for each price", async () => {
    const path = new URL("../../../docs/prices.example.yaml", import.meta.url).pathname;
    const prices = await loadPrices(path);
    expect(prices.priceOf("telephony", "phone-inbound", { call_seconds: 60 })).toEqual({
      amount: 0.022,
      currency: "USD",
    });
    const text = await readFile(path, "utf8");
    expect(text.match(/source:/g)).toHaveLength(text.match(/part:/g)?.length ?? 0);
  });

  it("[COST-2c] that cannot be read is an error that names it, and none is no error", async () => {
    await expect(loadPrices("/nowhere/prices.yaml")).rejects.toThrow(/PRICES_FILE .*\/nowhere\/prices.yaml/);
    expect((await loadPrices(undefined)).priceOf("telephony", "phone-inbound", { call_seconds: 60 })).toBeUndefined();
  });
});

describe("usage", () => {
  const priced = { "synthesis|voice|clerk": { characters: 10, "cost:USD": 0.25 } };
  const unpriced = { "language_model|new|clerk": { input_tokens: 5, unpriced: 2, estimated: 1 } };

  it("[COST-2b] of which a part has no price says that its cost is not complete", () => {
    expect(totalCost(addUsage(priced, priced))).toEqual({ cost: { amount: 0.5, currency: "USD" }, isComplete: true });
    expect(describeCost(addUsage(priced, unpriced))).toEqual({ amount: 0.25, currency: "USD", is_complete: false });
    expect(describeCost(unpriced)).toBeNull();
    expect(describeCost({})).toBeNull();
  });

  it("[COST-6] is listed by part, model and agent", () => {
    expect(describeUsage(addUsage(priced, unpriced))).toEqual([
      {
        part: "synthesis",
        model: "voice",
        agent: "clerk",
        quantities: { characters: 10 },
        cost: { amount: 0.25, currency: "USD", is_complete: true },
        is_estimated: false,
      },
      {
        part: "language_model",
        model: "new",
        agent: "clerk",
        quantities: { input_tokens: 5 },
        cost: null,
        is_estimated: true,
      },
    ]);
  });

  it("[COST-5] in two currencies is not added up", () => {
    expect(totalCost({ "synthesis|v|a": { "cost:USD": 1 }, "synthesis|w|a": { "cost:EUR": 1 } }).cost).toBeUndefined();
  });
});
