/** Holds a conversation about each task, typed or spoken, and says how the database was left. */
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { configuredModel, defaultsOfSettings, type DialogueModel } from "@voice/local/dialogues/configured-model";
import { composeDialogueTools } from "@voice/local/dialogues/dialogue-tools";
import { inParallel } from "@voice/local/dialogues/in-parallel";
import { watchOutsideTools } from "@voice/local/dialogues/outside-tools";
import { createTypedLines } from "@voice/local/dialogues/typed-line";
import { createChatModel } from "@voice/local/simulate/chat-model";
import { readEvalFiles } from "@voice/local/simulate/eval-files";
import { evalModels } from "@voice/local/simulate/eval-models";
import { simulateSession, type SimulatedSession } from "@voice/local/simulate/simulate-session";
import { createSpokenCallers, type SpokenCallers } from "@voice/local/simulate/spoken-callers";
import { UsageProblem } from "@voice/local/command-line/usage-problem";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { knownToolsOf } from "@voice/shared/catalog/load-service-catalog";
import { loadSettings, type Environment } from "@voice/shared/config/load";
import { noPrices } from "@voice/shared/costs/prices";
import { silentLogger } from "@voice/shared/platform/logger";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { scriptedClerk } from "./scripted-clerk.ts";
import { personaName, plainRequest, writeTaskCatalog } from "./task-catalog.ts";
import type { Grade, Task, TaskDomain } from "./task-domain.ts";

/** All tools and all customers are the benchmark's. */
const nobody = { code: new Map(), customers: { kind: "none" } } as const;

export interface TaskRunOptions {
  readonly domain: TaskDomain;
  readonly tasks: readonly Task[];
  /** Made anew; what was called stands in it afterwards. */
  readonly folder: string;
  readonly environment: Environment;
  readonly isSpoken: boolean;
  /** The settings' model answers simulated callers; otherwise the expected calls are made, and nobody is simulated. */
  readonly hasModel: boolean;
  readonly parallel: number;
  readonly localSpeech?: () => Promise<LocalSpeech>;
  readonly onHeld?: (task: Task) => void;
}

export interface TaskRun {
  readonly grades: readonly Grade[];
  /** Of simulated callers. */
  readonly sessions: readonly SimulatedSession[];
  /** Tasks whose conversation broke off, and why. */
  readonly failures: readonly string[];
  /** What a model would have been sent where none was, roughly. */
  readonly inputTokens: number;
}

export async function runTasks(options: TaskRunOptions): Promise<TaskRun> {
  const { domain, tasks, folder, parallel, isSpoken, hasModel } = options;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = await writeTaskCatalog(folder, { ...(await domain.describe()), name: domain.name }, tasks);
  const environment = { ...options.environment, MCP_SERVERS: JSON.stringify([domain.server(folder)]) };
  const settings = loadSettings(environment);
  const catalog = await loadCatalog([files.catalog], knownToolsOf(settings), {
    language: catalogLanguage,
    ...defaultsOfSettings(environment),
  });
  const tools = await composeDialogueTools(catalog, new Map(), settings, silentLogger);
  let voice: SpokenCallers | undefined;
  try {
    for (const problem of tools.problems) throw new Error(problem);
    if (isSpoken)
      voice = await createSpokenCallers({
        catalog,
        settings,
        language: "en-US",
        tools: tools.tools,
        ...nobody,
        ...(options.localSpeech && { localSpeech: options.localSpeech }),
      });
    const outside = watchOutsideTools(tools.tools);
    const parts: Held = { ...options, settings, catalog, outside, voice, evals: files.evals, environment };
    const hold = hasModel ? await simulating(parts) : playing(parts);
    const sessions: SimulatedSession[] = [];
    const failures: string[] = [];
    let inputTokens = 0;
    await inParallel(tasks, parallel, async (task) => {
      try {
        const outcome = await hold(task);
        if (typeof outcome === "number") inputTokens += outcome;
        else sessions.push(outcome);
      } catch (error) {
        failures.push(`${task.id}: ${error instanceof Error ? error.message : String(error)}`);
      }
      options.onHeld?.(task);
    });
    return { grades: await domain.grade(folder), sessions, failures, inputTokens };
  } finally {
    await voice?.close();
    await tools.close();
  }
}

