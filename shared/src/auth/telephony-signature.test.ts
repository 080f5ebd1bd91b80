import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkTelephonySignature } from "./telephony-signature.ts";

/** The vendor's published example. */
const apiKey = "SGVsbG8sIEkgYW0gdGhlIEFQSSBrZXkh";
const secret = "TXlTdXBlclNlY3JldEtleVRlbGxOby0xITJAMyM0JDU=";
const createdMs = 1_641_013_200_000;
const list =
  '("@request-target" "@authority" "audiohook-organization-id" "audiohook-session-id" "audiohook-correlation-id" ' +
  `"x-api-key");keyid="${apiKey}";nonce="VGhpc0lzQVVuaXF1ZU5vbmNl";alg="hmac-sha256";created=1641013200;expires=3282026430`;
const headers: Readonly<Record<string, string>> = {
  "audiohook-organization-id": "d7934305-0972-4844-938e-9060eef73d05",
  "audiohook-session-id": "30b0e395-84d3-4570-ac13-9a62d8f514c0",
  "audiohook-correlation-id": "e160e428-53e2-487c-977d-96989bf5c99d",
  "x-api-key": apiKey,
  "signature-input": `sig1=${list}`,
  signature: "sig1=:NZBwyBHRRyRoeLqy1IzOa9VYBuI8TgMFt2GRDkDuJh4=:",
};

interface Changes {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly target?: string;
  readonly authority?: string;
  readonly wallMs?: number;
}

function check({ headers: changed = {}, wallMs = createdMs + 5000, ...request }: Changes = {}) {
  const all: Readonly<Record<string, string | undefined>> = { ...headers, ...changed };
  const signed = {
    target: "/api/v1/voicebiometrics/ws",
    authority: "audiohook.example.com",
    header: (name: string) => all[name],
    ...request,
  };
  return checkTelephonySignature(signed, { apiKey, secret }, wallMs);
}

/** The vendor's request, rightly signed over another list by somebody who has the secret: nothing but the list is wrong with it. */
function signedOver(otherList: string, authority = "audiohook.example.com"): Changes {
  const values: Readonly<Record<string, string>> = {
    ...headers,
    "@request-target": "/api/v1/voicebiometrics/ws",
    "@authority": authority,
  };
  const names = [...otherList.slice(0, otherList.indexOf(")")).matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
  const base = [...names.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${otherList}`].join("\n");
  const signature = createHmac("sha256", Buffer.from(secret, "base64")).update(base).digest("base64");
  return { headers: { "signature-input": `sig1=${otherList}`, signature: `sig1=:${signature}:` } };
}

describe("the telephony platform's signature", () => {
  it("[HOOK-2] is right in the vendor's example, and can be used for the rest of its life", () => {
    expect(check()).toEqual({ nonce: "VGhpc0lzQVVuaXF1ZU5vbmNl", usableForMs: 8000 });
    expect(check({ authority: "Audiohook.Example.com:443" })).toMatchObject({ usableForMs: 8000 });
    expect(signedOver(list).headers).toMatchObject({ signature: headers["signature"] });
    expect(check(signedOver(list.replace(';alg="hmac-sha256"', "")))).toMatchObject({ usableForMs: 8000 });
    const odd = "audiohook.example.com:8080";
    expect(check({ ...signedOver(list, odd), authority: odd })).toMatchObject({ usableForMs: 8000 });
    const spaced = ` ${headers["audiohook-session-id"]} `;
    expect(check({ headers: { "audiohook-session-id": spaced } })).toMatchObject({ usableForMs: 8000 });
    const shortest = "VGhpc0lzQVVuaXF1ZU5vbmNl".slice(0, 22);
    expect(check(signedOver(list.replace("VGhpc0lzQVVuaXF1ZU5vbmNl", shortest)))).toMatchObject({ nonce: shortest });
    expect(check(signedOver(list.replace("3282026430", "1641013206")))).toMatchObject({ usableForMs: 4000 });
  });

  it.each<[string, Changes]>([
    ["another target", { target: "/api/v1/voicebiometrics/ws?x" }],
    ["another host", { authority: "evil.example.com" }],
    ["another session", { headers: { "audiohook-session-id": "30b0e395-84d3-4570-ac13-9a62d8f514c1" } }],
    ["a missing header that is signed", { headers: { "audiohook-correlation-id": undefined } }],
    ["a signature of another length", { headers: { signature: "sig1=:AAAA:" } }],
    ["a signature of another name", { headers: { signature: "sig2=:NZBwyBHRRyRoeLqy1IzOa9VYBuI8TgMFt2GRDkDuJh4=:" } }],
    ["a signature that is no bytes", { headers: { signature: "sig1=1" } }],
    ["no signature", { headers: { signature: undefined } }],
    ["no input", { headers: { "signature-input": undefined } }],
    ["an input that is no structured field", { headers: { "signature-input": "sig1=(((" } }],
    ["an input without a list", { headers: { "signature-input": 'sig1="x"' } }],
    ["two inputs", { headers: { "signature-input": `sig1=${list}, sig2=${list}` } }],
    ["fewer components", signedOver(list.replace('"@authority" ', ""))],
    ["one component twice and another not at all", signedOver(list.replace("audiohook-session-id", "x-api-key"))],
    ["a component more", signedOver(list.replace('"@authority" ', '"@authority" "@authority" '))],
    ["another key", signedOver(list.replace(`keyid="${apiKey}"`, 'keyid="other"'))],
    ["another algorithm", signedOver(list.replace("sha256", "md5"))],
    ["a short nonce", signedOver(list.replace("VGhpc0lz", ""))],
    ["a nonce that is a number", signedOver(list.replace('"VGhpc0lzQVVuaXF1ZU5vbmNl"', "1234567890"))],
    ["no nonce", signedOver(list.replace(';nonce="VGhpc0lzQVVuaXF1ZU5vbmNl"', ""))],
    ["no time", signedOver(list.replace(";created=1641013200", ""))],
    ["no end", signedOver(list.replace(";expires=3282026430", ""))],
    ["its end", { ...signedOver(list.replace("3282026430", "1641013206")), wallMs: createdMs + 9000 }],
    ["its age", { wallMs: createdMs + 13_000 }],
    ["a clock that is far ahead of ours", { wallMs: createdMs - 3001 }],
  ])("[HOOK-2] is refused for %s", (_what, changes) => {
    expect(() => check(changes)).toThrow(expect.objectContaining({ code: "unauthorized" }));
  });

  it("[HOOK-2] allows clocks to differ by 3 s", () => {
    expect(check({ wallMs: createdMs - 3000 }).usableForMs).toBe(16_000);
    expect(check({ wallMs: createdMs + 12_999 }).usableForMs).toBe(1);
  });
});
