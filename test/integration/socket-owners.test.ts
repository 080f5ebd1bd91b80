/** Every socket, asked by nobody, by the owner, by another user, by an operator, and with tickets for this and for that. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { newMediaSession } from "@voice/shared/state/ports/small-stores.contract";
import type { TicketPurpose } from "@voice/shared/state/records/ticket-store";
import { streamPaths } from "@voice/streaming-host/server/accept/stream-routes";
import { connectBrowser, knock } from "../support/browser-client.ts";
import { authenticationBy, bearerOf, type Credentials } from "../support/signed-callers.ts";
import { dial } from "../support/socket-client.ts";
import { startTestHost, type TestHost } from "../support/test-host.ts";
import { twilioSettings } from "../support/twilio-settings.ts";
import { startTokenIssuer, type TokenIssuer } from "./http/token-issuer.ts";

const resource = "99999999-8888-4777-8666-555555555555";

/** What there is is alice's; what opening it answers her, bob and an operator. Nobody without a token gets further than 401. */
const rows: readonly (readonly [target: string, alice: number, bob: number, operator: number])[] = [
  ["/api/v1/browser/conversation", 101, 101, 101],
  ["/api/v1/realtime/conversation", 101, 101, 101],
  ["/api/v1/browser/conversation?session_id=session-of-alice", 101, 403, 101],
  ["/api/v1/realtime/conversation?session_id=session-of-alice", 101, 403, 101],
  ["/api/v1/browser/conversation?session_id=session-of-nobody", 403, 403, 101],
  ["/api/v1/browser/conversation?session_id=prepared-by-alice", 101, 403, 101],
  ["/api/v1/browser/conversation?profile_id=profile-of-alice", 101, 403, 101],
  ["/api/v1/browser/dashboard/relay", 101, 101, 101],
  ["/api/v1/realtime/dashboard/relay", 101, 101, 101],
  ["/api/v1/browser/dashboard/relay?session_id=session-of-alice", 101, 403, 101],
  ["/api/v1/realtime/dashboard/relay?session_id=session-of-alice", 101, 403, 101],
  ["/api/v1/media/stream?call_connection_id=call-of-alice", 101, 403, 101],
  ["/api/v1/media/stream?call_connection_id=call-from-outside", 403, 403, 101],
  ["/api/v1/media/stream?call_connection_id=call-of-bob&session_id=session-of-alice", 403, 403, 101],
  ["/v1/media/stream/media-of-alice", 101, 403, 101],
  // OPS-1: not even the owner.
  ["/api/v1/realtime/listen?session_id=session-of-alice", 403, 403, 101],
  // BUILD-6: operators of the whole service.
  ["/api/v1/realtime/tools", 403, 403, 101],
  // A platform proves itself with its key, and nobody else is one.
  ["/api/v1/telephony/stream", 401, 401, 401],
];

/** Twilio proves itself by its signature, which nobody else can make. Asked of a host of its own, whose calls are Twilio's. */
const twilioSocket = "/api/v1/twilio/stream/token-of-alice";

type TicketRow = readonly [purpose: TicketPurpose, target: string, answer: number];
const converse = (sessionId: string): TicketPurpose => ({ type: "converse", sessionId });

