import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { describe, expect, it } from "vitest";
import { testListener } from "../../../testing/cascade-parts.ts";
import { FakeRecogniser } from "../../../testing/fake-recogniser.ts";
import { FakeTransport } from "../../../testing/fake-transport.ts";
import { openTestConversation } from "../../../testing/open-test-conversation.ts";
import { unobserved } from "../../../testing/unobserved.ts";
import { TranscriptionSession } from "./transcription-session.ts";

async function rig() {
  const clock = new VirtualClock();
  const { sessions } = createMemoryState({ clock });
  const transport = new FakeTransport(clock);
  const recogniser = new FakeRecogniser();
  const { conversation, resumed } = await openTestConversation(
    { clock, store: sessions },
    { streamingMode: "TRANSCRIPTION" },
  );
  const session = new TranscriptionSession({
    transport,
    conversation,
    resumed,
    createListener: testListener({ clock, recogniser, inputRateHz: 16_000 }),
    ...unobserved,
    clock,
    logger: silentLogger,
    publish: () => undefined,
  });
  await clock.advanceAsync(1);
  session.onAudio(new Int16Array(16_000));
  const stored = async () =>
    (await sessions.history(conversation.sessionId)).map(({ content, interrupted, turnId }) => [
      content,
      interrupted,
      turnId,
    ]);
  const finals = (): readonly string[] =>
    transport.notices.flatMap((notice) =>
      notice.type === "transcript" && notice.payload.is_final ? [notice.payload.text] : [],
    );
  return { conversation, finals, recogniser, session, stored };
}

describe("a conversation that is only written down", () => {
  it("[HIST-1] keeps the words that were not final when the caller hung up, and tells watchers so", async () => {
    const { finals, recogniser, session, stored } = await rig();
    recogniser.last.final("good morning");
    recogniser.last.partial("please cancel my");
    await session.close("finished");
    expect(finals()).toEqual(["good morning", "please cancel my"]);
    expect(await stored()).toEqual([
      ["good morning", false, "turn-1"],
      ["please cancel my", true, "turn-2"],
    ]);
  });

  it("keeps nothing twice, and no words that the recogniser withdrew", async () => {
    const { recogniser, session, stored } = await rig();
    recogniser.last.partial("good");
    recogniser.last.final("good morning");
    recogniser.last.partial("uh");
    recogniser.last.partial("");
    await session.close("finished");
    expect(await stored()).toEqual([["good morning", false, "turn-1"]]);
  });

  it("[CTRL-1] ends the open turn when the client pauses", async () => {
    const { conversation, recogniser, session, stored } = await rig();
    recogniser.last.partial("please cancel my");
    recogniser.finalOnFlush = "please cancel my card";
    session.handle({ type: "paused", isPaused: true });
    await conversation.flush();
    expect(await stored()).toEqual([["please cancel my card", false, "turn-1"]]);
  });
});
