/** A browser's socket as a line for a scripted person: the service's own messages tell when an answer is complete. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { Listen, PersonLine } from "../person/follow-script.ts";
import type { Reply } from "../person/reply.ts";
import type { Caller } from "./caller.ts";

/** Long enough for a greeting's first clause to be synthesised; an agent without a greeting costs this wait once. */
const greetingTimeoutMs = 2500;

/** `timeoutMs`: the longest wait for an answer. */
export function createBrowserLine(caller: Caller, timeoutMs: number, onReply: (reply: Reply) => void): PersonLine {
  const over = new AbortController();
  return {
    sampleRateHz: caller.session.sample_rate,
    over: over.signal,
    speak: async (samples) => void (await caller.speak(samples)),
    press: async (keys) => caller.press(keys),
    type: (text) => caller.type(text),
    pause: (durationMs) => caller.pause(durationMs),
    expectAnswer: () => caller.expectAnswer(),
    async listen({ to, interruptAfterMs }: Listen) {
      if (to === undefined) return hearGreeting(caller);
      if (interruptAfterMs !== undefined) {
        await caller.waitForAgentAudio(timeoutMs);
        return caller.pause(interruptAfterMs);
      }
      const reply = await caller.waitForReply({ timeoutMs });
      onReply(reply);
      if (reply.ended !== undefined) over.abort();
      return undefined;
    },
  };
}

async function hearGreeting(caller: Caller): Promise<void> {
  try {
    await caller.waitForReply({ timeoutMs: greetingTimeoutMs });
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "upstream_timeout") throw error;
  }
}
