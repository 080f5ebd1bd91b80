/** Operators' requests about a running conversation (OPS in docs/operations.md). */
import { requireOperator } from "@voice/shared/auth/caller";
import { isDestination } from "@voice/shared/config/destinations";
import { operatorTopic, type OperatorCommand } from "@voice/shared/contracts/events/operator-command";
import {
  endSession,
  handBackSession,
  holdSession,
  pressSessionKeys,
  saySession,
  takeOverSession,
  transferSession,
} from "@voice/shared/contracts/http/operators";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { SessionRecord, StreamingMode } from "@voice/shared/state/ports/session-store";
import type { Dependencies } from "../dependencies.ts";
import { route, type RequestInfo, type Route } from "../http/route.ts";
import { requireCallable } from "../services/callable-number.ts";
import { requireOwnSession } from "../services/own.ts";

export const operatorRoutes: readonly Route[] = [
  route(saySession)(async ({ params, body, request }, dependencies) => {
    requireOperator(request.caller);
    const { sessionId, streamingMode, person } = await requireHeld(params.session_id, request, dependencies);
    requireAgent(streamingMode);
    if (person !== undefined)
      throw new BadRequestError("conflict", "A person has taken the conversation over, and the agent is silent.");
    const lineId = crypto.randomUUID();
    ask({ type: "say", sessionId, text: body.text, lineId }, request, dependencies);
    const { status, body: answer } = requested(sessionId, "The agent says it as soon as nobody speaks");
    return { status, body: { ...answer, line_id: lineId } };
  }),

  route(endSession)(async ({ params, request }, dependencies) => {
    const { sessionId, streamingMode } = await requireHeld(params.session_id, request, dependencies);
    ask({ type: "end", sessionId }, request, dependencies);
    return requested(sessionId, isWrittenDown(streamingMode) ? "The conversation ends" : "The agent says goodbye");
  }),

  route(transferSession)(async ({ params, body, request }, dependencies) => {
    requireOperator(request.caller);
    const { sessionId, channel, streamingMode } = await requireHeld(params.session_id, request, dependencies);
    if (channel !== "phone")
      throw new BadRequestError("conflict", "Only phone calls can be transferred, and this conversation is none.");
    requireAgent(streamingMode);
    const { settings } = dependencies;
    if (!isDestination(body.target_number, settings.commDestinations))
      await requireCallable(body.target_number, "target_number", settings);
    ask({ type: "transfer", sessionId, target: body.target_number }, request, dependencies);
    return requested(sessionId, "The call is being transferred");
  }),

  route(takeOverSession)(async ({ params, request }, dependencies) => {
    requireOperator(request.caller);
    const { subject } = request.caller;
    const { sessionId, streamingMode, person } = await requireHeld(params.session_id, request, dependencies);
    requireAgent(streamingMode);
    if (person !== undefined && person.subject !== subject)
      throw new BadRequestError("conflict", "Another operator has taken the conversation over.");
    ask({ type: "take_over", sessionId, subject }, request, dependencies);
    return requested(sessionId, "The agent falls silent, and the caller hears you");
  }),

  route(handBackSession)(async ({ params, body, request }, dependencies) => {
    const { sessionId } = await requireTakenOver(params.session_id, request, dependencies);
    ask({ type: "hand_back", sessionId, notes: body?.notes }, request, dependencies);
    return requested(sessionId, "The agent continues");
  }),

  route(holdSession)(async ({ params, body, request }, dependencies) => {
    const { sessionId } = await requireTakenOver(params.session_id, request, dependencies);
    ask({ type: "hold", sessionId, isOnHold: body.on }, request, dependencies);
    return requested(sessionId, body.on ? "The caller is on hold" : "The caller hears you again");
  }),

  route(pressSessionKeys)(async ({ params, body, request }, dependencies) => {
    const { sessionId, channel } = await requireTakenOver(params.session_id, request, dependencies);
    if (channel !== "phone")
      throw new BadRequestError("conflict", "Keys can be pressed in phone calls only, and this conversation is none.");
    ask({ type: "keys", sessionId, digits: body.keys }, request, dependencies);
    return requested(sessionId, "The keys are being pressed");
  }),
];

async function requireHeld(
  sessionId: string,
  { caller }: RequestInfo,
  { state }: Pick<Dependencies, "state">,
): Promise<SessionRecord> {
  const session = requireOwnSession(await state.sessions.get(sessionId), caller);
  if (session.status === "ended")
    throw new BadRequestError("conflict", "The conversation has ended: it can be read, and no more done with it.");
  if (session.hostId === undefined)
    throw new BadRequestError(
      "conflict",
      "Nobody is connected to this conversation at the moment. Try again once the caller is back.",
    );
  return session;
}

/** Any person may have taken it over: an operator may have to help out if another one's page is closed. */
async function requireTakenOver(
  sessionId: string,
  request: RequestInfo,
  dependencies: Pick<Dependencies, "state">,
): Promise<SessionRecord> {
  requireOperator(request.caller);
  const session = await requireHeld(sessionId, request, dependencies);
  if (session.person !== undefined) return session;
  throw new BadRequestError("conflict", "No person has taken the conversation over: the agent has it.");
}

function isWrittenDown(streamingMode: StreamingMode): boolean {
  return streamingMode === "TRANSCRIPTION";
}

/** Words and transfers are an agent's: without one, the host could do nothing but ignore the request. */
function requireAgent(streamingMode: StreamingMode): void {
  if (!isWrittenDown(streamingMode)) return;
  throw new BadRequestError(
    "conflict",
    "No agent speaks in this conversation, which is only written down: it can be listened to and ended.",
  );
}

function ask(
  command: OperatorCommand,
  { caller }: RequestInfo,
  { state, logger }: Pick<Dependencies, "state" | "logger">,
): void {
  const { type: asked, sessionId } = command;
  logger.info({ asked, sessionId, subject: caller.subject }, "an operator asked something of a conversation");
  state.broadcasts.send(operatorTopic, JSON.stringify(command));
}

function requested(sessionId: string, message: string) {
  return { status: 202, body: { session_id: sessionId, status: "requested", message } } as const;
}
