import { VoiceError } from "@voice/shared/platform/errors";
import { createLogger } from "@voice/shared/platform/logger";
import { describe, expect, it } from "vitest";
import { bytesFromSamples } from "@voice/provider-kit/audio/pcm16";
import { conversationsRig } from "../../../testing/conversations-rig.ts";
import type { ConnectedBrowser } from "../../../testing/conversations-rig.ts";
import { maxConfigChanges } from "./connection.ts";
import { maxWaitingMessages } from "./current-session.ts";
import { interDigitTimeoutMs, lateHashMs } from "./digit-collector.ts";

/** Longer than the greeting and than any answer. */
const aWhileMs = 500;

const speech = bytesFromSamples(new Int16Array(320).fill(8000));

describe("what a client says to its conversation", () => {
  it("[TURN-8a] [TURN-9a] becomes turns: what is typed at once, keys when a pause has followed", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    browser.type("hello");
    await pass(aWhileMs);
    browser.say({ type: "dtmf", digits: "12" });
    await pass(interDigitTimeoutMs - 100);
    browser.say({ type: "dtmf", digits: "34" });
    await pass(interDigitTimeoutMs - 100);
    expect(browser.heard).not.toContain("You said 1234.");
    await pass(100 + aWhileMs);
    expect(browser.heard.slice(-2)).toEqual(["You said hello.", "You said 1234."]);
  });

  it.each(["#", "*"])("[TURN-9b] becomes a turn of its own: `%s` before which nothing was pressed", async (key) => {
    const { connect, pass, state } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    browser.say({ type: "dtmf", digits: key });
    await pass(aWhileMs);
    const history = await state.sessions.history(browser.sessionIds[0] ?? "");
    expect(history.slice(-2)).toMatchObject([
      { role: "user", content: key },
      { role: "assistant", content: expect.stringContaining("You said") },
    ]);
  });

  it("[TURN-9b] becomes no turn of its own: a `#` that comes late for its number", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    browser.say({ type: "dtmf", digits: "12*34" });
    await pass(interDigitTimeoutMs + aWhileMs);
    browser.say({ type: "dtmf", digits: "#" });
    await pass(lateHashMs);
    expect(browser.heard.slice(1)).toEqual(["You said 34."]);
    browser.say({ type: "dtmf", digits: "#" });
    await pass(aWhileMs);
    expect(browser.heard.at(-1)).toBe("You said #.");
  });

  it("[TURN-9c] is stored although it is unfinished: keys before the caller leaves", async () => {
    const { connect, pass, state } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    browser.say({ type: "dtmf", digits: "12" });
    browser.leave();
    await pass(aWhileMs);
    const history = await state.sessions.history(browser.sessionIds[0] ?? "");
    expect(history.at(-1)).toMatchObject({ role: "user", content: "12", interrupted: true });
  });

  it.each(["start", "resume"])("[CTRL-1] is neither heard nor answered between `pause` and `%s`", async (goOn) => {
    const { connect, pass, recogniser } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    const before = recogniser.last.frames.length;
    browser.say({ type: "control", action: "pause" });
    for (let frame = 0; frame < 5; frame++) browser.socket.deliver(speech);
    browser.type("hello");
    await pass(5000);
    expect(recogniser.last.frames).toHaveLength(before);
    expect(browser.events("playout_finished")).toHaveLength(1); // the greeting
    browser.say({ type: "control", action: goOn });
    browser.socket.deliver(speech);
    browser.socket.deliver(speech);
    await pass(aWhileMs);
    expect(browser.heard.at(-1)).toBe("You said hello.");
    expect(recogniser.last.frames).toHaveLength(before + 2);
  });

  it("[CTRL-3] is not disturbed by a `start` while the agent speaks", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect();
    await pass(100);
    browser.say({ type: "control", action: "start" });
    browser.type("hello");
    await pass(aWhileMs);
    expect(browser.heard.at(-1)).toBe("You said hello.");
  });

  it("[CTRL-3] ends it with `stop`, and all of it is stored", async () => {
    const { connect, pass, state, left } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    browser.type("hello");
    await pass(aWhileMs);
    browser.say({ type: "control", action: "stop" });
    await pass(100);
    const [id = ""] = browser.sessionIds;
    expect(browser.socket.closedWith).toBe(1000);
    expect(await state.sessions.get(id)).toMatchObject({ status: "ended" });
    expect((await state.sessions.history(id)).map(({ content }) => content)).toContain("hello");
    expect({ left, closes: browser.closes, endReasons: browser.endReasons }).toEqual({
      left: [id],
      closes: 1,
      endReasons: [],
    });
  });

  it("[DRAIN-2] ends it without a word when the connection is gone, and releases the recogniser", async () => {
    const { connect, pass, recogniser, clock } = conversationsRig({ msPerCharacter: 60 });
    const browser = await connect();
    await pass(300); // in the middle of the greeting
    browser.leave();
    await pass(20);
    expect(recogniser.streams.every(({ isClosed }) => isClosed)).toBe(true);
    expect(browser).toMatchObject({ closes: 1, endReasons: [] });
    const told = browser.told.length;
    await pass(2000);
    expect(browser.told).toHaveLength(told);
    expect(clock.pendingTimers).toBe(0);
  });

  it("[IDLE-2] may be nothing at all: after two reprompts the agent says goodbye and the socket is closed", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect();
    await pass(9000);
    expect(browser.heard).toHaveLength(1);
    await pass(30_000);
    expect(browser.heard.length).toBeGreaterThanOrEqual(4);
    expect(browser.socket.closedWith).toBe(1000);
    expect(browser.endReasons).toHaveLength(1);
    expect(browser.closes).toBe(1);
  });
});

