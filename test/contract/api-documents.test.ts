/** The documents at /docs hold up before validators that are not ours. */
import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import { createAsyncApiDocument } from "../../functions/src/docs/asyncapi.ts";
import { createOpenApiDocument } from "../../functions/src/docs/openapi.ts";

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

  it("has every schema that it refers to", () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(references.length).toBeGreaterThan(50);
    const schemas = Object.keys(document.components["schemas"] ?? {});
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
});
