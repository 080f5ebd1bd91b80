/** Live updates that also go to Azure Web PubSub, sent and received with the tokens of its official client. */
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { startWebPubSub, type FakeWebPubSub } from "../fakes/web-pubsub.ts";
import { connectBrowser } from "../support/browser-client.ts";
import { authenticationBy, bearerOf } from "../support/signed-callers.ts";
import { startTestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";
import { startApi } from "./http/api-harness.ts";
import { startTokenIssuer } from "./http/token-issuer.ts";

const negotiated = z.object({ url: z.string(), protocol: z.string(), group: z.string() });
const conversationPath = "/api/v1/browser/conversation";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function startRelay(): Promise<FakeWebPubSub> {
  const relay = await startWebPubSub();
  cleanups.push(() => relay.close());
  return relay;
}

async function hostWith({ connectionString }: FakeWebPubSub) {
  const state = createMemoryState({ clock: systemClock });
  const host = await startTestHost({ state, settings: { CLOUD_WEBPUBSUB_CONNECTION_STRING: connectionString } });
  cleanups.push(() => host.close());
  return host;
}

async function converse(relay: FakeWebPubSub) {
  const host = await hostWith(relay);
  const browser = await connectBrowser(host.url(conversationPath));
  cleanups.push(() => browser.close());
  return { host, browser };
}

describe("what is sent", () => {
  it("copies what a session is told to its own group and to the group of everything, signed", async () => {
    const relay = await startRelay();
    const { browser } = await converse(relay);
    await browser.ask("hello");
    const typesIn = (wanted: string) => relay.sent.filter(({ group }) => group === wanted).map(({ type }) => type);
    await eventually(() => typesIn(browser.sessionId).includes("transcript"), "the transcript arrives");
    const mine = typesIn(browser.sessionId);
    expect(typesIn("!all")).toEqual(expect.arrayContaining(mine.slice(0, -1)));
    expect(mine[0]).toBe("session");
  });

  it("does not hold up a conversation when the service takes nothing, nor the end of the host", async () => {
    const relay = await startRelay();
    relay.behaves("hangs");
    const { host, browser } = await converse(relay);
    // The service never answers, so whoever waited for it would not get to the end of this test.
    expect(await browser.ask("hello")).toBe("You said hello.");
    await browser.close();
    await host.close();
  });

  it("tells operators when the service refuses, and tells watchers the end although the host ends with it", async () => {
    const relay = await startRelay();
    relay.behaves(429);
    const { host, browser } = await converse(relay);
    await browser.ask("hello");
    const failures = async () =>
      (await host.state.hosts.list()).flatMap(({ upstreamFailures }) => upstreamFailures ?? []);
    await eventually(async () => (await failures()).some(({ part }) => part === "live-relay"), "the failure is shown");
    relay.behaves("well");
    await host.close();
    expect(relay.sent.map(({ type }) => type)).toContain("event");
  });
});

describe("what is heard", () => {
  async function startService() {
    const relay = await startRelay();
    const issuer = await startTokenIssuer();
    cleanups.push(() => issuer.close());
    const settings = { ...authenticationBy(issuer), CLOUD_WEBPUBSUB_CONNECTION_STRING: relay.connectionString };
    const state = createMemoryState({ clock: systemClock });
    const api = await startApi(settings, { state });
    cleanups.push(() => api.close());
    const host = await startTestHost({ state, settings });
    cleanups.push(() => host.close());
    const as = (subject: string, roles?: string[]) => bearerOf(issuer, subject, roles);
    async function watch(sessionId: string, subject: string, roles?: string[]) {
      const body = { session_id: sessionId };
      const answer = await api.call("POST", "/api/v1/realtime/dashboard/negotiate", body, await as(subject, roles));
      const { url, protocol } = negotiated.parse(answer.body);
      const socket = new WebSocket(url, protocol);
      const heard: string[] = [];
      socket.on("message", (data: Buffer) => heard.push(data.toString()));
      await eventually(() => heard.length > 0, "the service says that it is connected");
      return { socket, heard };
    }
    const begin = async (sessionId: string, subject: string) =>
      connectBrowser(host.url(`${conversationPath}?session_id=${sessionId}`), await as(subject));
    return { api, as, watch, begin };
  }

  it("[ACCESS-15b] can neither join another group nor send", async () => {
    const { begin, watch } = await startService();
    const browser = await begin("session-of-alice", "alice");
    cleanups.push(() => browser.close());
    const { socket, heard } = await watch("session-of-alice", "alice");
    for (const [ackId, type] of ["joinGroup", "sendToGroup"].entries())
      socket.send(JSON.stringify({ type, group: "!all", ackId, dataType: "json", data: {} }));
    const refusals = () => heard.filter((text) => text.includes('"Forbidden"'));
    await eventually(() => refusals().length === 2, "both are refused");
  });

  it("[ACCESS-11] hears nothing of a session that became another user's after it was deleted", async () => {
    const { api, as, begin, watch } = await startService();
    const first = await begin("shared-id", "alice");
    const ofAlice = await watch("shared-id", "alice");
    await first.ask("alice is here");
    await eventually(() => ofAlice.heard.some((text) => text.includes("alice is here")), "alice hears herself");
    await first.close();
    await api.call("DELETE", "/api/v1/sessions/shared-id", undefined, await as("alice"));

    const second = await begin("shared-id", "bob");
    cleanups.push(() => second.close());
    const ofBob = await watch("shared-id", "bob");
    const ofOperator = await watch("shared-id", "olga", ["Voice.Operator"]);
    await second.ask("bob is here");
    for (const { heard } of [ofBob, ofOperator])
      await eventually(() => heard.some((text) => text.includes("bob is here")), "bob and an operator hear it");
    expect(ofAlice.heard.join("\n")).not.toContain("bob is here");
  });
});