describe("a config before the first turn", () => {
  it("[HS-6] chooses another scenario in the same session, and nothing said meanwhile is lost", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect();
    browser.say({ type: "config", scenario: "insurance" });
    browser.type("hello");
    await pass(2000);
    expect(browser.of("session").map(({ scenario }) => scenario)).toEqual(["default", "insurance"]);
    expect(new Set(browser.sessionIds).size).toBe(1);
    expect(browser.heard.at(-1)).toBe("You said hello.");
  });

  it("[HS-6] changes agents for this session alone", async () => {
    const { connect, pass, synthesiser } = conversationsRig();
    const browser = await connect({ scenario: "banking" });
    await pass(aWhileMs);
    const agent = String(browser.of("session")[0]?.["agent"]);
    browser.say({ type: "config", agent_overrides: { [agent]: { voice: { voice_name: "my-voice" } } } });
    await pass(aWhileMs);
    browser.type("hello");
    await pass(aWhileMs);
    expect(synthesiser.requests.at(-1)?.voice.name).toBe("my-voice");
    const other = await connect({ scenario: "banking" });
    await pass(aWhileMs);
    other.type("hello");
    await pass(aWhileMs);
    expect(synthesiser.requests.at(-1)?.voice.name).not.toBe("my-voice");
  });

  it("[LANG-4a] [LANG-5] may name the caller's language: agents without a voice of their own get one for that language", async () => {
    const { connect, pass, synthesiser } = conversationsRig();
    const browser = await connect({ scenario: "default" });
    await pass(aWhileMs);
    browser.say({ type: "config", language: "fr-FR", time_zone: "Europe/Paris" });
    await pass(aWhileMs);
    browser.type("bonjour");
    await pass(aWhileMs);
    const said = synthesiser.requests.at(-1);
    expect([said?.language, said?.voice.name]).toEqual(["fr-FR", "fr-FR-VivienneMultilingualNeural"]);
  });

  it("[HS-6] that names what does not exist is refused, and the conversation continues undisturbed", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    browser.say({ type: "config", scenario: "no-such-scenario" });
    browser.say({ type: "config", agent: "no-such-agent" });
    browser.say({ type: "config", profile_id: "no-such-profile" });
    browser.say({ type: "config", agent_overrides: { "no-such-agent": { voice: { voice_name: "my-voice" } } } });
    await pass(aWhileMs);
    expect(browser.errors).toEqual(["not_found", "not_found", "not_found", "not_found"]);
    browser.type("hello");
    await pass(aWhileMs);
    expect(browser.heard.at(-1)).toBe("You said hello.");
    expect(browser.of("session")).toHaveLength(1);
  });

  it("[HS-6] leaves the conversation alone when it speaks of the wire only", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    browser.say({ type: "config", audio_output: "binary" });
    browser.type("hello");
    await pass(aWhileMs);
    expect(browser.of("session")).toHaveLength(1);
    expect(browser.socket.binary.length).toBeGreaterThan(0);
  });

  it("[HS-6] is refused after it, until the conversation is reset", async () => {
    const { connect, pass } = conversationsRig();
    const browser = await connect();
    await pass(aWhileMs);
    browser.type("hello");
    await pass(aWhileMs);
    browser.say({ type: "config", scenario: "banking" });
    await pass(aWhileMs);
    expect(browser.errors).toEqual(["conflict"]);
    browser.say({ type: "control", action: "reset" });
    browser.say({ type: "config", scenario: "banking" });
    await pass(aWhileMs);
    expect(browser.of("session").at(-1)).toMatchObject({ scenario: "banking" });
    expect(browser.errors).toEqual(["conflict"]);
  });
});

