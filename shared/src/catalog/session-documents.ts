/**
 * Agents, scenarios and overrides made at run time: from the documents that requests bring and the stores keep, to the
 * same checked types that the catalog's files become.
 */
import { z } from "zod";
import { VoiceError, type FieldProblem } from "../platform/errors.ts";
import type { Agent } from "./agent.ts";
import { agentSettings, foreignAgentFile } from "./agent-file.ts";
import type { Catalog } from "./catalog.ts";
import { agentReferenceProblems, scenarioReferenceProblems } from "./check-references.ts";
import { compileSessionCatalog, type AgentOverride } from "./compile-session-catalog.ts";
import { deepMerge, isPlainObject, type PlainObject } from "./deep-merge.ts";
import { spokenExamples } from "./expand-examples.ts";
import type { KnownTools } from "./known-names.ts";
import { schemaProblems, type CatalogProblem } from "./problems.ts";
import { rulesFile, toAgentRules } from "./rules-file.ts";
import { scenarioFile, toScenario } from "./scenario-file.ts";
import type { Scenario } from "./scenario.ts";
import { withoutForeignTools } from "./shared-rules.ts";
import type { SessionCatalog } from "./session-catalog.ts";

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

const modelUpdate = z.object({
  deployment_id: z.string().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  max_tokens: z.number().nullish(),
});
const voiceUpdate = z.object({
  voice_name: z.string().nullish(),
  voice_style: z.string().nullish(),
  voice_rate: z.string().nullish(),
  voice_pitch: z.string().nullish(),
});
const agentUpdate = z.object({ model: modelUpdate.nullish(), voice: voiceUpdate.nullish() });

const agentDocument = agentUpdate.extend({
  model: modelUpdate.extend({ cascade: modelUpdate.nullish(), realtime: modelUpdate.nullish() }).nullish(),
  name: z.string().min(1),
  description: z.string().nullish(),
  greeting: z.string().nullish(),
  return_greeting: z.string().nullish(),
  handoff_trigger: z.string().nullish(),
  prompt: z.string().min(1),
  tools: z.array(z.string()).nullish(),
  examples: z.array(z.string()).nullish(),
  template_vars: z.record(z.string(), z.unknown()).nullish(),
  speech: z.record(z.string(), z.unknown()).nullish(),
  /** As in rules.yaml; merged over the shared rules. */
  rules: z.record(z.string(), z.unknown()).nullish(),
  guardrails: z.record(z.string(), z.unknown()).nullish(),
});

const namedDocument = z.looseObject({ name: z.string().min(1) });

