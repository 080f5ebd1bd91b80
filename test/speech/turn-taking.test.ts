/**
 * What makes a conversation feel right, with real audio on real sockets: silence, keys and a line that drops; backchannels
 * and a recogniser that dies, on a host of their own.
 */
import { VoiceError } from "@voice/shared/platform/errors";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import type { Caller } from "../../local/caller/caller.ts";
import { startTestHost } from "../support/test-host.ts";
import type { TestHost } from "../support/test-host.ts";
import { local } from "../support/composition.ts";
import { servicesSpeech, spokenLine } from "../support/speech-engines.ts";
import { startTcpBalancer } from "../support/tcp-balancer.ts";
import { passTime, testClock } from "../support/test-clock.ts";
import { describeTurnTaking } from "../support/turn-taking.ts";

const greeting =
  "Welcome to Harbor Bank. I can help with your accounts, cards, investments, and fraud. What can I do for you?";
const samplesPerMs = 16;
let host: TestHost;
/** How much later than it understands them the recogniser tells its words. */
let recogniserDelayMs = 0;
/** Breaks the recognition streams that were opened with this hint, as a worker does that dies. */
let breakStreams: () => number;

beforeAll(async () => {
  const [{ recogniser, synthesiser }, createVoiceActivityDetector] = await Promise.all([
    servicesSpeech(),
    loadVoiceActivity(),
  ]);
  const breakable = makeBreakable(recogniser);
  breakStreams = breakable.breakStreams;
  host = await startTestHost({
    settings: { AGENT_SCENARIO: "banking" },
    clock: testClock,
    providers: {
      recogniser: breakable.recogniser,
      synthesiser,
      createVoiceActivityDetector,
      languageModel: createRuleModel({ clock: testClock }),
    },
  });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

function makeBreakable(recogniser: Recogniser): { recogniser: Recogniser; breakStreams: () => number } {
  const breakers = new Set<() => void>();
  return {
    recogniser: {
      async open(options, events, signal) {
        const late = (tell: () => void): void => {
          if (recogniserDelayMs === 0) tell();
          else testClock.setTimer(recogniserDelayMs, tell);
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
  return connectCaller({ clock: testClock, url: new URL(host.url("/api/v1/browser/conversation")) });
}

function line(text: string): Promise<Int16Array> {
  return spokenLine({ text, voice: "slt", sampleRateHz: 16_000 });
}

function eventsOf(caller: Caller, name: string): number[] {
  return caller.records.flatMap((record) =>
    record.kind === "message" && record.message.type === "event" && record.message.payload.name === name
      ? [record.atMs]
      : [],
  );
}

/** Without the zeros that fill the last frame. */
function withoutPadding(samples: Int16Array): Int16Array {
  return samples.subarray(0, samples.findLastIndex((sample) => sample !== 0) + 1);
}

/** How many samples both begin with. */
function lengthOfSame(one: Int16Array, other: Int16Array): number {
  const different = one.findIndex((sample, at) => sample !== other[at]);
  return different === -1 ? one.length : different;
}

afterEach(() => {
  recogniserDelayMs = 0;
});

describeTurnTaking(local);

describe("what needs a recogniser in good time", () => {
  it.each([
    ["answers at once", 0],
    ["is seconds late", 2500],
  ])(
    "[BARGE-3a] pauses for an uh-huh and goes on where the caller stopped hearing it when the recogniser %s",
    async (_how, delayMs) => {
      recogniserDelayMs = delayMs;
      using caller = await call();
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
      // Sample by sample against a caller who said nothing: up to the pause the same beginning, from there on the same end.
      using listener = await call();
      await listener.waitForReply();
      const whole = withoutPadding(listener.recording.agentOnly());
      const heard = withoutPadding(caller.recording.agentOnly());
      const before = lengthOfSame(whole, heard);
      const after = lengthOfSame(whole.toReversed(), heard.toReversed());
      expect(before).toBeGreaterThan(samplesPerMs * 1500);
      // Lost is what the caller's player still held, 60 ms; repeated may be a syllable.
      expect(before + after - whole.length).toBeGreaterThan(samplesPerMs * -100);
      expect(before + after - whole.length).toBeLessThan(samplesPerMs * 250);
    },
  );

  it.each([1700, 3200])(
    "[TURN-15c] takes it for one turn when the network holds the middle of a sentence back for %d ms",
    async (stalledMs) => {
      const network = await startTcpBalancer([host.port]);
      using caller = await connectCaller({
        clock: testClock,
        url: new URL(`ws://127.0.0.1:${network.port}/api/v1/browser/conversation`),
      });
      await caller.waitForReply();
      const speaking = caller.speak(await line("I want to check my balance"));
      await caller.pause(800);
      network.stall();
      await passTime(stalledMs);
      network.flow();
      await speaking;
      const reply = await caller.waitForReply();
      expect(reply.heardText).toBe("i want to check my balance");
      expect(reply.says.map(({ text }) => text)).toEqual(["Checking or savings?"]);
      expect(eventsOf(caller, "barge_in")).toEqual([]);
      await network.close();
    },
  );

  it("[FAIL-4a] loses no word of the caller when its recogniser dies in the middle of the sentence", async () => {
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
