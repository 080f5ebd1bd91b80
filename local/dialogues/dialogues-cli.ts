/** `npm run dialogues`: holds the dialogues of the catalog. Exit code 0 only when all of them go as written. */
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { catalogFolders, knownToolsOf } from "@voice/shared/catalog/load-service-catalog";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { loadTools } from "@voice/shared/tools/load-tools";
import type { Tool } from "@voice/shared/tools/tool";
import { fliteVoices } from "@voice/local-voice/synthesiser/voices";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { createScaledClock } from "@voice/shared/platform/scaled-clock";
import { z } from "zod";
import { readToolArguments } from "../command-line/tool-arguments.ts";
import type { Dialogue } from "./dialogue.ts";
import type { OpenDialogueLine } from "./dialogue-line.ts";
import { holdDialogue, turnsOf } from "./hold-dialogue.ts";
import { countPrepared, preparedLine } from "../person/prepared-answers.ts";
import type { TurnMetrics } from "../person/reply.ts";
import { inParallel } from "./in-parallel.ts";
import { readDialogues } from "./read-dialogues.ts";
import { resultJson } from "./result-json.ts";
import { resultLines, tableHead, transcriptLines } from "./result-table.ts";
import type { SpokenLines } from "./spoken-lines.ts";
import { configuredModel, defaultsOfSettings, noModel } from "./configured-model.ts";
import type { DialogueModel } from "./configured-model.ts";
import { customersOf } from "./dialogue-customers.ts";
import type { DialogueCustomers } from "./dialogue-customers.ts";
import { dialogueSettings } from "./dialogue-settings.ts";
import { composeDialogueTools } from "./dialogue-tools.ts";
import { watchOutsideTools } from "./outside-tools.ts";
import { createTypedLines } from "./typed-line.ts";
import { tellFailures } from "./tell-failures.ts";
import { stylesNamed, usualStyle, variedStyles } from "./speaking-style.ts";
import { holdVaried } from "./hold-varied.ts";
import { holdVersions } from "./hold-versions.ts";
import { publishedCatalogs } from "../versions/published-catalogs.ts";
import type { VersionCatalog } from "../versions/published-catalogs.ts";

/** Options of `npm run dialogues` that exclude each other, in a sentence; undefined if none do. */
function contradictionIn(values: {
  readonly audio: boolean;
  readonly varied: boolean;
  readonly model: boolean;
  readonly versions?: string | undefined;
}): string | undefined {
  const { audio, varied, model, versions } = values;
  if (varied && !audio) return "--varied is about how callers speak: it needs --audio";
  if (model && audio) return "--model is for typed dialogues: leave --audio out";
  if (versions !== undefined && audio) return "--versions is for typed dialogues: leave --audio out";
  return undefined;
}

/** More than this would be a load test, in which the recogniser falls behind for all of them. */
const maxParallel = 16;
/**
 * The clock waits for the engines, so this only determines how fast silences pass. What it does not wait for (sockets, messages of other
 * threads) seems slower by this factor.
 */
const fastestPace = 4;
const callerVoice = z.enum(fliteVoices).optional();
/** Calls for each core: while one waits for an engine, others can be heard. */
const callsPerCore = 4;
const usualParallel = Math.min(maxParallel, callsPerCore * availableParallelism());
const parallelLimit = z.coerce.number().int().min(1).max(maxParallel).default(usualParallel);

const help = `Holds the dialogues that stand beside the scenarios (*.dialogue.yaml) and compares the answers.

  npm run dialogues                       all of them, typed, in seconds
  npm run dialogues -- lost insurance     those with one of these words in their name or their file's
  npm run dialogues -- --scenario banking those of one scenario; --json prints a line of JSON for each
  npm run dialogues -- --transcripts      with all that was said
  npm run dialogues -- --model            answered by the language model that the settings name, instead of the rules
  npm run dialogues -- --audio lost       spoken and recognised, as fast as this machine can, four at a time for each core
  npm run dialogues -- --audio --parallel 2 --voice slt
  npm run dialogues -- --audio --varied   by several voices, slowly, fast, with pauses and in noise: a table of who is understood
  npm run dialogues -- --audio --varied --styles pauses,noise    by these only
  npm run dialogues -- --versions 0,3     typed, with published versions of the service at --url side by side; 0 is the files
                                          (--url http://localhost:8080, --token TOKEN of an operator where authentication is on)

CATALOG_DIR adds a folder of your own.`;

/** Beside the results, which programs may read. */
const failures = tellFailures((text) => console.error(text));

