import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { ApiProblem } from "../api/api-problem.ts";
import type { SessionDetails } from "../api/service-api.ts";
import type { StoredMessage } from "../api/service-api.ts";
import type { SocketEvents } from "@voice/client-kit/connection/reconnecting-socket";
import { WatchSession } from "./watch-session.ts";
import type { WatchSessionOptions } from "./watch-session.ts";

class Service {
  readonly clock = new VirtualClock();
  readonly urls: string[] = [];
  events: SocketEvents | undefined;
  turnsError: Error | undefined;
  /** Answers the request for the past. */
  giveHistory: (details: SessionDetails) => void = () => undefined;
  refuseHistory: (error: Error) => void = () => undefined;

  messages: readonly StoredMessage[] = [];

  readonly #api: WatchSessionOptions["api"] = {
    messages: () => Promise.resolve({ isComplete: true, messages: this.messages }),
    recordedTranscript: () => Promise.resolve({ started_at: "2026-01-01T00:00:00.000Z", recordings: [], entries: [] }),
    session: () =>
      new Promise((resolve, reject) => {
        this.giveHistory = resolve;
        this.refuseHistory = reject;
      }),
    scenario: (name) =>
      Promise.resolve({ name, description: "", agents: ["front_desk"], start_agent: "front_desk", handoffs: [] }),
    turns: () =>
      this.turnsError === undefined
        ? Promise.resolve([{ turn_id: "turn-1", agent: "front_desk", marks: { first_audio_ms: 700 }, why: [] }])
        : Promise.reject(this.turnsError),
  };

  readonly watch = new WatchSession({
    clock: this.clock,
    random: () => 0,
    whenBack: () => () => undefined,
    api: this.#api,
    openSocket: (url, events) => {
      this.urls.push(url);
      this.events = events;
      return { send: () => undefined, close: () => undefined };
    },
    socketUrl: (query) => `relay?session_id=${query.session_id}`,
    onLevels: () => undefined,
  });

  say(text: string, sessionId = "session-1"): void {
    const payload = { text, agent: "front_desk", turn_id: text, is_final: true };
    const envelope = { type: "response", session_id: sessionId, timestamp: "2026-01-01T00:00:00.000Z", payload };
    this.events?.onText(JSON.stringify(envelope));
  }

  tell(type: "event" | "session", payload: object, timestamp: string): void {
    this.events?.onText(JSON.stringify({ type, session_id: "session-1", timestamp, payload }));
  }

  get texts(): string[] {
    return this.watch.store.get().view.entries.flatMap((entry) => ("text" in entry ? [entry.text] : []));
  }

  async settle(): Promise<void> {
    await this.clock.advanceAsync(1);
  }
}

const past: SessionDetails = {
  scenario: "bank",
  active_agent: "fraud",
  conversation_history: [
    {
      role: "user",
      content: "my card is gone",
      agent: "front_desk",
      turn_id: "turn-1",
      timestamp: "2026-01-01T00:00:00.000Z",
      interrupted: false,
    },
  ],
  recordings: [],
  failures: [],
};

