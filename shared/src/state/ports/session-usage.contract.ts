import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";
import { newSession } from "./session-store.contract.ts";

export function describeSessionUsage(open: OpenState): void {
  describe("usage of a session", () => {
    it("[COST-7a] adds what was used to what it has, once per append, and leaves it alone otherwise", async () => {
      const { state, nowMs } = await opened(open);
      const { version } = await state.sessions.create(newSession("s-1", nowMs()));
      const used = (input: number, cost: number) => ({
        "language_model|gpt|clerk": { input_tokens: input, "cost:USD": cost },
      });
      await state.sessions.appendTurn("s-1", { items: [], usage: used(100, 0.5), appendId: "host-a" });
      await state.sessions.appendTurn("s-1", { items: [], usage: used(100, 0.5), appendId: "host-a" });
      const metrics = { turnId: "t-1", agent: "clerk", timestampMs: nowMs(), marks: {}, usage: used(23, 0.25) };
      await state.sessions.appendTurn("s-1", { items: [], metrics, usage: used(23, 0.25), appendId: "host-b" });
      await state.sessions.appendTurn("s-1", {
        items: [],
        usage: { "telephony|phone-inbound|clerk": { call_seconds: 1.5, unpriced: 1 } },
        appendId: "host-a, late",
      });
      const record = await state.sessions.update("s-1", version, { activeAgent: "fraud" });
      expect(record.usage).toEqual({
        "language_model|gpt|clerk": { input_tokens: 123, "cost:USD": 0.75 },
        "telephony|phone-inbound|clerk": { call_seconds: 1.5, unpriced: 1 },
      });
      expect(await state.sessions.metrics("s-1")).toEqual([metrics]);
    });
  });
}
