import { describe, expect, it } from "vitest";
import { checkRules } from "./check-rules.ts";

/** Put together here, so that this file itself cites nothing. */
const cite = (id: string): string => `it("[${id}] does it")`;
const document = { path: "a.md", text: "# A\n\n- **AB-1** One.\n- **AB-2** Two, unlike AB-1.\n" };

describe("the check of rules", () => {
  it("finds rules without a test", () => {
    const check = checkRules([document], [{ path: "a.test.ts", text: cite("AB-1") }]);
    expect(check).toMatchObject({
      ruleCount: 2,
      untested: [{ id: "AB-2", path: "a.md" }],
      unknown: [],
      tooLong: [],
    });
  });

  it("finds citations of rules that do not exist", () => {
    const check = checkRules([document], [{ path: "a.test.ts", text: cite("AB-1") + cite("AB-2") + cite("AB-3") }]);
    expect(check.untested).toEqual([]);
    expect(check.unknown).toMatchObject([{ id: "AB-3", path: "a.test.ts", hasParts: false }]);
  });

  it("asks for a citation of each part of a rule, and of no rule that has parts", () => {
    const parts = { path: "a.md", text: "- **AB-1a** One.\n- **AB-1b** Two.\n" };
    const check = checkRules([parts], [{ path: "a.test.ts", text: cite("AB-1a") + cite("AB-1") }]);
    expect(check.untested).toMatchObject([{ id: "AB-1b" }]);
    expect(check.unknown).toMatchObject([{ id: "AB-1", hasParts: true }]);
  });

  it("refuses a rule of more than sixty words, even if it continues on the next line", () => {
    const rule = (id: string, words: number): string =>
      `- **${id}** ${"word ".repeat(30)}\n  ${"word ".repeat(words - 30)}`;
    const long = { path: "a.md", text: `${rule("AB-1", 60)}\n${rule("AB-2", 61)}\n\nThe text behind it.` };
    expect(checkRules([long], []).tooLong).toMatchObject([{ id: "AB-2", words: 61 }]);
  });
});
