/** Who may open which socket. Decided before the upgrade, so that a refusal is plain HTTP that any client can read. */
import type { IncomingMessage } from "node:http";
import { bearerToken } from "@voice/shared/auth/token-verifier";
import type { TokenVerifier } from "@voice/shared/auth/token-verifier";
import { isEnded } from "@voice/shared/calls/call-transitions";
import { verifyClient } from "@voice/shared/auth/verify-client";
import { verifyCommService } from "@voice/shared/auth/verify-comm-service";
import { verifyTelephony } from "@voice/shared/auth/verify-telephony";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import { z } from "zod";
import type { ConversationServices } from "./conversation-services.ts";
import { refusalOf } from "./refuse-upgrade.ts";
import type { Refusal } from "./refuse-upgrade.ts";
import { callConnectionIdOf, findCall, isServicePeer } from "./service-peer.ts";
import type { StreamRoute } from "./stream-routes.ts";
import { hookHeader } from "./telephony-headers.ts";

type MediaQuery = Extract<StreamRoute, { kind: "media" }>["query"];
type TelephonyQuery = Extract<StreamRoute, { kind: "telephony" }>["query"];

export interface AdmissionOptions {
  readonly settings: Settings;
  readonly state: State;
  readonly hasRealtimeModel: boolean;
  /** HS-2: does what the query names exist? */
  readonly checkStart: ConversationServices["checkStart"];
  readonly verifier: TokenVerifier;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the state can be reached now; conversations are only begun where they can be kept. */
  readonly hasState: () => Promise<boolean>;
}

export type Admission = (request: IncomingMessage, route: StreamRoute) => Promise<Refusal | undefined>;

export function createAdmission(options: AdmissionOptions): Admission {
  const { settings, state, verifier } = options;

  return async (request, route) => {
    if (!(await options.hasState())) return stateIsAway;
    if (route.kind === "media" && isServicePeer(request)) {
      return (await checkService(request)) ?? (await checkCall(request, route.query));
    }
    if (route.kind === "telephony") return checkPlatform(request, route.query);
    const refusal = await checkClient(request, route);
    if (refusal !== undefined) return refusal;
    if (route.kind === "media" && settings.enableAuthValidation) return checkCall(request, route.query);
    if (route.kind === "media-session") return checkMediaSession(route.query.session_id);
    if (route.kind !== "browser") return undefined;
    const { session_id: sessionId, profile_id: profileId, scenario, agent, streaming_mode: mode } = route.query;
    if (mode === "VOICE_LIVE" && !options.hasRealtimeModel) return realtimeModelIsMissing;
    return refusalUnless(options.checkStart({ sessionId, scenario, agent, profileId }));
  };

  async function checkService(request: IncomingMessage): Promise<Refusal | undefined> {
    const token = bearerToken(request.headers.authorization);
    return refusalUnless(verifyCommService(token, settings, verifier));
  }

  async function checkPlatform(request: IncomingMessage, query: TelephonyQuery): Promise<Refusal | undefined> {
    const { url: target = "", headers } = request;
    const header = (name: string): string | undefined => [headers[name]].flat().join(", ") || undefined;
    const proof = { nonces: state.nonces, wallMs: options.clock.wallNow() };
    const signed = { target, authority: headers.host ?? "", header };
    const refusal = await refusalUnless(verifyTelephony(signed, settings, proof));
    if (refusal !== undefined) return refusal;
    const sessionId = hookHeader(request, "session-id");
    if (sessionId !== undefined && !z.guid().safeParse(sessionId).success)
      return { status: 400, code: "validation_error", detail: "Audiohook-Session-Id must be a UUID." };
    if (!options.hasRealtimeModel) return realtimeModelIsMissing;
    return refusalUnless(options.checkStart(query));
  }

  async function checkCall(request: IncomingMessage, query: MediaQuery): Promise<Refusal | undefined> {
    const header = callConnectionIdOf(request);
    if (header !== undefined && header !== query.call_connection_id)
      return { status: 403, code: "forbidden", detail: "Header and query name different calls." };
    const call = await findCall(state.calls, query);
    if (call === undefined) return { status: 404, code: "call_not_found", detail: "No such call." };
    return isEnded(call.status) ? { status: 404, code: "call_not_found", detail: "The call is over." } : undefined;
  }

  async function checkMediaSession(sessionId: string): Promise<Refusal | undefined> {
    const session = await state.mediaSessions.get(sessionId);
    if (session === "expired")
      return { status: 404, code: "session_expired", detail: "This media session has expired." };
    if (session === "unknown") return { status: 404, code: "not_found", detail: "No such media session." };
    if (session.audioFormat === "opus")
      return { status: 400, code: "audio_format_unsupported", detail: "Opus cannot be streamed; use pcm_16 or mulaw." };
    return undefined;
  }

  async function checkClient(
    request: IncomingMessage,
    route: Exclude<StreamRoute, { kind: "telephony" }>,
  ): Promise<Refusal | undefined> {
    if (!settings.enableAuthValidation) return undefined;
    const { ticket } = route.query;
    if (ticket !== undefined) {
      const grant = await state.tickets.consume(ticket);
      if (grant === undefined) return unauthorized("The ticket is unknown, used or expired; ask for another.");
      const wanted = route.query.session_id;
      if (grant.sessionId !== undefined && grant.sessionId !== wanted)
        return { status: 403, code: "forbidden", detail: "The ticket is for another session." };
      return undefined;
    }
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) return unauthorized("Send a bearer token, or a ticket from POST /api/v1/realtime/token.");
    return refusalUnless(verifyClient(token, settings, verifier));
  }

  async function refusalUnless(proven: Promise<unknown>): Promise<Refusal | undefined> {
    try {
      await proven;
      return undefined;
    } catch (error) {
      options.logger.warn({ error, code: toVoiceError(error).code }, "a peer was refused");
      return refusalOf(error);
    }
  }
}

const stateIsAway: Refusal = {
  status: 503,
  code: "cache_connection_failed",
  detail: "Conversations cannot be kept at the moment; try again soon.",
};

const realtimeModelIsMissing: Refusal = {
  status: 503,
  code: "dependency_not_ready",
  detail: "No realtime model is configured; set CLOUD_VOICELIVE_ENDPOINT and CLOUD_VOICELIVE_MODEL.",
};

function unauthorized(detail: string): Refusal {
  return { status: 401, code: "unauthorized", detail };
}
