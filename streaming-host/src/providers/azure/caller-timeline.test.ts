import { describe, expect, it } from "vitest";
import { CallerTimeline } from "./caller-timeline.ts";

describe("the caller's timeline", () => {
  it("takes added silence out of later positions", () => {
    const timeline = new CallerTimeline();
    timeline.wrote(400);
    timeline.addedSilence(500);
    timeline.wrote(200);
    expect([300, 400, 650, 900, 1_000].map((ms) => timeline.toCallerMs(ms))).toEqual([300, 400, 400, 400, 500]);
  });
});
