import { describe, expect, it } from "vitest";

import { OperatorSession } from "./operator-session.ts";

const promise = "The agent says it as soon as nobody speaks.";
const line = "A colleague will call you back.";

function rig() {
  const operator = new OperatorSession({
    say: async () => promise,
    end: async () => "The agent says goodbye.",
    transfer: async () => "The call is being transferred.",
  });
  const hear = (text: string, more: { readonly is_final?: boolean; readonly interrupted?: boolean } = {}): void =>
    operator.hear({ text, agent: "banking", turn_id: "turn-1", is_final: true, ...more });
  return { operator, hear, done: () => operator.store.get().done };
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