it("a session that somebody deletes while the caller talks is no error of ours", async () => {
  const levels: unknown[] = [];
  const write = (line: string): void => void levels.push(JSON.parse(line).level);
  const rig = conversationsRig({
    options: { logger: createLogger({ level: "warn", name: "host", destination: { write } }) },
  });
  const browser = await rig.connect();
  await rig.pass(aWhileMs);
  await rig.state.sessions.delete(browser.sessionIds[0] ?? "");
  browser.type("hello");
  await rig.pass(aWhileMs);
  browser.leave();
  await rig.pass(aWhileMs);
  expect(new Set(levels)).toEqual(new Set([40])); // warnings
});

describe("a reset", () => {
  async function talkedTo(rig: ReturnType<typeof conversationsRig>): Promise<ConnectedBrowser> {
    const browser = await rig.connect();
    await rig.pass(aWhileMs);
    browser.type("hello");
    await rig.pass(aWhileMs);
    return browser;
  }

  it("[CTRL-2] begins a new conversation, with a new id and nothing of the old one", async () => {
    const rig = conversationsRig();
    const browser = await talkedTo(rig);
    browser.say({ type: "control", action: "reset" });
    await rig.pass(aWhileMs);
    const [first = "", second = ""] = browser.sessionIds;
    expect(second).not.toBe(first);
    expect(browser.of("session").at(-1)).toMatchObject({ resumed: false });
    expect((await rig.state.sessions.history(second)).map(({ content }) => content)).not.toContain("hello");
    expect(await rig.state.sessions.get(first)).toMatchObject({ status: "ended" });
    expect(rig.left).toEqual([first]);
    expect(browser).toMatchObject({ closes: 0, endReasons: [] });
  });

  it("[CTRL-2] that fails leaves the client in the conversation it had", async () => {
    const rig = conversationsRig();
    const browser = await talkedTo(rig);
    const { create } = rig.state.sessions;
    rig.state.sessions.create = () => Promise.reject(new VoiceError("cache_connection_failed", "the cache is away"));
    browser.say({ type: "control", action: "reset" });
    await rig.pass(aWhileMs);
    rig.state.sessions.create = create;
    expect(browser.errors).toEqual(["cache_connection_failed"]);
    expect(new Set(browser.sessionIds).size).toBe(1);
    browser.type("again");
    await rig.pass(aWhileMs);
    expect(browser.heard.at(-1)).toBe("You said again.");
  });

  it("[CTRL-2] that leaves nothing to go back to closes the socket with 1011", async () => {
    const rig = conversationsRig();
    const browser = await talkedTo(rig);
    const isAway = (): Promise<never> => Promise.reject(new VoiceError("cache_connection_failed", "the cache is away"));
    Object.assign(rig.state.sessions, { create: isAway, update: isAway });
    browser.say({ type: "control", action: "reset" });
    await rig.pass(aWhileMs);
    expect(browser.socket.closedWith).toBe(1011);
    expect(browser.closes).toBe(1);
  });

  it("[FR-4] keeps a bounded number of messages while it is under way, and refuses the others", async () => {
    const rig = conversationsRig();
    const browser = await talkedTo(rig);
    const { create } = rig.state.sessions;
    const stored = Promise.withResolvers<void>();
    rig.state.sessions.create = async (session) => {
      await stored.promise;
      return create.call(rig.state.sessions, session);
    };
    browser.say({ type: "control", action: "reset" });
    for (let message = 0; message < maxWaitingMessages; message++) browser.say({ type: "control", action: "start" });
    expect(browser.errors).toEqual([]);
    browser.say({ type: "control", action: "start" });
    expect(browser.errors).toEqual(["rate_limited"]);
    stored.resolve();
    await rig.pass(aWhileMs);
    browser.type("again");
    await rig.pass(aWhileMs);
    expect(browser.heard.at(-1)).toBe("You said again.");
  });

  it("[CTRL-3] ends with the socket that leaves in the middle of it", async () => {
    const rig = conversationsRig();
    const browser = await talkedTo(rig);
    browser.say({ type: "control", action: "reset" });
    browser.leave();
    await rig.pass(aWhileMs);
    expect(browser.closes).toBe(1);
    expect(rig.left).toHaveLength(2);
    for (const id of rig.left) expect(await rig.state.sessions.get(id)).toMatchObject({ status: "ended" });
    expect(rig.clock.pendingTimers).toBe(0);
  });
});

