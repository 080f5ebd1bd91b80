/** `npm run simulate`: a model plays callers of a scenario. Exit code 1 if a session failed, or a criterion fell below its baseline. */
import { mkdir, open, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { findScenario } from "@voice/shared/catalog/catalog";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { catalogFolders, knownToolsOf } from "@voice/shared/catalog/load-service-catalog";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import type { Settings } from "@voice/shared/config/settings";
import { hasDemo } from "@voice/shared/demo/demo";
import { parseJson } from "@voice/shared/platform/parse-json";
import { loadTools } from "@voice/shared/tools/load-tools";
import { configuredModel, defaultsOfSettings, noModel } from "../dialogues/configured-model.ts";
import { customersOf } from "../dialogues/dialogue-customers.ts";
import { dialogueSettings } from "../dialogues/dialogue-settings.ts";
import { createFailureLogger } from "../dialogues/failure-logger.ts";
import { composeDialogueTools } from "../dialogues/dialogue-tools.ts";
import type { DialogueTools } from "../dialogues/dialogue-tools.ts";
import { watchOutsideTools } from "../dialogues/outside-tools.ts";
import { withSettingsFile } from "../settings-file.ts";
import { publishedCatalogs } from "../versions/published-catalogs.ts";
import { baselineSchema, compareWith } from "./baseline.ts";
import type { Baseline, Comparison } from "./baseline.ts";
import { callersLanguage } from "./callers-language.ts";
import { checkGoals } from "./check-goals.ts";
import { createChatModel } from "./chat-model.ts";
import { evalModels } from "./eval-models.ts";
import { exitCodeOf } from "./exit-code.ts";
import { readEvalFiles } from "./eval-files.ts";
import type { EvalFiles, ScenarioEval } from "./eval-files.ts";
import { planSessions } from "./plan-sessions.ts";
import { reportHtml } from "./report-html.ts";
import { runSimulation } from "./run-simulation.ts";
import { readSimulateArguments } from "./simulate-arguments.ts";
import type { SimulateArguments } from "./simulate-arguments.ts";
import { simulateSession } from "./simulate-session.ts";
import type { SpokenCallers } from "./spoken-callers.ts";
import { resultOf, summariseRun, whyNot } from "./summarise-run.ts";
import type { RunSummary, SessionResult } from "./summarise-run.ts";
import { UsageProblem } from "../command-line/usage-problem.ts";

const printed: Readonly<Record<SessionResult, string>> = {
  passed: "passed",
  failed: "FAILED",
  "not-held": "broke off",
  "not-judged": "no verdict",
};

const builtInEvals = fileURLToPath(new URL("evals", import.meta.url));

async function main(args: SimulateArguments): Promise<number> {
  if (args.evals !== undefined) await requireEvals(args.evals);
  const settings = dialogueSettings();
  const evals = await readEvalFiles([
    { folder: builtInEvals, hasGoals: hasDemo(settings) },
    ...(args.evals === undefined ? [] : [{ folder: resolve(args.evals), hasGoals: true }]),
  ]);
  const { personas, goals, scenarioEval } = chosen(args, evals);
  const baseline = args.baseline === undefined ? undefined : await readBaseline(args.baseline, args.scenario);
  const product = await openProduct(settings);
  const environment = withSettingsFile(process.env);
  const chat = evalModels(args, product.agents.name, environment);
  if (args["max-cost"] !== undefined && loadSettings(environment).pricesFile === undefined)
    throw new UsageProblem("--max-cost needs prices: set PRICES_FILE (docs/operations.md)");
  const plan = planSessions(personas, goals, args.sessions ?? personas.length * goals.length, args.seed);
  const common = { args, settings, product, scenarioEval, chat, plan };
  const { versions: names, url, token } = args;
  if (names === undefined) return (await simulate({ ...common, before: baseline })).exitCode;
  if (baseline !== undefined) throw new UsageProblem("--versions are compared with each other: leave --baseline out");
  let last: SimulationResult | undefined;
  for (const { version, catalog } of await publishedCatalogs({ names, url, token }, product.catalog, product.known)) {
    console.log(`\n${version === 0 ? "The catalog's files" : `Version ${version}`}`);
    const own = { ...args, out: join(args.out, `version-${version}`) };
    last = await simulate({ ...common, args: own, product: { ...product, catalog }, before: last?.now });
  }
  return last?.exitCode ?? 0;
}

interface Simulation {
  readonly args: SimulateArguments;
  readonly settings: Settings;
  readonly product: Awaited<ReturnType<typeof openProduct>>;
  readonly scenarioEval: ScenarioEval;
  readonly chat: ReturnType<typeof evalModels>;
  readonly plan: ReturnType<typeof planSessions>;
  /** What it is compared with. */
  readonly before: Baseline | undefined;
}

interface SimulationResult {
  readonly exitCode: number;
  readonly now: Baseline;
}

async function simulate(simulation: Simulation): Promise<SimulationResult> {
  const { args, settings, product, scenarioEval, chat, plan, before } = simulation;
  const { agents, catalog, code, customers } = product;
  if (findScenario(catalog, args.scenario) === undefined)
    throw new UsageProblem(`the catalog has no scenario ${args.scenario}; CATALOG_DIR names the folder of your own`);
  checkGoals(scenarioEval, catalog, { known: withCatalogTools(product.known, catalog), customers: customers.kind });
  await requireWritable(args);
  const { seed } = args;
  const common = { baseUrl: chat.baseUrl, key: chat.key, prices: agents.prices, seed };
  const tools = await composeDialogueTools(catalog, code, settings, product.failures);
  let voice: SpokenCallers | undefined;
  try {
    if (args.voice) voice = await startVoice(product, tools, args.scenario);
    const { sessions, stopped } = await runSimulation(
      plan,
      { parallel: args.parallel, maxCost: args["max-cost"] },
      (session) =>
        simulateSession(session, {
          scenario: args.scenario,
          rubric: scenarioEval.rubric,
          catalog,
          code,
          outside: watchOutsideTools(tools.tools),
          customers,
          agents,
          voice,
          createCaller: () => createChatModel({ ...common, model: chat.caller, role: "caller" }),
          createJudge: () => createChatModel({ ...common, model: chat.judge, role: "judge" }),
        }),
      (session) => {
        const { number, goal, persona } = session;
        const result = resultOf(session);
        console.log(`${printed[result]}  #${number + 1} ${goal.name}, ${persona.name}  ${whyNot(session)}`.trimEnd());
      },
    );
    if (stopped !== undefined) console.log(stopped.message);
    const summary = summariseRun(sessions);
    const now: Baseline = { scenario: args.scenario, criteria: summary.criteria };
    const comparisons = before && compareWith(before, now);
    const models = { agents: agents.name, caller: chat.caller, judge: chat.judge };
    const madeAt = new Date(systemClock.wallNow()).toISOString();
    const { scenario, voice: isSpoken } = args;
    const report = { scenario, madeAt, voice: isSpoken, models, seed, summary, comparisons, sessions };
    const json = JSON.stringify({ ...report, stopped: stopped?.message }, undefined, 2);
    const written = await writeReport(args.out, json, reportHtml(report));
    if (args["save-baseline"] !== undefined)
      await writeFile(args["save-baseline"], `${JSON.stringify(now, undefined, 2)}\n`);
    printSummary(summary, comparisons, written);
    return { exitCode: exitCodeOf(summary, comparisons, stopped?.kind), now };
  } finally {
    await voice?.close();
    await tools.close();
  }
}

/** Speech engines take seconds to load; callers who type need none of them. */
async function startVoice(
  { agents, catalog, code, customers }: Awaited<ReturnType<typeof openProduct>>,
  tools: DialogueTools,
  scenario: string,
): Promise<SpokenCallers> {
  const { createSpokenCallers } = await import("./spoken-callers.ts");
  const { settings } = agents;
  const language = callersLanguage(catalog, scenario, settings);
  const voice = await createSpokenCallers({ catalog, settings, language, code, tools: tools.tools, customers });
  for (const caveat of voice.caveats) console.log(caveat);
  return voice;
}

async function openProduct(settings: Settings) {
  const failures = createFailureLogger((text) => console.error(text));
  const folders = catalogFolders(settings);
  const { tools: code, customers: own } = await loadTools(settings, { clock: systemClock, logger: failures });
  const known = knownToolsOf(settings, code);
  const catalog = await loadCatalog(folders, known, {
    language: catalogLanguage,
    ...defaultsOfSettings(),
  });
  const agents = await configuredModel(catalog);
  if (agents === undefined)
    throw new UsageProblem(
      `Simulated callers try the agents' language model, and ${noModel}. What the rules on this machine answer is tried by npm run dialogues.`,
    );
  return { agents, catalog, code, known, customers: customersOf(settings, own), failures };
}

function chosen(args: SimulateArguments, evals: EvalFiles) {
  const scenario = evals.scenarios.get(args.scenario);
  if (scenario === undefined) {
    const others = evals.scenarios.size === 0 ? "" : `; there are some for ${[...evals.scenarios.keys()].join(", ")}`;
    throw new UsageProblem(
      `no goals for ${args.scenario}${others}. Goals of your own are files in FOLDER/scenarios, with --evals FOLDER (docs/evals.md)`,
    );
  }
  const names = args.persona ?? [...evals.personas.keys()];
  const personas = names.map((name) => {
    const persona = evals.personas.get(name);
    if (persona === undefined)
      throw new UsageProblem(`no persona ${name}; there are ${[...evals.personas.keys()].join(", ")}`);
    return persona;
  });
  const goals = scenario.goals.filter(({ name }) => args.goal === undefined || name.includes(args.goal));
  if (goals.length === 0) throw new UsageProblem(`no goal of ${args.scenario} has "${args.goal}" in its name`);
  return { personas, goals, scenarioEval: scenario };
}

async function requireEvals(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  if (!names.includes("personas") && !names.includes("scenarios"))
    throw new UsageProblem(`--evals ${folder} has neither a folder personas nor a folder scenarios`);
}

/** Checked before the first request that costs money. */
async function requireWritable({ out, "save-baseline": kept }: SimulateArguments): Promise<void> {
  await mkdir(out, { recursive: true }).catch(() => {
    throw new UsageProblem(`--out ${out} cannot be made a folder`);
  });
  if (kept === undefined) return;
  const file = await open(kept, "a").catch(() => {
    throw new UsageProblem(`--save-baseline ${kept} cannot be written`);
  });
  await file.close();
}

async function readBaseline(file: string, scenario: string): Promise<Baseline> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new UsageProblem(`--baseline ${file} cannot be read; --save-baseline writes one`);
  });
  const parsed = baselineSchema.safeParse(parseJson(text));
  if (!parsed.success) throw new UsageProblem(`--baseline ${file} is not a file that --save-baseline has written`);
  if (parsed.data.scenario !== scenario)
    throw new UsageProblem(`--baseline ${file} is of the scenario ${parsed.data.scenario}`);
  return parsed.data;
}

