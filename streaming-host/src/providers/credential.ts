/** How a service knows us: by a key, or by Entra's tokens. The function is called for every request and expected to cache. */
export type Credential =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "token"; readonly token: () => Promise<string> };

export function credentialOf(key: string | undefined, token: () => Promise<string>): Credential {
  return key === undefined ? { kind: "token", token } : { kind: "key", key };
}

/** As Azure's services expect them: only in headers, because query strings end up in the logs of proxies. */
export async function azureHeaders(credential: Credential): Promise<Readonly<Record<string, string>>> {
  return credential.kind === "key"
    ? { "api-key": credential.key }
    : { authorization: `Bearer ${await credential.token()}` };
}
