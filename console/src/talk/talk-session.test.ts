import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { Answers } from "../api/answers.ts";
import { ApiProblem, describeProblem } from "../api/api-problem.ts";
import type { CapturedFrame } from "@voice/client-kit/audio/worklet-messages";
import type { SocketEvents } from "@voice/client-kit/connection/reconnecting-socket";
import { emptyConversation } from "../conversation/conversation-view.ts";
import type { ConversationView } from "../conversation/conversation-view.ts";
import { addTypedText } from "../conversation/reduce-conversation.ts";
import { StoredValue } from "../stored-value.ts";
import type { BrowserStorage } from "../stored-value.ts";
import { storedConversation, TalkSession } from "./talk-session.ts";
import { noChoice } from "./conversation-choice.ts";
import type { Sound } from "@voice/client-kit/conversation";

class FakeSound implements Sound {
  played: number[] = [];
  silenced = 0;
  isMicrophoneOpen = false;
  microphoneError: Error | undefined;
  /** The browser's question to the person. */
  permission: Promise<void> = Promise.resolve();
  speak: (frame: CapturedFrame) => void = () => undefined;

  play(samples: ArrayBuffer, sampleRateHz: number): void {
    this.played.push(samples.byteLength / 2 / sampleRateHz);
  }

  silence(): void {
    this.silenced += 1;
  }

  unplug: () => void = () => undefined;

  async openMicrophone(
    _sampleRateHz: number,
    onFrame: (frame: CapturedFrame) => void,
    onLost: () => void,
  ): Promise<{ stop(): void }> {
    this.unplug = onLost;
    await this.permission;
    if (this.microphoneError !== undefined) throw this.microphoneError;
    this.speak = onFrame;
    this.isMicrophoneOpen = true;
    return {
      stop: () => {
        this.isMicrophoneOpen = false;
      },
    };
  }
}

/** Of one tab, which may be loaded again. */
class TabStorage {
  readonly #values = new Map<string, string>();
  getItem = (key: string): string | null => this.#values.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.#values.set(key, value);
  removeItem = (key: string): void => void this.#values.delete(key);
}

const after = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function viewWith(...said: readonly (readonly [text: string, second: number])[]): ConversationView {
  return said.reduce((view, [text, second]) => addTypedText(view, text, after(second)), emptyConversation);
}

class Page {
  readonly clock = new VirtualClock();
  readonly sound = new FakeSound();
  readonly urls: string[] = [];
  readonly sent: unknown[] = [];
  frames = 0;
  /** What the service has stored. */
  history: ConversationView | Error = viewWith(["said before", 0]);
  readonly answers = new Answers();
  readonly #storage: BrowserStorage;
  #events: SocketEvents | undefined;
  readonly #known = new Set<string>();

  constructor(storage: BrowserStorage = new TabStorage()) {
    this.#storage = storage;
  }

  readonly talk = new TalkSession({
    clock: this.clock,
    describeProblem,
    random: () => 0,
    whenBack: () => () => undefined,
    openSocket: (url, events) => {
      this.urls.push(url);
      this.#events = events;
      return {
        send: (data) => {
          // Signs of life are asked for beside the conversation.
          if (data === '{"type":"ping"}') return;
          if (typeof data === "string") this.sent.push(JSON.parse(data));
          else this.frames += 1;
        },
        close: () => undefined,
      };
    },
    socketUrl: (query) => new URLSearchParams(JSON.parse(JSON.stringify(query))).toString(),
    checkChoice: ({ scenario }) =>
      scenario === "nonsense"
        ? Promise.reject(new ApiProblem(404, { detail: "There is no scenario of this name." }))
        : Promise.resolve(),
    openSound: () => Promise.resolve(this.sound),
    describeSoundProblem: (error) => `no sound: ${error instanceof Error ? error.name : ""}`,
    onMicrophoneLevel: () => undefined,
    stored: new StoredValue(
      {
        getItem: (key) => this.#storage.getItem(key),
        setItem: (key, value) => this.#storage.setItem(key, value),
        removeItem: (key) => this.#storage.removeItem(key),
      },
      "conversation",
      storedConversation,
    ),
    loadHistory: (sessionId) => {
      if (sessionId === "session-gone")
        return Promise.reject(new ApiProblem(404, { detail: "This conversation has expired." }));
      if (sessionId === "session-away") return Promise.reject(new ApiProblem(503, { detail: "The store is away." }));
      return this.history instanceof Error ? Promise.reject(this.history) : Promise.resolve(this.history);
    },
    onceItAnswers: this.answers.onceItAnswers,
  });

