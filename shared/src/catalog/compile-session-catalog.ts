/** The catalog as one session sees it: overrides applied, session-scoped agents added, one scenario chosen. Immutable. */
import type { Agent, AgentModelSettings, AgentVoice } from "./agent.ts";
import type { Catalog } from "./catalog.ts";
import { withPromptOfSession } from "./prompt-versions.ts";
import type { HandoffEdge, Scenario } from "./scenario.ts";
import type { SessionCatalog, TemplateContext } from "./session-catalog.ts";
import { maxSpokenCharacters, type TemplateScope } from "./template.ts";
import { languageInstructions } from "../conversation/language-instructions.ts";
import { contextInstructions, contextOf } from "../conversation/call-context.ts";
import { VoiceError } from "../platform/errors.ts";

type Changes<Value> = { readonly [Key in keyof Value]?: Value[Key] | undefined };

/** An agent's runtime override; unset fields stay as they are in the catalog. */
export interface AgentChanges {
  readonly model?: Changes<AgentModelSettings> | undefined;
  readonly voice?: Changes<AgentVoice> | undefined;
}

export interface SessionCatalogOptions {
  /** Decides which of an agent's prompts it has; the first where absent. */
  readonly sessionId?: string | undefined;
  /** A name in the catalog or among `sessionScenarios`, any letter case. */
  readonly scenario: string;
  /** Keyed by the agent's name. */
  readonly overrides?: Readonly<Record<string, AgentChanges>> | undefined;
  /** Agents and scenarios of this session only; they replace the catalog's of the same name. */
  readonly sessionAgents?: readonly Agent[] | undefined;
  readonly sessionScenarios?: readonly Scenario[] | undefined;
}

interface LastPrompt {
  readonly agent: Agent;
  readonly context: TemplateContext;
  readonly prompt: string;
}

/** Throws `not_found` for an unknown scenario, and `validation_error` if one of its agents is missing. */
export function compileSessionCatalog(catalog: Catalog, options: SessionCatalogOptions): SessionCatalog {
  const scenario =
    options.sessionScenarios?.find((candidate) => sameName(candidate.name, options.scenario)) ??
    catalog.scenarios.get(options.scenario.toLowerCase());
  if (scenario === undefined) throw new VoiceError("not_found", "the session's scenario does not exist");

  const agents = new Map<string, Agent>();
  for (const name of [...scenario.agents, ...(options.sessionAgents ?? []).map((agent) => agent.name)]) {
    const agent =
      options.sessionAgents?.find((candidate) => sameName(candidate.name, name)) ??
      catalog.agents.get(name.toLowerCase());
    if (agent === undefined)
      throw new VoiceError("validation_error", "the session's scenario names an agent that does not exist");
    const own = withPromptOfSession(agent, options.sessionId);
    agents.set(name.toLowerCase(), forSession(own, scenario, overrideFor(options.overrides ?? {}, agent.name)));
  }
  const edges = new Map<string, HandoffEdge[]>();
  for (const edge of scenario.handoffs) {
    const from = edge.from.toLowerCase();
    edges.set(from, [...(edges.get(from) ?? []), edge]);
  }
  const edgesFrom = (agent: string): readonly HandoffEdge[] => edges.get(agent.toLowerCase()) ?? [];
  const { preamble } = catalog.defaults;
  /** The latest prompt for each memory object: sessions share a catalog, but never a memory. */
  const lastPrompts = new WeakMap<TemplateContext["memory"], LastPrompt>();
  return {
    scenario,
    agent: (name) => agents.get(name.toLowerCase()),
    edgesFrom,
    renderPrompt(agent, context) {
      const last = lastPrompts.get(context.memory);
      if (last?.agent === agent && isSameContext(last.context, context)) return last.prompt;
      const scope = templateScope(agent, { ...context, isReturn: false });
      const parts = [
        // First, because it is the same for every agent: a model processes a prefix that it has cached faster.
        catalog.templates.render(preamble, scope).trim(),
        catalog.templates.render(agent.prompt, scope).trim(),
        languageInstructions(agent.speech.language, agent.speech.languages),
        contextInstructions(context.memory),
        handoffInstructions(edgesFrom(agent.name), agents),
      ];
      const prompt = parts.filter((part) => part !== "").join("\n\n");
      if (!tellsTime.test(preamble + agent.prompt)) lastPrompts.set(context.memory, { agent, context, prompt });
      return prompt;
    },
    renderGreeting(agent, context) {
      const template = context.isReturn ? (agent.returnGreeting ?? agent.greeting) : agent.greeting;
      if (template === undefined) return undefined;
      const greeting = catalog.templates
        .render(template, templateScope(agent, context), maxSpokenCharacters)
        .replaceAll(/\s+/g, " ")
        .trim();
      return greeting === "" ? undefined : greeting;
    },
  };
}

