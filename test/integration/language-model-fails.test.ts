/**
 * What a caller hears, what is stored and what is reported when the language model fails: in each phase of its work, in each
 * of the ways in which it does. One conversation for each row, several at a time.
 */
import { beforeAll, describe, it, expect } from "vitest";
import { answered, apology, expectOutcome, forGood, loadSdks, withRig } from "../support/cloud-fault.ts";
import type { Fault } from "../support/cloud-fault.ts";
import { answer, words } from "../support/fault-rig.ts";

const twice = <T>(fault: T): T[] => [fault, fault];

beforeAll(loadSdks);

describe.concurrent("the language model", () => {
  const faults: readonly Fault[] = [
    {
      phase: "connect",
      failure: "refuses the key",
      inject: ({ openai }) => openai.script(...twice({ kind: "refusal", status: 401 } as const)),
      hears: apology,
      reports: ["upstream_unavailable"],
    },
    {
      phase: "connect",
      failure: "has too much to do, once",
      inject: ({ openai }) => openai.script({ kind: "refusal", status: 429, retryAfterMs: 50 }),
      hears: answered,
    },
    {
      phase: "connect",
      failure: "has too much to do, for good",
      inject: ({ openai }) => openai.script(...forGood({ kind: "refusal", status: 429 } as const)),
      hears: apology,
      reports: ["rate_limited"],
    },
    {
      phase: "connect",
      failure: "is unavailable",
      inject: ({ openai }) => openai.script(...forGood({ kind: "refusal", status: 503 } as const)),
      hears: apology,
      reports: ["upstream_unavailable"],
    },
    {
      phase: "connect",
      failure: "never answers",
      inject: ({ openai }) => openai.script(...forGood({ kind: "silence" } as const)),
      hears: apology,
      reports: ["upstream_timeout"],
    },
    {
      phase: "first byte",
      failure: "closes the connection, once",
      inject: ({ openai }) => openai.script({ kind: "hang-up" }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "is slow",
      inject: ({ openai }) =>
        openai.script({ kind: "completion", text: answer, firstChunkMs: 1000, betweenChunksMs: 100 }),
      hears: answered,
    },
    {
      phase: "first byte",
      failure: "refuses the prompt by its content filter",
      inject: ({ openai }) => openai.script({ kind: "refusal", status: 400, code: "content_filter" }),
      hears: /^I am sorry, I cannot talk about that/,
    },
    {
      phase: "middle",
      failure: "stops the answer by its content filter",
      inject: ({ openai }) => openai.script({ kind: "completion", text: "You should.", finish: "content_filter" }),
      hears: /^You should\. I am sorry, I cannot say more about that/,
    },
    {
      phase: "middle",
      failure: "reaches its token limit",
      inject: ({ openai }) => openai.script({ kind: "completion", text: "Then you can.", finish: "length" }),
      hears: /^Then you can\. That is not all of it\. Shall I go on\?/,
    },
    {
      phase: "end",
      failure: "has thought until its token limit",
      inject: ({ openai }) => openai.script({ kind: "completion", text: "", finish: "length" }),
      hears: apology,
      reports: ["upstream_unavailable"],
    },
    {
      phase: "middle",
      failure: "breaks off",
      inject: ({ openai }) => openai.script({ kind: "completion", text: "Let me see what I have", cutAfterChunks: 4 }),
      hears: apology,
      reports: ["upstream_unavailable"],
    },
    {
      phase: "middle",
      failure: "falls silent",
      inject: ({ openai }) =>
        openai.script({ kind: "completion", text: "Let me see what I have", stallAfterChunks: 4 }),
      hears: apology,
      reports: ["upstream_timeout"],
    },
    {
      phase: "end",
      failure: "truncates its answer",
      inject: ({ openai }) =>
        openai.script({ kind: "completion", text: "Let me see what I have", endAfterChunks: 4, hasNoEndMark: true }),
      hears: apology,
      reports: ["upstream_unavailable"],
    },
  ];

  it("[MODEL-15] is heard as far as it came before it broke off, and then the agent apologises", () =>
    withRig({ streamingMode: "REALTIME" }, async (rig) => {
      await rig.greet();
      rig.openai.script({ kind: "completion", text: "It is on its way. It comes", cutAfterChunks: 6 });
      rig.type(words);
      await rig.hears(apology);
      expect(rig.heard.filter((text) => text !== "").slice(-2)[0]).toMatch(/^It is on its way\./);
      expect(await rig.stored()).toContainEqual(expect.stringMatching(/^assistant.*: It is on its way\./));
    }));

  it.each(faults)("$phase: when the service $failure", (fault) =>
    withRig({ streamingMode: "REALTIME" }, async (rig) => {
      await rig.greet();
      fault.inject(rig);
      rig.type(words);
      await expectOutcome(rig, fault);
      expect((await rig.stored()).includes(`user: ${words}`)).toBe(true);
    }),
  );
});
