import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { UnreadableAudioError } from "@voice/provider-kit/speech-answer/audio-reader";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { RecordedLog } from "../../testing/recorded-log.ts";
import { withStandInVoice } from "./stand-in-voice.ts";

const mp3 = new UnreadableAudioError("speech synthesis", "MP3");
const heldBack = new VoiceError("upstream_unavailable", "speech synthesis is held back");

/** A server that answers so, one after the other; undefined: with sound. */
function rig(...answers: readonly (Error | undefined)[]) {
  const spoken: string[] = [];
  const log = new RecordedLog();
  let asked = 0;
  const speaking = (name: string, answer: () => Error | undefined, samplesBefore = 0): Synthesiser => ({
    async synthesise({ text }, { onAudio }) {
      const error = answer();
      if (error === undefined || samplesBefore > 0) onAudio(new Int16Array(160));
      if (error !== undefined) throw error;
      spoken.push(`${name}: ${text}`);
    },
    pool: () => emptyPool,
    close: async () => void spoken.push(`${name} closed`),
  });
  const server = speaking("server", () => answers[asked++]);
  const voice = withStandInVoice(server, async () => speaking("machine", () => undefined), log);
  const say = (text: string): Promise<void> =>
    voice.synthesise(
      { text, voice: { name: "alloy" }, language: "en-US", sampleRateHz: 16_000 },
      { onAudio: () => undefined, onWord: () => undefined },
      new AbortController().signal,
    );
  return { say, spoken, voice, log, speaking };
}

describe("[SPEECH-20] a voice that cannot be read", () => {
  it("is replaced text by text, also while its server is held back, until it can be read", async () => {
    const { say, spoken, voice } = rig(mp3, heldBack, undefined, undefined);
    for (const text of ["One.", "Two.", "Three.", "Four."]) await say(text);
    await voice.close();
    expect(spoken).toEqual([
      "machine: One.",
      "machine: Two.",
      "server: Three.",
      "server: Four.",
      "server closed",
      "machine closed",
    ]);
  });

  it("is replaced for that reason alone, so that a server that is away is noticed as before", async () => {
    const { say, spoken } = rig(heldBack, undefined, heldBack);
    await expect(say("One.")).rejects.toBe(heldBack);
    await say("Two.");
    await expect(say("Three.")).rejects.toBe(heldBack);
    expect(spoken).toEqual(["server: Two."]);
  });

  it("is not replaced where some of it was heard", async () => {
    const { speaking, log } = rig();
    const voice = withStandInVoice(
      speaking("server", () => mp3, 160),
      async () => speaking("machine", () => undefined),
      log,
    );
    const request = { text: "One.", voice: { name: "alloy" }, language: "en-US", sampleRateHz: 16_000 };
    const events = { onAudio: () => undefined, onWord: () => undefined };
    await expect(voice.synthesise(request, events, new AbortController().signal)).rejects.toBe(mp3);
  });
});
