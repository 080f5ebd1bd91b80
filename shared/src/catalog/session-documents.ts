/**
 * Turns the documents of agents and scenarios that are created at run time into the same checked types as the catalog's
 * files.
 */
import { z } from "zod";
import { agentChange, agentDocument, type AgentDocument } from "../contracts/agents/agent-document.ts";
import { inCamelCase } from "../platform/camel-case.ts";
import type { FieldProblem } from "../platform/errors.ts";
import type { Steps } from "../platform/steps.ts";
import type { Agent } from "./agent.ts";
import { agentSettings, toolsOf } from "./agent-file.ts";
import type { Catalog } from "./catalog.ts";
import { agentReferenceProblems, scenarioReferenceProblems } from "./check-references.ts";
import { checkedOnce } from "./checked-once.ts";
import type { AgentChanges } from "./compile-session-catalog.ts";
import { deepMerge } from "./deep-merge.ts";
import { isPlainObject, type PlainObject } from "../platform/plain-object.ts";
import { foreignAgentFile } from "./foreign-agent-file.ts";
import type { KnownTools } from "./known-tools.ts";
import { schemaProblems, type CatalogProblem } from "./problems.ts";
import { renderingProblems } from "./rendering-problems.ts";
import { scenarioFile, toScenario } from "./scenario-file.ts";
import type { Scenario } from "./scenario.ts";

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

const namedDocument = z.looseObject({ name: z.string().min(1) });

/** Checks an agent for one session: values, tools, templates, rules, and its trigger against the other agents'. */
export function checkSessionAgent(
  document: unknown,
  catalog: Catalog,
  known: KnownTools,
  siblings: readonly Agent[] = [],
): Steps<Checked<Agent>> {
  const scope = { catalog, known, siblings };
  return checkedOnce(document, scope, () => checkAgent(document, scope));
}

interface AgentScope {
  readonly catalog: Catalog;
  readonly known: KnownTools;
  readonly siblings: readonly Agent[];
}

function* checkAgent(document: unknown, { catalog, known, siblings }: AgentScope): Steps<Checked<Agent>> {
  const parsed = agentDocument.safeParse(document);
  yield;
  if (!parsed.success) return refused(schemaProblems("agent", parsed.error));
  const input = parsed.data;
  const { cascade, realtime, ...model } = input.model ?? {};
  const { top_p: _chat, verbosity: _written, ...modelOfBoth } = model; // no realtime model has these
  const settings = foreignAgentFile.safeParse(
    deepMerge(catalog.defaults.agent, {
      ...withoutNullish({
        greeting: input.greeting,
        return_greeting: input.return_greeting,
        handoff_trigger: input.handoff_trigger,
        tools: input.tools,
        knowledge: input.knowledge,
        examples: input.examples,
        template_vars: input.template_vars,
        after_call: input.after_call,
        speech: input.speech && withoutNullish(input.speech),
        guardrails: input.guardrails,
      }),
      description: input.description ?? `${input.name}.`,
      model: {
        cascade: { ...withoutNullish(model), ...withoutNullish(cascade ?? {}) },
        realtime: { ...withoutNullish(modelOfBoth), ...withoutNullish(realtime ?? {}) },
      },
      voice: withoutNullish(toVoice(input.voice ?? {})),
    }),
  );
  yield;
  const source = {
    own: input.rules ?? {},
    common: catalog.defaults.rules,
    tools: settings.success ? toolsOf(settings.data) : [],
  };
  const rules = catalog.language && (yield* catalog.language.compileRules(source));
  const inRules = rules !== undefined && "problems" in rules ? rules.problems : [];
  if (!settings.success || (rules !== undefined && "problems" in rules))
    return refused([
      ...(settings.success ? [] : schemaProblems("agent", settings.error)),
      ...inRules.map(({ key, message }) => ({ file: "rules", key: joined("rules", key), message })),
    ]);
  const agent: Agent = {
    name: input.name,
    prompt: input.prompt,
    promptPath: "prompt",
    configPath: "agent",
    ...agentSettings(settings.data, rules),
  };
  const agents = agentsByName([...catalog.agents.values(), ...siblings, agent]);
  const { templates, knowledge } = catalog;
  const scope = { agents: { agents, broken: new Set<string>() }, tools: known, knowledge, scenarios: [], templates };
  const inReferences = [
    ...voiceProblems(agent, catalog),
    ...(yield* agentReferenceProblems(agent, scope, { own: "rules", common: "rules" })),
  ];
  const problems = inReferences.length === 0 ? yield* renderingProblems(agent, templates) : inReferences;
  if (problems.length === 0) return { ok: true, value: agent };
  return refused(
    problems.map((problem) =>
      problem.file === "agent" ? problem : { ...problem, key: joined(problem.file, problem.key) },
    ),
  );
}

