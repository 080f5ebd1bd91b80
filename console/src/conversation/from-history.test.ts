import { expect, it } from "vitest";

import type { SessionDetails } from "../api/service-api.ts";
import { fromHistory } from "./from-history.ts";

type Item = SessionDetails["conversation_history"][number];

const item = (role: string, content: string, extra: Partial<Item> = {}): Item => ({
  role,
  content,
  agent: "front-desk",
  turn_id: "turn-1",
  timestamp: "2026-01-01T12:00:00.000Z",
  interrupted: false,
  ...extra,
});

it("shows tools and handoffs of a conversation that is over, in their order", () => {
  const details: SessionDetails = {
    scenario: "bank",
    active_agent: "cards",
    recordings: [],
    failures: [],
    conversation_history: [
      item("user", "I lost my card"),
      item("assistant", "", {
        tool_calls: [{ id: "1", name: "handoff_to_agent", arguments: '{"target_agent":"cards"}' }],
      }),
      item("tool", '{"success":true,"handoff":true,"previous_agent":"front-desk","target_agent":"cards"}', {
        tool_call_id: "1",
      }),
      item("assistant", "I am connecting you."),
      item("assistant", "This is the card team.", { agent: "cards" }),
      item("tool", '{"success":false}', { tool_call_id: "gone" }),
    ],
  };
  expect(fromHistory(details, []).entries).toMatchObject([
    { id: 1, kind: "user", text: "I lost my card" },
    { id: 2, kind: "agent", agent: "front-desk", text: "I am connecting you." },
    { id: 3, kind: "tool", name: "handoff_to_agent", args: { target_agent: "cards" }, status: "success" },
    { id: 4, kind: "handoff", from: "front-desk", to: "cards" },
    { id: 5, kind: "agent", agent: "cards", text: "This is the card team." },
    { id: 6, kind: "tool", name: "tool", status: "error" },
  ]);
});

it("shows why an agent could not answer, before its apology", () => {
  const at = (second: number): string => `2026-01-01T12:00:0${second}.000Z`;
  const details: SessionDetails = {
    scenario: "bank",
    active_agent: "front-desk",
    recordings: [],
    failures: [
      { code: "rate_limited", message: "The agent could not answer (429).", timestamp: at(2) },
      { code: "rate_limited", message: "The agent could not answer (still 429).", timestamp: at(5) },
    ],
    conversation_history: [
      item("user", "I lost my card", { timestamp: at(1) }),
      item("assistant", "I am sorry.", { timestamp: at(3) }),
      item("user", "My card", { timestamp: at(4) }),
    ],
  };
  expect(fromHistory(details, []).entries).toMatchObject([
    { id: 1, text: "I lost my card" },
    { id: 2, kind: "notice", tone: "error", text: "The agent could not answer (429)." },
    { id: 3, text: "I am sorry." },
    { id: 4, text: "My card" },
    { id: 5, kind: "notice", text: "The agent could not answer (still 429)." },
  ]);
});

it("shows that the model's content filter stopped an answer, before what was said instead, as it was live", () => {
  const details: SessionDetails = {
    scenario: "bank",
    active_agent: "front-desk",
    recordings: [],
    failures: [],
    conversation_history: [item("assistant", "I cannot talk about that.", { cut: "content_filter" })],
  };
  expect(fromHistory(details, []).entries).toMatchObject([
    { kind: "notice", text: "The model's content filter stopped the answer." },
    { kind: "agent", text: "I cannot talk about that." },
  ]);
});

it("[GUARD-1] marks an answer of which a guardrail held something back, as it was live", () => {
  const details: SessionDetails = {
    scenario: "bank",
    active_agent: "front-desk",
    recordings: [],
    failures: [],
    conversation_history: [
      item("assistant", "It is a number.", { guardrails: ["numbers"] }),
      item("assistant", "Yes."),
    ],
  };
  const [held, free] = fromHistory(details, []).entries;
  expect(held).toMatchObject({ kind: "agent", guardrails: ["numbers"] });
  expect(free).not.toHaveProperty("guardrails");
});
