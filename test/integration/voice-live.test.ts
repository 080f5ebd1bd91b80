import { once } from "node:events";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { WebSocketServer } from "ws";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Answer } from "@voice/local/emulators/openai/answer";
import type { CompletionRequest } from "@voice/local/emulators/openai/completion-request";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import type { VoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import type { LiveFault } from "@voice/local/emulators/voice-live/live-socket";
import type { RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import { createVoiceLiveModel } from "@voice/streaming-host/providers/voice-live/realtime-model";
import type { VoiceLiveModelOptions } from "@voice/streaming-host/providers/voice-live/realtime-model";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RealtimeLog, say } from "@voice/provider-kit/contracts/realtime-log";
import { GatedSynthesiser } from "../fakes/gated-synthesiser.ts";

const key = "voice-live-key";
const neverAborted: AbortSignal = new AbortController().signal;
let emulator: VoiceLiveEmulator;
let synthesiser: GatedSynthesiser;
let answers: Answer[];
let asked: CompletionRequest[];
const recogniser = createScriptedRecogniser();

const settings: RealtimeSettings = {
  instructions: "Be brief.",
  voice: { name: "en-US-AvaMultilingualNeural", style: "chat", rate: "+3%" },
  tools: [{ name: "find_order", description: "Finds an order.", parameters: { type: "object", properties: {} } }],
  sampleRateHz: 24_000,
  language: "en-US",
  phrases: ["Contoso"],
  turnDetection: { kind: "semantic", silenceMs: 300, interruptsResponse: true },
  noiseSuppression: true,
  echoCancellation: true,
};

function createModel(options: Partial<VoiceLiveModelOptions> = {}) {
  return createVoiceLiveModel({
    endpoint: { url: emulator.endpoint, model: "gpt-realtime", credential: { kind: "key", key } },
    retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
    openTimeoutMs: 20_000,
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });
}

beforeEach(async () => {
  answers = [];
  asked = [];
  synthesiser = new GatedSynthesiser();
  emulator = await startVoiceLiveEmulator({
    recogniser,
    synthesiser,
    respond: (request) => {
      asked.push(request);
      return answers.shift() ?? { kind: "completion", text: "I see" };
    },
    key,
  });
});

afterEach(() => emulator.close());

describe("opening a session", () => {
  it("sends instructions, voice, tools, turn detection and audio options", async () => {
    const session = await createModel().open(settings, new RealtimeLog(), neverAborted);
    expect(emulator.connections[0]?.received).toEqual([
      {
        type: "session.update",
        event_id: "update-1",
        session: {
          modalities: ["text", "audio"],
          instructions: "Be brief.",
          voice: { type: "azure-standard", name: "en-US-AvaMultilingualNeural", style: "chat", rate: "+3%" },
          input_audio_format: "pcm16",
          input_audio_sampling_rate: 24_000,
          output_audio_format: "pcm16",
          output_audio_timestamp_types: ["word"],
          input_audio_transcription: { model: "azure-speech", language: "en-US" },
          turn_detection: {
            type: "azure_semantic_vad",
            silence_duration_ms: 300,
            create_response: true,
            interrupt_response: true,
            auto_truncate: false,
          },
          input_audio_noise_reduction: { type: "azure_deep_noise_suppression" },
          input_audio_echo_cancellation: { type: "server_echo_cancellation" },
          tools: [
            {
              type: "function",
              name: "find_order",
              description: "Finds an order.",
              parameters: { type: "object", properties: {} },
            },
          ],
          tool_choice: "auto",
        },
      },
    ]);
    session.close();
  });

  it("keeps the key out of the URL and offers no compression", async () => {
    const session = await createModel().open(settings, new RealtimeLog(), neverAborted);
    const connection = emulator.connections[0];
    expect(connection?.url.href).not.toContain(key);
    expect(connection?.headers["sec-websocket-extensions"]).toBeUndefined();
    session.close();
  });

  it("presents a token as bearer", async () => {
    const credential = { kind: "token" as const, token: async () => key };
    const model = createModel({ endpoint: { url: emulator.endpoint, model: "gpt-realtime", credential } });
    const session = await model.open(settings, new RealtimeLog(), neverAborted);
    expect(emulator.connections[0]?.headers.authorization).toBe(`Bearer ${key}`);
    session.close();
  });

  it("uses the model's own voice when the name is not one of Azure's", async () => {
    const session = await createModel().open(
      { ...settings, voice: { name: "alloy" } },
      new RealtimeLog(),
      neverAborted,
    );
    expect(emulator.connections[0]?.received[0]).toMatchObject({
      session: { voice: { type: "openai", name: "alloy" } },
    });
    session.close();
  });

  it("refuses a rate that the service does not speak", async () => {
    const opening = createModel().open({ ...settings, sampleRateHz: 44_100 }, new RealtimeLog(), neverAborted);
    await expect(opening).rejects.toMatchObject({ code: "audio_format_unsupported" });
  });
});

describe("a conversation", () => {
  it("hears a turn, transcribes it, and answers in text, words and audio", async () => {
    recogniser.script("where is my order");
    answers.push({ kind: "completion", text: "On its way" });
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    say(session, 0, 500);
    say(session, 600);
    await expect.poll(() => log.of("response-finished")).toHaveLength(1);
    expect(log.of("speech-started")[0]?.atMs).toBeCloseTo(500, -1);
    expect(log.of("speech-stopped")[0]?.atMs).toBeCloseTo(1100, -1);
    expect(log.of("user-transcript").at(-1)).toMatchObject({ text: "where is my order", isFinal: true });
    expect(
      log
        .of("agent-text")
        .map(({ delta }) => delta)
        .join(""),
    ).toBe("On its way");
    expect(log.of("agent-text-finished")[0]?.text).toBe("On its way");
    expect(log.of("word").map(({ text, startMs }) => [text, startMs])).toEqual([
      ["On", 0],
      ["its", 250],
      ["way", 500],
    ]);
    expect(log.samples()).toBe(24 * 250 * 3);
    expect(log.of("response-finished")[0]).toMatchObject({ status: "completed", usage: { outputTokens: 1 } });
    expect(log.of("unknown")).toEqual([]);
    expect(asked[0]?.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "where is my order" },
    ]);
    session.close();
  });

  it.each([8_000, 16_000])("runs at the transport's own rate, %i Hz", async (sampleRateHz) => {
    const log = new RealtimeLog();
    const session = await createModel().open({ ...settings, sampleRateHz }, log, neverAborted);
    say(session, 400, 500, sampleRateHz);
    await expect.poll(() => log.of("response-finished")).toHaveLength(1);
    expect(log.samples()).toBe((sampleRateHz / 1_000) * 250 * 2);
    session.close();
  });

  it.each(["length", "content_filter"] as const)("tells that an answer was cut by %s", async (finish) => {
    answers.push({ kind: "completion", text: "Then you can", finish });
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    session.sendText("How does it work?");
    session.respond();
    await expect.poll(() => log.of("response-finished")).toMatchObject([{ status: "incomplete", cut: finish }]);
    session.close();
  });

  it("calls a tool, takes its result and goes on", async () => {
    answers.push(
      { kind: "completion", toolCalls: [{ id: "call_1", name: "find_order", argumentsJson: '{"number":"A-17"}' }] },
      { kind: "completion", text: "It arrives tomorrow" },
    );
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    session.sendText("where is my order");
    session.respond();
    await expect.poll(() => log.of("response-finished")).toHaveLength(1);
    expect(log.of("tool-call").map(({ call }) => call)).toEqual([
      { id: "call_1", name: "find_order", argumentsJson: '{"number":"A-17"}' },
    ]);
    session.sendToolResult("call_1", '{"success":true}');
    session.respond();
    await expect.poll(() => log.of("response-finished")).toHaveLength(2);
    expect(log.of("agent-text-finished")[0]?.text).toBe("It arrives tomorrow");
    expect(asked[1]?.messages.at(-1)).toEqual({ role: "tool", tool_call_id: "call_1", content: '{"success":true}' });
    session.close();
  });

  it("says given words exactly, without asking the model", async () => {
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    session.respond({ say: "Welcome to Contoso" });
    await expect.poll(() => log.of("agent-text-finished").map(({ text }) => text)).toEqual(["Welcome to Contoso"]);
    expect(asked).toEqual([]);
    session.close();
  });

  it("knows what was said before, and changes instructions on the way", async () => {
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    session.remember([
      { role: "user", text: "I am Ada" },
      { role: "assistant", text: "Hello Ada" },
    ]);
    session.update({ ...settings, instructions: "Be kind." });
    session.sendText("who am I");
    session.respond();
    await expect.poll(() => log.of("response-finished")).toHaveLength(1);
    expect(asked[0]?.messages).toEqual([
      { role: "system", content: "Be kind." },
      { role: "user", content: "I am Ada" },
      { role: "assistant", content: "Hello Ada" },
      { role: "user", content: "who am I" },
    ]);
    session.close();
  });

  it("ends a turn when told to, where turn detection is manual", async () => {
    const manual = {
      ...settings,
      turnDetection: { kind: "manual" as const, silenceMs: 300, interruptsResponse: false },
    };
    const log = new RealtimeLog();
    const session = await createModel().open(manual, log, neverAborted);
    say(session, 400, 0);
    session.commitAudio();
    await expect.poll(() => log.of("user-transcript").at(-1)?.isFinal).toBe(true);
    expect(log.of("response-started")).toEqual([]);
    session.respond();
    await expect.poll(() => log.of("response-finished")).toHaveLength(1);
    session.close();
  });
});

