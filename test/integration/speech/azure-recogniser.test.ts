import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createAzureRecogniser } from "@voice/streaming-host/providers/azure/recogniser";
import type { AzureRecogniserOptions } from "@voice/streaming-host/providers/azure/recogniser";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import { tone } from "@voice/local/emulators/tone-synthesiser";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { SupervisedRecognition } from "@voice/streaming-host/pipeline/listening/supervised-recognition";
import { countSpeechSdkMessages } from "@voice/streaming-host/testing/speech-sdk-messages";
import type { SpeechFault } from "@voice/local/emulators/speech/speech-socket";
import { startSlowWire } from "../../support/slow-wire.ts";
import { startTcpBalancer } from "../../support/tcp-balancer.ts";
import { timeOf } from "../../support/wait.ts";
import {
  createListener,
  neverAborted,
  recogniserOptions,
  recognitionOptions,
  say,
  speechKey,
  startSpeechService,
} from "./harness.ts";
import type { SpeechService } from "./harness.ts";
import { briefMs, patientMs } from "./patience.ts";

let service: SpeechService;
let recogniser: Recogniser;

function create(options: Partial<AzureRecogniserOptions> = {}, warmSize = 0): Recogniser {
  recogniser = createAzureRecogniser({ ...recogniserOptions(service.emulator.endpoint, warmSize), ...options });
  return recogniser;
}

beforeEach(async () => {
  service = await startSpeechService();
});

afterEach(async () => {
  await recogniser.close();
  await service.emulator.close();
});

describe("a recognition stream", () => {
  it("gives partials, then a final, with offsets in the caller's audio", async () => {
    service.script("where is my order");
    const heard = createListener();
    const stream = await create().open(recognitionOptions, heard, neverAborted);
    say(stream, 0, 200);
    say(stream, 800, 500);
    await expect.poll(() => heard.finals).toHaveLength(1);
    expect(heard.finals[0]).toMatchObject({ text: "where is my order", language: "en-US" });
    expect(heard.finals[0]?.startMs).toBeCloseTo(200, -1);
    expect(heard.finals[0]?.endMs).toBeCloseTo(1_000, -1);
    expect(heard.partials.length).toBeGreaterThan(3);
    expect(heard.partials[0]?.text).toBe("where");
    stream.close();
  });

  it("keeps offsets running over several segments", async () => {
    service.script("first", "second");
    const heard = createListener();
    const stream = await create().open(recognitionOptions, heard, neverAborted);
    say(stream, 500, 500);
    say(stream, 500, 500);
    await expect.poll(() => heard.finals.map(({ text }) => text)).toEqual(["first", "second"]);
    expect(heard.finals[1]?.startMs).toBeCloseTo(1_000, -1);
    stream.close();
  });

  it("ends a segment at once when it is flushed, and does not count the silence that this takes", async () => {
    service.script("yes", "and now");
    const heard = createListener();
    const stream = await create().open(recognitionOptions, heard, neverAborted);
    say(stream, 400, 0);
    stream.flush();
    await expect.poll(() => heard.finals, { interval: 5 }).toHaveLength(1);
    say(stream, 400, 500);
    await expect.poll(() => heard.finals).toHaveLength(2);
    expect(heard.finals[1]?.startMs).toBeCloseTo(400, -1);
    stream.close();
  });

  it("says nothing when it is flushed although nobody spoke", async () => {
    const heard = createListener();
    const stream = await create().open(recognitionOptions, heard, neverAborted);
    say(stream, 0, 300);
    stream.flush();
    service.script("later");
    say(stream, 300, 500);
    await expect.poll(() => heard.finals.map(({ text }) => text)).toEqual(["later"]);
    stream.close();
  });

  it("reports sound without words as an empty final, and silence not at all", async () => {
    service.script("", "words");
    const heard = createListener();
    const stream = await create().open(recognitionOptions, heard, neverAborted);
    say(stream, 0, 16_000);
    say(stream, 400, 500);
    say(stream, 400, 500);
    await expect.poll(() => heard.finals.map(({ text }) => text)).toEqual(["", "words"]);
    stream.close();
  });

  it("copies what it is given", async () => {
    const heard = createListener();
    const stream = await create().open(recognitionOptions, heard, neverAborted);
    const frame = new Int16Array(320).fill(1_234);
    stream.write(frame);
    frame.fill(0);
    await expect.poll(() => service.emulator.connections[0]?.audio().length).toBeGreaterThan(600);
    expect(service.emulator.connections[0]?.audio().readInt16LE(44)).toBe(1_234);
    stream.close();
  });

  it("asks for what the session wants", async () => {
    const options = {
      ...recognitionOptions,
      candidateLanguages: ["de-DE", "fr-FR"],
      segmentationSilenceMs: 450,
      hints: { examples: [], phrases: ["Contoso", "Zeppelin"] },
    };
    const heard = createListener();
    const stream = await create().open(options, heard, neverAborted);
    say(stream, 300, 600);
    await expect.poll(() => heard.finals).toHaveLength(1);
    const context: unknown = JSON.parse(service.emulator.connections[0]?.bodies.get("speech.context") ?? "");
    expect(context).toMatchObject({
      dgi: { groups: [{ items: [{ text: "Contoso" }, { text: "Zeppelin" }] }] },
      languageId: { languages: ["en-US", "de-DE", "fr-FR"], mode: "DetectContinuous" },
      phraseDetection: {
        mode: "Conversation",
        conversation: { segmentation: { mode: "Custom", segmentationSilenceTimeoutMs: 450 } },
      },
    });
    expect(service.emulator.connections[0]?.url.pathname).toBe("/stt/speech/universal/v2");
    stream.close();
  });

  it("sends a frame when it gets one, not every 100 ms", async () => {
    const stream = await create().open(recognitionOptions, createListener(), neverAborted);
    say(stream, 100, 100);
    await expect.poll(() => service.emulator.connections[0]?.audioBytes.length).toBe(11);
    expect(service.emulator.connections[0]?.audioBytes.slice(1)).toEqual(Array.from({ length: 10 }, () => 640));
    stream.close();
  });

  it("presents an Entra token with the resource it is for", async () => {
    await service.emulator.close();
    service = await startSpeechService({ key: "aad#/subscriptions/1/speech#token-1" });
    const { location } = recogniserOptions(service.emulator.endpoint).endpoint;
    const token = { kind: "token" as const, token: async () => "token-1", resourceId: "/subscriptions/1/speech" };
    const stream = await create({ endpoint: { location, credential: token } }).open(
      recognitionOptions,
      createListener(),
      neverAborted,
    );
    expect(service.emulator.connections).toHaveLength(1);
    stream.close();
  });
});

