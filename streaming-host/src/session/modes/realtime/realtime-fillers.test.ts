import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { startRealtimeRig as rig } from "../../../testing/realtime-rig.ts";

describe("a realtime model that takes its time", () => {
  async function waiting(...[fillerMs = 2000]: readonly number[]) {
    const parts = await rig({ fillerMs });
    const { model, clock } = parts;
    model.answer("a", "Hello from desk.", 800);
    await clock.advanceAsync(1000, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 100 }, { type: "speech-stopped", itemId: "u", atMs: 900 });
    return parts;
  }

  const transcript = { type: "user-transcript", itemId: "u", text: "My balance?", isFinal: true } as const;

  it("[FILL-1c] [FILL-1d] is bridged before it has begun to answer, and the turn stays one", async () => {
    const { model, clock, transport, state, conversation } = await waiting();
    model.emit(transcript);
    await clock.advanceAsync(4000, 10);
    model.answer("b", "Ten dollars.", 500);
    await clock.advanceAsync(2000, 10);
    expect(transport.heard.at(-1)).toEqual({
      text: "One moment, please. Ten dollars.",
      interrupted: false,
      agent: "desk",
    });
    await conversation.flush();
    const stored = await state.sessions.history(conversation.sessionId);
    expect(stored.slice(1).map(({ turnId, content }) => [turnId, content])).toEqual([
      ["turn-2", "My balance?"],
      ["turn-2", "One moment, please. Ten dollars."],
    ]);
    const [metrics] = await state.sessions.metrics(conversation.sessionId);
    const { filler_ms: filler = 0, first_audio_ms: first = 0 } = metrics?.marks ?? {};
    expect(filler).toBeGreaterThanOrEqual(2000);
    expect(filler).toBeLessThan(2200);
    expect(first).toBeGreaterThanOrEqual(4000);
    expect(first).toBeLessThan(4300);
  });

  it("[FILL-1a] is bridged again after 4 s where it has begun and brings no word, and not where it is turned off", async () => {
    const { model, clock, synthesiser } = await waiting();
    model.emit({ type: "response-started", responseId: "r" });
    await clock.advanceAsync(7000, 10);
    expect(synthesiser.requests.map(({ text, sampleRateHz }) => [text, sampleRateHz])).toEqual([
      ["One moment, please.", 24_000],
      ["I am still working on it.", 24_000],
    ]);
    const off = await waiting(0);
    await off.clock.advanceAsync(7000, 10);
    expect(off.synthesiser.requests).toEqual([]);
  });

  it("[FILL-2] is not bridged once it has its first words, although the filler is being made", async () => {
    const { model, clock, transport, synthesiser } = await waiting();
    synthesiser.delayMs = 500;
    await clock.advanceAsync(2200, 10);
    expect(synthesiser.requests).toHaveLength(1);
    model.answer("b", "Ten dollars.", 500);
    await clock.advanceAsync(2000, 10);
    expect(transport.heard.at(-1)?.text).toBe("Ten dollars.");
  });

  it("[FILL-3] forgets nothing of a filler that was interrupted, of which the model knows nothing", async () => {
    const { model, clock, transport } = await waiting();
    model.emit(transcript);
    await clock.advanceAsync(2600, 10);
    const before = model.log.length;
    model.emit({ type: "speech-started", itemId: "v", atMs: 4000 });
    expect(transport.stops).toHaveLength(1);
    expect(model.log.slice(before)).toEqual(["cancel"]);
    expect(transport.heard.at(-1)).toMatchObject({ text: "One moment,", interrupted: true });
  });

  it("[FILL-3] is not waited for where nothing was said after all", async () => {
    const { model, clock, transport } = await waiting();
    await clock.advanceAsync(2600, 10);
    model.emit({ ...transcript, text: "" });
    await clock.advanceAsync(9000, 10);
    expect(model.log.filter((entry) => entry.startsWith("respond I am sorry"))).toEqual([]);
    expect(transport.notices.filter(({ type }) => type === "error")).toEqual([]);
  });

  it("[FILL-1d] goes without where the filler cannot be spoken", async () => {
    const { model, clock, transport, synthesiser } = await waiting();
    synthesiser.failure = new VoiceError("upstream_unavailable", "down");
    await clock.advanceAsync(3000, 10);
    model.answer("b", "Ten dollars.", 500);
    await clock.advanceAsync(1000, 10);
    expect(transport.heard.at(-1)?.text).toBe("Ten dollars.");
  });
});
