import { describe, expect, it } from "vitest";
import { fakeAgent } from "../../../testing/fake-catalog.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";
import { makeReplyParts, openRealtimeReply } from "./realtime-reply.ts";
import type { RealtimeReply } from "./realtime-reply.ts";
import { placeOf } from "./response-place.ts";

interface Case {
  readonly plan?: Partial<ReplyPlan>;
  readonly reply?: Partial<RealtimeReply>;
  readonly isUnasked?: boolean;
  readonly toolsRun?: boolean;
}

function place({ plan, reply, isUnasked = true, toolsRun = false }: Case): string {
  const full = { turnId: "turn-1", kind: "answer", text: "", anchorMs: 0, origin: "session", prepared: false } as const;
  const open = { ...openRealtimeReply({ ...full, ...plan }, makeReplyParts(fakeAgent("desk"))), ...reply };
  return placeOf({ type: "response-started", responseId: "r", isUnasked }, open, { toolsRun });
}

describe("a response that begins while a reply is open", () => {
  it("is the reply's own if it was requested, or if the service began the reply itself", () => {
    expect(place({ isUnasked: false })).toBe("open-reply");
    expect(place({ plan: { origin: "service" } })).toBe("open-reply");
  });

  it("[TURN-11] waits if the service began it unasked before the words that were requested, or when the reply has arrived", () => {
    expect(place({ plan: { kind: "line" } })).toBe("early");
    expect(place({ plan: { kind: "announcement" } })).toBe("early");
    expect(place({ isUnasked: false, reply: { isComplete: true } })).toBe("early");
  });

  it("[BARGE-9] is refused before a goodbye", () => {
    expect(place({ plan: { kind: "farewell" } })).toBe("refused");
  });

  it("[TOOL-3d] [EFFECT-2c] is refused while the reply's tools run, and while what they gave is still to be said", () => {
    expect(place({ isUnasked: false, toolsRun: true, reply: { runningTools: ["pay"], toolRounds: 1 } })).toBe(
      "refused",
    );
    expect(place({ reply: { toolRounds: 1 } })).toBe("refused");
    expect(place({ reply: { hasActed: true } })).toBe("refused");
    expect(place({ isUnasked: false, reply: { toolRounds: 1 } })).toBe("open-reply");
  });
});
