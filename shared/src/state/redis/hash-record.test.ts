import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonOf } from "../stored-json.ts";
import { fromFields, toFields, toPatchArguments } from "./hash-record.ts";

describe("hash record", () => {
  it("comes back as it went in, without what was undefined", () => {
    const record = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.jsonValue(), fc.constant(undefined)));
    fc.assert(
      fc.property(record, (before) => {
        const present = Object.entries(before).filter(([, value]) => value !== undefined);
        const after = fromFields(toFields(before));
        expect(after).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(present))));
      }),
    );
  });

  it("reads the client's object as it reads a script's list", () => {
    expect(fromFields({ a: "1", b: '"x"' })).toEqual(fromFields(["a", "1", "b", '"x"']));
  });

  it("tells a script what to clear before what to set", () => {
    expect(toPatchArguments({ a: 1, gone: undefined, b: [] })).toEqual([1, "gone", "a", "1", "b", "[]"]);
    expect(toPatchArguments({})).toEqual([0]);
  });

  it("reports text that is not JSON, and JSON that is something else, as issues", () => {
    const schema = jsonOf(z.object({ a: z.number() }));
    expect(schema.safeParse('{"a":1}')).toMatchObject({ success: true, data: { a: 1 } });
    expect(schema.safeParse("{").success).toBe(false);
    expect(schema.safeParse('{"a":"1"}').success).toBe(false);
  });
});
