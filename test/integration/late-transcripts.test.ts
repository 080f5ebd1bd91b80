/**
 * The whole service with a realtime model whose transcripts come after its answers, and in any order, as both vendors document. Over
 * each vendor's protocol.
 */
import { startRealtimeEmulator } from "@voice/local/emulators/openai-realtime/emulator";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import type { TranscriptAfterMs } from "@voice/local/emulators/voice-live/conversation";
import { silentLogger } from "@voice/shared/platform/logger";
import { describeSession } from "@voice/shared/archive/describe-session";
import { inSlices } from "@voice/shared/platform/steps";
import { writtenTranscript } from "@voice/shared/recordings/written-transcript";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { untranscribedSpeech } from "@voice/shared/conversation/untranscribed-speech";
import { describe, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import { noFillers } from "../support/no-fillers.ts";
import { testClock as clock } from "../support/test-clock.ts";
import { startTestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";

const key = "the-key";

async function startVoiceLive(service: Parameters<typeof startVoiceLiveEmulator>[0]) {
  const emulator = await startVoiceLiveEmulator({ ...service, key });
  const settings = {
    CLOUD_VOICELIVE_ENDPOINT: emulator.endpoint,
    CLOUD_VOICELIVE_MODEL: "gpt-realtime",
    CLOUD_VOICELIVE_KEY: key,
  };
  return { emulator, settings };
}

async function startOpenAi(service: Parameters<typeof startRealtimeEmulator>[0]) {
  const emulator = await startRealtimeEmulator({ ...service, key });
  const settings = {
    OPENAI_BASE_URL: emulator.baseUrl,
    OPENAI_API_KEY: key,
    OPENAI_REALTIME_MODEL: "gpt-realtime-2.1",
  };
  return { emulator, settings };
}

describe.concurrent.each([
  ["Voice Live", startVoiceLive],
  ["OpenAI Realtime", startOpenAi],
])("with %s", (_name, start) => {
  async function converse(transcriptAfterMs: TranscriptAfterMs, words: readonly string[]) {
    const recogniser = createScriptedRecogniser();
    recogniser.script(...words);
    const answers = words.map((_word, index) => `Answer ${index + 1}.`);
    const { emulator, settings } = await start({
      recogniser,
      synthesiser: createToneSynthesiser(),
      respond: () => ({ kind: "completion", text: answers.shift() ?? "Yes." }),
      transcriptAfterMs,
      clock,
    });
    const state = createMemoryState({ clock, logger: silentLogger });
    const host = await startTestHost({
      state,
      providers: "settings",
      clock,
      settings: { ...noFillers, ...settings, CLOUD_SPEECH_MODE: "local" },
    });
    const url = new URL(host.url("/api/v1/browser/conversation?streaming_mode=VOICE_LIVE"));
    const caller = await connectCaller({ url, clock });
    const { session_id: sessionId } = caller.session;
    const finals = () =>
      caller.records.flatMap((record) =>
        record.kind === "message" && record.message.type === "response" && record.message.payload.is_final
          ? [record.message.payload.text]
          : [],
      );
    await eventually(() => finals().length === 1, "the greeting is heard");
    for (const [index] of words.entries()) {
      await caller.speak(new Int16Array(24 * 600).fill(6000));
      await eventually(() => finals().length === index + 2, `answer ${index + 1} is heard`);
    }
    const stored = async () => (await state.sessions.history(sessionId)).slice(1).map(({ content }) => content);
    const close = async (): Promise<void> => {
      caller.close();
      await host.close();
      await emulator.close();
    };
    return { state, sessionId, caller, stored, close };
  }

  it("[HIST-6] has what was said in its order, in the history and in transcripts, whenever it was transcribed", async ({
    expect,
  }) => {
    // The second is known when its answer was heard, and the first when the second was.
    const rig = await converse((nth) => (nth === 1 ? 6000 : 2500), ["what time is it", "and the date"]);
    const { state, sessionId, stored, caller } = rig;
    const inOrder = ["what time is it", "Answer 1.", "and the date", "Answer 2."];
    await expect.poll(stored, { timeout: 20_000 }).toEqual(inOrder);
    const record = await state.sessions.get(sessionId);
    if (typeof record === "string") throw new Error(record);
    const described = await inSlices(describeSession(record, await state.sessions.history(sessionId)));
    const { entries } = writtenTranscript(described);
    expect(entries.slice(1).map(({ text }) => text)).toEqual(inOrder);
    expect(entries.every(({ start_ms: from, end_ms: until }) => from < until)).toBe(true);
    const toldSoFar = () =>
      caller.records.flatMap((entry) =>
        entry.kind === "message" &&
        (entry.message.type === "transcript" || entry.message.type === "response") &&
        "is_final" in entry.message.payload &&
        entry.message.payload.is_final
          ? [entry.message.payload]
          : [],
      );
    // The caller hears of a transcript a moment after it is stored.
    await expect.poll(toldSoFar).toHaveLength(1 + inOrder.length);
    const told = toldSoFar();
    const beganAt = ({ began_at: at = "" }: (typeof told)[number]): string => at;
    expect(told.map(({ text }) => text)).not.toEqual([expect.anything(), ...inOrder]);
    const sorted = told.toSorted((a, b) => beganAt(a).localeCompare(beganAt(b)));
    expect(sorted.slice(1).map(({ text }) => text)).toEqual(inOrder);
    await rig.close();
    await state.close();
  });

  it("[HIST-8] has a remark where what was said was never transcribed", async ({ expect }) => {
    const rig = await converse(() => Infinity, ["what time is it"]);
    await rig.close();
    await expect.poll(rig.stored, { timeout: 20_000 }).toEqual([untranscribedSpeech, "Answer 1."]);
    await rig.state.close();
  });
});
