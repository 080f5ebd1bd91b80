import { expect, it } from "vitest";
import { inCamelCase } from "./camel-case.ts";

it("renames fields, leaves what is in them as it is, and leaves out what is absent", () => {
  const fields = {
    name: "desk",
    max_tool_rounds: 3,
    template_vars: { opening_hours: null },
    top_p: null,
    rate: undefined,
  };
  expect(inCamelCase(fields)).toStrictEqual({
    name: "desk",
    maxToolRounds: 3,
    templateVars: { opening_hours: null },
  });
});
