import type { RealtimeSession } from "../ports/realtime-model.ts";

/** A session that does what another one does, apart from the `changes`. */
export function changedSession(session: RealtimeSession, changes: Partial<RealtimeSession>): RealtimeSession {
  return {
    update: (settings) => session.update(settings),
    appendAudio: (samples) => session.appendAudio(samples),
    commitAudio: () => session.commitAudio(),
    sendText: (text) => session.sendText(text),
    remember: (items) => session.remember(items),
    sendToolResult: (callId, resultJson) => session.sendToolResult(callId, resultJson),
    respond: (how) => session.respond(how),
    respondIfFree: () => session.respondIfFree(),
    cancelResponse: () => session.cancelResponse(),
    truncate: (itemId, audioEndMs, heard) => session.truncate(itemId, audioEndMs, heard),
    forgetCaller: () => session.forgetCaller(),
    close: () => session.close(),
    ...changes,
  };
}
