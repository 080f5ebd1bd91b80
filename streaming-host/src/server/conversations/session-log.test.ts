import { describe, expect, it } from "vitest";
import { conversationsRig } from "../../testing/conversations-rig.ts";
import { RecordedLog } from "../../testing/recorded-log.ts";
import { maxUnsentBytes } from "../../transports/message-limits.ts";

const aWhileMs = 2000;

async function talk() {
  const logger = new RecordedLog();
  const rig = conversationsRig({ options: { logger } });
  const browser = await rig.connect({ callId: "call-1" });
  await rig.pass(aWhileMs);
  const [sessionId] = browser.sessionIds;
  return { ...rig, browser, linesOf: () => logger.of(sessionId) };
}

describe("the log of a conversation", () => {
  it("says by the session's id, and the call's, when it began and why it ended", async () => {
    const { browser, pass, linesOf } = await talk();
    browser.leave();
    await pass(aWhileMs);
    expect(linesOf()).toMatchObject([
      { sentence: "a session began", fields: { callId: "call-1", channel: "browser", streamingMode: "REALTIME" } },
      { sentence: "the socket of a session closed", fields: { report: "closed with 1006" } },
      { sentence: "a session ended", fields: { callId: "call-1", reason: "finished" } },
    ]);
  });

  it("says that a peer was cut off because it did not read, though its connection only broke", async () => {
    const { browser, pass, linesOf } = await talk();
    browser.socket.unsentBytes = maxUnsentBytes + 1;
    browser.type("hello");
    await pass(aWhileMs);
    browser.leave();
    await pass(aWhileMs);
    expect(linesOf()).toContainEqual(
      expect.objectContaining({
        sentence: "the socket of a session closed",
        fields: expect.objectContaining({ report: "closed with 1013 (slowReader)" }),
      }),
    );
  });

  it("says that the caller heard nothing, where a voice hangs and no part reports an error", async () => {
    const { browser, pass, synthesiser, settings, linesOf } = await talk();
    synthesiser.synthesise = () => new Promise(() => undefined);
    browser.type("hello");
    await pass(settings.answerTimeoutMs + aWhileMs);
    expect(linesOf()).toContainEqual(
      expect.objectContaining({
        sentence: "the caller heard nothing for too long",
        fields: expect.objectContaining({ code: "upstream_timeout" }),
      }),
    );
  });
});
