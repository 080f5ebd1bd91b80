/** TLS with a private authority, ACL users, and Entra-like tokens that are revoked while connections live on them. */
import type { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callEventTypes } from "@voice/shared/contracts/events/call-event";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { newSession, said } from "@voice/shared/state/ports/session-store.contract";
import { termination, everyHandler } from "@voice/shared/state/ports/event-bus.contract";
import type { State } from "@voice/shared/state/ports/state";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import type { CacheEndpoint } from "@voice/shared/state/redis/endpoint";
import { createCertificates, type Certificates } from "../support/certificates.ts";
import { isOpensslAvailable, isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { createTokenIssuer, type TokenIssuer } from "../support/token-issuer.ts";
import { eventually, sleep } from "../support/wait.ts";

const parts = { clock: systemClock, logger: silentLogger };
const mayDoEverything = ["on", "~*", "&*", "+@all"];

describe.skipIf(!isRedisAvailable() || !isOpensslAvailable())("redis security", () => {
  let certificates: Certificates;
  let server: RedisServer;
  let admin: Redis;
  let endpoint: CacheEndpoint;

  beforeAll(async () => {
    certificates = createCertificates();
    const { caFile, certFile, keyFile, ca } = certificates;
    const tlsFiles = ["--tls-ca-cert-file", caFile, "--tls-cert-file", certFile, "--tls-key-file", keyFile];
    server = await startRedisServer({
      args: [...tlsFiles, "--tls-auth-clients", "no", "--requirepass", "of-the-administrator"],
      client: { password: "of-the-administrator", tls: { ca } },
    });
    admin = server.admin();
    endpoint = { ...server.endpoint, host: "localhost", tls: { ca } };
  });
  afterAll(async () => {
    await server.stop();
    certificates.remove();
  });

  let opened: State | undefined;
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  /** Closed after the test, also after one that fails: its connections would be counted by the next. */
  async function openWithTokens(issuer: TokenIssuer): Promise<State> {
    const authentication = { type: "entra", username: issuer.username, credential: issuer.credential } as const;
    opened = await openRedisState({ ...endpoint, authentication }, parts);
    return opened;
  }

  it("works over TLS as an ACL user, with RESP3", async () => {
    await admin.call("ACL", "SETUSER", "app", "resetpass", ">app-password", ...mayDoEverything);
    const authentication = { type: "password", username: "app", password: "app-password" } as const;
    const state = await openRedisState({ ...endpoint, authentication }, parts);
    await state.sessions.create(newSession("s-acl", Date.now()));
    expect(await state.sessions.get("s-acl")).toMatchObject({ sessionId: "s-acl" });
    const clients = String(await admin.client("LIST")).split("\n");
    const own = clients.filter((line) => line.includes("user=app"));
    expect(own.length).toBeGreaterThan(0);
    expect(own.every((line) => line.includes("resp=3"))).toBe(true);
    await state.close();
  });

  it("refuses a server whose authority it does not trust, without a plain-text fallback", async () => {
    const authentication = { type: "password", username: "app", password: "app-password" } as const;
    const state = await openRedisState({ ...endpoint, tls: {}, authentication }, parts);
    await expect(state.ping()).rejects.toMatchObject({ code: "cache_connection_failed" });
    await state.close();
  });

  it("reports a wrong password and a forbidden command as an unavailable cache, and nothing of the password", async () => {
    await admin.call(
      "ACL",
      "SETUSER",
      "reader",
      "resetpass",
      ">reader-password",
      "on",
      "~*",
      "+@read",
      "+hello",
      "+info",
    );
    const wrong = { type: "password", username: "app", password: "not-this-one" } as const;
    const refused = await openRedisState({ ...endpoint, authentication: wrong }, parts);
    const error: unknown = await refused.ping().catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "cache_connection_failed",
      reason: "the cache answers and refuses: WRONGPASS",
    });
    expect(String(error)).not.toContain("not-this-one");
    await refused.close();

    const readOnly = { type: "password", username: "reader", password: "reader-password" } as const;
    const reader = await openRedisState({ ...endpoint, authentication: readOnly }, parts);
    const creation = reader.profiles.create({ profileId: "p", document: {} });
    await expect(creation).rejects.toMatchObject({ code: "cache_connection_failed" });
    await reader.close();
  });

  it("says once in the log that its password is refused, also where the connection was lost before", async () => {
    const setPassword = (password: string) =>
      admin.call("ACL", "SETUSER", "rotated", "resetpass", `>${password}`, ...mayDoEverything);
    await setPassword("of-yesterday");
    const lines: string[] = [];
    const note = (fields: object, message: string): void =>
      void lines.push("error" in fields && fields.error instanceof Error ? fields.error.message : message);
    const logger = { ...silentLogger, info: note, warn: note, error: note };
    const authentication = { type: "password", username: "rotated", password: "of-yesterday" } as const;
    const state = await openRedisState({ ...endpoint, authentication }, { ...parts, logger });
    opened = state;
    await setPassword("of-today");
    await admin.client("KILL", "USER", "rotated");
    const refused = "the cache answers and refuses: WRONGPASS";
    await eventually(() => lines.includes(refused), "the reason is in the log");
    await setPassword("of-yesterday");
    await eventually(async () => (await state.ping()).latencyMs >= 0, "the connection is back");
    expect(lines).toEqual(["the cache connection was lost", refused, "the cache connection is back"]);
  });

  it("authenticates every live connection again with each new token, while work goes on", async () => {
    const issuer = createTokenIssuer([admin], 1500, 2);
    const state = await openWithTokens(issuer);
    const seen: string[] = [];
    const updates: string[] = [];
    await state.events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
    await state.liveUpdates.watch({ sessionId: "s-token" }, ({ text }) => updates.push(text));
    const connectionsBefore = await connectionIds(admin, issuer.username);
    // Commands, the subscription, and a consumer for each type of call event.
    expect(connectionsBefore).toHaveLength(2 + callEventTypes.length);
    const issuedBefore = issuer.issued();
    await admin.config("RESETSTAT");
    await state.sessions.create(newSession("s-token", Date.now()));

    let written = 0;
    for (; issuer.issued() < 3; written += 1) {
      const turn = { items: [said("t", `turn ${written}`, Date.now())], appendId: `a-${written}` };
      await state.sessions.appendTurn("s-token", turn);
      await state.events.publish(termination(`e-${written}`));
      state.liveUpdates.publish({ sessionId: "s-token", text: String(written) });
      await sleep(20);
    }

    await eventually(() => seen.length === written && updates.length === written, "everything arrives");
    expect(await state.sessions.history("s-token")).toHaveLength(written);
    // The same connections all along: a new token is no reason to reconnect.
    expect(await connectionIds(admin, issuer.username)).toEqual(connectionsBefore);
    // Each of them was told each token since then, one that waits for news when its wait is over, and none was refused.
    const told = connectionsBefore.length * (issuer.issued() - issuedBefore);
    await eventually(async () => (await authentications(admin)).count >= told, "each connection is told each token");
    expect((await authentications(admin)).failedCount).toBe(0);
  });

  it("reconnects with the token of the day when its connections are cut", async () => {
    const issuer = createTokenIssuer([admin], 1500);
    const state = await openWithTokens(issuer);
    await eventually(() => issuer.issued() >= 2, "the first token is replaced");
    await issuer.revokeAllButTheLatest();
    for (const id of await connectionIds(admin, issuer.username)) await admin.client("KILL", "ID", id);
    await eventually(async () => (await state.ping()).latencyMs >= 0, "the connection is back");
    expect(await connectionIds(admin, issuer.username)).toHaveLength(1);
  });
});

async function connectionIds(admin: Redis, username: string): Promise<string[]> {
  const lines = String(await admin.client("LIST")).split("\n");
  return lines
    .filter((line) => line.includes(`user=${username}`))
    .map((line) => /^id=(\d+)/.exec(line)?.[1] ?? "")
    .toSorted();
}

/** The AUTH commands since the statistics were reset. */
async function authentications(admin: Redis): Promise<{ readonly count: number; readonly failedCount: number }> {
  const [, count = "0", failedCount = "0"] =
    /cmdstat_auth:calls=(\d+),.*failed_calls=(\d+)/.exec(await admin.info("commandstats")) ?? [];
  return { count: Number(count), failedCount: Number(failedCount) };
}
