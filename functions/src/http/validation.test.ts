import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parsePart, SchemaError } from "./validation.ts";

function errorsOf(schema: z.ZodType, value: unknown): SchemaError["errors"] {
  try {
    parsePart("body", schema, value);
  } catch (error) {
    if (error instanceof SchemaError) return error.errors;
    throw error;
  }
  return [];
}

describe("validation errors", () => {
  it("say where, what and of which kind", () => {
    const schema = z.strictObject({ name: z.string(), ages: z.array(z.int().min(18)) });
    expect(errorsOf(schema, { ages: [20, 3, "x"], extra: 1 })).toEqual([
      { loc: ["body", "name"], msg: "Field required", type: "missing" },
      { loc: ["body", "ages", 1], msg: expect.any(String), type: "greater_than_equal" },
      { loc: ["body", "ages", 2], msg: expect.any(String), type: "float_type" },
      { loc: ["body", "extra"], msg: "Extra inputs are not permitted", type: "extra_forbidden" },
    ]);
  });

  it.each([
    [z.string(), 1, "string_type"],
    [z.boolean(), "x", "bool_type"],
    [z.object({}), [], "dict_type"],
    [z.array(z.string()), {}, "list_type"],
    [z.string().min(2), "a", "string_too_short"],
    [z.array(z.string()).max(1), ["a", "b"], "array_too_long"],
    [z.number().lt(5), 5, "less_than"],
    [z.string().regex(/^a$/), "b", "string_pattern_mismatch"],
    [z.email(), "b", "email_invalid"],
    [z.enum(["a"]), "b", "enum"],
    [z.string().refine(() => false), "b", "value_error"],
  ])("name the kind of %s", (schema, value, type) => {
    expect(errorsOf(schema, value)).toMatchObject([{ loc: ["body"], type }]);
  });

  it("complain about the shape that the caller most likely meant", () => {
    const either = z.union([
      z.strictObject({ target: z.string().min(3), note: z.string().optional() }),
      z.strictObject({ phone: z.string().min(3) }),
    ]);
    expect(errorsOf(either, { target: "a" })).toMatchObject([{ loc: ["body", "target"], type: "string_too_short" }]);
    expect(errorsOf(either, { phone: "a" })).toMatchObject([{ loc: ["body", "phone"], type: "string_too_short" }]);
    expect(errorsOf(either, {})).toMatchObject([{ loc: ["body", "target"], type: "missing" }]);
  });

  it("are at most fifty", () => {
    const value = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]));
    expect(errorsOf(z.strictObject({}), value)).toHaveLength(50);
  });
});