  accept(sessionId = "session-1", second = 0): void {
    this.#events?.onOpen();
    const session = {
      session_id: sessionId,
      resumed: this.#known.has(sessionId),
      streaming_mode: "REALTIME",
      sample_rate: 16_000,
      agent: "front_desk",
      scenario: "bank",
    };
    this.#known.add(sessionId);
    this.receive("session", session, second);
  }

  receive(type: string, payload: object, second = 0): void {
    const envelope = { type, session_id: "session-1", timestamp: after(second), payload };
    this.#events?.onText(JSON.stringify(envelope));
  }

  audio(): void {
    this.#events?.onBinary(new ArrayBuffer(640));
  }

  drop(code: number): void {
    this.#events?.onClose(code, "");
  }

  async settle(): Promise<void> {
    await this.clock.advanceAsync(1);
  }

  get state() {
    return this.talk.store.get();
  }
}

async function talkingPage(tab?: BrowserStorage): Promise<Page> {
  const page = new Page(tab);
  const started = page.talk.startTalking();
  await page.settle();
  page.accept();
  await started;
  return page;
}

describe("talking", () => {
  it("connects, agrees on binary audio and then opens the microphone", async () => {
    const page = await talkingPage();
    expect(page.sent).toEqual([{ type: "config", audio_output: "binary" }]);
    expect(page.state.microphone).toBe("on");
    page.sound.speak({ samples: new ArrayBuffer(640), level: 0.1 });
    expect(page.frames).toBe(1);
  });

  it("plays what it hears at the session's rate and falls silent when interrupted", async () => {
    const page = await talkingPage();
    page.audio();
    expect(page.sound.played).toEqual([0.02]);
    page.receive("event", { name: "barge_in", reason: "speech" });
    expect(page.sound.silenced).toBe(1);
  });

  it("plays base64 audio too", async () => {
    const page = await talkingPage();
    page.receive("audio", { data: btoa("\0".repeat(640)), sample_rate: 16_000 });
    expect(page.sound.played).toEqual([0.02]);
  });

  it("tells the service that the words are complete when it is muted", async () => {
    const page = await talkingPage();
    page.talk.mute();
    expect({ open: page.sound.isMicrophoneOpen, last: page.sent.at(-1) }).toEqual({
      open: false,
      last: { type: "stop_audio" },
    });
    expect(page.state.connection.kind).toBe("open");
  });

  it("says what is wrong with the microphone and leaves typing possible", async () => {
    const page = new Page();
    page.sound.microphoneError = new Error("denied");
    const started = page.talk.startTalking();
    await page.settle();
    page.accept();
    await started;
    expect(page.state).toMatchObject({
      microphone: "off",
      soundProblem: "no sound: Error",
      connection: { kind: "open" },
    });
  });

  it("says that the microphone was unplugged, mutes, and goes on", async () => {
    const page = await talkingPage();
    page.sound.unplug();
    expect(page.sound.isMicrophoneOpen).toBe(false);
    expect(page.sent.at(-1)).toEqual({ type: "stop_audio" });
    expect(page.state).toMatchObject({
      microphone: "off",
      soundProblem: "no sound: MicrophoneGone",
      connection: { kind: "open" },
    });
  });

  it("lets go of a microphone that opens after it was called off", async () => {
    const page = new Page();
    let allow = (): void => undefined;
    page.sound.permission = new Promise((resolve) => {
      allow = resolve;
    });
    const started = page.talk.startTalking();
    await page.settle();
    page.accept();
    await page.settle();
    page.talk.mute();
    allow();
    await started;
    expect({ microphone: page.state.microphone, open: page.sound.isMicrophoneOpen }).toEqual({
      microphone: "off",
      open: false,
    });
  });

  it("does not open the microphone when it was called off while connecting", async () => {
    const page = new Page();
    const started = page.talk.startTalking();
    await page.settle();
    page.talk.end();
    await started;
    expect({ microphone: page.state.microphone, open: page.sound.isMicrophoneOpen }).toEqual({
      microphone: "off",
      open: false,
    });
  });
});

