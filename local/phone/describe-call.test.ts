import { expect, it } from "vitest";
import { describeCall } from "./describe-call.ts";

it("says of a greeting how long it took, and not that somebody had stopped speaking", () => {
  const lines = describeCall({ kind: "heard", atMs: 8640, forMs: 6700, answeredInMs: 769.6 });
  expect(lines?.split("\n").map((line) => line.trim())).toEqual([
    "8.64  latency       first audio after 770 ms",
    "8.64  listened      6.7 s of speech",
  ]);
});
