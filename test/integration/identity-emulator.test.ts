import { startIdentityEmulator } from "@voice/local/emulators/identity/emulator";
import type { IdentityEmulator } from "@voice/local/emulators/identity/emulator";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterEach, beforeEach, expect, it } from "vitest";
import { requestAs } from "../support/entra-thread.ts";

let emulator: IdentityEmulator;

beforeEach(async () => {
  emulator = await startIdentityEmulator({ clients: { "client-1": "secret-1" } });
});

afterEach(() => emulator.close());

it("signs tokens that its key set proves", async () => {
  const { entra } = emulator;
  const token = await emulator.issueEntraToken({ aud: "api" });
  const keys = createRemoteJWKSet(new URL(entra.jwksUrl));
  const verified = await jwtVerify(token, keys, { issuer: entra.issuer, audience: "api" });
  expect(verified.payload).toMatchObject({ tid: emulator.tenantId, ver: "2.0" });
});

it("grants client credentials, and refuses a wrong secret", async () => {
  const ask = (secret: string) =>
    fetch(emulator.entra.tokenUrl, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: "client-1",
        client_secret: secret,
        scope: "https://cognitiveservices.azure.com/.default",
      }),
    });
  expect((await ask("wrong")).status).toBe(401);
  expect(await (await ask("secret-1")).json()).toMatchObject({ token_type: "Bearer", expires_in: 3_600 });
});

it("is a managed identity for the official library, which asks once and caches", async () => {
  const scope = "https://cognitiveservices.azure.com/.default";
  const { tokens, lines } = await requestAs(emulator.managedIdentity, { scope, tokens: 2 });
  expect(lines).toEqual([]);
  const [granted, again] = tokens;
  expect(again).toBe(granted);
  const keys = createRemoteJWKSet(new URL(emulator.entra.jwksUrl));
  const { payload } = await jwtVerify(granted ?? "", keys, { audience: "https://cognitiveservices.azure.com" });
  expect(payload.iss).toBe(emulator.entra.issuer);
  expect(emulator.requests().filter((request) => request === "GET /msi/token")).toHaveLength(1);
});

it("fails on request", async () => {
  emulator.failWith(503);
  expect((await fetch(emulator.entra.jwksUrl)).status).toBe(503);
  emulator.failWith();
  expect((await fetch(emulator.entra.jwksUrl)).status).toBe(200);
});
