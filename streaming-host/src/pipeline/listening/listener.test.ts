import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { Prosody } from "@voice/provider-kit/ports/end-of-turn";
import { describe, expect, it } from "vitest";
import { testListener } from "../../testing/cascade-parts.ts";
import { FakeRecogniser } from "../../testing/fake-recogniser.ts";
import { fakeVoice } from "@voice/provider-kit/testing/fake-voice";
import { audioGapMs } from "./audio-gap.ts";

async function rig(probe?: (onAnswered: () => void) => void) {
  const clock = new VirtualClock();
  const recogniser = new FakeRecogniser();
  const events: { type: string; atMs: number; saysMs?: number }[] = [];
  let isSpeech = false;
  const createListener = testListener({ clock, recogniser, inputRateHz: 16_000, isSpeech: () => isSpeech, probe });
  const listener = createListener(
    { examples: [], phrases: [] },
    {
      onSoundStarted: (saysMs) => events.push({ type: "sound", atMs: clock.now(), saysMs }),
      onSpeechStarted: (saysMs) => events.push({ type: "started", atMs: clock.now(), saysMs }),
      onSpeechStopped: (saysMs) => events.push({ type: "stopped", atMs: clock.now(), saysMs }),
      onPartial: () => undefined,
      onFinal: ({ text }) => events.push({ type: text, atMs: clock.now() }),
      onRecogniserLost: () => undefined,
    },
  );
  await clock.advanceAsync(1);
  return {
    clock,
    events,
    listener,
    recogniser,
    setSpeech(value: boolean) {
      isSpeech = value;
    },
    async hear(ms: number, speech: boolean) {
      isSpeech = speech;
      for (let elapsed = 0; elapsed < ms; elapsed += 20) {
        listener.write(new Int16Array(320));
        await clock.advanceAsync(20, 20);
      }
    },
  };
}