describe("new hints", () => {
  it("[TURN-14b] reach the service through another stream, because the protocol takes them only at the beginning of a turn", async () => {
    const finals: string[] = [];
    const recognition = new SupervisedRecognition(
      {
        recogniser: create(),
        recognition: { ...recognitionOptions, hints: { examples: [], phrases: ["Harbor Bank"] } },
        retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
        clock: systemClock,
        logger: silentLogger,
        random: Math.random,
      },
      { onPartial: () => undefined, onFinal: ({ text }) => finals.push(text), onLost: () => undefined },
    );
    const speak = (): void => {
      for (const [ms, somebodySpeaks] of [
        [400, true],
        [600, false],
      ] as const) {
        const samples = somebodySpeaks ? tone(16_000, ms, 0) : new Int16Array(16 * ms);
        for (let at = 0; at < samples.length; at += 320) recognition.write(samples.slice(at, at + 320), somebodySpeaks);
      }
    };
    service.script("my card", "a chargeback");
    speak();
    await expect.poll(() => finals).toEqual(["my card"]);
    recognition.setHints({ examples: [], phrases: ["chargeback"] });
    await expect.poll(() => service.emulator.connections.length).toBe(2);
    speak();
    await expect.poll(() => finals).toEqual(["my card", "a chargeback"]);
    const context: unknown = JSON.parse(service.emulator.connections[1]?.bodies.get("speech.context") ?? "");
    expect(context).toMatchObject({ dgi: { groups: [{ items: [{ text: "chargeback" }] }] } });
    recognition.close();
  });
});

