/** A realtime service that accepts the settings and refuses a request for a response. */
import { once } from "node:events";
import { RealtimeLog } from "@voice/provider-kit/contracts/realtime-log";
import { realtimeSettings } from "@voice/provider-kit/contracts/realtime-model.contract";
import type { RealtimeSession } from "@voice/provider-kit/ports/realtime-model";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createVoiceLiveModel } from "@voice/streaming-host/providers/voice-live/realtime-model";
import { expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { z } from "zod";

const clientEvent = z.looseObject({ type: z.string(), event_id: z.string().optional() });
type ClientEvent = z.infer<typeof clientEvent>;

/** OpenAI's code for it; that of Voice Live is inferred from the common protocol. */
const busy = "conversation_already_has_active_response";

/** A session with a service that refuses some requests for a response, with an error of that code, and what it was sent. */
async function openSession(refuse: (request: ClientEvent, place: number) => string | undefined) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => server.close());
  await once(server, "listening");
  const requests: ClientEvent[] = [];
  server.on("connection", (socket) => {
    const send = (type: string, fields: object = {}): void => socket.send(JSON.stringify({ type, ...fields }));
    send("session.created", { session: {} });
    socket.on("message", (data: Buffer) => {
      const event = clientEvent.parse(JSON.parse(data.toString("utf8")));
      if (event.type === "session.update") send("session.updated", { session: {} });
      if (event.type !== "response.create") return;
      const code = refuse(event, requests.push(event) - 1);
      const refusal = { error: { code, message: "no", event_id: event.event_id } };
      if (code === busy) {
        // It has begun a response of its own at the same moment.
        send("response.created", { response: { id: "own" } });
        send("error", refusal);
        send("response.done", { response: { id: "own", status: "completed" } });
      } else if (code !== undefined) send("error", refusal);
      else {
        const id = `response-${requests.length}`;
        send("response.created", { response: { id } });
        send("response.done", { response: { id, status: "completed" } });
      }
    });
  });
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const log = new RealtimeLog();
  const model = createVoiceLiveModel({
    endpoint: { url: `http://127.0.0.1:${port}`, model: "gpt-realtime", credential: { kind: "key", key: "key" } },
    retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
    clock: systemClock,
    logger: silentLogger,
  });
  const session = await model.open(realtimeSettings, log, new AbortController().signal);
  onTestFinished(() => session.close());
  return { requests, log, session };
}

/** What a service that refuses how it is requested to speak was sent for two responses. */
async function requestsTo(refuses: (request: ClientEvent) => boolean, ask: (session: RealtimeSession) => void) {
  const { requests, log, session } = await openSession((event) => (refuses(event) ? "invalid_value" : undefined));
  for (const finished of [1, 2]) {
    ask(session);
    await expect.poll(() => log.of("response-finished")).toHaveLength(finished);
  }
  return { requests, log };
}

it("[RT-1] is sent again in another way that means the same, and in that way from then on", async () => {
  const { requests, log } = await requestsTo(
    (event) => "additional_instructions" in event,
    (session) => session.respond({ instructions: "Say goodbye." }),
  );
  const other = { response: { instructions: "Be brief.\n\nSay goodbye." } };
  expect(requests).toMatchObject([{ additional_instructions: "Say goodbye." }, other, other]);
  expect(log.of("error")).toEqual([]);
  expect(log.of("response-finished")).toMatchObject([{ status: "completed" }, { status: "completed" }]);
});

it("[RT-1] asks for fixed words to be read out where the service cannot be given them", async () => {
  const { requests } = await requestsTo(
    (event) => JSON.stringify(event).includes("pre_generated_assistant_message"),
    (session) => session.respond({ say: "I am sorry." }),
  );
  expect(requests.map((request) => JSON.stringify(request).includes('\\"I am sorry.\\"'))).toEqual([false, true, true]);
});

it("[RT-1] is requested as usual again where the other way is refused, too, because then the request was not to blame", async () => {
  const { requests, log, session } = await openSession((_event, place) => (place < 2 ? "invalid_value" : undefined));
  for (const finished of [1, 2]) {
    session.respond({ instructions: "Say goodbye." });
    await expect.poll(() => log.of("response-finished")).toHaveLength(finished);
  }
  const usual = { additional_instructions: "Say goodbye." };
  expect(requests).toMatchObject([usual, { response: { instructions: "Be brief.\n\nSay goodbye." } }, usual]);
});

it("[RT-1] learns nothing of the other way from a response that the service has begun by itself", async () => {
  const { requests, log, session } = await openSession(
    (_event, place) => ["invalid_value", busy, "invalid_value"][place],
  );
  session.respond({ instructions: "Say goodbye." });
  await expect.poll(() => log.of("response-finished").map(({ status }) => status)).toContain("failed");
  session.respond({ instructions: "Say goodbye." });
  await expect.poll(() => requests).toHaveLength(4);
  const other = { response: { instructions: "Be brief.\n\nSay goodbye." } };
  const usual = { additional_instructions: "Say goodbye." };
  expect(requests).toMatchObject([usual, other, other, usual]);
});

it("[FAIL-2a] is told of as a failed response, so that the caller hears an apology, and the next request is sent", async () => {
  const { requests, log, session } = await openSession((_event, place) => (place === 0 ? "server_error" : undefined));
  session.respond();
  await expect.poll(() => log.of("response-finished")).toMatchObject([{ status: "failed" }]);
  expect(log.of("error")).toMatchObject([{ error: { code: "upstream_unavailable" } }]);
  session.respond({ say: "I am sorry." });
  await expect.poll(() => log.of("response-started").at(-1)).toMatchObject({ responseId: "response-2" });
  expect(new Set(requests.map((request) => request.event_id)).size).toBe(2);
});
