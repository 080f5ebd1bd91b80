/** From a telephony platform's socket to the conversation on it: the handshake, and what the platform tells in it. */
import type { IncomingMessage } from "node:http";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { ConversationRequest } from "../session/open-conversation.ts";
import type { Socket } from "../transports/socket.ts";
import { createHookLink } from "../transports/telephony/hook-link.ts";
import type { HookLink } from "../transports/telephony/hook-link.ts";
import { chooseMedia } from "../transports/telephony/offered-media.ts";
import type { ChosenMedia } from "../transports/telephony/offered-media.ts";
import { nullId } from "../transports/telephony/platform-messages.ts";
import type { OpenParameters } from "../transports/telephony/platform-messages.ts";
import { createTelephonyTransport } from "../transports/telephony/telephony-transport.ts";
import type { ConnectionServices } from "./connection-services.ts";
import { converse } from "./converse.ts";
import type { StreamRoute } from "./stream-routes.ts";
import type { LiveConnection } from "./streaming-host.ts";
import { hookHeader } from "./telephony-headers.ts";

type TelephonyQuery = Extract<StreamRoute, { kind: "telephony" }>["query"];

/** The realtime model's rate (spec section 8); the transport converts. */
const bridgeRateHz = 24_000;

export async function openTelephony(
  socket: Socket,
  request: IncomingMessage,
  query: TelephonyQuery,
  services: ConnectionServices,
  onClosed: () => void,
): Promise<LiveConnection> {
  const { clock, logger } = services;
  const sessionId = hookHeader(request, "session-id") ?? query.session_id;
  const link = createHookLink({ socket, clock, sessionId });
  const parameters = await link.opening;
  const media = parameters && agreeOn(parameters, request, link);
  if (parameters === undefined || media === undefined) return untilGone(link, onClosed);
  link.send("opened", { startPaused: false, media: [media.offer] });
  if (isProbe(parameters)) {
    link.listen({
      onAudio: () => undefined,
      onMessage: () => undefined,
      onOver: () => link.end({ reason: "completed" }),
    });
    return untilGone(link, onClosed);
  }
  const transport = createTelephonyTransport({ link, media, clock, logger, sampleRateHz: bridgeRateHz });
  try {
    const opening = {
      transport,
      request: await conversationOf(parameters, link.sessionId, query, services),
      longestMs: services.settings.commMaxCallMs,
      onEnded: (reason: string) => transport.endsBecause(reason),
    };
    return await converse(opening, services, onClosed);
  } catch (error) {
    logger.error({ error, code: toVoiceError(error).code }, "a telephony conversation could not be begun");
    const info = error instanceof BadRequestError ? error.message : "The conversation could not be begun.";
    link.end({ reason: "error", info });
    return untilGone(link, onClosed);
  }
}

/** HOOK-6, HOOK-7. Undefined: the platform has been told why not. */
function agreeOn(parameters: OpenParameters, request: IncomingMessage, link: HookLink): ChosenMedia | undefined {
  const organization = hookHeader(request, "organization-id");
  if (organization !== undefined && organization !== parameters.organizationId) {
    link.end({ reason: "unauthorized", info: "The organization is not that of the request." });
    return undefined;
  }
  const media = chooseMedia(parameters.media);
  if (media === undefined) link.end({ reason: "error", info: "Offer PCMU at 8000 Hz with the external channel." });
  return media;
}

function isProbe({ conversationId, participant }: OpenParameters): boolean {
  return conversationId === nullId && participant.id === nullId;
}

/** HOOK-9. */
async function conversationOf(
  parameters: OpenParameters,
  hookSessionId: string,
  query: TelephonyQuery,
  { state }: ConnectionServices,
): Promise<ConversationRequest> {
  const { conversationId, participant, continuedSessions, inputVariables } = parameters;
  const { scenario = query.scenario, agent = query.agent, profile_id: profileId, ...given } = inputVariables;
  const facts = { ...given, conversation_id: conversationId, caller: participant.ani, called: participant.dnis };
  return {
    sessionId: (await continuedSession(continuedSessions, state)) ?? hookSessionId,
    channel: "telephony",
    streamingMode: "VOICE_LIVE",
    scenario,
    startAgent: agent,
    profileId,
    context: Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== "")),
  };
}

/** The latest that we still know. */
async function continuedSession(
  sessions: OpenParameters["continuedSessions"],
  state: ConnectionServices["state"],
): Promise<string | undefined> {
  for (const { id } of sessions.toReversed()) if (typeof (await state.sessions.get(id)) !== "string") return id;
  return undefined;
}

/** A socket without a conversation: it lives until the platform has hung up. */
function untilGone(link: HookLink, onClosed: () => void): LiveConnection {
  void link.gone.then(onClosed);
  const end = (): void => link.end({ reason: "completed" });
  return { drain: end, close: async () => end() };
}
