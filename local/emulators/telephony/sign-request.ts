/**
 * Signs an upgrade request as the telephony platform does: six components, HMAC-SHA256, a nonce that is used once (AudioHook protocol
 * reference, "Security"; audiohook-reference-implementation, httpsignature).
 */
import { createHmac, randomBytes } from "node:crypto";

export interface PlatformKey {
  readonly apiKey: string;
  /** In Base64; absent, requests are not signed. */
  readonly secret?: string | undefined;
}

const validSeconds = 10;

/** Returns the headers to add. `headers` holds those to sign, with lower-case names. */
export function signRequest(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { apiKey, secret }: PlatformKey,
  wallMs: number,
): Record<string, string> {
  const keyed = { ...headers, "x-api-key": apiKey };
  if (secret === undefined) return keyed;
  const components = { "@request-target": `${url.pathname}${url.search}`, "@authority": url.host, ...keyed };
  const created = Math.floor(wallMs / 1000);
  const list =
    `(${Object.keys(components)
      .map((name) => `"${name}"`)
      .join(" ")});keyid="${apiKey}";nonce="${randomBytes(18).toString("base64")}";alg="hmac-sha256"` +
    `;created=${created};expires=${created + validSeconds}`;
  const lines = Object.entries(components).map(([name, value]) => `"${name}": ${value}`);
  const base = [...lines, `"@signature-params": ${list}`].join("\n");
  const signature = createHmac("sha256", Buffer.from(secret, "base64")).update(base).digest("base64");
  return { ...keyed, "signature-input": `sig1=${list}`, signature: `sig1=:${signature}:` };
}
