/** Chooses a conversation's scenario. Pure; the names come from the session, the URL and the settings. */
import type { Catalog } from "./catalog.ts";
import { BadRequestError, VoiceError } from "../platform/errors.ts";

const usualName = "default";

/**
 * The scenario for sessions that ask for none, if AGENT_SCENARIO is not set: the one named `default`, or the only one that there
 * is. Undefined if the catalog does not decide it.
 */
export function defaultScenarioOf({ scenarios }: Pick<Catalog, "scenarios">): string | undefined {
  const [only, ...others] = scenarios.values();
  return scenarios.get(usualName)?.name ?? (others.length === 0 ? only?.name : undefined);
}

export interface ScenarioRequest {
  /** The scenario that the session already has, or that was made for it. */
  readonly sessionScenario?: string | undefined;
  /** The scenario that the client requested. */
  readonly queryScenario?: string | undefined;
  /** `AGENT_SCENARIO`, or the catalog's default. */
  readonly settingScenario: string | undefined;
}

/** Finds a scenario by its name in any letter case and returns its own spelling; undefined if there is none. */
export type FindScenario = (name: string) => string | undefined;

/**
 * The session's scenario, else the client's choice, else the setting. A scenario stored with the session may no longer
 * exist and is then skipped, but one that a client or an operator names must exist.
 */
export function resolveScenario(
  { sessionScenario, queryScenario, settingScenario }: ScenarioRequest,
  find: FindScenario,
): string {
  const remembered = sessionScenario === undefined ? undefined : find(sessionScenario);
  if (remembered !== undefined) return remembered;
  if (queryScenario !== undefined) return find(queryScenario) ?? refuse();
  const configured = settingScenario === undefined ? undefined : find(settingScenario);
  if (configured === undefined)
    throw new VoiceError("not_found", `the configured scenario "${settingScenario ?? usualName}" does not exist`);
  return configured;
}

function refuse(): never {
  throw new BadRequestError("not_found", "There is no scenario of this name.", [
    { field: "scenario", message: "no scenario of this name", code: "not_found" },
  ]);
}
