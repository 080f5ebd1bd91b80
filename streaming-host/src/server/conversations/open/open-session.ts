/** Opens a session on a transport: its stored conversation, and everything that accompanies it while it runs. */
import { readOwner } from "@voice/shared/auth/tenant";
import { speechDefaultsOf } from "@voice/shared/catalog/catalog-in-language";
import type { Turnstile } from "@voice/shared/platform/turnstile";
import { logFieldsOf } from "@voice/shared/telemetry/traceparent";
import type { CustomerSource } from "@voice/shared/tools/customer";
import type { Host } from "../../../host/host.ts";
import type { NewestConversations } from "../../../session/conversation/late-results.ts";
import { openConversation } from "../../../session/conversation/open-conversation.ts";
import type { ConversationRequest } from "../../../session/conversation/open-conversation.ts";
import type { LiveSession } from "../../../session/modes/live-session.ts";
import { historyFull } from "../../../session/turn/turn-effects.ts";
import type { ConversationTelemetry } from "../../../telemetry/session-telemetry.ts";
import type { SessionConfig, Transport } from "../../../transports/transport.ts";
import type { CompanionsOfHost } from "../companions/companions.ts";
import type { ConversationScope } from "../conversation-scope.ts";
import type { SessionRunner } from "../run/session-runner.ts";
import { createBoundCustomer } from "./bound-customer.ts";
import type { ConversationMeters } from "./meter-conversation.ts";
import type { SessionCatalogs } from "./session-catalogs.ts";
import { SessionEnding } from "./session-ending.ts";
import { RequestEncoder } from "../../../session/flight/sent-requests.ts";
import type { SentRequest } from "../../../session/flight/sent-requests.ts";
import { recordedLanguageModel, recordedRealtimeModel } from "../../../session/flight/record-requests.ts";
import type { Providers } from "../providers.ts";

export interface SessionToOpen {
  readonly transport: Transport;
  readonly request: ConversationRequest;
  /** The client's configuration since it connected, which takes precedence over the request. */
  readonly config?: SessionConfig | undefined;
  /** Called with the session's id before the session says anything. */
  readonly onOpened: (sessionId: string) => void;
}

/** What opens and runs the sessions of a host. */
export interface SharedByOpenings {
  readonly host: Host;
  readonly customers: CustomerSource;
  readonly catalogs: SessionCatalogs;
  readonly meters: ConversationMeters;
  readonly telemetry: ConversationTelemetry;
  readonly companions: CompanionsOfHost;
  readonly runner: SessionRunner;
  /** A host's conversations are opened one per round of the event loop: each takes about a millisecond. */
  readonly openingTurn: Turnstile;
  /** The newest conversation of each session. It gets the results for which an earlier one has waited (EFFECT-18). */
  readonly newest: NewestConversations;
  /** Whether the store has all that was written of a session; if absent, it always has. */
  readonly isStored?: ((sessionId: string) => boolean) | undefined;
}

export async function openSession(asked: SessionToOpen, shared: SharedByOpenings): Promise<LiveSession> {
  const { transport } = asked;
  const { host } = shared;
  const { request, catalog } = await shared.catalogs.enter(asked);
  await shared.openingTurn();
  const ending = new SessionEnding();
  const sayFull = (): void => {
    transport.notify({ type: "error", payload: { code: "conflict", message: historyFullMessage } });
    ending.sayGoodbye(historyFull);
  };
  const customer = createBoundCustomer(shared.customers, {
    phoneNumber: request.phoneNumber,
    subject: readOwner(request.owner).subject,
  });
  if (request.profileId !== undefined) await customer.bind(request.profileId);
  const begun = shared.telemetry.begin(request);
  const meter = shared.meters.begin();
  const { sttLanguage, timeZone, maxSessionHistory } = host.settingsNow();
  const { conversation, resumed, lostMs } = await openConversation(
    { ...request, traceparent: begun.traceparent },
    {
      store: host.state.sessions,
      isStored: shared.isStored,
      compileCatalog: (sessionId, choice) => catalog.compile(sessionId, choice),
      speechDefaults: speechDefaultsOf({ sttLanguage, timeZone, ttsVoice: host.settings.ttsVoice }),
      wallNow: () => host.clock.wallNow(),
      hostId: host.id,
      newest: shared.newest,
      logger: host.logger,
      writeSummary: meter.writeSummary,
      contextTokens: ({ model }) => meter.providers.languageModel.contextTokens?.(model.cascade.deploymentId),
      onTakenOver: () => ending.close("replaced"),
      historyLimit: { maxCharacters: maxSessionHistory, onReached: sayFull },
    },
  );
  const { sessionId, streamingMode, profileId } = conversation.record;
  const telemetry = begun.watch(conversation, resumed);
  const { callId, channel } = request;
  const ids = { sessionId, ...(callId === undefined ? {} : { callId }) };
  const logger = host.logger.child({ ...ids, ...logFieldsOf(telemetry.traceparent) });
  logger.info({ channel, streamingMode, resumed }, "a session began");
  await customer.follow(profileId, logger);
  asked.onOpened(sessionId);
  meter.follow(conversation, request, telemetry);
  const scope: ConversationScope = {
    transport,
    request,
    conversation,
    resumed,
    lostMs,
    customer,
    catalog,
    providers: host.settingsNow().flightRecorderEnabled
      ? recordRequests(meter.providers, sessionId, host)
      : meter.providers,
    telemetry,
    ending,
    logger,
  };
  const companions = shared.companions.attend(scope);
  const session = companions.overhear(shared.runner.run(scope, companions));
  ending.of(session);
  if (conversation.isFull) sayFull(); // a phone call that another host carried until it was full
  void session.ended.then(companions.end);
  return session;
}

/** FR-8. */
const historyFullMessage =
  "This session has as much history as one may have (MAX_SESSION_HISTORY), and ends; begin a new one.";

/** Requests stored per conversation: about one a turn, of one or two kilobytes each. */
const maxRequests = 200;

/** Has what a conversation's models are sent stored with it (TIMELINE-4). */
function recordRequests(
  providers: Providers,
  sessionId: string,
  { state, clock, logger }: Pick<Host, "state" | "clock" | "logger">,
): Providers {
  const encoder = new RequestEncoder();
  const store = (request: SentRequest): void => {
    state.requestLog.append(sessionId, encoder.encode(request), maxRequests).catch((error: unknown) => {
      logger.warn({ error, sessionId }, "what a model was sent could not be stored");
    });
  };
  // A long prompt takes a while to encode, and neither a request nor its answer waits for that.
  const record = (request: SentRequest): void => void setImmediate(store, request);
  const { languageModel, realtimeModel } = providers;
  return {
    ...providers,
    languageModel: recordedLanguageModel(languageModel, clock, record),
    realtimeModel: realtimeModel && recordedRealtimeModel(realtimeModel, clock, record),
  };
}
