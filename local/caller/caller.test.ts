import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import type { CallerSocketEvents } from "./caller-socket.ts";
import { Caller } from "./caller.ts";

/** The service's end of the socket, which the test controls. */
class FakeService {
  readonly clock = new VirtualClock();
  readonly texts: unknown[] = [];
  frames = 0;
  closed = false;
  url: URL | undefined;
  events: CallerSocketEvents | undefined;

  readonly caller = new Caller({
    url: new URL("ws://service.test/api/v1/browser/conversation"),
    scenario: "bank",
    clock: this.clock,
    openSocket: (url, events) => {
      this.url = url;
      this.events = events;
      return Promise.resolve({
        send: (data) => {
          if (typeof data === "string") this.texts.push(JSON.parse(data));
          else this.frames += 1;
        },
        close: () => {
          this.closed = true;
        },
      });
    },
  });

  async connect(): Promise<Caller> {
    const connected = this.caller.connect();
    await this.clock.advanceAsync(10, 10);
    this.openSession();
    await connected;
    return this.caller;
  }

  openSession(): void {
    this.send("session", {
      session_id: "session-1",
      resumed: false,
      streaming_mode: "REALTIME",
      sample_rate: 16_000,
      agent: "front_desk",
      scenario: "bank",
    });
  }

  send(type: string, payload: object): void {
    this.events?.onText(
      JSON.stringify({ type, session_id: "session-1", timestamp: "2026-01-01T00:00:00.000Z", payload }),
    );
  }

  state(state: string): void {
    this.send("event", { name: "state_change", state, agent: "front_desk" });
  }

  say(text: string, extra: object = {}): void {
    this.send("response", { text, agent: "front_desk", turn_id: "turn-1", is_final: true, ...extra });
  }

  audio(durationMs: number): void {
    this.events?.onAudio(Buffer.alloc(durationMs * 32, 1));
  }
}

const halfASecond = new Int16Array(8000).fill(4000);

async function speakTo(service: FakeService): Promise<void> {
  const spoken = service.caller.speak(halfASecond);
  await service.clock.advanceAsync(500, 20);
  await spoken;
}

