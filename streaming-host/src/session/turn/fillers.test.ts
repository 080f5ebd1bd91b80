import { describe, expect, it } from "vitest";
import { TurnRig } from "../../testing/turn-rig.ts";
import { realtimePolicy } from "./turn-policy.ts";
import type { TurnSettings } from "./turn-settings.ts";

function asked(settings: Partial<TurnSettings> = {}): TurnRig {
  const rig = new TurnRig({ fillerMs: 2000, ...settings });
  rig.send({ type: "session-started", firstMove: "listen" });
  rig.send({ type: "whole-turn", text: "what is my balance" });
  return rig;
}

const sincePlan = (rig: TurnRig): readonly number[] =>
  rig.of("say-filler").map(({ atMs }) => atMs - (rig.replies[0]?.atMs ?? Number.NaN));
const written = (rig: TurnRig): void => rig.send({ type: "reply-written", turnId: "turn-1" });

describe("a model that takes its time", () => {
  it("[FILL-1] is covered by a filler after 2 s, by another 4 s later, and by none once it has found words", () => {
    const rig = asked();
    rig.wait(1999);
    expect(sincePlan(rig)).toEqual([]);
    rig.wait(5001);
    expect(sincePlan(rig)).toEqual([2000, 6000]);
    written(rig);
    rig.wait(2900);
    expect(sincePlan(rig)).toEqual([2000, 6000]);
    const quick = asked();
    quick.wait(1500);
    written(quick);
    quick.audible();
    quick.wait(20_000);
    expect(sincePlan(quick)).toEqual([]);
  });

  it("[FILL-1] has no filler where it is turned off, where words are fixed, and where a service speaks for itself", () => {
    for (const settings of [{ fillerMs: 0 }, { policy: realtimePolicy }]) {
      const rig = asked(settings);
      rig.wait(9000);
      expect(sincePlan(rig)).toEqual([]);
    }
    const greeting = new TurnRig({ fillerMs: 2000 });
    greeting.send({ type: "session-started", firstMove: "greet" });
    greeting.wait(9000);
    expect(greeting.of("say-filler")).toEqual([]);
  });

  it("[FILL-2] is never covered over the caller's own words", () => {
    const rig = asked();
    rig.wait(1000);
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() });
    rig.wait(1500);
    expect(sincePlan(rig)).toEqual([]);
    rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
    rig.wait(1500);
    expect(sincePlan(rig)).toHaveLength(1);
  });

  it("[FILL-3] [FAIL-1] is given up after 10 s all the same, although a filler was heard", () => {
    const rig = asked();
    rig.wait(2100);
    rig.audible();
    expect(rig.state.agent.kind).toBe("speaking");
    rig.wait(7899);
    expect(rig.replies.at(-1)?.kind).toBe("answer");
    rig.wait(1);
    expect(rig.replies.at(-1)?.kind).toBe("apology");
    expect(rig.of("report-silence")).toHaveLength(1);
  });

  it("[FILL-3] goes on when its words come after a filler", () => {
    const rig = asked();
    rig.wait(2100);
    rig.audible();
    rig.wait(3000);
    written(rig);
    rig.wait(20_000);
    expect(rig.replies.map(({ kind }) => kind)).toEqual(["answer"]);
    rig.drained();
    expect(rig.state.agent.kind).toBe("listening");
  });
});
