/** A realtime service that accepts the settings and refuses a request for a response. */
import { once } from "node:events";
import { RealtimeLog } from "@voice/provider-kit/contracts/realtime-log";
import { realtimeSettings } from "@voice/provider-kit/contracts/realtime-model.contract";
import type { RealtimeSession } from "@voice/provider-kit/ports/realtime-model";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createVoiceLiveModel } from "@voice/streaming-host/providers/voice-live/realtime-model";
import { expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { z } from "zod";

const clientEvent = z.looseObject({ type: z.string(), event_id: z.string().optional() });

/** A service that refuses how it is requested to speak, and what it was sent then. */
async function requestsTo(
  refuse: (event: z.infer<typeof clientEvent>) => boolean,
  ask: (session: RealtimeSession) => void,
) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const requests: z.infer<typeof clientEvent>[] = [];
  server.on("connection", (socket) => {
    const send = (type: string, fields: object = {}): void => socket.send(JSON.stringify({ type, ...fields }));
    send("session.created", { session: {} });
    socket.on("message", (data: Buffer) => {
      const event = clientEvent.parse(JSON.parse(data.toString("utf8")));
      if (event.type === "session.update") send("session.updated", { session: {} });
      if (event.type !== "response.create") return;
      requests.push(event);
      if (refuse(event)) send("error", { error: { code: "invalid_value", message: "no", event_id: event.event_id } });
      else {
        send("response.created", { response: { id: event.event_id } });
        send("response.done", { response: { id: event.event_id, status: "completed" } });
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
  try {
    for (const finished of [1, 2]) {
      ask(session);
      await expect.poll(() => log.of("response-finished")).toHaveLength(finished);
    }
  } finally {
    session.close();
    server.close();
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

it("[FAIL-2] is told of as a failed response, so that the caller hears an apology, and the next request is sent", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const requests: (string | undefined)[] = [];
  server.on("connection", (socket) => {
    const send = (type: string, fields: object = {}): void => socket.send(JSON.stringify({ type, ...fields }));
    send("session.created", { session: {} });
    socket.on("message", (data: Buffer) => {
      const event = clientEvent.parse(JSON.parse(data.toString("utf8")));
      if (event.type === "session.update") send("session.updated", { session: {} });
      if (event.type !== "response.create") return;
      requests.push(event.event_id);
      if (requests.length === 1)
        send("error", { error: { code: "server_error", message: "no", event_id: event.event_id } });
      else {
        send("response.created", { response: { id: "second" } });
        send("response.done", { response: { id: "second", status: "completed" } });
      }
    });
  });
  const address = z.object({ port: z.number() }).parse(server.address());
  const log = new RealtimeLog();
  const model = createVoiceLiveModel({
    endpoint: {
      url: `http://127.0.0.1:${address.port}`,
      model: "gpt-realtime",
      credential: { kind: "key", key: "key" },
    },
    retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
    clock: systemClock,
    logger: silentLogger,
  });
  const session = await model.open(realtimeSettings, log, new AbortController().signal);
  try {
    session.respond();
    await expect.poll(() => log.of("response-finished")).toMatchObject([{ status: "failed" }]);
    expect(log.of("error")).toMatchObject([{ error: { code: "upstream_unavailable" } }]);
    session.respond({ say: "I am sorry." });
    await expect.poll(() => log.of("response-started").at(-1)).toMatchObject({ responseId: "second" });
    expect(new Set(requests).size).toBe(2);
  } finally {
    session.close();
    server.close();
  }
});
