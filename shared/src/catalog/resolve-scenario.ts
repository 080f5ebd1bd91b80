/** Which scenario a conversation takes place in. Pure; the names come from the session, the URL, the settings. */
import { BadRequestError, VoiceError } from "../platform/errors.ts";

/** For sessions that ask for none, where AGENT_SCENARIO is not set. */
export const defaultScenarioName = "default";

export interface ScenarioRequest {
  /** The scenario that the session is in already, or that was made for it. */
  readonly sessionScenario?: string | undefined;
  /** What the client asked for. */
  readonly queryScenario?: string | undefined;
  /** `AGENT_SCENARIO` */
  readonly settingScenario?: string | undefined;
}

/** The scenario's own spelling by its name in any letter case; undefined when there is none. */
export type FindScenario = (name: string) => string | undefined;

/**
 * The session's scenario, else the client's wish, else the setting. What a session remembers may be gone and is then passed
 * over; what a client or an operator names must exist.
 */
export function resolveScenario(
  { sessionScenario, queryScenario, settingScenario = defaultScenarioName }: ScenarioRequest,
  find: FindScenario,
): string {
  const remembered = sessionScenario === undefined ? undefined : find(sessionScenario);
  if (remembered !== undefined) return remembered;
  if (queryScenario !== undefined) return find(queryScenario) ?? refuse();
  const configured = find(settingScenario);
  if (configured === undefined)
    throw new VoiceError("not_found", `the configured scenario "${settingScenario}" does not exist`);
  return configured;
}

function refuse(): never {
  throw new BadRequestError("not_found", "There is no scenario of this name.", [
    { field: "scenario", message: "no scenario of this name", code: "not_found" },
  ]);
}
