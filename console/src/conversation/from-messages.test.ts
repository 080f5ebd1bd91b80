import { expect, it } from "vitest";
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";

import type { SessionDetails } from "../api/service-api.ts";
import { fromMessages, isStored } from "./from-messages.ts";
import type { StoredMessage } from "../api/service-api.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const base = (second: number) => ({ session_id: "session-1", timestamp: at(second) });
const said = (second: number, text: string, more: object): StoredMessage => ({
  ...base(second),
  type: "response",
  payload: { text, agent: "front_desk", turn_id: "turn-1", is_final: false, ...more },
});
const messages: readonly StoredMessage[] = [
  said(2, "Good morning. How are you?", {}),
  { ...base(3), type: "event", payload: { name: "barge_in", reason: "interrupted" } },
  said(4, "Good morning.", { is_final: true, interrupted: true }),
  {
    ...base(5),
    type: "tool_call",
    payload: { name: "check_balance", args: {}, result: { success: true }, status: "success", duration_ms: 640 },
  },
  { ...base(6), type: "event", payload: { name: "operator", action: "say" } },
  { ...base(7), type: "event", payload: { name: "session_ended", reason: "caller_left" } },
];
const item = (content: string, second: number) => ({
  role: "user",
  content,
  agent: "front_desk",
  turn_id: "turn-0",
  timestamp: at(second),
  interrupted: false,
});
const details: SessionDetails = {
  scenario: "bank",
  active_agent: "front_desk",
  recordings: [],
  failures: [],
  conversation_history: [item("hello", 1), item("later", 5)],
};

it("[TIMELINE-1] shows of a conversation that is over what somebody saw who watched it", () => {
  const { entries, ended } = fromMessages(details, [], { isComplete: true, messages });
  expect(entries).toMatchObject([
    { kind: "agent", text: "Good morning.", unheard: " How are you?", isInterrupted: true },
    { kind: "tool", name: "check_balance", durationMs: 640 },
    { kind: "notice", text: "An operator has the agent say a line." },
    { kind: "notice", ending: "caller_left" },
  ]);
  expect(ended).toBe("caller_left");
});

it("takes what is older than the stored messages from the history, and all of it where there are none", () => {
  const texts = (stored: readonly StoredMessage[]) =>
    fromMessages(details, [], { isComplete: false, messages: stored }).entries.flatMap((entry) =>
      entry.kind === "user" || entry.kind === "agent" ? [entry.text] : [],
    );
  expect(texts(messages)).toEqual(["hello", "Good morning."]);
  expect(texts([])).toEqual(["hello", "later"]);
});

it("[TIMELINE-6] knows a message that it has received and read, and the pieces of an answer that were stored as one", () => {
  const stored = [{ ...said(2, "Good morning. How are you?", {}), until: at(3) }, ...messages.slice(1)];
  const piece = (second: number): ServerMessage => said(second, "How ", {});
  expect([2, 3, 4].map((second) => isStored(piece(second), stored))).toEqual([true, true, false]);
  const [, , , tool] = messages;
  expect(tool !== undefined && isStored(tool, stored)).toBe(true);
});
