import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { SpeechFault } from "@voice/local/emulators/speech/speech-socket";
import { parseSsml } from "@voice/local/emulators/speech/ssml";
import { createAzureSynthesiser } from "@voice/streaming-host/providers/azure/synthesiser";
import type { AzureSynthesiserOptions } from "@voice/streaming-host/providers/azure/synthesiser";
import type { SpokenWord, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { timeOf } from "../../support/wait.ts";
import { neverAborted, speechKey, startSpeechService } from "./harness.ts";
import type { SpeechService } from "./harness.ts";
import { briefMs, patientMs } from "./patience.ts";

let service: SpeechService;
let synthesiser: Synthesiser;

/** The tone synthesiser's word and gap. */
const msPerWord = 250;

function create(options: Partial<AzureSynthesiserOptions> = {}, warmSize = 1): Synthesiser {
  synthesiser = createAzureSynthesiser({
    endpoint: {
      location: { kind: "host", url: service.emulator.endpoint },
      credential: { kind: "key", key: speechKey },
    },
    warm: { size: warmSize, sampleRateHz: 16_000 },
    retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
    requestTimeoutMs: patientMs,
    connectTimeoutMs: patientMs,
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });
  return synthesiser;
}

function request(text: string, fields: Partial<SynthesisRequest> = {}): SynthesisRequest {
  return { text, voice: { name: "en-US-AvaMultilingualNeural" }, language: "en-US", sampleRateHz: 16_000, ...fields };
}

type Said = { samples: number; chunks: number; readonly words: SpokenWord[]; error?: unknown };

async function say(what: SynthesisRequest, signal = neverAborted, onChunk: () => void = () => {}): Promise<Said> {
  const said: Said = { samples: 0, chunks: 0, words: [] };
  try {
    await synthesiser.synthesise(
      what,
      {
        onAudio: (samples) => {
          said.samples += samples.length;
          said.chunks++;
          onChunk();
        },
        onWord: (word) => said.words.push(word),
      },
      signal,
    );
  } catch (error) {
    said.error = error;
  }
  return said;
}

beforeEach(async () => {
  service = await startSpeechService();
});

afterEach(async () => {
  await synthesiser.close();
  await service.emulator.close();
});

describe("a synthesis", () => {
  it("delivers the audio in chunks, with the words' places in text and time", async () => {
    create();
    const said = await say(request("Your order <A & B> arrives"));
    expect(said.error).toBeUndefined();
    expect(said.samples).toBe((16 * msPerWord * 6) | 0);
    expect(said.chunks).toBeGreaterThan(1);
    expect(said.words[0]).toEqual({ textOffset: 0, textLength: 4, startMs: 0, endMs: 200 });
    expect(said.words.at(-1)).toEqual({ textOffset: 19, textLength: 7, startMs: 1_250, endMs: 1_450 });
  });

  it.each([8_000, 16_000, 24_000, 48_000])("comes as raw PCM at %i Hz", async (sampleRateHz) => {
    create();
    const said = await say(request("one", { sampleRateHz }));
    expect(said.samples).toBe((sampleRateHz * msPerWord) / 1_000);
  });

  it("refuses a rate that the service does not have", async () => {
    create();
    expect((await say(request("one", { sampleRateHz: 11_025 }))).error).toMatchObject({
      code: "audio_format_unsupported",
    });
  });

  it("asks for voice, style, rate and pitch, and speaks markup as text", async () => {
    create();
    const voice = { name: "en-US-JennyNeural", style: "chat", rate: "+3%", pitch: "+2%" };
    await say(request(`</voice> & "quotes"`, { voice, language: "en-GB" }));
    const ssml = service.emulator.connections.at(-1)?.bodies.get("ssml") ?? "";
    expect(parseSsml(ssml)).toEqual({ text: `</voice> & "quotes"`, voice, language: "en-GB" });
  });

  it("hands out the first chunk while the rest is being made", async () => {
    create();
    let isLater: boolean | undefined;
    const said = await say(request("word ".repeat(400)), neverAborted, () => {
      if (isLater === undefined) setImmediate(() => (isLater = true));
      isLater ??= false;
    });
    expect(said.chunks).toBeGreaterThan(100);
    expect(isLater).toBe(true);
  });

  it("of nothing is nothing", async () => {
    create({}, 0);
    expect(await say(request("  "))).toEqual({ samples: 0, chunks: 0, words: [] });
    expect(service.emulator.handshakes()).toBe(0);
  });

  it("uses the same connection again", async () => {
    create();
    await expect.poll(() => synthesiser.pool().warmSize).toBe(1);
    await say(request("one"));
    await say(request("two"));
    await say(request("three"));
    expect(service.emulator.handshakes()).toBe(1);
    expect(synthesiser.pool()).toMatchObject({
      ready: true,
      activeSessions: 0,
      allocationsWarm: 3,
      allocationsCold: 0,
    });
  });

  it("runs beside others of the same session", async () => {
    create({}, 2);
    const both = await Promise.all([say(request("one two three")), say(request("four"))]);
    expect(both.map(({ samples }) => samples)).toEqual([16 * msPerWord * 3, 16 * msPerWord]);
  });

  it("[FAIL-8c] goes on over a new connection when the kept ones have died without a sign", async () => {
    service.emulator.fail({ kind: "silence", at: "open" }, { kind: "silence", at: "open" });
    create({}, 2);
    await expect.poll(() => synthesiser.pool().warmSize).toBe(2);
    const said = await say(request("one two"));
    expect(said.error).toBeUndefined();
    expect(said.samples).toBe(16 * msPerWord * 2);
    const [first, second] = service.emulator.connections;
    await Promise.all([first?.closed, second?.closed]);
  });

  it("keeps the other rates' clients too, without connecting them ahead of time", async () => {
    create({}, 1);
    await say(request("one", { sampleRateHz: 24_000 }));
    const handshakes = service.emulator.handshakes();
    await say(request("two", { sampleRateHz: 24_000 }));
    expect(service.emulator.handshakes()).toBe(handshakes);
  });
});

describe("an abort", () => {
  it("stops the service, delivers nothing more, and keeps the client", async () => {
    create();
    await expect.poll(() => synthesiser.pool().warmSize).toBe(1);
    const abort = new AbortController();
    const reason = new DOMException("barge-in", "AbortError");
    let chunksAtAbort = 0;
    let chunks = 0;
    const said = await say(request("word ".repeat(2_000)), abort.signal, () => {
      chunks++;
      if (chunks !== 3) return;
      abort.abort(reason);
      chunksAtAbort = chunks;
    });
    expect(said.error).toBe(reason);
    expect(said.chunks).toBe(chunksAtAbort);
    await expect.poll(() => synthesiser.pool().activeSessions).toBe(0);
    expect(service.emulator.connections[0]?.paths).toContain("synthesis.control");
    const next = await say(request("next"));
    expect(next.samples).toBe(16 * msPerWord);
    expect(said.chunks).toBe(chunksAtAbort);
    expect(service.emulator.handshakes()).toBe(1);
  });

  it("before the first chunk rejects at once, and a service that does not stop loses the client", async () => {
    service.emulator.fail({ kind: "silence", at: "open" });
    create({}, 0);
    const abort = new AbortController();
    const speaking = say(request("hello"), abort.signal);
    await expect.poll(() => service.emulator.connections[0]?.paths ?? []).toContain("ssml");
    abort.abort();
    expect(await timeOf(() => speaking, 5000)).toBeLessThan(5000);
    expect((await speaking).error).toBe(abort.signal.reason);
    await service.emulator.connections[0]?.closed;
    expect(synthesiser.pool().activeSessions).toBe(0);
  });
});

describe("an unknown voice", () => {
  it("is replaced by the fallback voice, and remembered", async () => {
    await service.emulator.close();
    service = await startSpeechService({ voices: new Set(["en-US-Known"]) });
    create({ fallbackVoiceName: "en-US-Known" }, 0);
    const unknown = request("hello", { voice: { name: "xx-Unknown", style: "chat", rate: "+3%" } });
    expect((await say(unknown)).samples).toBe(16 * msPerWord);
    const connections = service.emulator.connections.length;
    expect((await say(unknown)).samples).toBe(16 * msPerWord);
    expect(service.emulator.connections.length - connections).toBeLessThanOrEqual(1);
    expect(parseSsml(service.emulator.connections.at(-1)?.bodies.get("ssml") ?? "").voice).toEqual({
      name: "en-US-Known",
      style: undefined,
      rate: "+3%",
      pitch: undefined,
    });
  });

  it("takes no voice away from an agent that has a deployment for it", async () => {
    await service.emulator.close();
    const voices = new Set(["en-US-Known"]);
    service = await startSpeechService({ voices });
    create({ fallbackVoiceName: "en-US-Known" }, 0);
    await say(request("hello", { voice: { name: "Brand" } }));
    voices.add("Brand");
    await say(request("hello", { voice: { name: "Brand", endpointId: "brands-own" } }));
    const spoken = parseSsml(service.emulator.connections.at(-1)?.bodies.get("ssml") ?? "");
    expect(spoken.voice).toMatchObject({ name: "Brand" });
  });

  it("fails where there is no fallback", async () => {
    await service.emulator.close();
    service = await startSpeechService({ voices: new Set() });
    create({}, 0);
    expect((await say(request("hello"))).error).toMatchObject({ code: "upstream_unavailable", retryable: false });
  });
});

const faults: readonly {
  readonly name: string;
  readonly fault: SpeechFault;
  readonly code: string;
  readonly retryable: boolean;
  readonly attempts: number;
  readonly heard: "nothing" | "something";
}[] = [
  {
    name: "connect: 401",
    fault: { kind: "refuse", status: 401 },
    code: "upstream_unavailable",
    retryable: false,
    attempts: 1,
    heard: "nothing",
  },
  {
    name: "connect: 429",
    fault: { kind: "refuse", status: 429 },
    code: "speech_quota_exceeded",
    retryable: true,
    attempts: 2,
    heard: "nothing",
  },
  {
    name: "connect: 503",
    fault: { kind: "refuse", status: 503 },
    code: "speech_region_unavailable",
    retryable: true,
    attempts: 2,
    heard: "nothing",
  },
  {
    name: "connect: no answer",
    fault: { kind: "hang" },
    code: "upstream_timeout",
    retryable: true,
    attempts: 2,
    heard: "nothing",
  },
  {
    name: "first byte: silence",
    fault: { kind: "silence", at: "turn" },
    code: "upstream_timeout",
    retryable: true,
    attempts: 2,
    heard: "nothing",
  },
  {
    name: "first byte: closed 4429",
    fault: { kind: "close", at: "turn", code: 4429 },
    code: "speech_quota_exceeded",
    retryable: true,
    attempts: 2,
    heard: "nothing",
  },
  {
    name: "first byte: closed 1000",
    fault: { kind: "close", at: "turn", code: 1000 },
    code: "speech_region_unavailable",
    retryable: true,
    attempts: 2,
    heard: "nothing",
  },
  {
    name: "middle: connection lost",
    fault: { kind: "drop", at: "middle" },
    code: "speech_region_unavailable",
    retryable: true,
    attempts: 1,
    heard: "something",
  },
  {
    name: "middle: closed 1000",
    fault: { kind: "close", at: "middle", code: 1000 },
    code: "speech_region_unavailable",
    retryable: true,
    attempts: 1,
    heard: "something",
  },
  {
    name: "middle: silence",
    fault: { kind: "silence", at: "middle" },
    code: "upstream_timeout",
    retryable: true,
    attempts: 1,
    heard: "something",
  },
  {
    name: "end: connection lost",
    fault: { kind: "drop", at: "end" },
    code: "speech_region_unavailable",
    retryable: true,
    attempts: 1,
    heard: "something",
  },
  {
    name: "end: silence",
    fault: { kind: "silence", at: "end" },
    code: "upstream_timeout",
    retryable: true,
    attempts: 1,
    heard: "something",
  },
];

describe("a failure", () => {
  it.each(faults)(
    "at $name gives $code after $attempts attempt(s)",
    async ({ fault, code, retryable, attempts, heard }) => {
      service.emulator.fail(...Array.from({ length: 6 }, () => fault));
      const limits = code === "upstream_timeout" ? { requestTimeoutMs: briefMs, connectTimeoutMs: briefMs } : {};
      create({ retry: { maxAttempts: 1, backoffFactor: 1, jitter: false }, ...limits }, 0);
      const said = await say(request("one two three"));
      expect(said.error).toMatchObject({ code, retryable });
      expect(said.samples > 0 ? "something" : "nothing").toBe(heard);
      expect(service.emulator.handshakes()).toBe(attempts);
      const { chunks } = said;
      expect(synthesiser.pool().activeSessions).toBe(0);
      await expect.poll(() => service.emulator.connections.every((connection) => connection.isClosed())).toBe(true);
      expect(said.chunks).toBe(chunks);
    },
  );

  it("before the first chunk is repeated and not heard", async () => {
    service.emulator.fail({ kind: "drop", at: "turn" });
    create({ retry: { maxAttempts: 1, backoffFactor: 1, jitter: false } }, 0);
    const said = await say(request("one two"));
    expect(said.error).toBeUndefined();
    expect(said.samples).toBe(16 * msPerWord * 2);
  });

  it("to connect to a custom voice, which any agent may name, is none of the service or of other voices", async () => {
    service.emulator.fail(...Array.from({ length: 5 }, () => ({ kind: "refuse", status: 503 }) as const));
    create({}, 0);
    const madeUp = request("one", { voice: { name: "Brand", endpointId: "made-up" } });
    for (let tries = 0; tries < 5; tries++) expect((await say(madeUp)).error).toBeDefined();
    expect(synthesiser.pool().lastErrorCode).toBeUndefined();
    expect((await say(request("one"))).error).toBeUndefined();
  });

  it("never shows the key", async () => {
    service.emulator.fail({ kind: "refuse", status: 401 });
    create({}, 0);
    const { error } = await say(request("one"));
    expect(
      `${String(error)} ${JSON.stringify(error)} ${error instanceof Error ? String(error.cause) : ""}`,
    ).not.toContain(speechKey);
  });

  it("of the pool itself ends what is being said", async () => {
    service.emulator.fail({ kind: "silence", at: "middle" });
    create({}, 0);
    const speaking = say(request("one two"));
    await expect.poll(() => service.emulator.connections[0]?.paths ?? []).toContain("ssml");
    await synthesiser.close();
    expect((await speaking).error).toMatchObject({ code: "upstream_unavailable" });
  });
});
