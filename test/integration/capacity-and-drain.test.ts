/** How many, how long, and how it ends: limits of a host over real sockets. */
import { createConnection } from "node:net";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { systemClock } from "@voice/shared/platform/clock";
import { describe, expect, it } from "vitest";
import { startTestHost } from "../support/test-host.ts";
import type { TestHost } from "../support/test-host.ts";
import { dial, dialRefused } from "../support/socket-client.ts";
import { eventually } from "../support/wait.ts";
import type { State } from "@voice/shared/state/ports/state";

const path = "/api/v1/browser/conversation";

/** Sends bytes as no WebSocket library would; resolves with the status line, empty when the peer just hangs up. */
function sendRaw(host: TestHost, request: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = createConnection(host.port, "127.0.0.1", () => socket.write(request));
    socket.on("data", (data: Buffer) => (answer += data.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer.split("\r\n", 1)[0] ?? ""));
  });
}

describe("capacity", () => {
  it("[HS-3a] refuses the conversation too many with 503 and Retry-After, and takes it when there is room", async () => {
    await using host = await startTestHost({ settings: { MAX_SESSIONS: "2" } });
    const first = await dial(host.url(path));
    using second = await dial(host.url(path));
    await Promise.all([first, second].map((client) => client.next("session", ({ type }) => type === "session")));
    const refused = await dialRefused(host.url(path));
    expect(refused).toMatchObject({
      status: 503,
      headers: { "retry-after": "5" },
      body: { type: "dependency_not_ready", status_code: 503, instance: path },
    });
    using watcher = await dial(host.url("/api/v1/browser/dashboard/relay"));
    expect(watcher.socket.readyState).toBe(watcher.socket.OPEN);
    first.socket.close();
    await eventually(() => host.composed.host.counts().browser === 1, "there is room");
    using third = await dial(host.url(path));
    await third.next("session", ({ type }) => type === "session");
  });

  it("[HS-3a] counts conversations that are being opened", async () => {
    await using host = await startTestHost({ settings: { MAX_SESSIONS: "3" } });
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => dial(host.url(path))));
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const attempt of attempts) if (attempt.status === "fulfilled") attempt.value.socket.terminate();
  });

  it("[HS-3c] [FR-4] loses no capacity to handshakes that are none", async () => {
    await using host = await startTestHost({ settings: { MAX_SESSIONS: "2" } });
    const lines = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
    for (let index = 0; index < 5; index++) {
      expect(await sendRaw(host, `${lines}\r\n`)).toContain("400");
      expect(await sendRaw(host, `${lines}Sec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13\r\n\r\n`)).toContain(
        "400",
      );
    }
    using client = await dial(host.url(path));
    await client.next("session", ({ type }) => type === "session");
  });

  it("[FR-4] survives addresses that are none, and peers that leave in the middle", async () => {
    await using host = await startTestHost();
    const headers = "Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    expect(await sendRaw(host, `GET // HTTP/1.1\r\n${headers}`)).toContain("404");
    expect(await sendRaw(host, `GET /nowhere HTTP/1.1\r\n${headers}`)).toContain("404");
    for (let index = 0; index < 20; index++) {
      const socket = createConnection(host.port, "127.0.0.1", () => {
        socket.write(`GET ${path}?session_id=a%20b HTTP/1.1\r\n${headers}`);
        socket.resetAndDestroy();
      });
    }
    using client = await dial(host.url(path));
    await client.next("session", ({ type }) => type === "session");
  });

  it("[FR-5] closes a peer that does not read, and keeps its memory bounded", async () => {
    await using host = await startTestHost({ msPerCharacter: 1 });
    using slow = await dial(host.url(path));
    await slow.next("session", ({ type }) => type === "session");
    slow.socket.pause();
    const answer = "tell me more ".repeat(300);
    // As fast as the rate limit allows: how much the kernel takes before we have to keep it differs by machine.
    const chatter = setInterval(() => slow.send({ type: "text", text: answer }), 6);
    try {
      await eventually(() => host.composed.host.counts().browser === 0, "the slow reader is cut off");
    } finally {
      clearInterval(chatter);
    }
  });

  it("sends without Nagle's delay", async () => {
    const sockets: boolean[] = [];
    const { Socket } = await import("node:net");
    const original = Socket.prototype.setNoDelay;
    Socket.prototype.setNoDelay = function setNoDelay(this: InstanceType<typeof Socket>, noDelay = true) {
      sockets.push(noDelay);
      return original.call(this, noDelay);
    };
    try {
      await using host = await startTestHost();
      using client = await dial(host.url(path));
      await client.next("session", ({ type }) => type === "session");
    } finally {
      Socket.prototype.setNoDelay = original;
    }
    expect(sockets.length).toBeGreaterThanOrEqual(2); // the client's end and ours
    expect(sockets.every(Boolean)).toBe(true);
  });
});

