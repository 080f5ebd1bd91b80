import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { startRealtimeRig as rig } from "../../../testing/realtime-rig.ts";

describe("a realtime conversation that goes on with another connection", () => {
  it("[FAIL-4] goes on with the answer that a lost connection has left open", async () => {
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

  it("[FAIL-4] tells the next connection an answer that was still being heard when the last one was lost", async () => {
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

  it("[FAIL-4] [HIST-4] tells the next connection of such an answer only what was heard", async () => {
    const { model, clock } = await rig();
    model.answer("a", "one two three four", 2000);
    await clock.advanceAsync(500, 10);
    model.end(new VoiceError("upstream_unavailable", "gone"));
    await clock.advanceAsync(500, 10);
    model.emit({ type: "speech-started", itemId: "u", atMs: 400 });
    await clock.advanceAsync(10);
    expect(model.remembered).toEqual([{ role: "assistant", text: "one two" }]);
  });

  it("[FAIL-4] tells the next connection what a tool has done that ran when the last one was lost", async () => {
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
});
