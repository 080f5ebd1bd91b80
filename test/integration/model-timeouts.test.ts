/** What the settings say of the models' patience reaches the models. The clock is the test's: nothing here waits. */
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import { realtimeSettings } from "@voice/provider-kit/contracts/realtime-model.contract";
import { loadSettings } from "@voice/shared/config/load";
import { partsOf } from "@voice/shared/config/parts";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createOpenAiFromSettings } from "@voice/streaming-host/providers/openai/from-settings";
import { createVoiceLiveFromSettings } from "@voice/streaming-host/providers/voice-live/from-settings";
import { expect, it } from "vitest";
import { createRequest } from "../support/openai-questions.ts";

const key = "the key";
const once = { RETRY_MAX_ATTEMPTS: "0" };
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
      ...once,
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
      ...once,
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
