/** Forged tokens, at every endpoint that requires one. */
import { createHmac } from "node:crypto";
import type { Access } from "@voice/shared/contracts/http/endpoint";
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import { knock } from "../support/browser-client.ts";
import type { TokenIssuer } from "../integration/http/token-issuer.ts";
import type { Figures } from "./figures.ts";
import { addressOf, doorsTo } from "./doors.ts";
import type { Target } from "./target.ts";

/** Named by its subject, and so of no tenant. */
export const serviceOperator = "oper";

export const tokenSettings = {
  tenant: "11111111-2222-4333-8444-555555555555",
  backend: "6f9619ff-8b86-4011-b42d-00c04fc964ff",
  client: "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee",
  resource: "99999999-8888-4777-8666-555555555555",
};

/** Endpoints that need no token. ACCESS-18: in development, as for the target, everybody may read the documents. */
const anybodys: ReadonlySet<Access> = new Set(["open", "documentation"]);

export async function attackWithForgedTokens(target: Target, figures: Figures, issuer: TokenIssuer): Promise<void> {
  for (const [name, authorization] of Object.entries(await forgeries(issuer))) {
    const headers = authorization === undefined ? {} : { authorization };
    for (const door of doorsTo("hostile-1")) {
      figures.inputs += 1;
      const answer = await knock(`${target.socketUrl}${door}`, headers);
      if (answer === 101) figures.unauthorisedAccesses.push(`${door} with ${name}`);
    }
    for (const { method, path, access } of endpoints.filter((endpoint) => !anybodys.has(endpoint.access))) {
      figures.inputs += 1;
      const where = addressOf(path, "hostile-1");
      const response = await fetch(`${target.url}${where}`, {
        method,
        headers: { ...headers, "content-type": "application/json" },
        ...(method === "GET" ? {} : { body: "{}" }),
      });
      await response.arrayBuffer();
      const refused = response.status === 401 || response.status === 403 || response.status === 503;
      if (!refused) figures.unauthorisedAccesses.push(`${response.status} ${method} ${where} (${access}) with ${name}`);
    }
  }
}

async function forgeries(issuer: TokenIssuer): Promise<Readonly<Record<string, string | undefined>>> {
  const { tenant, backend, client, resource } = tokenSettings;
  const claims = { aud: backend, tid: tenant, azp: client, org: "acme", sub: "mallory" };
  const good = await issuer.sign(claims);
  const [head = "", body = "", signature = ""] = good.split(".");
  const swapped = Buffer.from(JSON.stringify({ ...claims, sub: "admin", roles: ["operator"] })).toString("base64url");
  const symmetric = `${encoded({ alg: "HS256", typ: "JWT", kid: "key" })}.${body}`;
  const hmac = createHmac("sha256", issuer.jwksUrl).update(symmetric).digest("base64url");
  return {
    "no token": undefined,
    "an empty token": "Bearer ",
    "another scheme": `Basic ${good}`,
    "a token without a signature": `Bearer ${issuer.unsigned(claims)}`,
    "a signature cut off": `Bearer ${head}.${body}.`,
    "another's claims under a good signature": `Bearer ${head}.${swapped}.${signature}`,
    "a symmetric signature": `Bearer ${symmetric}.${hmac}`,
    "a foreign key": `Bearer ${await issuer.sign(claims, { withForeignKey: true })}`,
    "a token that is over": `Bearer ${await issuer.sign(claims, { expiresInSeconds: -120 })}`,
    "another audience": `Bearer ${await issuer.sign({ ...claims, aud: resource })}`,
    "another tenant": `Bearer ${await issuer.sign({ ...claims, tid: resource })}`,
    "another client": `Bearer ${await issuer.sign({ ...claims, azp: resource })}`,
    "a very long token": `Bearer ${"A".repeat(8000)}`,
  };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
