import { describe, expect, it } from "vitest";

import type { ConnectionState } from "@voice/client-kit/connection/reconnecting-socket";
import { emptyConversation } from "../conversation/conversation-view.ts";
import { noChoice } from "./conversation-choice.ts";
import { listenerOf } from "./listener-of.ts";

const closed = (reason: "ended" | "unreachable"): ConnectionState => ({ kind: "closed", reason, detail: "" });
const withSpecialist = (connection: ConnectionState) => ({
  connection,
  view: { ...emptyConversation, agent: "card-specialist" },
  choice: noChoice,
});

describe("who hears what is said next", () => {
  it("is the agent in conversation, also while the connection is lost", () => {
    expect(listenerOf(withSpecialist({ kind: "open" }), "front-desk")).toBe("card-specialist");
    expect(listenerOf(withSpecialist(closed("unreachable")), "front-desk")).toBe("card-specialist");
  });

  it("is the agent who begins, before a conversation and after its end", () => {
    const before = { connection: { kind: "idle" }, view: emptyConversation, choice: noChoice } as const;
    expect(listenerOf(before, "front-desk")).toBe("front-desk");
    expect(listenerOf(withSpecialist(closed("ended")), "front-desk")).toBe("front-desk");
  });

  it("is the agent who was chosen to begin", () => {
    const state = { ...withSpecialist(closed("ended")), choice: { ...noChoice, agent: "fraud" } };
    expect(listenerOf(state, "front-desk")).toBe("fraud");
  });
});