describe("watching", () => {
  it("says what of the past could not be read, and reads it again when asked to", async () => {
    const service = new Service();
    service.turnsError = new Error("the state store is away");
    service.watch.select("session-1");
    service.events?.onOpen();
    service.giveHistory(past);
    await service.settle();
    expect(service.watch.store.get().pastProblem).toBe("the state store is away");
    expect(service.texts).toEqual(["my card is gone"]);
    service.turnsError = undefined;
    service.watch.retry();
    service.events?.onOpen();
    service.giveHistory(past);
    await service.settle();
    expect(service.watch.store.get()).toMatchObject({ pastProblem: undefined, selected: "session-1" });
  });

  it("shows the past first and then what happened while it was fetched", async () => {
    const service = new Service();
    service.watch.select("session-1");
    service.events?.onOpen();
    service.say("Hello.");
    expect(service.texts).toEqual([]);
    service.giveHistory(past);
    await service.settle();
    expect(service.texts).toEqual(["my card is gone", "Hello."]);
    expect(service.watch.store.get().view).toMatchObject({
      agent: "fraud",
      latencies: [{ turnId: "turn-1", metrics: { first_audio_ms: 700 } }],
    });
    service.say("Goodbye.");
    expect(service.texts).toEqual(["my card is gone", "Hello.", "Goodbye."]);
  });

  it("shows what was said although there is no connection to what is being said", async () => {
    const service = new Service();
    service.watch.select("session-1");
    service.events?.onClose(1006, "");
    service.giveHistory(past);
    await service.settle();
    expect(service.texts).toEqual(["my card is gone"]);
    expect(service.watch.store.get().connection.kind).toBe("waiting");
  });

  it("is back after an outage of an hour, although nobody has asked it to try again", async () => {
    const service = new Service();
    service.watch.select("session-1");
    service.giveHistory(past);
    await service.settle();
    for (let passedMs = 0; passedMs < 3_600_000; passedMs += 5000) {
      service.events?.onClose(1006, "");
      service.clock.advance(5000);
    }
    service.events?.onOpen();
    expect(service.watch.store.get().connection.kind).toBe("open");
  });

  it("does not wait for a connection to a conversation that does not exist, until asked to try again", async () => {
    const service = new Service();
    service.watch.select("session-0");
    service.events?.onClose(1006, "");
    service.refuseHistory(new ApiProblem(404, { type: "not_found", detail: "There is no such session." }));
    await service.settle();
    await service.clock.advanceAsync(60_000, 1000);
    expect(service.watch.store.get()).toMatchObject({
      connection: { kind: "idle" },
      pastProblem: "There is no such session.",
    });
    expect(service.urls).toHaveLength(1);
    service.watch.retry();
    expect(service.urls).toHaveLength(2);
  });

  it("[TIMELINE-6] shows what there is of an answer in whose middle it begins to watch, once", async () => {
    const service = new Service();
    const piece = (text: string, second: number): StoredMessage => ({
      type: "response",
      session_id: "session-1",
      timestamp: `2026-01-01T00:00:0${second}.000Z`,
      until: `2026-01-01T00:00:0${second}.000Z`,
      payload: { text, agent: "front_desk", turn_id: "turn-1", is_final: false },
    });
    service.watch.select("session-1");
    service.events?.onOpen();
    service.giveHistory(past);
    await service.settle();
    // The host stores what it has written so far, and then says what it is doing.
    service.messages = [piece("Good morning.", 1)];
    service.tell("event", { name: "state_change", state: "speaking", agent: "front_desk" }, "2026-01-01T00:00:02.000Z");
    service.events?.onText(JSON.stringify(piece(" How are you?", 3)));
    service.giveHistory(past);
    await service.settle();
    expect(service.texts).toEqual(["Good morning. How are you?"]);
  });

  it.each([
    ["none", [], false],
    ["one that goes on", ["recording"], true],
    ["one that never reached its storage", ["failed"], false],
    ["one that lost its host and the next", ["interrupted", "complete"], true],
  ])("offers recordings to listen to where there is %s", async (_what, statuses, isRecorded) => {
    const service = new Service();
    service.watch.select("session-1");
    service.events?.onOpen();
    service.giveHistory({ ...past, recordings: statuses.map((status) => ({ recording_id: status, status })) });
    await service.settle();
    expect(service.watch.store.get().isRecorded).toBe(isRecorded);
    service.watch.select(undefined);
    expect(service.watch.store.get().isRecorded).toBe(false);
  });

  it("[AFTER-5] looks for what is noted of the conversation for a minute after its end", async () => {
    const service = new Service();
    service.watch.select("session-1");
    service.events?.onOpen();
    service.giveHistory({ ...past, status: "active" });
    await service.settle();
    service.tell("event", { name: "session_ended", reason: "caller_left" }, "2026-01-01T00:00:02.000Z");
    const pass = async (ms: number, after_call?: SessionDetails["after_call"]): Promise<void> => {
      await service.clock.advanceAsync(ms);
      service.giveHistory({ ...past, status: "ended", after_call });
      await service.settle();
    };
    await pass(2000);
    await pass(4000);
    expect(service.watch.store.get().details?.after_call).toBeUndefined();
    const noted = { status: "written", summary: "Short.", outcome: null, fields: { card: null } };
    await pass(4000, noted);
    expect(service.watch.store.get().details?.after_call).toEqual(noted);
  });

  it("loads the handoffs of its scenario", async () => {
    const service = new Service();
    service.watch.select("session-1");
    service.events?.onOpen();
    service.giveHistory(past);
    await service.settle();
    expect(service.watch.store.get().scenario).toMatchObject({ name: "bank", agents: ["front_desk"] });
  });

  it("says of a conversation that it has ended, and for how long it lasted, and that it goes on once its caller is back", async () => {
    const service = new Service();
    const standing = () => {
      const { status, end_reason: reason, last_activity_at: latest } = service.watch.store.get().details ?? {};
      return [status, reason, latest];
    };
    service.watch.select("session-1");
    service.events?.onOpen();
    service.giveHistory({ ...past, status: "active", last_activity_at: "2026-01-01T00:00:00.000Z" });
    await service.settle();
    service.tell("event", { name: "session_ended", reason: "operator" }, "2026-01-01T00:02:05.000Z");
    expect(standing()).toEqual(["ended", "operator", "2026-01-01T00:02:05.000Z"]);
    const session = { session_id: "session-1", agent: "fraud", scenario: "bank", sample_rate: 16_000, resumed: true };
    service.tell("session", { ...session, streaming_mode: "REALTIME" }, "2026-01-01T00:03:00.000Z");
    expect(standing().slice(0, 2)).toEqual(["active", undefined]);
  });

  it("knows since when a person has it, until the agent has it back", async () => {
    const service = new Service();
    const since = () => service.watch.store.get().details?.with_person_since;
    service.watch.select("session-1");
    service.events?.onOpen();
    service.giveHistory({ ...past, status: "active", with_person_since: null });
    await service.settle();
    const act = (action: string) => service.tell("event", { name: "operator", action }, "2026-01-01T00:02:05.000Z");
    act("take_over");
    act("hold");
    expect(since()).toBe("2026-01-01T00:02:05.000Z");
    act("hand_back");
    expect(since()).toBeNull();
    act("take_over");
    act("person_lost");
    expect(since()).toBeNull();
  });

  it("shows only the conversation that was picked", async () => {
    const service = new Service();
    service.watch.select("session-1");
    service.events?.onOpen();
    service.giveHistory(past);
    await service.settle();
    service.say("Not for you.", "session-2");
    expect(service.texts).toEqual(["my card is gone"]);
  });

  it("forgets a conversation when another is picked, even if its past arrives late", async () => {
    const service = new Service();
    service.watch.select("session-1");
    service.events?.onOpen();
    const late = service.giveHistory;
    service.watch.select("session-2");
    late(past);
    await service.settle();
    expect(service.texts).toEqual([]);
    expect(service.urls).toEqual(["relay?session_id=session-1", "relay?session_id=session-2"]);
  });
});