/** Alice's tickets: each opens what it is for, and nothing else. */
const ticketRows: readonly TicketRow[] = [
  [converse("session-of-alice"), "/api/v1/browser/conversation?session_id=session-of-alice", 101],
  [converse("session-of-alice"), "/api/v1/browser/conversation", 101],
  [converse("session-new"), "/api/v1/realtime/conversation", 101],
  [converse("session-of-alice"), "/api/v1/browser/conversation?session_id=session-other", 403],
  [converse("session-of-bob"), "/api/v1/browser/conversation", 403],
  [converse("session-of-alice"), "/api/v1/browser/dashboard/relay", 403],
  [converse("session-of-alice"), "/api/v1/browser/dashboard/relay?session_id=session-of-alice", 403],
  [converse("media-of-alice"), "/v1/media/stream/media-of-alice", 101],
  [converse("session-of-alice"), "/v1/media/stream/media-of-alice", 403],
  [converse("carried-by-call"), "/api/v1/media/stream?call_connection_id=call-of-alice", 403],
  [converse("on-the-phone"), "/api/v1/browser/conversation", 403],
  [converse("session-of-alice"), "/api/v1/media/stream?call_connection_id=call-of-alice", 101],
  [converse("session-of-alice"), "/api/v1/media/stream?call_connection_id=call-of-bob", 403],
  [{ type: "watch" }, "/api/v1/browser/dashboard/relay", 101],
  [{ type: "watch" }, "/api/v1/browser/conversation", 403],
  [{ type: "watch" }, "/api/v1/media/stream?call_connection_id=call-of-alice", 403],
  [{ type: "watch", sessionId: "session-of-alice" }, "/api/v1/realtime/dashboard/relay", 101],
  [{ type: "watch", sessionId: "session-of-alice" }, "/api/v1/browser/dashboard/relay?session_id=session-of-bob", 403],
  [{ type: "watch", sessionId: "session-of-bob" }, "/api/v1/browser/dashboard/relay", 403],
  [{ type: "watch", sessionId: "session-of-alice" }, "/api/v1/realtime/listen?session_id=session-of-alice", 403],
  [converse("session-of-alice"), "/api/v1/realtime/listen?session_id=session-of-alice", 403],
  // Made by hand: nobody but operators is given one, and it would bring no more than who holds it may do.
  [{ type: "listen", sessionId: "session-of-alice" }, "/api/v1/realtime/listen?session_id=session-of-alice", 403],
  [{ type: "listen", sessionId: "session-of-alice" }, "/api/v1/browser/dashboard/relay", 403],
  [{ type: "listen", sessionId: "session-of-alice" }, "/api/v1/browser/conversation", 403],
  [{ type: "try" }, "/api/v1/realtime/tools", 403],
  [{ type: "try" }, "/api/v1/browser/dashboard/relay", 403],
  [{ type: "watch" }, "/api/v1/realtime/tools", 403],
];

const state = createMemoryState({ clock: systemClock });
let issuer: TokenIssuer;
let host: TestHost;
let alice: Credentials;
let bob: Credentials;
let operator: Credentials;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  host = await startTestHost({
    state,
    settings: {
      ...authenticationBy(issuer),
      COMM_RESOURCE_ID: resource,
      TELEPHONY_API_KEY: "platform",
    },
  });
  alice = await bearerOf(issuer, "alice");
  bob = await bearerOf(issuer, "bob");
  operator = await bearerOf(issuer, "olga", ["Voice.Operator"]);
  const now = Date.now();
  const { sessions, calls, mediaSessions, agents, profiles } = state;
  const known = { scenario: "default", activeAgent: "front-desk" };
  await sessions.create({ ...newSession("session-of-alice", now), ...known, owner: "alice" });
  await sessions.create({ ...newSession("session-of-bob", now), ...known, owner: "bob" });
  // As the version before wrote it.
  await sessions.create({ ...newSession("session-of-nobody", now), ...known });
  const onPhone = { ...known, channel: "phone", hostId: "another host", owner: "alice" } as const;
  await sessions.create({ ...newSession("carried-by-call", now), ...onPhone });
  await sessions.create({ ...newSession("on-the-phone", now), ...onPhone });
  const call = { ...newCall("call-a", now), callConnectionId: "call-of-alice", sessionId: "carried-by-call" };
  await calls.create({ ...call, owner: "alice" });
  await calls.create({ ...newCall("call-b", now), callConnectionId: "call-of-bob", owner: "bob" });
  await calls.create({ ...newCall("call-c", now), callConnectionId: "call-from-outside", direction: "inbound" });
  await mediaSessions.create({ ...newMediaSession("media-of-alice", now), owner: "alice" });
  await agents.create("prepared-by-alice", "helper", { name: "helper", prompt: "You help callers." }, "alice");
  await profiles.create({ profileId: "profile-of-alice", document: {}, owner: "alice" });
});

afterAll(async () => {
  await host.close();
  await issuer.close();
  await state.close();
});

async function statusOf(target: string, credentials: Credentials = {}): Promise<number> {
  const answer = await knock(host.url(target), credentials);
  return answer === 101 ? answer : answer.status;
}

async function ticketFor(purpose: TicketPurpose, subject: string): Promise<string> {
  const { ticket } = await state.tickets.create({ subject, isOperator: false, purpose });
  return encodeURIComponent(ticket);
}

function withTicket(target: string, ticket: string): string {
  return `${target}${target.includes("?") ? "&" : "?"}ticket=${ticket}`;
}

