/**
 * A client with a valid token of its own spends what is the owner's: money on the telephone, the keys of tools, memory of the store. What is
 * refused, and what is done, has to be in the audit trail whatever the client tries.
 */
import { randomUUID } from "node:crypto";
import { createUuid } from "@voice/shared/platform/ids";
import { z } from "zod";
import { knock } from "../support/browser-client.ts";
import type { TokenIssuer } from "../integration/http/token-issuer.ts";
import { serviceOperator, tokenSettings } from "./attack-tokens.ts";
import { freeNumbers, refusedNumbers, unspeakableIds } from "./corpus.ts";
import type { Figures } from "./figures.ts";
import type { Target } from "./target.ts";

const callsPerHour = 6;
const storedBytesPerHour = 200_000;

/** Of the service that is attacked. */
export const spendingLimits = {
  CALL_ALLOWED_DESTINATIONS: "US",
  MAX_CALLS_PER_HOUR: `${callsPerHour}`,
  MAX_STORED_BYTES_PER_HOUR: `${storedBytesPerHour}`,
  // None of the tools that change something is in it.
  SESSION_AGENT_TOOLS: "nothing_*",
};

/** Of the demonstration: it changes something in a back end, with the owner's keys. */
const keyedTool = "block_card";

type Headers = Readonly<Record<string, string>>;

/** One user's requests, each under a token of its own subject. */
class Spender {
  readonly subject: string;
  readonly #target: Target;
  readonly #figures: Figures;
  readonly headers: Headers;

  constructor(subject: string, headers: Headers, target: Target, figures: Figures) {
    this.subject = subject;
    this.headers = headers;
    this.#target = target;
    this.#figures = figures;
  }

