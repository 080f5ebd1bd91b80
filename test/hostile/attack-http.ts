/** Bodies, paths and queries that nobody's client would send. */
import fc from "fast-check";
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import { agentBodies, deliveries, queries, rawBodies } from "./corpus.ts";
import { addressOf } from "./doors.ts";
import type { Figures } from "./figures.ts";
import type { Target } from "./target.ts";

const patienceMs = 20_000;

export async function attackHttp(target: Target, figures: Figures, inputs: number): Promise<void> {
  const send = async (method: string, where: string, body?: string): Promise<void> => {
    figures.inputs += 1;
    try {
      const response = await fetch(`${target.url}${where}`, {
        method,
        signal: AbortSignal.timeout(patienceMs),
        ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
      });
      await response.arrayBuffer();
      if (response.status === 500) figures.unforeseen.push(`500 ${method} ${where} ${body?.slice(0, 120) ?? ""}`);
    } catch (error) {
      const reason = error instanceof Error ? error.name : "no error";
      figures.unforeseen.push(`${reason} ${method} ${where} ${body?.slice(0, 120) ?? ""}`);
    }
  };
  for (const [at, body] of agentBodies.entries()) {
    const whole = { name: "Boom", prompt: "You are a helpful agent.", ...body };
    await send("POST", `/api/v1/agents?session_id=hostile-${at}`, JSON.stringify(whole));
  }
  for (const endpoint of endpoints.filter(({ access }) => access === "event-grid" || access === "call-automation"))
    for (const body of deliveries) await send(endpoint.method, addressOf(endpoint.path, "hostile-1"), body);
  const bodies = [...rawBodies, ...fc.sample(fc.json({ maxDepth: 6 }), { numRuns: inputs, seed: 1 })];
  const writing = endpoints.filter(({ method, path }) => method !== "GET" && !path.includes("initiate"));
  for (const [at, body] of bodies.entries()) {
    const endpoint = writing[at % writing.length];
    if (endpoint !== undefined) await send(endpoint.method, addressOf(endpoint.path, "hostile-1"), body);
  }
  const reading = endpoints.filter(({ method }) => method === "GET");
  for (const query of [...queries, ...fc.sample(fc.webQueryParameters(), { numRuns: inputs, seed: 2 })]) {
    const endpoint = reading[figures.inputs % reading.length];
    if (endpoint !== undefined) await send("GET", `${addressOf(endpoint.path, "hostile-1")}?${query}`);
  }
}
