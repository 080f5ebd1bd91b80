/** Who did what over HTTP, and who was refused, as the audit trail has it. */
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApi, type Api } from "./api-harness.ts";
import { authenticationBy, bearerOf, type Credentials } from "../../support/signed-callers.ts";
import { startTokenIssuer, type TokenIssuer } from "./token-issuer.ts";

let issuer: TokenIssuer;
let api: Api;
let alice: Credentials;
let operator: Credentials;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  api = await startApi({ ...authenticationBy(issuer), COMM_WEBHOOK_SECRET: "open-sesame-and-more" });
  alice = await bearerOf(issuer, "alice");
  operator = await bearerOf(issuer, "olga", ["Voice.Operator"]);
  await api.state.sessions.create({ ...newSession("s-of-bob", Date.now()), owner: "bob" });
});

afterAll(async () => {
  await api.close();
  await issuer.close();
});

interface Entry {
  readonly subject: string | null;
  readonly action: string;
  readonly what: Readonly<Record<string, string>>;
  readonly outcome: string;
  readonly from: string | null;
}

async function records(query = ""): Promise<readonly Entry[]> {
  const answer = await api.call("GET", `/api/v1/audit${query}`, undefined, operator);
  return (answer.body as { readonly records: readonly Entry[] }).records;
}

describe("the audit trail", () => {
  it("[AUDIT-1] has who read, changed and deleted what, and who was refused, with the client's address", async () => {
    const from = { "x-forwarded-for": "203.0.113.9" };
    await api.call("GET", "/api/v1/sessions/s-of-bob", undefined, { ...alice, ...from });
    await api.call("GET", "/api/v1/sessions/s-of-bob/transcript", undefined, operator);
    await api.call("DELETE", "/api/v1/sessions/s-of-bob", undefined, operator);
    await api.call("PUT", "/api/v1/agents/front-desk", { voice: { voice_rate: "+5%" } }, operator);
    await expect
      .poll(() => records("?about=s-of-bob"))
      .toMatchObject([
        { subject: "olga", action: "sessionsDelete", outcome: "done" },
        { subject: "olga", action: "sessionsTranscript" },
        { subject: "alice", action: "sessionsGet", outcome: "refused", from: "203.0.113.9" },
      ]);
    expect(await records("?subject=olga&about=front-desk")).toMatchObject([
      { action: "agentsUpdate", what: { agent_name: "front-desk" }, outcome: "done" },
    ]);
  });

  it("[AUDIT-1] has guesses of a token and of a webhook's secret", async () => {
    await api.call("GET", "/api/v1/sessions", undefined, { authorization: "Bearer not.a.token" });
    await api.call("POST", "/api/v1/calls/answer?secret=guess", []);
    const refused = async () => (await records()).filter(({ subject }) => subject === null);
    await expect.poll(refused).toMatchObject([
      { outcome: "refused", what: {} },
      { outcome: "refused", what: {} },
    ]);
    expect(JSON.stringify(await refused())).not.toContain("guess");
  });

  it("[AUDIT-4] is for operators, and has who reads it", async () => {
    expect((await api.call("GET", "/api/v1/audit", undefined, alice)).status).toBe(403);
    await expect
      .poll(() => records("?subject=alice"))
      .toContainEqual(expect.objectContaining({ action: "auditList", outcome: "refused", subject: "alice" }));
    await expect.poll(async () => (await records("?subject=olga")).map(({ action }) => action)).toContain("auditList");
  });
});