describe("an interruption", () => {
  it("by the caller ends the response, and the unheard words are forgotten after a truncation", async () => {
    answers.push({ kind: "completion", text: "word ".repeat(20).trim() });
    synthesiser.stopAfter(4); // it is still speaking when the caller begins
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    session.sendText("tell me everything");
    session.respond();
    await expect.poll(() => log.of("audio")).toHaveLength(4);
    synthesiser.stopAfter(Number.POSITIVE_INFINITY);
    say(session, 400);
    await expect.poll(() => log.of("response-finished").at(0)?.status).toBe("cancelled");
    const itemId = log.of("audio")[0]?.itemId ?? "";
    session.truncate(itemId, 460.7, "word word");
    await expect.poll(() => log.of("item-truncated")).toEqual([{ type: "item-truncated", itemId, atMs: 460 }]);
    await expect.poll(() => log.of("response-finished")).toHaveLength(2);
    session.respond();
    await expect.poll(() => log.of("response-finished")).toHaveLength(3);
    expect(asked.at(-1)?.messages).toContainEqual({ role: "assistant", content: "word word" });
    session.close();
  });

  it("by us lets nothing more of that response through, although it was on its way", async () => {
    answers.push({ kind: "completion", text: "word ".repeat(20).trim() });
    synthesiser.stopAfter(1);
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    session.sendText("tell me everything");
    session.respond();
    await expect.poll(() => log.of("audio")).toHaveLength(1);
    session.cancelResponse();
    synthesiser.sayMore(3); // sent before the service can read that it was called off
    const { length: written } = log.of("agent-text");
    await expect.poll(() => log.of("response-finished").at(0)?.status).toBe("cancelled");
    expect(log.of("audio")).toHaveLength(1);
    expect(log.of("agent-text")).toHaveLength(written);
    expect(emulator.connections[0]?.sent.filter((type) => type === "response.audio.delta")).toHaveLength(4);
    session.close();
  });

  it("that comes too late is nobody's error", async () => {
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    session.cancelResponse();
    session.respond({ say: "hello" });
    await expect.poll(() => log.of("response-finished")).toHaveLength(1);
    session.cancelResponse();
    expect(log.of("error")).toEqual([]);
    session.close();
  });
});