describe("listener", () => {
  it("[TURN-15a] takes it for silence when no audio comes in the middle of speech", async () => {
    const { clock, events, hear, listener, recogniser } = await rig();
    recogniser.finalOnFlush = "i lost my card";
    await hear(1000, true);
    const lastFrameMs = clock.now();
    await clock.advanceAsync(10_000, 10);
    expect(events.map(({ type }) => type)).toEqual(["started", "stopped", "i lost my card"]);
    const [, stopped] = events;
    expect(stopped?.atMs).toBeLessThanOrEqual(lastFrameMs + 2 * audioGapMs);
    expect(stopped?.saysMs).toBeLessThanOrEqual(lastFrameMs + audioGapMs);
    expect(recogniser.last.flushes).toBe(1);
    listener.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it("[TURN-15a] hears the final of words after which too little silence came", async () => {
    const { clock, events, hear, recogniser } = await rig();
    recogniser.finalOnFlush = "yes";
    await hear(400, true);
    await hear(200, false);
    await clock.advanceAsync(10_000, 10);
    expect(events.map(({ type }) => type)).toEqual(["started", "stopped", "yes"]);
  });

  it("[TURN-15b] notices speech that begins after the gap, and jitter makes no gap", async () => {
    const { clock, events, hear, recogniser } = await rig();
    await hear(1000, true);
    await clock.advanceAsync(audioGapMs - 100, 10);
    await hear(1000, true);
    expect(recogniser.last.flushes).toBe(0);
    await clock.advanceAsync(2 * audioGapMs, 10);
    await hear(400, true);
    expect(events.map(({ type }) => type)).toEqual(["started", "stopped", "started"]);
  });

  it("[TURN-15c] takes it for one sentence when the network has held back the middle of it", async () => {
    const { clock, events, hear, listener, recogniser, setSpeech } = await rig(() => undefined);
    await hear(1000, true);
    await clock.advanceAsync(5000, 10);
    setSpeech(true);
    for (let frame = 0; frame < 250; frame++) listener.write(new Int16Array(320));
    expect(recogniser.last.flushes).toBe(0);
    await hear(1000, false);
    expect(events.map(({ type }) => type)).toEqual(["started", "stopped"]);
    listener.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it("says with the end of speech how its last words were said", async () => {
    const heard: (Prosody | undefined)[] = [];
    let isSpeech = true;
    const createListener = testListener({
      clock: new VirtualClock(),
      recogniser: new FakeRecogniser(),
      inputRateHz: 16_000,
      isSpeech: () => isSpeech,
    });
    const listener = createListener(
      { examples: [], phrases: [] },
      {
        onSpeechStarted: () => undefined,
        onSpeechStopped: (_stoppedMs, prosody) => heard.push(prosody),
        onPartial: () => undefined,
        onFinal: () => undefined,
        onRecogniserLost: () => undefined,
      },
    );
    let phase = 0;
    const falling = Int16Array.from({ length: 16_000 }, (_, at) => {
      phase += (200 - (80 * at) / 16_000) / 16_000;
      return Math.sin(2 * Math.PI * phase) * (9000 - at / 2);
    });
    listener.write(falling);
    isSpeech = false;
    listener.write(new Int16Array(3200));
    expect(heard).toHaveLength(1);
    expect(heard[0]?.pitchSlope).toBeLessThan(-4);
    expect(heard[0]?.energySlope).toBeLessThan(0);
    expect(heard[0]?.overNoiseDb).toBeGreaterThan(40);
    listener.close();
  });

  const agent = fakeVoice(11, 3000);
  const caller = fakeVoice(23, 3000);
  const frameOf = (samples: Int16Array, frame: number): Int16Array =>
    frame < 0 ? new Int16Array(320) : samples.slice(frame * 320, (frame + 1) * 320);

  it("[BARGE-11a] notices a sound over the agent, [TURN-9a] and no key of a telephone", async () => {
    const { clock, events, listener } = await rig();
    const tone = (hz: number): Int16Array =>
      Int16Array.from({ length: 320 }, (_, at) => 4000 * Math.sin((2 * Math.PI * hz * at) / 16_000));
    const hearOverAgent = async (frames: number, sound: Int16Array): Promise<void> => {
      for (let frame = 0; frame < frames; frame++) {
        listener.hearAgent(frameOf(agent, frame), 16_000, clock.now());
        listener.write(sound.slice());
        await clock.advanceAsync(20, 20);
      }
    };
    const key = tone(770).map((sample, at) => sample + (tone(1336)[at] ?? 0));
    await hearOverAgent(90, new Int16Array(320));
    await hearOverAgent(6, key);
    expect(events).toEqual([]);
    await hearOverAgent(60, new Int16Array(320));
    await hearOverAgent(6, tone(4000));
    expect(events[0]?.type).toBe("sound");
  });

  it("[BARGE-10] takes the agent's own voice neither for speech nor for words, and tells the recogniser nothing of it", async () => {
    const { clock, events, listener, recogniser, setSpeech } = await rig();
    for (let frame = 0; frame < 100; frame++) {
      setSpeech(frame >= 5);
      listener.hearAgent(frameOf(agent, frame), 16_000, clock.now());
      listener.write(frameOf(agent, frame - 5).map((sample) => sample / 10));
      if (frame === 30) recogniser.last.partial("welcome");
      await clock.advanceAsync(20, 20);
    }
    setSpeech(false);
    for (let frame = 0; frame < 30; frame++) {
      listener.write(new Int16Array(320));
      await clock.advanceAsync(20, 20);
    }
    recogniser.last.final("welcome");
    expect(events).toEqual([]);
    expect(recogniser.last.frames).toHaveLength(130);
    expect(recogniser.last.frames.slice(30).every((samples) => samples.every((sample) => sample === 0))).toBe(true);
  });

  it("[BARGE-10] hears words between two echoes that were too soft for the detector, however late their final is", async () => {
    const { clock, events, listener, recogniser, setSpeech } = await rig();
    const echoes = async (): Promise<void> => {
      for (let frame = 0; frame < 60; frame++) {
        setSpeech(frame >= 5);
        listener.hearAgent(frameOf(agent, frame), 16_000, clock.now());
        listener.write(frameOf(agent, frame - 5).map((sample) => sample / 10));
        await clock.advanceAsync(20, 20);
      }
    };
    await echoes();
    setSpeech(false);
    for (let frame = 0; frame < 250; frame++) {
      listener.write(new Int16Array(320));
      await clock.advanceAsync(20, 20);
    }
    await echoes();
    recogniser.last.final("the agent's own words", { startMs: 6300 });
    recogniser.last.final("i lost my card", { startMs: 4000 });
    expect(events.map(({ type }) => type)).toEqual(["i lost my card"]);
  });

  it("[BARGE-10] hears a caller over the echo, from the first word", async () => {
    const { clock, events, listener, recogniser, setSpeech } = await rig();
    setSpeech(true);
    const heard: Int16Array[] = [];
    for (let frame = 0; frame < 100; frame++) {
      listener.hearAgent(frameOf(agent, frame), 16_000, clock.now());
      const over = frame >= 60 ? frameOf(caller, frame) : new Int16Array(320);
      heard.push(frameOf(agent, frame - 5).map((sample, index) => sample / 10 + (over[index] ?? 0)));
      listener.write(Int16Array.from(heard.at(-1) ?? []));
      await clock.advanceAsync(20, 20);
    }
    expect(events.map(({ type }) => type)).toEqual(["started"]);
    expect(events[0]?.atMs).toBeLessThan(60 * 20 + 400);
    expect(recogniser.last.frames).toHaveLength(100);
    expect(recogniser.last.frames.slice(60)).toEqual(heard.slice(60));
  });

  it("[TURN-12a] notices at once what is said after the caller had finished in the middle of a sound", async () => {
    const { events, hear, listener } = await rig();
    await hear(400, true);
    listener.flush();
    await hear(400, true);
    expect(events.map(({ type }) => type)).toEqual(["started", "started"]);
  });
});
