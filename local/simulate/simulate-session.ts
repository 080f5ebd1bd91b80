/** One session: a model plays the caller, the product's own agents answer, and what happened is checked and judged. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { addUsage } from "@voice/shared/costs/usage";
import type { Usage } from "@voice/shared/costs/usage";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Tool } from "@voice/shared/tools/tool";
import type { LanguageModel, ModelEvent } from "@voice/provider-kit/ports/language-model";
import type { DialogueModel } from "../dialogues/configured-model.ts";
import type { DialogueCustomers } from "../dialogues/dialogue-customers.ts";
import { profileOfDialogue } from "../dialogues/dialogue-profile.ts";
import type { Dialogue } from "../dialogues/dialogue.ts";
import type { OutsideTools } from "../dialogues/outside-tools.ts";
import { createTypedLines } from "../dialogues/typed-line.ts";
import { problemOf } from "../doctor/problem-of.ts";
import type { Reply } from "../person/reply.ts";
import { callersLanguage } from "./callers-language.ts";
import type { ChatModel } from "./chat-model.ts";
import { checkSession } from "./check-session.ts";
import { knowsCustomer } from "./check-goals.ts";
import type { Goal, Persona } from "./eval-files.ts";
import { judgeSession } from "./judge-session.ts";
import type { Judgement, Verdicts } from "./judge-session.ts";
import { callerMessages, readCallerTurn } from "./simulated-caller.ts";
import type { SimulatedLine } from "./simulated-line.ts";
import type { SpokenCallers } from "./spoken-callers.ts";
import type { TranscriptLine } from "./transcript-line.ts";

export interface PlannedSession {
  readonly number: number;
  readonly persona: Persona;
  readonly goal: Goal;
  /** Who the customer is; undefined for the demonstration's usual one. */
  readonly profileSeed: number | undefined;
}

export interface SimulatedSession extends PlannedSession {
  readonly transcript: readonly TranscriptLine[];
  /** What was expected and did not happen. */
  readonly failedChecks: readonly string[];
  /** Undefined if the judge gave no verdict. */
  readonly verdicts: Verdicts | undefined;
  /** Why a session that was held to its end has no verdict. */
  readonly noVerdict: string | undefined;
  /** Why it could not be held to its end. */
  readonly error: string | undefined;
  readonly usage: Usage;
  /** The times of the agents' model from each request to its first word. */
  readonly latenciesMs: readonly number[];
  /** For each answer, the time from the caller's last sound to the agent's first; empty if the caller types. */
  readonly soundLatenciesMs: readonly number[];
}

export interface SimulationParts {
  readonly scenario: string;
  readonly rubric: Readonly<Record<string, string>>;
  readonly catalog: Catalog;
  /** The tools that are code, of this service and of TOOLS_DIR. */
  readonly code: ReadonlyMap<string, Tool>;
  readonly outside: OutsideTools;
  readonly customers: DialogueCustomers;
  /** Absent: the callers type. */
  readonly voice?: SpokenCallers | undefined;
  readonly agents: DialogueModel;
  /** Made anew for each session, so that costs belong to it. */
  readonly createCaller: (session: PlannedSession) => ChatModel;
  readonly createJudge: (session: PlannedSession) => ChatModel;
  /** Called before the caller speaks. */
  readonly onBegun?: (session: PlannedSession, sessionId: string) => Promise<void>;
}

/** A caller who has not reached the goal after this many turns will not reach it. */
const maxTurns = 14;

export async function simulateSession(session: PlannedSession, parts: SimulationParts): Promise<SimulatedSession> {
  const caller = parts.createCaller(session);
  const judge = parts.createJudge(session);
  const held: HeldParts = {
    caller,
    transcript: [],
    latenciesMs: [],
    soundLatenciesMs: [],
    agentsUsage: {},
    modelFailure: undefined,
  };
  const { transcript, latenciesMs, soundLatenciesMs } = held;
  let judgement: Judgement | undefined;
  let error: string | undefined;
  try {
    await hold(session, parts, held);
    const language = callersLanguage(parts.catalog, parts.scenario, parts.agents.settings);
    judgement = await judgeSession(judge, parts.rubric, { wanted: session.goal.caller, language, transcript });
  } catch (problem) {
    const { message, reason } = toVoiceError(problem);
    error = reason === undefined ? message : `${message}: ${reason}`;
  }
  const usage = [caller.usage(), judge.usage()].reduce(addUsage, held.agentsUsage);
  const failedChecks = checkSession(session.goal.checks, transcript);
  const verdicts = judgement?.verdicts;
  const noVerdict = judgement?.verdicts === undefined ? judgement?.why : undefined;
  return { ...session, transcript, failedChecks, verdicts, noVerdict, error, usage, latenciesMs, soundLatenciesMs };
}

