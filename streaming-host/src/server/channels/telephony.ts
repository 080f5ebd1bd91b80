/**
 * `/telephony/stream`: a contact-centre platform, which opens with the hook protocol before there is a conversation.
 */
import type { Settings } from "@voice/shared/config/settings";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import { HookLink } from "../../transports/telephony/hook-link.ts";
import { hookRateHz } from "../../transports/telephony/offered-media.ts";
import { HookTransport } from "../../transports/telephony/telephony-transport.ts";
import type { LiveConnection } from "../accept/live-connections.ts";
import type { QueryOf } from "../accept/stream-routes.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import { hookHeader } from "../accept/telephony-headers.ts";
import type { ConversationOnTransport } from "../conversations/connect/connection.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Host } from "../../host/host.ts";
import type { ConversationRequest } from "../../session/conversation/open-conversation.ts";
import { sampleRateOf } from "./sample-rate.ts";
import { agreeOnMedia, isOfOrganization, isProbe, mediaOfProbe, requestedConversation } from "./telephony-opening.ts";

export async function openTelephony(
  { socket, request, caller, traceparent, onClosed }: AcceptedSocket,
  query: QueryOf<"telephony">,
  host: Host,
  conversations: Pick<Conversations, "connect">,
): Promise<LiveConnection> {
  const { clock, logger, state, settings } = host;
  const sessionId = hookHeader(request, "session-id") ?? query.session_id;
  const link = new HookLink(socket, clock, sessionId);
  const parameters = await link.opening;
  if (parameters === undefined || !isOfOrganization(parameters, request, link))
    return withoutConversation(link, onClosed);
  if (isProbe(parameters)) {
    link.send("opened", { startPaused: false, media: mediaOfProbe(parameters) });
    endWithPlatform(link);
    return withoutConversation(link, onClosed);
  }
  const media = agreeOnMedia(parameters, link);
  if (media === undefined) return withoutConversation(link, onClosed);
  const languages = languagesOf(settings);
  const told = parameters.supportedLanguages ? { supportedLanguages: languages } : {};
  link.send("opened", { startPaused: false, media: [media.offer], ...told });
  try {
    const sources = { sessions: state.sessions, languages };
    const asked = await requestedConversation(parameters, link.sessionId, { query, caller }, sources);
    const transport = new HookTransport({
      link,
      media,
      languages,
      events: parameters.customConfig.events ?? query.events,
      // HOOK-18. Recognisers have a rate of their own.
      sampleRateHz: query.streaming_mode === "VOICE_LIVE" ? hookRateHz : sampleRateOf(query.streaming_mode),
      clock,
      logger,
    });
    return await conversations.connect(
      telephonyConversation(transport, { asked: { ...asked, traceparent }, onClosed }, settings),
    );
  } catch (error) {
    const isTheirs = error instanceof BadRequestError;
    logger[isTheirs ? "warn" : "error"](
      { error, code: toVoiceError(error).code },
      "a telephony conversation could not be opened",
    );
    const info = isTheirs ? error.message : "The conversation could not be begun.";
    link.end({ reason: "error", info });
    return withoutConversation(link, onClosed);
  }
}

function telephonyConversation(
  transport: HookTransport,
  { asked, onClosed }: { readonly asked: ConversationRequest; readonly onClosed: () => void },
  settings: Settings,
): ConversationOnTransport {
  return {
    transport,
    request: asked,
    life: {
      longestMs: settings.commMaxCallMs,
      onEnded: (reason) => transport.setEndReason(reason),
      onClosed,
    },
  };
}

/** The languages in which conversations can be held here. */
function languagesOf({ telephonyLanguages, sttLanguage }: Settings): readonly string[] {
  return telephonyLanguages.length === 0 ? [sttLanguage] : telephonyLanguages;
}

function endWithPlatform(link: HookLink): void {
  link.listen({
    onAudio: () => undefined,
    onMessage: () => undefined,
    onOver: () => link.end({ reason: "completed" }),
  });
}

/** A socket without a conversation, which stays open until the platform has hung up. */
function withoutConversation(link: HookLink, onClosed: () => void): LiveConnection {
  void link.gone.then(onClosed);
  const end = (): void => link.end({ reason: "completed" });
  return { drain: end, close: async () => end() };
}
