import { VoiceError } from "@voice/shared/platform/errors";
import { withoutWithdrawn } from "@voice/shared/conversation/withdrawn-effects";
import { describe, expect, it } from "vitest";
import type { HostEffect } from "../../conversation/host-effects.ts";
import { startRealtimeRig as rig } from "../../../testing/realtime-rig.ts";

describe("a realtime model that misbehaves", () => {
  it.each(["incomplete", "failed", "cancelled"] as const)(
    "runs no tool of a response that is %s, whose arguments may be cut off",
    async (status) => {
      const { model, clock, transport } = await rig();
      const call = { id: "c", name: "send_money", argumentsJson: '{"amount": 1' };
      model.emit(
        { type: "response-started", responseId: "r" },
        { type: "tool-call", responseId: "r", call },
        { type: "response-finished", responseId: "r", status, ...(status === "incomplete" && { cut: "length" }) },
      );
      await clock.advanceAsync(10);
      expect(model.log.filter((entry) => entry.startsWith("result"))).toEqual([]);
      expect(transport.notices.filter(({ type }) => type === "tool_call")).toEqual([]);
    },
  );

  it("[MODEL-3] [TOOL-11] asks for an answer without tools when they were called as often as they may be, and gives up where more are called", async () => {
    const { model, clock, transport } = await rig();
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    for (let round = 0; round < 26; round++) {
      const responseId = `r${round}`;
      const call = { id: `c${round}`, name: "look_up", argumentsJson: "{}" };
      model.emit(
        { type: "response-started", responseId },
        { type: "tool-call", responseId, call },
        { type: "response-finished", responseId, status: "completed" },
      );
      await clock.advanceAsync(10);
    }
    expect(model.log.filter((entry) => entry.startsWith("result"))).toHaveLength(25);
    expect(model.log.filter((entry) => /^respond.*Call none now.*tool_choice none/.test(entry))).toHaveLength(1);
    expect(transport.events("tool_rounds_spent")).toMatchObject([{ payload: { turn_id: "turn-2", rounds: 25 } }]);
    expect(model.log.at(-1)).toMatch(/^respond Thank you for waiting/);
  });

  const about = { responseId: "r", itemId: "i" };
  const words = { type: "agent-text", ...about, delta: "more and ".repeat(2000) } as const;
  const second = { type: "audio", ...about, samples: new Int16Array(24_000).fill(1000) } as const;
  it.each([
    ["says more than 100,000 characters", Array.from({ length: 6 }, () => words)],
    ["is more than ten minutes ahead of what is heard", Array.from({ length: 600 }, () => second)],
  ])("[MODEL-1b] is cut off where it %s, and nothing that still arrives is kept", async (_, tooMuch) => {
    const { model, clock, transport } = await rig();
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    model.emit({ type: "response-started", responseId: "r" }, second, ...tooMuch);
    expect(model.log.slice(1)).toEqual(["cancel", expect.stringMatching(/^respond That is not all/)]);
    const notices = transport.notices.length;
    model.emit(words, { type: "response-finished", responseId: "r", status: "cancelled" });
    expect(transport.notices).toHaveLength(notices);
  });

  it.each([
    ["129 calls", 129, 2],
    ["calls of 100,001 characters", 2, 50_001],
  ])("[MODEL-3] runs none of %s in one response", async (_, count, length) => {
    const { model, clock } = await rig();
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    const argumentsJson = "{}".padEnd(length);
    model.emit(
      { type: "response-started", responseId: "r" },
      ...Array.from({ length: count }, (__, at) => {
        const call = { id: `c${at}`, name: "look_up", argumentsJson };
        return { type: "tool-call", responseId: "r", call } as const;
      }),
      { type: "response-finished", responseId: "r", status: "completed" },
    );
    await clock.advanceAsync(10);
    expect(model.log.filter((entry) => entry.startsWith("result"))).toEqual([]);
    expect(model.log.at(-1)).toMatch(/^respond I am sorry/);
  });

  it("[FAIL-2a] says why a response failed", async () => {
    const { model, transport } = await rig();
    const reason = "the realtime model refused a request (rate_limit_exceeded)";
    model.emit(
      { type: "response-started", responseId: "r" },
      {
        type: "response-finished",
        responseId: "r",
        status: "failed",
        error: new VoiceError("rate_limited", "too many", { reason }),
      },
    );
    expect(transport.notices.find(({ type }) => type === "error")?.payload).toMatchObject({
      code: "rate_limited",
      message: expect.stringContaining("rate_limit_exceeded"),
    });
  });

  it("[BARGE-9] [REC-3g] says the words again that nobody may cut off when the service stops them for the caller", async () => {
    const { model, session, clock, transport } = await rig();
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    session.handle({ type: "last-words", text: "This call is over.", reason: "draining" });
    let hasEnded = false;
    void session.ended.then(() => (hasEnded = true));
    for (const [responseId, itemId] of [
      ["r1", "a"],
      ["r2", "b"],
    ] as const) {
      model.emit({ type: "response-started", responseId }, { type: "speech-started", itemId: "u", atMs: 200 });
      if (responseId === "r2")
        model.emit(
          { type: "audio", responseId, itemId, samples: new Int16Array(2400) },
          { type: "agent-text-finished", responseId, itemId, text: "This" },
        );
      model.emit({ type: "response-finished", responseId, status: "cancelled" });
      await clock.advanceAsync(300, 10);
    }
    expect(hasEnded).toBe(false);
    expect(model.log.filter((entry) => entry === "respond This call is over.")).toHaveLength(3);
    model.answer("c", "This call is over.", 400);
    await clock.advanceAsync(600, 10);
    expect(transport.heard.at(-1)?.text).toBe("This This call is over.");
    expect(await session.ended).toBe("draining");
  });

  it("[IDLE-1] is not waited for to end speech that a lost connection has reported, and that the next one does not hear", async () => {
    const { model, clock } = await rig();
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 0 });
    model.end(new VoiceError("upstream_unavailable", "gone"));
    await clock.advanceAsync(11_000, 50);
    expect(model.opened).toHaveLength(2);
    expect(model.log.at(-1)).toBe("respond Are you still there?");
  });

  it("[FAIL-4j] [EFFECT-2e] transfers the caller although the connection was lost while the tool ran", async () => {
    const effects: HostEffect[] = [];
    const transfer = { type: "transfer", target: "person", reason: "wanted" } as const;
    const { model, clock } = await rig({
      slowMs: 1000,
      outcome: { effects: [transfer] },
      onEffect: async (effect) => {
        effects.push(effect);
        return { ok: true };
      },
    });
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    model.callTool("transfer");
    model.end(new VoiceError("upstream_unavailable", "gone"));
    await clock.advanceAsync(1500, 50);
    expect([model.opened.length, effects.length]).toEqual([2, 0]);
    model.answer("b", "I am connecting you.", 300);
    await clock.advanceAsync(500, 10);
    expect(effects).toMatchObject([{ type: "transfer" }]);
  });

  it("[FAIL-4j] hands over although the connection was lost while the tool ran, and lets the next agent greet", async () => {
    const handoff = { type: "handoff", to: "cards", reason: "lost card", context: {} } as const;
    const { model, clock, conversation } = await rig({ slowMs: 1000, outcome: { effects: [handoff] } });
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    model.callTool("handoff_to_agent");
    model.end(new VoiceError("upstream_unavailable", "gone"));
    await clock.advanceAsync(1500, 50);
    expect(conversation.agent.name).toBe("cards");
    expect(model.log).toContain("update voice of cards");
    expect(model.log.at(-1)).toBe("respond Hello from cards.");
  });

  it("[EFFECT-19b] stays with the agent who announced a handoff that the caller spoke over, and the model knows that", async () => {
    const handoff = { type: "handoff", to: "cards", reason: "lost card", context: {} } as const;
    const { model, clock, conversation } = await rig({ outcome: { effects: [handoff] } });
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    model.callTool("handoff_to_agent");
    await clock.advanceAsync(100, 10);
    expect(conversation.agent.name).toBe("cards");
    model.emit({ type: "speech-started", itemId: "u", atMs: 500 });
    await clock.advanceAsync(100, 10);
    expect(conversation.agent.name).toBe("desk");
    expect(model.log).toContain("update voice of desk");
    expect(model.remembered.at(-1)).toMatchObject({ role: "user", text: expect.stringContaining("not done") });
  });

  it("[FAIL-4j] [BARGE-12] has the next agent greet again where the connection was lost before its greeting was heard", async () => {
    const handoff = { type: "handoff", to: "cards", reason: "lost card", context: {} } as const;
    const { model, clock } = await rig({ outcome: { effects: [handoff] } });
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    model.callTool("handoff_to_agent");
    await clock.advanceAsync(100, 10);
    model.end(new VoiceError("upstream_unavailable", "the service refused the next agent's settings"));
    await clock.advanceAsync(1500, 50);
    expect(model.opened).toHaveLength(2);
    expect(model.remembered.map(({ role }) => role)).toEqual(["assistant", "tool-call", "tool-result"]);
    expect(model.log.at(-1)).toBe("respond Hello from cards.");
  });

  it.each([
    { type: "handoff", to: "cards", reason: "lost card", context: {} },
    { type: "transfer", target: "person", reason: "wanted" },
  ] as const)(
    "[EFFECT-2c] does no $type that a caller spoke over while the tool ran, and tells the model so",
    async (effect) => {
      const effects: HostEffect[] = [];
      const { model, clock, conversation } = await rig({
        slowMs: 1000,
        outcome: { effects: [effect] },
        onEffect: async (asked) => {
          effects.push(asked);
          return { ok: true };
        },
      });
      model.answer("greeting", "Hello from desk.", 100);
      await clock.advanceAsync(200, 10);
      model.callTool("ask");
      await clock.advanceAsync(500, 10);
      model.emit({ type: "speech-started", itemId: "u", atMs: 500 });
      await clock.advanceAsync(1000, 10);
      expect([conversation.agent.name, effects]).toEqual(["desk", []]);
      expect(model.remembered.at(-1)).toMatchObject({ role: "user", text: expect.stringContaining("not done") });
      const result = withoutWithdrawn(conversation.knownHistory).find(({ toolCallId }) => toolCallId === "call-1");
      expect(result?.content).toContain("talked_over");
    },
  );

  it.each([
    ["a sound without words", /^respond A sound without words/],
    ["typed words", /^respond$/],
  ])(
    "is asked to go on after %s only when it knows what the tool has done that ran meanwhile",
    async (what, request) => {
      const { model, session, clock } = await rig({ slowMs: 2000 });
      model.answer("greeting", "Hello from desk.", 100);
      await clock.advanceAsync(200, 10);
      model.callTool("pay");
      await clock.advanceAsync(100, 10);
      const before = model.log.length;
      if (what === "typed words") session.handle({ type: "whole-turn", text: "and the other one" });
      else
        model.emit(
          { type: "speech-started", itemId: "u", atMs: 0 },
          { type: "speech-stopped", itemId: "u", atMs: 100 },
          { type: "user-transcript", itemId: "u", text: "", isFinal: true },
        );
      await clock.advanceAsync(1000, 10);
      expect(model.log.slice(before)).toEqual(["cancel"]);
      await clock.advanceAsync(1500, 10);
      const [, result, ...asked] = model.log.slice(before);
      expect(result).toBe('result call-1 {"success":true}');
      expect(asked.at(-1)).toMatch(request);
    },
  );

  it("is told about once in 10 s where it refuses the same again and again", async () => {
    const { model, clock, transport } = await rig();
    const refuse = (reason: string): void =>
      model.emit({ type: "error", error: new VoiceError("upstream_unavailable", "refused", { reason }) });
    for (let times = 0; times < 1000; times++) refuse("one");
    refuse("another");
    await clock.advanceAsync(10_000, 1000);
    refuse("one");
    const told = transport.notices.flatMap((notice) => (notice.type === "error" ? [notice.payload.message] : []));
    expect(told.filter((message) => message.includes("could not do that"))).toEqual([
      "The agent could not do that (one).",
      "The agent could not do that (another).",
      "The agent could not do that (one).",
    ]);
  });
});
