/**
 * The telephony platform's request signature: draft-ietf-httpbis-message-signatures as of its `@request-target` days,
 * HMAC-SHA256, one signature over six fixed components. Pure.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { parseDictionary } from "structured-headers";
import { VoiceError } from "../platform/errors.ts";

/** The components that the signature must cover, so that none of them can be replaced. */
const wantedComponents = [
  "@request-target",
  "@authority",
  "audiohook-organization-id",
  "audiohook-session-id",
  "audiohook-correlation-id",
  "x-api-key",
] as const;

const longestAgeMs = 10_000;
const clockSkewMs = 3000;
const shortestNonce = 22;

export interface SignedRequest {
  /** Path and query as in the request line. */
  readonly target: string;
  /** The `Host` header. */
  readonly authority: string;
  readonly header: (name: string) => string | undefined;
}

export interface CheckedSignature {
  readonly nonce: string;
  /** How long the same signature remains valid. */
  readonly usableForMs: number;
}

/** Throws `unauthorized`. `secret` is base64, as the platform shows it. */
export function checkTelephonySignature(
  request: SignedRequest,
  key: { readonly apiKey: string; readonly secret: string },
  wallMs: number,
): CheckedSignature {
  const input = request.header("signature-input") ?? fail("the request is not signed");
  const [label, parameters] = signatureParameters(input);
  const keyId = parameters.get("keyid");
  const nonce = parameters.get("nonce");
  const algorithm = parameters.get("alg") ?? "hmac-sha256";
  if (keyId !== key.apiKey) fail("the signature's keyid is not the API key");
  if (algorithm !== "hmac-sha256") fail("the signature's algorithm is not hmac-sha256");
  if (typeof nonce !== "string" || nonce.length < shortestNonce)
    return fail(`the signature's nonce has less than ${shortestNonce} characters`);
  const usableForMs = remainingLife(parameters.get("created"), parameters.get("expires"), wallMs);
  const base = signatureBase(request, input.trim().slice(label.length + 1));
  const expected = createHmac("sha256", Buffer.from(key.secret, "base64")).update(base).digest();
  const presented = presentedSignature(request.header("signature"), label);
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) fail("the signature is wrong");
  return { nonce, usableForMs };
}

type Parameters = ReadonlyMap<string, unknown>;

function signatureParameters(input: string): [label: string, parameters: Parameters] {
  const [entry, ...others] = parsed(input);
  if (entry === undefined || others.length > 0) return fail("Signature-Input must have one member");
  const [label, [components, parameters]] = entry;
  if (!Array.isArray(components)) return fail("Signature-Input must list what is signed");
  const names: unknown[] = components.map(([name]) => name);
  if (names.length !== wantedComponents.length || wantedComponents.some((wanted) => !names.includes(wanted)))
    return fail(`what is signed must be ${wantedComponents.join(", ")}`);
  return [label, parameters];
}

/** One line per component, in the platform's order, followed by the list itself as it was sent. */
function signatureBase(request: SignedRequest, list: string): string {
  const names = [...list.slice(0, list.indexOf(")")).matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
  const lines = names.map((name) => `"${name}": ${componentOf(request, name)}`);
  return [...lines, `"@signature-params": ${list}`].join("\n");
}

function componentOf(request: SignedRequest, name: string): string {
  if (name === "@request-target") return request.target;
  if (name === "@authority") return request.authority.toLowerCase().replace(/:(?:80|443)$/, "");
  return request.header(name)?.trim() ?? fail(`the signed header ${name} is missing`);
}

function remainingLife(created: unknown, expires: unknown, wallMs: number): number {
  if (typeof created !== "number" || typeof expires !== "number")
    return fail("the signature has no created or expires");
  if (created * 1000 > wallMs + clockSkewMs) fail("the signature was created in the future");
  const endsAtMs = Math.min(created * 1000 + longestAgeMs, expires * 1000) + clockSkewMs;
  if (endsAtMs <= wallMs) fail("the signature has expired");
  return endsAtMs - wallMs;
}

function presentedSignature(header: string | undefined, label: string): Buffer {
  const found = parsed(header ?? "").find(([name]) => name === label)?.[1][0];
  return found instanceof ArrayBuffer ? Buffer.from(found) : fail("the Signature header has no such signature");
}

function parsed(header: string) {
  try {
    return [...parseDictionary(header)];
  } catch (cause) {
    throw new VoiceError("unauthorized", "a signature header is not a structured field", { cause });
  }
}

function fail(problem: string): never {
  throw new VoiceError("unauthorized", problem);
}
