/** The catalog as one session sees it: built-in agents, runtime overrides and session-scoped ones, compiled once. */
import type { Agent } from "./agent.ts";
import type { HandoffEdge, Scenario } from "./scenario.ts";

/** Values that a template may use in addition to the agent's and the scenario's variables. */
export interface TemplateContext {
  readonly memory: Readonly<Record<string, unknown>>;
  readonly previousAgent?: string | undefined;
  readonly handoffReason?: string | undefined;
  readonly handoffContext?: Readonly<Record<string, unknown>> | undefined;
  /** `2026-03-21`; without it a model cannot know what "yesterday" is. */
  readonly today?: string | undefined;
  /** The caller's time zone. */
  readonly timeZone?: string | undefined;
}

export interface SessionCatalog {
  readonly scenario: Scenario;
  /** The published version that stands over the files; absent: none. */
  readonly release?: number | undefined;
  /** The time zone for "today"; UTC if absent. */
  readonly timeZone?: string | undefined;
  /** The agent by name, any letter case; undefined when the session has none of that name. */
  agent(name: string): Agent | undefined;
  /** The handoffs that are open to this agent. */
  edgesFrom(agent: string): readonly HandoffEdge[];
  renderPrompt(agent: Agent, context: TemplateContext): string;
  /** The greeting for a first visit, or the return greeting; undefined when the agent has none. */
  renderGreeting(agent: Agent, context: TemplateContext & { readonly isReturn: boolean }): string | undefined;
}