describe("typing", () => {
  it("connects by itself and sends what was typed once the session is there", async () => {
    const page = new Page();
    await page.talk.sendText("my balance");
    expect(page.state.view.entries).toMatchObject([{ kind: "user", text: "my balance", isPending: true }]);
    expect(page.sent).toEqual([]);
    page.accept();
    expect(page.sent).toEqual([
      { type: "config", audio_output: "binary" },
      { type: "text", text: "my balance" },
    ]);
    await page.talk.sendText("and my card");
    expect(page.sent.at(-1)).toEqual({ type: "text", text: "and my card" });
    expect(page.sound.isMicrophoneOpen).toBe(false);
  });
});

describe("a lost connection", () => {
  it("resumes the session it had", async () => {
    const page = await talkingPage();
    page.drop(1006);
    expect(page.state.connection.kind).toBe("waiting");
    page.clock.advance(200);
    expect(page.urls).toEqual(["", "session_id=session-1"]);
    page.accept();
    expect(page.state).toMatchObject({ microphone: "on", connection: { kind: "open" } });
  });

  it("shows what was said meanwhile in another tab, once the page has the conversation back", async () => {
    const page = await talkingPage();
    page.receive("transcript", { text: "hello", is_final: true, speaker: "user", turn_id: "turn-1" });
    page.drop(4409);
    expect(page.state.connection).toMatchObject({ kind: "closed", reason: "refused" });
    page.history = viewWith(["hello", 0], ["said elsewhere", 30]);
    page.talk.retry();
    page.accept("session-1", 60);
    await page.settle();
    expect(page.state.view.entries).toMatchObject([{ text: "hello" }, { text: "said elsewhere" }]);
  });

  it("says that what was said meanwhile could not be read, and goes on", async () => {
    const page = await talkingPage();
    page.drop(4409);
    page.history = new ApiProblem(503, { detail: "The store is away." });
    page.talk.retry();
    page.accept("session-1", 60);
    await page.settle();
    expect(page.state.problem).toContain("What was said meanwhile could not be read: The store is away.");
    expect(page.state.connection.kind).toBe("open");
  });

  it("does not read again what was said when another conversation begins", async () => {
    const page = await talkingPage();
    page.drop(4409);
    page.history = viewWith(["said elsewhere", 30]);
    page.talk.change({ scenario: "support" });
    await page.talk.sendText("hello again");
    page.accept("session-2", 60);
    await page.settle();
    expect(page.state.view.entries).toMatchObject([{ text: "hello again" }]);
  });

  it("stops the microphone when the conversation is over", async () => {
    const page = await talkingPage();
    page.receive("event", { name: "session_ended", reason: "goodbye" });
    page.drop(1000);
    expect(page.sound.isMicrophoneOpen).toBe(false);
    expect(page.state).toMatchObject({ connection: { kind: "closed", reason: "ended" }, view: { ended: "goodbye" } });
  });

  it("begins another conversation after one that ended", async () => {
    const page = await talkingPage();
    page.talk.end();
    await page.talk.sendText("hello again");
    expect(page.urls).toEqual(["", ""]);
    expect(page.state.view.entries).toMatchObject([{ text: "hello again" }]);
  });
});