describe("closing a stream", () => {
  it("closes its socket and silences its callbacks, even while a segment is under way", async () => {
    const heard = createListener();
    const stream = await create().open(recognitionOptions, heard, neverAborted);
    say(stream, 400, 0);
    await expect.poll(() => heard.partials.length).toBeGreaterThan(0);
    stream.close();
    const partials = heard.partials.length;
    stream.close();
    stream.write(new Int16Array(320));
    await service.emulator.connections[0]?.closed;
    expect({ partials: heard.partials.length, finals: heard.finals, errors: heard.errors }).toEqual({
      partials,
      finals: [],
      errors: [],
    });
    expect(recogniser.pool().activeSessions).toBe(0);
  });

  it("never lets the next stream hear what was left over", async () => {
    create({}, 1);
    await expect.poll(() => recogniser.pool().warmSize).toBe(1);
    const first = await recogniser.open(recognitionOptions, createListener(), neverAborted);
    say(first, 2_000, 0);
    first.close();
    await expect.poll(() => recogniser.pool().warmSize).toBe(1);
    const second = await recogniser.open(recognitionOptions, createListener(), neverAborted);
    say(second, 0, 200);
    await expect.poll(() => service.emulator.connections[1]?.audio().length).toBe(44 + 6_400);
    const heard = service.emulator.connections[1]?.audio().subarray(44);
    expect(heard?.every((byte) => byte === 0)).toBe(true);
    second.close();
  });
});

describe("the pool of recognisers", () => {
  it("connects ahead of time, counts, and refills", async () => {
    create({}, 2);
    await expect.poll(() => recogniser.pool().warmSize).toBe(2);
    expect(service.emulator.handshakes()).toBe(2);
    const stream = await recogniser.open(recognitionOptions, createListener(), neverAborted);
    await expect.poll(() => recogniser.pool().warmSize).toBe(2);
    const other = await recogniser.open({ ...recognitionOptions, language: "de-DE" }, createListener(), neverAborted);
    expect(recogniser.pool()).toMatchObject({
      ready: true,
      activeSessions: 2,
      allocationsTotal: 2,
      allocationsWarm: 1,
      allocationsCold: 1,
      warmupFailures: 0,
    });
    stream.close();
    other.close();
    expect(recogniser.pool().activeSessions).toBe(0);
  });

  it("replaces a warm client whose connection the service ended", async () => {
    service.emulator.fail({ kind: "close", at: "open", code: 1000 });
    create({}, 1);
    await expect.poll(() => service.emulator.handshakes()).toBe(2);
    await expect.poll(() => recogniser.pool().warmSize).toBe(1);
    const heard = createListener();
    const stream = await recogniser.open(recognitionOptions, heard, neverAborted);
    say(stream, 300, 500);
    await expect.poll(() => heard.finals).toHaveLength(1);
    stream.close();
  });

  it("leaves no socket behind when it is closed", async () => {
    create({}, 2);
    await expect.poll(() => recogniser.pool().warmSize).toBe(2);
    await recogniser.open(recognitionOptions, createListener(), neverAborted);
    await recogniser.close();
    await expect.poll(() => service.emulator.connections.every((connection) => connection.isClosed())).toBe(true);
  });
});

type FaultCase = {
  readonly name: string;
  readonly fault: SpeechFault;
  readonly code: string;
  readonly retryable: boolean;
};

const connectFaults: readonly FaultCase[] = [
  { name: "401", fault: { kind: "refuse", status: 401 }, code: "upstream_unavailable", retryable: false },
  { name: "403", fault: { kind: "refuse", status: 403 }, code: "upstream_unavailable", retryable: false },
  { name: "429", fault: { kind: "refuse", status: 429 }, code: "speech_quota_exceeded", retryable: true },
  { name: "503", fault: { kind: "refuse", status: 503 }, code: "speech_region_unavailable", retryable: true },
  { name: "a handshake without an answer", fault: { kind: "hang" }, code: "upstream_timeout", retryable: true },
];

