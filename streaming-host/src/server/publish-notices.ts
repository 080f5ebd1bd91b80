/** What a session's peer is told goes to those who watch as well: in the same order, and behind it. */
import type { Clock } from "@voice/shared/platform/clock";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import { encodeMessage } from "../transports/envelope.ts";
import type { SessionNotice } from "../transports/transport.ts";

export function createNoticePublisher(
  liveUpdates: LiveUpdates,
  sessionId: string,
  clock: Clock,
): (notice: SessionNotice) => void {
  const waiting: { readonly notice: SessionNotice; readonly atMs: number }[] = [];

  function publish(notice: SessionNotice, atMs: number): void {
    liveUpdates.publish({ sessionId, text: encodeMessage(notice.type, sessionId, atMs, notice.payload) });
  }

  function publishWaiting(): void {
    for (const { notice, atMs } of waiting.splice(0)) publish(notice, atMs);
  }

  return (notice) => {
    const atMs = clock.wallNow();
    // Levels come between frames. Of the rest, half comes before the first audio of an answer, which is not to wait for it.
    if (notice.type === "audio_levels" && waiting.length === 0) publish(notice, atMs);
    else if (waiting.push({ notice, atMs }) === 1) setImmediate(publishWaiting);
  };
}
