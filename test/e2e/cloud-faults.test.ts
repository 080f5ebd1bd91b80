/**
 * What a caller hears, what is stored and what is reported when a cloud service fails: each service, in each phase of its
 * work, in each of the ways in which it does. One conversation for each row, several at a time.
 */
import { createLocalSynthesiser } from "@voice/streaming-host/providers/local/synthesiser/local-synthesiser";
import { beforeAll, describe, expect, it } from "vitest";
import { speakText } from "../../local/caller/line-audio.ts";
import { eventually } from "../support/wait.ts";
import { answer, startFaultRig, words } from "./support/fault-rig.ts";
import type { FaultRig, FaultRigOptions } from "./support/fault-rig.ts";

const answered = /^It is on its way\.$/;
const apology = /^I am sorry, (?:something went wrong on my side|I still have a problem here)/;
const greeted = /How can I help you today\?$/;
const goodbye = /^Goodbye\.$/;

interface Fault {
  readonly phase: "connect" | "first byte" | "middle" | "end";
  /** Completes "…, when the service …". */
  readonly failure: string;
  readonly inject: (rig: FaultRig) => void;
  /** The last thing the caller hears. */
  readonly hears: RegExp;
  /** Codes of the `error` messages, each once. */
  readonly reports?: readonly string[];
  readonly ends?: string;
}

/** `words`, as a person says them. */
let line: Int16Array;

beforeAll(async () => {
  const voice = await createLocalSynthesiser();
  line = await speakText(voice, { text: words, voice: "slt", sampleRateHz: 16_000 });
  await voice.close();
  // The vendors' SDKs take seconds to load; no deadline of a conversation should run meanwhile.
  await withRig({ streamingMode: "REALTIME" }, (rig) => rig.greet());
});

async function withRig(options: FaultRigOptions, test: (rig: FaultRig) => Promise<void>): Promise<void> {
  const rig = await startFaultRig(options);
  try {
    await test(rig);
  } finally {
    await rig.close();
  }
}

async function expectOutcome(rig: FaultRig, { hears, reports = [], ends }: Fault): Promise<void> {
  await rig.hears(hears);
  expect([...new Set(rig.errorCodes)]).toEqual(reports);
  if (ends !== undefined) expect(await rig.ended()).toBe(ends);
  const stored = await rig.stored();
  // What was heard is what is stored, word for word.
  expect(stored.filter((line) => line.startsWith("assistant")).map((line) => line.replace(/^[^:]*: /, ""))).toEqual(
    rig.heard.filter((text) => text !== ""),
  );
}

const twice = <T>(fault: T): T[] => [fault, fault];
const forGood = <T>(fault: T): T[] => Array.from({ length: 40 }, () => fault);