describe("the caller", () => {
  it("names its scenario in the address, asks for binary audio, then sends a frame every 20 ms", async () => {
    const service = new FakeService();
    await service.connect();
    await service.clock.advanceAsync(200, 20);
    expect(service.url?.search).toBe("?scenario=bank");
    expect(service.texts).toEqual([{ type: "config", audio_output: "binary" }]);
    expect(service.frames).toBe(10);
  });

  it("records a greeting that arrives in one read with the session", async () => {
    const service = new FakeService();
    const connected = service.caller.connect();
    await service.clock.advanceAsync(10, 10);
    service.openSession();
    service.audio(300);
    await connected;
    service.audio(200);
    expect(service.caller.recording.agentOnly()).toHaveLength(500 * 16);
  });

  it("waits until the agent has answered, has been played to the end and has stayed quiet", async () => {
    const service = new FakeService();
    const caller = await service.connect();
    await speakTo(service);
    let repliedAtMs: number | undefined;
    const reply = caller.waitForReply({ quietMs: 400 }).then((result) => {
      repliedAtMs = service.clock.now();
      return result;
    });
    service.send("transcript", { text: "my balance", is_final: true, speaker: "user" });
    service.state("thinking");
    await service.clock.advanceAsync(300, 20);
    const firstAudioAtMs = service.clock.now();
    service.state("speaking");
    service.audio(1000);
    service.say("Your balance is nine dollars.");
    await service.clock.advanceAsync(1000, 20);
    service.state("listening");
    await service.clock.advanceAsync(1000, 20);
    expect(await reply).toMatchObject({
      heardText: "my balance",
      says: [{ agent: "front_desk", text: "Your balance is nine dollars.", interrupted: false }],
      firstAudioMs: firstAudioAtMs - 510,
    });
    expect(repliedAtMs).toBeGreaterThanOrEqual(firstAudioAtMs + 1400);
    expect(repliedAtMs).toBeLessThanOrEqual(firstAudioAtMs + 1460);
  });

  it("takes a tool call and a handoff within one answer as part of it", async () => {
    const service = new FakeService();
    const caller = await service.connect();
    caller.type("balance please");
    const reply = caller.waitForReply();
    const call = { name: "tool_call", tool: "get_balance", args: { account: "checking" } };
    service.send("event", { ...call, result: null, status: "started" });
    service.send("event", { ...call, result: { balance: 9 }, status: "success", duration_ms: 4 });
    service.send("event", { name: "handoff", from: "front_desk", to: "banking", type: "announced" });
    service.say("Nine dollars.", { agent: "banking" });
    await service.clock.advanceAsync(1000, 20);
    expect(await reply).toMatchObject({
      toolCalls: [{ name: "get_balance", args: { account: "checking" }, result: { balance: 9 }, status: "success" }],
      handoffs: [{ from: "front_desk", to: "banking", type: "announced" }],
      says: [{ agent: "banking", text: "Nine dollars." }],
      firstAudioMs: undefined,
    });
    expect(service.texts.at(-1)).toEqual({ type: "text", text: "balance please" });
  });

  it("reports an interrupted answer once, as far as it was heard", async () => {
    const service = new FakeService();
    const caller = await service.connect();
    caller.type("tell me everything");
    const reply = caller.waitForReply();
    service.say("First this, then that.");
    service.audio(2000);
    await service.clock.advanceAsync(200, 20);
    service.send("event", { name: "barge_in", turn_id: "turn-1", reason: "speech" });
    service.say("First this,", { interrupted: true });
    await service.clock.advanceAsync(1000, 20);
    expect((await reply).says).toEqual([
      { agent: "front_desk", text: "First this,", turnId: "turn-1", interrupted: true },
    ]);
    expect(caller.recording.unplayedMs(service.clock.now())).toBe(0);
  });

  it("gives up on an answer that does not come, however loud the level meters are", async () => {
    const service = new FakeService();
    const caller = await service.connect();
    caller.type("hello?");
    const failure = caller.waitForReply({ timeoutMs: 1000 }).catch((error: unknown) => error);
    await service.clock.advanceAsync(500, 20);
    service.send("audio_levels", { input: 0.1, output: 0 });
    await service.clock.advanceAsync(600, 20);
    expect(await failure).toMatchObject({ code: "upstream_timeout", message: "no answer within 1000 ms" });
  });

  it("fails what waits when the service closes the socket, and says with which code", async () => {
    const service = new FakeService();
    const caller = await service.connect();
    const reply = caller.waitForReply();
    service.events?.onClose(1013, "at capacity");
    await expect(reply).rejects.toThrow("the service closed the connection (1013: at capacity)");
    await expect(caller.speak(halfASecond)).rejects.toThrow("1013");
  });

  it("ends a wait when the agent ends the conversation", async () => {
    const service = new FakeService();
    const caller = await service.connect();
    caller.type("goodbye");
    const reply = caller.waitForReply();
    service.send("event", { name: "session_ended", reason: "goodbye" });
    expect((await reply).ended).toBe("goodbye");
  });

  it("gives up on a peer that opens no session and hangs up", async () => {
    const service = new FakeService();
    const failure = service.caller.connect().catch((error: unknown) => error);
    await service.clock.advanceAsync(6000, 1000);
    expect(await failure).toMatchObject({ message: "service.test accepted the connection but opened no session" });
    expect(service.closed).toBe(true);
  });

  it("plays no frame, keeps no timer and wakes who waits after it is closed", async () => {
    const service = new FakeService();
    const caller = await service.connect();
    const reply = caller.waitForReply();
    caller.close();
    caller.close();
    await expect(reply).rejects.toThrow("the caller has hung up");
    expect({ closed: service.closed, timers: service.clock.pendingTimers }).toEqual({ closed: true, timers: 0 });
  });

  it("ignores what a newer service may send", async () => {
    const service = new FakeService();
    const caller = await service.connect();
    service.send("hologram", {});
    service.events?.onText("not json");
    expect(caller.records.map(({ kind }) => kind)).toEqual(["message"]);
  });
});
