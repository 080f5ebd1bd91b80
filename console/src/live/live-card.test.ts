import { describe, expect, it } from "vitest";

import type { ServerMessage, ServerMessageType, ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import { parseServerMessage } from "@voice/shared/contracts/stream/parse-server-message";
import { byNeed, needOf, newCard, reduceCard, silenceMs } from "./live-card.ts";
import type { LiveCard } from "./live-card.ts";

function message<Type extends ServerMessageType>(type: Type, payload: ServerPayloads[Type]): ServerMessage {
  const at = { session_id: "s", timestamp: "2026-03-01T10:00:00.000Z" };
  const made = parseServerMessage(JSON.stringify({ type, ...at, payload }));
  if (made === undefined) throw new Error("no such message");
  return made;
}
const state = (name: "listening" | "thinking" | "speaking") =>
  message("event", { name: "state_change", state: name, agent: "desk" });
const after = (messages: readonly (readonly [ServerMessage, number])[], card: LiveCard = newCard("s", 0)): LiveCard =>
  messages.reduce((before, [one, atMs]) => reduceCard(before, one, atMs), card);

describe("the card of a live conversation", () => {
  it("[WALL-1] shows the last words of either side, as far as they are known", () => {
    const heard = message("transcript", { text: "I lost my card", is_final: false, speaker: "user" });
    const piece = (text: string) => message("response", { text, agent: "desk", turn_id: "t-1", is_final: false });
    expect(after([[heard, 10]]).words).toEqual({ speaker: "caller", text: "I lost my card" });
    const answered = after([
      [heard, 10],
      [piece("I am "), 20],
      [piece("sorry."), 30],
    ]);
    expect(answered.words).toMatchObject({ speaker: "agent", text: "I am sorry." });
    expect(answered.agent).toBe("desk");
  });

  it("[WALL-2] says who waits for an answer and for how long, and who has fallen silent", () => {
    const asked = after([
      [state("listening"), 0],
      [state("thinking"), 1000],
    ]);
    expect(needOf(asked, 3000).level).toBe(0);
    expect(needOf(asked, 5000)).toMatchObject({ level: 1, sentence: "Waiting for an answer for 4 s" });
    expect(needOf(asked, 10_000)).toMatchObject({ level: 2, sentence: "Waiting for an answer for 9 s" });
    const spoken = after([
      [state("speaking"), 0],
      [state("listening"), 4000],
    ]);
    expect(needOf(spoken, 13_000)).toMatchObject({ level: 1, sentence: "Silent for 9 s" });
    expect(needOf(spoken, 25_000)).toMatchObject({ level: 2, sentence: "Silent for 21 s" });
  });

  it("counts no silence while somebody is heard", () => {
    const loud = message("audio_levels", { input: 0.3, output: 0 });
    const quiet = message("audio_levels", { input: 0.001, output: 0 });
    expect(
      silenceMs(
        after([
          [state("listening"), 0],
          [loud, 9000],
          [quiet, 9500],
        ]),
        10_000,
      ),
    ).toBe(1000);
    expect(silenceMs(after([[state("speaking"), 0]]), 60_000)).toBe(0);
  });

  it("shows a failure for a minute, and an end at once", () => {
    const failed = after([[message("error", { code: "upstream_timeout", message: "The model did not answer." }), 0]]);
    expect(needOf(failed, 59_000)).toMatchObject({ level: 2, sentence: "The model did not answer." });
    expect(needOf(failed, 61_000).level).toBe(0);
    expect(after([[message("event", { name: "session_ended", reason: "caller_left" }), 0]]).isOver).toBe(true);
  });

  it("[WALL-3] comes first where it needs somebody, the longest wait before the others, and else stays in its place", () => {
    const card = (sessionId: string, startedAtMs: number, messages: Parameters<typeof after>[0] = []) => ({
      ...after(messages, newCard(sessionId, 0)),
      startedAtMs,
    });
    const cards = [
      card("a", 1),
      card("b", 2, [[state("thinking"), 2000]]),
      card("c", 3, [[state("thinking"), 1000]]),
      card("d", 4, [[state("speaking"), 0]]),
    ];
    expect(byNeed(cards, 10_000).map(({ card: { sessionId } }) => sessionId)).toEqual(["c", "b", "a", "d"]);
    expect(byNeed(cards, 2500).map(({ card: { sessionId } }) => sessionId)).toEqual(["a", "b", "c", "d"]);
  });
});
