/** Interprets a client's `config` for its conversation (HS-6), and what a reset keeps of it (CTRL-2). Pure. */
import { createId } from "@voice/shared/platform/ids";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import type { ConversationRequest } from "../../../session/conversation/open-conversation.ts";
import type { SessionConfig } from "../../../transports/transport.ts";

/** The conversation that is now asked for; undefined if the config does not change it. */
export function requestAfter(config: SessionConfig, request: ConversationRequest): ConversationRequest | undefined {
  const { scenario, agent, agent_overrides: overrides, profile_id: profileId, language, time_zone: timeZone } = config;
  if ([scenario, agent, overrides, profileId, language, timeZone].every((asked) => asked === undefined))
    return undefined;
  return {
    ...request,
    scenario: scenario ?? request.scenario,
    // Another scenario begins with its own agent.
    agent: agent ?? (scenario === undefined ? request.agent : undefined),
    profileId: profileId ?? request.profileId,
    language: language ?? request.language,
    timeZone: timeZone ?? request.timeZone,
    startsAfresh: true,
  };
}

/** What holds after a further config, which changes what it names and leaves the rest as it was. */
export function configAfter(config: SessionConfig, before: SessionConfig | undefined): SessionConfig {
  return {
    ...config,
    scenario: config.scenario ?? before?.scenario,
    agent_overrides: overridesAfter(config.agent_overrides, before?.agent_overrides),
  };
}

type Overrides = SessionConfig["agent_overrides"];

function overridesAfter(later: Overrides, before: Overrides): Overrides {
  if (later === undefined || before === undefined) return later ?? before;
  const merged = { ...before };
  for (const [name, { voice }] of Object.entries(later)) {
    const agent = name.toLowerCase();
    merged[agent] = { voice: { ...merged[agent]?.voice, ...voice } };
  }
  return merged;
}

/**
 * A conversation after a reset: what the client chose for the one before holds on, and nothing that was said in it does.
 * `hasAgent`: whether its scenario has the agent, which an earlier one may have had alone.
 */
export function requestAfterReset(
  request: ConversationRequest,
  { owner, scenario }: Pick<SessionRecord, "owner" | "scenario">,
  hasAgent: (name: string) => boolean,
): ConversationRequest & { readonly sessionId: string } {
  const { agent } = request;
  return {
    ...request,
    sessionId: createId("session"),
    owner,
    scenario,
    agent: agent !== undefined && hasAgent(agent) ? agent : undefined,
  };
}
