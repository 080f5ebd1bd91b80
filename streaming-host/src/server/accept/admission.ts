/** Decides who may open which socket, before the upgrade, so that a refusal is plain HTTP that any client can read. */
import type { IncomingMessage } from "node:http";
import { anonymous, requireAccess, requireOperator, serviceCaller, type Caller } from "@voice/shared/auth/caller";
import { foreignHostProblem } from "@voice/shared/auth/foreign-host";
import { originProblem } from "@voice/shared/auth/origin";
import { requireSessionAccess } from "@voice/shared/auth/session-owner";
import { bearerToken } from "@voice/shared/auth/token-verifier";
import type { TokenVerifier } from "@voice/shared/auth/token-verifier";
import { isEnded } from "@voice/shared/calls/call-transitions";
import { verifyCommService } from "@voice/shared/auth/verify-comm-service";
import { verifyTelephony } from "@voice/shared/auth/verify-telephony";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { State } from "@voice/shared/state/ports/state";
import { z } from "zod";
import type { CallControl } from "../../calls/call-control.ts";
import type { FindCall } from "../../calls/known-calls.ts";
import type { CheckNames } from "./requested-names.ts";
import { identifyClient, type IdentifiedClient } from "./identify-client.ts";
import { refusalOf } from "./refuse-upgrade.ts";
import type { Refusal } from "./refuse-upgrade.ts";
import { callConnectionIdOf, isServicePeer } from "./service-peer.ts";
import type { QueryOf, RouteOf, StreamRoute } from "./stream-routes.ts";
import { hookHeader } from "./telephony-headers.ts";

export interface AdmissionOptions {
  readonly settings: Settings;
  readonly state: State;
  readonly findCall: FindCall;
  /** Absent without a communication service. */
  readonly callControl: Pick<CallControl, "endUnwanted"> | undefined;
  readonly hasRealtimeModel: boolean;
  /** HS-2: rejects when the scenario, the agent or the profile that a query names does not exist. */
  readonly checkNames: CheckNames;
  readonly verifier: TokenVerifier;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the state store can be reached now; conversations are begun only if they can be stored. */
  readonly hasState: () => Promise<boolean>;
}

/** The admitted client and its request: a ticket may name a session that the address does not. */
export interface Admitted {
  readonly caller: Caller;
  readonly route: StreamRoute;
  /** A page cannot set headers on its socket, so its ticket carries the trace that it belongs to. */
  readonly traceparent?: string | undefined;
  /** The connection was counted against the quota when the ticket was issued. */
  readonly hasTicket?: boolean;
}

export type Admission = (request: IncomingMessage, route: StreamRoute) => Promise<Admitted | Refusal>;

export function createAdmission(options: AdmissionOptions): Admission {
  return async (request, route) => {
    const foreign = checkPage(request, options.settings);
    if (foreign !== undefined) return foreign;
    // An answered call continues on what this host knows of it, even without the store (CACHE-5).
    const isCall = route.kind === "media" && isServicePeer(request);
    if (!isCall && !(await options.hasState())) return stateIsAway;
    try {
      return await admit(request, route, options);
    } catch (error) {
      options.logger.warn({ error, code: toVoiceError(error).code }, "a request for a socket was refused");
      return refusalOf(error);
    }
  };
}

async function admit(request: IncomingMessage, route: StreamRoute, options: AdmissionOptions): Promise<Admitted> {
  switch (route.kind) {
    case "browser":
      return admitBrowser(request, route.query, options);
    case "media":
      return isServicePeer(request)
        ? admitService(request, route, options)
        : admitMediaClient(request, route.query, options);
    case "media-session":
      return admitMediaSession(request, route.query, options);
    case "telephony":
      return admitPlatform(request, route, options);
    case "dashboard":
      return admitWatcher(request, route.query, options);
    case "listen":
      return admitListener(request, route, options);
  }
}

