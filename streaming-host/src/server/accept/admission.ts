/** Decides who may open which socket, before the upgrade, so that a refusal is plain HTTP that any client can read. */
import type { IncomingMessage } from "node:http";
import { isRefusal } from "@voice/shared/audit/audit-trail";
import {
  anonymous,
  isOtherTenants,
  requireAccess,
  requireOperator,
  requireServiceOperator,
  serviceCaller,
  type Caller,
} from "@voice/shared/auth/caller";
import { unknownResource } from "@voice/shared/auth/unknown-resource";
import { requireSessionAccess } from "@voice/shared/auth/session-owner";
import { bearerToken } from "@voice/shared/auth/token-verifier";
import type { TokenVerifier } from "@voice/shared/auth/token-verifier";
import { isEnded } from "@voice/shared/calls/call-transitions";
import { twilioSignatureHeader } from "@voice/shared/calls/twilio/signature";
import { verifyTwilioSocket } from "@voice/shared/auth/verify-twilio";
import { verifyCommService } from "@voice/shared/auth/verify-comm-service";
import { verifyTelephony } from "@voice/shared/auth/verify-telephony";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import { RecentlyUsed } from "@voice/shared/platform/recently-used";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import { z } from "zod";
import type { CallControl } from "../../calls/call-control.ts";
import type { FindCall } from "../host/recalled-state.ts";
import type { Host } from "../../host/host.ts";
import type { CheckNames } from "./requested-names.ts";
import { identifyClient, type IdentifiedClient } from "./identify-client.ts";
import { refusalOf } from "./refuse-upgrade.ts";
import type { Refusal } from "./refuse-upgrade.ts";
import { callConnectionIdOf, isServicePeer } from "./service-peer.ts";
import { refusedPage } from "./refused-page.ts";
import type { QueryOf, RouteOf, StreamRoute } from "./stream-routes.ts";
import { hookHeader } from "./telephony-headers.ts";

export interface AdmissionOptions {
  readonly findCall: FindCall;
  /** Absent without a communication service. */
  readonly callControl: Pick<CallControl, "endUnwanted"> | undefined;
  readonly hasRealtimeModel: boolean;
  /** HS-2: rejects when the scenario, the agent or the profile that a query names does not exist. */
  readonly checkNames: CheckNames;
  readonly verifier: TokenVerifier;
  /** Whether the state store can be reached now; conversations are begun only if they can be stored. */
  readonly hasState: () => Promise<boolean>;
}

/** The admitted client and its request: a ticket may name a session that the address does not. */
export interface Admitted {
  /** The user or the service that opened the socket. */
  readonly caller: Caller;
  readonly route: StreamRoute;
  /** A page cannot set headers on its socket, so its ticket carries the trace that it belongs to. */
  readonly traceparent?: string | undefined;
  /** The call that the token in the address is for. */
  readonly callId?: string | undefined;
  /** The connection was counted against the quota when the ticket was issued. */
  readonly hasTicket?: boolean;
}

export type Admission = (request: IncomingMessage, route: StreamRoute) => Promise<Admitted | Refusal>;

/** A problem that many requests have is logged this often. */
const loggedAgainMs = 300_000;
const mostProblems = 200;
/** `https://`, the longest name that DNS has, and a port. */
const longestOrigin = 270;

/** What a socket is for, in the audit trail. */
const actions: Readonly<Record<StreamRoute["kind"], string>> = {
  browser: "converse",
  media: "converse",
  "media-session": "converse",
  telephony: "converse",
  twilio: "converse",
  dashboard: "watch",
  listen: "listen",
  tools: "openToolTrials",
};

export class SocketAdmission {
  readonly #host: Host;
  readonly #options: AdmissionOptions;
  /** The users behind requests that proved an identity, also where the request is refused for another reason. */
  readonly #subjects = new WeakMap<IncomingMessage, string>();
  /** When each problem was logged last. */
  readonly #logged = new RecentlyUsed<number>(mostProblems);

  constructor(host: Host, options: AdmissionOptions) {
    this.#host = host;
    this.#options = options;
  }

