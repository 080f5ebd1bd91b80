/** An answer whose tools have run, and that nobody hears to its end: what becomes of what they asked for. */
import { withoutWithdrawn } from "@voice/shared/conversation/withdrawn-effects";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { greetingMs, startCascadeRig as rig } from "../../../testing/cascade-rig.ts";

const broken = new VoiceError("upstream_unavailable", "the endpoint answered 500");

describe("an answer that breaks off when its tools have run", () => {
  it.each([
    { type: "escalate", reason: "asked" },
    { type: "hold", seconds: 60 },
  ] as const)("[EFFECT-2d] does no $type that it did not announce, and tells the model so", async (effect) => {
    const { session, listen, model, transport, effects, conversation } = await rig({
      answers: [{ calls: [{ name: "ask" }] }, broken, "Shall I do it now?"],
      tools: () => ({ effects: [effect] }),
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "i want a person" });
    await listen(6000);
    expect(transport.heard.at(-1)?.text).toMatch(/^I am sorry, something went wrong/);
    expect(effects).toEqual([]);
    session.handle({ type: "whole-turn", text: "i want a person" });
    await listen(3000);
    const result = model.requests.at(-1)?.messages.find(({ role }) => role === "tool");
    expect(result?.content).toContain("broke_off");
    expect(withoutWithdrawn(conversation.knownHistory).some((item) => item.effects !== undefined)).toBe(false);
  });

  it("[EFFECT-17a] [EFFECT-17b] goes on after a goodbye that the caller spoke over, and says in history and to the model that nobody hung up", async () => {
    const { listen, model, session, conversation } = await rig({
      answers: [
        { text: "Goodbye then.", calls: [{ name: "end_call" }] },
        "Have a nice and long day.",
        "From nine to five.",
      ],
      tools: () => ({ effects: [{ type: "hang-up", reason: "done" }] }),
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "thank you" });
    await listen(600);
    session.handle({ type: "whole-turn", text: "when are you open" });
    await listen(6000);
    const result = model.requests.at(-1)?.messages.find(({ role }) => role === "tool");
    expect(result?.content).toContain("talked_over");
    expect(conversation.knownHistory.filter(({ toolCallId }) => toolCallId !== undefined)).toMatchObject([
      { role: "tool", toolName: "end_call" },
      { role: "system", content: expect.stringContaining("this was not done") },
    ]);
  });

  it.each([
    ["that it is done where it was", { success: true }, true, "That is done. Is there anything else I can do for you?"],
    ["nothing of a failure where a tool has found something out", { success: true }, false, "Thank you for waiting."],
    [
      "that nobody knows where nobody does",
      { success: false, error: "outcome_unknown" },
      true,
      "I am sorry, I cannot tell",
    ],
    [
      "that it went wrong where it did",
      { success: false, error: "http_409" },
      true,
      "I am sorry, something went wrong",
    ],
  ])("[TOOL-12] says %s, after a tool and without an answer", async (_what, result, changes, words) => {
    const { session, listen, transport, conversation } = await rig({
      answers: [{ text: "I will do it.", calls: [{ name: "book" }] }, broken, "", ""],
      tools: ({ id }) => {
        if (changes)
          void conversation.beginCalls({
            turnId: "turn-2",
            agent: "desk",
            calls: [{ id, name: "book", argumentsJson: "{}" }],
          });
        return { result };
      },
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "book a table" });
    await listen(6000);
    expect(transport.heard.at(-1)?.text.startsWith(words)).toBe(true);
  });

  it("[EFFECT-2d] [FAIL-3] transfers nobody whose announcement was cut off by a voice that failed", async () => {
    const { session, listen, synthesiser, effects } = await rig({
      answers: [{ calls: [{ name: "ask" }] }, "I am connecting you now. Please stay on the line."],
      tools: () => ({ effects: [{ type: "escalate", reason: "asked" }] }),
    });
    synthesiser.hangsOn = "Please stay on the line.";
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "i want a person" });
    await listen(12_000);
    expect(effects).toEqual([]);
  });

  it("[END-3] [FAIL-2b] says goodbye, and asks nobody to say anything again, where it was to hang up", async () => {
    const { session, listen, transport, conversation } = await rig({
      answers: [{ calls: [{ name: "end_call" }] }, broken],
      tools: () => ({ effects: [{ type: "hang-up", reason: "the caller said goodbye" }] }),
    });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "goodbye" });
    await listen(6000);
    const heard = transport.heard.map(({ text }) => text).filter((text) => text !== "");
    expect(heard.slice(1)).toEqual(["Goodbye."]);
    expect(conversation.knownHistory.at(-1)).toMatchObject({ content: "Goodbye." });
  });
});
