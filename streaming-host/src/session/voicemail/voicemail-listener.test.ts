import { packOf } from "@voice/shared/languages/packs";
import { describe, expect, it } from "vitest";
import { createVoicemailListener } from "./voicemail-listener.ts";

type Sound = readonly [ms: number, levelDb: number];

const silence = -90;

/** What is found in a call in which everything but silence sounds like speech. */
function findingsIn(...sounds: readonly Sound[]): string[] {
  const found: string[] = [];
  const listener = createVoicemailListener(
    {
      phrases: packOf("en"),
      isFound: false,
      inputRateHz: 16_000,
      sensitivity: "medium",
      createVoiceActivityDetector: () => ({
        isSpeech: (frame) => frame.some((sample) => Math.abs(sample) > 30),
        close: () => undefined,
      }),
    },
    (finding) => found.push(finding.type),
  );
  for (const [ms, levelDb] of sounds) {
    const amplitude = 32_768 * 10 ** (levelDb / 20);
    // Not one tone, which would be a beep.
    listener.hear(Int16Array.from({ length: ms * 16 }, (_, at) => amplitude * ((((at * 7919) % 101) - 50) / 29)));
  }
  listener.stop();
  return found;
}

describe("who picks up where others are heard, too", () => {
  it("[VM-1e] is a person who says hello in front of a television", () => {
    expect(findingsIn([800, -38], [600, -22], [29_000, -38])).toEqual(["person"]);
  });

  it("[VM-1d] is a machine whose greeting has loud and soft syllables", () => {
    const syllables: Sound[] = Array.from({ length: 40 }, (_, index) => [150, index % 3 === 0 ? -22 : -30]);
    expect(findingsIn([500, silence], ...syllables, [1500, silence])).toEqual(["suspected", "voicemail"]);
  });

  it("[VM-1d] is a machine although the telephone was picked up with a loud click", () => {
    expect(findingsIn([300, silence], [40, -10], [500, silence], [7000, -26], [1500, silence])).toEqual([
      "suspected",
      "voicemail",
    ]);
  });
});
