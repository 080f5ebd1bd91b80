/**
 * What makes a conversation feel right, with real audio on real sockets: backchannels, silence, keys, a line that drops,
 * a recogniser that dies. One host with the local providers; the conversations run side by side.
 */
import { VoiceError } from "@voice/shared/platform/errors";
import { createLocalRecogniser } from "@voice/streaming-host/providers/local/recogniser/local-recogniser";
import { createRuleModel } from "@voice/streaming-host/providers/local/rule-model/rule-model";
import { createLocalSynthesiser } from "@voice/streaming-host/providers/local/synthesiser/local-synthesiser";
import { loadVoiceActivity } from "@voice/streaming-host/providers/local/voice-activity/local-voice-activity";
import type { Recogniser } from "@voice/streaming-host/providers/ports/recogniser";
import type { Synthesiser } from "@voice/streaming-host/providers/ports/synthesiser";
import { systemClock } from "@voice/shared/platform/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import type { Caller } from "../../local/caller/caller.ts";
import { speakText } from "../../local/caller/line-audio.ts";
import { startTestHost } from "../support/conversation-host.ts";
import type { TestHost } from "../support/conversation-host.ts";
import { createJudge, wordErrorRate } from "./support/judge.ts";
import type { Judge } from "./support/judge.ts";

const greeting =
  "Welcome to Harbor Bank. I can help with your accounts, cards, investments, and fraud. What can I do for you?";
const idleMs = 3000;

let host: TestHost;
let synthesiser: Synthesiser;
let judge: Judge;
/** Breaks the recognition streams that were opened with this hint, as a worker does that dies. */
let breakStreams: () => number;

beforeAll(async () => {
  const [recogniser, voice, createVoiceActivityDetector] = await Promise.all([
    createLocalRecogniser({ warmDecoders: 4 }),
    createLocalSynthesiser(),
    loadVoiceActivity(),
  ]);
  synthesiser = voice;
  const breakable = makeBreakable(recogniser);
  breakStreams = breakable.breakStreams;
  host = await startTestHost({
    idleMs,
    settings: { AGENT_SCENARIO: "banking" },
    providers: {
      recogniser: breakable.recogniser,
      synthesiser,
      createVoiceActivityDetector,
      languageModel: createRuleModel({ clock: systemClock }),
    },
  });
  judge = await createJudge(greeting.split(/(?<=[.?])\s/));
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await judge.close();
});

function makeBreakable(recogniser: Recogniser): { recogniser: Recogniser; breakStreams: () => number } {
  const breakers = new Set<() => void>();
  return {
    recogniser: {
      async open(options, events, signal) {
        const stream = await recogniser.open(options, events, signal);
        const breakIt = (): void => {
          stream.close();
          events.onError(new VoiceError("upstream_unavailable", "the worker is gone"));
        };
        breakers.add(breakIt);
        return {
          ...stream,
          write: (samples) => stream.write(samples),
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

async function call(query = ""): Promise<Caller> {
  return connectCaller({ url: new URL(host.url(`/api/v1/browser/conversation${query}`)) });
}

async function line(text: string): Promise<Int16Array> {
  return speakText(synthesiser, { text, voice: "slt", sampleRateHz: 16_000 });
}

function eventsOf(caller: Caller, name: string): number[] {
  return caller.records.flatMap((record) =>
    record.kind === "message" && record.message.type === "event" && record.message.payload.name === name
      ? [record.atMs]
      : [],
  );
}

describe.concurrent("turn-taking with real audio", () => {
  it("[HS-4] goes on after the line dropped, with the same agent, history and what was asked", async () => {
    const first = await call();
    await first.waitForReply();
    await first.speak(await line("I lost my card"));
    const handedOver = await first.waitForReply();
    expect(handedOver.handoffs).toHaveLength(1);
    const { session_id: id } = first.session;
    first.close();
    using second = await call(`?session_id=${id}`);
    expect(second.session).toMatchObject({ resumed: true, agent: handedOver.handoffs[0]?.to, session_id: id });
    await second.waitForReply();
    await second.speak(await line("my credit card"));
    const reply = await second.waitForReply();
    expect(reply.heardText).toContain("credit");
    const history = await host.state.sessions.history(id);
    expect(history.filter(({ role }) => role === "user").map(({ content }) => content)).toHaveLength(2);
  });

  it("[TURN-9] takes the keys that an agent asks for", async () => {
    using caller = await call();
    await caller.waitForReply();
    await caller.speak(await line("send me a code"));
    const asked = await caller.waitForReply();
    const code = /"demo_code":"(\d{6})"/.exec(JSON.stringify(asked.toolCalls))?.[1];
    if (code === undefined) throw new Error(`no code was sent: ${JSON.stringify(asked)}`);
    caller.press(`${code}#`);
    const checked = await caller.waitForReply();
    expect(checked.toolCalls).toMatchObject([{ name: "verify_code", args: { code }, status: "success" }]);
    expect(checked.says.at(-1)?.text).toContain("That is right");
  });

  it("[IDLE-1] [IDLE-2] asks twice whether anybody is there, says goodbye and hangs up", async () => {
    using caller = await call();
    const end = await caller.waitForReply({ quietMs: idleMs + 3000, timeoutMs: 30_000 });
    expect(end.ended).toBe("caller_silent");
    expect(end.says.map(({ text }) => text).slice(1)).toEqual([
      expect.stringMatching(/still there|did not hear/),
      expect.stringMatching(/still there|did not hear/),
      "Goodbye.",
    ]);
  });
});

describe("what needs a recogniser in good time", () => {
  it("[BARGE-3] pauses for an uh-huh and goes on where the caller stopped hearing it", async () => {
    using caller = await call();
    await caller.waitForAgentAudio();
    await caller.pause(1500);
    const spoken = await caller.speak(await line("uh huh"));
    const welcome = await caller.waitForReply();
    expect(eventsOf(caller, "barge_in")).toHaveLength(1);
    const [resumedMs = Number.NaN] = eventsOf(caller, "false_interruption");
    expect(resumedMs - spoken.stoppedMs).toBeLessThan(3000);
    expect(welcome.says.filter(({ interrupted }) => interrupted)).toEqual([]);
    const [stored] = await host.state.sessions.history(caller.session.session_id);
    expect(stored).toMatchObject({ content: greeting, interrupted: false });
    expect(wordErrorRate(greeting, await judge.transcribe(caller.recording.agentOnly()))).toBeLessThan(0.25);
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
