/**
 * Trains the text part of the end-of-turn estimator and writes its weights. The data are the catalog's own: every example
 * sentence of every built-in agent, and what callers say in the dialogues. A whole sentence is one that is over; each of its
 * beginnings that is not itself such a sentence is one that is not.
 *
 * `node local/end-of-turn/train-cli.ts` first learns from half of the agents and says how it judges the others', then learns
 * from all and writes `provider-kit/src/end-of-turn/text-weights.ts`.
 */
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textFeatures } from "@voice/provider-kit/end-of-turn/text-features";
import { toWords } from "@voice/provider-kit/end-of-turn/spoken-words";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDir } from "@voice/shared/demo/demo";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { readToolArguments } from "../command-line/tool-arguments.ts";

readToolArguments({
  name: "node local/end-of-turn/train-cli.ts",
  help: `Trains the text part of the end-of-turn estimator on the built-in agents, says how it judges those it has not seen,
and writes provider-kit/src/end-of-turn/text-weights.ts. It has no options.`,
  config: {},
});

interface Sample {
  readonly features: readonly string[];
  readonly isOver: boolean;
  readonly weight: number;
}

/** Shorter ones are answers to questions: whether they are whole is a matter of what was asked. */
const fewestWords = 3;
const passes = 60;
const learningRate = 0.1;
/** Against learning single sentences by heart. */
const decay = 3e-4;
/** What stands in an example for a value. */
const values: Readonly<Record<string, string>> = { digits: "four one two", amount: "fifty dollars", date: "tomorrow" };

async function readSentences(): Promise<{ readonly group: string; readonly words: string[] }[]> {
  const catalog = await loadCatalog(
    demoCatalogDirs,
    { tools: demoTools, mcpServers: [] },
    { language: catalogLanguage },
  );
  const examples = [...catalog.agents.values()].flatMap(({ name, examples: sentences }) =>
    sentences.map((sentence) => ({ group: name, words: toWords(fillIn(sentence)) })),
  );
  const scenarios = join(demoCatalogDir, "scenarios");
  const files = (await readdir(scenarios)).filter((file) => file.endsWith(".dialogue.yaml"));
  const lines = await Promise.all(
    files.map(async (file) =>
      [...(await readFile(join(scenarios, file), "utf8")).matchAll(/^ +- say: (.+)$/gm)].map(([, said = ""]) => ({
        group: file.startsWith("insurance") ? "claims-intake" : "banking-concierge",
        words: toWords(said),
      })),
    ),
  );
  return [...examples, ...lines.flat()].filter(({ words }) => words.length >= fewestWords);
}

function fillIn(example: string): string {
  return example.replaceAll(/\{\s*([\w-]+)[^}]*\}/g, (_slot, name: string) => values[name] ?? "savings");
}

function toSamples(sentences: readonly string[][]): Sample[] {
  const whole = new Map(sentences.map((words) => [words.join(" "), words]));
  const beginnings = new Map<string, string[]>();
  for (const words of whole.values())
    for (let count = 2; count < words.length; count++) {
      const beginning = words.slice(0, count);
      if (!whole.has(beginning.join(" "))) beginnings.set(beginning.join(" "), beginning);
    }
  const weight = beginnings.size / whole.size; // both kinds count alike
  return [
    ...[...whole.values()].map((words) => ({ features: textFeatures(words), isOver: true, weight })),
    ...[...beginnings.values()].map((words) => ({ features: textFeatures(words), isOver: false, weight: 1 })),
  ];
}

/** Logistic regression by gradient descent, in a fixed order: the same data give the same weights. */
function train(samples: readonly Sample[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (let pass = 0; pass < passes; pass++) {
    const rate = learningRate / (1 + pass / 10);
    for (let index = 0; index < samples.length; index++) {
      const sample = samples[(index * 7919) % samples.length];
      if (sample === undefined) continue;
      const error = (sample.isOver ? 1 : 0) - probabilityOf(weights, sample.features);
      for (const feature of sample.features) {
        const weight = weights.get(feature) ?? 0;
        weights.set(feature, weight + rate * (error * Math.min(sample.weight, 4) - decay * weight * 10));
      }
    }
  }
  return weights;
}

function probabilityOf(weights: ReadonlyMap<string, number>, features: readonly string[]): number {
  const nats = features.reduce((sum, feature) => sum + (weights.get(feature) ?? 0), 0);
  return 1 / (1 + Math.exp(-nats));
}

function judge(weights: ReadonlyMap<string, number>, samples: readonly Sample[]): string {
  const share = (isOver: boolean): string => {
    const some = samples.filter((sample) => sample.isOver === isOver);
    const right = some.filter(({ features }) => probabilityOf(weights, features) > 0.5 === isOver);
    return `${right.length} of ${some.length} (${Math.round((100 * right.length) / some.length)} %)`;
  };
  return `whole sentences ${share(true)}, beginnings ${share(false)}`;
}

const sentences = await readSentences();
const isInsurance = (group: string): boolean => /claims|insurance|policy|subrogation/.test(group);
const wordsOf = (pick: (group: string) => boolean): string[][] =>
  sentences.filter(({ group }) => pick(group)).map(({ words }) => words);
const common = new Set(wordsOf((group) => !isInsurance(group)).map((words) => words.join(" ")));
const foreign = wordsOf(isInsurance).filter((words) => !common.has(words.join(" ")));
const taught = toSamples(wordsOf((group) => !isInsurance(group)));
const halfTaught = train(taught);
process.stdout.write(`learned from ${taught.length} texts of the bank's agents: ${judge(halfTaught, taught)}\n`);
process.stdout.write(`on the insurance's, which it has not seen: ${judge(halfTaught, toSamples(foreign))}\n`);

const weights = train(toSamples(sentences.map(({ words }) => words)));
const lines = [...weights]
  .filter(([, weight]) => Math.abs(weight) >= 0.05)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([feature, weight]) => `  ${JSON.stringify(feature)}: ${weight.toFixed(2)},`);
await writeFile(
  new URL("../../provider-kit/src/end-of-turn/text-weights.ts", import.meta.url),
  `/** Written by \`local/end-of-turn/train-cli.ts\`: what each feature of a text is worth, in nats, for its being whole. */\nexport const textWeights: Readonly<Record<string, number>> = {\n${lines.join("\n")}\n};\n`,
);
