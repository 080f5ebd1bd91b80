/**
 * Reads agents and scenarios back from the stores. Every document passed its check when it was stored. One that no
 * longer does, because the catalog or the check has changed, is left out by all processes alike: conversations go on
 * without it, and it is not listed. The reader logs what was left out.
 */
import type { Steps } from "../platform/steps.ts";
import type { Agent } from "./agent.ts";
import type { Catalog } from "./catalog.ts";
import { withDefined, type AgentChanges } from "./compile-session-catalog.ts";
import type { KnownTools } from "./known-tools.ts";
import type { Scenario } from "./scenario.ts";
import { checkAgentChange, checkSessionAgent, checkSessionScenario, type Checked } from "./session-documents.ts";

interface NamedDocument {
  readonly name: string;
  readonly document: unknown;
}

export interface StoredDocuments {
  /** Changes to the catalog's own agents, which apply to every session. Of one agent, a later one wins field by field. */
  readonly overrides?: readonly { readonly agentName: string; readonly document: unknown }[];
  /** A session's own documents, oldest first. */
  readonly agents?: readonly NamedDocument[];
  readonly scenarios?: readonly NamedDocument[];
}

export interface LeftOut {
  readonly kind: "override" | "agent" | "scenario" | "route";
  readonly name: string;
  /** Documents that no longer pass their check. */
  readonly fields: readonly string[];
}

export interface AcceptedDocuments {
  /** Keyed by the agent's name in lower case. */
  readonly overrides: ReadonlyMap<string, AgentChanges>;
  readonly agents: readonly Agent[];
  readonly scenarios: readonly Scenario[];
  readonly leftOut: readonly LeftOut[];
}

export function* acceptDocuments(
  stored: StoredDocuments,
  catalog: Catalog,
  known: KnownTools,
): Steps<AcceptedDocuments> {
  const overrides = new Map<string, AgentChanges>();
  const agents: Agent[] = [];
  const scenarios: Scenario[] = [];
  const leftOut: LeftOut[] = [];
  function accept<Value>(kind: LeftOut["kind"], name: string, checked: Checked<Value>, keep: (value: Value) => void) {
    if (checked.ok) keep(checked.value);
    else leftOut.push({ kind, name, fields: checked.problems.map(({ field }) => field) });
  }
  for (const { agentName, document } of stored.overrides ?? [])
    accept("override", agentName, checkAgentChange(document), (changes) => {
      const name = agentName.toLowerCase();
      overrides.set(name, withLater(overrides.get(name) ?? {}, changes));
    });
  for (const { name, document } of stored.agents ?? [])
    accept("agent", name, yield* checkSessionAgent(document, catalog, known, agents), (agent) => agents.push(agent));
  for (const { name, document } of stored.scenarios ?? []) {
    accept("scenario", name, checkSessionScenario(document, catalog, agents), (scenario) => scenarios.push(scenario));
    yield;
  }
  return { overrides, agents, scenarios, leftOut };
}

function withLater(before: AgentChanges, later: AgentChanges): AgentChanges {
  return {
    model: withDefined(before.model ?? {}, later.model ?? {}),
    voice: withDefined(before.voice ?? {}, later.voice ?? {}),
  };
}
