import { describe, expect, it } from "vitest";
import { conversationsRig } from "../../../testing/conversations-rig.ts";
import { interDigitTimeoutMs } from "./digit-collector.ts";

/** Longer than the greeting and than any answer. */
const aWhileMs = 500;

describe("a conversation that may last so long", () => {
  it("[END-4] ends with a goodbye when its time is up", async () => {
    const { connect, pass } = conversationsRig({ options: { idleMs: 600_000 } });
    const browser = await connect({}, { longestMs: 60_000 });
    await pass(59_000);
    expect(browser.heard).toHaveLength(1);
    await pass(2000);
    expect(browser.heard).toHaveLength(2);
    await pass(5000);
    expect(browser.endReasons).toEqual(["call_too_long"]);
    expect(browser.socket.closedWith).toBe(1000);
  });

  it("[END-4] is told goodbye at once when its time was up before it was opened", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect({}, { longestMs: -5000 });
    await pass(5000);
    expect(browser.endReasons).toEqual(["call_too_long"]);
  });
});

describe("a conversation on a host that drains", () => {
  it("[DRAIN-1] ends with a goodbye, and with 1001", async () => {
    const { connect, pass, recogniser } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    browser.connection.drain();
    await pass(2000);
    expect(browser.heard.at(-1)).toBe("Goodbye.");
    expect(browser.socket.closedWith).toBe(1001);
    expect(recogniser.streams.every(({ isClosed }) => isClosed)).toBe(true);
  });

  it("[DRAIN-1] that is being reset says goodbye in the new conversation", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    browser.say({ type: "control", action: "reset" });
    browser.connection.drain();
    await pass(3000);
    expect(new Set(browser.sessionIds).size).toBe(2);
    expect(browser.heard.at(-1)).toBe("Goodbye.");
    expect(browser.socket.closedWith).toBe(1001);
  });

  it("[DRAIN-1] is closed at the deadline, and what is stored of it is complete", async () => {
    const { connect, pass, state } = conversationsRig({ msPerCharacter: 100 });
    const browser = await connect();
    await pass(1000);
    browser.type("hello");
    await pass(300);
    await browser.connection.close("draining");
    const [id = ""] = browser.sessionIds;
    expect(browser.socket.closedWith).toBe(1001);
    expect((await state.sessions.history(id)).map(({ content }) => content)).toContain("hello");
    expect(await state.sessions.get(id)).toMatchObject({ status: "ended" });
  });

  it("[DRAIN-3] that another host takes over is left, without a word, when nobody speaks", async () => {
    const { connect, pass } = conversationsRig({ msPerCharacter: 60 });
    const browser = await connect({}, { whenDraining: "move-to-another-host" });
    await pass(500);
    browser.connection.drain();
    await pass(500); // the greeting is still being said
    expect(browser.socket.closedWith).toBeUndefined();
    await pass(10_000);
    expect(browser.heard).toHaveLength(1);
    expect(browser.socket.closedWith).toBe(1001);
    expect(browser).toMatchObject({ closes: 1, endReasons: [] });
  });

  it("[DRAIN-3] [TURN-9a] is not left while a number is being keyed in, whose other half the next host would take for all of it", async () => {
    const { connect, pass, state } = conversationsRig();
    const browser = await connect({}, { whenDraining: "move-to-another-host" });
    await pass(aWhileMs);
    browser.say({ type: "dtmf", digits: "44" });
    browser.connection.drain();
    await pass(interDigitTimeoutMs - 100);
    expect(browser.socket.closedWith).toBeUndefined();
    browser.say({ type: "dtmf", digits: "12#" });
    await pass(aWhileMs);
    expect(browser.socket.closedWith).toBe(1001);
    const history = await state.sessions.history(browser.sessionIds[0] ?? "");
    expect(history.map(({ content }) => content).slice(-2)).toEqual(["4412", "You said 4412."]);
  });

  it("closes once, whether the peer or the host closes first", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect();
    await Promise.all([browser.connection.close("draining"), browser.connection.close("finished")]);
    browser.leave();
    await pass(aWhileMs);
    expect(browser.closes).toBe(1);
    expect(browser.socket.closedWith).toBe(1001);
  });
});
