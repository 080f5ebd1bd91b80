/** What a client's `config` asks of its conversation (HS-6). Pure. */
import { timeZoneIn } from "@voice/shared/conversation/spoken-language";
import type { ConversationRequest } from "../../session/conversation/open-conversation.ts";
import type { SessionConfig } from "../../transports/transport.ts";

/** The conversation that is asked for now; undefined when the config leaves the conversation as it is. */
export function requestAfter(config: SessionConfig, request: ConversationRequest): ConversationRequest | undefined {
  const { scenario, agent, agent_overrides: overrides, profile_id: profileId, language } = config;
  const timeZone = timeZoneIn(config);
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
