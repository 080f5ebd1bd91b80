import { describe, expect, it } from "vitest";

import { Answers, answersAgain } from "../api/answers.ts";
import { OperatorSession } from "./operator-session.ts";

const promise = "The agent says it as soon as nobody speaks.";
const line = "A colleague will call you back.";

function rig() {
  const answers = new Answers();
  let isAway = false;
  const api = {
    say: async () => {
      if (isAway) throw new TypeError("Failed to fetch");
      return promise;
    },
    end: async () => "The agent says goodbye.",
    transfer: async () => "The call is being transferred.",
  };
  const operator = new OperatorSession(api, answers.onceItAnswers);
  const hear = (text: string, more: { readonly is_final?: boolean; readonly interrupted?: boolean } = {}): void =>
    operator.hear({ text, agent: "banking", turn_id: "turn-1", is_final: true, ...more });
  const setAway = (away: boolean): void => {
    isAway = away;
    if (!away) answers.came();
  };
  return { operator, hear, setAway, done: () => operator.store.get().done };
}

describe("a line for the agent to say", () => {
  it("is promised until it was said", async () => {
    const { operator, hear, done } = rig();
    await operator.say("session-1", line);
    hear("Something else.");
    hear(line, { is_final: false });
    expect(done()).toBe(promise);
    hear(line);
    expect(done()).toBe("The agent has said it.");
  });

  it("that the caller has interrupted is not reported as said", async () => {
    const { operator, hear, done } = rig();
    await operator.say("session-1", line);
    hear("A colleague", { interrupted: true });
    expect(done()).toBe("The caller interrupted the agent in the middle of it.");
  });

  it("is promised while another one waits", async () => {
    const { operator, hear, done } = rig();
    await operator.say("session-1", line);
    await operator.say("session-1", "Goodbye.");
    hear(line);
    expect(done()).toBe(promise);
    hear("Goodbye.");
    expect(done()).toBe("The agent has said it.");
  });

  it("does not replace the answer to a later request", async () => {
    const { operator, hear, done } = rig();
    await operator.say("session-1", line);
    await operator.end("session-1");
    hear(line);
    expect(done()).toBe("The agent says goodbye.");
  });

  it("of a conversation that is no longer watched is forgotten", async () => {
    const { operator, hear, done } = rig();
    await operator.say("session-1", line);
    operator.forget();
    hear(line);
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
