/**
 * What a caller hears, what is stored and what is reported when speech recognition fails: in each phase of its work, in each
 * of the ways in which it does. One conversation for each row, several at a time.
 */
import { beforeAll, describe, it, expect } from "vitest";
import { answered, expectOutcome, forGood, loadSdks, speakWords, withRig } from "../support/cloud-fault.ts";
import type { Fault } from "../support/cloud-fault.ts";

const goodbye = /^Goodbye\.$/;

let line: Int16Array;

beforeAll(async () => {
  line = await speakWords();
  await loadSdks();
});

describe.concurrent("speech recognition", () => {
  const faults: readonly Fault[] = [
    {
      phase: "connect",
      failure: "refuses the key",
      inject: ({ speech }) => speech.failAt("recognition", ...forGood({ kind: "refuse", status: 401 } as const)),
      hears: goodbye,
      reports: ["upstream_unavailable"],
      ends: "recogniser_lost",
    },
    {
      phase: "connect",
      failure: "has too much to do, once",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "refuse", status: 429 }),
      hears: answered,
    },
    {
      phase: "connect",
      failure: "has too much to do, for good",
      inject: ({ speech }) => speech.failAt("recognition", ...forGood({ kind: "refuse", status: 429 } as const)),
      hears: goodbye,
      reports: ["speech_quota_exceeded"],
      ends: "recogniser_lost",
    },
    {
      phase: "connect",
      failure: "is not there, for good",
      inject: ({ speech }) => speech.failAt("recognition", ...forGood({ kind: "refuse", status: 503 } as const)),
      hears: goodbye,
      reports: ["speech_region_unavailable"],
      ends: "recogniser_lost",
    },
    {
      phase: "connect",
      failure: "never answers, once",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "hang" }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "closes with 4429, once",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "close", at: "turn", code: 4429 }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "closes with 4429, for good",
      inject: ({ speech }) =>
        speech.failAt("recognition", ...forGood({ kind: "close", at: "turn", code: 4429 } as const)),
      hears: goodbye,
      reports: ["speech_quota_exceeded"],
      ends: "recogniser_lost",
    },
    {
      phase: "middle",
      failure: "drops the connection",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "drop", at: "middle" }),
      hears: answered,
    },
    {
      phase: "middle",
      failure: "falls silent",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "silence", at: "middle" }),
      hears: answered,
    },
    {
      phase: "end",
      failure: "closes the connection in place of the final text",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "close", at: "end", code: 1011 }),
      hears: answered,
    },
    {
      phase: "end",
      failure: "falls silent in place of the final text",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "silence", at: "end" }),
      hears: answered,
    },
    {
      phase: "middle",
      failure: "is slow",
      inject: ({ speech }) => speech.failAt("recognition", { kind: "slow", delayMs: 700 }),
      hears: answered,
    },
  ];

  it.each(faults)("$phase: when the service $failure", (fault) =>
    withRig({ streamingMode: "REALTIME" }, async (rig) => {
      fault.inject(rig);
      await rig.greet();
      if (fault.ends === undefined) {
        await rig.speak(line);
        await rig.hears(answered);
        expect((await rig.stored()).some((line) => line.startsWith("user: where"))).toBe(true);
      }
      await expectOutcome(rig, fault);
    }),
  );
});