  async admit(request: IncomingMessage, route: StreamRoute): Promise<Admitted | Refusal> {
    const { settings, logger } = this.#host;
    const foreign = refusedPage(request, settings);
    if (foreign !== undefined) {
      this.#audit(request, route, { status: foreign.status });
      this.#reportForeignPage(request, foreign);
      return foreign;
    }
    // An answered call continues on what this host knows of it, even without the store (CACHE-5).
    const isCall = route.kind === "media" && isServicePeer(request);
    if (!isCall && !(await this.#options.hasState())) return stateIsAway;
    try {
      const admitted = await this.#admit(request, route);
      const { caller } = admitted;
      if (caller.isService !== true) this.#audit(request, admitted.route, { status: 101, subject: caller.subject });
      return admitted;
    } catch (error) {
      const refusal = refusalOf(error);
      const { status, code } = refusal;
      this.#audit(request, route, { status, subject: this.#subjects.get(request) });
      const reason = toVoiceError(error).message;
      // Anybody can knock as often as they like: the audit trail has a refusal once in a while, and so has the log what is wrong otherwise.
      if (!isRefusal(status) && this.#isNews(JSON.stringify([route.kind, code, reason])))
        logger.warn({ code, reason }, "a request for a socket was refused");
      return refusal;
    }
  }

  /** ACCESS-33. */
  #reportForeignPage({ headers }: IncomingMessage, { closesFor }: Refusal): void {
    const origin = headers.origin?.slice(0, longestOrigin);
    if (closesFor === undefined || !this.#isNews(JSON.stringify([closesFor, origin]))) return;
    this.#host.logger.warn(
      { origin, setting: "CORS_ALLOWED_ORIGINS" },
      "pages of an origin that is not allowed are refused",
    );
  }

  #isNews(problem: string): boolean {
    const nowMs = this.#host.clock.now();
    const loggedAtMs = this.#logged.get(problem);
    if (loggedAtMs !== undefined && nowMs - loggedAtMs < loggedAgainMs) return false;
    this.#logged.set(problem, nowMs, 1);
    return true;
  }

  /** AUDIT-5. */
  #audit(
    { headers }: IncomingMessage,
    route: StreamRoute,
    { status, subject }: { readonly status: number; readonly subject?: string | undefined },
  ): void {
    const isRefused = isRefusal(status);
    if (status !== 101 && !isRefused) return;
    const sessionId = "session_id" in route.query ? route.query.session_id : undefined;
    this.#host.auditTrail.record({
      subject,
      action: actions[route.kind],
      what: sessionId === undefined ? {} : { session_id: sessionId },
      outcome: isRefused ? "refused" : "done",
      status,
      from: [headers["x-forwarded-for"]].flat().join(", ") || undefined,
      isRepeatable: isRefused,
    });
  }

  async #admit(request: IncomingMessage, route: StreamRoute): Promise<Admitted> {
    switch (route.kind) {
      case "browser":
        return this.#admitBrowser(request, route.query);
      case "media":
        return isServicePeer(request)
          ? this.#admitService(request, route)
          : this.#admitMediaClient(request, route.query);
      case "media-session":
        return this.#admitMediaSession(request, route.query);
      case "telephony":
        return this.#admitPlatform(request, route);
      case "twilio":
        return this.#admitTwilio(request, route);
      case "dashboard":
        return this.#admitWatcher(request, route.query);
      case "listen":
        return this.#admitListener(request, route);
      case "tools":
        return this.#admitTrial(request, route);
    }
  }

  async #admitBrowser(request: IncomingMessage, query: QueryOf<"browser">): Promise<Admitted> {
    const client = await this.#identify({ request, query, purpose: "converse" });
    await this.#requireConversation(client);
    const { caller, sessionId, hasTicket, traceparent } = client;
    const { profile_id: profileId, scenario, agent, streaming_mode: mode } = query;
    if (mode === "VOICE_LIVE") this.#requireRealtimeModel();
    await this.#options.checkNames({ sessionId, scenario, agent, profileId, caller });
    return { caller, hasTicket, route: { kind: "browser", query: { ...query, session_id: sessionId } }, traceparent };
  }

  async #admitWatcher(request: IncomingMessage, query: QueryOf<"dashboard">): Promise<Admitted> {
    const { caller, sessionId } = await this.#identify({ request, query, purpose: "watch" });
    if (sessionId !== undefined) await requireSessionAccess(caller, sessionId, this.#host.state);
    return { caller, route: { kind: "dashboard", query: { ...query, session_id: sessionId } } };
  }

  /** OPS-1. */
  async #admitListener(request: IncomingMessage, route: RouteOf<"listen">): Promise<Admitted> {
    const { caller } = await this.#identify({ request, query: route.query, purpose: "listen" });
    requireOperator(caller);
    const session = await this.#host.state.sessions.get(route.query.session_id);
    if (typeof session === "string" || isOtherTenants(caller, session.owner))
      throw new BadRequestError("not_found", "There is no such conversation.");
    return { caller, route };
  }

  /** BUILD-6. */
  async #admitTrial(request: IncomingMessage, route: RouteOf<"tools">): Promise<Admitted> {
    const { caller } = await this.#identify({ request, query: route.query, purpose: "try" });
    requireServiceOperator(caller);
    return { caller, route };
  }

  async #admitMediaClient(request: IncomingMessage, query: QueryOf<"media">): Promise<Admitted> {
    const { settings } = this.#host;
    const client = await this.#identify({ request, query, purpose: "converse" });
    const { caller, sessionId, hasTicket } = client;
    const route: RouteOf<"media"> = { kind: "media", query: { ...query, session_id: sessionId } };
    if (!settings.enableAuthValidation) return { caller, route, hasTicket };
    const call = await this.#requireCall(request, query);
    requireAccess(caller, call.owner, "call");
    if (hasTicket && sessionId === call.sessionId) throw carriesCall();
    await this.#requireConversation(client);
    return { caller, route, hasTicket };
  }

  async #admitMediaSession(request: IncomingMessage, query: QueryOf<"media-session">): Promise<Admitted> {
    const { state } = this.#host;
    const client = await this.#identify({ request, query, purpose: "converse" });
    const session = await state.mediaSessions.get(query.session_id);
    if (session === "expired") throw new BadRequestError("session_expired", "This media session has expired.");
    if (session === "unknown") throw unknownResource("media session");
    requireAccess(client.caller, session.owner, "media session");
    // Since the media session was made, its call may have become known as somebody else's.
    const call = await this.#options.findCall({ connectionId: session.callConnectionId });
    if (call !== undefined) requireAccess(client.caller, call.owner, "call");
    await this.#requireConversation(client);
    if (session.audioFormat === "opus")
      throw new BadRequestError("audio_format_unsupported", "Opus cannot be streamed; use pcm_16 or mulaw.");
    return { caller: client.caller, route: { kind: "media-session", query } };
  }

  /** Tickets are for pages, and a page may not take over the call that currently carries a session. */
  async #requireConversation({ caller, sessionId, hasTicket }: IdentifiedClient): Promise<void> {
    if (sessionId === undefined) return;
    await requireSessionAccess(caller, sessionId, this.#host.state);
    if (!hasTicket) return;
    const session = await this.#host.state.sessions.get(sessionId);
    if (typeof session !== "string" && session.channel === "phone" && session.hostId !== undefined) throw carriesCall();
  }

  async #admitService(request: IncomingMessage, route: RouteOf<"media">): Promise<Admitted> {
    const { settings } = this.#host;
    const caller = await verifyCommService(
      bearerToken(request.headers.authorization),
      settings,
      this.#options.verifier,
    );
    const call = await this.#namedCall(request, route.query);
    // The stream of a call that is over is refused. Its opening proves that the call goes on, unless the service has reported its end.
    if (isOver(call) && call.endedByService !== true)
      void this.#options.callControl?.endUnwanted(call, route.query.call_connection_id);
    requireGoingOn(call);
    return { caller, route };
  }

  /** TWILIO-4: Twilio signs the request, and the token is of one call and one stream. */
  async #admitTwilio(request: IncomingMessage, route: RouteOf<"twilio">): Promise<Admitted> {
    const { settings, state } = this.#host;
    const { token } = route.query;
    verifyTwilioSocket([request.headers[twilioSignatureHeader]].flat()[0], token, settings);
    const callId = await state.telephoneLines.takeToken(token);
    const call = callId === undefined ? undefined : await state.calls.get(callId);
    if (callId === undefined || call === undefined)
      throw new BadRequestError("forbidden", "There is no call whose stream this is, or it was opened before.");
    const { callConnectionId } = call;
    if (isOver(call) && call.endedByService !== true && callConnectionId !== undefined)
      void this.#options.callControl?.endUnwanted(call, callConnectionId);
    requireGoingOn(call);
    return { caller: serviceCaller("twilio"), route, callId };
  }

  async #admitPlatform(request: IncomingMessage, route: RouteOf<"telephony">): Promise<Admitted> {
    const { settings, state, clock } = this.#host;
    const { url: target = "", headers } = request;
    const header = (name: string): string | undefined => [headers[name]].flat().join(", ") || undefined;
    const proof = { nonces: state.nonces, wallMs: clock.wallNow() };
    await verifyTelephony({ target, authority: headers.host ?? "", header }, settings, proof);
    const sessionId = hookHeader(request, "session-id");
    if (sessionId !== undefined && !z.guid().safeParse(sessionId).success)
      throw new BadRequestError("validation_error", "Audiohook-Session-Id must be a UUID.");
    if (route.query.streaming_mode === "VOICE_LIVE") this.#requireRealtimeModel();
    const caller = settings.enableAuthValidation ? serviceCaller("telephony") : anonymous;
    await this.#options.checkNames({ ...route.query, sessionId: undefined, profileId: undefined, caller });
    return { caller, route };
  }

  async #requireCall(request: IncomingMessage, query: QueryOf<"media">): Promise<CallRecord> {
    const call = await this.#namedCall(request, query);
    requireGoingOn(call);
    return call;
  }

  async #namedCall(request: IncomingMessage, query: QueryOf<"media">): Promise<CallRecord> {
    const header = callConnectionIdOf(request);
    if (header !== undefined && header !== query.call_connection_id)
      throw new BadRequestError("forbidden", "Header and query name different calls.");
    const call = await this.#options.findCall({ connectionId: query.call_connection_id, callId: query.call_id });
    if (call === undefined) throw new BadRequestError("call_not_found", "No such call.");
    return call;
  }

  async #identify(asked: Parameters<typeof identifyClient>[0]): Promise<IdentifiedClient> {
    const { settings, state } = this.#host;
    const parts = { settings, tickets: state.tickets, verifier: this.#options.verifier };
    const client = await identifyClient(asked, parts);
    this.#subjects.set(asked.request, client.caller.subject);
    return client;
  }

  #requireRealtimeModel(): void {
    if (this.#options.hasRealtimeModel) return;
    throw new BadRequestError(
      "dependency_not_ready",
      "No realtime model is configured; set CLOUD_VOICELIVE_ENDPOINT and CLOUD_VOICELIVE_MODEL.",
    );
  }
}

/** If its hang-up takes a while, the service may open the stream again, and the agent would speak after its goodbye. */
function isOver({ status, hangUpAtMs }: CallRecord): boolean {
  return isEnded(status) || hangUpAtMs !== undefined;
}

function requireGoingOn(call: CallRecord): void {
  if (isOver(call)) throw new BadRequestError("call_not_found", "The call is over.");
}

function carriesCall(): BadRequestError {
  return new BadRequestError("forbidden", "A ticket does not open the session of a phone call that goes on.");
}

const stateIsAway: Refusal = {
  status: 503,
  code: "cache_connection_failed",
  detail: "Conversations cannot be kept at the moment; try again soon.",
};
