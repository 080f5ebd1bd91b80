import { createLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { loadSettings } from "@voice/shared/config/load";
import { noTelemetry, type Telemetry } from "@voice/shared/telemetry/telemetry";
import { receiverOf } from "@voice/shared/webhooks/announced-state";
import { sessionFact } from "@voice/shared/webhooks/webhook-facts";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { retryPausesMs } from "./serve-work.ts";
import { requestTimeoutMs, WebhookSender, type PostWebhook } from "./webhook-sender.ts";

const urls = ["https://crm.example/voice?key=secret", "https://log.example/"] as const;
const secrets = [`whsec_${Buffer.alloc(24, 1).toString("base64")}`];
const event = { id: "evt_1", type: "session.ended", subject: "session-1", sessionId: "session-1" } as const;
const body = '{"version":1}';
const outboxLine = { msg: z.string(), receiver: z.number() };
const day = 24 * 3_600_000;

interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly atMs: number;
}

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
});

function rig(answer: (request: Request, nth: number) => Promise<number> | number = () => 204) {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock });
  const requests: Request[] = [];
  const lines: string[] = [];
  const counts: unknown[] = [];
  const post: PostWebhook = async (url, { headers, body: sent, signal }) => {
    const request = { url: url.href, headers, body: sent, atMs: clock.now() };
    requests.push(request);
    const aborted = new Promise<never>((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(new VoiceError("upstream_timeout", "late")), { once: true }),
    );
    return Promise.race([answer(request, requests.length), aborted]);
  };
  const begin = () => {
    const host = {
      settings: { ...loadSettings({}), webhookUrls: urls, webhookSecrets: secrets },
      random: () => 0.5,
      telemetry: { ...noTelemetry, count: (_name, attributes) => void counts.push(attributes) } satisfies Telemetry,
      clock,
      logger: createLogger({ level: "info", name: "test", destination: { write: (line) => void lines.push(line) } }),
    };
    const sender = new WebhookSender(host, state, post);
    closings.push(() => sender.close());
    return sender;
  };
  const put = (receiver: string = urls[0], told: string | null = body, id: string = event.id) =>
    state.webhooks.put({ ...event, id, receiver: receiverOf(receiver), body: told ?? undefined }, 0);
  const take = (receiver: string, forMs: number) => state.webhooks.take(receiverOf(receiver), 10, forMs);
  const pass = (ms: number) => clock.advanceAsync(ms, ms > 120_000 ? 500 : 100);
  return { clock, state, requests, lines, counts, begin, put, take, pass };
}