describe("two sockets for one session", () => {
  it("[HS-9] give it to the newer, and the older is closed with 4409", async () => {
    const { connect, pass, state } = conversationsRig();
    const sessionId = "session-with-two-sockets";
    const older = await connect({ sessionId });
    await pass(aWhileMs);
    const newer = await connect({ sessionId });
    await pass(aWhileMs);
    expect(older.socket.closedWith).toBe(4409);
    expect(older).toMatchObject({ closes: 1, endReasons: [] }); // it goes on, so nobody hangs up
    newer.type("hello");
    await pass(aWhileMs);
    expect(newer.heard.at(-1)).toBe("You said hello.");
    expect(await state.sessions.get(sessionId)).toMatchObject({ status: "active" });
  });

  it("[HS-9] also when both ask at once", async () => {
    const { connect, pass, state } = conversationsRig();
    const sessionId = "session-both-at-once";
    const [loser, winner] = await Promise.all([connect({ sessionId }), connect({ sessionId })]);
    await pass(aWhileMs);
    expect([loser.socket.closedWith, winner.socket.closedWith]).toEqual([4409, undefined]);
    winner.type("hello");
    await pass(aWhileMs);
    expect(winner.heard.at(-1)).toBe("You said hello.");
    expect(await state.sessions.get(sessionId)).toMatchObject({ status: "active" });
  });

  it("[HS-9] on two hosts leave it to the one that has it now, and do not undo what happens there", async () => {
    const one = conversationsRig({ hostId: "host-1" });
    const { clock, state } = one;
    const two = conversationsRig({ hostId: "host-2", clock, state });
    const sessionId = "session-that-moves";
    const first = await one.connect({ sessionId });
    await one.pass(aWhileMs);
    const second = await two.connect({ sessionId });
    expect(second.of("session")[0]).toMatchObject({ resumed: true });
    first.type("am I still here?");
    await one.pass(aWhileMs);
    expect(first.socket.closedWith).toBe(4409);
    expect(await state.sessions.get(sessionId)).toMatchObject({ status: "active", hostId: "host-2" });
    second.type("hello");
    await one.pass(aWhileMs);
    expect(second.heard.at(-1)).toBe("You said hello.");
  });
});