/** What is known of a session, while it is held and if it breaks off. */
interface HeldParts {
  readonly caller: ChatModel;
  readonly transcript: TranscriptLine[];
  readonly latenciesMs: number[];
  readonly soundLatenciesMs: number[];
  /** Counted however the session ends, because it is paid for. */
  agentsUsage: Usage;
  /** Undefined as long as the agents' model answers. */
  modelFailure: unknown;
}

async function hold(
  session: PlannedSession,
  { scenario, catalog, code, outside, customers, agents, voice, onBegun }: SimulationParts,
  held: HeldParts,
): Promise<void> {
  const { caller, transcript, latenciesMs, soundLatenciesMs } = held;
  const { persona, goal, profileSeed } = session;
  const language = callersLanguage(catalog, scenario, agents.settings);
  const { name, customer } = goal;
  const dialogue: Dialogue = { file: "", name, scenario, profileSeed, customer, greetingHas: [], steps: [] };
  const profile = knowsCustomer(goal, customers.kind) ? profileOfDialogue(dialogue) : undefined;
  const model = { ...agents, languageModel: watched(agents.languageModel, held) };
  const line: SimulatedLine = await (voice === undefined
    ? createTypedLines(catalog, { code, outside, model, customers })(dialogue)
    : voice.open(dialogue, model));
  try {
    await onBegun?.(session, line.sessionId);
    await line.hearOut();
    transcript.push(...linesOf(line.reply, undefined));
    for (let turn = 0; turn < maxTurns; turn++) {
      // However long the model takes, the caller who is played does not hesitate.
      const goOn = voice?.holdTime();
      const played = { persona, goal, profile, language };
      const messages = callerMessages(played, transcript);
      const { text, isLast } = readCallerTurn(await caller.ask(messages).finally(goOn));
      if (text !== "") {
        const asked = latenciesMs.length;
        try {
          await line.act({ kind: "say", text });
          await line.hearOut();
        } finally {
          transcript.push({ kind: "caller", text, ...(voice !== undefined && { heard: line.reply.heardText }) });
        }
        const latencyMs = voice === undefined ? latenciesMs[asked] : rounded(line.reply.firstAudioMs);
        if (voice !== undefined && latencyMs !== undefined) soundLatenciesMs.push(latencyMs);
        transcript.push(...linesOf(line.reply, latencyMs));
      }
      if (held.modelFailure !== undefined) throw agentsModelFailed(held.modelFailure);
      if (isLast || text === "" || line.reply.ended !== undefined) break;
    }
  } finally {
    await line.close();
    held.agentsUsage = await line.usage();
  }
}

function agentsModelFailed(cause: unknown): VoiceError {
  return new VoiceError("upstream_unavailable", "the agents' model failed", { cause, reason: problemOf(cause) });
}

function linesOf({ toolCalls, says }: Reply, latencyMs: number | undefined): TranscriptLine[] {
  const tools = toolCalls.map(({ name, args, result, status }): TranscriptLine => ({
    kind: "tool",
    name,
    args,
    result,
    hasSucceeded: status === "success" && !isFailure(result),
  }));
  const said = says.map(({ agent, text }, index): TranscriptLine => ({
    kind: "agent",
    agent,
    text,
    ...(index === 0 && { latencyMs }),
  }));
  return [...tools, ...said];
}

function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms);
}

/** Tools answer a refusal, such as a wrong code, with `success: false`. */
function isFailure(result: unknown): boolean {
  return typeof result === "object" && result !== null && "success" in result && result.success === false;
}

/** Measures the agents' model, and notices that it failed: what the agents say then is nothing to judge them by (EVAL-3). */
function watched(model: LanguageModel, held: HeldParts): LanguageModel {
  async function* measured(events: AsyncIterable<ModelEvent>, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const startMs = performance.now();
    let isFirst = true;
    try {
      for await (const event of events) {
        if (isFirst) held.latenciesMs.push(Math.round(performance.now() - startMs));
        isFirst = false;
        yield event;
      }
    } catch (error) {
      if (!signal.aborted) held.modelFailure ??= error;
      throw error;
    }
  }
  return { stream: (request, signal) => measured(model.stream(request, signal), signal) };
}
