import { describe, expect, it } from "vitest";
import { startRealtimeRig as rig } from "../../../testing/realtime-rig.ts";

describe("an answer that the model does not bring to its end", () => {
  async function cut(cause: "length" | "content_filter", spoken: string) {
    const parts = await rig();
    const { model, clock } = parts;
    model.answer("a", "Hello from desk.", 800);
    await clock.advanceAsync(1000, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 100 }, { type: "speech-stopped", itemId: "u", atMs: 900 });
    model.emit({ type: "user-transcript", itemId: "u", text: "How does it work?", isFinal: true });
    model.emit({ type: "response-started", responseId: "r" });
    if (spoken !== "")
      model.emit(
        { type: "agent-text", responseId: "r", itemId: "b", delta: spoken },
        { type: "audio", responseId: "r", itemId: "b", samples: new Int16Array(24 * 500).fill(1000) },
      );
    model.emit({ type: "response-finished", responseId: "r", status: "incomplete", cut: cause });
    return parts;
  }

  const more = "That is not all of it. Shall I go on?";
  const noMore = "I am sorry, I cannot say more about that. What else can I do for you?";

  it.each([
    ["length", more],
    ["content_filter", noMore],
  ] as const)("[MODEL-1c] is said, stored and counted as cut by %s", async (cause, words) => {
    const { model, clock, transport, conversation, state } = await cut(cause, "Then you can");
    expect(model.log.at(-1)).toBe(`respond ${words}`);
    model.answer("c", words, 600);
    await clock.advanceAsync(2000, 10);
    expect(transport.heard.at(-1)).toMatchObject({ text: `Then you can ${words}`, interrupted: false });
    expect(transport.events("answer_cut")).toMatchObject([{ payload: { turn_id: "turn-2", cause } }]);
    await conversation.flush();
    const stored = await state.sessions.history(conversation.sessionId);
    expect(stored.at(-1)).toMatchObject({ role: "assistant", cut: cause, interrupted: false });
  });

  it("[MODEL-2] leaves the caller's words out of what models see where the filter let nothing be said", async () => {
    const { model, clock, transport, conversation } = await cut("content_filter", "");
    const words = "I am sorry, I cannot talk about that. What else can I do for you?";
    expect(model.log.slice(-2)).toEqual(["forget caller", `respond ${words}`]);
    model.answer("c", words, 600);
    await clock.advanceAsync(2000, 10);
    expect(transport.heard.at(-1)?.text).toBe(words);
    expect(conversation.knownHistory.map(({ content }) => content)).not.toContain("How does it work?");
    expect(transport.notices.filter(({ type }) => type === "error")).toEqual([]);
  });

  it("[MODEL-3] has failed where the token limit was used up before the first word", async () => {
    const { model } = await cut("length", "");
    expect(model.log.at(-1)).toMatch(/^respond I am sorry/);
    expect(model.log.at(-1)).not.toContain(more);
  });

  it("[MODEL-1d] says so once, also where those words are cut too", async () => {
    const { model, clock, transport } = await cut("length", "Then you can");
    model.emit(
      { type: "response-started", responseId: "s" },
      { type: "agent-text", responseId: "s", itemId: "c", delta: "That is not" },
      { type: "audio", responseId: "s", itemId: "c", samples: new Int16Array(24 * 200).fill(1000) },
      { type: "response-finished", responseId: "s", status: "incomplete", cut: "length" },
    );
    await clock.advanceAsync(2000, 10);
    expect(transport.heard.at(-1)?.text).toBe("Then you can That is not");
    expect(transport.events("answer_cut")).toHaveLength(1);
  });
});
