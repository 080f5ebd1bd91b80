/**
 * What the cloud adapters add to the services they speak to: latency over an emulator in the same process, and memory
 * per live client with the emulator in another. Run with `node --expose-gc test/bench/cloud-adapters.ts`; short by design.
 */
import { fork } from "node:child_process";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import { startSpeechEmulator } from "@voice/local/emulators/speech/emulator";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import { createAzureRecogniser } from "@voice/streaming-host/providers/azure/recogniser";
import { createAzureSynthesiser } from "@voice/streaming-host/providers/azure/synthesiser";
import { createOpenAiLanguageModel } from "@voice/streaming-host/providers/openai/language-model";
import type { RecognitionEvents, Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { createVoiceLiveModel } from "@voice/streaming-host/providers/voice-live/realtime-model";
import { sleep } from "../support/wait.ts";
import { percentile } from "./percentiles.ts";

const rounds = 300;
const warmUpRounds = 50;
const liveClients = 100;
const retry = { maxAttempts: 0, backoffFactor: 2, jitter: false };
const common = { retry, clock: systemClock, logger: silentLogger };
const neverAborted = new AbortController().signal;
const profile = { sampleRateHz: 16_000, language: "en-US", candidateLanguages: [], segmentationSilenceMs: 500 };

/** An engine that only reports when a frame reached it and lets the benchmark answer. */
function createProbe(): Recogniser & { onFrame: () => void; events: RecognitionEvents | undefined } {
  const probe: Recogniser & { onFrame: () => void; events: RecognitionEvents | undefined } = {
    onFrame: () => undefined,
    events: undefined,
    open: (_options, events) => {
      probe.events = events;
      return Promise.resolve({
        write: () => probe.onFrame(),
        flush: () => undefined,
        setHints: () => true,
        close: () => undefined,
      });
    },
    pool: () => emptyPool,
    close: () => Promise.resolve(),
  };
  return probe;
}

const instantSynthesiser: Synthesiser = {
  synthesise: (_request, events) => {
    spokenAt = performance.now();
    events.onAudio(new Int16Array(480));
    return Promise.resolve();
  },
  pool: () => emptyPool,
  close: () => Promise.resolve(),
};
let spokenAt = 0;

function report(name: string, samples: number[]): void {
  const measured = samples.slice(warmUpRounds);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(measured, share).toFixed(2));
  console.log(`${name.padEnd(58)} p50 ${p50} ms  p99 ${p99} ms`);
}

async function repeat(name: string, once: () => Promise<number>): Promise<void> {
  const samples: number[] = [];
  for (let round = 0; round < rounds + warmUpRounds; round++) samples.push(await once());
  report(name, samples);
}

