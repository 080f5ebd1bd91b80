/**
 * Resamples between a session at its peer's rate and one at the protocol's rate. Milliseconds are the same on both
 * sides.
 */
import { createResampler } from "@voice/provider-kit/audio/resample";
import type { RealtimeListener, RealtimeSession } from "@voice/provider-kit/ports/realtime-model";

/** Resamples the audio for the listener, each response separately. */
export function resampledListener(
  listener: RealtimeListener,
  wireRateHz: number,
  sampleRateHz: number,
): RealtimeListener {
  const resampler = createResampler(wireRateHz, sampleRateHz);
  let itemId = "";
  return {
    onEvent(event) {
      if (event.type !== "audio") return listener.onEvent(event);
      if (event.itemId !== itemId) resampler.reset();
      itemId = event.itemId;
      return listener.onEvent({ ...event, samples: resampler.process(event.samples) });
    },
    onEnded: (error) => listener.onEnded(error),
  };
}

export function resampledSession(session: RealtimeSession, sampleRateHz: number, wireRateHz: number): RealtimeSession {
  const resampler = createResampler(sampleRateHz, wireRateHz);
  return {
    update: (settings) => session.update(settings),
    appendAudio: (samples) => session.appendAudio(resampler.process(samples)),
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
  };
}
