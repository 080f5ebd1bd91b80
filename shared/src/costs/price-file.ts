/** The file of PRICES_FILE: the price of each service, where and since when it applies. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { parseYaml } from "../catalog/parse-yaml.ts";
import { placeProblems } from "../catalog/place-problems.ts";
import { problemLine, schemaProblems } from "../catalog/problems.ts";
import type { CatalogProblem } from "../catalog/problems.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { createPrices, noPrices } from "./prices.ts";
import type { Prices } from "./prices.ts";
import { billedParts } from "./usage.ts";

const amount = z.number().min(0);

const tokenPrices = z.strictObject({
  input: amount,
  cached_input: amount.optional(),
  audio_input: amount.optional(),
  cached_audio_input: amount.optional(),
  output: amount,
  audio_output: amount.optional(),
});

const priceSchema = z
  .strictObject({
    part: z.enum(billedParts),
    models: z.array(z.string().min(1)).min(1),
    per_million_tokens: tokenPrices.optional(),
    per_million_characters: amount.optional(),
    per_minute: amount.optional(),
    per_hour: amount.optional(),
    source: z.string().min(1),
    as_of: z.union([z.iso.date(), z.date().transform((date) => date.toISOString().slice(0, 10))], {
      error: ({ input }) => (input === undefined ? "is missing" : "expected a day such as 2026-03-21"),
    }),
  })
  .refine(
    (price) =>
      [price.per_million_tokens, price.per_million_characters, price.per_minute, price.per_hour].filter(
        (given) => given !== undefined,
      ).length === 1,
    "expected exactly one of per_million_tokens, per_million_characters, per_minute, per_hour",
  );

const priceFileSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, "expected three capital letters, such as USD"),
  prices: z.array(priceSchema).min(1),
});

export function parsePriceFile(file: string, text: string): Prices | readonly CatalogProblem[] {
  const problems: CatalogProblem[] = [];
  const raw = parseYaml(file, text, problems);
  if (raw === undefined) return problems;
  const parsed = priceFileSchema.safeParse(raw);
  if (!parsed.success) return placeProblems(schemaProblems(file, parsed.error, priceFileSchema), () => text);
  const { currency, prices } = parsed.data;
  const seen = new Set<string>();
  for (const [index, { part, models }] of prices.entries())
    for (const model of models) {
      if (seen.has(`${part} ${model}`))
        problems.push({ file, key: `prices.${index}.models`, message: `${model} has a price already` });
      seen.add(`${part} ${model}`);
    }
  return problems.length > 0 ? placeProblems(problems, () => text) : createPrices(currency, prices);
}

/** Without a file there are no prices. Throws a `ConfigurationError` that names the file and the key. */
export async function loadPrices(path: string | undefined): Promise<Prices> {
  if (path === undefined) return noPrices;
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    throw new ConfigurationError([`PRICES_FILE names a file that cannot be read: ${path}`]);
  }
  const prices = parsePriceFile(path, text);
  if (!("priceOf" in prices))
    throw new ConfigurationError(prices.map((problem) => `PRICES_FILE ${problemLine(problem)}`));
  return prices;
}
