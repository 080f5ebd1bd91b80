import { serverPayloads } from "@voice/shared/contracts/stream/server-message";
import type { ServerMessage as OfTheService } from "@voice/shared/contracts/stream/server-message";
import type { BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { ClientMessage, ServerMessage } from "./messages.ts";
import { parseMessage, requiredFields, requiredOfEvents } from "./parse-message.ts";

const jsonSchema = z.object({
  properties: z.record(z.string(), z.looseObject({ type: z.string().optional(), const: z.unknown().optional() })),
  required: z.array(z.string()).default([]),
});

/** The required fields of a schema and their kinds, as the kit's tables have them. */
function fieldsOf(schema: z.ZodType): Record<string, string> {
  const { properties, required } = jsonSchema.parse(z.toJSONSchema(schema));
  return Object.fromEntries(
    required
      .filter((name) => name !== "result") // whatever a tool gave: absent counts as nothing
      .map((name) => {
        const type = properties[name]?.type ?? typeof properties[name]?.const;
        return [name, type === "integer" ? "number" : type];
      }),
  );
}

const message = (type: string, payload: unknown): string =>
  JSON.stringify({ type, session_id: "s-1", timestamp: "2026-01-01T00:00:00Z", payload });

describe("the kit's messages", () => {
  it("have the types of the service's schemas, and require the same fields", () => {
    expectTypeOf<OfTheService>().toExtend<ServerMessage>();
    expectTypeOf<ServerMessage>().toExtend<OfTheService>();
    expectTypeOf<ClientMessage>().toExtend<BrowserInput>();
    expectTypeOf<ClientMessage["type"]>().toEqualTypeOf<BrowserInput["type"]>();
    const { event, ...others } = serverPayloads;
    const ofPayloads = Object.entries(others).map(([type, schema]) => [type, fieldsOf(schema)]);
    expect(requiredFields).toEqual(Object.fromEntries(ofPayloads));
    const ofEvents = event.options.map((schema) => {
      const { name: _name, ...fields } = fieldsOf(schema);
      return [schema.shape.name.value, fields];
    });
    expect(requiredOfEvents).toEqual(Object.fromEntries(ofEvents));
  });

  it("are read as they come, with what is not known yet", () => {
    expect(parseMessage(message("audio_levels", { input: 0.5, output: 0, more: 1 }))?.payload).toEqual({
      input: 0.5,
      output: 0,
      more: 1,
    });
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[1]"],
    ["nothing", "null"],
    ["a type of a newer service", message("hologram", {})],
    ["a name of every object", message("constructor", {})],
    ["an event of a newer service", message("event", { name: "dance" })],
    ["an event without a name", message("event", {})],
    ["a field of another kind", message("error", { code: 4, message: "no" })],
    ["a field that is missing", message("transcript", { text: "hello" })],
    ["an envelope that is incomplete", JSON.stringify({ type: "pong", payload: {} })],
  ])("are undefined for %s", (_what, text) => {
    expect(parseMessage(text)).toBeUndefined();
  });
});
