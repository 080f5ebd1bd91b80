/** The documents at /docs hold up before validators that are not ours. */
import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { apiPrefix } from "@voice/shared/contracts/http/endpoint";
import { endpoints, endpointsByTag } from "@voice/shared/contracts/http/endpoints";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createAsyncApiDocument } from "../../functions/src/docs/asyncapi.ts";
import { createOpenApiDocument } from "../../functions/src/docs/openapi.ts";
import { socketChannels } from "../../functions/src/docs/socket-channels.ts";
import { queryNames, streamPaths } from "../../streaming-host/src/server/accept/stream-routes.ts";
import { FakeSocket } from "../../streaming-host/src/testing/fake-socket.ts";
import { closeReasons } from "../../streaming-host/src/transports/close-reasons.ts";
import { MediaTransport } from "../../streaming-host/src/transports/media/media-transport.ts";

const jsonObject = z.record(z.string(), z.unknown());

describe("the OpenAPI document", async () => {
  const document = await createOpenApiDocument("https://voice.example.com");

  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("describes every endpoint once and nothing else", () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const defined = endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`);
    expect(described.toSorted()).toEqual(defined.toSorted());
  });

  it("says of every tag what it is for, and has no others", () => {
    const used = new Set([...Object.keys(endpointsByTag), "Webhooks"]);
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used);
  });

  it("has every schema that it refers to", () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(references.length).toBeGreaterThan(50);
    const schemas = Object.keys(document.components.schemas);
    expect(references.filter((name) => !schemas.includes(name))).toEqual([]);
  });
});

describe("the AsyncAPI document", () => {
  // The schema brings its own copy of draft 07, which would clash with ajv's.
  const ajv = new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false });
  const schema = readFileSync(new URL("../fixtures/asyncapi/3.0.0.schema.json", import.meta.url), "utf8");
  const isAsyncApi = ajv.compile(z.record(z.string(), z.unknown()).parse(JSON.parse(schema)));

  it("is valid AsyncAPI 3.0", () => {
    const document = createAsyncApiDocument("wss://voice.example.com");
    isAsyncApi(JSON.parse(JSON.stringify(document)));
    expect(isAsyncApi.errors ?? []).toEqual([]);
  });

  it("says what a client has to know of messages: when to drop audio, and how to say that the caller has finished", () => {
    const text = JSON.stringify(createAsyncApiDocument("wss://voice.example.com"));
    for (const words of [
      "Drop the audio that is queued",
      '`{\\\"kind\\\":\\\"StopAudio\\\"}`',
      "`text` is then the next piece",
    ])
      expect(text).toContain(words);
  });

  it("names every code with which a socket is closed", () => {
    const { info } = z
      .object({ info: z.object({ description: z.string() }) })
      .parse(createAsyncApiDocument("wss://a.example"));
    const named = [...info.description.matchAll(/\b[14]\d{3}\b/g)].map(([code]) => Number(code));
    const codes = Object.values(closeReasons).map(({ code }) => code);
    expect(new Set(named)).toEqual(new Set(codes));
  });

  it("would not pass with a message that is not there", () => {
    expect(isAsyncApi({ ...createAsyncApiDocument("wss://voice.example.com"), channels: { a: { messages: 1 } } })).toBe(
      false,
    );
  });

  it("describes every socket of the service", () => {
    const document = JSON.stringify(createAsyncApiDocument("wss://voice.example.com"));
    for (const address of [
      "/api/v1/media/stream",
      "/v1/media/stream/{session_id}",
      "/api/v1/browser/conversation",
      "/api/v1/browser/dashboard/relay",
      "/api/v1/realtime/conversation",
      "/api/v1/realtime/dashboard/relay",
      "/api/v1/telephony/stream",
    ]) {
      expect(document).toContain(`"address":"${address}"`);
    }
  });

  it("names the query parameters that each address takes", () => {
    /** Ours alone: it is in the address that we give to the communication service. */
    const internal = new Set(["call_id"]);
    for (const { path, kind } of streamPaths) {
      const channel = socketChannels.find((one) => (one.outsideApi === true ? "" : apiPrefix) + one.path === path);
      const described = Object.keys({ ...channel?.query, ...channel?.pathParameters });
      const taken = queryNames(kind).filter((name) => !internal.has(name));
      expect({ path, names: described.toSorted() }).toEqual({ path, names: taken.toSorted() });
    }
  });

  it("describes what a client of the media stream gets", () => {
    const { channels, components } = createAsyncApiDocument("wss://voice.example.com");
    const compiler = new Ajv({ strict: false, validateFormats: false });
    const parts = z.object({ messages: z.record(z.string(), z.object({ payload: jsonObject })), schemas: jsonObject });
    const { messages, schemas } = parts.parse(components);
    const listed = z.object({ mediaStream: z.object({ messages: jsonObject }) }).parse(channels);
    const described = Object.keys(listed.mediaStream.messages)
      .filter((name) => !name.startsWith("client_"))
      .map((name) => compiler.compile({ components: { schemas }, ...messages[name]?.payload }));
    const socket = new FakeSocket();
    const transport = new MediaTransport({
      socket,
      clock: new VirtualClock(),
      channel: "media",
      peer: "client",
      sampleRateHz: 16_000,
      format: { sampleRateHz: 16_000, channels: 1, audioFormat: "pcm_16" },
    });
    transport.sendAudio(new Int16Array(320));
    transport.stopAudio();
    transport.notify({ type: "audio_levels", payload: { input: 0, output: 0 } });
    transport.notify({ type: "event", payload: { name: "barge_in", reason: "speech" } });
    transport.notify({ type: "error", payload: { code: "validation_error", message: "." } });
    expect(socket.sent).toHaveLength(5);
    for (const sent of socket.sent) {
      const message: unknown = JSON.parse(String(sent));
      expect({ message, isDescribed: described.some((fits) => fits(message)) }).toMatchObject({ isDescribed: true });
    }
    expect(Object.keys(listed.mediaStream.messages)).not.toContain("audio"); // that is the browser's envelope
  });
});
