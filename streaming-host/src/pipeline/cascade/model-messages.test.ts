import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { describe, expect, it } from "vitest";
import { toModelMessages } from "./model-messages.ts";

const item = (role: HistoryItem["role"], content: string, more: Partial<HistoryItem> = {}): HistoryItem => ({
  role,
  content,
  agent: "desk",
  turnId: "t",
  timestampMs: 0,
  interrupted: false,
  ...more,
});
const shown = (...history: readonly HistoryItem[]) =>
  toModelMessages(history).map(({ role, content }) => `${role}: ${content}`);
const interrupted = "system: The caller interrupted the assistant here and heard only the words above.";

describe("[MODEL-16] what the model is shown of a session that was resumed", () => {
  it("has one greeting for a caller who came back many times, however much of it they heard", () => {
    const back = "You are back at the front desk.";
    const cut = { interrupted: true, brokenOff: true } as const;
    const storm = [back, "You are", back, "You", back].map((text, place) =>
      item("assistant", text, place % 2 === 1 ? cut : {}),
    );
    expect(
      shown(item("assistant", "Hello."), item("user", "My card."), ...storm, item("user", "Are you there?")),
    ).toEqual(["assistant: Hello.", "user: My card.", `assistant: ${back}`, "user: Are you there?"]);
  });

  it("has the greetings between which the caller spoke, and different words of the agent", () => {
    const history = [
      item("assistant", "Back."),
      item("user", "Yes."),
      item("assistant", "Back."),
      item("assistant", "Where were we?"),
    ];
    expect(shown(...history)).toHaveLength(4);
  });

  it("says that the caller interrupted only where they did", () => {
    expect(shown(item("assistant", "It is", { interrupted: true }))).toEqual(["assistant: It is", interrupted]);
    expect(shown(item("assistant", "It is", { interrupted: true, brokenOff: true }))).toEqual(["assistant: It is"]);
  });
});
