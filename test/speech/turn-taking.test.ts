/**
 * What makes a conversation feel right, with real audio on real sockets: silence, keys and a line that drops; backchannels
 * and a recogniser that dies, on a host of their own.
 */
import { VoiceError } from "@voice/shared/platform/errors";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import type { Caller } from "../../local/caller/caller.ts";
import { speakText } from "../../local/person/line-audio.ts";
import { startTestHost } from "../support/test-host.ts";
import type { TestHost } from "../support/test-host.ts";
import { local } from "../support/composition.ts";
import { startLockstepSpeech } from "../support/lockstep-speech.ts";
import type { LockstepSpeech } from "../support/lockstep-speech.ts";
import { describeTurnTaking } from "../support/turn-taking.ts";

const greeting =
  "Welcome to Harbor Bank. I can help with your accounts, cards, investments, and fraud. What can I do for you?";
let host: TestHost;
let speech: LockstepSpeech;
/** How much later than it understands them the recogniser tells its words. */
let recogniserDelayMs = 0;
/** Breaks the recognition streams that were opened with this hint, as a worker does that dies. */
let breakStreams: () => number;

beforeAll(async () => {
  const createVoiceActivityDetector = await loadVoiceActivity();
  speech = await startLockstepSpeech(4);
  const { clock, synthesiser } = speech;
  const breakable = makeBreakable(speech.recogniser);
  breakStreams = breakable.breakStreams;
  host = await startTestHost({
    settings: { AGENT_SCENARIO: "banking" },
    clock,
    providers: {
      recogniser: breakable.recogniser,
      synthesiser,
      createVoiceActivityDetector,
      languageModel: createRuleModel({ clock }),
    },
  });
});

afterEach(() => {
  recogniserDelayMs = 0;
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await speech.close();
});

function makeBreakable(recogniser: Recogniser): { recogniser: Recogniser; breakStreams: () => number } {
  const breakers = new Set<() => void>();
  return {
    recogniser: {
      async open(options, events, signal) {
        const late = (tell: () => void): void => {
          if (recogniserDelayMs === 0) tell();
          else speech.clock.setTimer(recogniserDelayMs, tell);
        };
        const stream = await recogniser.open(
          options,
          {
            onPartial: (partial) => late(() => events.onPartial(partial)),
            onFinal: (final) => late(() => events.onFinal(final)),
            onError: (error) => events.onError(error),
          },
          signal,
        );
        const breakIt = (): void => {
          stream.close();
          events.onError(new VoiceError("upstream_unavailable", "the worker is gone"));
        };
        breakers.add(breakIt);
        return {
          write: (samples) => stream.write(samples),
          flush: () => stream.flush(),
          setHints: (hints) => stream.setHints(hints),
          close() {
            breakers.delete(breakIt);
            stream.close();
          },
        };
      },
      pool: () => recogniser.pool(),
      close: () => recogniser.close(),
    },
    breakStreams() {
      const broken = [...breakers];
      breakers.clear();
      for (const breakIt of broken) breakIt();
      return broken.length;
    },
  };
}

async function call(): Promise<Caller> {
  return connectCaller({ clock: speech.clock, url: new URL(host.url("/api/v1/browser/conversation")) });
}

async function line(text: string): Promise<Int16Array> {
  return speakText(speech.synthesiser, { text, voice: "slt", sampleRateHz: 16_000 });
}

function eventsOf(caller: Caller, name: string): number[] {
  return caller.records.flatMap((record) =>
    record.kind === "message" && record.message.type === "event" && record.message.payload.name === name
      ? [record.atMs]
      : [],
  );
}

/** Milliseconds in which there was something to hear. */
function soundOf(samples: Int16Array): number {
  let loudFrames = 0;
  for (let at = 0; at < samples.length; at += 320) if (rmsLevel(samples.subarray(at, at + 320)) > 0.01) loudFrames++;
  return loudFrames * 20;
}

describeTurnTaking(local);

describe("on a host whose time stands still while engines work", () => {
  it.each([
    ["answers at once", 0],
    ["is seconds late", 2500],
  ])("[BARGE-3] pauses for an uh-huh and loses no sound of the agent when the recogniser %s", async (_how, delayMs) => {
    using undisturbed = await call();
    using caller = await call();
    recogniserDelayMs = delayMs;
    await caller.waitForAgentAudio();
    await caller.pause(1500);
    const spoken = await caller.speak(await line("uh huh"));
    const welcome = await caller.waitForReply();
    expect(eventsOf(caller, "barge_in")).toHaveLength(1);
    const [resumedMs = Number.NaN] = eventsOf(caller, "false_interruption");
    expect(resumedMs - spoken.stoppedMs).toBeLessThanOrEqual(350);
    expect(welcome.says.filter(({ interrupted }) => interrupted)).toEqual([]);
    const [stored] = await host.state.sessions.history(caller.session.session_id);
    expect(stored).toMatchObject({ content: greeting, interrupted: false });
    await undisturbed.waitForReply();
    const [whole, resumed] = [undisturbed, caller].map(({ recording }) => soundOf(recording.agentOnly()));
    expect(Math.abs((resumed ?? 0) - (whole ?? 0))).toBeLessThan(100);
  });

  it("[FAIL-4] loses no word of the caller when its recogniser dies in the middle of the sentence", async () => {
    using caller = await call();
    await caller.waitForReply();
    const speaking = caller.speak(await line("I want to check my balance"));
    await caller.pause(900);
    expect(breakStreams()).toBe(1);
    await speaking;
    const reply = await caller.waitForReply();
    expect(reply.heardText).toBe("i want to check my balance");
    expect(reply.says.at(-1)?.text).toContain("Checking or savings?");
  });
});
