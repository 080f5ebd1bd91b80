import { loadSettings } from "@voice/shared/config/load";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { FakeSynthesiser } from "../../testing/fake-synthesiser.ts";
import { announcementVoice } from "./announcement-voice.ts";

const settings = loadSettings({ TTS_VOICE: "en-US-AvaNeural", TTS_RATE: "+10%" });

it("[LANG-5] speaks in the settings' voice, and another language in that language's own", async () => {
  const synthesiser = new FakeSynthesiser(new VirtualClock());
  const speak = announcementVoice(synthesiser, settings);
  expect(await speak("Goodbye.", "en-US")).toHaveLength(8 * 50 * 16);
  expect((await speak("Auf Wiedersehen.", "de-DE")).length).toBeGreaterThan(0);
  expect(synthesiser.requests).toMatchObject([
    { text: "Goodbye.", language: "en-US", sampleRateHz: 16_000, voice: { name: "en-US-AvaNeural", rate: "+10%" } },
    { text: "Auf Wiedersehen.", language: "de-DE", voice: { name: expect.stringMatching(/^de-DE-/), rate: "+10%" } },
  ]);
});
