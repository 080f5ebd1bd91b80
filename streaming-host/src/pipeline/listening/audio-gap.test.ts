import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { audioGapMs, longestStallMs, watchForAudioGap } from "./audio-gap.ts";

function rig() {
  const clock = new VirtualClock();
  const probes: (() => void)[] = [];
  const gaps: { atMs: number; silentMs: number }[] = [];
  let heardMs = 0;
  const watch = watchForAudioGap(
    clock,
    () => heardMs,
    (onAnswered) => probes.push(onAnswered),
    (silentMs) => gaps.push({ atMs: clock.now(), silentMs }),
  );
  return {
    clock,
    probes,
    gaps,
    watch,
    hear(ms: number) {
      heardMs += ms;
    },
  };
}

describe("the watch for gaps in the caller's audio", () => {
  it("[TURN-15a] takes it for a gap when a peer answers and has sent nothing", () => {
    const { clock, probes, gaps, watch } = rig();
    watch.begin();
    clock.advance(audioGapMs + 50);
    expect(gaps).toEqual([]);
    probes[0]?.();
    expect(gaps).toEqual([{ atMs: audioGapMs + 50, silentMs: audioGapMs + 50 }]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("[TURN-15c] takes it for none when the peer's answer comes after what the network has held back", () => {
    const { clock, probes, gaps, hear, watch } = rig();
    watch.begin();
    clock.advance(6000);
    hear(6000);
    probes[0]?.();
    clock.advance(audioGapMs);
    expect(probes).toHaveLength(2);
    expect(gaps).toEqual([]);
    probes[1]?.();
    expect(gaps).toHaveLength(1);
  });

  it("[TURN-15c] does not wait for a network that is gone", () => {
    const { clock, gaps, watch } = rig();
    watch.begin();
    clock.advance(audioGapMs + longestStallMs);
    expect(gaps).toEqual([{ atMs: audioGapMs + longestStallMs, silentMs: audioGapMs + longestStallMs }]);
  });

  it("hears no answer that comes when the words are complete, or when others have begun", () => {
    const { clock, probes, gaps, watch } = rig();
    watch.begin();
    clock.advance(audioGapMs);
    watch.end();
    expect(clock.pendingTimers).toBe(0);
    watch.begin();
    probes[0]?.();
    expect(gaps).toEqual([]);
  });
});
