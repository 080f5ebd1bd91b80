/** `/realtime/listen`: an operator hears both sides of a conversation, and speaks in it after taking it over (OPS-2, PERSON-4). */
import { Buffer } from "node:buffer";
import {
  encodePersonAudio,
  listenInRenewalMs,
  listenInTopic,
  operatorTopic,
  personAudioTopic,
  type OperatorCommand,
} from "@voice/shared/contracts/events/operator-command";
import type { Host } from "../../host/host.ts";
import { closeReasons } from "../../transports/close-reasons.ts";
import type { CloseReason } from "../../transports/close-reasons.ts";
import { encodeMessage } from "../../transports/envelope.ts";
import { maxUnsentBytes } from "../../transports/message-limits.ts";
import { maxMessageBatches } from "../conversations/companions/message-log.ts";
import type { LiveConnection } from "../accept/live-connections.ts";
import type { QueryOf } from "../accept/stream-routes.ts";
import type { AcceptedSocket } from "../accept/streaming-host.ts";
import { limitAccess } from "./onlooker-access.ts";

/** One second of both sides; a listener who is further behind skips to what is being said now. */
const laggingBytes = 90_000;

/** 200 ms of an operator's voice at 16 kHz; pages send 20 ms. */
const longestPieceBytes = 6_400;
const wrongPiece = `Audio must be 16-bit samples at 16 kHz: an even number of bytes, at most ${longestPieceBytes} in a message.`;

export async function openListening(
  { socket, caller, onClosed }: AcceptedSocket,
  { session_id: sessionId }: QueryOf<"listen">,
  host: Host,
): Promise<LiveConnection> {
  const { state, clock, logger } = host;
  const { broadcasts, liveUpdates, messageLog } = state;
  const audit = { sessionId, subject: caller.subject };
  const found = await state.sessions.get(sessionId);
  const owner = typeof found === "string" ? undefined : found.owner;
  let isOpen = true;
  let cancelRenewal = (): void => undefined;

  function tellWatchers(action: "listening" | "not_listening"): void {
    const text = encodeMessage("event", sessionId, clock.wallNow(), { name: "operator", action });
    liveUpdates.publish({ sessionId, owner, text });
    messageLog.append(sessionId, `[${text}]`, maxMessageBatches).catch((error: unknown) => {
      logger.warn({ ...audit, error }, "that an operator listens in could not be stored");
    });
  }

  function renew(): void {
    const command: OperatorCommand = { type: "listen", sessionId, subject: caller.subject };
    broadcasts.send(operatorTopic, JSON.stringify(command));
    cancelRenewal = clock.setTimer(listenInRenewalMs, renew);
  }

  function close(reason: CloseReason): void {
    if (isOpen) socket.close(closeReasons[reason].code, closeReasons[reason].text);
  }

  /** PERSON-4: received by the host that holds the conversation, if this operator has taken it over. */
  function speak(pcm: Uint8Array): string | undefined {
    if (pcm.length > longestPieceBytes || pcm.length % 2 !== 0) return wrongPiece;
    const base64 = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.length).toString("base64");
    broadcasts.send(personAudioTopic(sessionId), encodePersonAudio(caller.subject, base64));
    return undefined;
  }

  const stop = await broadcasts.listen(listenInTopic(sessionId), (text) => {
    if (!isOpen || socket.unsentBytes > laggingBytes) return;
    socket.sendSoon(text);
    if (socket.unsentBytes > maxUnsentBytes) close("slowReader");
  });
  const stopLimiting = limitAccess(
    {
      socket,
      caller,
      purpose: { type: "listen", sessionId },
      end: () => close("tokenExpired"),
      onBytes: speak,
    },
    host,
  );
  socket.onClose = () => {
    stopLimiting();
    isOpen = false;
    cancelRenewal();
    stop();
    tellWatchers("not_listening");
    logger.info(audit, "an operator does not listen in any more");
    onClosed();
  };
  logger.info(audit, "an operator listens in");
  tellWatchers("listening");
  renew();
  socket.start(); // last, because it reports at once where the operator has left meanwhile
  return { drain: () => close("draining"), close: async (reason) => close(reason) };
}
