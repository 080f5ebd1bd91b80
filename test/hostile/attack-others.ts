/** A client with a valid token of its own tries to reach everything that belongs to somebody else. */
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import type { Endpoint } from "@voice/shared/contracts/http/endpoint";
import { z } from "zod";
import { connectBrowser, knock } from "../support/browser-client.ts";
import type { TokenIssuer } from "../integration/http/token-issuer.ts";
import { tokenSettings } from "./attack-tokens.ts";
import { addressOf, doorsTo } from "./doors.ts";
import type { Figures } from "./figures.ts";
import type { Target } from "./target.ts";

const session = "session-of-alice";
const words = "the marmalade penguin";

/** What has to be said beside whose session it is about, so that the request is not refused for its form. */
const bodies: Readonly<Record<string, object>> = {
  agentsCreate: { name: "taken", prompt: "You help." },
  agentsUpdate: {},
  scenariosCreate: { name: "taken", agents: ["front-desk"], start_agent: "front-desk" },
  sessionsSay: { text: "Hello." },
  sessionsTransfer: { target_number: "+14255550123" },
};

interface Asked {
  readonly address: string;
  readonly sent?: object | undefined;
}

export async function attackOthers(target: Target, figures: Figures, issuer: TokenIssuer): Promise<void> {
  const { tenant, backend, client } = tokenSettings;
  const bearer = async (sub: string, org: string, roles: readonly string[] = []) => ({
    authorization: `Bearer ${await issuer.sign({ aud: backend, tid: tenant, azp: client, sub, org, roles })}`,
  });
  const [alice, bob] = [await bearer("alice", "acme"), await bearer("bob", "acme")];
  // Of another tenant: one has her subject, and one may do everything there.
  const foreign = [await bearer("alice", "globex"), await bearer("gil", "globex", ["Voice.Operator"])];
  const conversation = `${target.socketUrl}/api/v1/browser/conversation?session_id=${session}`;
  // One that goes on, and then one that is over: both are hers.
  const browser = await connectBrowser(conversation, alice);
  await browser.ask(`I have seen ${words}`);
  for (const stranger of [bob, ...foreign]) await tryEverything(target, figures, stranger);
  await browser.close();
  for (const stranger of [bob, ...foreign]) await tryEverything(target, figures, stranger);
  for (const { method, path } of endpoints.filter(
    ({ access }) => access === "operator" || access === "service-operator",
  )) {
    figures.inputs += 1;
    const response = await fetch(target.url + addressOf(path, session), { method, headers: alice });
    await response.arrayBuffer();
    if (response.status !== 403) figures.unauthorisedAccesses.push(`${response.status} ${method} ${path} with no role`);
  }
}

async function tryEverything(
  target: Target,
  figures: Figures,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  for (const endpoint of endpoints.filter(({ access }) => ["client", "operator", "open"].includes(access))) {
    for (const { address, sent } of requestsFor(endpoint)) {
      figures.inputs += 1;
      const response = await fetch(target.url + address, {
        method: endpoint.method,
        headers: { ...headers, ...(sent === undefined ? {} : { "content-type": "application/json" }) },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      });
      const answer = await response.text();
      const names = `${address} ${JSON.stringify(sent) ?? ""}`.includes(session);
      if (response.ok && (names || answer.includes(words)))
        figures.unauthorisedAccesses.push(`${response.status} ${endpoint.method} ${address} of another's`);
    }
  }
  for (const door of doorsTo(session)) {
    figures.inputs += 1;
    const answer = await knock(target.socketUrl + door, headers);
    if (answer === 101) figures.unauthorisedAccesses.push(`${door} of another's`);
  }
}

/** The endpoint as it is, and with her session wherever it can be named. */
function requestsFor({ name, method, path, query, body }: Endpoint): readonly Asked[] {
  const address = addressOf(path, path.includes("{session_id}") ? session : "front-desk");
  const sent = method === "GET" || method === "OPTIONS" ? undefined : bodies[name];
  const asked: Asked[] = [{ address, sent }];
  if (namesSession(query)) asked.push({ address: `${address}?session_id=${session}`, sent });
  if (namesSession(body)) asked.push({ address, sent: { ...bodies[name], session_id: session } });
  return asked;
}

function namesSession(schema: z.ZodType): boolean {
  return JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })).includes('"session_id"');
}
