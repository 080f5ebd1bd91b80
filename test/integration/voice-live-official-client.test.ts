/** The service's own client library against our emulator: what it understands, our thin client may rely on. */
import { VoiceLiveClient } from "@azure/ai-voicelive";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { createToneSynthesiser, tone } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import { expect, it } from "vitest";

it("holds a spoken turn with a tool call on the emulator", async () => {
  const recogniser = createScriptedRecogniser();
  recogniser.script("where is my order");
  const emulator = await startVoiceLiveEmulator({
    recogniser,
    synthesiser: createToneSynthesiser(),
    respond: () => ({
      kind: "completion",
      text: "One moment",
      toolCalls: [{ id: "call_1", name: "find_order", argumentsJson: "{}" }],
    }),
    key: "official",
  });
  const client = new VoiceLiveClient(emulator.endpoint, { key: "official" });
  const session = client.createSession("gpt-realtime");
  const seen: string[] = [];
  const failures: unknown[] = [];
  let audioBytes = 0;
  const subscription = session.subscribe({
    onServerEvent: async (event) => {
      seen.push(event.type);
    },
    onResponseAudioDelta: async ({ delta }) => {
      audioBytes += delta.length;
    },
    onError: async ({ error }) => {
      failures.push(error);
    },
  });
  try {
    await session.connect();
    await session.updateSession({
      modalities: ["text", "audio"],
      inputAudioTranscription: { model: "azure-speech" },
      turnDetection: { type: "azure_semantic_vad", silenceDurationInMs: 300 },
    });
    await session.sendAudio(new Uint8Array(tone(24_000, 500, 500).buffer));
    await expect.poll(() => seen).toContain("response.done");
    expect(failures).toEqual([]);
    expect(audioBytes).toBe(2 * 24 * 250 * 2);
    expect(seen).toEqual(
      expect.arrayContaining([
        "session.created",
        "session.updated",
        "input_audio_buffer.speech_started",
        "conversation.item.input_audio_transcription.completed",
        "response.created",
        "response.audio_timestamp.delta",
        "response.function_call_arguments.done",
        "response.done",
      ]),
    );
  } finally {
    await subscription.close();
    await session.dispose();
    await emulator.close();
  }
});
