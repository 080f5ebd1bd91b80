/** Interprets a client's `config` for its conversation (HS-6). Pure. */
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