/** Checks a scenario for one session against the catalog's agents and the session's own. */
export function checkSessionScenario(
  document: unknown,
  catalog: Catalog,
  sessionAgents: readonly Agent[] = [],
): Checked<Scenario> {
  const named = namedDocument.safeParse(document);
  if (!named.success) return refused(schemaProblems("scenario", named.error));
  const { name, session_id: _session, ...rest } = named.data;
  const parsed = scenarioFile.safeParse(deepMerge({ description: name }, withoutNullish(rest)));
  if (!parsed.success) return refused(schemaProblems("scenario", parsed.error));
  const agents = agentsByName([...catalog.agents.values(), ...sessionAgents]);
  const scenario = toScenario(name, parsed.data, (agent) => agents.get(agent.toLowerCase())?.name ?? agent);
  const problems = scenarioReferenceProblems(scenario, { agents, broken: new Set() });
  return problems.length === 0 ? { ok: true, value: scenario } : refused(problems);
}

/** Checks a runtime override of an agent. */
export function checkAgentChange(document: unknown): Checked<AgentChanges> {
  const parsed = agentChange.safeParse(document);
  if (!parsed.success) return refused(schemaProblems("agent", parsed.error));
  const { model, voice } = parsed.data;
  return { ok: true, value: { model: inCamelCase(model ?? {}), voice: inCamelCase(toVoice(voice ?? {})) } };
}

function toVoice({ voice_name, voice_style, voice_rate, voice_pitch, ...own }: NonNullable<AgentDocument["voice"]>) {
  return { name: voice_name, style: voice_style, rate: voice_rate, pitch: voice_pitch, ...own };
}

/**
 * A custom or personal voice belongs to the deployment. Whoever may create an agent for a session may use one that callers hear anyway, and
 * no other.
 */
function voiceProblems({ voice }: Agent, catalog: Catalog): CatalogProblem[] {
  const { name, endpointId, personalModel } = voice;
  if (endpointId === undefined && personalModel === undefined) return [];
  const isOfCatalog = [...catalog.agents.values()].some(
    (agent) =>
      agent.voice.name === name && agent.voice.endpointId === endpointId && agent.voice.personalModel === personalModel,
  );
  const key = endpointId === undefined ? "voice.personal_model" : "voice.endpoint_id";
  return isOfCatalog ? [] : [{ file: "agent", key, message: "No agent of the catalog speaks with this voice" }];
}

function agentsByName(agents: readonly Agent[]): ReadonlyMap<string, Agent> {
  return new Map(agents.map((agent) => [agent.name.toLowerCase(), agent]));
}

export function refused(problems: readonly CatalogProblem[]): { ok: false; problems: readonly FieldProblem[] } {
  return {
    ok: false,
    problems: problems.map(({ key: field, message }) => ({ field, message, code: "value_invalid" })),
  };
}

function joined(prefix: string, key: string): string {
  return key === "" ? prefix : `${prefix}.${key}`;
}

/** JSON bodies use null for absent values. */
function withoutNullish(value: PlainObject): PlainObject {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== undefined && entry !== null)
      .map(([key, entry]) => [
        key,
        Array.isArray(entry)
          ? entry.map((item: unknown) => (isPlainObject(item) ? withoutNullish(item) : item))
          : entry,
      ]),
  );
}