/** Checks an agent for one session: values, tools, templates, rules, and its trigger against the other agents'. */
export function checkSessionAgent(
  document: unknown,
  catalog: Catalog,
  known: KnownTools,
  siblings: readonly Agent[] = [],
): Checked<Agent> {
  const parsed = agentDocument.safeParse(document);
  if (!parsed.success) return refused(schemaProblems("agent", parsed.error));
  const input = parsed.data;
  const { cascade, realtime, ...model } = input.model ?? {};
  const settings = foreignAgentFile.safeParse(
    deepMerge(catalog.defaults.agent, {
      ...withoutNullish({
        greeting: input.greeting,
        return_greeting: input.return_greeting,
        handoff_trigger: input.handoff_trigger,
        tools: input.tools,
        examples: input.examples,
        template_vars: input.template_vars,
        speech: input.speech && withoutNullish(input.speech),
        guardrails: input.guardrails,
      }),
      description: input.description ?? `${input.name}.`,
      model: {
        cascade: { ...withoutNullish(model), ...withoutNullish(cascade ?? {}) },
        realtime: { ...withoutNullish(model), ...withoutNullish(realtime ?? {}) },
      },
      voice: withoutNullish(toVoice(input.voice ?? {})),
    }),
  );
  const rules = rulesFile.safeParse(deepMerge(catalog.defaults.rules, input.rules ?? {}));
  if (!settings.success || !rules.success)
    return refused([
      ...(settings.success ? [] : schemaProblems("agent", settings.error)),
      ...(rules.success ? [] : prefixed("rules", schemaProblems("rules", rules.error))),
    ]);
  const agentRules = withoutForeignTools(toAgentRules(rules.data), settings.data.tools, ownIntents(input.rules));
  const agent: Agent = {
    name: input.name,
    prompt: input.prompt,
    promptPath: "prompt",
    configPath: "agent",
    ...agentSettings(settings.data),
    examples: spokenExamples(settings.data.examples, agentRules),
    rules: agentRules,
  };
  const agents = agentsByName([...catalog.agents.values(), ...siblings, agent]);
  const problems = agentReferenceProblems(agent, { agents, broken: new Set() }, [], known, () => "rules");
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

/** From the body of PUT /agents/{name}, as the store keeps it. */
export function toAgentOverride(document: unknown): AgentOverride {
  const { model, voice } = agentUpdate.parse(document);
  return {
    model: {
      deploymentId: model?.deployment_id ?? undefined,
      temperature: model?.temperature ?? undefined,
      topP: model?.top_p ?? undefined,
      maxTokens: model?.max_tokens ?? undefined,
    },
    voice: {
      name: voice?.voice_name ?? undefined,
      style: voice?.voice_style ?? undefined,
      rate: voice?.voice_rate ?? undefined,
      pitch: voice?.voice_pitch ?? undefined,
    },
  };
}

export interface StoredDocuments {
  readonly overrides: readonly { readonly agentName: string; readonly document: unknown }[];
  readonly agents: readonly { readonly document: unknown }[];
  readonly scenarios: readonly { readonly document: unknown }[];
}

/** The catalog as one session sees it, from what the stores hold. Documents were checked when they were created. */
export function compileFromDocuments(
  catalog: Catalog,
  known: KnownTools,
  scenario: string,
  stored: StoredDocuments,
): SessionCatalog {
  const agents: Agent[] = [];
  for (const { document } of stored.agents) agents.push(orThrow(checkSessionAgent(document, catalog, known, agents)));
  return compileSessionCatalog(catalog, {
    scenario,
    overrides: Object.fromEntries(
      stored.overrides.map(({ agentName, document }) => [agentName, toAgentOverride(document)]),
    ),
    sessionAgents: agents,
    sessionScenarios: stored.scenarios.map(({ document }) => orThrow(checkSessionScenario(document, catalog, agents))),
  });
}

function orThrow<Value>(checked: Checked<Value>): Value {
  if (checked.ok) return checked.value;
  const fields = checked.problems.map((problem) => problem.field).join(", ");
  throw new VoiceError("internal_error", `a stored document does not pass its own check any more (${fields})`);
}

function toVoice(voice: z.infer<typeof voiceUpdate>): PlainObject {
  return { name: voice.voice_name, style: voice.voice_style, rate: voice.voice_rate, pitch: voice.voice_pitch };
}

function ownIntents(rules: PlainObject | null | undefined): ReadonlySet<string> {
  const intents = rules?.["intents"];
  return new Set(isPlainObject(intents) ? Object.keys(intents) : []);
}

function agentsByName(agents: readonly Agent[]): ReadonlyMap<string, Agent> {
  return new Map(agents.map((agent) => [agent.name.toLowerCase(), agent]));
}

const bodyFields: Readonly<Record<string, string>> = {
  "voice.name": "voice.voice_name",
  "voice.style": "voice.voice_style",
  "voice.rate": "voice.voice_rate",
  "voice.pitch": "voice.voice_pitch",
};

function refused(problems: readonly CatalogProblem[]): { ok: false; problems: readonly FieldProblem[] } {
  return {
    ok: false,
    problems: problems.map((problem) => {
      const field = problem.key.replace(/^model\.(cascade|realtime)\./, "model.");
      return { field: bodyFields[field] ?? field, message: problem.message, code: "value_invalid" };
    }),
  };
}

function prefixed(prefix: string, problems: readonly CatalogProblem[]): readonly CatalogProblem[] {
  return problems.map(({ file, key, message }) => ({ file, key: joined(prefix, key), message }));
}

function joined(prefix: string, key: string): string {
  return key === "" ? prefix : `${prefix}.${key}`;
}

/** JSON bodies say null where they mean nothing. */
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
