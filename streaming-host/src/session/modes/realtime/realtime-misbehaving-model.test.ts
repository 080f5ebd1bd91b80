import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
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

  it("[MODEL-3] gives an answer up in which tools are called without end", async () => {
    const { model, clock } = await rig();
    model.answer("greeting", "Hello from desk.", 100);
    await clock.advanceAsync(200, 10);
    for (let round = 0; round < 6; round++) {
      const responseId = `r${round}`;
      const call = { id: `c${round}`, name: "look_up", argumentsJson: "{}" };
      model.emit(
        { type: "response-started", responseId },
        { type: "tool-call", responseId, call },
        { type: "response-finished", responseId, status: "completed" },
      );
      await clock.advanceAsync(10);
    }
    expect(model.log.filter((entry) => entry.startsWith("result"))).toHaveLength(5);
    expect(model.log.at(-1)).toMatch(/^respond I am sorry/);
  });

  it("[FAIL-2] says why a response failed", async () => {
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
});
