/** What the settings say of the models' patience reaches the models. The clock is the test's: nothing here waits. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import { realtimeSettings } from "@voice/provider-kit/contracts/realtime-model.contract";
import { loadSettings } from "@voice/shared/config/load";
import { partsOf } from "@voice/shared/config/parts";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createOpenAiLanguageModel } from "@voice/streaming-host/providers/openai/language-model";
import { createOpenAiFromSettings } from "@voice/streaming-host/providers/openai/from-settings";
import { createVoiceLiveFromSettings } from "@voice/streaming-host/providers/voice-live/from-settings";
import { expect, it, onTestFinished } from "vitest";
import { collect, createRequest, textOf } from "../support/openai-questions.ts";

const key = "the key";
const onlyOnce = { RETRY_MAX_ATTEMPTS: "0" };
const tokens = () => () => Promise.reject(new Error("nobody asks for a token"));
const neverAborted = new AbortController().signal;

it("CLOUD_OPENAI_STALL_TIMEOUT ends an answer that stops in the middle, and no sooner", async () => {
  const emulator = await startOpenAiEmulator({
    key,
    respond: () => ({ kind: "completion", text: ["Half ", "an answer"], stallAfterChunks: 2 }),
  });
  try {
    const clock = new VirtualClock();
    const settings = loadSettings({
      ...onlyOnce,
      CLOUD_OPENAI_ENDPOINT: emulator.baseUrl,
      CLOUD_OPENAI_DEPLOYMENT: "gpt",
      CLOUD_OPENAI_KEY: key,
      CLOUD_OPENAI_STALL_TIMEOUT: "2.5",
    });
    const { languageModel: part } = partsOf(settings);
    if (part.kind !== "openai") throw new Error("the settings name no model");
    const model = createOpenAiFromSettings(part, settings, { tokens, clock, logger: silentLogger });
    const answer = model.stream(createRequest(), neverAborted)[Symbol.asyncIterator]();
    expect((await answer.next()).value).toEqual({ type: "text-delta", text: "Half " });
    const rest = answer.next();
    let isOver = false;
    const over = rest.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    // The stalled connection is waited for as soon as the next piece is asked for.
    await expect.poll(() => clock.pendingTimers).toBeGreaterThan(0);
    await clock.advanceAsync(2499);
    expect(isOver).toBe(false);
    await clock.advanceAsync(1);
    await expect(rest).rejects.toMatchObject({ code: "upstream_timeout" });
    await over;
  } finally {
    await emulator.close();
  }
});

/** What it sends is written by the test. */
async function startHeldModel(clock: VirtualClock) {
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    responses.push(response);
    response.write(chunkOf({ role: "assistant", content: "" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const model = createOpenAiLanguageModel({
    endpoint: `http://127.0.0.1:${port}/v1`,
    credential: { kind: "key", key },
    retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
    clock,
    logger: silentLogger,
  });
  const answer = (index: number, content: string): void => {
    responses[index]?.end(`${chunkOf({ content })}data: [DONE]\n\n`);
  };
  return { model, responses, answer };
}

const chunkOf = (delta: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;

it.each([0, 1])(
  "[FAIL-8f] an answer that began without words is requested again after 2 s, and attempt %i counts if it has the first word",
  async (faster) => {
    const clock = new VirtualClock();
    const { model, responses, answer } = await startHeldModel(clock);
    const outcome = collect(model.stream(createRequest(), neverAborted));
    await expect.poll(() => responses.length).toBe(1);
    // The limit of the first word, and that of the silence after the beginning.
    await expect.poll(() => clock.pendingTimers).toBe(2);
    await clock.advanceAsync(1999);
    expect(responses).toHaveLength(1);
    await clock.advanceAsync(1);
    await expect.poll(() => responses.length).toBe(2);
    answer(faster, "your order is on its way");
    expect(textOf(await outcome)).toBe("your order is on its way");
    await expect.poll(() => responses[1 - faster]?.destroyed).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  },
);

it("CLOUD_VOICELIVE_OPEN_TIMEOUT ends an opening that is not answered, and no sooner", async () => {
  const emulator = await startVoiceLiveEmulator({
    recogniser: createScriptedRecogniser(),
    synthesiser: createToneSynthesiser(),
    respond: () => ({ kind: "completion", text: "never asked" }),
    key,
  });
  try {
    emulator.fail({ kind: "hang" });
    const clock = new VirtualClock();
    const settings = loadSettings({
      ...onlyOnce,
      CLOUD_VOICELIVE_ENDPOINT: emulator.endpoint,
      CLOUD_VOICELIVE_MODEL: "gpt-realtime",
      CLOUD_VOICELIVE_KEY: key,
      CLOUD_VOICELIVE_OPEN_TIMEOUT: "1.5",
    });
    const { realtimeModel: part } = partsOf(settings);
    if (part.kind !== "voice-live") throw new Error("the settings name no model");
    const model = createVoiceLiveFromSettings(part, settings, { tokens, clock, logger: silentLogger });
    const opening = model.open(realtimeSettings, { onEvent: () => undefined, onEnded: () => undefined }, neverAborted);
    let isOver = false;
    const over = opening.catch(() => (isOver = true));
    await expect.poll(() => clock.pendingTimers).toBeGreaterThan(0);
    await clock.advanceAsync(1499);
    expect(isOver).toBe(false);
    await clock.advanceAsync(1);
    await expect(opening).rejects.toMatchObject({ code: "upstream_timeout" });
    await over;
  } finally {
    await emulator.close();
  }
});
