import { silentLogger } from "@voice/shared/platform/logger";
import { packOf } from "@voice/shared/languages/packs";
import { describe, expect, it } from "vitest";
import { FakeRecogniser } from "../../testing/fake-recogniser.ts";
import { TargetEar } from "./target-ear.ts";

const rateHz = 16_000;

function rig() {
  const recogniser = new FakeRecogniser();
  const ear = new TargetEar({
    recogniser,
    language: () => ({ tag: "en-US", pack: packOf("en") }),
    inputRateHz: rateHz,
    sensitivity: "medium",
    createVoiceActivityDetector: () => ({
      isSpeech: (frame) => frame.some((sample) => Math.abs(sample) > 30),
      close: () => undefined,
    }),
    logger: silentLogger,
  });
  const found: string[] = [];
  const watch = ear.listen();
  void watch.found.then((evidence) => found.push(evidence));
  return { recogniser, ear, watch, found };
}

/** Not one tone, which would be a beep. */
function talk(ms: number): Int16Array {
  return Int16Array.from({ length: (ms * rateHz) / 1000 }, (_, at) => (((at * 7919) % 101) - 50) * 60);
}

function tone(ms: number): Int16Array {
  return Int16Array.from(
    { length: (ms * rateHz) / 1000 },
    (_, at) => 8000 * Math.sin((2 * Math.PI * 1000 * at) / rateHz),
  );
}

describe("who takes a transferred call", () => {
  it("[EFFECT-16b] is a machine that beeps, or says what machines say", async () => {
    const beeping = rig();
    beeping.ear.hear(talk(3000));
    beeping.ear.hear(tone(400));
    beeping.ear.hear(new Int16Array(rateHz));
    const speaking = rig();
    await Promise.resolve();
    speaking.recogniser.last.partial("please leave a message after the tone");
    await Promise.resolve();
    expect([beeping.found, speaking.found]).toEqual([["beep"], ["words"]]);
  });

  it("[EFFECT-16c] is no machine because they talk for long, as a queue does, but is known to go on", async () => {
    const { ear, watch, found } = rig();
    ear.hear(talk(4000));
    expect(watch.goesOn).toBe(false);
    ear.hear(talk(4000));
    await Promise.resolve();
    expect([watch.goesOn, found]).toEqual([true, []]);
    ear.hear(new Int16Array(rateHz));
    expect(watch.goesOn).toBe(false);
  });

  it("[EFFECT-32a] has made a sound when they have spoken, or words were recognised, however late", async () => {
    const { ear, watch } = rig();
    ear.hear(new Int16Array(40 * rateHz));
    expect(watch.hasSpoken).toBe(false);
    ear.hear(talk(600));
    expect(watch.hasSpoken).toBe(true);
    const recognised = rig();
    await Promise.resolve();
    recognised.recogniser.last.partial("yes");
    expect(recognised.watch.hasSpoken).toBe(true);
  });

  it("[EFFECT-16a] is heard by nobody any more afterwards", async () => {
    const { ear, watch, recogniser } = rig();
    await Promise.resolve();
    watch.stop();
    ear.hear(talk(6000));
    expect([watch.goesOn, recogniser.last.isClosed]).toEqual([false, true]);
  });
});
