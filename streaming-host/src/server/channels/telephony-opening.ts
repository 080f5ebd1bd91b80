/** Handles the opening of a session by a telephony platform: negotiation, and the conversation that it asks for. */
import type { IncomingMessage } from "node:http";
import type { Caller } from "@voice/shared/auth/caller";
import { partyOfText } from "@voice/shared/calls/party";
import { contextOf } from "@voice/shared/conversation/call-context";
import type { State } from "@voice/shared/state/ports/state";
import type { ConversationRequest } from "../../session/conversation/open-conversation.ts";
import type { HookLink } from "../../transports/telephony/hook-link.ts";
import { chooseLanguage } from "@voice/shared/languages/choose-language";
import { chooseMedia } from "../../transports/telephony/offered-media.ts";
import type { ChosenMedia } from "../../transports/telephony/offered-media.ts";
import { nullId } from "../../transports/telephony/platform-messages.ts";
import type { OfferedMedia, OpenParameters } from "../../transports/telephony/platform-messages.ts";
import type { QueryOf } from "../accept/stream-routes.ts";
import { hookHeader } from "../accept/telephony-headers.ts";

/** HOOK-6. If false, the platform has been told why. */
export function isOfOrganization(
  { organizationId }: OpenParameters,
  request: IncomingMessage,
  link: HookLink,
): boolean {
  const organization = hookHeader(request, "organization-id");
  if (organization === undefined || organization === organizationId) return true;
  link.end({ reason: "unauthorized", info: "The organization is not that of the request." });
  return false;
}

/** HOOK-6. If undefined, the platform has been told why. */
export function agreeOnMedia(parameters: OpenParameters, link: HookLink): ChosenMedia | undefined {
  const media = chooseMedia(parameters.media);
  if (media === undefined) link.end({ reason: "error", info: "Offer PCMU at 8000 Hz with the external channel." });
  return media;
}

/** HOOK-7: the platform only tests the connection. */
export function isProbe({ conversationId, participant }: OpenParameters): boolean {
  return conversationId === nullId && participant.id === nullId;
}

/** HOOK-7: nobody speaks on a probe, so any offered format will do; if nothing was offered, nothing is agreed on. */
export function mediaOfProbe({ media: offers }: OpenParameters): readonly OfferedMedia[] {
  const offer = chooseMedia(offers)?.offer ?? offers[0];
  return offer === undefined ? [] : [offer];
}

/** HOOK-9. */
export async function requestedConversation(
  parameters: OpenParameters,
  hookSessionId: string,
  { query, caller }: { readonly query: QueryOf<"telephony">; readonly caller: Caller },
  { sessions, languages }: { readonly sessions: State["sessions"]; readonly languages: readonly string[] },
): Promise<ConversationRequest> {
  const { customConfig, inputVariables, language, participant } = parameters;
  const { events: _events, ...configured } = customConfig;
  // The call's flow takes precedence over the integration's configuration, and that over the address. A flow's variable
  // that is not set is empty, and names nothing.
  const named = (name: "scenario" | "agent" | "profile_id"): string | undefined =>
    [inputVariables[name], configured[name]].find((value) => typeof value === "string" && value !== "") ?? undefined;
  const { scenario: _scenario, agent: _agent, profile_id: _profile, ...facts } = { ...configured, ...inputVariables };
  return {
    caller,
    owner: undefined,
    sessionId: (await latestKnown(parameters, sessions)) ?? hookSessionId,
    called: partyOfText(participant.dnis),
    phoneNumber: partyOfText(participant.ani).number,
    channel: "telephony",
    streamingMode: query.streaming_mode,
    scenario: named("scenario") ?? query.scenario,
    startAgent: named("agent") ?? query.agent,
    profileId: named("profile_id"),
    language: language === undefined ? undefined : chooseLanguage(language, languages),
    context: contextOfCall(parameters, facts),
  };
}

function contextOfCall(
  { organizationId, conversationId, participant, language }: OpenParameters,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const facts = {
    language,
    ...given,
    organization_id: organizationId,
    conversation_id: conversationId,
    caller: participant.ani,
    caller_name: participant.aniName,
    called: participant.dnis,
  };
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== "" && value !== undefined && value !== null),
  );
}

/** A platform may resume only conversations that it began itself. */
async function latestKnown(
  { continuedSessions, organizationId }: OpenParameters,
  sessions: State["sessions"],
): Promise<string | undefined> {
  for (const { id } of continuedSessions.toReversed()) {
    const known = await sessions.get(id);
    if (typeof known === "string" || known.channel !== "telephony") continue;
    if (contextOf(known.memory)["organization_id"] === organizationId) return id;
  }
  return undefined;
}
