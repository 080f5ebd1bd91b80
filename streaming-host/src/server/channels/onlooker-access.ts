/** ACCESS-21: who watches, listens in or tries tools does so no longer than their token allows, unless another ticket renews it. */
import type { Caller } from "@voice/shared/auth/caller";
import { tokenToleranceMs } from "@voice/shared/auth/token-verifier";
import { onlookerInput } from "@voice/shared/contracts/stream/onlooker-input";
import type { CancelTimer } from "@voice/shared/platform/clock";
import { toVoiceError, type ErrorCode } from "@voice/shared/platform/errors";
import { parseJson } from "@voice/shared/platform/parse-json";
import type { TicketGrant, TicketPurpose } from "@voice/shared/state/records/ticket-store";
import type { z } from "zod";
import { callerOfGrant } from "../accept/identify-client.ts";
import { encodeMessage } from "../../transports/envelope.ts";
import { receiveWithinRate } from "../../transports/receive-within-rate.ts";
import type { Socket } from "../../transports/socket.ts";
import type { Host } from "../../host/host.ts";

const unknownMessage = 'Unknown message. Known here: {"type":"ping"} and {"type":"renew","ticket":"…"}.';
const takesNoAudio = "This socket takes no audio: it is for watching.";

/** Several times the length of any renewal. */
const longestText = 2000;

/** Node's timers wait at most 24.8 days, and the wall clock may be set meanwhile. */
const longestWaitMs = 3_600_000;

export interface Onlooker {
  readonly socket: Socket;
  readonly caller: Caller;
  readonly purpose: TicketPurpose;
  readonly end: () => void;
  /** Binary messages; returns why one is refused (FR-3). Where absent, all are. */
  readonly onBytes?: (bytes: Uint8Array) => string | undefined;
  /** Texts that are neither a ping nor a renewal; returns why one is refused. Where absent, all are. */
  readonly onText?: (text: string) => string | undefined;
  /** The rights may be others than before. */
  readonly onRenewed?: (caller: Caller) => void;
}

/** Returns the function that stops it, for when the socket has closed. */
export function limitAccess(
  { socket, caller, purpose, end, onBytes, onText, onRenewed }: Onlooker,
  { state, clock, logger }: Host,
): () => void {
  const send = (type: "pong" | "error", payload: object): void =>
    socket.send(encodeMessage(type, purpose.sessionId ?? "", clock.wallNow(), payload));
  const refuse = (message: string, code: ErrorCode = "validation_error"): void => send("error", { code, message });
  let isOver = false;
  let isRenewing = false;
  let cancelEnd: CancelTimer = () => undefined;

  function endAt(tokenExpiresAtMs: number | undefined): void {
    cancelEnd();
    if (tokenExpiresAtMs === undefined) return;
    const leftMs = tokenExpiresAtMs + tokenToleranceMs - clock.wallNow();
    if (leftMs <= 0) end();
    else cancelEnd = clock.setTimer(Math.min(leftMs, longestWaitMs), () => endAt(tokenExpiresAtMs));
  }

  async function renew(ticket: string): Promise<void> {
    const grant = await state.tickets.consume(ticket);
    if (isOver) return;
    if (grant === undefined || !isOfSameKind(grant)) {
      refuse("The ticket does not renew this access: it is used, expired or for something else.", "unauthorized");
      logger.warn({ subject: caller.subject }, "a ticket does not renew the access of who watches or listens in");
      return;
    }
    onRenewed?.(callerOfGrant(grant));
    endAt(grant.tokenExpiresAtMs);
  }

  function isOfSameKind(grant: TicketGrant): boolean {
    const { type, sessionId } = grant.purpose;
    const isSame = grant.subject === caller.subject && grant.tenant === caller.tenant;
    return isSame && type === purpose.type && sessionId === purpose.sessionId;
  }

  receiveWithinRate(
    socket,
    clock,
    (text) => {
      const asked = parseOnlookerMessage(text);
      const problem = asked !== undefined ? undefined : onText === undefined ? unknownMessage : onText(text);
      if (problem !== undefined) refuse(problem);
      if (asked?.type === "ping") send("pong", {});
      if (asked?.type !== "renew" || isRenewing || caller.tokenExpiresAtMs === undefined) return;
      isRenewing = true;
      renew(asked.ticket)
        .catch((error: unknown) =>
          logger.warn({ error, code: toVoiceError(error).code }, "a ticket to renew access could not be read"),
        )
        .finally(() => {
          isRenewing = false;
        });
    },
    (bytes) => {
      const problem = onBytes === undefined ? takesNoAudio : onBytes(bytes);
      if (problem !== undefined) refuse(problem);
    },
  );
  endAt(caller.tokenExpiresAtMs);
  return () => {
    isOver = true;
    cancelEnd();
  };
}

/** A renewal, or a ping. */
function parseOnlookerMessage(text: string): z.infer<typeof onlookerInput> | undefined {
  if (text.length > longestText) return undefined;
  const parsed = onlookerInput.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}