describe.concurrent("speech recognition", () => {
  const faults: readonly Fault[] = [
    {
      phase: "connect",
      failure: "refuses the key",
      inject: ({ speech }) => speech.failAt("recognition", ...forGood({ kind: "refuse", status: 401 } as const)),
      hears: goodbye,
      reports: ["upstream_unavailable"],
      ends: "recogniser_lost",
    },
    {
      phase: "connect",
      failure: "has too much to do, once",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "refuse", status: 429 }),
      hears: answered,
    },
    {
      phase: "connect",
      failure: "has too much to do, for good",
      inject: ({ speech }) => speech.failAt("recognition", ...forGood({ kind: "refuse", status: 429 } as const)),
      hears: goodbye,
      reports: ["speech_quota_exceeded"],
      ends: "recogniser_lost",
    },
    {
      phase: "connect",
      failure: "is not there, for good",
      inject: ({ speech }) => speech.failAt("recognition", ...forGood({ kind: "refuse", status: 503 } as const)),
      hears: goodbye,
      reports: ["speech_region_unavailable"],
      ends: "recogniser_lost",
    },
    {
      phase: "connect",
      failure: "never answers, once",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "hang" }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "closes with 4429, once",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "close", at: "turn", code: 4429 }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "closes with 4429, for good",
      inject: ({ speech }) =>
        speech.failAt("recognition", ...forGood({ kind: "close", at: "turn", code: 4429 } as const)),
      hears: goodbye,
      reports: ["speech_quota_exceeded"],
      ends: "recogniser_lost",
    },
    {
      phase: "middle",
      failure: "drops the connection",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "drop", at: "middle" }),
      hears: answered,
    },
    {
      phase: "middle",
      failure: "falls silent",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "silence", at: "middle" }),
      hears: answered,
    },
    {
      phase: "end",
      failure: "closes the connection in place of the final text",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "close", at: "end", code: 1011 }),
      hears: answered,
    },
    {
      phase: "end",
      failure: "falls silent in place of the final text",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "silence", at: "end" }),
      hears: answered,
    },
    {
      phase: "middle",
      failure: "is slow",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "slow", delayMs: 700 }),
      hears: answered,
    },
  ];

  it.each(faults)("$phase: when the service $failure", (fault) =>
    withRig({ streamingMode: "REALTIME" }, async (rig) => {
      fault.inject(rig);
      await rig.greet();
      if (fault.ends === undefined) {
        await rig.speak(line);
        await rig.hears(answered);
        expect((await rig.stored()).some((line) => line.startsWith("user: where"))).toBe(true);
      }
      await expectOutcome(rig, fault);
    }),
  );
});

describe.concurrent("speech synthesis", () => {
  const faults: readonly Fault[] = [
    {
      phase: "connect",
      failure: "has too much to do, once",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "refuse", status: 429 }),
      hears: answered,
    },
    {
      phase: "connect",
      failure: "never answers, once",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "hang" }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "drops the connection",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "drop", at: "turn" }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "falls silent",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "silence", at: "turn" }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "is slow",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "slow", delayMs: 500 }),
      hears: answered,
    },
    {
      phase: "middle",
      failure: "drops the connection",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "drop", at: "middle" }),
      hears: apology,
      reports: ["speech_region_unavailable"],
    },
    {
      phase: "middle",
      failure: "closes with 4429",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "close", at: "middle", code: 4429 }),
      hears: apology,
      reports: ["speech_quota_exceeded"],
    },
    {
      phase: "middle",
      failure: "falls silent",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "silence", at: "middle" }),
      hears: apology,
      reports: ["upstream_timeout"],
    },
    {
      phase: "end",
      failure: "drops the connection",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "drop", at: "end" }),
      hears: apology,
      reports: ["speech_region_unavailable"],
    },
  ];

  it.each(faults)("$phase: when the service $failure", (fault) =>
    // Below FAIL-1's ten seconds, so that there is time for a second attempt.
    withRig({ streamingMode: "REALTIME", environment: { SPEECH_REQUEST_TIMEOUT: "4" } }, async (rig) => {
      fault.inject(rig);
      await rig.connect();
      await rig.hears(fault.hears === answered ? greeted : fault.hears);
      rig.type(words);
      await rig.hears(answered);
      await expectOutcome(rig, { ...fault, hears: answered });
      expect((await rig.stored()).includes(`user: ${words}`)).toBe(true);
    }),
  );

  it.each([
    { failure: "refuses the key", status: 401, code: "upstream_unavailable" },
    { failure: "has too much to do", status: 429, code: "speech_quota_exceeded" },
  ])("[FAIL-5] says so and ends when the service $failure for good", ({ status, code }) =>
    withRig({ streamingMode: "REALTIME" }, async (rig) => {
      rig.speech.failAt("synthesis", ...forGood({ kind: "refuse", status } as const));
      await rig.connect();
      expect(await rig.ended()).toBe("voice_failed");
      expect(new Set(rig.errorCodes)).toEqual(new Set([code, "upstream_unavailable"]));
      expect(rig.heard.filter((text) => text !== "")).toEqual([]);
      expect(await rig.stored()).toEqual([]);
      await eventually(async () => {
        const [host] = await rig.state.hosts.list();
        return host?.providers.synthesiser?.error?.includes(code) === true;
      }, "readiness names the reason");
    }),
  );

  it("[FAIL-5] says so and ends when every voice is refused", () =>
    withRig({ streamingMode: "REALTIME", voices: new Set() }, async (rig) => {
      await rig.connect();
      expect(await rig.ended()).toBe("voice_failed");
      expect(new Set(rig.errorCodes)).toEqual(new Set(["upstream_unavailable"]));
      expect(await rig.stored()).toEqual([]);
    }));

  it("speaks with the service's own voice when an agent's is refused, and nobody hears of it", () =>
    withRig(
      {
        streamingMode: "REALTIME",
        voices: new Set(["en-US-SecondNeural"]),
        environment: { TTS_VOICE: "en-US-SecondNeural" },
      },
      async (rig) => {
        await rig.connect();
        rig.type(words);
        await rig.hears(answered);
        expect(rig.errorCodes).toEqual([]);
      },
    ));
});