async function languageModel(): Promise<void> {
  const emulator = await startOpenAiEmulator({ respond: () => ({ kind: "completion", text: "hello" }) });
  const model = createOpenAiLanguageModel({
    endpoint: emulator.baseUrl,
    credential: { kind: "key", key: "none" },
    ...common,
  });
  const messages = [{ role: "user" as const, content: "hello" }];
  await repeat("language model: floor, fetch until the first text chunk", async () => {
    const startedAt = performance.now();
    const response = await fetch(`${emulator.baseUrl}chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages, stream: true }),
    });
    let firstAt = 0;
    const decoder = new TextDecoder();
    for await (const part of response.body ?? [])
      if (firstAt === 0 && decoder.decode(part).includes("hello")) firstAt = performance.now();
    return firstAt - startedAt;
  });
  await repeat("language model: adapter until the first text event", async () => {
    const startedAt = performance.now();
    let firstAt = 0;
    const request = {
      agent: { name: "a", templateVars: {} },
      messages,
      tools: [],
      settings: { deploymentId: "m" },
      memory: {},
    };
    for await (const event of model.stream(request, neverAborted))
      if (event.type === "text-delta") firstAt ||= performance.now();
    return firstAt - startedAt;
  });
  await emulator.close();
}

async function speech(): Promise<void> {
  const probe = createProbe();
  const emulator = await startSpeechEmulator({ recogniser: probe, synthesiser: instantSynthesiser });
  const location = { kind: "host" as const, url: emulator.endpoint };
  const endpoint = { location, credential: { kind: "key" as const, key: "none" } };
  const recogniser = createAzureRecogniser({ endpoint, warm: { size: 1, profile }, ...common });
  let onFinal: () => void = () => undefined;
  const stream = await recogniser.open(
    { ...profile, hints: { examples: [], phrases: [] } },
    { onPartial: () => undefined, onFinal: () => onFinal(), onError: (error) => console.error(error) },
    neverAborted,
  );
  const frame = new Int16Array(320);
  await repeat("recogniser: write until the service has the frame", async () => {
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      probe.onFrame = resolve;
      stream.write(frame);
    });
    return performance.now() - startedAt;
  });
  await repeat("recogniser: the service's final until onFinal", async () => {
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      onFinal = resolve;
      probe.events?.onFinal({ text: "yes", startMs: 0, endMs: 20, language: "en-US" });
    });
    return performance.now() - startedAt;
  });
  stream.close();
  await recogniser.close();

  const synthesiser = createAzureSynthesiser({
    endpoint,
    warm: { size: 1, sampleRateHz: 16_000 },
    requestTimeoutMs: 5_000,
    ...common,
  });
  const request = { text: "Hello there.", voice: { name: "v" }, language: "en-US", sampleRateHz: 16_000 };
  const speak = async (): Promise<number> => {
    let firstAt = 0;
    const events = { onAudio: () => void (firstAt ||= performance.now()), onWord: () => undefined };
    await synthesiser.synthesise(request, events, neverAborted);
    return firstAt;
  };
  await repeat("synthesiser: request until the service has it", async () => {
    const startedAt = performance.now();
    await speak();
    return spokenAt - startedAt;
  });
  await repeat("synthesiser: the service's first chunk until onAudio", async () => (await speak()) - spokenAt);
  await synthesiser.close();
  await emulator.close();
}

async function realtime(): Promise<void> {
  const probe = createProbe();
  const emulator = await startVoiceLiveEmulator({
    recogniser: probe,
    synthesiser: instantSynthesiser,
    respond: () => ({ kind: "completion", text: "hello" }),
  });
  const model = createVoiceLiveModel({
    endpoint: { url: emulator.endpoint, model: "m", credential: { kind: "key", key: "none" } },
    ...common,
  });
  let onAudio: () => void = () => undefined;
  let onFinished: () => void = () => undefined;
  const session = await model.open(
    {
      instructions: "",
      voice: { name: "alloy" },
      tools: [],
      sampleRateHz: 24_000,
      language: "en-US",
      phrases: [],
      turnDetection: { kind: "semantic", silenceMs: 500, interruptsResponse: true },
      noiseSuppression: false,
      echoCancellation: false,
    },
    {
      onEvent: ({ type }) => {
        if (type === "audio") onAudio();
        if (type === "response-finished") onFinished();
      },
      onEnded: (error) => console.error(error),
    },
    neverAborted,
  );
  const frame = new Int16Array(480);
  await repeat("realtime model: appendAudio until the service has it", async () => {
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      probe.onFrame = resolve;
      session.appendAudio(frame);
    });
    return performance.now() - startedAt;
  });
  await repeat("realtime model: the service's first audio until onEvent", async () => {
    let arrivedAt = 0;
    await new Promise<void>((resolve) => {
      onAudio = () => {
        arrivedAt ||= performance.now();
      };
      onFinished = resolve;
      session.respond({ say: "hello" });
    });
    return arrivedAt - spokenAt;
  });
  session.close();
  await emulator.close();
}

async function serveSpeech(): Promise<void> {
  const emulator = await startSpeechEmulator({
    recogniser: createScriptedRecogniser(),
    synthesiser: createToneSynthesiser(),
  });
  process.send?.(emulator.endpoint);
  process.once("disconnect", () => void emulator.close());
}

async function memory(): Promise<void> {
  const service = fork(new URL(import.meta.url), ["serve"]);
  const url = await new Promise<string>((resolve) => {
    service.once("message", (message) => resolve(typeof message === "string" ? message : ""));
  });
  const endpoint = { location: { kind: "host" as const, url }, credential: { kind: "key" as const, key: "none" } };
  const settle = async (): Promise<{ rss: number; heap: number }> => {
    for (let pass = 0; pass < 3; pass++) {
      globalThis.gc?.();
      await sleep(50);
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, heap: heapUsed + external };
  };
  const perClient = (
    name: string,
    before: { rss: number; heap: number },
    after: { rss: number; heap: number },
  ): void => {
    const kilobytes = (bytes: number): string => (bytes / liveClients / 1024).toFixed(0);
    console.log(
      `${name.padEnd(58)} heap ${kilobytes(after.heap - before.heap)} KB  rss ${kilobytes(after.rss - before.rss)} KB`,
    );
  };

  const recogniser = createAzureRecogniser({ endpoint, warm: { size: 0, profile }, ...common });
  const listener = {
    onPartial: () => undefined,
    onFinal: () => undefined,
    onError: (error: Error) => console.error(error),
  };
  const open = () => recogniser.open({ ...profile, hints: { examples: [], phrases: [] } }, listener, neverAborted);
  (await open()).close();
  const empty = await settle();
  const streams = [];
  for (let count = 0; count < liveClients; count++) streams.push(await open());
  const connected = await settle();
  perClient("recogniser, connected", empty, connected);
  const frame = new Int16Array(320);
  const cpuBefore = process.cpuUsage();
  const streamingMs = 10_000;
  const startedAt = performance.now();
  for (let sent = 0; performance.now() - startedAt < streamingMs; sent++) {
    for (const stream of streams) stream.write(frame);
    await sleep(startedAt + (sent + 1) * 20 - performance.now());
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  perClient("recogniser, after 10 s of silence in 20 ms frames", empty, await settle());
  console.log(
    `recogniser, CPU of ${liveClients} live ones`.padEnd(58),
    `${((user + system) / 10 / streamingMs).toFixed(0)} % of a core`,
  );
  for (const stream of streams) stream.close();

  const synthesiser = createAzureSynthesiser({
    endpoint,
    warm: { size: 1, sampleRateHz: 16_000 },
    requestTimeoutMs: 5_000,
    ...common,
  });
  const speak = () =>
    synthesiser.synthesise(
      { text: "Hello there.", voice: { name: "v" }, language: "en-US", sampleRateHz: 16_000 },
      { onAudio: () => undefined, onWord: () => undefined },
      neverAborted,
    );
  await speak();
  const before = await settle();
  await Promise.all(Array.from({ length: liveClients }, speak));
  perClient(`synthesiser, kept after use (${synthesiser.pool().warmSize})`, before, await settle());
  await synthesiser.close();
  await recogniser.close();
  service.disconnect();
}

if (process.argv[2] === "serve") {
  await serveSpeech();
} else {
  await languageModel();
  await speech();
  await realtime();
  await memory();
}
