/**
 * A language model that follows an agent's rules instead of weights. It has the same port and streams deltas and tool calls like a cloud
 * model, but uses no network and stores nothing between requests.
 */
import { z } from "zod";
import { dayStartIn } from "@voice/shared/platform/local-day";
import type { Clock } from "@voice/shared/platform/clock";
import { createUuid } from "@voice/shared/platform/ids";
import { isUnfinishedResult } from "@voice/shared/conversation/unfinished-call";
import { genericHandoffTool } from "@voice/shared/tools/handoff-tools";
import type {
  AnsweringAgent,
  LanguageModel,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelTool,
} from "@voice/provider-kit/ports/language-model";
import type { AgentMeanings } from "../meaning/agent-meanings.ts";
import { rulesOf as compiledRulesOf } from "../rules/rule-set.ts";
import type { AgentRules } from "../rules/rules.ts";
import type { DialogueContext, DialogueOutcome } from "./dialogue-state.ts";
import { returned, sinceHandBack } from "./hand-back.ts";
import { heardPart } from "./heard-part.ts";
import { prepareMatches } from "./match-intent.ts";
import { nextOutcome, recent } from "./replay.ts";
import { prepareVocabulary } from "./vocabulary.ts";

/**
 * Prepares the vocabulary of these agents in advance; that of others is prepared in their first turn. Their examples are encoded once
 * that is possible, which nobody waits for here.
 */
export async function prepareAgents(
  agents: Iterable<AnsweringAgent>,
  meanings?: Promise<AgentMeanings | undefined>,
): Promise<void> {
  const rules = [...agents].map(compiledRulesOf);
  for (const own of rules) await prepareVocabulary(own);
  if (meanings !== undefined) void prepareMeanings(rules, meanings);
}

async function prepareMeanings(
  rules: readonly AgentRules[],
  meanings: Promise<AgentMeanings | undefined>,
): Promise<void> {
  const known = await meanings;
  for (const own of rules) await known?.prepare(own);
}

/**
 * `rulesOf`: finds an agent's rules; by default those that the catalog has compiled for it. `meanings`: compare what callers say by meaning as well;
 * without them, by words alone. The model closes them.
 */
export function createRuleModel({
  clock,
  rulesOf = compiledRulesOf,
  meanings,
  createCallId = createUuid,
}: {
  readonly clock: Clock;
  readonly rulesOf?: (agent: AnsweringAgent) => AgentRules;
  readonly meanings?: Promise<AgentMeanings | undefined>;
  readonly createCallId?: () => string;
}): LanguageModel {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    const rules = rulesOf(request.agent);
    await prepareVocabulary(rules);
    const todayMs = dayStartIn(request.timeZone ?? "UTC", clock.wallNow());
    const messages = sinceHandBack(withoutUnfinishedCalls(request.messages));
    const known = await meanings;
    await prepareMatches(rules, wordsToCompare(messages ?? []), todayMs, known);
    signal.throwIfAborted();
    const context: DialogueContext = {
      agent: request.agent,
      rules,
      memory: request.memory,
      todayMs,
      meanings: known,
      handoff: (to, reason) => handoffCall(request.tools, to, reason),
    };
    const decided =
      messages === undefined
        ? { say: returned, awaits: undefined }
        : nextOutcome(messages, context, request.previousAgent);
    const outcome = offered(decided, request.toolChoice === "none" ? [] : request.tools);
    const words = outcome.say.split(" ").filter((word) => word !== "");
    for (const [index, word] of words.entries()) {
      signal.throwIfAborted();
      yield { type: "text-delta", text: index === 0 ? word : ` ${word}` };
    }
    if (outcome.call !== undefined) {
      const argumentsJson = JSON.stringify(outcome.call.args);
      yield { type: "tool-call", call: { id: createCallId(), name: outcome.call.tool, argumentsJson } };
    }
    yield {
      type: "finished",
      reason: outcome.call === undefined ? "stop" : "tool-calls",
      awaits: decided.awaits,
      usage: { inputTokens: inputWords(request), outputTokens: words.length },
    };
  }

  return { stream, close: async () => (await meanings)?.close() };
}

/** The caller's sentences since the agent last spoke and before: each alone, and those of one turn joined. */
function wordsToCompare(messages: readonly ModelMessage[]): readonly string[] {
  const turns: string[][] = [[]];
  for (const message of recent(messages)) {
    if (message.role === "assistant") turns.push([]);
    else if (message.role === "user" && message.understood !== false) turns.at(-1)?.push(message.content);
  }
  const said = turns.flatMap((words) => [...words, ...(words.length > 1 ? [words.join(" ")] : [])]);
  return [...new Set(said.map(heardPart))];
}

/** TOOL-10: rules can say nothing about a result that is still to come, and the answer to the caller's words does not wait for it. */
function withoutUnfinishedCalls(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const ids = new Set(
    messages.flatMap((message) =>
      message.role === "tool" && isUnfinishedResult(message.content) ? [message.toolCallId] : [],
    ),
  );
  if (ids.size === 0) return messages;
  return messages.filter((message) => {
    if (message.role === "tool") return !ids.has(message.toolCallId);
    return message.role !== "assistant" || message.toolCalls?.some(({ id }) => ids.has(id)) !== true;
  });
}

/** As with any model, a tool that is not offered is not called; nor any where the request allows none. */
function offered(outcome: DialogueOutcome, tools: readonly ModelTool[]): DialogueOutcome {
  if (outcome.call === undefined || tools.some((tool) => tool.name === outcome.call?.tool)) return outcome;
  return { say: "Sorry, I cannot do that right now." };
}

/** Words count as tokens here. */
function inputWords(request: ModelRequest): number {
  return request.messages.reduce((sum, message) => sum + message.content.split(/\s+/).filter(Boolean).length, 0);
}

const handoffParameters = z.object({
  properties: z.object({
    target_agent: z.union([z.object({ enum: z.array(z.string()) }), z.object({ const: z.string() })]),
  }),
});

function handoffCall(tools: readonly ModelTool[], to: readonly string[], reason: string): DialogueOutcome["call"] {
  const parameters = tools.find((tool) => tool.name === genericHandoffTool)?.parameters;
  const parsed = handoffParameters.safeParse(parameters);
  if (!parsed.success) return undefined;
  const target = parsed.data.properties.target_agent;
  const offered = "enum" in target ? target.enum : [target.const];
  const wanted = to.map((name) => name.toLowerCase());
  const agent = wanted
    .map((name) => offered.find((other) => other.toLowerCase() === name))
    .find((name) => name !== undefined);
  return agent === undefined ? undefined : { tool: genericHandoffTool, args: { target_agent: agent, reason } };
}
