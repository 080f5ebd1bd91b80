import { packOf } from "@voice/shared/languages/packs";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import { TurnRig } from "../../testing/turn-rig.ts";
import type { TurnEvent } from "../turn/turn-events.ts";
import { cascadePolicy } from "../turn/turn-policy.ts";
import { languageSettings } from "../turn/language-settings.ts";
import { noEndpointing } from "../turn/turn-settings.ts";
import type { TurnSettings } from "../turn/turn-settings.ts";
import { flightEvent } from "./flight-event.ts";
import { createFlightRecorder } from "./flight-recorder.ts";
import { flightSegment } from "./flight-segment.ts";
import type { FlightSegment } from "./flight-segment.ts";
import { replayFlight } from "./replay-flight.ts";

/** Every kind of value that JSON has no word for is in it. */
const settings: TurnSettings = {
  policy: cascadePolicy,
  silenceMs: 500,
  ...languageSettings(packOf("en")),
  expected: { kind: "choice", words: new Set(["savings", "checking"]) },
  silenceTimeoutMs: noEndpointing.silenceTimeoutMs,
  bargeInEnabled: true,
  bargeInThresholdMs: 10,
  idleMs: 10_000,
  deadAirMs: 10_000,
  fillerMs: 0,
};

/** A conversation as a recorder wrote it. */
function written(speak: (rig: TurnRig) => void): string[] {
  const rig = new TurnRig(settings);
  const kept: string[] = [];
  const recorder = createFlightRecorder(
    (segment) => kept.push(segment),
    () => 1_700_000_000_000 + rig.clock.now(),
  );
  rig.onStep = (before, event, after, effects) => recorder.stepped({ before, event, settings, after, effects });
  speak(rig);
  recorder.flush();
  return kept;
}

function fly(speak: (rig: TurnRig) => void): FlightSegment[] {
  return written(speak).map((segment) => flightSegment.parse(JSON.parse(segment)));
}

/** With everything in it that is decided often. */
function ordinaryConversation(rig: TurnRig): void {
  rig.send({ type: "session-started", firstMove: "greet" });
  rig.audible();
  rig.wait(2000);
  rig.drained();
  rig.speak(900, "my savings");
  rig.final("my savings account");
  rig.wait(2000);
  rig.audible();
  rig.speak(600, "no wait");
  rig.final("no wait the other one");
  rig.wait(2000);
  rig.audible();
  rig.send({ type: "end-requested", reason: "finished" });
  rig.drained();
}

