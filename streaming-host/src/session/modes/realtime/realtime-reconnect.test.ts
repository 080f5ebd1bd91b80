import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import type { HostEffect } from "../../conversation/host-effects.ts";
import { startRealtimeRig as rig } from "../../../testing/realtime-rig.ts";

const gone = new VoiceError("upstream_unavailable", "gone");
const sound = (ms: number): Int16Array => new Int16Array(24 * ms).fill(3000);

async function greeted(...options: Parameters<typeof rig>) {
  const parts = await rig(...options);
  parts.model.answer("greeting", "Hello from desk.", 100);
  await parts.clock.advanceAsync(200, 10);
  return parts;
}

/** Their transcript is still to come. */
function say({ session, model }: Pick<Awaited<ReturnType<typeof greeted>>, "session" | "model">): void {
  session.onAudio(sound(500));
  model.emit({ type: "speech-started", itemId: "u", atMs: 0 }, { type: "speech-stopped", itemId: "u", atMs: 400 });
}

describe("a realtime conversation that goes on with another connection", () => {
  it("[FAIL-4e] goes on with the answer that a lost connection has left open", async () => {
    const { model, clock } = await rig();
    model.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    model.emit({ type: "user-transcript", itemId: "u", text: "hello", isFinal: true });
    model.emit({ type: "response-started", responseId: "r" });
    model.end(new VoiceError("upstream_unavailable", "gone"));
    await clock.advanceAsync(300, 10);
    expect(model.opened).toHaveLength(2);
    expect(model.log.at(-1)).toBe("respond");
  });

  it("[FAIL-4e] tells the next connection an answer that was still being heard when the last one was lost", async () => {
    const { model, clock } = await rig();
    model.answer("a", "Hello from desk.", 2000);
    await clock.advanceAsync(500, 10);
    model.end(new VoiceError("upstream_unavailable", "gone"));
    await clock.advanceAsync(500, 10);
    expect(model.opened).toHaveLength(2);
    expect(model.remembered).toEqual([]);
    await clock.advanceAsync(1500, 10);
    expect(model.remembered).toEqual([{ role: "assistant", text: "Hello from desk." }]);
  });

  it("[FAIL-4e] [HIST-4] tells the next connection of such an answer only what was heard", async () => {
    const { model, clock } = await rig();
    model.answer("a", "one two three four", 2000);
    await clock.advanceAsync(500, 10);
    model.end(new VoiceError("upstream_unavailable", "gone"));
    await clock.advanceAsync(500, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 400 });
    await clock.advanceAsync(10);
    expect(model.remembered).toEqual([{ role: "assistant", text: "one two" }]);
  });

  it("[FAIL-4e] tells the next connection what a tool has done that ran when the last one was lost", async () => {
    const { model, clock } = await rig({ slowMs: 2000 });
    model.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    model.emit({ type: "user-transcript", itemId: "u", text: "block my card", isFinal: true });
    model.callTool("block_card");
    model.end(new VoiceError("upstream_unavailable", "gone"));
    await clock.advanceAsync(1500, 50);
    expect(model.opened).toHaveLength(2);
    expect(model.remembered).toEqual([]);
    await clock.advanceAsync(600, 50);
    expect(model.remembered).toHaveLength(4);
    expect(model.remembered.at(-1)).toMatchObject({ role: "tool-result", callId: "call-1" });
    expect(model.log.at(-1)).toBe("respond");
  });

  it("[FAIL-4f] asks for no answer to words that the next connection hears again, since that answers them unasked", async () => {
    const unanswered = await greeted();
    say(unanswered);
    const answering = await greeted();
    say(answering);
    answering.model.emit(
      { type: "response-started", responseId: "r" },
      { type: "audio", responseId: "r", itemId: "i", samples: sound(100) },
    );
    for (const { model, clock } of [unanswered, answering]) {
      const before = model.appendedSamples;
      model.end(gone);
      await clock.advanceAsync(500, 10);
      expect(model.appendedSamples - before).toBeGreaterThan(0);
      expect(model.log.filter((entry) => entry.startsWith("respond"))).toEqual(["respond Hello from desk."]);
    }
  });

  it("[FAIL-4g] has words for which a tool has run answered from its result, and not heard again, or the tool would run twice", async () => {
    const parts = await greeted();
    const { model, clock } = parts;
    say(parts);
    model.callTool("block_card");
    await clock.advanceAsync(100, 10);
    const before = model.appendedSamples;
    model.end(gone);
    await clock.advanceAsync(500, 10);
    expect(model.remembered.at(-1)).toMatchObject({ role: "tool-result" });
    expect(model.log.at(-1)).toBe("respond");
    expect((model.appendedSamples - before) / 24).toBeLessThanOrEqual(400);
  });

  it("[FAIL-4h] [TURN-11] asks for the answer that the lost connection had given over words that may not be interrupted", async () => {
    const { model, clock } = await greeted({ bargeInEnabled: false });
    model.answer("a", "A long answer.", 3000);
    await clock.advanceAsync(500, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 300 }, { type: "speech-stopped", itemId: "u", atMs: 500 });
    model.emit({ type: "user-transcript", itemId: "u", text: "my balance", isFinal: true });
    model.answer("b", "Ten dollars.", 600);
    model.end(gone);
    await clock.advanceAsync(2000, 10);
    expect(model.log).toHaveLength(1);
    await clock.advanceAsync(1000, 10);
    expect(model.log.slice(1)).toEqual(["respond if free"]);
  });

  it.each([
    ["was still coming", []],
    ["had ended", [{ type: "speech-stopped", itemId: "cough", atMs: 600 }]],
  ] as const)(
    "[FAIL-4h] asks for such an answer where a later sound %s when the connection was lost",
    async (_, end) => {
      const { model, clock, session } = await greeted({ bargeInEnabled: false });
      model.answer("a", "A long answer.", 3000);
      await clock.advanceAsync(500, 10);
      session.onAudio(sound(500));
      model.emit(
        { type: "speech-started", itemId: "u", atMs: 300 },
        { type: "speech-stopped", itemId: "u", atMs: 500 },
      );
      model.emit({ type: "user-transcript", itemId: "u", text: "my balance", isFinal: true });
      model.answer("b", "Ten dollars.", 600);
      model.emit({ type: "speech-started", itemId: "cough", atMs: 550 }, ...end);
      model.end(gone);
      await clock.advanceAsync(1000, 10);
      model.emit(
        { type: "speech-started", itemId: "w", atMs: 100 },
        { type: "speech-stopped", itemId: "w", atMs: 150 },
      );
      model.emit({ type: "user-transcript", itemId: "w", text: "", isFinal: true });
      await clock.advanceAsync(2000, 10);
      expect(model.log.slice(1)).toEqual(["respond if free"]);
    },
  );

  it("[FAIL-4f] asks for no answer to words that are heard again with a sound that came over their answer", async () => {
    const { model, clock, session } = await greeted({ bargeInEnabled: false });
    say({ session, model });
    model.emit(
      { type: "response-started", responseId: "r" },
      { type: "audio", responseId: "r", itemId: "i", samples: sound(100) },
    );
    model.emit({ type: "speech-started", itemId: "cough", atMs: 450 });
    model.end(gone);
    await clock.advanceAsync(1000, 10);
    expect(model.log.slice(1)).toEqual([]);
  });

  it("[FAIL-4f] [BARGE-3c] does not have the answer resumed that a sound had stopped, because its words are heard again", async () => {
    const { model, clock, session } = await greeted();
    say({ session, model });
    model.emit(
      { type: "response-started", responseId: "r" },
      { type: "audio", responseId: "r", itemId: "i", samples: sound(100) },
    );
    model.emit({ type: "speech-started", itemId: "cough", atMs: 450 });
    model.end(gone);
    await clock.advanceAsync(1000, 10);
    expect(model.log.filter((entry) => entry.startsWith("respond "))).toEqual(["respond Hello from desk."]);
  });

  it("[FAIL-4f] asks for no such answer where its words are heard again, because they had no transcript", async () => {
    const { model, clock, session } = await greeted({ bargeInEnabled: false });
    model.answer("a", "A long answer.", 3000);
    await clock.advanceAsync(500, 10);
    say({ session, model });
    model.answer("b", "Ten dollars.", 600);
    model.emit({ type: "speech-started", itemId: "cough", atMs: 550 });
    model.end(gone);
    await clock.advanceAsync(3500, 10);
    expect(model.log.slice(1)).toEqual([]);
  });

  it("[FAIL-4j] [EFFECT-2e] transfers although the connection was lost while a notice of the slow tool was being said", async () => {
    const effects: HostEffect[] = [];
    const transfer = { type: "transfer", target: "person", reason: "wanted" } as const;
    const { model, clock } = await greeted({
      slowMs: 500,
      outcome: { effects: [transfer] },
      onEffect: async (effect) => {
        effects.push(effect);
        return { ok: true };
      },
    });
    model.callTool("transfer");
    await clock.advanceAsync(600, 10);
    model.end(gone);
    await clock.advanceAsync(1500, 10);
    model.answer("b", "I am connecting you.", 300);
    await clock.advanceAsync(500, 10);
    expect(effects).toMatchObject([transfer]);
  });

  it.each([
    ["[FAIL-8e] gives the next connection what was said into a dead one", "upstream_timeout", 6000],
    [
      "[FAIL-4k] gives the next connection no more than the last moment of a sound that a living one took for noise",
      "upstream_unavailable",
      400,
    ],
  ] as const)("%s", async (_, code, keptMs) => {
    const { model, clock, session } = await greeted();
    const hear = async (level: number, frames: number): Promise<void> => {
      for (let frame = 0; frame < frames; frame++) {
        session.onAudio(new Int16Array(480).fill(level));
        await clock.advanceAsync(20, 20);
      }
    };
    await hear(3000, 100);
    await hear(0, 200);
    const before = model.appendedSamples;
    model.end(new VoiceError(code, "gone"));
    await clock.advanceAsync(500, 10);
    expect((model.appendedSamples - before) / 24).toBe(keptMs);
  });
});

describe("words that the realtime model could not transcribe", () => {
  const failed = new VoiceError("upstream_unavailable", "no transcription");
  const note = "[The caller said something here that could not be transcribed.]";

  it("[RT-2] are answered, shown, and known to the next connection and in the history", async () => {
    const { session, model, clock, transport, conversation } = await greeted();
    session.onAudio(sound(500));
    model.emit({ type: "speech-started", itemId: "u", atMs: 0 }, { type: "speech-stopped", itemId: "u", atMs: 400 });
    model.emit({ type: "user-transcript-failed", itemId: "u", error: failed });
    model.answer("reply", "Your card is blocked.", 100);
    await clock.advanceAsync(300, 10);
    expect(conversation.knownHistory.map(({ role, content }) => [role, content])).toEqual([
      ["assistant", "Hello from desk."],
      ["user", note],
      ["assistant", "Your card is blocked."],
    ]);
    const payload: unknown = expect.objectContaining({ name: "transcription_failed", reason: "upstream_unavailable" });
    expect(transport.notices).toContainEqual(expect.objectContaining({ type: "event", payload }));
    model.end(gone);
    await clock.advanceAsync(500, 10);
    expect(model.remembered).toContainEqual({ role: "user", text: note });
  });
});