describe("[ACCESS-6a] what belongs to alice", () => {
  it.each(rows)("%s answers her %i, bob %i and an operator %i", async (target, forAlice, forBob, forOperator) => {
    expect(await statusOf(target)).toBe(401);
    // First those who may not, so that nobody is let in because somebody was before.
    expect(await statusOf(target, bob)).toBe(forBob);
    expect(await statusOf(target, alice)).toBe(forAlice);
    expect(await statusOf(target, operator)).toBe(forOperator);
  });

  it("[TWILIO-4] is not reached through Twilio's socket by anybody but Twilio", async () => {
    const ofTwilio = await startTestHost({ settings: { ...authenticationBy(issuer), ...twilioSettings } });
    onTestFinished(() => ofTwilio.close());
    for (const credentials of [{}, alice, bob, operator])
      expect(await knock(ofTwilio.url(twilioSocket), credentials)).toMatchObject({ status: 401 });
  });

  it("leaves no socket out", () => {
    const asked = [...rows.map(([target]) => target), twilioSocket].map(
      (target) => new URL(target, "ws://host").pathname,
    );
    expect(streamPaths.filter(({ pattern }) => !asked.some((path) => pattern.test(path)))).toEqual([]);
  });

  it("goes on undisturbed while bob tries to take it", async () => {
    const browser = await connectBrowser(host.url("/api/v1/browser/conversation?session_id=talk-of-alice"), alice);
    expect(await statusOf("/api/v1/browser/conversation?session_id=talk-of-alice", bob)).toBe(403);
    expect(await browser.ask("Hello?")).toContain("Hello?");
    await browser.close();
    expect(await state.sessions.get("talk-of-alice")).toMatchObject({ owner: "alice" });
  });
});

describe("a ticket", () => {
  it.each(ticketRows)(
    "[ACCESS-10a] [ACCESS-10c] [ACCESS-10d] of alice for %j, presented at %s, is answered %i",
    async (purpose, target, answer) => {
      expect(await statusOf(withTicket(target, await ticketFor(purpose, "alice")))).toBe(answer);
    },
  );

  it("[ACCESS-10b] begins the session that it names for the one who asked for it", async () => {
    const ticket = await ticketFor(converse("begun-by-ticket"), "bob");
    const browser = await connectBrowser(host.url(withTicket("/api/v1/realtime/conversation", ticket)));
    expect(browser.sessionId).toBe("begun-by-ticket");
    await browser.close();
    expect(await state.sessions.get("begun-by-ticket")).toMatchObject({ owner: "bob" });
  });
});

describe("[ACCESS-11] a dashboard", () => {
  const relay = "/api/v1/browser/dashboard/relay";

  it("is shown the caller's own sessions, and to an operator all of them", async () => {
    using watchesOwn = await dial(host.url(relay), bob);
    using watchesNext = await dial(host.url(`${relay}?session_id=next-of-alice`), bob);
    using watchesAll = await dial(host.url(relay), operator);
    const publish = (sessionId: string, owner?: string) =>
      state.liveUpdates.publish({ sessionId, owner, text: JSON.stringify({ type: "event", session_id: sessionId }) });
    // A session that there was none of when bob asked to watch it.
    publish("next-of-alice", "alice");
    publish("call-from-outside");
    publish("session-of-bob", "bob");
    await watchesOwn.next("bob's own", (update) => update.session_id === "session-of-bob");
    await watchesAll.next("the last of all", (update) => update.session_id === "session-of-bob");
    await watchesNext.roundTrip();
    expect(watchesOwn.messages.map(({ session_id: id }) => id)).toEqual(["session-of-bob"]);
    expect(watchesNext.messages).toEqual([]);
    expect(watchesAll.messages.map(({ session_id: id }) => id)).toEqual([
      "next-of-alice",
      "call-from-outside",
      "session-of-bob",
    ]);
  });

  it("is shown what is said in the caller's conversation", async () => {
    using watchesOwn = await dial(host.url(relay), alice);
    using watchesOther = await dial(host.url(relay), bob);
    const browser = await connectBrowser(host.url("/api/v1/browser/conversation"), alice);
    await browser.ask("Good morning");
    await watchesOwn.next("the words", ({ type }) => type === "transcript");
    await watchesOther.roundTrip();
    expect(watchesOther.messages).toEqual([]);
    await browser.close();
  });
});
