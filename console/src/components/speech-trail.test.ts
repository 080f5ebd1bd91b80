import { Store } from "@voice/client-kit/store";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { columnCount, followSpeech } from "./speech-trail.ts";
import type { SpeechTrail } from "./speech-trail.ts";

function rig() {
  const levels = { caller: new Store(0), agent: new Store(0) };
  const clock = new VirtualClock();
  const painted: SpeechTrail[] = [];
  const stop = followSpeech(levels, clock, (trail) => painted.push(trail));
  return { ...levels, clock, painted, stop };
}

describe("the trail of speech", () => {
  it("has a column for each tenth of a second with the highest level in it, however often the level changes", () => {
    const { caller, clock, painted } = rig();
    for (let frame = 0; frame < 10; frame += 1) {
      caller.set(frame % 2 === 0 ? 1 : 0.01);
      clock.advance(20);
    }
    expect(painted).toHaveLength(2);
    expect(painted.at(-1)?.caller.slice(-3)).toEqual([0, 1, 1]);
    expect(painted.at(-1)?.agent.at(-1)).toBe(0);
  });

  it("shows that one has spoken over the other", () => {
    const { caller, agent, clock, painted } = rig();
    agent.set(1);
    clock.advance(100);
    caller.set(1);
    clock.advance(100);
    agent.set(0);
    clock.advance(200);
    expect(painted.at(-1)?.agent.slice(-4)).toEqual([1, 1, 1, 0]);
    expect(painted.at(-1)?.caller.slice(-4)).toEqual([0, 1, 1, 1]);
  });

  it("runs out after the last word, and rests then: nothing is painted and no timer runs", () => {
    const { caller, clock, painted } = rig();
    caller.set(1);
    caller.set(0);
    clock.advance(100 * (columnCount + 2));
    expect(painted.at(-1)?.caller.every((height) => height === 0)).toBe(true);
    expect([painted.length, clock.pendingTimers]).toEqual([columnCount + 1, 0]);
  });

  it("is not moved by the noise of a room", () => {
    const { caller, clock, painted } = rig();
    for (const noise of [0.001, 0.002, 0.003, 0.001]) {
      caller.set(noise);
      clock.advance(100);
    }
    expect([painted.length, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("paints no more once it has left the page", () => {
    const { agent, clock, painted, stop } = rig();
    agent.set(1);
    stop();
    agent.set(0.5);
    clock.advance(1000);
    expect(painted).toEqual([]);
  });
});