async function admitBrowser(
  request: IncomingMessage,
  query: QueryOf<"browser">,
  options: AdmissionOptions,
): Promise<Admitted> {
  const client = await identify({ request, query, purpose: "converse" }, options);
  await requireConversation(client, options.state);
  const { caller, sessionId, hasTicket, traceparent } = client;
  const { profile_id: profileId, scenario, agent, streaming_mode: mode } = query;
  if (mode === "VOICE_LIVE") requireRealtimeModel(options);
  await options.checkNames({ sessionId, scenario, agent, profileId, caller });
  return { caller, hasTicket, route: { kind: "browser", query: { ...query, session_id: sessionId } }, traceparent };
}

async function admitWatcher(
  request: IncomingMessage,
  query: QueryOf<"dashboard">,
  options: AdmissionOptions,
): Promise<Admitted> {
  const { caller, sessionId } = await identify({ request, query, purpose: "watch" }, options);
  if (sessionId !== undefined) await requireSessionAccess(caller, sessionId, options.state);
  return { caller, route: { kind: "dashboard", query: { ...query, session_id: sessionId } } };
}

/** OPS-1. */
async function admitListener(
  request: IncomingMessage,
  route: RouteOf<"listen">,
  options: AdmissionOptions,
): Promise<Admitted> {
  const { caller } = await identify({ request, query: route.query, purpose: "listen" }, options);
  requireOperator(caller);
  const session = await options.state.sessions.get(route.query.session_id);
  if (typeof session === "string") throw new BadRequestError("not_found", "There is no such conversation.");
  return { caller, route };
}

async function admitMediaClient(
  request: IncomingMessage,
  query: QueryOf<"media">,
  options: AdmissionOptions,
): Promise<Admitted> {
  const { settings, state } = options;
  const client = await identify({ request, query, purpose: "converse" }, options);
  const { caller, sessionId, hasTicket } = client;
  const route: RouteOf<"media"> = { kind: "media", query: { ...query, session_id: sessionId } };
  if (!settings.enableAuthValidation) return { caller, route, hasTicket };
  const call = await requireCall(request, query, options);
  requireAccess(caller, call.owner, "call");
  if (hasTicket && sessionId === call.sessionId) throw carriesCall();
  await requireConversation(client, state);
  return { caller, route, hasTicket };
}

async function admitMediaSession(
  request: IncomingMessage,
  query: QueryOf<"media-session">,
  options: AdmissionOptions,
): Promise<Admitted> {
  const { state } = options;
  const client = await identify({ request, query, purpose: "converse" }, options);
  const session = await state.mediaSessions.get(query.session_id);
  if (session === "expired") throw new BadRequestError("session_expired", "This media session has expired.");
  if (session === "unknown") throw new BadRequestError("not_found", "No such media session.");
  requireAccess(client.caller, session.owner, "media session");
  await requireConversation(client, state);
  if (session.audioFormat === "opus")
    throw new BadRequestError("audio_format_unsupported", "Opus cannot be streamed; use pcm_16 or mulaw.");
  return { caller: client.caller, route: { kind: "media-session", query } };
}

/** Tickets are for pages, and a page may not take over the call that currently carries a session. */
async function requireConversation(
  { caller, sessionId, hasTicket }: IdentifiedClient,
  state: AdmissionOptions["state"],
): Promise<void> {
  if (sessionId === undefined) return;
  await requireSessionAccess(caller, sessionId, state);
  if (!hasTicket) return;
  const session = await state.sessions.get(sessionId);
  if (typeof session !== "string" && session.channel === "phone" && session.hostId !== undefined) throw carriesCall();
}

async function admitService(
  request: IncomingMessage,
  route: RouteOf<"media">,
  options: AdmissionOptions,
): Promise<Admitted> {
  const { settings, verifier } = options;
  const caller = await verifyCommService(bearerToken(request.headers.authorization), settings, verifier);
  const call = await namedCall(request, route.query, options);
  // It is refused, and that it was opened is proof that the call goes on, unless the service has reported its end.
  if (isOver(call) && call.endedByService !== true)
    void options.callControl?.endUnwanted(call, route.query.call_connection_id);
  requireGoingOn(call);
  return { caller, route };
}

