/** Two processes of the functions app and one Redis behave as one service, whichever of them is asked. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { startFunctionsProcess, type ServerProcess } from "../support/server-process.ts";

describe.skipIf(!isRedisAvailable())("two functions instances", () => {
  let redis: RedisServer | undefined;
  const instances: ServerProcess[] = [];

  beforeAll(async () => {
    redis = await startRedisServer();
    const entry = inject("packages").functions;
    const environment = { CACHE_HOST: "127.0.0.1", CACHE_PORT: String(redis.port), LOG_LEVEL: "error" };
    instances.push(
      ...(await Promise.all([startFunctionsProcess(entry, environment), startFunctionsProcess(entry, environment)])),
    );
  });

  afterAll(async () => {
    await Promise.all(instances.map(async (instance) => instance.stop()));
    await redis?.stop();
  });

  async function call(instance: 0 | 1, method: string, target: string, body?: object) {
    const response = await fetch(`${instances[instance]?.url}${target}`, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: answer };
  }

  it("see each other's calls", async () => {
    const first = await call(0, "POST", "/api/v1/calls/initiate", { target_number: "+14255550123" });
    const second = await call(1, "POST", "/api/v1/calls/initiate", { phone_number: "+14255550124" });
    expect([first.status, second.status]).toEqual([200, 200]);
    const listed = await call(1, "GET", "/api/v1/calls/");
    expect(listed.body).toMatchObject({ total: 2 });
    expect(listed).toEqual(await call(0, "GET", "/api/v1/calls/"));
  });

  it("answer an inbound call once between them", async () => {
    const event = {
      id: "e1",
      eventType: "Microsoft.Communication.IncomingCall",
      data: { incomingCallContext: "c", correlationId: "same", from: { phoneNumber: { value: "+14255550100" } } },
    };
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const response = await fetch(`${instances[index % 2]?.url}/api/v1/calls/answer`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify([event]),
        });
        return response.status;
      }),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    const ringing = await call(0, "GET", "/api/v1/calls/?status_filter=ringing");
    expect(ringing.body).toMatchObject({ total: 1 });
  });

  it("apply an agent's change and a session's own agent everywhere", async () => {
    await call(0, "PUT", "/api/v1/agents/front-desk", { model: { temperature: 0.1 } });
    expect((await call(1, "GET", "/api/v1/agents/front-desk")).body).toMatchObject({ model: { temperature: 0.1 } });
    await call(1, "POST", "/api/v1/agents", { name: "Helper", prompt: "You help with all.", session_id: "s" });
    expect((await call(0, "GET", "/api/v1/agents/Helper?session_id=s")).status).toBe(200);
  });

  it("lose nothing when one of them restarts", async () => {
    await instances[0]?.stop();
    expect((await call(1, "GET", "/api/v1/calls/")).body).toMatchObject({ total: 3 });
    const ticket = await call(1, "POST", "/api/v1/realtime/token");
    expect(ticket.status).toBe(200);
  });

  it("say that the store is away, and recover by themselves", async () => {
    await redis?.kill();
    const down = await call(1, "GET", "/api/v1/calls/");
    expect(down).toMatchObject({ status: 503, body: { type: "cache_connection_failed" } });
    expect((await call(1, "GET", "/api/v1/health")).status).toBe(200);
    await redis?.start();
    await expect.poll(async () => (await call(1, "GET", "/api/v1/calls/")).status).toBe(200);
  });
});
