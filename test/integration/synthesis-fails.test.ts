/**
 * What a caller hears, what is stored and what is reported when speech synthesis fails: in each phase of its work, in each
 * of the ways in which it does. One conversation for each row, several at a time.
 */
import { beforeAll, describe, it, expect } from "vitest";
import { eventually } from "../support/wait.ts";
import { answered, apology, expectOutcome, forGood, loadSdks, withRig } from "../support/cloud-fault.ts";
import type { Fault } from "../support/cloud-fault.ts";
import { words } from "../support/fault-rig.ts";

const greeted = /How can I help you today\?$/;

beforeAll(loadSdks);

describe.concurrent("speech synthesis", () => {
  const faults: readonly Fault[] = [
    {
      phase: "connect",
      failure: "has too much to do, once",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "refuse", status: 429 }),
      hears: answered,
    },
    {
      phase: "connect",
      failure: "never answers, once",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "hang" }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "drops the connection",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "drop", at: "turn" }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "falls silent",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "silence", at: "turn" }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "is slow",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "slow", delayMs: 500 }),
      hears: answered,
    },
    {
      phase: "middle",
      failure: "drops the connection",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "drop", at: "middle" }),
      hears: apology,
      reports: ["speech_region_unavailable"],
    },
    {
      phase: "middle",
      failure: "closes with 4429",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "close", at: "middle", code: 4429 }),
      hears: apology,
      reports: ["speech_quota_exceeded"],
    },
    {
      phase: "middle",
      failure: "falls silent",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "silence", at: "middle" }),
      hears: apology,
      reports: ["upstream_timeout"],
    },
    {
      phase: "end",
      failure: "drops the connection",
      inject: ({ speech }) => speech.failAt("synthesis", { kind: "drop", at: "end" }),
      hears: apology,
      reports: ["speech_region_unavailable"],
    },
  ];

  it.each(faults)("$phase: when the service $failure", (fault) =>
    // Below FAIL-1's ten seconds, so that there is time for a second attempt.
    withRig({ streamingMode: "REALTIME", environment: { SPEECH_REQUEST_TIMEOUT: "4" } }, async (rig) => {
      fault.inject(rig);
      await rig.connect();
      await rig.hears(fault.hears === answered ? greeted : fault.hears);
      rig.type(words);
      await rig.hears(answered);
      await expectOutcome(rig, { ...fault, hears: answered });
      expect((await rig.stored()).includes(`user: ${words}`)).toBe(true);
    }),
  );

  it.each([
    { failure: "refuses the key", status: 401, code: "upstream_unavailable" },
    { failure: "has too much to do", status: 429, code: "speech_quota_exceeded" },
  ])("[FAIL-5] says so and ends when the service $failure for good", ({ status, code }) =>
    withRig({ streamingMode: "REALTIME" }, async (rig) => {
      rig.speech.failAt("synthesis", ...forGood({ kind: "refuse", status } as const));
      await rig.connect();
      expect(await rig.ended()).toBe("voice_failed");
      expect(new Set(rig.errorCodes)).toEqual(new Set([code, "upstream_unavailable"]));
      expect(rig.heard.filter((text) => text !== "")).toEqual([]);
      expect(await rig.stored()).toEqual([]);
      await eventually(async () => {
        const [host] = await rig.state.hosts.list();
        return host?.providers.synthesiser?.error?.includes(`refused the connection with ${status}`) === true;
      }, "readiness names the reason");
    }),
  );

  it("[FAIL-5] says so and ends when every voice is refused", () =>
    withRig({ streamingMode: "REALTIME", voices: new Set() }, async (rig) => {
      await rig.connect();
      expect(await rig.ended()).toBe("voice_failed");
      expect(new Set(rig.errorCodes)).toEqual(new Set(["upstream_unavailable"]));
      expect(await rig.stored()).toEqual([]);
    }));

  it("speaks with the service's own voice when an agent's is refused, and nobody hears of it", () =>
    withRig(
      {
        streamingMode: "REALTIME",
        voices: new Set(["en-US-SecondNeural"]),
        environment: { TTS_VOICE: "en-US-SecondNeural" },
      },
      async (rig) => {
        await rig.connect();
        rig.type(words);
        await rig.hears(answered);
        expect(rig.errorCodes).toEqual([]);
      },
    ));
});
