import { describe, expect, it } from "vitest";
import type { SimulatedSession } from "./simulate-session.ts";
import { resultOf, summariseRun, whyNot } from "./summarise-run.ts";

const session: SimulatedSession = {
  number: 0,
  persona: { name: "shy", description: "Shy.", caller: "You are shy." },
  goal: {
    name: "balance",
    caller: "The balance.",
    opening: "My balance",
    knows_customer: true,
    checks: { tools: [], tools_not_succeeded: [], agents: [], answers_contain: [], answers_lack: [] },
  },
  profileSeed: undefined,
  transcript: [],
  failedChecks: [],
  verdicts: { tone: { reason: "kind", passed: true } },
  noVerdict: undefined,
  error: undefined,
  usage: {},
  latenciesMs: [],
  soundLatenciesMs: [],
};
const unjudged: SimulatedSession = { ...session, verdicts: undefined, noVerdict: "the judge answered nothing" };
const broken: SimulatedSession = { ...session, verdicts: undefined, error: "it broke off" };
const curt: SimulatedSession = { ...session, verdicts: { tone: { reason: "curt", passed: false } } };

describe("a run in figures", () => {
  it("[EVAL-3b] takes a session without a verdict for neither passed nor failed", () => {
    expect([session, curt, unjudged, broken].map(resultOf)).toEqual(["passed", "failed", "not-judged", "not-held"]);
    expect(summariseRun([session, curt, unjudged, broken])).toMatchObject({
      failed: 1,
      notHeld: 1,
      notJudged: 1,
      criteria: { checks: { passed: 3, total: 3 }, tone: { passed: 1, total: 2 } },
      byPersona: { shy: { passed: 1, total: 2 } },
      byGoal: { balance: { passed: 1, total: 2 } },
      passPowers: [0.5, 0],
    });
  });

  it("names the first reason for which a session has not passed", () => {
    expect([session, curt, unjudged, broken].map(whyNot)).toEqual([
      "",
      "tone: curt",
      "the judge answered nothing",
      "it broke off",
    ]);
  });
});