describe("a conversation that grows without end", () => {
  const environment = { MAX_SESSION_HISTORY: "100000" };

  /** Types a text of so many characters again and again. */
  async function typesOn(
    { browser, rig }: { readonly browser: ConnectedBrowser; readonly rig: ReturnType<typeof conversationsRig> },
    { characters, everyMs, seconds }: Readonly<Record<"characters" | "everyMs" | "seconds", number>>,
  ): Promise<void> {
    for (let ms = 0; ms < seconds * 1000 && browser.socket.closedWith === undefined; ms += everyMs) {
      browser.type("x".repeat(characters));
      await rig.pass(everyMs);
    }
  }
  /** As much as is heard in the long run. */
  const tireless = { characters: 500, everyMs: 5000, seconds: 1000 };

  const historyOf = async (rig: ReturnType<typeof conversationsRig>, id = "") =>
    (await rig.state.sessions.history(id)).reduce((sum, { content }) => sum + content.length, 0);

  it("[FR-7e] grows no faster than somebody can type, and the client is told so", async () => {
    const rig = conversationsRig();
    const browser = await rig.connect();
    await typesOn({ browser, rig }, { characters: 4000, everyMs: 100, seconds: 30 });
    // What was typed, and what the echo said of it before the next text interrupted it.
    expect(await historyOf(rig, browser.sessionIds[0])).toBeLessThan(2 * (20_000 + 30 * 100));
    expect(browser.errors.filter((code) => code === "rate_limited").length).toBeGreaterThan(250);
    expect(browser.socket.closedWith).toBeUndefined();
  });

  it("[FR-8b] ends with a goodbye when its history is full, and says what to do", async () => {
    const rig = conversationsRig({ environment });
    const browser = await rig.connect();
    await typesOn({ browser, rig }, tireless);
    await rig.pass(aWhileMs);
    expect(browser.of("error").filter(({ code }) => code === "conflict")).toMatchObject([
      { message: expect.stringContaining("MAX_SESSION_HISTORY") },
    ]);
    expect(browser.events("session_ended")).toMatchObject([{ reason: "history_full" }]);
    expect(browser.endReasons).toEqual(["history_full"]);
    expect(browser.socket.closedWith).toBe(1000);
    expect(await historyOf(rig, browser.sessionIds[0])).toBeLessThan(110_000);
  });

  it("[FR-8b] grows no further while the client has paused it, and ends when it goes on", async () => {
    const rig = conversationsRig({ environment });
    const browser = await rig.connect();
    await rig.pass(aWhileMs);
    browser.say({ type: "control", action: "pause" });
    await typesOn({ browser, rig }, tireless);
    expect(browser.errors).toEqual(["conflict"]);
    expect(await historyOf(rig, browser.sessionIds[0])).toBeLessThan(110_000);
    browser.say({ type: "control", action: "resume" });
    await rig.pass(aWhileMs);
    expect(browser.endReasons).toEqual(["history_full"]);
  });

  it("[FR-8c] is not resumed once it is full, except by the phone call that it is held on", async () => {
    const rig = conversationsRig({ environment });
    const browser = await rig.connect();
    const [sessionId = ""] = browser.sessionIds;
    await rig.state.sessions.appendTurn(sessionId, {
      items: [
        {
          role: "user",
          content: "x".repeat(100_000),
          agent: "Concierge",
          turnId: "turn-9",
          timestampMs: 0,
          interrupted: false,
        },
      ],
      appendId: "long",
    });
    browser.leave();
    await rig.pass(aWhileMs);
    await expect(rig.connect({ sessionId })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("begin a new one"),
    });
    const call = await rig.connect({ sessionId, channel: "phone" });
    await rig.pass(5000);
    expect(call.endReasons).toEqual(["history_full"]);
  });

  it("[FR-7d] changes its configuration a bounded number of times, because each one writes to the store", async () => {
    const rig = conversationsRig();
    const browser = await rig.connect();
    for (let change = 0; change < maxConfigChanges + 5; change++) {
      browser.say({ type: "config", scenario: change % 2 === 0 ? "insurance" : "banking" });
      await rig.pass(20);
    }
    expect(browser.of("session")).toHaveLength(1 + maxConfigChanges);
    expect(browser.errors).toEqual(Array.from({ length: 5 }, () => "rate_limited"));
  });

  it("[FR-4] is told so and closed if it sends audio much faster than it can be spoken", async () => {
    const rig = conversationsRig();
    const browser = await rig.connect();
    const sixteenSeconds = bytesFromSamples(new Int16Array(256_000));
    for (let message = 0; message < 5; message++) browser.socket.deliver(sixteenSeconds);
    expect(browser.of("error")).toEqual([{ code: "rate_limited", message: expect.stringContaining("64 s") }]);
    expect(browser.socket.closedWith).toBe(1008);
    browser.leave();
    await rig.pass(aWhileMs);
  });
});