async function main(): Promise<number> {
  const { values, positionals } = readToolArguments({
    name: "npm run dialogues",
    help,
    config: {
      options: {
        audio: { type: "boolean", default: false },
        parallel: { type: "string" },
        voice: { type: "string" },
        model: { type: "boolean", default: false },
        varied: { type: "boolean", default: false },
        styles: { type: "string" },
        scenario: { type: "string" },
        versions: { type: "string" },
        url: { type: "string", default: "http://localhost:8080" },
        token: { type: "string" },
        json: { type: "boolean", default: false },
        transcripts: { type: "boolean", default: false },
      },
      allowPositionals: true,
    },
  });
  const parallel = parallelLimit.safeParse(values.parallel);
  if (!parallel.success) {
    console.error(`--parallel expects a number from 1 to ${maxParallel}`);
    return 2;
  }
  const voice = callerVoice.safeParse(values.voice);
  if (!voice.success) {
    console.error(`--voice expects one of ${fliteVoices.join(", ")}`);
    return 2;
  }
  const settings = dialogueSettings();
  const folders = catalogFolders(settings);
  const { tools, customers: own } = await loadTools(settings, { clock: systemClock, logger: failures });
  const customers = customersOf(settings, own);
  const known = knownToolsOf(settings, tools);
  const catalog = await loadCatalog(folders, known, {
    language: catalogLanguage,
    ...(values.model && defaultsOfSettings()),
  });
  const dialogues = await readDialogues(folders, catalog, withCatalogTools(known, catalog), customers.kind);
  const { scenario } = values;
  const wanted = dialogues.filter(
    (dialogue) => isWanted(dialogue, positionals) && (scenario === undefined || dialogue.scenario === scenario),
  );
  if (wanted.length === 0) {
    console.error(`no dialogue fits ${[...positionals, ...(scenario === undefined ? [] : [scenario])].join(" ")}`);
    return 1;
  }
  const contradiction = contradictionIn(values);
  if (contradiction !== undefined) {
    console.error(contradiction);
    return 2;
  }
  const styles = stylesNamed(values.styles);
  if (styles === undefined || (values.styles !== undefined && !values.varied)) {
    console.error(`--styles expects some of ${variedStyles.map(({ name }) => name).join(", ")}, with --varied`);
    return 2;
  }
  const { versions: names, url, token } = values;
  const versions = names === undefined ? [] : await publishedCatalogs({ names, url, token }, catalog, known);
  const model = values.model ? await configuredModel(catalog) : undefined;
  if (values.model && model === undefined) {
    console.error(noModel);
    return 2;
  }
  const time = createScaledClock(fastestPace);
  const spoken = values.audio ? await startSpeaking({ catalog, tools, customers }, time) : undefined;
  try {
    const { json, transcripts } = values;
    if (spoken === undefined)
      return await holdTyped(wanted, { catalog, tools, customers, model, versions }, { json, transcripts });
    if (values.varied) return await holdVaried(wanted, spoken, { styles, limit: parallel.data, time, transcripts });
    return await hold(wanted, spoken.openAs(usualStyle(voice.data)), { limit: parallel.data, transcripts });
  } finally {
    await spoken?.close();
  }
}

interface Product {
  readonly catalog: Catalog;
  /** The built-in tools and those in TOOLS_DIR. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly customers: DialogueCustomers;
  /** Absent: the rules answer. */
  readonly model?: DialogueModel | undefined;
  /** Held side by side in place of `catalog`, where there are any. */
  readonly versions?: readonly VersionCatalog[];
}

async function holdTyped(
  dialogues: readonly Dialogue[],
  { catalog, tools, customers, model, versions = [] }: Product,
  { json, transcripts }: { readonly json: boolean; readonly transcripts: boolean },
): Promise<number> {
  const own = await composeDialogueTools(catalog, tools, dialogueSettings(), failures);
  try {
    for (const problem of own.problems) console.error(problem);
    const openWith = (of: Catalog) =>
      createTypedLines(of, { code: tools, outside: watchOutsideTools(own.tools), model, customers });
    if (versions.length > 0) {
      const lines = versions.map((one) => ({ version: one.version, open: openWith(one.catalog) }));
      return await holdVersions(dialogues, lines, { json, transcripts });
    }
    const open = openWith(catalog);
    if (json) return await holdAsJson(dialogues, open);
    return await hold(dialogues, open, { limit: 1, transcripts }); // one at a time: each uses all of a core
  } finally {
    await own.close();
  }
}

/** Speech engines and vendors take seconds to load; typing needs none of them. */
async function startSpeaking(product: Product, time: Clock): Promise<SpokenLines> {
  const { createSpokenLines } = await import("./spoken-lines.ts");
  return createSpokenLines({ ...product, time });
}

/** For programs: one line for each dialogue, as soon as it is over. */
async function holdAsJson(dialogues: readonly Dialogue[], open: OpenDialogueLine): Promise<number> {
  let failed = 0;
  for (const dialogue of dialogues) {
    const held = await holdDialogue(dialogue, open);
    if (!held.passed) failed++;
    console.log(resultJson(held));
  }
  return failed === 0 ? 0 : 1;
}

async function hold(
  dialogues: readonly Dialogue[],
  open: OpenDialogueLine,
  { limit, transcripts }: { readonly limit: number; readonly transcripts: boolean },
): Promise<number> {
  const startedMs = performance.now();
  const nameWidth = Math.max(...dialogues.map(({ name }) => name.length));
  console.log(tableHead(nameWidth));
  let failed = 0;
  const turns: TurnMetrics[] = [];
  await inParallel(dialogues, limit, async (dialogue) => {
    const held = await holdDialogue(dialogue, open);
    if (!held.passed) failed++;
    turns.push(...turnsOf(held));
    console.log([...resultLines(held, nameWidth), ...(transcripts ? transcriptLines(held) : [])].join("\n"));
  });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`\n${dialogues.length - failed} of ${dialogues.length} dialogues as written, in ${seconds} s`);
  const prepared = countPrepared(turns);
  if (prepared.turns > 0) console.log(preparedLine(prepared)); // nobody spoke where all was typed
  return failed === 0 ? 0 : 1;
}

function isWanted({ name, file }: Dialogue, wishes: readonly string[]): boolean {
  const known = `${basename(file, ".dialogue.yaml")} ${name}`.toLowerCase();
  return wishes.length === 0 || wishes.some((wish) => known.includes(wish.toLowerCase()));
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof CatalogError) for (const problem of error.problems) console.error(problemLine(problem));
  else if (error instanceof ConfigurationError) for (const problem of error.problems) console.error(problem);
  else if (error instanceof TypeError) console.error(`${error.message}\n\n${help}`);
  else throw error;
  process.exitCode = 2;
}
