import { describe, expect, it } from "vitest";
import type { ServerMessageType, ServerPayloads } from "./messages.ts";
import { VoiceAgent, type VoiceAgentOptions } from "./voice-agent.ts";

const service = "https://voice.example";

/** The sockets of one client, driven by the test. */
function rig(options: VoiceAgentOptions = {}) {
  const sockets: FakeSocket[] = [];
  class FakeSocket extends EventTarget {
    binaryType: BinaryType = "blob";
    readonly sent: unknown[] = [];
    readonly url: URL;

    constructor(url: string) {
      super();
      this.url = new URL(url);
      sockets.push(this);
    }

    send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
      if (data !== '{"type":"ping"}') this.sent.push(typeof data === "string" ? JSON.parse(data) : data);
    }

    close(): void {}

    open(sessionId = "s-1"): void {
      this.dispatchEvent(new Event("open"));
      this.say("session", {
        session_id: sessionId,
        resumed: false,
        streaming_mode: "REALTIME",
        sample_rate: 16_000,
        agent: "desk",
        scenario: "shop",
      });
    }

    say<T extends ServerMessageType>(type: T, payload: ServerPayloads[T]): void {
      const data = JSON.stringify({ type, session_id: "s-1", timestamp: "2026-01-01T00:00:00Z", payload });
      this.dispatchEvent(new MessageEvent("message", { data }));
    }
  }
  const asked: string[] = [];
  const agent = new VoiceAgent({
    service,
    webSocket: FakeSocket,
    fetch: async (input, init) => {
      asked.push(`${init?.method} ${new Request(input).url}`);
      return Response.json({ required: true });
    },
    ...options,
  });
  const last = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error("no socket was opened");
    return socket;
  };
  return { agent, sockets, last, asked };
}

describe("the client", () => {
  it("opens a conversation with what was chosen, and sends what was typed before it was open", () => {
    const { agent, last } = rig({ scenario: "shop", language: "de-DE", timeZone: "Europe/Berlin" });
    agent.sendText("Guten Tag");
    expect(last().url.href).toBe(
      "wss://voice.example/api/v1/browser/conversation?scenario=shop&language=de-DE&time_zone=Europe%2FBerlin",
    );
    last().open();
    expect(last().sent).toEqual([
      { type: "config", audio_output: "binary" },
      { type: "text", text: "Guten Tag" },
    ]);
    agent.leave();
  });

  it("has a page's state, and passes every message on with its type", () => {
    const { agent, last } = rig();
    const tools: string[] = [];
    const stop = agent.on("event", (event) => void (event.name === "tool_call" && tools.push(event.tool)));
    agent.connect();
    last().open();
    const call = { name: "tool_call", tool: "find_order", args: {}, result: null, status: "started" } as const;
    last().say("event", call);
    last().say("event", { name: "state_change", state: "speaking", agent: "desk" });
    last().say("response", { text: "Hello", agent: "desk", turn_id: "t-1", is_final: true });
    expect(agent.state.get()).toMatchObject({
      connection: { kind: "open" },
      session: { session_id: "s-1" },
      agentState: "speaking",
      transcript: [{ text: "Hello" }],
    });
    stop();
    last().say("event", call);
    expect(tools).toEqual(["find_order"]);
    agent.leave();
  });

  it("resumes the conversation after it was left, and begins another after its end", () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    const first = rig({ storage, scenario: "shop" });
    first.agent.connect();
    first.last().open();
    first.agent.leave();

    const reloaded = rig({ storage, scenario: "shop" });
    reloaded.agent.connect();
    expect(reloaded.last().url.search).toBe("?session_id=s-1");
    reloaded.last().open();
    reloaded.last().say("event", { name: "session_ended", reason: "goodbye" });
    expect(reloaded.agent.state.get().endReason).toBe("goodbye");
    reloaded.agent.end();
    reloaded.agent.connect();
    expect(reloaded.last().url.search).toBe("?scenario=shop");
    expect(reloaded.agent.state.get()).toMatchObject({ transcript: [], endReason: undefined });
    reloaded.agent.leave();
  });

  it("[CLIENT-5] says that one has to sign in where the service refuses a socket without a token", async () => {
    const { agent, last, asked } = rig();
    agent.connect();
    last().dispatchEvent(new CloseEvent("close", { code: 1006, reason: "" }));
    await expect.poll(() => agent.state.get().problem).toMatch(/^Sign in first/);
    expect(agent.state.get().connection).toMatchObject({ kind: "closed", reason: "refused" });
    expect(asked).toEqual(["GET https://voice.example/api/v1/sign-in"]);
  });

  it("[CLIENT-5] opens its socket with a ticket for the token, which is in no address", async () => {
    const bodies: unknown[] = [];
    const { agent, sockets, last } = rig({
      token: async () => "secret",
      fetch: async (input, init) => {
        bodies.push([new Request(input).url, new Headers(init?.headers).get("authorization"), init?.body]);
        return Response.json({ websocket_url: "wss://media.example/x?ticket=t-1", ticket: "t-1" });
      },
    });
    agent.connect();
    await expect.poll(() => sockets.length).toBe(1);
    expect(last().url.href).toBe("wss://media.example/x?ticket=t-1");
    expect(bodies).toEqual([
      ["https://voice.example/api/v1/realtime/token", "Bearer secret", JSON.stringify({ purpose: "converse" })],
    ]);
    agent.leave();
  });

  it("has no microphone where the platform has none, and says so", async () => {
    const { agent, last } = rig();
    const talking = agent.talk();
    await expect.poll(() => agent.state.get().connection.kind).toBe("connecting");
    last().open();
    await talking;
    expect(agent.state.get()).toMatchObject({ microphone: "off", problem: expect.stringContaining("still type") });
    expect(agent.sendAudio(new ArrayBuffer(640))).toBe(true);
    expect(last().sent.at(-1)).toBeInstanceOf(ArrayBuffer);
    agent.leave();
  });

  it("shows what the service says is wrong, and why a socket was closed for good", () => {
    const { agent, last } = rig();
    agent.connect();
    last().open();
    last().say("error", { code: "rate_limited", message: "Too many texts." });
    expect(agent.state.get().problem).toBe("Too many texts.");
    last().dispatchEvent(new CloseEvent("close", { code: 4409, reason: "replaced by a newer connection" }));
    expect(agent.state.get()).toMatchObject({ problem: "replaced by a newer connection", agentState: undefined });
  });
});
