import { expect, it } from "vitest";

import { addMissed } from "./add-missed.ts";
import { emptyConversation } from "./conversation-view.ts";
import type { ConversationView, Entry, NewEntry } from "./conversation-view.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();

const user = (text: string, isPending = false): NewEntry => ({ kind: "user", text, isPending });

function agent(text: string, extra: Partial<Extract<NewEntry, { kind: "agent" }>> = {}): NewEntry {
  const rest = { isComplete: true, isPast: true, unheard: "", isInterrupted: false };
  return { kind: "agent", agent: "front_desk", turnId: "turn-1", text, ...rest, ...extra };
}

function viewOf(said: readonly (readonly [second: number, entry: NewEntry])[]): ConversationView {
  const entries = said.map(([second, entry], index): Entry => ({ ...entry, id: index + 1, at: at(second) }));
  return { ...emptyConversation, entries, nextId: entries.length + 1 };
}

const shown = ({ entries }: ConversationView) => entries.map((entry) => ("text" in entry ? entry.text : entry.kind));

/** Away from second 10 to second 20. */
const absence = (nextId: number) => ({ since: at(10), until: at(20), nextId });

it("puts what was said meanwhile between what the page saw before and after", () => {
  const tool = { kind: "tool", name: "look_up", args: {}, result: 1, status: "success", durationMs: 7 } as const;
  const seen = viewOf([
    [1, user("hello")],
    [2, tool],
    [10, agent("Good day.")],
    [21, user("yes")],
  ]);
  const stored = viewOf([
    [1, user("hello")],
    [2, { ...tool, durationMs: undefined }],
    [10, agent("Good day.")],
    [12, user("yes")],
    [14, agent("Fine.", { turnId: "turn-2" })],
    [21, user("yes")],
  ]);
  const merged = addMissed(seen, stored, absence(4));
  expect(shown(merged)).toEqual(["hello", "tool", "Good day.", "yes", "Fine.", "yes"]);
  expect(merged.entries[1]).toMatchObject({ durationMs: 7 });
  expect(new Set(merged.entries.map(({ id }) => id)).size).toBe(6);
  expect(merged.entries.every(({ id }) => id < merged.nextId)).toBe(true);
});

it("leaves words that were typed on coming back behind what was said meanwhile", () => {
  const seen = viewOf([
    [1, user("hello")],
    [9, user("typed while away", true)],
  ]);
  const stored = viewOf([
    [1, user("hello")],
    [12, agent("Good day.")],
  ]);
  expect(shown(addMissed(seen, stored, absence(2)))).toEqual(["hello", "Good day.", "typed while away"]);
});

it("shows an answer once that the page left in the middle of, as far as it was heard", () => {
  const seen = viewOf([[9, agent("Your balance is ten dollars.")]]);
  const stored = viewOf([
    [11, agent("Your balance is", { isInterrupted: true })],
    [12, user("thanks")],
  ]);
  const { entries } = addMissed(seen, stored, absence(2));
  expect(entries).toMatchObject([
    { text: "Your balance is", isInterrupted: true, unheard: " ten dollars." },
    { text: "thanks" },
  ]);
});

it("shows an answer whole whose end was heard in the other tab, and another one in the same words twice", () => {
  const seen = viewOf([[9, agent("Your balance")]]);
  const whole = viewOf([[11, agent("Your balance is ten dollars.")]]);
  expect(shown(addMissed(seen, whole, absence(2)))).toEqual(["Your balance is ten dollars."]);
  const again = viewOf([[11, agent("Your balance", { turnId: "turn-2" })]]);
  expect(shown(addMissed(seen, again, absence(2)))).toEqual(["Your balance", "Your balance"]);
});

it("shows the caller's words once that were stored only when the page had left", () => {
  const seen = viewOf([
    [8, user("I want")],
    [9, user("to check my balance", true)],
  ]);
  const stored = viewOf([
    [11, user("I want to check my balance.")],
    [12, agent("Which one?")],
  ]);
  const { entries } = addMissed(seen, stored, absence(3));
  expect(entries).toMatchObject([
    { text: "I want" },
    { text: "to check my balance", isPending: false },
    { text: "Which one?" },
  ]);
});

it("adds the latencies of the turns that it missed, and keeps those that it has measured", () => {
  const latency = (turn: number, ms: number) => ({ turnId: `turn-${turn}`, agent: "a", metrics: { total: ms } });
  const seen = { ...emptyConversation, latencies: [latency(1, 10), latency(3, 30)] };
  const stored = { ...emptyConversation, latencies: [latency(1, 11), latency(2, 22)] };
  expect(addMissed(seen, stored, absence(1)).latencies).toEqual([latency(1, 10), latency(2, 22), latency(3, 30)]);
});