describe("a connection that fails", () => {
  it.each(connectFaults)("with $name rejects as $code soon", async ({ fault, code, retryable }) => {
    service.emulator.fail(fault, fault, fault);
    const limits = code === "upstream_timeout" ? { connectTimeoutMs: briefMs } : {};
    const opening = create(limits).open(recognitionOptions, createListener(), neverAborted);
    const tookMs = await timeOf(() => expect(opening).rejects.toMatchObject({ code, retryable }), patientMs);
    expect(tookMs).toBeLessThan(patientMs);
    expect(service.emulator.handshakes()).toBeLessThanOrEqual(2);
    expect(recogniser.pool().activeSessions).toBe(0);
  });

  it("is reported although the runtime has a WebSocket of its own, with which the SDK would wait for ever", async () => {
    expect(globalThis.WebSocket).toBeDefined();
    // The SDK may have made its second attempt before we hear of the first.
    const refusal: SpeechFault = { kind: "refuse", status: 401 };
    service.emulator.fail(refusal, refusal, refusal);
    await expect(create().open(recognitionOptions, createListener(), neverAborted)).rejects.toThrow("401");
  });

  it("is tried again after a pause of ours, not in a burst of the SDK's", async () => {
    const refusal: SpeechFault = { kind: "refuse", status: 429 };
    service.emulator.fail(refusal, refusal);
    create({ retry: { maxAttempts: 2, backoffFactor: 2, jitter: false } });
    const startedAt = performance.now();
    const stream = await recogniser.open(recognitionOptions, createListener(), neverAborted);
    expect(performance.now() - startedAt).toBeGreaterThan(90);
    expect(service.emulator.handshakes()).toBe(3);
    stream.close();
  });

  it("rejects with the reason once it is aborted", async () => {
    service.emulator.fail({ kind: "hang" });
    const abort = new AbortController();
    const opening = create().open(recognitionOptions, createListener(), abort.signal);
    const rejection = opening.catch((error: unknown) => error);
    await expect.poll(() => service.emulator.handshakes()).toBe(1);
    abort.abort();
    expect(await rejection).toBe(abort.signal.reason);
  });

  it("gives back a client that came a moment after the abort", async () => {
    create({}, 1);
    await expect.poll(() => recogniser.pool().warmSize).toBe(1);
    const abort = new AbortController();
    const opening = recogniser.open(recognitionOptions, createListener(), abort.signal);
    abort.abort();
    await expect(opening).rejects.toBe(abort.signal.reason);
    await expect.poll(() => recogniser.pool().activeSessions).toBe(0);
  });

  it("never shows the key", async () => {
    const refusal: SpeechFault = { kind: "refuse", status: 401 };
    service.emulator.fail(refusal, refusal);
    const error: unknown = await create()
      .open(recognitionOptions, createListener(), neverAborted)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(
      `${String(error)} ${JSON.stringify(error)} ${error instanceof Error ? String(error.cause) : ""}`,
    ).not.toContain(speechKey);
  });
});

/** The fault repeats on every reconnection that the SDK tries. */
const liveFaults: readonly FaultCase[] = [
  {
    name: "first byte: closed 4429",
    fault: { kind: "close", at: "turn", code: 4429 },
    code: "speech_quota_exceeded",
    retryable: true,
  },
  {
    name: "first byte: closed 1011",
    fault: { kind: "close", at: "turn", code: 1011 },
    code: "speech_region_unavailable",
    retryable: true,
  },
  {
    name: "first byte: closed 1007",
    fault: { kind: "close", at: "turn", code: 1007 },
    code: "upstream_unavailable",
    retryable: false,
  },
  {
    name: "first byte: closed 4429 before a word",
    fault: { kind: "close", at: "open", code: 4429 },
    code: "speech_quota_exceeded",
    retryable: true,
  },
  {
    name: "middle: closed 4429",
    fault: { kind: "close", at: "middle", code: 4429 },
    code: "speech_quota_exceeded",
    retryable: true,
  },
  {
    name: "middle: connection lost",
    fault: { kind: "drop", at: "middle" },
    code: "speech_region_unavailable",
    retryable: true,
  },
  {
    name: "end: connection lost",
    fault: { kind: "drop", at: "end" },
    code: "speech_region_unavailable",
    retryable: true,
  },
];

