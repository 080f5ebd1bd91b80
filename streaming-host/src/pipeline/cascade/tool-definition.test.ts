import { demoTools } from "@voice/shared/demo/demo-parts";
import { toolSchema } from "@voice/shared/tools/define-tool";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toolDefinition } from "./tool-definition.ts";

const foreign = (jsonSchema: Readonly<Record<string, unknown>>, description = "Does it.") =>
  toolDefinition({ name: "shop_do", description, parameters: z.looseObject({}), jsonSchema });

describe("what a model is told of a tool", () => {
  it("is what the tool says of itself", () => {
    for (const tool of demoTools.values()) {
      const { name, description } = tool;
      expect(toolDefinition(tool)).toEqual({ name, description, parameters: toolSchema(tool) });
    }
  });

  it("[MCP-5a] has the properties and items that a server's schema leaves out", () => {
    expect(foreign({ $schema: "http://json-schema.org/draft-07/schema#", type: "object" }).parameters).toEqual({
      type: "object",
      properties: {},
    });
    const tags = { type: "array", description: "Tags." };
    expect(foreign({ type: "object", properties: { tags, all: { anyOf: [tags] } } }).parameters).toEqual({
      type: "object",
      properties: { tags: { ...tags, items: {} }, all: { anyOf: [{ ...tags, items: {} }] } },
    });
  });

  it("[MCP-5b] has the properties of all alternatives where a server's schema is one of several", () => {
    const byId = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
    const byName = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    expect(foreign({ type: "object", oneOf: [byId, byName] }).parameters).toEqual({
      type: "object",
      properties: { id: { type: "string" }, name: { type: "string" } },
    });
  });

  it("[MCP-5c] keeps a description within 1,024 characters, and the whole of it in the schema", () => {
    const long = `${"Looks an order up. ".repeat(80)}End.`;
    const { description, parameters } = foreign({ type: "object", description: "An order." }, long);
    expect(description).toMatch(/^Looks an order up\. .*[a-z.]…$/);
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(parameters).toEqual({ type: "object", properties: {}, description: `${long}\n\nAn order.` });
    expect(foreign({}, "x".repeat(2000)).description).toHaveLength(1024);
  });
});
