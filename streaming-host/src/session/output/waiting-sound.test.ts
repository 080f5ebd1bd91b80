import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { WaitingSoundName } from "@voice/shared/catalog/waiting-sounds";
import { describe, expect, it } from "vitest";
import { SpeechDetector } from "../../pipeline/listening/speech-detector.ts";
import { FakeTransport } from "../../testing/fake-transport.ts";
import { PlayoutTicker } from "../playout/playout-ticker.ts";
import { noRecorder } from "../recording/session-recorder.ts";
import { openSessionOutput } from "./session-output.ts";
import { waitingSamples } from "./waiting-samples.ts";
import { soundAfterMs } from "./waiting-sound.ts";

function rig(sound: WaitingSoundName | undefined) {
  const clock = new VirtualClock();
  const transport = new FakeTransport(clock);
  const echoes: number[] = [];
  const recorded: number[] = [];
  const output = openSessionOutput({
    transport,
    recorder: { ...noRecorder, agentAudio: (frame) => void recorded.push(frame.length) },
    ticker: new PlayoutTicker(clock, silentLogger),
    clock,
    publish: () => undefined,
    events: { onAudible: () => undefined, onDrained: () => undefined, onStalled: () => undefined },
    onHeard: (frame) => void echoes.push(frame.length),
    waitingSound: () => sound,
  });
  return { clock, transport, output, echoes, recorded };
}

describe("the sound while the agent works", () => {
  it("[SOUND-2] begins after 700 ms, and is sent as it is heard", async () => {
    const { clock, transport, output } = rig("typing");
    output.showWaiting(true);
    await clock.advanceAsync(soundAfterMs - 20, 10);
    expect(transport.frames).toEqual([]);
    await clock.advanceAsync(1020, 10);
    // Never more than two frames ahead, which is all that a reply has to wait for.
    expect(transport.frames.length).toBeGreaterThanOrEqual(50);
    expect(transport.frames.length).toBeLessThanOrEqual(53);
    expect(Math.max(...transport.peaks)).toBeGreaterThan(0);
  });

  it("[SOUND-3] ends at once when nobody waits any more, and begins anew with the next wait", async () => {
    const { clock, transport, output } = rig("tone");
    output.showWaiting(true);
    await clock.advanceAsync(1500, 10);
    output.showWaiting(false);
    const sent = transport.frames.length;
    await clock.advanceAsync(1000, 10);
    expect(transport.frames).toHaveLength(sent);
    output.showWaiting(true);
    await clock.advanceAsync(soundAfterMs - 20, 10);
    expect(transport.frames).toHaveLength(sent);
    await clock.advanceAsync(500, 10);
    expect(transport.frames.length).toBeGreaterThan(sent);
    output.close();
  });

  it.each(["none", undefined] as const)("[SOUND-1] is not there with %s", async (sound) => {
    const { clock, transport, output } = rig(sound);
    output.showWaiting(true);
    await clock.advanceAsync(3000, 10);
    expect(transport.frames).toEqual([]);
  });

  it("[SOUND-4] is recorded nowhere, and known to the echo detection", async () => {
    const { clock, transport, output, echoes, recorded } = rig("typing");
    output.showWaiting(true);
    await clock.advanceAsync(2000, 10);
    expect(recorded).toEqual([]);
    expect(echoes).toHaveLength(transport.frames.length);
    output.close();
  });

  it.each([
    ["typing", 8000],
    ["typing", 16_000],
    ["tone", 16_000],
    ["tone", 24_000],
  ] as const)(
    "[SOUND-4] %s at %i Hz is 30 dB below full scale, and starts no speech, even where all of it comes back",
    async (sound, rateHz) => {
      const samples = waitingSamples(sound, rateHz);
      const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      expect(peak).toBeGreaterThan(150);
      expect(peak).toBeLessThan(32_768 * 10 ** (-30 / 20));
      const detector = (await loadVoiceActivity())({ sampleRateHz: rateHz, sensitivity: "medium" });
      const frameSamples = rateHz / 50;
      const speech = new SpeechDetector("medium");
      const changes: unknown[] = [];
      for (let at = 0; at + frameSamples <= samples.length; at += frameSamples) {
        const isSpeech = detector.isSpeech(samples.slice(at, at + frameSamples));
        changes.push(...[speech.push(isSpeech, false) ?? []].flat());
      }
      detector.close();
      expect(changes).toEqual([]);
    },
  );
});
