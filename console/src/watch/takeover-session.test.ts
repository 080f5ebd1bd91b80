import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { ApiProblem } from "../api/api-problem.ts";
import type { CapturedFrame } from "@voice/client-kit/audio/worklet-messages";
import { TakeoverSession } from "./takeover-session.ts";

const frame: CapturedFrame = { samples: new ArrayBuffer(640), level: 0.5 };
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

function rig() {
  const clock = new VirtualClock();
  const requests: unknown[] = [];
  let details = { status: "active", with_person_since: "2026-01-01T00:00:00Z" as string | null };
  let refusal: Error | undefined;
  let hear: (frame: CapturedFrame) => void = () => undefined;
  let hasMicrophone = true;
  let spoken = 0;
  const ask = async (...request: unknown[]): Promise<string> => {
    requests.push(request);
    if (refusal !== undefined) throw refusal;
    return "Done.";
  };
  const takeover = new TakeoverSession({
    clock,
    api: {
      session: async () => ({ ...emptyDetails, ...details }),
      takeOver: (id) => ask("take over", id),
      handBack: (id, notes) => ask("hand back", id, notes),
      hold: (id, isOnHold) => ask("hold", id, isOnHold),
      pressKeys: (id, keys) => ask("keys", id, keys),
      end: (id) => ask("end", id),
    },
    listen: {
      start: async (id) => void requests.push(["listen", id]),
      stop: () => void requests.push(["stop listening"]),
      speak: () => void spoken++,
      setHearsAgent: () => undefined,
    },
    sound: {
      openMicrophone: async (_, onFrame) => {
        if (!hasMicrophone) throw new Error("no microphone");
        hear = onFrame;
        return { stop: () => undefined };
      },
    },
    describeSoundProblem: () => "There is no microphone.",
  });
  return {
    clock,
    requests,
    takeover,
    state: () => takeover.store.get(),
    speak: () => hear(frame),
    spoken: () => spoken,
    becomes: (now: Partial<typeof details>) => void (details = { ...details, ...now }),
    refuses: (error: Error) => void (refusal = error),
    loseMicrophone: () => void (hasMicrophone = false),
  };
}

const emptyDetails = {
  scenario: "banking",
  active_agent: "desk",
  conversation_history: [],
  failures: [],
  recordings: [],
};

describe("an operator who takes a conversation over", () => {
  it("[PERSON-4] is heard by the caller once the service has been asked, except while muted or with the caller on hold", async () => {
    const { takeover, speak, spoken, requests, state } = rig();
    await takeover.start("session-1", true);
    expect(requests).toEqual([
      ["listen", "session-1"],
      ["take over", "session-1"],
    ]);
    speak();
    takeover.setMuted(true);
    speak();
    takeover.setMuted(false);
    await takeover.setOnHold(true);
    speak();
    await takeover.setOnHold(false);
    speak();
    expect(spoken()).toBe(2);
    expect(state().taken).toMatchObject({ phase: "speaking", isMuted: false, isOnHold: false });
  });

  it("[PERSON-4] does not silence the agent without a microphone", async () => {
    const { takeover, requests, state, loseMicrophone } = rig();
    loseMicrophone();
    await takeover.start("session-1", true);
    expect(requests).toEqual([["stop listening"]]);
    expect(state()).toMatchObject({ taken: undefined, problem: "There is no microphone." });
  });

  it("[PERSON-6] [PERSON-7] presses keys, and hands back with notes", async () => {
    const { takeover, requests, state } = rig();
    await takeover.start("session-1", true);
    takeover.press("5");
    await settled();
    expect(await takeover.handBack("All is well.")).toBe(true);
    expect(requests.slice(2)).toEqual([
      ["keys", "session-1", "5"],
      ["hand back", "session-1", "All is well."],
      ["stop listening"],
    ]);
    expect(state()).toMatchObject({ taken: undefined, note: "The agent has the conversation again." });
  });

  it.each([
    [{ status: "ended" }, "The conversation is over."],
    [
      { with_person_since: null },
      "The agent has taken the conversation back, because the connection to this page was lost.",
    ],
  ])("[PERSON-8] learns within seconds that it has the conversation no more (%j)", async (now, note) => {
    const { clock, takeover, becomes, state } = rig();
    await takeover.start("session-1", false);
    clock.advance(4000);
    await settled();
    expect(state().taken).toBeDefined();
    becomes(now);
    clock.advance(4001);
    await settled();
    expect(state()).toMatchObject({ taken: undefined, note });
  });

  it("keeps the conversation where a request is refused, and says why", async () => {
    const { takeover, refuses, state } = rig();
    await takeover.start("session-1", false);
    refuses(new ApiProblem(503, undefined));
    expect(await takeover.handBack("")).toBe(false);
    expect(state().taken).toMatchObject({ isBusy: false });
    expect(state().problem).toBeDefined();
  });
});
