/** What was good once is sent again, by the same or by somebody else; and streams that pretend to be the service's own. */
import { randomUUID } from "node:crypto";
import { signRequest } from "@voice/local/emulators/telephony/sign-request";
import { z } from "zod";
import { connectBrowser, knock } from "../support/browser-client.ts";
import type { TokenIssuer } from "../integration/http/token-issuer.ts";
import { tokenSettings } from "./attack-tokens.ts";
import { freeNumbers } from "./corpus.ts";
import type { Figures } from "./figures.ts";
import type { Target } from "./target.ts";

const platformKey = { apiKey: "platform-key", secret: Buffer.from("the secret of the platform").toString("base64") };

export const replaySettings = {
  TELEPHONY_API_KEY: platformKey.apiKey,
  TELEPHONY_CLIENT_SECRET: platformKey.secret,
};

type Headers = Readonly<Record<string, string>>;

export async function attackByReplays(target: Target, figures: Figures, issuer: TokenIssuer): Promise<void> {
  const { tenant, backend, client } = tokenSettings;
  const bearer = async (sub: string): Promise<Headers> => ({
    authorization: `Bearer ${await issuer.sign({ aud: backend, tid: tenant, azp: client, org: "acme", sub })}`,
  });
  const parts = { target, figures, ann: await bearer("ann"), eve: await bearer("eve") };
  await replayTickets(parts);
  await replayKeys(parts);
  await replaySignatures(parts);
  await forgeStreams(parts);
}

interface Parts {
  readonly target: Target;
  readonly figures: Figures;
  readonly ann: Headers;
  readonly eve: Headers;
}

async function post({ target, figures }: Parts, path: string, body: unknown, headers: Headers): Promise<unknown> {
  figures.inputs += 1;
  const response = await fetch(`${target.url}/api/v1${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.json();
}

async function isLetIn({ target, figures }: Parts, path: string, headers: Headers = {}): Promise<boolean> {
  figures.inputs += 1;
  return (await knock(`${target.socketUrl}${path}`, headers)) === 101;
}

const ticketAnswer = z.object({ ticket: z.string() });

/** ACCESS-10a: a ticket is good for one socket, and for its purpose. */
async function replayTickets(parts: Parts): Promise<void> {
  const { target, figures, ann } = parts;
  const get = async (body: object): Promise<string> =>
    encodeURIComponent(ticketAnswer.parse(await post(parts, "/realtime/token", body, ann)).ticket);
  const ticket = await get({});
  const conversation = `/api/v1/browser/conversation?ticket=${ticket}`;
  const browser = await connectBrowser(`${target.socketUrl}${conversation}`);
  const again = await Promise.all(Array.from({ length: 10 }, () => isLetIn(parts, conversation)));
  await browser.close();
  if (again.some(Boolean) || (await isLetIn(parts, conversation)))
    figures.unauthorisedAccesses.push("a ticket that was used before");
  const watch = await get({ purpose: "watch" });
  if (await isLetIn(parts, `/api/v1/browser/conversation?ticket=${watch}`))
    figures.unauthorisedAccesses.push("a ticket to watch, for a conversation");
}

const placed = z.object({ call_id: z.string() });

/** A key of somebody else's request leads to no call of theirs. */
async function replayKeys(parts: Parts): Promise<void> {
  const key = { "idempotency-key": randomUUID() };
  const place = async (whose: Headers) =>
    placed.safeParse(await post(parts, "/calls/initiate", { target_number: freeNumbers[0] }, { ...whose, ...key }))
      .data;
  const [own, others] = [await place(parts.ann), await place(parts.eve)];
  if (own !== undefined && own.call_id === others?.call_id)
    parts.figures.unauthorisedAccesses.push("a call of another client by the key of its request");
}

/** HOOK-1: a signature is good once, for the address and the host that it names, and for seconds. */
async function replaySignatures(parts: Parts): Promise<void> {
  const path = "/api/v1/telephony/stream";
  const url = new URL(`${parts.target.socketUrl}${path}`);
  const identity = () => ({
    "audiohook-organization-id": randomUUID(),
    "audiohook-correlation-id": randomUUID(),
    "audiohook-session-id": randomUUID(),
  });
  const signed = signRequest(url, identity(), platformKey, Date.now());
  await isLetIn(parts, path, signed);
  const old = signRequest(url, identity(), platformKey, Date.now() - 600_000);
  const elsewhere = signRequest(
    new URL("wss://other.example/api/v1/telephony/stream"),
    identity(),
    platformKey,
    Date.now(),
  );
  const attempts: readonly (readonly [what: string, headers: Headers])[] = [
    ["a signature that was used before", signed],
    ["a signature of ten minutes ago", old],
    ["a signature for another host", elsewhere],
    ["a signature for another session", { ...signRequest(url, identity(), platformKey, Date.now()), ...identity() }],
    ["a key without a signature", { ...identity(), "x-api-key": platformKey.apiKey }],
    ["another key's signature", signRequest(url, identity(), { ...platformKey, secret: "QUJD" }, Date.now())],
  ];
  for (const [what, headers] of attempts)
    if (await isLetIn(parts, path, headers)) parts.figures.unauthorisedAccesses.push(what);
}

/** Only the communication service's own token opens the stream of a call, and never a client's. */
async function forgeStreams(parts: Parts): Promise<void> {
  const own = { "x-ms-call-connection-id": "connection-1", "x-ms-call-correlation-id": randomUUID() };
  const path = "/api/v1/media/stream?call_connection_id=connection-1&call_id=call-1&session_id=hostile-1";
  for (const [what, headers] of [
    ["no token", own],
    ["a client's token", { ...own, ...parts.ann }],
    ["a token of nobody", { ...own, authorization: "Bearer a.b.c" }],
  ] as const)
    if (await isLetIn(parts, path, headers))
      parts.figures.unauthorisedAccesses.push(`a stream of the communication service with ${what}`);
}
