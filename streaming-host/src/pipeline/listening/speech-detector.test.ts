import { describe, expect, it } from "vitest";
import { SpeechDetector } from "./speech-detector.ts";
import type { SpeechChange } from "./speech-detector.ts";
import type { VadSensitivity } from "@voice/provider-kit/ports/voice-activity";

/** `#` is a frame of speech, `.` one without. */
function run(
  frames: string,
  sensitivity: VadSensitivity = "medium",
  agentIsAudible = false,
): (SpeechChange & { frame: number })[] {
  const detector = new SpeechDetector(sensitivity);
  return Array.from(frames).flatMap((mark, frame) => {
    const change = detector.push(mark === "#", agentIsAudible);
    return change === undefined ? [] : [{ ...change, frame }];
  });
}

describe("speech detector", () => {
  it("dates the start back to the first frame of speech", () => {
    expect(run("....######")).toEqual([{ type: "started", framesAgo: 6, frame: 9 }]);
    expect(run("....##.####")).toEqual([{ type: "started", framesAgo: 7, frame: 10 }]);
  });

  it("dates the end back to the last frame of speech", () => {
    const changes = run("######........");
    expect(changes.at(-1)).toEqual({ type: "stopped", framesAgo: 8, frame: 13 });
  });

  it("ignores clicks", () => {
    expect(run("#...#...##...#...###....")).toEqual([]);
  });

  it("does not end at the closure of a plosive", () => {
    expect(run("########.......########")).toHaveLength(1);
  });

  it("hears sooner with a higher sensitivity, later with a lower one", () => {
    const frameOf = (sensitivity: VadSensitivity): number | undefined => run("..########", sensitivity)[0]?.frame;
    expect([frameOf("high"), frameOf("medium"), frameOf("low")]).toEqual([5, 7, 9]);
  });

  it("is quicker while the agent is audible [BARGE-1]", () => {
    expect(run("..########", "medium", true)[0]?.frame).toBe(6);
    expect(run("..####....####", "medium", true)).toEqual([]);
  });
});