describe("the opening of a session", () => {
  /** A state in which a session is made when the test says so. */
  function slowToOpen(): { readonly state: State; readonly begun: Promise<void>; letOpen(): void } {
    const state = createMemoryState({ clock: systemClock });
    const { create } = state.sessions;
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    state.sessions.create = async (session) => {
      begun.resolve();
      await gate.promise;
      return create.call(state.sessions, session);
    };
    return { state, begun: begun.promise, letOpen: gate.resolve };
  }

  it("[HS-7] loses nothing that arrives before it is open", async () => {
    const { state, begun, letOpen } = slowToOpen();
    await using host = await startTestHost({ state });
    using client = await dial(host.url(path));
    client.send({ type: "config", audio_output: "binary" });
    client.send({ type: "text", text: "hello" });
    await begun;
    letOpen();
    await client.next("the answer", ({ payload }) => payload?.["text"] === "You said hello.");
    expect(client.audio.length).toBeGreaterThan(0);
  });

  it("[HS-7] notices a peer that left before it was open", async () => {
    const { state, begun, letOpen } = slowToOpen();
    await using host = await startTestHost({ state });
    const client = await dial(host.url(path));
    await begun;
    client.socket.terminate();
    letOpen();
    await eventually(() => host.composed.host.counts().connected === 1, "the session was opened");
    await eventually(() => host.composed.host.counts().browser === 0, "and closed");
    expect(host.recogniser.last.isClosed).toBe(true);
  });
});

describe("drain", () => {
  it("[DRAIN-1] refuses new sockets, lets a conversation finish, then says goodbye and closes with 1001", async () => {
    await using host = await startTestHost();
    using watcher = await dial(host.url("/api/v1/browser/dashboard/relay"));
    using client = await dial(host.url(path));
    await client.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
    const closed = host.composed.close(6000); // goodbye is said 5 s before the end
    expect((await watcher.closed).code).toBe(1001);
    const refused = await dialRefused(host.url(path));
    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    client.send({ type: "text", text: "hello" });
    await client.next("an answer in spite of the drain", ({ payload }) => payload?.["text"] === "You said hello.");
    expect(await host.state.hosts.list()).toMatchObject([{ draining: true, placesTaken: 1 }]);
    expect(host.synthesiser.requests.length).toBeGreaterThan(0); // closing it would forget them
    expect(await client.closed).toEqual({
      code: 1001,
      reason: "host is restarting; reconnect with the same session id",
    });
    expect(client.ofType("response").at(-1)?.payload).toMatchObject({ text: "Goodbye.", is_final: true });
    await closed;
    expect(await host.state.hosts.list()).toEqual([]);
    expect(host.synthesiser.requests).toEqual([]);
    expect(host.recogniser.streams.every(({ isClosed }) => isClosed)).toBe(true);
  });

  it("[DRAIN-1] closes what is left at the deadline, and what is stored is complete", async () => {
    await using host = await startTestHost({ msPerCharacter: 100 });
    using client = await dial(host.url(path));
    const { session_id: id } = await client.next("session", ({ type }) => type === "session");
    client.send({ type: "text", text: "hello" });
    await client.next("the turn", ({ type }) => type === "transcript");
    await host.composed.close(0);
    expect((await client.closed).code).toBe(1001);
    const history = await host.state.sessions.history(String(id));
    expect(history.map(({ content }) => content)).toContain("hello");
    expect(await host.state.sessions.get(String(id))).toMatchObject({ status: "ended" });
  });

  it("[HS-9] leaves a session to the host that has it now, and does not undo what happens there", async () => {
    const state = createMemoryState({ clock: systemClock });
    await using older = await startTestHost({ state });
    await using newer = await startTestHost({ state });
    const id = "session-that-moves";
    using first = await dial(older.url(`${path}?session_id=${id}`));
    await first.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
    using second = await dial(newer.url(`${path}?session_id=${id}`));
    expect(await second.next("session", ({ type }) => type === "session")).toMatchObject({
      payload: { resumed: true },
    });
    first.send({ type: "text", text: "am I still here?" });
    expect((await first.closed).code).toBe(4409);
    expect(await state.sessions.get(id)).toMatchObject({ status: "active" });
    second.send({ type: "text", text: "hello" });
    await second.next("the answer", ({ payload }) => payload?.["text"] === "You said hello.");
  });
});