async function writeReport(folder: string, json: string, html: string): Promise<string> {
  await writeFile(join(folder, "report.json"), `${json}\n`);
  await writeFile(join(folder, "report.html"), html);
  return join(folder, "report.html");
}

function printSummary(summary: RunSummary, comparisons: readonly Comparison[] | undefined, file: string): void {
  console.log("");
  for (const [name, { passed, total }] of Object.entries(summary.criteria))
    console.log(`${name}: ${passed} of ${total}`);
  if (summary.failed > 0) console.log(`failed: ${summary.failed} of ${summary.sessions} sessions`);
  if (summary.notHeld > 0) console.log(`could not be held: ${summary.notHeld}`);
  if (summary.notJudged > 0) console.log(`could not be judged: ${summary.notJudged}`);
  const { cost } = summary;
  console.log(
    cost === null
      ? "cost: no price"
      : `cost: ${cost.amount.toFixed(4)} ${cost.currency}${cost.is_complete ? "" : " and more"}`,
  );
  for (const { criterion, before, now, probability, hasFallen } of comparisons ?? [])
    if (hasFallen)
      console.log(
        `FELL: ${criterion} from ${Math.round(before * 100)} % to ${Math.round(now * 100)} % (probability by chance: ${probability.toPrecision(2)})`,
      );
  console.log(file);
}

const args = readSimulateArguments();
try {
  process.exitCode = await main(args);
} catch (error) {
  if (error instanceof CatalogError) for (const problem of error.problems) console.error(problemLine(problem));
  else if (error instanceof ConfigurationError) for (const problem of error.problems) console.error(problem);
  else if (error instanceof UsageProblem) console.error(error.message);
  else throw error;
  process.exitCode = 2;
}
