/** Has what a conversation's models are sent stored with it (TIMELINE-4). */
import { RequestEncoder } from "../../../session/flight/sent-requests.ts";
import type { SentRequest } from "../../../session/flight/sent-requests.ts";
import { recordedLanguageModel, recordedRealtimeModel } from "../../../session/flight/record-requests.ts";
import type { Host } from "../../../host/host.ts";
import type { Providers } from "../providers.ts";

/** Requests stored per conversation: about one a turn, of one or two kilobytes each. */
const maxRequests = 200;

export function recordRequests(
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
