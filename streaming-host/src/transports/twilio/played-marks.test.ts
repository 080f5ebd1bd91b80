import { expect, it } from "vitest";
import { PlayedMarks } from "./played-marks.ts";

function rig(delayMs = 200) {
  let nowMs = 0;
  const marks = new PlayedMarks(() => nowMs, delayMs);
  const names: string[] = [];
  return {
    marks,
    names,
    at: (ms: number) => (nowMs = ms),
    send(frames: number) {
      for (let frame = 0; frame < frames; frame++) {
        const name = marks.sent(20);
        if (name !== undefined) names.push(name);
      }
    },
  };
}

it("[TWILIO-6a] takes the delay from a mark that comes back, and what is assumed before the first", () => {
  const { marks, names, at, send } = rig();
  send(10);
  expect(names).toHaveLength(1);
  expect(marks.delayMs).toBe(200);
  at(350); // 200 ms of audio that was sent at 0
  marks.played(names[0] ?? "");
  expect(marks.delayMs).toBe(150);
});

it("[TWILIO-6a] counts audio that is sent ahead of its time from when it is due", () => {
  const { marks, names, at, send } = rig();
  send(20);
  at(450);
  marks.played(names[1] ?? "");
  expect(marks.delayMs).toBe(50);
  marks.played("unknown");
  marks.played(names[1] ?? "");
  expect(marks.delayMs).toBe(50);
});

it("[TWILIO-6b] believes no mark that comes back because the audio was dropped", () => {
  const { marks, names, at, send } = rig();
  send(50);
  at(100);
  marks.cleared();
  for (const name of names) marks.played(name);
  expect(marks.delayMs).toBe(200);
});

it("marks the end of a reply once, and waits for no line for longer than two seconds", () => {
  const { marks, at, send } = rig();
  send(3);
  const last = marks.ended();
  expect(last).toBeDefined();
  expect(marks.ended()).toBeUndefined();
  at(60_000);
  marks.played(last ?? "");
  expect(marks.delayMs).toBe(2000);
});
