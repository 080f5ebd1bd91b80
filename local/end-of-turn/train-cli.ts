/**
 * Trains the text model of the end-of-turn estimator and writes its weights. A turn that somebody said to an agent is complete; every
 * beginning of it is not. The files it learns from are not part of the repository; `docs/decisions/054-turns-end-as-people-end-them.md`
 * says which they were. The same files in the same order give the same weights.
 *
 * `node local/end-of-turn/train-cli.ts en coffee.tsv hotels.tsv` writes `provider-kit/src/end-of-turn/weights/en.ts`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { expectedAnswer } from "@voice/provider-kit/end-of-turn/expected-answer";
import { toWords } from "@voice/provider-kit/end-of-turn/to-words";
import { asFigures, textFeatures, wordHasher } from "@voice/provider-kit/end-of-turn/text-features";
import type { HashedWord } from "@voice/provider-kit/end-of-turn/text-features";
import { encodeWeight } from "@voice/provider-kit/end-of-turn/text-model";
import type { Expected } from "@voice/provider-kit/ports/end-of-turn";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { packOf } from "@voice/shared/languages/packs";
import { wholeNumber } from "../command-line/option-kinds.ts";
import { readToolArguments } from "../command-line/tool-arguments.ts";

const { positionals, values: options } = readToolArguments({
  name: "node local/end-of-turn/train-cli.ts",
  help: `Trains the text model of the end-of-turn estimator.

  node local/end-of-turn/train-cli.ts LANGUAGE [--bits 18] FILE ...

  LANGUAGE   en, de, …: writes provider-kit/src/end-of-turn/weights/LANGUAGE.ts
  FILE       a turn of a caller in each line: what the agent said before (or nothing), a tab, and what the caller said
  --bits     the model has 2 to the power of this many weights of one byte each (18)`,
  options: { bits: wholeNumber(1, 30).default(18) },
  allowPositionals: true,
});

interface Turn {
  readonly words: readonly HashedWord[];
  readonly asked: Expected["kind"];
}

/** A word that was said less often is known by its ending. */
const fewestOccurrences = 30;
const passes = 1;
const learningRate = 0.08;
/** The weight of an incomplete turn; that of a complete one is 1. A turn has eight beginnings on average, so both kinds count alike. */
const weightOfBeginning = 0.13;
/** The share of examples without the agent's question, because the question of some agents is not recognised. */
const shareUnasked = 0.1;
/** The weights are the mean of what they were during the last half of the training, which evens out the last turns' influence. */
const averageEvery = 500;
const mostWords = 64;
/** In nats; the largest weight that can be written is 44 times this. */
const step = 0.06;
/** What stands in an agent's example for a value. */
const values: Readonly<Record<string, string>> = { digits: "four one two", amount: "fifty dollars", date: "tomorrow" };

const bits = options.bits;
const [code = "", ...files] = positionals;
const pack = packOf(code);

/** The same numbers in every run (mulberry32). */
let state = 7;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let value = Math.imul(state ^ (state >>> 15), 1 | state);
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
  return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
}

async function readTurns(file: string): Promise<[agent: string, caller: string][]> {
  const lines = (await readFile(file, "utf8"))
    .split("\n")
    .filter((line) => line.includes("\t") && !line.startsWith("#"));
  return lines.map((line) => {
    const [agent = "", caller = ""] = line.split("\t");
    return [agent, caller];
  });
}

/** The built-in agents' examples: sentences that their callers say, too. */
async function readExamples(): Promise<[agent: string, caller: string][]> {
  const catalog = await loadCatalog(
    demoCatalogDirs,
    { tools: demoTools, mcpServers: [] },
    { language: catalogLanguage },
  );
  return [...catalog.agents.values()].flatMap(({ examples }) =>
    examples.map((example): [string, string] => [
      "",
      example.replaceAll(/\{\s*([\w-]+)[^}]*\}/g, (_slot, name: string) => values[name] ?? "savings"),
    ]),
  );
}

function frequentWordsOf(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of toWords(text)) {
      const written = asFigures(word) ?? word;
      counts.set(written, (counts.get(written) ?? 0) + 1);
    }
  return [...counts]
    .filter(([word, count]) => count >= fewestOccurrences && !word.startsWith("#"))
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([word]) => word);
}

/** In a random order, so that no source is learned last. */
function shuffle(turns: Turn[]): void {
  for (let index = turns.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    const [a, b] = [turns[index], turns[other]];
    if (a !== undefined && b !== undefined) [turns[index], turns[other]] = [b, a];
  }
}

/** Logistic regression with a learning rate for each weight, which falls with what the weight has been corrected by (AdaGrad). */
function train(turns: Turn[]): Float64Array {
  const weights = new Float64Array(2 ** bits);
  const squares = new Float64Array(2 ** bits).fill(1e-2);
  const sums = new Float64Array(2 ** bits);
  let averaged = 0;
  for (let pass = 0; pass < passes; pass++) {
    shuffle(turns);
    for (const [index, turn] of turns.entries()) {
      const kind = random() < shareUnasked ? "nothing" : turn.asked;
      for (let count = 1; count <= turn.words.length; count++) {
        const isComplete = count === turn.words.length;
        const features = textFeatures(turn.words, count, { kind, bits });
        const nats = features.reduce((sum, feature) => sum + (weights[feature] ?? 0), 0);
        const error = 1 / (1 + Math.exp(-nats)) - (isComplete ? 1 : 0);
        const gradient = error * (isComplete ? 1 : weightOfBeginning);
        for (const feature of features) {
          const square = (squares[feature] ?? 0) + gradient * gradient;
          squares[feature] = square;
          weights[feature] = (weights[feature] ?? 0) - (learningRate * gradient) / Math.sqrt(square);
        }
      }
      if (index % averageEvery > 0 || pass * turns.length + index < (passes * turns.length) / 2) continue;
      averaged++;
      for (let feature = 0; feature < sums.length; feature++)
        sums[feature] = (sums[feature] ?? 0) + (weights[feature] ?? 0);
    }
  }
  return sums.map((sum) => sum / averaged);
}

const read = [...(code === "en" ? await readExamples() : []), ...(await Promise.all(files.map(readTurns))).flat()];
const frequentWords = frequentWordsOf(read.map(([, caller]) => caller));
const hashWord = wordHasher(frequentWords);
const turns = read
  .map(([agent, caller]): Turn => ({ words: toWords(caller).map(hashWord), asked: expectedAnswer(agent, pack).kind }))
  .filter(({ words: all }) => all.length > 0 && all.length <= mostWords);
process.stdout.write(`learning from ${turns.length} turns, ${frequentWords.length} frequent words\n`);
const weights = train(turns);
const characters = Array.from(weights, (weight) => encodeWeight(weight, step)).join("");
const beyond = weights.filter((weight) => Math.abs(weight) > 44 * step).length;
await writeFile(
  new URL(`../../provider-kit/src/end-of-turn/weights/${code}.ts`, import.meta.url),
  `/** Generated by \`local/end-of-turn/train-cli.ts\`. */
import type { TextWeights } from "../text-model.ts";

export const weights: TextWeights = {
  step: ${step},
  frequentWords:
    ${JSON.stringify(frequentWords.join(" "))},
  weights:
    ${JSON.stringify(characters)},
};
`,
);
process.stdout.write(`${beyond} weights are larger than can be written\n`);
