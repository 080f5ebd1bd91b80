/** The service's own transcript of a phone call, while the call goes on: what was understood, said and done. */
import { parseServerMessage } from "@voice/shared/contracts/stream/parse-server-message";
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";
import type { CallStore } from "@voice/shared/state/ports/call-store";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import { transcriptLines } from "../person/transcript.ts";
import type { TranscriptLine } from "../person/transcript.ts";

export interface ReadableState {
  readonly calls: Pick<CallStore, "getByConnection">;
  readonly liveUpdates: Pick<LiveUpdates, "watch">;
}

/** `callId`: of the call's connection, or of its session. Resolves when it is watching; the signal ends that. */
export async function readAlong(
  { calls, liveUpdates }: ReadableState,
  callId: string,
  onLine: (line: TranscriptLine) => void,
  signal: AbortSignal,
): Promise<void> {
  let session: string | undefined;

  // The record of an incoming call may be written after the phone is connected, but before its session begins to talk.
  async function isOurs(sessionId: string): Promise<boolean> {
    if (session === undefined) {
      const known = (await calls.getByConnection(callId))?.sessionId ?? callId;
      if (known === sessionId) session = known;
    }
    return session === sessionId;
  }

  async function read(message: ServerMessage): Promise<void> {
    if (await isOurs(message.session_id)) transcriptLines(message).forEach(onLine);
  }

  let reading = Promise.resolve();
  const stop = await liveUpdates.watch("all", ({ text }) => {
    const message = parseServerMessage(text);
    if (message === undefined || message.type === "audio_levels" || signal.aborted) return;
    // A transcript that cannot be read is missing from the screen, but does not disturb the call.
    reading = reading.then(() => read(message)).catch(() => undefined);
  });
  if (signal.aborted) await stop();
  else signal.addEventListener("abort", () => void stop(), { once: true });
}