describe("events that nobody knows", () => {
  it("are passed on as unknown and end nothing", async () => {
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    const connection = emulator.connections[0];
    connection?.send("not json");
    connection?.send('{"type":"response.hologram.delta","delta":1}');
    connection?.send('{"type":"response.audio.delta"}');
    connection?.sendEvent("error", { error: { code: "something_new", message: "no" } });
    session.respond({ say: "still here" });
    await expect.poll(() => log.of("response-finished")).toHaveLength(1);
    expect(log.of("unknown").map(({ name }) => name)).toEqual(["", "response.hologram.delta", "response.audio.delta"]);
    expect(log.of("error")[0]?.error).toMatchObject({ code: "upstream_unavailable", retryable: false });
    expect(log.ended).toEqual([]);
    session.close();
  });
});

const openFaults: readonly {
  readonly name: string;
  readonly fault: LiveFault;
  readonly code: string;
  readonly retryable: boolean;
}[] = [
  { name: "401", fault: { kind: "refuse", status: 401 }, code: "upstream_unavailable", retryable: false },
  { name: "429", fault: { kind: "refuse", status: 429 }, code: "rate_limited", retryable: true },
  { name: "503", fault: { kind: "refuse", status: 503 }, code: "upstream_unavailable", retryable: true },
  { name: "no answer", fault: { kind: "hang" }, code: "upstream_timeout", retryable: true },
  {
    name: "silence before session.created",
    fault: { kind: "silence", at: "open" },
    code: "upstream_timeout",
    retryable: true,
  },
  {
    name: "silence before session.updated",
    fault: { kind: "silence", at: "session" },
    code: "upstream_timeout",
    retryable: true,
  },
  {
    name: "a close before session.updated",
    fault: { kind: "close", at: "session", code: 1011 },
    code: "upstream_unavailable",
    retryable: true,
  },
];