describe("the sender of webhooks", () => {
  it("[WEBHOOK-1] sends what is in the outbox, signed, and once", async () => {
    const { begin, put, pass, requests, counts } = rig();
    begin();
    await put();
    await pass(5000);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ url: urls[0], body, headers: { "webhook-id": "evt_1" } });
    expect(requests[0]?.headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(counts).toEqual([{ type: "session.ended", outcome: "delivered" }]);
  });

  it("[WEBHOOK-4a] [WEBHOOK-4c] asks again with growing pauses, with the same id and body, until the receiver accepts it", async () => {
    const { begin, put, pass, requests } = rig((_request, nth) => (nth < 4 ? 503 : 200));
    begin();
    await put();
    await pass(200_000);
    expect(new Set(requests.map(({ headers, body: sent }) => headers["webhook-id"] + sent)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers["webhook-signature"])).size).toBe(4);
    const pauses = requests.slice(1).map(({ atMs }, index) => atMs - (requests[index]?.atMs ?? 0));
    expect(pauses).toHaveLength(3);
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(retryPausesMs[index] ?? 0);
      expect(pause).toBeLessThan((retryPausesMs[index] ?? 0) + 1500);
    }
  });

  it("[WEBHOOK-4a] [WEBHOOK-4b] gives up within a day, and at once where it is told to, with a line that names no address", async () => {
    const { begin, put, pass, requests, lines } = rig((request) => (request.url === urls[0] ? 500 : 410));
    begin();
    await put(urls[0]);
    await put(urls[1]);
    await pass(2000);
    expect(requests.filter(({ url }) => url === urls[1])).toHaveLength(1);
    for (const pauseMs of retryPausesMs) await pass(pauseMs + 1500);
    await pass(5000);
    expect(requests.filter(({ url }) => url === urls[0])).toHaveLength(retryPausesMs.length + 1);
    expect(retryPausesMs.reduce((sum, pauseMs) => sum + pauseMs, 0)).toBeLessThan(day);
    expect(lines.filter((line) => line.includes("given up"))).toHaveLength(2);
    expect(lines.join("")).not.toMatch(/example|secret/);
  }, 20_000);

  it("[WEBHOOK-10] counts an event as late once its receiver has refused it for over ten minutes", async () => {
    const { begin, put, pass, counts } = rig((request) => (request.url === urls[1] ? 503 : 204));
    begin();
    await put(urls[1]);
    await pass(600_000);
    const postponed = { type: "session.ended", outcome: "postponed" };
    expect(counts).toEqual(Array.from({ length: 4 }, () => postponed));
    await pass(300_000);
    expect(counts.at(-1)).toEqual({ type: "session.ended", outcome: "late" });
  });

  it("[WEBHOOK-11] says once that a receiver is away, now and then how many wait for it, and once that it is back", async () => {
    let isAway = true;
    const { begin, put, pass, lines, requests } = rig(() => (isAway ? 503 : 204));
    for (let nth = 1; nth <= 20; nth += 1) await put(urls[1], body, `evt_${nth}`);
    begin();
    await pass(900_000);
    expect(requests).toHaveLength(100);
    isAway = false;
    await pass(2_100_000);
    expect(requests).toHaveLength(120);
    const { msg, receiver } = outboxLine;
    const line = z.object({ msg, receiver, status: z.number().optional(), waiting: z.number().optional() });
    expect(lines.map((told) => line.parse(JSON.parse(told)))).toEqual([
      { msg: "a webhook's receiver did not accept it", receiver: 2, status: 503 },
      { msg: "a receiver of webhooks still does not accept them", receiver: 2, status: 503, waiting: 20 },
      { msg: "a receiver of webhooks accepts them again", receiver: 2 },
    ]);
  });

  it("[WEBHOOK-11] has two lines in ten minutes of a receiver that accepts one event and not another", async () => {
    const { begin, put, pass, lines } = rig(({ headers }) => (headers["webhook-id"] === "evt_bad" ? 400 : 204));
    begin();
    await put(urls[1], body, "evt_bad");
    for (let nth = 1; nth <= 50; nth += 1) {
      await pass(10_000);
      await put(urls[1], body, `evt_${nth}`);
    }
    expect(lines).toHaveLength(2);
  });

  it("[WEBHOOK-4a] gives a receiver that does not answer fifteen seconds, while others are told", async () => {
    const { begin, put, pass, requests } = rig((request) =>
      request.url === urls[0] ? new Promise<number>(() => undefined) : 200,
    );
    begin();
    await put(urls[0]);
    await put(urls[1]);
    await pass(1000);
    expect(requests).toHaveLength(2);
    await pass(requestTimeoutMs + 7000);
    expect(requests.filter(({ url }) => url === urls[0])).toHaveLength(2);
  });

  it("[WEBHOOK-4d] lets no receiver wait for another one, however many deliveries that one does not answer", async () => {
    const { begin, put, pass, requests } = rig((request) =>
      request.url === urls[0] ? new Promise<number>(() => undefined) : 200,
    );
    for (let nth = 1; nth <= 20; nth += 1) await put(urls[0], body, `evt_silent_${nth}`);
    begin();
    await pass(2000);
    for (let nth = 1; nth <= 3; nth += 1) await put(urls[1], body, `evt_${nth}`);
    await pass(2000);
    expect(requests.filter(({ url }) => url === urls[1])).toHaveLength(3);
  });

  it("[WEBHOOK-3] is one of two hosts that has a delivery, and the other tries when that one dies", async () => {
    const { begin, put, take, pass, requests } = rig();
    await put();
    await take(urls[0], 60_000); // by a host that dies now
    begin();
    begin();
    await pass(59_000);
    expect(requests).toEqual([]);
    await pass(3000);
    expect(requests).toHaveLength(1);
  });

  it("[WEBHOOK-2b] sends nothing about what did not happen", async () => {
    const { begin, put, take, pass, requests } = rig();
    begin();
    await put(urls[0], null);
    await pass(100_000);
    expect(requests).toEqual([]);
    expect(await take(urls[0], 1)).toEqual([]);
  });

  it("[WEBHOOK-2c] leaves what is for a receiver that its host does not know yet to a host that does", async () => {
    const { begin, put, take, pass } = rig();
    begin();
    await put("https://new.example/");
    await pass(5000);
    expect(await take("https://new.example/", 1)).toMatchObject([{ id: event.id, attempt: 1 }]);
  });

  it("[WEBHOOK-7] sends nothing about a session that is deleted while the body is looked for", async () => {
    const { begin, put, take, pass, requests, state } = rig();
    const { get } = state.sessions;
    const session = { ...newSession("session-1", 0), status: "ended" as const, turnCount: 2 };
    const { id } = sessionFact(await state.sessions.create(session));
    state.sessions.get = async (sessionId) => {
      const found = await get.call(state.sessions, sessionId);
      await state.webhooks.forgetSession(sessionId);
      return found;
    };
    begin();
    await put(urls[0], null, id);
    await pass(100_000);
    expect(requests).toEqual([]);
    expect(await take(urls[0], 1)).toEqual([]);
  });

  it("gives back what is under way when its host stops", async () => {
    const { begin, put, pass, requests } = rig((_request, nth) =>
      nth === 1 ? new Promise<number>(() => undefined) : 200,
    );
    const first = begin();
    await put();
    await pass(1000);
    await first.close();
    begin();
    await pass(8000);
    expect(requests).toHaveLength(2);
  });

  it("goes on when the outbox cannot be read for a while, and says once for each receiver when that begins and ends", async () => {
    const { begin, put, pass, requests, state, lines } = rig();
    const { take } = state.webhooks;
    state.webhooks.take = () => Promise.reject(new VoiceError("cache_connection_failed", "away"));
    begin();
    await put();
    await pass(3000);
    state.webhooks.take = take.bind(state.webhooks);
    await pass(2000);
    expect(requests).toHaveLength(1);
    const told = lines
      .filter((line) => line.includes("outbox"))
      .map((line) => z.object(outboxLine).parse(JSON.parse(line)));
    const saidOf = (nth: number) => told.filter(({ receiver }) => receiver === nth).map(({ msg }) => msg);
    const both = ["the outbox of webhooks could not be read", "the outbox of webhooks is read again"];
    expect([told.length, ...[1, 2].map(saidOf)]).toEqual([4, both, both]);
  });
});
