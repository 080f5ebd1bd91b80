/** Where a conversation begins. Pure; the names come from the session, the URL, the settings. */
import { BadRequestError, VoiceError } from "../platform/errors.ts";

export const defaultScenarioName = "default";

export interface StartRequest {
  /** The agent that the session is with already, or that was made for it. */
  readonly sessionAgent?: string | undefined;
  /** The scenario that the session is in already, or that was made for it. */
  readonly sessionScenario?: string | undefined;
  /** What the client asked for. */
  readonly queryScenario?: string | undefined;
  /** `AGENT_SCENARIO` */
  readonly settingScenario?: string | undefined;
}

export interface KnownStarts {
  /** The scenario's own spelling and start agent, by name in any letter case. */
  scenario(name: string): { readonly name: string; readonly startAgent: string } | undefined;
  /** The agent's own spelling, when it can take part in the scenario. */
  agent(name: string, scenario: string): string | undefined;
}

export interface Start {
  readonly scenario: string;
  readonly agent: string;
}

/**
 * Session agent > session scenario > client's wish > setting > default. What a session remembers may be gone and is then
 * passed over; what a client or an operator names must exist.
 */
export function resolveStart(request: StartRequest, known: KnownStarts): Start {
  const scenario =
    known.scenario(request.sessionScenario ?? "") ??
    wished(request.queryScenario, known) ??
    configured(request.settingScenario ?? defaultScenarioName, known);
  const agent = request.sessionAgent === undefined ? undefined : known.agent(request.sessionAgent, scenario.name);
  return { scenario: scenario.name, agent: agent ?? scenario.startAgent };
}

function wished(name: string | undefined, known: KnownStarts): ReturnType<KnownStarts["scenario"]> {
  if (name === undefined) return undefined;
  const scenario = known.scenario(name);
  if (scenario !== undefined) return scenario;
  throw new BadRequestError("not_found", "There is no scenario of this name.", [
    { field: "scenario", message: "no scenario of this name", code: "not_found" },
  ]);
}

function configured(name: string, known: KnownStarts): NonNullable<ReturnType<KnownStarts["scenario"]>> {
  const scenario = known.scenario(name);
  if (scenario === undefined) throw new VoiceError("not_found", `the configured scenario "${name}" does not exist`);
  return scenario;
}
