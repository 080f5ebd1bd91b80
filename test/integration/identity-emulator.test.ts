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

it("signs tokens that its key sets prove, each issuer its own", async () => {
  const { entra, communication } = emulator;
  const entraToken = await emulator.issueEntraToken({ aud: "api" });
  const callToken = await emulator.issueCommunicationToken({ aud: "resource" });
  const entraKeys = createRemoteJWKSet(new URL(entra.jwksUrl));
  const callKeys = createRemoteJWKSet(new URL(communication.jwksUrl));
  const verified = await jwtVerify(entraToken, entraKeys, { issuer: entra.issuer, audience: "api" });
  expect(verified.payload).toMatchObject({ tid: emulator.tenantId, ver: "2.0" });
  await jwtVerify(callToken, callKeys, { issuer: communication.issuer, audience: "resource" });
  await expect(jwtVerify(callToken, entraKeys)).rejects.toMatchObject({
    code: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  });
});

it("publishes the key before beside the new one after a rotation", async () => {
  const old = await emulator.issueEntraToken();
  await emulator.rotateKeys();
  const keys = createRemoteJWKSet(new URL(emulator.entra.jwksUrl));
  await jwtVerify(old, keys);
  await expect(jwtVerify(old, keys)).resolves.toMatchObject({ protectedHeader: { kid: "emulated-1" } });
  const renewed = await emulator.issueEntraToken();
  await expect(jwtVerify(renewed, keys)).resolves.toMatchObject({ protectedHeader: { kid: "emulated-2" } });
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
