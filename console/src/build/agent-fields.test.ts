import { agentDocument } from "@voice/shared/contracts/agents/agent-document";
import { describe, expect, it } from "vitest";

import { agentFieldGroups, fieldText, fieldValue } from "./agent-fields.ts";
import { isSameDocument, valueAt, withValue } from "./document-path.ts";

describe("an agent's fields", () => {
  it("are all fields that the service knows", () => {
    const values = {
      line: "en-US",
      text: "ten letters or more",
      number: 1,
      lines: ["end_call"],
      tools: ["end_call"],
      yaml: {},
    } as const;
    const special: Readonly<Record<string, unknown>> = {
      handoff_trigger: "handoff_desk",
      "voice.voice_rate": "+5%",
      "voice.voice_pitch": "-2%",
      rules: { fallback: "Sorry?" },
      guardrails: { rival: { pattern: "burger palace", replace: "another place" } },
      template_vars: { city: "Oslo" },
    };
    const fields = agentFieldGroups.flatMap((group) => group.fields);
    const document = fields.reduce(
      (made, { path, kind }) => withValue(made, path, special[path] ?? values[kind]),
      withValue({}, "name", "desk"),
    );
    expect(agentDocument.safeParse(document).error?.issues ?? []).toEqual([]);
  });

  it("are nothing where nothing is written, and numbers and lists where they are meant", () => {
    expect(fieldValue("line", "  ")).toBeUndefined();
    expect(fieldValue("number", "0.5")).toBe(0.5);
    expect(fieldValue("number", "warm")).toBe("warm");
    expect(fieldValue("lines", "one\ntwo")).toEqual(["one", "two"]);
    expect(fieldText(["one", "two"])).toBe("one\ntwo");
    expect(fieldText(null)).toBe("");
  });

  it("stand where their path says, and leave nothing empty behind", () => {
    const document = withValue({}, "model.cascade.temperature", 0.5);
    expect(valueAt(document, "model.cascade.temperature")).toBe(0.5);
    expect(withValue(document, "model.cascade.temperature", undefined)).toEqual({});
    expect(isSameDocument({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
  });
});
