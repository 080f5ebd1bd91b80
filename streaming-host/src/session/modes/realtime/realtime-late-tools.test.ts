/** The caller speaks while a tool of a realtime model runs that goes on: what they say, and what the tool gave, are both answered, once. */
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import type { HostEffect } from "../../conversation/host-effects.ts";
import { startRealtimeRig as rig } from "../../../testing/realtime-rig.ts";

const gone = new VoiceError("upstream_unavailable", "gone");
const transfer = { type: "transfer", target: "person", reason: "wanted" } as const;

async function whilePaying(options: Parameters<typeof rig>[0] = {}) {
  const effects: HostEffect[] = [];
  const onEffect = async (effect: HostEffect) => {
    effects.push(effect);
    return { ok: true } as const;
  };
  const parts = await rig({ runMs: 3000, onEffect, ...options });
  const { model, clock } = parts;
  model.answer("greeting", "Hello from desk.", 100);
  await clock.advanceAsync(200, 10);
  model.emit({ type: "user-transcript", itemId: "u", text: "pay the bill", isFinal: true });
  model.callTool("pay");
  await clock.advanceAsync(500, 10);
  model.log.length = 0;
  return { ...parts, effects };
}

type Parts = Awaited<ReturnType<typeof whilePaying>>;

/** The service answers it unasked. */
function speak({ model }: Pick<Parts, "model">, text: string): void {
  model.emit(
    { type: "speech-started", itemId: text, atMs: 0 },
    { type: "speech-stopped", itemId: text, atMs: 0 },
    { type: "user-transcript", itemId: text, text, isFinal: true },
    { type: "response-started", responseId: `unasked ${text}` },
    { type: "agent-text", responseId: `unasked ${text}`, itemId: `early ${text}`, delta: "It is not paid." },
    { type: "audio", responseId: `unasked ${text}`, itemId: `early ${text}`, samples: new Int16Array(4800).fill(1000) },
    { type: "response-finished", responseId: `unasked ${text}`, status: "cancelled" },
  );
}