describe("a live stream", () => {
  it.each(liveFaults)(
    "that fails at $name for good reports $code once, then nothing",
    async ({ fault, code, retryable }) => {
      service.emulator.fail(...Array.from({ length: 8 }, () => fault));
      const heard = createListener();
      const stream = await create().open(recognitionOptions, heard, neverAborted);
      const speaking = setInterval(() => say(stream, 300, 400), 50);
      try {
        await expect.poll(() => heard.errors).toHaveLength(1);
      } finally {
        clearInterval(speaking);
      }
      expect(heard.errors[0]).toMatchObject({ code, retryable });
      expect(service.emulator.handshakes()).toBeLessThanOrEqual(3);
      const { partials, finals } = { partials: heard.partials.length, finals: heard.finals.length };
      say(stream, 300, 500);
      stream.close();
      await expect.poll(() => service.emulator.connections.every((connection) => connection.isClosed())).toBe(true);
      expect([heard.partials.length, heard.finals.length, heard.errors.length]).toEqual([partials, finals, 1]);
      expect(recogniser.pool().activeSessions).toBe(0);
    },
  );

  it("survives a connection lost in the middle of a segment: the audio is replayed, one final comes", async () => {
    const { endpoint } = service.emulator;
    const line = await startTcpBalancer([Number(new URL(endpoint).port)]);
    onTestFinished(() => line.close());
    service.script("lost", "where is my order");
    const heard = createListener();
    const options = recogniserOptions(endpoint.replace(/\d+$/, `${line.port}`));
    const stream = await create(options).open(recognitionOptions, heard, neverAborted);
    say(stream, 600, 0);
    // A line that is cut before the SDK has read a word is an error, and after that the SDK waits for more audio.
    await expect.poll(() => heard.partials.length).toBeGreaterThan(0);
    line.cut();
    line.mend();
    await expect.poll(() => service.emulator.connections[0]?.isClosed()).toBe(true);
    say(stream, 200, 500);
    const quiet = setInterval(() => say(stream, 0, 20), 5);
    onTestFinished(() => clearInterval(quiet));
    await expect.poll(() => heard.finals).toHaveLength(1);
    expect(heard.finals[0]?.text).toBe("where is my order");
    expect(heard.finals[0]?.startMs).toBeCloseTo(0, -1);
    expect(heard.finals[0]?.endMs).toBeCloseTo(800, -1);
    expect(heard.errors).toEqual([]);
    stream.close();
  });

  it("sends audio again once the lost connection has ended, and not thousands of times until then", async () => {
    const messages = countSpeechSdkMessages();
    onTestFinished(() => messages.stopCounting());
    const { endpoint } = service.emulator;
    // The caller speaks on in the time that the closing of a connection takes in a network.
    const wire = await startSlowWire(Number(new URL(endpoint).port), 10);
    onTestFinished(() => wire.close());
    service.script("where is my order", "where is my order");
    service.emulator.fail({ kind: "close", at: "end", code: 1011 });
    const heard = createListener();
    const options = recogniserOptions(endpoint.replace(/\d+$/, `${wire.port}`));
    const stream = await create(options).open(recognitionOptions, heard, neverAborted);
    say(stream, 600, 0);
    const quiet = setInterval(() => say(stream, 0, 20), 5);
    onTestFinished(() => clearInterval(quiet));
    await expect.poll(() => heard.finals.map(({ text }) => text)).toEqual(["where is my order"]);
    expect(heard.errors).toEqual([]);
    expect(messages.tried()).toBeLessThan(1000);
    stream.close();
  });

  it("survives the end that the service puts to every long connection", async () => {
    await service.emulator.close();
    service = await startSpeechService({ connectionLimitMs: 300 });
    service.script("one", "two", "three");
    const heard = createListener();
    const stream = await create().open(recognitionOptions, heard, neverAborted);
    for (const expected of [1, 2, 3]) {
      say(stream, 300, 500);
      await expect.poll(() => heard.finals).toHaveLength(expected);
      const connections = service.emulator.connections.length;
      await service.emulator.connections[connections - 1]?.closed;
    }
    expect(heard.finals.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(heard.errors).toEqual([]);
    stream.close();
  });

  it("closes at once although the service has gone silent", async () => {
    service.emulator.fail({ kind: "silence", at: "turn" });
    const heard = createListener();
    const stream = await create().open(recognitionOptions, heard, neverAborted);
    say(stream, 300, 500);
    await expect.poll(() => service.emulator.connections[0]?.audioBytes.length).toBeGreaterThan(10);
    stream.close();
    const closed = service.emulator.connections[0]?.closed;
    expect(await timeOf(async () => closed, 900)).toBeLessThan(900);
    expect(heard.finals).toEqual([]);
  });
});
