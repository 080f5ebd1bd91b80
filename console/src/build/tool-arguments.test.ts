import { describe, expect, it } from "vitest";

import { argumentFields, argumentsFrom } from "./tool-arguments.ts";

const schema = {
  type: "object",
  properties: {
    order: { type: "string", description: "The order's digits." },
    size: { enum: ["small", "large"] },
    is_gift: { type: "boolean" },
    count: { type: "integer", default: 3, description: "How many." },
    address: { type: "object" },
  },
  required: ["order", "count"],
};

describe("[BUILD-9] the form of a tool", () => {
  it("has a field for each argument, of its kind", () => {
    expect(argumentFields(schema)).toEqual([
      { name: "order", kind: "text", choices: [], isRequired: true, hint: "The order's digits." },
      { name: "size", kind: "choice", choices: ["small", "large"], isRequired: false, hint: undefined },
      { name: "is_gift", kind: "boolean", choices: ["true", "false"], isRequired: false, hint: undefined },
      { name: "count", kind: "number", choices: [], isRequired: false, hint: "How many. Without it: 3." },
      { name: "address", kind: "json", choices: [], isRequired: false, hint: undefined },
    ]);
    expect(argumentFields({ type: "object" })).toEqual([]);
  });

  it("gives what was written as the tool takes it, and what cannot be read as it is, for the tool to say so", () => {
    const from = (texts: Readonly<Record<string, string>>) => argumentsFrom(argumentFields(schema), texts);
    expect(from({ order: "0042", size: "small", is_gift: "true", count: "2", address: '{"city":"Rome"}' })).toEqual({
      order: "0042",
      size: "small",
      is_gift: true,
      count: 2,
      address: { city: "Rome" },
    });
    expect(from({ order: " ", count: "two", address: "{" })).toEqual({ count: "two", address: "{" });
  });
});