interface Held extends TaskRunOptions {
  readonly settings: DialogueModel["settings"];
  readonly catalog: Awaited<ReturnType<typeof loadCatalog>>;
  readonly outside: ReturnType<typeof watchOutsideTools>;
  readonly voice: SpokenCallers | undefined;
  readonly evals: string;
}

/** Gives the session of a simulated caller, or how much a model would have been sent. */
type HoldConversation = (task: Task) => Promise<SimulatedSession | number>;

/** Before the first call, because some tasks begin with a database of their own. */
function noteConversation({ folder }: Held, task: Task, session: string): Promise<void> {
  return appendFile(join(folder, "conversations.jsonl"), `${JSON.stringify({ session, task: task.id })}\n`);
}

/** The caller says one sentence, and everything is done in one turn. */
function playing(held: Held): HoldConversation {
  const { domain, catalog, outside, voice, settings, folder } = held;
  return async (task) => {
    let session = "";
    const clerk = scriptedClerk(task, async ({ name, arguments: given }) => {
      await appendFile(join(folder, "caller.jsonl"), `${JSON.stringify({ session, name, arguments: given })}\n`);
    });
    const model: DialogueModel = { languageModel: clerk.model, name: "scripted", prices: noPrices, settings };
    const dialogue = {
      file: "",
      name: task.id,
      scenario: domain.name,
      profileSeed: undefined,
      greetingHas: [],
      steps: [],
    };
    const line = await (voice === undefined
      ? createTypedLines(catalog, { ...nobody, outside, model })(dialogue)
      : voice.open(dialogue, model));
    session = line.sessionId;
    try {
      await noteConversation(held, task, session);
      await line.hearOut();
      await line.act({ kind: "say", text: plainRequest });
      await line.hearOut();
    } finally {
      await line.close();
    }
    return clerk.inputTokens();
  };
}

async function simulating(held: Held): Promise<HoldConversation> {
  const { domain, catalog, outside, voice, environment } = held;
  const agents = await configuredModel(catalog, environment);
  if (agents === undefined) throw new UsageProblem("no language model is configured (docs/models.md)");
  const models = evalModels({}, agents.name, environment);
  const { personas, scenarios } = await readEvalFiles([{ folder: held.evals, hasGoals: true }]);
  const [persona, scenario] = [personas.get(personaName), scenarios.get(domain.name)];
  if (persona === undefined || scenario === undefined) throw new Error("the files of the tasks have no callers");
  const common = { baseUrl: models.baseUrl, key: models.key, prices: agents.prices, seed: undefined };
  return (task) => {
    const number = scenario.goals.findIndex(({ name }) => name === task.id);
    const goal = scenario.goals[number];
    if (goal === undefined) throw new Error(`no caller for the task ${task.id}`);
    return simulateSession(
      { number, persona, goal, profileSeed: undefined },
      {
        scenario: domain.name,
        rubric: scenario.rubric,
        catalog,
        ...nobody,
        outside,
        agents,
        voice,
        createCaller: () => createChatModel({ ...common, model: models.caller, role: "caller" }),
        createJudge: () => createChatModel({ ...common, model: models.judge, role: "judge" }),
        onBegun: (_session, sessionId) => noteConversation(held, task, sessionId),
      },
    );
  };
}

/** For whoever looks at it later. */
export async function writeRun(folder: string, run: TaskRun): Promise<string> {
  const file = join(folder, "run.json");
  await writeFile(file, `${JSON.stringify(run, undefined, 2)}\n`);
  return file;
}
