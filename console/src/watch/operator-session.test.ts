import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import { describe, expect, it } from "vitest";

import { Answers, answersAgain } from "../api/answers.ts";
import { OperatorSession } from "./operator-session.ts";

const promise = "The agent says it as soon as nobody speaks.";
const line = "A colleague will call you back.";

type Operator = Omit<Extract<ServerPayloads["event"], { name: "operator" }>, "name" | "action">;

function rig() {
  const answers = new Answers();
  let isAway = false;
  let lines = 0;
  const api = {
    say: async () => {
      if (isAway) throw new TypeError("Failed to fetch");
      return { id: `line-${++lines}`, promise };
    },
    end: async () => "The agent says goodbye.",
    transfer: async () => "The call is being transferred.",
  };
  const operator = new OperatorSession(api, answers.onceItAnswers);
  const about = { session_id: "session-1", timestamp: "2026-01-01T00:00:00.000Z" };
  const event = (payload: ServerPayloads["event"]): void => operator.receive({ ...about, type: "event", payload });
  const reports = (id: string, more: Operator): void =>
    event({ name: "operator", action: "say", line_id: id, ...more });
  const continues = (): void =>
    operator.receive({
      ...about,
      type: "session",
      payload: {
        session_id: "session-1",
        resumed: true,
        streaming_mode: "MEDIA",
        sample_rate: 16_000,
        agent: "banking",
        scenario: "banking",
      },
    });
  const setAway = (away: boolean): void => {
    isAway = away;
    if (!away) answers.came();
  };
  const { store } = operator;
  return {
    operator,
    event,
    reports,
    continues,
    setAway,
    done: () => store.get().done,
    problem: () => store.get().problem,
  };
}

describe("a line for the agent to say", () => {
  it("[PERSON-1a] is promised until it was said", async () => {
    const { operator, reports, done } = rig();
    await operator.say("session-1", line);
    reports("line-9", { outcome: "said" });
    expect(done()).toBe(promise);
    reports("line-1", { outcome: "said" });
    expect(done()).toBe("The agent has said it.");
  });

  it("[PERSON-1b] that the caller has interrupted is not reported as said", async () => {
    const { operator, reports, done } = rig();
    await operator.say("session-1", line);
    reports("line-1", { outcome: "interrupted" });
    expect(done()).toBe("The caller interrupted the agent in the middle of it.");
  });

  it("[PERSON-2] that is not said is reported with the reason", async () => {
    const { operator, reports, problem, done } = rig();
    await operator.say("session-1", line);
    reports("line-1", { outcome: "not_said", reason: "voice_failed" });
    expect([done(), problem()]).toEqual([undefined, `Not said: “${line}”. The reason: the agent’s voice failed.`]);
  });

  it("[PERSON-2] that was waiting at the end of the conversation is not promised any more", async () => {
    const { operator, event, problem } = rig();
    await operator.say("session-1", line);
    event({ name: "session_ended", reason: "caller_left" });
    expect(problem()).toBe(`Not said: “${line}”. The reason: the conversation ended first.`);
  });

  it("[PERSON-2] that was waiting when its host was lost is not known to be said", async () => {
    const { operator, continues, problem } = rig();
    await operator.say("session-1", line);
    continues();
    expect(problem()).toContain("whether it was said is not known");
  });

  it("is promised while another one waits", async () => {
    const { operator, reports, done } = rig();
    await operator.say("session-1", line);
    await operator.say("session-1", "Goodbye.");
    reports("line-1", { outcome: "said" });
    expect(done()).toBe(promise);
    reports("line-2", { outcome: "said" });
    expect(done()).toBe("The agent has said it.");
  });

  it("does not replace the answer to a later request", async () => {
    const { operator, reports, done } = rig();
    await operator.say("session-1", line);
    await operator.end("session-1");
    reports("line-1", { outcome: "said" });
    expect(done()).toBe("The agent says goodbye.");
  });

  it("of a conversation that is no longer watched is forgotten", async () => {
    const { operator, reports, done } = rig();
    await operator.say("session-1", line);
    operator.forget();
    reports("line-1", { outcome: "said" });
    expect(done()).toBeUndefined();
  });
});

describe("a service that is away when an operator asks", () => {
  it("is said to be away until it answers again", async () => {
    const { operator, setAway } = rig();
    setAway(true);
    expect(await operator.say("session-1", line)).toBe(false);
    expect(operator.store.get().problem).toContain("The service does not answer.");
    setAway(false);
    expect(operator.store.get()).toEqual({ isBusy: false, done: answersAgain, problem: undefined });
  });

  it("does not replace the answer to a later request", async () => {
    const { operator, setAway, done } = rig();
    setAway(true);
    await operator.say("session-1", line);
    await operator.end("session-1");
    setAway(false);
    expect(done()).toBe("The agent says goodbye.");
  });
});
