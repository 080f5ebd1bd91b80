/** What is stored of a conversation beside its history: the messages of those who watched, and the requests to models. */
import { z } from "zod";
import { describe, expect, it } from "vitest";
import { conversationsRig } from "../../testing/conversations-rig.ts";

const messages = z.array(z.looseObject({ type: z.string(), payload: z.looseObject({}) }));

async function typed(environment: Record<string, string> = {}, streamingMode: "REALTIME" | "VOICE_LIVE" = "REALTIME") {
  const rig = conversationsRig({ environment });
  const browser = await rig.connect({ streamingMode });
  await rig.pass(2000);
  browser.type("what is my balance");
  await rig.pass(3000);
  browser.leave();
  await rig.pass(1000);
  const [sessionId = ""] = browser.sessionIds;
  const stored = (await rig.state.messageLog.read(sessionId)).flatMap((piece) => messages.parse(JSON.parse(piece)));
  return { stored, requests: await rig.state.requestLog.read(sessionId) };
}

describe("what is stored of a conversation", () => {
  it.each(["REALTIME", "VOICE_LIVE"] as const)(
    "[TIMELINE-1] begins and ends as watchers of %s saw it",
    async (mode) => {
      const { stored } = await typed({}, mode);
      expect(stored[0]).toMatchObject({ type: "session", payload: { resumed: false } });
      expect(stored).toContainEqual(
        expect.objectContaining({
          type: "transcript",
          payload: expect.objectContaining({ text: "what is my balance" }),
        }),
      );
      expect(stored.at(-1)).toMatchObject({ type: "event", payload: { name: "session_ended", reason: "caller_left" } });
      expect(stored.filter(({ type }) => type === "audio_levels")).toEqual([]);
    },
  );

  it.each([
    ["REALTIME", "language_model"],
    ["VOICE_LIVE", "realtime_model"],
  ] as const)("[TIMELINE-4] has what the models of %s were sent, where FLIGHT_RECORDER is on", async (mode, kind) => {
    const { requests } = await typed({ FLIGHT_RECORDER: "true" }, mode);
    const all = requests.join("\n");
    expect(all).toContain(`"kind":"${kind}"`);
    expect(all).toContain('"role":"system"');
    expect(all).toContain("what is my balance");
    expect((await typed({}, mode)).requests).toEqual([]);
  });
});
