/**
 * What a caller hears, what is stored and what is reported when the realtime model fails: in each phase of its work, in each
 * of the ways in which it does. One conversation for each row, several at a time.
 */
import { beforeAll, describe, it, expect } from "vitest";
import { eventually } from "../support/wait.ts";
import { answered, expectOutcome, forGood, loadSdks, withRig } from "../support/cloud-fault.ts";
import type { Fault } from "../support/cloud-fault.ts";
import { answer, words } from "../support/fault-rig.ts";

const patience = /^One moment, please\. /;

beforeAll(loadSdks);

describe.concurrent("the realtime model", () => {
  const faults: readonly (Fault & { readonly when: "at first" | "in the call" })[] = [
    {
      when: "at first",
      phase: "connect",
      failure: "refuses the key",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "refuse", status: 401 }),
      hears: patience,
      reports: ["upstream_unavailable"],
    },
    {
      when: "at first",
      phase: "connect",
      failure: "has too much to do, for good",
      inject: ({ voiceLive }) => voiceLive.fail(...forGood({ kind: "refuse", status: 429 } as const)),
      hears: patience,
      reports: ["rate_limited"],
    },
    {
      when: "at first",
      phase: "connect",
      failure: "never answers",
      inject: ({ voiceLive }) => voiceLive.fail(...forGood({ kind: "hang" } as const)),
      hears: patience,
      reports: ["upstream_timeout"],
    },
    {
      when: "at first",
      phase: "connect",
      failure: "has too much to do, once",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "refuse", status: 429 }),
      hears: answered,
    },
    {
      when: "at first",
      phase: "first byte",
      failure: "opens no session",
      inject: ({ voiceLive }) => voiceLive.fail(...forGood({ kind: "silence", at: "session" } as const)),
      hears: patience,
      reports: ["upstream_timeout"],
    },
    {
      when: "at first",
      phase: "first byte",
      failure: "closes the connection, for good",
      inject: ({ voiceLive }) => voiceLive.fail(...forGood({ kind: "close", at: "open", code: 1011 } as const)),
      hears: patience,
      reports: ["upstream_unavailable"],
    },
    {
      when: "in the call",
      phase: "middle",
      failure: "drops the connection, once",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "drop", at: "middle" }),
      hears: answered,
    },
    {
      when: "in the call",
      phase: "middle",
      failure: "drops the connection, for good",
      inject: ({ voiceLive }) =>
        voiceLive.fail({ kind: "drop", at: "middle" }, ...forGood({ kind: "refuse", status: 503 } as const)),
      hears: patience,
      reports: ["upstream_unavailable"],
    },
    {
      when: "in the call",
      phase: "middle",
      failure: "falls silent",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "silence", at: "middle" }),
      hears: patience,
      reports: ["upstream_unavailable"],
    },
    {
      when: "in the call",
      phase: "middle",
      failure: "is slow",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "slow", delayMs: 500 }),
      hears: answered,
    },
    {
      when: "in the call",
      phase: "end",
      failure: "closes the connection",
      inject: ({ voiceLive }) => voiceLive.fail({ kind: "close", at: "end", code: 4429 }),
      hears: answered,
    },
  ];

  it.each(faults)("[FAIL-6a] $phase: when the service $failure", (fault) =>
    withRig({ streamingMode: "VOICE_LIVE" }, async (rig) => {
      fault.inject(rig);
      await rig.connect();
      if (fault.when === "in the call" || fault.hears === answered) rig.type(words);
      await expectOutcome(rig, fault);
      if (fault.hears === patience) rig.type(words);
      await rig.hears(answered);
      expect(rig.heard).toContain(answer);
    }),
  );

  it("[FAIL-6g] ends the conversation with its reason where no other way is allowed", () =>
    withRig({ streamingMode: "VOICE_LIVE", environment: { CLOUD_VOICELIVE_FALLBACK: "false" } }, async (rig) => {
      rig.voiceLive.fail({ kind: "refuse", status: 401 });
      await rig.connect();
      expect(await rig.ended()).toBe("realtime_lost");
      expect(rig.errorCodes).toEqual(["upstream_unavailable"]);
      await eventually(async () => {
        const [host] = await rig.state.hosts.list();
        return host?.providers.realtimeModel?.healthy === false;
      }, "readiness says that it is down");
    }));
});
