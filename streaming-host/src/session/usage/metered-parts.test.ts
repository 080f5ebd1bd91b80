import { describe, expect, it } from "vitest";
import { createPrices, noPrices } from "@voice/shared/costs/prices";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { ModelRequest } from "@voice/provider-kit/ports/language-model";
import type { RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import type { RecognitionOptions } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { countedSynthesiser } from "../../pipeline/speaking/counted-synthesiser.ts";
import { SharedSynthesiser } from "../../pipeline/speaking/shared-synthesiser.ts";
import { FakeRealtimeModel } from "../../testing/fake-realtime-model.ts";
import { FakeRecogniser } from "../../testing/fake-recogniser.ts";
import { FakeSynthesiser } from "../../testing/fake-synthesiser.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { countCallTime } from "./call-time.ts";
import { meteredLanguageModel } from "./metered-language-model.ts";
import { meteredRealtimeModel, meteredRecogniser, meteredSynthesiser } from "./metered-speech.ts";
import { UsageMeter } from "./usage-meter.ts";

const meterOf = (prices = noPrices) => new UsageMeter(prices, () => "desk");

const request: ModelRequest = {
  agent: { name: "clerk", rules: undefined, templateVars: {} },
  messages: [{ role: "user", content: "x".repeat(400) }],
  tools: [],
  settings: { deploymentId: "gpt-x" },
  memory: {},
};

async function ask(model: ScriptedModel, meter: UsageMeter, stopAfter = Number.POSITIVE_INFINITY): Promise<void> {
  const abort = new AbortController();
  let words = 0;
  for await (const event of meteredLanguageModel(model, "usual", meter).stream(request, abort.signal))
    if (event.type === "text-delta" && ++words >= stopAfter) return;
}

describe("what a conversation uses", () => {
  it("[COST-1a] is the tokens of each request to a language model, for the agent that asked", async () => {
    const meter = meterOf();
    await ask(new ScriptedModel("Good day."), meter);
    await ask(new ScriptedModel("Good day."), meter);
    expect(meter.take()).toEqual({
      "language_model|gpt-x|clerk": { input_tokens: 20, output_tokens: 10, unpriced: 2 },
    });
    expect(meter.take()).toBeUndefined();
    expect(meter.takeTurn()).toMatchObject({ "language_model|gpt-x|clerk": { input_tokens: 20 } });
  });

  it("[COST-4] is estimated for an answer that was cut off, and says so", async () => {
    const meter = meterOf();
    await ask(new ScriptedModel("one two three four"), meter, 2);
    const [amounts = {}] = Object.values(meter.take() ?? {});
    expect(amounts).toMatchObject({ output_tokens: 2, estimated: 1 });
    expect(amounts["input_tokens"]).toBeGreaterThan(99);
  });

  it("[COST-1d] is nothing for a request that failed before its first word", async () => {
    const meter = meterOf();
    await expect(ask(new ScriptedModel(new Error("refused")), meter)).rejects.toThrow("refused");
    expect(meter.take()).toBeUndefined();
  });

  it("[COST-5] is priced when it is used", async () => {
    const prices = createPrices("EUR", [
      { part: "language_model", models: ["gpt-x"], per_million_tokens: { input: 1, output: 2 } },
    ]);
    const meter = meterOf(prices);
    await ask(new ScriptedModel("Good day."), meter);
    expect(meter.take()).toEqual({
      "language_model|gpt-x|clerk": { input_tokens: 10, output_tokens: 5, "cost:EUR": 20 / 1e6 },
    });
  });
});

const heard: RecognitionOptions = {
  sampleRateHz: 16_000,
  language: "en-US",
  candidateLanguages: [],
  segmentationSilenceMs: 500,
  hints: { examples: [], phrases: [] },
};
const realtimeSettings: RealtimeSettings = {
  instructions: "",
  voice: { name: "v" },
  tools: [],
  sampleRateHz: 24_000,
  language: "en-US",
  phrases: [],
  turnDetection: { kind: "semantic", silenceMs: 500, interruptsResponse: true },
  noiseSuppression: false,
  echoCancellation: false,
};
const noEvents = { onPartial: () => undefined, onFinal: () => undefined, onError: () => undefined };
const signal = new AbortController().signal;

describe("speech that a conversation uses", () => {
  it("[COST-1c] is every second that a recogniser heard, silence too", async () => {
    const meter = meterOf();
    const stream = await meteredRecogniser(new FakeRecogniser(), "stt", meter).open(heard, noEvents, signal);
    for (let frame = 0; frame < 75; frame++) stream.write(new Int16Array(320));
    expect(meter.take()).toEqual({ "recognition|stt|desk": { audio_seconds: expect.closeTo(1.5, 6), unpriced: 1 } });
  });

  it("[COST-1c] is only what was sent away, where a recogniser sends pieces", async () => {
    const meter = meterOf();
    const inner = new FakeRecogniser();
    const pieces = {
      sendsPieces: true as const,
      open: async (options: RecognitionOptions, events: Parameters<FakeRecogniser["open"]>[1]) => {
        events.onSent?.(700);
        return inner.open(options, events);
      },
      pool: () => inner.pool(),
      close: () => inner.close(),
    };
    const stream = await meteredRecogniser(pieces, "stt", meter).open(heard, noEvents, signal);
    stream.write(new Int16Array(16_000));
    expect(meter.take()).toEqual({ "recognition|stt|desk": { audio_seconds: 0.7, unpriced: 1 } });
  });

  it("[COST-8] is what it had made, and nothing for words whose audio was at hand", async () => {
    const clock = new VirtualClock();
    const shared = new SharedSynthesiser(countedSynthesiser(new FakeSynthesiser(clock, 10)), 1_000_000);
    const [first, second] = [meterOf(), meterOf()];
    const words = { text: "Hello.", voice: { name: "v" }, language: "en-US", sampleRateHz: 16_000, isFixed: true };
    const silent = { onAudio: () => undefined, onWord: () => undefined };
    for (const meter of [first, second]) {
      const spoken = meteredSynthesiser(shared, ({ name }) => name, meter).synthesise(words, silent, signal);
      await clock.advanceAsync(1000, 10);
      await spoken;
    }
    expect(first.take()).toEqual({
      "synthesis|v|desk": { characters: 6, audio_seconds: expect.closeTo(0.06, 2), unpriced: 1 },
    });
    expect(second.take()).toBeUndefined();
  });

  it("[COST-1d] is under the name of the model that really spoke", async () => {
    const clock = new VirtualClock();
    const voice = new FakeSynthesiser(clock, 10);
    const replaced: Synthesiser = {
      synthesise(request, events, aborted) {
        request.onStandIn?.("gpt-realtime");
        return voice.synthesise(request, events, aborted);
      },
      pool: () => voice.pool(),
      close: () => voice.close(),
    };
    const meter = meterOf();
    const words = { text: "Hello.", voice: { name: "v" }, language: "en-US", sampleRateHz: 16_000 };
    const silent = { onAudio: () => undefined, onWord: () => undefined };
    const spoken = meteredSynthesiser(countedSynthesiser(replaced), () => "tts", meter).synthesise(
      words,
      silent,
      signal,
    );
    await clock.advanceAsync(1000, 10);
    await spoken;
    expect(Object.keys(meter.take() ?? {})).toEqual(["synthesis|gpt-realtime|desk"]);
  });

  it("[COST-1b] is the text and audio tokens of a realtime model, and its transcription", async () => {
    const meter = meterOf();
    const model = new FakeRealtimeModel();
    const told: string[] = [];
    await meteredRealtimeModel(model, "rt", "stt", meter).open(
      realtimeSettings,
      { onEvent: ({ type }) => void told.push(type), onEnded: () => undefined },
      signal,
    );
    const usage = { inputTokens: 100, audioInputTokens: 80, cachedTokens: 0, outputTokens: 30, audioOutputTokens: 20 };
    model.emit({ type: "response-finished", responseId: "r", status: "cancelled", usage });
    model.emit({ type: "used", what: "transcription", usage: { audioSeconds: 2 } });
    model.emit({ type: "used", what: "response", usage: { inputTokens: 1, outputTokens: 0 } });
    expect(meter.take()).toEqual({
      "realtime_model|rt|desk": {
        input_tokens: 101,
        audio_input_tokens: 80,
        output_tokens: 30,
        audio_output_tokens: 20,
        unpriced: 2,
      },
      "recognition|stt|desk": { audio_seconds: 2, unpriced: 1 },
    });
    expect(told).toEqual(["response-finished", "used", "used"]);
  });

  it("[RT-44] is booked under the models that a realtime service used, where it says so", async () => {
    const meter = meterOf();
    const model = new FakeRealtimeModel();
    const nobody = { onEvent: () => undefined, onEnded: () => undefined };
    await meteredRealtimeModel(model, "rt", "stt", meter).open(realtimeSettings, nobody, signal);
    const usage = { inputTokens: 1, outputTokens: 1, model: "agents" };
    model.emit({ type: "response-finished", responseId: "r", status: "completed", usage });
    model.emit({ type: "used", what: "transcription", usage: { audioSeconds: 2, model: "other-stt" } });
    expect(Object.keys(meter.take() ?? {})).toEqual(["realtime_model|agents|desk", "recognition|other-stt|desk"]);
  });
});

describe("the time of a call", () => {
  it("[COST-7b] counts from when it was connected, so that another host adds what passed between the two", () => {
    let nowMs = 10_000;
    const call = { direction: "inbound", connectedAtMs: 10_000 } as const;
    const first = meterOf();
    countCallTime(call, {}, () => nowMs, first);
    nowMs = 40_000;
    const stored = first.take() ?? {};
    expect(stored).toEqual({ "telephony|phone-inbound|desk": { call_seconds: 30, unpriced: 1 } });
    nowMs = 55_000; // 15 s on a host that has died, or on none
    const second = meterOf();
    countCallTime(call, stored, () => nowMs, second);
    nowMs = 60_000;
    expect(second.take()).toEqual({ "telephony|phone-inbound|desk": { call_seconds: 20, unpriced: 1 } });
    expect(second.take()).toBeUndefined();
  });
});