describe.concurrent("the language model", () => {
  const faults: readonly Fault[] = [
    {
      phase: "connect",
      failure: "refuses the key",
      inject: ({ openai }) => openai.script(...twice({ kind: "refusal", status: 401 } as const)),
      hears: apology,
      reports: ["upstream_unavailable"],
    },
    {
      phase: "connect",
      failure: "has too much to do, once",
      inject: ({ openai }) => openai.script({ kind: "refusal", status: 429, retryAfterMs: 50 }),
      hears: answered,
    },
    {
      phase: "connect",
      failure: "has too much to do, for good",
      inject: ({ openai }) => openai.script(...forGood({ kind: "refusal", status: 429 } as const)),
      hears: apology,
      reports: ["rate_limited"],
    },
    {
      phase: "connect",
      failure: "is unavailable",
      inject: ({ openai }) => openai.script(...forGood({ kind: "refusal", status: 503 } as const)),
      hears: apology,
      reports: ["upstream_unavailable"],
    },
    {
      phase: "connect",
      failure: "never answers",
      inject: ({ openai }) => openai.script(...forGood({ kind: "silence" } as const)),
      hears: apology,
      reports: ["upstream_timeout"],
    },
    {
      phase: "first byte",
      failure: "closes the connection, once",
      inject: ({ openai }) => openai.script({ kind: "hang-up" }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "is slow",
      inject: ({ openai }) =>
        openai.script({ kind: "completion", text: answer, firstChunkMs: 1000, betweenChunksMs: 100 }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "is stopped by its content filter",
      inject: ({ openai }) => openai.script({ kind: "refusal", status: 400, code: "content_filter" }),
      hears: apology,
      reports: ["upstream_unavailable"],
    },
    {
      phase: "middle",
      failure: "breaks off",
      inject: ({ openai }) => openai.script({ kind: "completion", text: "Let me see what I have", cutAfterChunks: 4 }),
      hears: apology,
      reports: ["upstream_unavailable"],
    },
    {
      phase: "middle",
      failure: "falls silent",
      inject: ({ openai }) =>
        openai.script({ kind: "completion", text: "Let me see what I have", stallAfterChunks: 4 }),
      hears: apology,
      reports: ["upstream_timeout"],
    },
    {
      phase: "end",
      failure: "truncates its answer",
      inject: ({ openai }) => openai.script({ kind: "completion", text: "Let me see what I have", endAfterChunks: 4 }),
      hears: apology,
      reports: ["upstream_unavailable"],
    },
  ];

  it.each(faults)("$phase: when the service $failure", (fault) =>
    withRig({ streamingMode: "REALTIME" }, async (rig) => {
      await rig.greet();
      fault.inject(rig);
      rig.type(words);
      await expectOutcome(rig, fault);
      expect((await rig.stored()).includes(`user: ${words}`)).toBe(true);
    }),
  );
});

const patience = /^One moment, please\. /;

describe.concurrent("the realtime model", () => {
  const faults: readonly (Fault & { readonly when: "at first" | "in the call" })[] = [
    {
      when: "at first",
      phase: "connect",
      failure: "refuses the key",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "refuse", status: 401 }),
      hears: patience,
      reports: ["upstream_unavailable"],
    },
    {
      when: "at first",
      phase: "connect",
      failure: "has too much to do, for good",
      inject: ({ voiceLive }) => voiceLive.fail(...forGood({ kind: "refuse", status: 429 } as const)),
      hears: patience,
      reports: ["rate_limited"],
    },
    {
      when: "at first",
      phase: "connect",
      failure: "never answers",
      inject: ({ voiceLive }) => voiceLive.fail(...forGood({ kind: "hang" } as const)),
      hears: patience,
      reports: ["upstream_timeout"],
    },
    {
      when: "at first",
      phase: "connect",
      failure: "has too much to do, once",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "refuse", status: 429 }),
      hears: answered,
    },
    {
      when: "at first",
      phase: "first byte",
      failure: "opens no session",
      inject: ({ voiceLive }) => voiceLive.fail(...forGood({ kind: "silence", at: "session" } as const)),
      hears: patience,
      reports: ["upstream_timeout"],
    },
    {
      when: "at first",
      phase: "first byte",
      failure: "closes the connection, for good",
      inject: ({ voiceLive }) => voiceLive.fail(...forGood({ kind: "close", at: "open", code: 1011 } as const)),
      hears: patience,
      reports: ["upstream_unavailable"],
    },
    {
      when: "in the call",
      phase: "middle",
      failure: "drops the connection, once",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "drop", at: "middle" }),
      hears: answered,
    },
    {
      when: "in the call",
      phase: "middle",
      failure: "drops the connection, for good",
      inject: ({ voiceLive }) =>
        voiceLive.fail({ kind: "drop", at: "middle" }, ...forGood({ kind: "refuse", status: 503 } as const)),
      hears: patience,
      reports: ["upstream_unavailable"],
    },
    {
      when: "in the call",
      phase: "middle",
      failure: "falls silent",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "silence", at: "middle" }),
      hears: patience,
      reports: ["upstream_unavailable"],
    },
    {
      when: "in the call",
      phase: "middle",
      failure: "is slow",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "slow", delayMs: 500 }),
      hears: answered,
    },
    {
      when: "in the call",
      phase: "end",
      failure: "closes the connection",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "close", at: "end", code: 4429 }),
      hears: answered,
    },
  ];

  it.each(faults)("[FAIL-6] $phase: when the service $failure", (fault) =>
    withRig({ streamingMode: "VOICE_LIVE" }, async (rig) => {
      fault.inject(rig);
      await rig.connect();
      if (fault.when === "in the call" || fault.hears === answered) rig.type(words);
      await expectOutcome(rig, fault);
      if (fault.hears === patience) rig.type(words);
      await rig.hears(answered);
      expect(rig.heard).toContain(answer);
    }),
  );

  it("[FAIL-6] ends the conversation with its reason where no other way is allowed", () =>
    withRig({ streamingMode: "VOICE_LIVE", environment: { CLOUD_VOICELIVE_FALLBACK: "false" } }, async (rig) => {
      rig.voiceLive.fail({ kind: "refuse", status: 401 });
      await rig.connect();
      expect(await rig.ended()).toBe("realtime_lost");
      expect(rig.errorCodes).toEqual(["upstream_unavailable"]);
      await eventually(async () => {
        const [host] = await rig.state.hosts.list();
        return host?.providers.realtimeModel?.healthy === false;
      }, "readiness says that it is down");
    }));
});
