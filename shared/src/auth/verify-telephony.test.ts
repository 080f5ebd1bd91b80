import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createMemoryState } from "../state/memory/create-memory-state.ts";
import { verifyTelephony } from "./verify-telephony.ts";

const open = {
  enableAuthValidation: false,
  environment: "development",
  telephonyApiKey: undefined,
  telephonyClientSecret: undefined,
  telephonyKeys: undefined,
} as const;
const keyed = { ...open, telephonyApiKey: "the-key" };
const signed = { ...keyed, telephonyClientSecret: "c2VjcmV0" };

function rig() {
  const clock = new VirtualClock();
  const { nonces } = createMemoryState({ clock });
  return {
    clock,
    verify(settings: Parameters<typeof verifyTelephony>[1], headers: Readonly<Record<string, string>> = {}) {
      const request = { target: "/api/v1/telephony/stream", authority: "h", header: (name: string) => headers[name] };
      return verifyTelephony(request, settings, { nonces, wallMs: clock.wallNow() });
    },
  };
}

function sign(wallMs: number, secret = "secret"): Record<string, string> {
  const headers = {
    "audiohook-organization-id": "o",
    "audiohook-session-id": "s",
    "audiohook-correlation-id": "c",
    "x-api-key": "the-key",
  };
  const components = { "@request-target": "/api/v1/telephony/stream", "@authority": "h", ...headers };
  const names = Object.keys(components).map((name) => `"${name}"`);
  const created = wallMs / 1000;
  const list = `(${names.join(" ")});keyid="the-key";nonce="012345678901234567890${secret}";created=${created};expires=${created + 10}`;
  const lines = Object.entries(components).map(([name, value]) => `"${name}": ${value}`);
  const base = [...lines, `"@signature-params": ${list}`].join("\n");
  const signature = createHmac("sha256", secret).update(base).digest("base64");
  return { ...headers, "signature-input": `sig1=${list}`, signature: `sig1=:${signature}:` };
}

describe("a telephony platform", () => {
  it("[HOOK-1] needs no key where authentication is off and none is configured", async () => {
    await expect(rig().verify(open)).resolves.toBeUndefined();
  });

  it.each([
    { ...open, enableAuthValidation: true },
    { ...open, environment: "production" as const },
  ])("[HOOK-1] cannot be let in where it has to prove itself and cannot", async (settings) => {
    await expect(rig().verify(settings)).rejects.toMatchObject({ code: "dependency_not_ready" });
  });

  it("[HOOK-1] presents the key", async () => {
    const { verify } = rig();
    await expect(verify(keyed, { "x-api-key": "the-key" })).resolves.toBeUndefined();
    await expect(verify(keyed, { "x-api-key": "the-kez" })).rejects.toMatchObject({ code: "unauthorized" });
    await expect(verify(keyed)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("[HOOK-2] signs its request, and a signature is accepted once", async () => {
    const { verify, clock } = rig();
    await expect(verify(signed, { "x-api-key": "the-key" })).rejects.toMatchObject({ code: "unauthorized" });
    const headers = sign(clock.wallNow());
    await expect(verify(signed, headers)).resolves.toBeUndefined();
    await expect(verify(signed, headers)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("[HOOK-1] presents one of several keys, and of its own organization", async () => {
    const { verify } = rig();
    const organizationId = "d7934305-0972-4844-938e-9060eef73d05";
    const settings = {
      ...keyed,
      telephonyKeys: [{ apiKey: "the-new-key" }, { organizationId, apiKey: "its-key" }],
    };
    const organization = { "audiohook-organization-id": organizationId.toUpperCase() };
    await expect(verify(settings, { "x-api-key": "the-key" })).resolves.toBeUndefined();
    await expect(verify(settings, { "x-api-key": "the-new-key", ...organization })).resolves.toBeUndefined();
    await expect(verify(settings, { "x-api-key": "its-key", ...organization })).resolves.toBeUndefined();
    const other = { "audiohook-organization-id": "d7934305-0972-4844-938e-9060eef73d06" };
    for (const headers of [{ "x-api-key": "its-key" }, { "x-api-key": "its-key", ...other }])
      await expect(verify(settings, headers)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(verify({ ...settings, telephonyApiKey: undefined })).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("[HOOK-1] need not sign with a key that has an entry without a secret", async () => {
    const { verify } = rig();
    const settings = { ...signed, telephonyKeys: [{ apiKey: "the-key" }] };
    await expect(verify(settings, { "x-api-key": "the-key" })).resolves.toBeUndefined();
  });

  it("[HOOK-2] signs with the old or the new secret while one follows the other", async () => {
    const { verify, clock } = rig();
    const newSecret = Buffer.from("new secret").toString("base64");
    const settings = { ...signed, telephonyKeys: [{ apiKey: "the-key", secret: newSecret }] };
    await expect(verify(settings, sign(clock.wallNow()))).resolves.toBeUndefined();
    clock.advance(1000);
    const signedAnew = { ...sign(clock.wallNow(), "new secret") };
    await expect(verify(settings, signedAnew)).resolves.toBeUndefined();
    clock.advance(1000);
    await expect(verify(settings, sign(clock.wallNow(), "neither"))).rejects.toMatchObject({ code: "unauthorized" });
  });
});
