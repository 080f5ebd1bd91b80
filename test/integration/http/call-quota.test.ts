/** A phone call is a conversation that a client begins, and the dearest one. */
import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApi, type Api } from "./api-harness.ts";

let api: Api;

beforeAll(async () => {
  api = await startApi({ MAX_SESSIONS_PER_HOUR: "2" });
});
afterAll(async () => api.close());

const place = (key: string) =>
  api.call("POST", "/api/v1/calls/initiate", { target_number: "+14255550123" }, { "Idempotency-Key": key });

it("[ACCESS-14] A client places as many phone calls in an hour as it may begin conversations, a repeated request counts once, and a refused one keeps no place", async () => {
  const host = heartbeat("host-1");
  await api.state.hosts.beat({
    ...host,
    providers: { ...host.providers, callControl: { name: "azure", healthy: true } },
  });
  const answers = [];
  for (const key of ["one", "two", "two", "three", "one"]) answers.push(await place(key));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200]);
  expect(answers[3]).toMatchObject({ body: { type: "rate_limited" } });
  expect(Number(answers[3]?.headers.get("retry-after"))).toBeGreaterThan(3500);
  expect(await api.state.callPlaces.kept()).toBe(2);
  expect((await api.state.calls.list({ offset: 0, limit: 10 })).total).toBe(2);
});
