/** Identifies a client by its token or ticket, and the session for which it is valid. */
import type { IncomingMessage } from "node:http";
import { anonymous, type Caller } from "@voice/shared/auth/caller";
import { bearerToken, type TokenVerifier } from "@voice/shared/auth/token-verifier";
import { verifyClient } from "@voice/shared/auth/verify-client";
import type { Settings } from "@voice/shared/config/settings";
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import type { TicketGrant, TicketPurpose, TicketStore } from "@voice/shared/state/records/ticket-store";

export interface IdentifiedClient {
  readonly caller: Caller;
  /** The requested session or, if the address names none, the ticket's. */
  readonly sessionId: string | undefined;
  readonly hasTicket: boolean;
  /** The trace that the ticket belongs to. */
  readonly traceparent?: string | undefined;
}

export interface ClientRequest {
  readonly request: IncomingMessage;
  readonly query: { readonly ticket?: string | undefined; readonly session_id?: string | undefined };
  /** What the socket is for. */
  readonly purpose: TicketPurpose["type"];
}

/** Rejects with `unauthorized` or `forbidden`, or with `dependency_not_ready` if tokens cannot be checked. */
export async function identifyClient(
  { request, query, purpose }: ClientRequest,
  {
    settings,
    tickets,
    verifier,
  }: { readonly settings: Settings; readonly tickets: TicketStore; readonly verifier: TokenVerifier },
): Promise<IdentifiedClient> {
  const { ticket, session_id: asked } = query;
  if (!settings.enableAuthValidation) return { caller: anonymous, sessionId: asked, hasTicket: false };
  if (ticket !== undefined) {
    const grant = await tickets.consume(ticket);
    if (grant === undefined)
      throw new VoiceError("unauthorized", "The ticket is unknown, used or expired; ask for another.");
    const sessionId = sessionOfTicket(grant, purpose, asked);
    return { caller: callerOfGrant(grant), sessionId, hasTicket: true, traceparent: grant.traceparent };
  }
  const token = bearerToken(request.headers.authorization);
  if (token === undefined)
    throw new VoiceError("unauthorized", "Send a bearer token, or a ticket from POST /api/v1/realtime/token.");
  return { caller: await verifyClient(token, settings, verifier), sessionId: asked, hasTicket: false };
}

/** A ticket has the rights on its session of whoever requested it, and no others. */
export function callerOfGrant({ subject, isOperator, tenant, tokenExpiresAtMs }: TicketGrant): Caller {
  return { subject, tenant, isOperator, mayPlaceCalls: false, mayMakeAgents: false, tokenExpiresAtMs };
}

function sessionOfTicket(
  { purpose: { type, sessionId } }: TicketGrant,
  wanted: TicketPurpose["type"],
  asked: string | undefined,
): string | undefined {
  if (type !== wanted) throw new BadRequestError("forbidden", `The ticket's purpose is to ${type}, not to ${wanted}.`);
  if (sessionId !== undefined && asked !== undefined && sessionId !== asked)
    throw new BadRequestError("forbidden", "The ticket is for another session.");
  return asked ?? sessionId;
}
