/** What operators do with a conversation that goes on, over real sockets and HTTP, on hosts that share a state. */
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { samplesFromBase64 } from "@voice/provider-kit/audio/pcm16";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { bytesOf, dial, dialRefused, loudSamples } from "../support/socket-client.ts";
import { startTestHost, type TestHost } from "../support/test-host.ts";
import { testClock } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";
import { startApi, type Api } from "./http/api-harness.ts";

const listen = "/api/v1/realtime/listen";
const state = createMemoryState({ clock: testClock });
let holder: TestHost;
let other: TestHost;
let api: Api;

beforeAll(async () => {
  [holder, other, api] = await Promise.all([
    startTestHost({ state }),
    startTestHost({ state }),
    startApi({}, { state }),
  ]);
});
afterAll(async () => {
  await Promise.all([holder.close(), other.close(), api.close()]);
  await state.close();
});

const heard = z.object({ data: z.string(), sample_rate: z.literal(16_000), speaker: z.enum(["caller", "agent"]) });

describe("an operator", () => {
  it("[OPS-2a] [OPS-2c] hears both sides on a host that does not hold the conversation, and those who watch are told", async () => {
    const id = "session-that-is-heard";
    using watcher = await dial(other.url(`/api/v1/realtime/dashboard/relay?session_id=${id}`));
    using caller = await dial(holder.url(`/api/v1/browser/conversation?session_id=${id}`));
    await caller.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
    const listener = await dial(other.url(`${listen}?session_id=${id}`));
    await watcher.next("the listener", ({ payload }) => payload?.["action"] === "listening");
    caller.send(bytesOf(loudSamples(400)));
    const ofCaller = await listener.next("the caller", ({ payload }) => payload?.["speaker"] === "caller");
    expect(samplesFromBase64(heard.parse(ofCaller.payload).data).some((sample) => Math.abs(sample) > 1000)).toBe(true);
    caller.send({ type: "text", text: "hello" });
    const ofAgent = await listener.next("the agent", ({ payload }) => payload?.["speaker"] === "agent");
    expect(heard.parse(ofAgent.payload).sample_rate).toBe(16_000);
    listener.socket.close();
    await watcher.next("the end of listening", ({ payload }) => payload?.["action"] === "not_listening");
    expect(caller.events("operator")).toEqual([]);
  });

  it("[OPS-1] listens in to no conversation that there is not", async () => {
    expect(await dialRefused(other.url(`${listen}?session_id=session-of-nobody`))).toMatchObject({ status: 404 });
  });

  it("[OPS-3a] [OPS-3b] has the agent say a line, and [OPS-5] ends the conversation", async () => {
    const id = "session-that-is-led";
    using watcher = await dial(other.url(`/api/v1/realtime/dashboard/relay?session_id=${id}`));
    using caller = await dial(holder.url(`/api/v1/browser/conversation?session_id=${id}`));
    await caller.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
    const said = await api.call("POST", `/api/v1/sessions/${id}/say`, { text: "Please have your card ready." });
    expect(said).toMatchObject({ status: 202, body: { session_id: id, status: "requested" } });
    await caller.next("the line", ({ payload }) => payload?.["text"] === "Please have your card ready.");
    await watcher.next("what the operator did", ({ payload }) => payload?.["action"] === "say");
    await eventually(
      async () => (await state.sessions.history(id)).some(({ content }) => content === "Please have your card ready."),
      "the line is stored",
    );
    expect((await api.call("POST", `/api/v1/sessions/${id}/transfer`, { target_number: "+12025550123" })).status).toBe(
      409,
    );
    expect((await api.call("POST", `/api/v1/sessions/${id}/end`)).status).toBe(202);
    const ended = await caller.next("the end", ({ payload }) => payload?.["name"] === "session_ended");
    expect(ended.payload?.["reason"]).toBe("operator");
    await caller.closed;
    await eventually(
      async () => (await api.call("POST", `/api/v1/sessions/${id}/say`, { text: "Hello?" })).status === 409,
      "the conversation is over",
    );
  });

  it.each([0, 30, 100])(
    "[PERSON-1a] [PERSON-3] has a line said, although the caller types %i ms after it was requested",
    async (afterMs) => {
      const id = `session-of-a-caller-who-types-after-${afterMs}`;
      // Long, because a few real milliseconds are a tenth of a second by the test's clock.
      const line = Array.from({ length: 15 }, () => "A colleague is looking into it, one moment please.").join(" ");
      using watcher = await dial(other.url(`/api/v1/realtime/dashboard/relay?session_id=${id}`));
      using caller = await dial(holder.url(`/api/v1/browser/conversation?session_id=${id}`));
      await caller.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
      const requested = await api.call("POST", `/api/v1/sessions/${id}/say`, { text: line });
      const { line_id: lineId } = z.object({ line_id: z.string() }).parse(requested.body);
      await new Promise<void>((resolve) => void testClock.setTimer(afterMs, resolve));
      caller.send({ type: "text", text: "checking" });
      const outcome = await watcher.next("the outcome", ({ payload }) => payload?.["outcome"] !== undefined);
      expect(outcome.payload).toMatchObject({ action: "say", line_id: lineId, outcome: "said", text: line });
      await eventually(
        async () =>
          (await state.sessions.history(id)).some(
            ({ content, author, interrupted }) => content === line && author === "operator" && !interrupted,
          ),
        "the line is stored as the operator's",
      );
      expect(caller.events("operator")).toEqual([]);
    },
  );

  it("[PERSON-4] [PERSON-5] [PERSON-7] takes a conversation over on another host, is heard by the caller, and hands it back", async () => {
    const id = "session-that-a-person-takes-over";
    const path = `/api/v1/sessions/${id}`;
    using watcher = await dial(other.url(`/api/v1/realtime/dashboard/relay?session_id=${id}`));
    using caller = await dial(holder.url(`/api/v1/browser/conversation?session_id=${id}`));
    await caller.next("the end of the greeting", ({ payload }) => payload?.["name"] === "playout_finished");
    using operator = await dial(other.url(`${listen}?session_id=${id}`));
    expect((await api.call("POST", `${path}/handback`)).status).toBe(409);
    expect((await api.call("POST", `${path}/hold`, { on: true })).status).toBe(409);
    expect((await api.call("POST", `${path}/takeover`)).status).toBe(202);
    await watcher.next("the takeover", ({ payload }) => payload?.["action"] === "take_over");
    await eventually(
      async () => z.object({ with_person_since: z.string() }).safeParse((await api.call("GET", path)).body).success,
      "the session is stored as a person's",
    );
    const framesHeard = () => caller.audio.length + caller.ofType("audio").length;
    const before = framesHeard();
    for (let piece = 0; piece < 30; piece++) operator.send(bytesOf(loudSamples(20)));
    await eventually(async () => framesHeard() > before + 10, "the caller hears the operator");
    caller.send({ type: "text", text: "is my card blocked" });
    await caller.next("what was typed", ({ payload }) => payload?.["text"] === "is my card blocked");
    expect((await api.call("POST", `${path}/say`, { text: "Hello?" })).status).toBe(409);
    expect((await api.call("POST", `${path}/keys`, { keys: "1" })).status).toBe(409);
    expect((await api.call("POST", `${path}/handback`, { notes: "The card works." })).status).toBe(202);
    await watcher.next("the hand-back", ({ payload }) => payload?.["action"] === "hand_back");
    await eventually(async () => {
      const history = await state.sessions.history(id);
      const last = history.findLastIndex(({ author }) => author === "person");
      return last > 0 && history.slice(last).some(({ role, author }) => role === "assistant" && author === undefined);
    }, "the agent speaks after the hand-back");
    const words = (await state.sessions.history(id)).map(({ role, author, content }) => [role, author, content]);
    expect(words).toContainEqual(["user", undefined, "is my card blocked"]);
    expect(words).toContainEqual(["system", "person", expect.stringContaining("The card works.")]);
    expect(await api.call("GET", path)).toMatchObject({ body: { with_person_since: null } });
  });

  it("[OPS-10] can end a conversation without an agent, and is told that nobody in it says a line or transfers", async () => {
    const sessionId = "session-written-down";
    const held = { status: "active", channel: "phone", streamingMode: "TRANSCRIPTION", hostId: "host-1" } as const;
    await state.sessions.create({ ...newSession(sessionId, testClock.wallNow()), ...held });
    const ask = (what: string, body?: object) => api.call("POST", `/api/v1/sessions/${sessionId}/${what}`, body);
    const refused = { status: 409, body: { detail: expect.stringContaining("listened to and ended") } };
    expect(await ask("say", { text: "Hello?" })).toMatchObject(refused);
    expect(await ask("transfer", { target_number: "+12025550123" })).toMatchObject(refused);
    expect(await ask("end")).toMatchObject({ status: 202, body: { message: "The conversation ends" } });
  });

  it("[OPS-6] is told that nobody holds a conversation, or that there is none", async () => {
    expect((await api.call("POST", "/api/v1/sessions/session-of-nobody/end")).status).toBe(404);
    expect((await api.call("POST", "/api/v1/sessions/session-of-nobody/say", { text: "" })).status).toBe(422);
  });
});