/** Applies a runtime override to an agent. */
export function withOverride(agent: Agent, override: AgentChanges): Agent {
  return {
    ...agent,
    model: {
      cascade: changedModel(agent.model.cascade, override.model),
      realtime: changedModel(agent.model.realtime, override.model),
    },
    voice: changedVoice(agent.voice, override.voice),
  };
}

function forSession(agent: Agent, scenario: Scenario, override: AgentChanges | undefined): Agent {
  const templateVars = { ...agent.templateVars, ...scenario.templateVars };
  return { ...withOverride(agent, override ?? {}), templateVars };
}

/** Templates whose output may differ for the same input. */
const tellsTime = /["']now["']|\bsample\b/;

/** The session's memory is replaced and never mutated, so identical objects imply equal values. */
function isSameContext(one: TemplateContext, other: TemplateContext): boolean {
  return (
    one.memory === other.memory &&
    one.today === other.today &&
    one.timeZone === other.timeZone &&
    one.previousAgent === other.previousAgent &&
    one.handoffReason === other.handoffReason &&
    one.handoffContext === other.handoffContext
  );
}

function templateScope(agent: Agent, context: TemplateContext & { readonly isReturn: boolean }): TemplateScope {
  return {
    ...agent.templateVars,
    agent_name: agent.name,
    context: contextOf(context.memory),
    handoff_context: context.handoffContext ?? {},
    handoff_reason: context.handoffReason,
    is_return: context.isReturn,
    language: agent.speech.language,
    memory: context.memory,
    previous_agent: context.previousAgent,
    time_zone: context.timeZone,
    today: context.today,
  };
}

/** Describes the possible handoffs to the model, in the same form for every agent. */
function handoffInstructions(edges: readonly HandoffEdge[], agents: ReadonlyMap<string, Agent>): string {
  if (edges.length === 0) return "";
  const lines = edges.map((edge) => {
    const description = agents.get(edge.to.toLowerCase())?.description ?? "";
    const condition = edge.condition === undefined ? "" : ` Hand over when ${edge.condition}`;
    const how =
      edge.type === "announced"
        ? "Tell the caller in a few words that you are connecting them."
        : "Say nothing about it: the caller should not notice.";
    return `- ${edge.to} (${edge.tool ?? "handoff_to_agent"}): ${description}${condition} ${how}`;
  });
  return ["## Handing over", "Call the tool in brackets to hand the conversation to another agent.", ...lines].join(
    "\n",
  );
}

function overrideFor(overrides: Readonly<Record<string, AgentChanges>>, agent: string): AgentChanges | undefined {
  return Object.entries(overrides).find(([name]) => sameName(name, agent))?.[1];
}

function sameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function changedModel(model: AgentModelSettings, changes: AgentChanges["model"] = {}): AgentModelSettings {
  return withDefined(model, { ...changes, deploymentId: changes.deploymentId ?? model.deploymentId });
}

function changedVoice(
  { endpointId, personalModel, ...voice }: AgentVoice,
  changes: AgentChanges["voice"] = {},
): AgentVoice {
  const changed = withDefined(voice, { ...changes, name: changes.name ?? voice.name });
  // These fields belong to the particular voice.
  return changes.name === undefined ? { ...changed, endpointId, personalModel } : changed;
}

/** `base` with the fields of `later` that have a value. */
export function withDefined<Fields extends object>(base: Fields, later: Fields): Fields {
  const merged = { ...base };
  for (const key in later) if (later[key] !== undefined) merged[key] = later[key];
  return merged;
}
