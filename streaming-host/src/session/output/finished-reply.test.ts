import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { describe, expect, it } from "vitest";
import type { SessionNotice } from "../../transports/transport.ts";
import { openTestConversation } from "../../testing/open-test-conversation.ts";
import { unobserved } from "../../testing/unobserved.ts";
import type { ReplyKind } from "../turn/turn-effects.ts";
import { keepReply } from "./finished-reply.ts";
import { GuardrailHits } from "../../pipeline/guardrail-hit.ts";
import type { FinishedReply } from "./finished-reply.ts";
import { TurnTimeline } from "./turn-timeline.ts";

/** A reply whose turn began 1000 ms before it was over. */
async function rig(kind: ReplyKind) {
  const clock = new VirtualClock();
  clock.advance(5000);
  const { sessions } = createMemoryState({ clock });
  const { conversation } = await openTestConversation({ clock, store: sessions }, { streamingMode: "MEDIA" });
  const notices: SessionNotice[] = [];
  const plan = {
    turnId: "turn-1",
    kind,
    text: "",
    anchorMs: clock.now() - 1000,
    prepared: false,
    origin: "session",
  } as const;
  return {
    conversation,
    notices,
    keep(reply: Partial<FinishedReply>) {
      keepReply(
        {
          plan,
          timeline: new TurnTimeline(),
          agent: "desk",
          parts: [],
          words: [],
          ending: "complete",
          guardrails: new GuardrailHits(),
          ...reply,
        },
        { ...unobserved, conversation, notify: (notice) => notices.push(notice), clock },
      );
    },
    async stored() {
      await conversation.flush();
      const session = await sessions.get(conversation.sessionId);
      if (typeof session === "string") throw new Error("the session is not stored");
      return session;
    },
    events: () => notices.flatMap((notice) => (notice.type === "event" ? [notice.payload] : [])),
  };
}

describe("a reply that is over", () => {
  it("is measured to its end where it answered the caller", async () => {
    const { keep, events } = await rig("answer");
    keep({ parts: [{ agent: "desk", text: "It is closed." }] });
    expect(events()).toContainEqual(
      expect.objectContaining({ name: "turn_metrics", metrics: { reply_over_ms: 1000 } }),
    );
  });

  it("is not measured where the agent spoke without being asked", async () => {
    const { keep, events } = await rig("greeting");
    keep({ parts: [{ agent: "desk", text: "Hello." }] });
    expect(events().map(({ name }) => name)).toEqual(["playout_finished"]);
  });

  it("tells the peer that the playout is finished only where all of it was heard", async () => {
    const { keep, events } = await rig("greeting");
    keep({ parts: [{ agent: "desk", text: "Hel" }], ending: "barge_in" });
    expect(events()).toEqual([]);
  });

  it("[HIST-2] tells the peer that nothing was heard, so that it takes the model's text back", async () => {
    const { keep, notices } = await rig("answer");
    keep({ ending: "barge_in" });
    expect(notices[0]).toEqual({
      type: "response",
      payload: { text: "", agent: "desk", turn_id: "turn-1", is_final: true, interrupted: true },
    });
  });

  it("stores what its tools remembered, so that a host that takes over knows it", async () => {
    const { keep, stored, conversation } = await rig("answer");
    conversation.remember({ card: "blocked" });
    keep({ parts: [{ agent: "desk", text: "It is blocked." }] });
    expect((await stored()).memory).toMatchObject({ card: "blocked" });
  });

  it("[REC-3e] marks the conversation as announced only where the whole announcement was heard", async () => {
    const { keep, stored } = await rig("announcement");
    keep({ parts: [{ agent: "desk", text: "This call" }], ending: "barge_in" });
    expect((await stored()).recordingAnnounced).not.toBe(true);
    keep({});
    expect((await stored()).recordingAnnounced).not.toBe(true);
    keep({ parts: [{ agent: "desk", text: "This call is recorded." }] });
    expect((await stored()).recordingAnnounced).toBe(true);
  });
});
