/** Who may open a WebSocket: clients with a token or a ticket, the communication service with its own. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { protectedBy, startTokenIssuer, type TokenIssuer } from "./http/token-issuer.ts";
import { knock } from "../support/browser-client.ts";
import { startTestHost, type TestHost } from "../support/test-host.ts";

const backend = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
const tenant = "11111111-2222-4333-8444-555555555555";
const client = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
const resource = "99999999-8888-4777-8666-555555555555";
const claims = { aud: backend, tid: tenant, azp: client, sub: "someone" };
const converse = (sessionId: string) =>
  ({ subject: "someone", isOperator: false, purpose: { type: "converse", sessionId } }) as const;
const unauthorized = { status: 401, type: "unauthorized" };
const forbidden = { status: 403, type: "forbidden" };

let issuer: TokenIssuer;
let host: TestHost;
let browser: string;
const state = createMemoryState({ clock: systemClock });

beforeAll(async () => {
  issuer = await startTokenIssuer();
  host = await startTestHost({
    state,
    clock: systemClock, // because the issuer signs tokens by the system's clock
    settings: protectedBy(issuer, { backend, tenant, client, resource }),
  });
  browser = host.url("/api/v1/browser/conversation");
  await state.calls.create({ ...newCall("c-1", Date.now()), callConnectionId: "connection-1" });
});
afterAll(async () => {
  await host.close();
  await issuer.close();
  await state.close();
});
beforeEach(() => {
  issuer.keys = "served";
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("a client", () => {
  it("comes in with a token that is meant for this API", async () => {
    expect(await knock(browser, bearer(await issuer.sign(claims)))).toBe(101);
    expect(await knock(host.url("/api/v1/browser/dashboard/relay"), bearer(await issuer.sign(claims)))).toBe(101);
  });

  it("does not come in without one, or with one that proves nothing", async () => {
    expect(await knock(browser)).toEqual(unauthorized);
    expect(await knock(browser, bearer(await issuer.sign(claims, { expiresInSeconds: -120 })))).toEqual(unauthorized);
    expect(await knock(browser, bearer(await issuer.sign({ ...claims, aud: resource })))).toEqual(unauthorized);
    expect(await knock(browser, bearer(await issuer.sign(claims, { withForeignKey: true })))).toEqual(unauthorized);
    expect(await knock(browser, bearer(issuer.unsigned(claims)))).toEqual(unauthorized);
  });

  it("is told apart from a known one that may not", async () => {
    expect(await knock(browser, bearer(await issuer.sign({ ...claims, azp: resource })))).toEqual(forbidden);
    expect(await knock(browser, bearer(await issuer.sign({ ...claims, tid: resource })))).toEqual(forbidden);
  });

  it("comes in with a ticket, once", async () => {
    const { ticket } = await state.tickets.create(converse("session-one"));
    const url = `${browser}?ticket=${encodeURIComponent(ticket)}`;
    expect(await knock(url)).toBe(101);
    expect(await knock(url)).toEqual(unauthorized);
  });

  it("does not come into another's session with a ticket for its own", async () => {
    const { ticket } = await state.tickets.create(converse("session-one"));
    expect(await knock(`${browser}?session_id=session-two&ticket=${encodeURIComponent(ticket)}`)).toEqual(forbidden);
  });
});

describe("the communication service", () => {
  const media = (connectionId: string) => host.url(`/api/v1/media/stream?call_connection_id=${connectionId}`);
  const header = (connectionId: string) => ({ "x-ms-call-connection-id": connectionId });

  it("comes in with its token, to a call of ours", async () => {
    const token = await issuer.sign({ aud: resource });
    expect(await knock(media("connection-1"), { ...header("connection-1"), ...bearer(token) })).toBe(101);
    expect(await knock(media("connection-9"), { ...header("connection-9"), ...bearer(token) })).toEqual({
      status: 404,
      type: "call_not_found",
    });
    expect(await knock(media("connection-1"), { ...header("connection-2"), ...bearer(token) })).toEqual(forbidden);
  });

  it("does not come in without it, nor with a client's", async () => {
    expect(await knock(media("connection-1"), header("connection-1"))).toEqual(unauthorized);
    const clients = bearer(await issuer.sign(claims));
    expect(await knock(media("connection-1"), { ...header("connection-1"), ...clients })).toEqual(unauthorized);
  });
});

it("refuses with 503 what it cannot check, and says that it is not the peer's fault", async () => {
  const other = await startTokenIssuer();
  other.keys = "broken";
  const lonely = await startTestHost({
    state,
    clock: systemClock, // because the issuer signs tokens by the system's clock
    settings: {
      ENABLE_AUTH_VALIDATION: "true",
      BACKEND_AUTH_CLIENT_ID: backend,
      CLOUD_TENANT_ID: tenant,
      ALLOWED_CLIENT_IDS: client,
      AUTH_JWT_ISSUER: other.issuer,
      AUTH_JWKS_URL: other.jwksUrl,
    },
  });
  const refused = await knock(lonely.url("/api/v1/browser/conversation"), bearer(await other.sign(claims)));
  expect(refused).toEqual({ status: 503, type: "dependency_not_ready" });
  await lonely.close();
  await other.close();
});
