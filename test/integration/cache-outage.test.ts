/** The cache goes away in the middle of a conversation, and comes back. */
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { createId } from "@voice/shared/platform/ids";
import type { NewCall } from "@voice/shared/state/ports/call-store";
import { dial, dialRefused } from "../support/socket-client.ts";
import type { SocketClient } from "../support/socket-client.ts";
import { connectBrowser, knock, type Refused } from "../support/browser-client.ts";
import { underWayMs } from "@voice/streaming-host/session/turn/turn-settings";
import { startTestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";

const parts = { clock: systemClock, logger: silentLogger };

/** The admission knows for a second what it found out about the cache; then it asks again. */
async function refusal(url: string): Promise<Refused> {
  let answer: Refused | 101 = 101;
  await eventually(async () => {
    answer = await knock(url);
    return answer !== 101;
  }, "a conversation is refused");
  if (answer === 101) throw new Error("unreachable");
  return answer;
}

function newCall(): NewCall & { readonly callConnectionId: string } {
  return {
    callId: createId("call"),
    callConnectionId: createId("call"),
    status: "connected",
    direction: "inbound",
    targetNumber: "+15550100",
    context: {},
    streamingMode: "MEDIA",
    recording: false,
    participants: [],
    sessionId: createId("session"),
    createdAtMs: systemClock.wallNow(),
  };
}

function streamOf(base: string, call: ReturnType<typeof newCall>): [string, Record<string, string>] {
  const query = `call_id=${call.callId}&session_id=${call.sessionId}`;
  return [`${base}/api/v1/media/stream?${query}`, { "x-ms-call-connection-id": call.callConnectionId }];
}

describe.skipIf(!isRedisAvailable())("a cache that goes away", () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function started() {
    const server = await startRedisServer();
    cleanups.push(() => server.stop());
    const state = await openRedisState(server.endpoint, parts);
    cleanups.push(() => state.close());
    const host = await startTestHost({ state });
    cleanups.push(() => host.close());
    return { server, state, host, conversation: host.url("/api/v1/browser/conversation") };
  }

  it("[LIVE-4] does not end the conversation that runs, and loses nothing of it", async () => {
    const { server, state, conversation } = await started();
    const browser = await connectBrowser(conversation);
    expect(await browser.ask("one")).toBe("You said one.");

    await server.kill();
    expect(await browser.ask("two")).toBe("You said two.");
    expect(await browser.ask("three")).toBe("You said three.");
    await server.start();
    expect(await browser.ask("four")).toBe("You said four.");

    const spoken = async () =>
      (await state.sessions.history(browser.sessionId))
        .filter(({ role }) => role === "user")
        .map((item) => item.content);
    await eventually(async () => (await spoken()).length === 4, "every turn is stored");
    expect(await spoken()).toEqual(["one", "two", "three", "four"]);
    // They are written behind the message that the browser has had.
    await expect.poll(() => state.sessions.metrics(browser.sessionId)).toHaveLength(4);
    await browser.close();
  });

  it("[CACHE-5a] [CACHE-5c] lets the stream of a call go on that this host knows, and refuses that of another", async () => {
    const { server, state, host } = await started();
    const [known, stranger] = [newCall(), newCall()];
    await state.calls.create(known);
    await state.calls.create(stranger);
    const asked = () => host.modelRequests.at(-1)?.messages.map(({ content }) => content);
    const spoken = async () =>
      (await state.sessions.history(known.sessionId))
        .filter(({ role }) => role === "user")
        .map(({ content }) => content);
    async function say(peer: SocketClient, text: string): Promise<void> {
      await peer.next("the agent's voice", ({ Kind }) => Kind === "AudioData");
      host.recogniser.last.final(text);
    }
    const first = await dial(...streamOf(host.url(""), known));
    await say(first, "one");
    await eventually(async () => (await spoken()).length === 1, "the first words are stored");

    await server.kill();
    first.socket.terminate();
    await refusal(host.url("/api/v1/browser/conversation"));
    const second = await dial(...streamOf(host.url(""), known));
    const openedMs = performance.now();
    // What ends sooner on a new stream began before it (TAKE-3).
    await eventually(() => performance.now() - openedMs > 1.2 * underWayMs, "the caller has had time for a word");
    await say(second, "two");
    await eventually(() => asked()?.includes("two") === true, "the agent is asked");
    expect(asked()).toEqual(expect.arrayContaining(["one", "two"]));
    const refused = await dialRefused(...streamOf(host.url(""), stranger));
    expect(refused).toMatchObject({ status: 503, body: { type: "cache_connection_failed" } });

    await server.start();
    await eventually(async () => (await spoken()).length === 2, "what was said meanwhile is stored");
    expect(await spoken()).toEqual(["one", "two"]);
    second.socket.terminate();
  });

  it("[LIVE-4] keeps new conversations out with 503, frozen or dead, and lets them in again", async () => {
    const { server, conversation } = await started();
    expect(await knock(conversation)).toBe(101);
    const away = { status: 503, type: "cache_connection_failed" };

    const thaw = server.freeze();
    expect(await refusal(conversation)).toEqual(away);
    thaw();
    await eventually(async () => (await knock(conversation)) === 101, "a thawed cache lets conversations in");

    await server.kill();
    expect(await refusal(conversation)).toEqual(away);
    await server.start();
    await eventually(async () => (await knock(conversation)) === 101, "a restarted cache lets conversations in");
  });
});
