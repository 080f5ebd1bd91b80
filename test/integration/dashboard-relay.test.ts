/** `/browser/dashboard/relay` and its twin over real sockets. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestHost } from "../support/test-host.ts";
import type { TestHost } from "../support/test-host.ts";
import { bytesOf, dial, dialRefused, loudSamples } from "../support/socket-client.ts";
import { eventually } from "../support/wait.ts";

const relay = "/api/v1/browser/dashboard/relay";
let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host[Symbol.asyncDispose]());

describe("the dashboard relay", () => {
  it.each([relay, "/api/v1/realtime/dashboard/relay"])("pushes what happens in every session on %s", async (path) => {
    using watcher = await dial(host.url(path));
    using caller = await dial(host.url("/api/v1/browser/conversation"));
    await caller.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
    caller.send(bytesOf(loudSamples(40)));
    caller.send({ type: "text", text: "hello" });
    await watcher.next(
      "the answer",
      ({ type, payload }) =>
        type === "response" && payload?.["text"] === "You said hello." && payload["is_final"] === true,
    );
    await watcher.next("the metrics", ({ payload }) => payload?.["name"] === "turn_metrics");
    const own = watcher.messages.filter(({ session_id: id }) => id === caller.messages[0]?.session_id);
    expect(new Set(own.map(({ type }) => type))).toEqual(
      new Set(["session", "event", "response", "transcript", "audio_levels"]),
    );
  });

  it("filters by session", async () => {
    const id = "session-that-is-watched";
    using watcher = await dial(host.url(`${relay}?session_id=${id}`));
    using other = await dial(host.url("/api/v1/browser/conversation"));
    using watched = await dial(host.url(`/api/v1/browser/conversation?session_id=${id}`));
    other.send({ type: "text", text: "not this" });
    watched.send({ type: "text", text: "this" });
    await watcher.next("the answer", ({ payload }) => payload?.["text"] === "You said this.");
    await other.next("the other answer", ({ payload }) => payload?.["text"] === "You said not this.");
    watched.send({ type: "text", text: "this, later" });
    await watcher.next("what came later", ({ payload }) => payload?.["text"] === "You said this, later.");
    expect(watcher.messages.every(({ session_id: seen }) => seen === id)).toBe(true);
    expect(watcher.messages[0]).toMatchObject({ type: "session", session_id: id });
  });

  it("[HS-10a] tells watchers that the caller has left, and nothing of the kind when a newer socket takes over", async () => {
    const id = "session-that-is-left";
    using watcher = await dial(host.url(`${relay}?session_id=${id}`));
    using first = await dial(host.url(`/api/v1/browser/conversation?session_id=${id}`));
    await watcher.next("the beginning", ({ type }) => type === "session");
    using second = await dial(host.url(`/api/v1/browser/conversation?session_id=${id}`));
    await first.closed;
    await watcher.next("the new beginning", ({ payload }) => payload?.["resumed"] === true);
    expect(watcher.events("session_ended")).toEqual([]);
    second.socket.terminate();
    const ended = await watcher.next("the end", ({ payload }) => payload?.["name"] === "session_ended");
    expect(ended).toMatchObject({ session_id: id, payload: { reason: "caller_left" } });
  });

  it("[HS-10b] tells each of those who begin to watch that the agent is listening, although nothing changes", async () => {
    const id = "session-that-is-silent";
    using caller = await dial(host.url(`/api/v1/browser/conversation?session_id=${id}`));
    await caller.next("the silence", ({ payload }) => payload?.["state"] === "listening");
    for (const which of ["first", "second"]) {
      using watcher = await dial(host.url(`${relay}?session_id=${id}`));
      const told = await watcher.next(
        `the state, to the ${which}`,
        ({ payload }) => payload?.["name"] === "state_change",
      );
      expect(told).toMatchObject({ session_id: id, payload: { state: "listening" } });
    }
    expect(caller.events("state_change").filter(({ payload }) => payload?.["state"] === "listening")).toHaveLength(1);
  });

  it("ignores what a watcher says and never carries audio", async () => {
    using watcher = await dial(host.url(relay));
    watcher.send("{");
    watcher.send(new Uint8Array(100));
    watcher.send({ type: "text", text: "hello" });
    using caller = await dial(host.url("/api/v1/browser/conversation"));
    await caller.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
    await watcher.next("the session", ({ type }) => type === "session");
    expect(watcher.audio).toEqual([]);
    expect(watcher.ofType("audio")).toEqual([]);
  });

  it("counts as a watcher, not as a conversation, and leaves nothing behind", async () => {
    const watcher = await dial(host.url(relay));
    await eventually(() => host.composed.host.counts().dashboard === 1, "the watcher is counted");
    watcher.socket.close();
    await eventually(() => host.composed.host.counts().dashboard === 0, "the watcher is forgotten");
  });

  it("[HS-2a] refuses an invalid query", async () => {
    const refused = await dialRefused(host.url(`${relay}?session_id=a%20b`));
    expect(refused.body).toMatchObject({ status_code: 400, errors: [{ field: "session_id" }] });
  });

  it("[FR-5] drops levels for a watcher that lags, keeps its words, and closes it with 1013 in the end", async () => {
    using watcher = await dial(host.url(`${relay}?session_id=session-that-floods`));
    watcher.socket.pause();
    const sessionId = "session-that-floods";
    const words = "x".repeat(20_000);
    for (let index = 0; index < 2000; index++)
      host.state.liveUpdates.publish({
        sessionId,
        text: `{"type":"transcript","session_id":"","payload":{"text":"${words}"}}`,
      });
    await eventually(() => host.composed.host.counts().dashboard === 0, "the watcher is cut off");
  });
});