describe("the flight record", () => {
  it("[FLIGHT-1a] [FLIGHT-1b] is decided in the same way again, step by step, from its JSON", () => {
    const segments = fly(ordinaryConversation);
    expect(segments.length).toBeGreaterThan(1);
    const steps = replayFlight(segments);
    expect(steps.filter(({ isSame }) => !isSame)).toEqual([]);
    expect(steps.at(-1)?.state.agent).toEqual({ kind: "ended" });
    expect(steps.map(({ event }) => event.type)).toContain("speech-started");
  });

  it("has each event at the wall clock's time", () => {
    const steps = replayFlight(fly(ordinaryConversation));
    const firstMs = 1_700_000_000_000;
    expect(steps.map(({ wallMs, event }) => wallMs - event.atMs)).toEqual(steps.map(() => firstMs));
  });

  it("[FLIGHT-4a] [FLIGHT-4b] shows where it is decided differently now, and begins again with the next piece", () => {
    const segments = fly(ordinaryConversation);
    const [first, second, ...others] = segments;
    if (first === undefined || second === undefined) throw new Error("there are more pieces than one");
    // As a machine had decided it that forgot to greet.
    const [greeting, ...rest] = first.steps;
    if (greeting === undefined) throw new Error("a piece has a step");
    const forgetful = { ...first, steps: [{ ...greeting, effects: [] }, ...rest] };
    const steps = replayFlight([forgetful, second, ...others]);
    expect(steps[0]).toMatchObject({ isSame: false, followsDifference: false, recorded: [] });
    expect(steps[0]?.today.map(({ type }) => type)).toContain("begin-reply");
    const inFirst = first.steps.length;
    expect(steps.slice(1, inFirst).every(({ followsDifference }) => followsDifference)).toBe(true);
    expect(steps.slice(inFirst).every(({ isSame, followsDifference }) => isSame && !followsDifference)).toBe(true);
  });

  it("keeps settings that have changed in the middle of a piece", () => {
    const kept: string[] = [];
    const rig = new TurnRig(settings);
    const recorder = createFlightRecorder(
      (segment) => kept.push(segment),
      () => 0,
    );
    let steps = 0;
    rig.onStep = (before, event, after, effects) => {
      const idleMs = ++steps > 2 ? 2000 : 1000;
      recorder.stepped({ before, event, settings: { ...settings, idleMs }, after, effects });
    };
    rig.send({ type: "whole-turn", text: "hello" });
    rig.audible();
    rig.send({ type: "key-pressed" });
    recorder.flush();
    const segment = flightSegment.parse(JSON.parse(kept[1] ?? ""));
    expect(segment.settings.idleMs).toBe(1000);
    expect(segment.steps.map((step) => step.settings?.idleMs)).toEqual([undefined, 2000]);
  });

  it("is written when the decision that ends a piece has been carried out", async () => {
    const kept: string[] = [];
    const rig = new TurnRig(settings);
    const recorder = createFlightRecorder(
      (segment) => kept.push(segment),
      () => 0,
    );
    rig.onStep = (before, event, after, effects) => recorder.stepped({ before, event, settings, after, effects });
    rig.send({ type: "whole-turn", text: "hello" });
    rig.audible();
    rig.drained();
    expect(kept).toEqual([]);
    await new Promise(setImmediate);
    expect(kept.map((segment) => flightSegment.parse(JSON.parse(segment)).steps.length)).toEqual([1, 2]);
  });

  it("[FLIGHT-1b] is there from the first step on, because somebody may look for it while the agent still greets", async () => {
    const kept: string[] = [];
    const rig = new TurnRig(settings);
    const recorder = createFlightRecorder(
      (segment) => kept.push(segment),
      () => 0,
    );
    rig.onStep = (before, event, after, effects) => recorder.stepped({ before, event, settings, after, effects });
    rig.send({ type: "session-started", firstMove: "greet" });
    await new Promise(setImmediate);
    expect(kept).toHaveLength(1);
    rig.audible();
    await new Promise(setImmediate);
    expect(kept).toHaveLength(1);
  });

  it("is handed over in pieces that are never long, however much the caller talks", () => {
    const segments = fly((rig) => {
      for (let word = 0; word < 200; word += 1) rig.partial(`word ${word}`);
    });
    expect(segments.map(({ steps }) => steps.length)).toEqual([1, 64, 64, 64, 7]);
    expect(replayFlight(segments).every(({ isSame }) => isSame)).toBe(true);
  });

  it("[FLIGHT-1a] reads records of versions that remembered of the first move whether it is the greeting", () => {
    const [, text = ""] = written((rig) => {
      rig.send({ type: "session-started", firstMove: "greet", announces: true });
      rig.audible();
      rig.drained();
    });
    expect(text).toContain(`"firstMove":"greet"`);
    const read = (greetsNext: boolean) =>
      flightSegment.parse(JSON.parse(text.replace(`"firstMove":"greet"`, `"greetsNext":${greetsNext}`)));
    expect([read(true), read(false)].map(({ state }) => state.firstMove)).toEqual(["greet", "listen"]);
    expect(replayFlight([read(true)]).every(({ isSame }) => isSame)).toBe(true);
  });

  it("knows every event that the machine knows", () => {
    const known: readonly TurnEvent["type"][] = flightEvent.options.map(({ shape }) => shape.type.value);
    expectTypeOf<z.infer<typeof flightEvent>["type"]>().toEqualTypeOf<TurnEvent["type"]>();
    expect(known).toContain("session-started");
  });
});
