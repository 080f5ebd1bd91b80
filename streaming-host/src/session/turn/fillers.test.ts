import { describe, expect, it } from "vitest";
import { deadAirMs, TurnRig } from "../../testing/turn-rig.ts";
import { realtimePolicy } from "./turn-policy.ts";
import { noEndpointing } from "./turn-settings.ts";
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
  it("[FILL-1a] is covered by a filler after 2 s, by another 4 s later, and by none once it has found words", () => {
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

  it("[FILL-1e] has no filler where it is turned off, and where words are fixed", () => {
    const off = asked({ fillerMs: 0 });
    off.wait(9000);
    expect(sincePlan(off)).toEqual([]);
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

describe("a service that takes its time", () => {
  function spoken(): { readonly rig: TurnRig; readonly stoppedMs: number; readonly endedMs: number } {
    const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy, fillerMs: 2000 });
    rig.send({ type: "session-started", firstMove: "listen" });
    rig.speak(800);
    return { rig, stoppedMs: rig.clock.now(), endedMs: 800 };
  }

  const fillersAt = ({ rig, endedMs }: ReturnType<typeof spoken>): readonly number[] =>
    rig.of("say-filler").map(({ atMs }) => atMs - endedMs);

  it("[FILL-1c] is covered as a model of ours is, counted from the end of the words, begun or not", () => {
    for (const beginsAfterMs of [0, 500, 3000]) {
      const turn = spoken();
      turn.rig.wait(beginsAfterMs);
      turn.rig.send({ type: "response-started" });
      turn.rig.wait(7000 - beginsAfterMs);
      expect(fillersAt(turn)).toEqual([2000, 6000]);
      expect(turn.rig.replies).toMatchObject([{ kind: "answer", origin: "service", anchorMs: 800 }]);
      turn.rig.send({ type: "reply-written", turnId: "turn-1" });
      turn.rig.wait(20_000);
      expect(fillersAt(turn)).toHaveLength(2);
    }
  });

  it("[FILL-1c] is covered at once where the service has waited that long for the end of the turn", () => {
    const rig = new TurnRig({ ...noEndpointing, policy: realtimePolicy, fillerMs: 2000 });
    rig.send({ type: "session-started", firstMove: "listen" });
    rig.send({ type: "speech-started", sinceMs: 0 });
    rig.wait(5000);
    rig.send({ type: "speech-stopped", stoppedMs: 1000 });
    rig.wait(1);
    expect(rig.of("say-filler").map(({ atMs }) => Math.round(atMs / 10) * 10)).toEqual([5000]);
  });

  it("[FILL-2] is not covered over words that go on, and not for sound that had none", () => {
    const more = spoken();
    more.rig.wait(1500);
    more.rig.send({ type: "speech-started", sinceMs: more.rig.clock.now() });
    more.rig.wait(5000);
    expect(fillersAt(more)).toEqual([]);
    const noise = spoken();
    noise.rig.wait(1500);
    noise.rig.final("");
    noise.rig.wait(5000);
    expect(fillersAt(noise)).toEqual([]);
  });

  it("[FILL-3] [FAIL-1] is given up after 10 s all the same", () => {
    const { rig, stoppedMs } = spoken();
    rig.wait(2100);
    rig.audible();
    rig.wait(8000);
    expect(rig.replies.at(-1)).toMatchObject({ kind: "apology", atMs: stoppedMs + deadAirMs });
  });

  it("[FILL-3] ends the wait where the service finds that there were no words", () => {
    const { rig } = spoken();
    rig.wait(2100);
    rig.final("");
    expect(rig.state.agent.kind).toBe("listening");
    rig.wait(9000);
    expect(rig.replies.filter(({ kind }) => kind === "apology")).toEqual([]);
    const begun = spoken().rig;
    begun.wait(2100);
    begun.send({ type: "response-started" });
    begun.final("");
    expect(begun.state.agent.kind).toBe("thinking");
  });
});