async function admitPlatform(
  request: IncomingMessage,
  route: RouteOf<"telephony">,
  options: AdmissionOptions,
): Promise<Admitted> {
  const { settings, state, clock } = options;
  const { url: target = "", headers } = request;
  const header = (name: string): string | undefined => [headers[name]].flat().join(", ") || undefined;
  const proof = { nonces: state.nonces, wallMs: clock.wallNow() };
  await verifyTelephony({ target, authority: headers.host ?? "", header }, settings, proof);
  const sessionId = hookHeader(request, "session-id");
  if (sessionId !== undefined && !z.guid().safeParse(sessionId).success)
    throw new BadRequestError("validation_error", "Audiohook-Session-Id must be a UUID.");
  if (route.query.streaming_mode === "VOICE_LIVE") requireRealtimeModel(options);
  const caller = settings.enableAuthValidation ? serviceCaller("telephony") : anonymous;
  await options.checkNames({ ...route.query, sessionId: undefined, profileId: undefined, caller });
  return { caller, route };
}

async function requireCall(
  request: IncomingMessage,
  query: QueryOf<"media">,
  options: Pick<AdmissionOptions, "findCall">,
): Promise<CallRecord> {
  const call = await namedCall(request, query, options);
  requireGoingOn(call);
  return call;
}

/** If its hang-up takes a while, the service may open the stream again, and the agent would speak after its goodbye. */
function isOver({ status, hangUpAtMs }: CallRecord): boolean {
  return isEnded(status) || hangUpAtMs !== undefined;
}

function requireGoingOn(call: CallRecord): void {
  if (isOver(call)) throw new BadRequestError("call_not_found", "The call is over.");
}

async function namedCall(
  request: IncomingMessage,
  query: QueryOf<"media">,
  { findCall }: Pick<AdmissionOptions, "findCall">,
): Promise<CallRecord> {
  const header = callConnectionIdOf(request);
  if (header !== undefined && header !== query.call_connection_id)
    throw new BadRequestError("forbidden", "Header and query name different calls.");
  const call = await findCall({ connectionId: query.call_connection_id, callId: query.call_id });
  if (call === undefined) throw new BadRequestError("call_not_found", "No such call.");
  return call;
}

function identify(
  asked: Parameters<typeof identifyClient>[0],
  { settings, state, verifier }: AdmissionOptions,
): Promise<IdentifiedClient> {
  return identifyClient(asked, { settings, tickets: state.tickets, verifier });
}

function carriesCall(): BadRequestError {
  return new BadRequestError("forbidden", "A ticket does not open the session of a phone call that goes on.");
}

function requireRealtimeModel({ hasRealtimeModel }: AdmissionOptions): void {
  if (hasRealtimeModel) return;
  throw new BadRequestError(
    "dependency_not_ready",
    "No realtime model is configured; set CLOUD_VOICELIVE_ENDPOINT and CLOUD_VOICELIVE_MODEL.",
  );
}

const stateIsAway: Refusal = {
  status: 503,
  code: "cache_connection_failed",
  detail: "Conversations cannot be kept at the moment; try again soon.",
};

/**
 * A page cannot set headers on a socket, so a request with one of the services' own headers does not come from a page.
 */
function checkPage(request: IncomingMessage, settings: Settings): Refusal | undefined {
  const { headers } = request;
  const header = (name: string): string | undefined => [headers[name]].flat()[0];
  const isService = isServicePeer(request) || header("x-api-key") !== undefined;
  const detail =
    foreignHostProblem(headers.host, settings) ?? (isService ? undefined : originProblem(header, settings));
  return detail === undefined ? undefined : { status: 403, code: "forbidden", detail };
}