describe("a realtime model's tool that goes on when the caller speaks", () => {
  it("[TOOL-3d] is waited for: the service's own answer is refused, and one is asked for when the result is there", async () => {
    const parts = await whilePaying();
    const { model, clock, transport } = parts;
    speak(parts, "hello are you there");
    await clock.advanceAsync(1000, 10);
    expect(model.log).toContain("cancel");
    expect(model.log.filter((entry) => entry.startsWith("respond"))).toEqual([]);
    await clock.advanceAsync(2000, 10);
    expect(model.log.slice(-2)).toEqual(['result call-1 {"success":true}', "respond"]);
    model.answer("b", "It is paid, and I am here.", 300);
    await clock.advanceAsync(500, 10);
    expect(transport.heard.map(({ text }) => text).filter((text) => text !== "")).toEqual([
      "Hello from desk.",
      "It is paid, and I am here.",
    ]);
  });

  it("[BARGE-3e] is waited for after a sound without words, and the model goes on when it knows the result", async () => {
    const { model, clock } = await whilePaying();
    model.emit(
      { type: "speech-started", itemId: "cough", atMs: 0 },
      { type: "speech-stopped", itemId: "cough", atMs: 0 },
      { type: "user-transcript", itemId: "cough", text: "", isFinal: true },
    );
    await clock.advanceAsync(1000, 10);
    expect(model.log.filter((entry) => entry.startsWith("respond"))).toEqual([]);
    await clock.advanceAsync(2000, 10);
    expect(model.log.slice(-2)).toEqual([
      'result call-1 {"success":true}',
      expect.stringMatching(/^respond A sound without words/),
    ]);
  });

  it("[TOOL-3a] is waited for once, however often the caller speaks meanwhile", async () => {
    const parts = await whilePaying();
    const { model, clock } = parts;
    for (const text of ["hello", "are you there"]) {
      speak(parts, text);
      await clock.advanceAsync(500, 10);
    }
    await clock.advanceAsync(3000, 10);
    expect(model.log.filter((entry) => entry.startsWith("respond"))).toEqual(["respond"]);
    expect(model.log.at(-1)).toBe("respond");
  });

  it("[TOOL-3e] keeps nothing from the model that the caller typed meanwhile, even if they speak before it was asked to answer", async () => {
    const parts = await whilePaying();
    const { model, clock, session } = parts;
    session.handle({ type: "whole-turn", text: "my number is 7" });
    await clock.advanceAsync(500, 10);
    speak(parts, "hello");
    await clock.advanceAsync(4000, 10);
    expect(model.log.filter((entry) => entry.startsWith("text"))).toEqual(["text my number is 7"]);
    expect(model.log.at(-1)).toBe("respond");
  });

  it("[TOOL-3b] [FAIL-1] is not waited for without end", async () => {
    const parts = await whilePaying({ runMs: 20_000 });
    const { model, clock } = parts;
    speak(parts, "hello");
    await clock.advanceAsync(10_500, 20);
    expect(model.log.at(-1)).toContain("sorry");
  });

  it("[TOOL-3d] [EFFECT-2a] does what it asks for, although the service answered what was said over words that may not be interrupted", async () => {
    const parts = await whilePaying({ outcome: { effects: [transfer] }, bargeInEnabled: false });
    const { model, clock, effects } = parts;
    speak(parts, "hello");
    await clock.advanceAsync(3500, 10);
    expect(model.log.at(-1)).toBe("respond");
    model.answer("b", "I am connecting you.", 300);
    await clock.advanceAsync(500, 10);
    expect(effects).toMatchObject([transfer]);
  });

  it("[FAIL-4g] [EFFECT-2c] does nothing that it asks for when its connection was lost and the caller has typed since, and the next one is told so", async () => {
    const parts = await whilePaying({ outcome: { effects: [transfer] } });
    const { model, clock, session, effects } = parts;
    model.end(gone);
    session.handle({ type: "whole-turn", text: "what about my card" });
    await clock.advanceAsync(5000, 10);
    expect(model.remembered.at(-1)).toMatchObject({
      role: "tool-result",
      resultJson: expect.stringContaining("talked_over"),
    });
    expect(model.log).toContain("respond");
    model.answer("b", "Shall I still connect you?", 300);
    await clock.advanceAsync(500, 10);
    expect(effects).toEqual([]);
  });
});

describe("a realtime model's tool that takes longer than a caller would accept in silence", () => {
  it("[FAIL-3] is waited for with one notice after the other, so that the caller hears what it gave", async () => {
    const { model, clock, transport } = await whilePaying({ slowMs: 14_000, runMs: 14_000 });
    model.answer("first", "One moment.", 300);
    await clock.advanceAsync(6000, 10);
    expect(model.log).toEqual(["respond One moment, please."]);
    model.answer("second", "One moment, please.", 300);
    await clock.advanceAsync(6000, 10);
    expect(model.log.at(-1)).toBe("respond I am still working on it.");
    model.answer("third", "I am still working on it.", 300);
    await clock.advanceAsync(2500, 10);
    expect(model.log.slice(-2)).toEqual(['result call-1 {"success":true}', "respond"]);
    model.answer("answer", "It is paid.", 300);
    await clock.advanceAsync(1000, 10);
    expect(transport.notices.filter(({ type }) => type === "error")).toEqual([]);
    expect(transport.heard.at(-1)?.text).toBe("One moment. One moment, please. I am still working on it. It is paid.");
  });

  it("[FAIL-3] is not waited for without end in silence, where the service makes no notice", async () => {
    const { model, clock, transport } = await whilePaying({ slowMs: 30_000, runMs: 30_000 });
    model.answer("first", "One moment.", 300);
    await clock.advanceAsync(11_000, 10);
    expect(transport.notices.filter(({ type }) => type === "error")).toHaveLength(1);
  });
});
