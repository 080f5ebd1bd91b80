/** `npm run dialogues`: holds the dialogues of the catalog. Exit code 0 only when all of them go as written. */
import { basename } from "node:path";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { catalogFolders, knownToolsOf } from "@voice/shared/catalog/load-service-catalog";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { loadTools } from "@voice/shared/tools/load-tools";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { createScaledClock } from "@voice/shared/platform/scaled-clock";
import { readDialoguesArguments } from "./dialogues-arguments.ts";
import type { Dialogue } from "./dialogue.ts";
import type { OpenDialogueLine } from "./dialogue-line.ts";
import { holdDialogue, turnsOf } from "./hold-dialogue.ts";
import { countPrepared, preparedLine } from "../person/prepared-answers.ts";
import type { TurnMetrics } from "../person/reply.ts";
import { inParallel } from "./in-parallel.ts";
import { readDialogues } from "./read-dialogues.ts";
import { resultJson } from "./result-json.ts";
import { resultLines, tableHead, transcriptLines } from "./result-table.ts";
import type { SpokenLines, SpokenLinesOptions } from "./spoken-lines.ts";
import { configuredModel, defaultsOfSettings, noModel } from "./configured-model.ts";
import { customersOf } from "./dialogue-customers.ts";
import { dialogueSettings } from "./dialogue-settings.ts";
import { composeDialogueTools } from "./dialogue-tools.ts";
import { watchOutsideTools } from "./outside-tools.ts";
import { createTypedLines } from "./typed-line.ts";
import { createFailureLogger } from "./failure-logger.ts";
import { usualStyle } from "./speaking-style.ts";
import { holdVaried } from "./hold-varied.ts";
import { holdVersions } from "./hold-versions.ts";
import { publishedCatalogs } from "../versions/published-catalogs.ts";
import type { VersionCatalog } from "../versions/published-catalogs.ts";

/**
 * The clock waits for the engines, so this only determines how fast silences pass. What it does not wait for (messages of other threads)
 * seems slower by this factor.
 */
const fastestPace = 4;

/** Failures are printed apart from the results, which programs may read. */
const failures = createFailureLogger((text) => console.error(text));

async function main(): Promise<number> {
  const {
    words,
    scenario,
    model: asksModel,
    audio,
    parallel,
    voice,
    varied,
    styles,
    json,
    transcripts,
    ...service
  } = readDialoguesArguments();
  const settings = dialogueSettings();
  const folders = catalogFolders(settings);
  const { tools, customers: own } = await loadTools(settings, { clock: systemClock, logger: failures });
  const customers = customersOf(settings, own);
  const known = knownToolsOf(settings, tools);
  const catalog = await loadCatalog(folders, known, {
    language: catalogLanguage,
    ...(asksModel && defaultsOfSettings()),
  });
  const dialogues = await readDialogues(folders, catalog, withCatalogTools(known, catalog), customers.kind);
  const wanted = dialogues.filter(
    (dialogue) => isWanted(dialogue, words) && (scenario === undefined || dialogue.scenario === scenario),
  );
  if (wanted.length === 0) {
    console.error(`no dialogue fits ${[...words, ...(scenario === undefined ? [] : [scenario])].join(" ")}`);
    return 1;
  }
  const { versions: names, url, token } = service;
  const versions = names === undefined ? [] : await publishedCatalogs({ names, url, token }, catalog, known);
  const model = asksModel ? await configuredModel(catalog) : undefined;
  if (asksModel && model === undefined) {
    console.error(noModel);
    return 2;
  }
  const catalogTools = await composeDialogueTools(catalog, tools, settings, failures);
  for (const problem of catalogTools.problems) console.error(problem);
  const time = createScaledClock(fastestPace);
  const all = new Map([...tools, ...catalogTools.tools]);
  const spoken = audio ? await startSpeaking({ catalog, tools: all, customers }, time) : undefined;
  try {
    if (spoken === undefined) {
      const outside = watchOutsideTools(catalogTools.tools);
      const openWith = (of: Catalog) => createTypedLines(of, { code: tools, outside, model, customers });
      return await holdTyped(wanted, openWith, { catalog, versions, json, transcripts });
    }
    if (varied) return await holdVaried(wanted, spoken, { styles, limit: parallel, time, transcripts });
    return await hold(wanted, spoken.openAs(usualStyle(voice)), { limit: parallel, transcripts });
  } finally {
    await spoken?.close();
    await catalogTools.close();
  }
}

interface TypedPlan {
  readonly catalog: Catalog;
  /** Held side by side in place of `catalog`, where there are any. */
  readonly versions: readonly VersionCatalog[];
  readonly json: boolean;
  readonly transcripts: boolean;
}

async function holdTyped(
  dialogues: readonly Dialogue[],
  openWith: (catalog: Catalog) => OpenDialogueLine,
  { catalog, versions, json, transcripts }: TypedPlan,
): Promise<number> {
  if (versions.length > 0) {
    const lines = versions.map((one) => ({ version: one.version, open: openWith(one.catalog) }));
    return holdVersions(dialogues, lines, { json, transcripts });
  }
  const open = openWith(catalog);
  if (json) return holdAsJson(dialogues, open);
  return hold(dialogues, open, { limit: 1, transcripts }); // one at a time: each uses all of a core
}

/** Speech engines and vendors take seconds to load; typing needs none of them. */
async function startSpeaking(options: Omit<SpokenLinesOptions, "time">, time: Clock): Promise<SpokenLines> {
  const { createSpokenLines } = await import("./spoken-lines.ts");
  return createSpokenLines({ ...options, time });
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
  else throw error;
  process.exitCode = 2;
}