  async send(method: string, path: string, body?: unknown, headers: Headers = {}) {
    this.#figures.inputs += 1;
    const response = await fetch(`${this.#target.url}/api/v1${path}`, {
      method,
      headers: { ...this.headers, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  letIn(what: string): void {
    this.#figures.unauthorisedAccesses.push(`${what} (${this.subject})`);
  }
}

export async function attackSpending(target: Target, figures: Figures, issuer: TokenIssuer): Promise<void> {
  const { tenant, backend, client } = tokenSettings;
  const as = async (subject: string, claims: Readonly<Record<string, unknown>> = { org: "acme" }) => {
    const token = await issuer.sign({ aud: backend, tid: tenant, azp: client, sub: subject, ...claims });
    return new Spender(subject, { authorization: `Bearer ${token}` }, target, figures);
  };
  await useToolsWithKeys(await as("mallory-tools"));
  await callAnywhere(await as("mallory-numbers"));
  await callAllDay(await as("mallory-calls"));
  await fillTheStore(await as("mallory-bytes"));
  await chooseUnspeakableIds(await as("mallory-ids"), target, figures);
  await evadeTheAudit(await as("mallory-audit"), await as(serviceOperator, {}));
}

/** ACCESS-24: by name, by rules that call it without naming it, and by names that only look different. */
async function useToolsWithKeys(mallory: Spender): Promise<void> {
  const call = { tool: keyedTool, args: { card: "4711-of-somebody-else" } };
  const rules = { intents: { go: { examples: ["do it now"], call, after: { success: "Done." } } } };
  const attempts: readonly object[] = [
    { tools: [keyedTool] },
    { tools: [keyedTool], rules },
    { rules },
    { tools: ["get_account_balance"], rules },
    ...[keyedTool.toUpperCase(), ` ${keyedTool}`, `${keyedTool}\u0000`, `nothing_${keyedTool}`].map((name) => ({
      tools: [name],
    })),
  ];
  for (const [at, attempt] of attempts.entries()) {
    const agent = { name: `deputy-${at}`, prompt: "You do what you are told.", greeting: "Yes?", ...attempt };
    const { status } = await mallory.send("POST", `/agents?session_id=deputy-${at}`, agent);
    if (status === 200) mallory.letIn(`an agent with ${JSON.stringify(attempt)}`);
  }
}

/** PLACE-1 and PLACE-2. */
async function callAnywhere(mallory: Spender): Promise<void> {
  for (const number of refusedNumbers)
    for (const field of ["target_number", "phone_number"]) {
      const { status } = await mallory.send("POST", "/calls/initiate", { [field]: number });
      if (status < 400) mallory.letIn(`a call to ${JSON.stringify(number)}`);
    }
}

/** PLACE-5: one after the other, at once, and as repetitions under keys of their own. */
async function callAllDay(mallory: Spender): Promise<void> {
  const place = async (number: string, headers: Headers = {}): Promise<boolean> =>
    (await mallory.send("POST", "/calls/initiate", { target_number: number }, headers)).status === 200;
  const at = (index: number): string => freeNumbers[index % freeNumbers.length] ?? "";
  const placed = await Promise.all(Array.from({ length: 20 }, (_, index) => place(at(index))));
  for (let index = 0; index < 10; index += 1) placed.push(await place(at(index), { "idempotency-key": randomUUID() }));
  const count = placed.filter(Boolean).length;
  if (count > callsPerHour) mallory.letIn(`${count} calls in an hour in place of ${callsPerHour}`);
}

/** ACCESS-27: in agents and scenarios of many sessions that nobody joins, in customers, and in contexts of calls. */
async function fillTheStore(mallory: Spender): Promise<void> {
  let storedBytes = 0;
  const prompt = "Help whoever calls. ".repeat(1000);
  const store = async (path: string, body: object): Promise<void> => {
    const { status } = await mallory.send("POST", path, body);
    if (status === 200 || status === 201) storedBytes += JSON.stringify(body).length;
  };
  for (let index = 0; index < 20; index += 1) {
    await store(`/agents?session_id=full-${index}`, { name: "large", prompt });
    await store("/calls/initiate", { target_number: freeNumbers[0], context: { note: "n".repeat(15_000) } });
  }
  if (storedBytes > storedBytesPerHour) mallory.letIn(`${storedBytes} bytes in place of ${storedBytesPerHour}`);
}

/** What is begun under such an id could be neither read nor deleted: every URL parser removes it from a path. */
async function chooseUnspeakableIds(mallory: Spender, target: Target, figures: Figures): Promise<void> {
  for (const id of unspeakableIds) {
    const query = new URLSearchParams({ session_id: id }).toString();
    figures.inputs += 1;
    if ((await knock(`${target.socketUrl}/api/v1/browser/conversation?${query}`, mallory.headers)) === 101)
      mallory.letIn(`a conversation with the id ${JSON.stringify(id)}`);
    const agent = { name: "lost", prompt: "You are lost.", session_id: id };
    const requests = [
      ["/agents", agent],
      ["/realtime/token", { session_id: id }],
    ] as const;
    for (const [path, body] of requests)
      if ((await mallory.send("POST", path, body)).status === 200)
        mallory.letIn(`${path} with the id ${JSON.stringify(id)}`);
  }
}

const trail = z.object({
  records: z.array(z.object({ action: z.string(), outcome: z.string(), subject: z.string().nullable() })),
});

/** AUDIT-1 and AUDIT-4: a request that is written differently, or pretends to come from elsewhere, is recorded all the same. */
async function evadeTheAudit(mallory: Spender, operator: Spender): Promise<void> {
  const id = createUuid();
  await mallory.send("POST", `/agents?session_id=${id}`, { name: "mine", prompt: "You are mine." });
  const disguises: Headers = {
    "x-forwarded-for": `127.0.0.1, ${"9".repeat(5000)}`,
    "x-http-method-override": "GET",
    "x-original-url": "/api/v1/health",
    "x-request-id": "\u00e9".repeat(200),
  };
  const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
  for (const path of [`/sessions/${encoded}`, `/sessions/${id}?session_id=another`]) {
    const { status } = await mallory.send("DELETE", path, undefined, disguises);
    if (status >= 500) mallory.letIn(`DELETE ${path} was answered with ${status}`);
  }
  await mallory.send("PUT", "/agents/front-desk", { voice: { voice_rate: "+9%" } }, disguises);
  for (const method of ["GET", "DELETE", "POST"])
    if ((await mallory.send(method, `/audit?subject=${mallory.subject}`)).status < 400)
      mallory.letIn(`${method} /audit`);
  const { text } = await operator.send("GET", `/audit?subject=${mallory.subject}&limit=200`);
  const known = trail.parse(JSON.parse(text)).records.map(({ action, outcome }) => `${action} ${outcome}`);
  for (const expected of ["agentsCreate done", "sessionsDelete done", "agentsUpdate refused", "auditList refused"])
    if (!known.includes(expected)) mallory.letIn(`the audit trail has no "${expected}", but ${known.join(", ")}`);
}
