import { describe, expect, it } from "vitest";
import { startRealtimeRig } from "../../../testing/realtime-rig.ts";

const uninterruptible = () => startRealtimeRig({ bargeInEnabled: false });

describe("what a realtime service answers unasked over words that may not be interrupted", () => {
  it("[BARGE-7] [TURN-11] is heard after them, as a reply of its own", async () => {
    const { model, transport, clock, conversation } = await uninterruptible();
    model.answer("a", "Hello from desk.", 1000);
    await clock.advanceAsync(300, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 300 }, { type: "speech-stopped", itemId: "u", atMs: 500 });
    model.emit({ type: "user-transcript", itemId: "u", text: "my balance", isFinal: true });
    model.answer("b", "It is ten dollars.", 600);
    await clock.advanceAsync(750, 10);
    expect(transport.heard).toMatchObject([{ text: "Hello from desk.", interrupted: false }]);
    await clock.advanceAsync(600, 10);
    expect(transport.heard).toMatchObject([{ text: "Hello from desk." }, { text: "It is ten dollars." }]);
    expect(new Set(conversation.knownHistory.map(({ turnId, role }) => `${role} ${turnId}`)).size).toBe(3);
  });

  it("[BARGE-7] is heard although it has only begun when they end", async () => {
    const { model, transport, clock } = await uninterruptible();
    model.answer("a", "Hello from desk.", 1000);
    await clock.advanceAsync(900, 10);
    const responseId = "response-b";
    model.emit({ type: "speech-started", itemId: "u", atMs: 500 }, { type: "speech-stopped", itemId: "u", atMs: 900 });
    model.emit({ type: "response-started", responseId });
    await clock.advanceAsync(400, 10);
    model.emit(
      { type: "audio", responseId, itemId: "b", samples: new Int16Array(24 * 200) },
      { type: "agent-text-finished", responseId, itemId: "b", text: "Ten." },
      { type: "response-finished", responseId, status: "completed" },
    );
    await clock.advanceAsync(300, 10);
    expect(transport.heard.at(-1)).toMatchObject({ text: "Ten.", interrupted: false });
  });

  it("[TOOL-3e] leaves no call without a result where the caller goes on in writing before it is run", async () => {
    const { model, clock, session } = await startRealtimeRig({ bargeInEnabled: false });
    model.answer("a", "Hello from desk.", 100);
    await clock.advanceAsync(300, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 300 }, { type: "speech-stopped", itemId: "u", atMs: 500 });
    model.emit({ type: "user-transcript", itemId: "u", text: "my balance", isFinal: true });
    model.answer("b", "It is ten dollars.", 600);
    const responseId = "response-c";
    model.emit(
      { type: "response-started", responseId },
      { type: "tool-call", responseId, call: { id: "call-1", name: "pay", argumentsJson: "{}" } },
      { type: "response-finished", responseId, status: "completed" },
    );
    session.handle({ type: "whole-turn", text: "and my rate" });
    await clock.advanceAsync(10, 10);
    expect(model.log.filter((line) => line.includes("call-1"))).toHaveLength(1);
  });

  it("[TURN-11] [EFFECT-2a] is heard one answer after the other, and what the second one's tools ask for is done", async () => {
    const done: string[] = [];
    const { model, transport, clock } = await startRealtimeRig({
      runMs: 1000,
      effectsOf: () => [{ type: "transfer", target: "desk-2", reason: "wanted" }],
      onEffect: async ({ type }) => {
        done.push(type);
        return { ok: true };
      },
      bargeInEnabled: false,
    });
    model.answer("a", "Hello from desk.", 1000);
    await clock.advanceAsync(100, 10);
    model.answer("b", "Ten.", 400);
    const responseId = "response-c";
    model.emit({ type: "response-started", responseId });
    await clock.advanceAsync(1000, 10);
    model.emit(
      { type: "tool-call", responseId, call: { id: "call-1", name: "transfer", argumentsJson: "{}" } },
      { type: "response-finished", responseId, status: "completed" },
    );
    await clock.advanceAsync(2000, 10);
    model.answer("d", "I connect you.", 200);
    await clock.advanceAsync(1000, 10);
    expect(transport.heard.map(({ text }) => text)).toEqual(["Hello from desk.", "Ten.", "I connect you."]);
    expect(done).toEqual(["transfer"]);
  });

  it("[TURN-11] is heard after an operator's line that was requested at the same moment, and is not taken for the line", async () => {
    const { model, transport, clock, session } = await uninterruptible();
    model.answer("a", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    session.handle({ type: "line-given", text: "A person will call you." });
    model.emit({ type: "speech-started", itemId: "u", atMs: 300 }, { type: "speech-stopped", itemId: "u", atMs: 500 });
    model.emit({ type: "user-transcript", itemId: "u", text: "my balance", isFinal: true });
    const responseId = "response-unasked";
    model.emit({ type: "response-started", responseId, isUnasked: true });
    model.emit({ type: "tool-call", responseId, call: { id: "call-1", name: "look_up", argumentsJson: "{}" } });
    model.emit({ type: "response-finished", responseId, status: "completed" });
    model.answer("line", "A person will call you.", 300);
    await clock.advanceAsync(500, 10);
    model.answer("c", "Ten dollars.", 300);
    await clock.advanceAsync(500, 10);
    expect(transport.heard.map(({ text }) => text)).toEqual([
      "Hello from desk.",
      "A person will call you.",
      "Ten dollars.",
    ]);
  });

  it("[BARGE-9] is refused before a goodbye that was requested at the same moment, which is requested anew", async () => {
    const { model, transport, clock, session } = await startRealtimeRig();
    model.answer("a", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    session.handle({ type: "farewell-requested", reason: "draining" });
    model.log.length = 0;
    model.emit({ type: "response-started", responseId: "unasked", isUnasked: true });
    expect(model.log).toEqual(["cancel", expect.stringContaining("respond ")]);
    model.answer("b", "Goodbye.", 300);
    await clock.advanceAsync(500, 10);
    expect(transport.heard.slice(1)).toMatchObject([{ text: "Goodbye." }]);
    expect(await session.ended).toBe("draining");
  });

  it("[TOOL-3d] is given up where a tool still runs when it would be heard, which the service is told, and asked for anew", async () => {
    const { model, clock } = await startRealtimeRig({ runMs: 15_000, bargeInEnabled: false });
    model.answer("a", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    model.emit({ type: "user-transcript", itemId: "u", text: "pay", isFinal: true });
    model.callTool("pay");
    await clock.advanceAsync(10_100, 20); // FAIL-1
    model.answer("sorry", "I am sorry.", 1000);
    const responseId = "response-unasked";
    const call = { id: "call-2", name: "look_up", argumentsJson: "{}" };
    model.emit({ type: "speech-started", itemId: "v", atMs: 300 }, { type: "speech-stopped", itemId: "v", atMs: 500 });
    model.answer("b", "It is not paid.", 300);
    model.emit({ type: "response-started", responseId }, { type: "tool-call", responseId, call });
    model.emit({ type: "response-finished", responseId, status: "completed" });
    await clock.advanceAsync(1500, 20);
    expect(model.log).toContain("truncate b 0");
    expect(model.log.filter((entry) => entry.startsWith("result call-2"))).toMatchObject([
      expect.stringContaining("not_run"),
    ]);
    expect(model.log.at(-1)).toBe("cancel");
    await clock.advanceAsync(5000, 20);
    expect(model.log.slice(-2)).toEqual([expect.stringContaining("result call-1"), "respond"]);
  });

  it("[BARGE-9] does not prolong a goodbye", async () => {
    const { model, transport, clock, session } = await startRealtimeRig();
    model.answer("a", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    session.handle({ type: "farewell-requested", reason: "draining" });
    model.answer("b", "Goodbye.", 800);
    await clock.advanceAsync(300, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 300 }, { type: "speech-stopped", itemId: "u", atMs: 500 });
    model.answer("c", "You are welcome. Is there anything else?", 3000);
    await clock.advanceAsync(600, 10);
    expect(transport.heard.slice(1)).toMatchObject([{ text: "Goodbye.", interrupted: false }]);
    expect(await session.ended).toBe("draining");
  });

  it("[VM-2] is not heard by an answering machine", async () => {
    const { model, transport, clock, session } = await uninterruptible();
    model.answer("a", "Hello from desk.", 500);
    model.answer("b", "Who is there?", 500);
    session.handle({ type: "voicemail-answered" });
    await clock.advanceAsync(2000, 10);
    expect(transport.heard.filter(({ text }) => text === "Who is there?")).toEqual([]);
    expect(model.log).toContain("truncate b 0");
  });
});