describe("an open that fails", () => {
  it.each(openFaults)(
    "with $name rejects as $code, and leaves no socket behind",
    async ({ fault, code, retryable }) => {
      emulator.fail(fault);
      const log = new RealtimeLog();
      // What never answers is given up soon; what does answer has all the time that it needs.
      const model = createModel(code === "upstream_timeout" ? { openTimeoutMs: 300 } : {});
      await expect(model.open(settings, log, neverAborted)).rejects.toMatchObject({ code, retryable });
      await expect.poll(() => emulator.connections.every((connection) => connection.isClosed())).toBe(true);
      expect(log).toMatchObject({ events: [], ended: [] });
    },
  );

  it("is tried again", async () => {
    emulator.fail({ kind: "refuse", status: 503 });
    const model = createModel({ retry: { maxAttempts: 1, backoffFactor: 1, jitter: false } });
    const session = await model.open(settings, new RealtimeLog(), neverAborted);
    expect(emulator.handshakes()).toBe(2);
    session.close();
  });

  it("because it was called off rejects with the reason", async () => {
    emulator.fail({ kind: "hang" });
    const abort = new AbortController();
    const opening = createModel({ openTimeoutMs: 10_000 }).open(settings, new RealtimeLog(), abort.signal);
    const rejection = opening.catch((error: unknown) => error);
    await expect.poll(() => emulator.handshakes()).toBe(1);
    abort.abort();
    expect(await rejection).toBe(abort.signal.reason);
  });
});

/** Opens a session, and answers nothing after that, no ping either. */
async function startDeafService() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", autoPong: false });
  server.on("connection", (socket) => {
    socket.send('{"type":"session.created"}');
    socket.once("message", () => socket.send('{"type":"session.updated"}'));
  });
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the service has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const liveFaults: readonly { readonly name: string; readonly fault: LiveFault }[] = [
  { name: "a lost connection in the middle", fault: { kind: "drop", at: "middle" } },
  { name: "a close in the middle", fault: { kind: "close", at: "middle", code: 1000 } },
  { name: "a lost connection at the end", fault: { kind: "drop", at: "end" } },
];

describe("a live session", () => {
  it.each(liveFaults)("that fails with $name ends once, and says nothing more", async ({ fault }) => {
    emulator.fail(fault);
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    session.respond({ say: "one two three" });
    await expect.poll(() => log.ended).toHaveLength(1);
    expect(log.ended[0]).toMatchObject({ code: "upstream_unavailable", retryable: true });
    const events = log.events.length;
    session.respond({ say: "four" });
    session.appendAudio(new Int16Array(480));
    session.close();
    await emulator.connections[0]?.closed;
    expect([log.events.length, log.ended.length]).toEqual([events, 1]);
  });

  it("[FAIL-8d] ends within 10 s when its connection is dead, which neither end was told", async () => {
    const clock = new VirtualClock();
    await using service = await startDeafService();
    const log = new RealtimeLog();
    const endpoint = { url: service.url, model: "gpt-realtime", credential: { kind: "key" as const, key } };
    const session = await createModel({ endpoint, clock }).open(settings, log, neverAborted);
    clock.advance(10_000);
    expect(log.ended).toMatchObject([{ code: "upstream_timeout", retryable: true }]);
    session.close();
  });

  it("closes its socket, and no callback runs after that", async () => {
    const log = new RealtimeLog();
    const session = await createModel().open(settings, log, neverAborted);
    synthesiser.stopAfter(1);
    session.respond({ say: "word ".repeat(20) });
    await expect.poll(() => log.of("audio")).toHaveLength(1);
    synthesiser.sayMore(3); // on its way when the session is closed
    session.close();
    const events = log.events.length;
    session.close();
    await emulator.connections[0]?.closed;
    expect([log.events.length, log.ended.length]).toEqual([events, 0]);
  });
});