describe("the scenario", () => {
  it("is said not to exist, because the browser does not say why it could not connect", async () => {
    const page = new Page();
    page.talk.change({ scenario: "nonsense" });
    await page.talk.sendText("hello");
    page.drop(1006);
    await page.settle();
    expect(page.state.connection).toEqual({
      kind: "closed",
      reason: "refused",
      detail: "There is no scenario of this name.",
    });
    page.talk.change({ scenario: "support" });
    await page.talk.sendText("hello");
    page.drop(1006);
    await page.settle();
    expect(page.state.connection.kind).toBe("waiting");
  });

  it("starts the next conversation, not the one that is resumed", async () => {
    const page = new Page();
    page.talk.change({ scenario: "support" });
    expect(page.urls).toEqual([]);
    await page.talk.sendText("hello");
    expect(page.urls).toEqual(["scenario=support"]);
    page.accept();
    page.drop(1006);
    page.clock.advance(200);
    expect(page.urls.at(-1)).toBe("session_id=session-1");
  });

  it("replaces a conversation in progress", async () => {
    const page = await talkingPage();
    page.talk.change({ scenario: "support" });
    expect(page.urls).toEqual(["", "scenario=support"]);
    expect(page.state).toMatchObject({ microphone: "off", view: { entries: [], session: undefined } });
  });
});

describe("a conversation that goes on", () => {
  const nothing = { choice: noChoice, sessionId: undefined };

  it("is there again after a reload, with what was said, and without the microphone", async () => {
    const tab = new TabStorage();
    const before = new Page(tab);
    await before.talk.sendText("said before");
    before.accept("session-7");
    const after = new Page(tab);
    await after.talk.open(nothing);
    expect(after.urls).toEqual(["session_id=session-7&streaming_mode=REALTIME"]);
    expect(after.state).toMatchObject({ microphone: "off", view: { entries: [{ text: "said before" }] } });
  });

  it("is not there again once it was ended", async () => {
    const tab = new TabStorage();
    const before = new Page(tab);
    await before.talk.sendText("said before");
    before.accept();
    before.talk.end();
    const after = new Page(tab);
    await after.talk.open(nothing);
    expect(after.urls).toEqual([]);
  });

  it("can be resumed by whoever has to sign in again", async () => {
    const tab = new TabStorage();
    const before = await talkingPage(tab);
    before.talk.leave();
    expect(before.sound.isMicrophoneOpen).toBe(false);
    expect(before.state.connection.kind).toBe("closed");
    const after = new Page(tab);
    await after.talk.open(nothing);
    expect(after.urls).toEqual([expect.stringContaining("session_id=session-1")]);
  });

  it("is kept while the service cannot say what was said, and the page says what to do", async () => {
    const tab = new TabStorage();
    const before = new Page(tab);
    await before.talk.sendText("said before");
    before.accept("session-away");
    const after = new Page(tab);
    await after.talk.open(nothing);
    expect(after.urls).toEqual([]);
    expect(after.state.problem).toContain("reload the page to go on");
    expect(tab.getItem("conversation")).toContain("session-away");
  });

  it("goes on as soon as the service answers again", async () => {
    const tab = new TabStorage();
    await talkingPage(tab);
    const after = new Page(tab);
    after.history = new TypeError("Failed to fetch");
    await after.talk.open(nothing);
    expect(after.state.problem).toContain("The service does not answer.");
    after.history = viewWith(["said before", 0]);
    after.answers.came();
    await after.clock.advanceAsync(0);
    expect(after.urls).toEqual([expect.stringContaining("session_id=session-1")]);
    expect(after.state.problem).toBeUndefined();
  });

  it("is said to be gone if a link leads to it, and the next one begins as chosen", async () => {
    const page = new Page();
    await page.talk.open({ choice: { ...noChoice, scenario: "bank" }, sessionId: "session-gone" });
    expect(page.state.problem).toBe("This conversation has expired.");
    await page.talk.sendText("hello");
    expect(page.urls).toEqual(["scenario=bank"]);
  });

  it("is worth asking about once somebody has said something", async () => {
    const page = await talkingPage();
    expect(page.talk.wouldEndConversation).toBe(false);
    await page.talk.sendText("hello");
    expect(page.talk.wouldEndConversation).toBe(true);
  });

  it("takes keys", async () => {
    const page = await talkingPage();
    page.talk.press("#");
    expect(page.sent.at(-1)).toEqual({ type: "dtmf", digits: "#" });
  });
});
