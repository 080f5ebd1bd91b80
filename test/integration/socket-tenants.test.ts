/** Every socket that can name a session, asked by another tenant: by somebody with the owner's subject, and by an operator. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tenantOwner, writeOwner } from "@voice/shared/auth/tenant";
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { newMediaSession } from "@voice/shared/state/ports/small-stores.contract";
import { connectBrowser, knock } from "../support/browser-client.ts";
import { authenticationBy, bearerOf, type Credentials } from "../support/signed-callers.ts";
import { dial } from "../support/socket-client.ts";
import { startTestHost, type TestHost } from "../support/test-host.ts";
import { startTokenIssuer, type TokenIssuer } from "./http/token-issuer.ts";

const ofAlice = writeOwner({ tenant: "acme", subject: "alice" });
const state = createMemoryState({ clock: systemClock });
let issuer: TokenIssuer;
let host: TestHost;
let alice: Credentials;
let head: Credentials;
let namesake: Credentials;
let stranger: Credentials;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  host = await startTestHost({ state, settings: { ...authenticationBy(issuer), TENANT_CLAIM: "org" } });
  const member = (subject: string, org: string, roles: readonly string[] = []) =>
    bearerOf(issuer, subject, roles, { org });
  const operator = ["Voice.Operator"];
  alice = await member("alice", "acme");
  head = await member("hedda", "acme", operator);
  namesake = await member("alice", "globex");
  stranger = await member("gil", "globex", operator);
  const now = Date.now();
  const known = { scenario: "default", activeAgent: "front-desk" };
  await state.sessions.create({ ...newSession("session-of-alice", now), ...known, owner: ofAlice });
  await state.sessions.create({ ...newSession("session-of-acme", now), ...known, owner: tenantOwner("acme") });
  await state.agents.create("prepared-by-alice", "helper", { name: "helper", prompt: "You help." }, ofAlice);
  await state.calls.create({ ...newCall("call-a", now), callConnectionId: "call-of-alice", owner: ofAlice });
  await state.mediaSessions.create({ ...newMediaSession("media-of-alice", now), owner: ofAlice });
});

afterAll(async () => {
  await host.close();
  await issuer.close();
  await state.close();
});

async function statusOf(target: string, credentials: Credentials): Promise<number> {
  const answer = await knock(host.url(target), credentials);
  return answer === 101 ? answer : answer.status;
}

describe("[TENANT-2] what is alice's of acme", () => {
  it.each([
    ["/api/v1/browser/conversation?session_id=session-of-alice", 404, 404, 101],
    ["/api/v1/browser/conversation?session_id=prepared-by-alice", 404, 404, 101],
    ["/api/v1/realtime/conversation?session_id=session-of-acme", 404, 404, 101],
    ["/api/v1/browser/dashboard/relay?session_id=session-of-alice", 404, 404, 101],
    ["/api/v1/media/stream?call_connection_id=call-of-alice", 404, 404, 101],
    ["/v1/media/stream/media-of-alice", 404, 404, 101],
    // Who is no operator is told so first.
    ["/api/v1/realtime/listen?session_id=session-of-alice", 403, 404, 101],
    // BUILD-6: nor is it her head's, who is no operator of the whole service.
    ["/api/v1/realtime/tools", 403, 403, 403],
  ])(
    "%s is not there for globex (%i, an operator %i), and is for her head (%i)",
    async (target, hers, operators, own) => {
      expect(await statusOf(target, namesake)).toBe(hers);
      expect(await statusOf(target, stranger)).toBe(operators);
      expect(await statusOf(target, head)).toBe(own);
    },
  );

  it("is not there for a ticket of another tenant either", async () => {
    const purpose = { type: "watch", sessionId: "session-of-alice" } as const;
    const grant = { subject: "gil", isOperator: true, tenant: "globex", purpose };
    const { ticket } = await state.tickets.create(grant);
    const relay = `/api/v1/browser/dashboard/relay?ticket=${encodeURIComponent(ticket)}`;
    expect(await statusOf(relay, {})).toBe(404);
  });

  it("[TENANT-3] a dashboard shows an operator the conversations of the tenant, and no other's", async () => {
    using watches = await dial(host.url("/api/v1/browser/dashboard/relay"), head);
    using watchesElsewhere = await dial(host.url("/api/v1/browser/dashboard/relay"), stranger);
    const browser = await connectBrowser(host.url("/api/v1/browser/conversation"), alice);
    await browser.ask("Good morning");
    await watches.next("the words", ({ type }) => type === "transcript");
    await watchesElsewhere.roundTrip();
    expect(watchesElsewhere.messages).toEqual([]);
    expect(await state.sessions.get(browser.sessionId)).toMatchObject({ owner: ofAlice });
    await browser.close();
  });
});
