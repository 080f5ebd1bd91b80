import { describe, expect, it } from "vitest";
import { checkRules } from "./check-rules.ts";

/** Put together here, so that this file itself cites nothing. */
const cite = (id: string): string => `it("[${id}] does it")`;
const document = { path: "docs/a.md", text: "# A\n\n- **AB-1** One.\n- **AB-2** Two, unlike AB-1.\n" };

describe("the check of rules", () => {
  it("finds rules without a test", () => {
    const check = checkRules([document], [{ path: "a.test.ts", text: cite("AB-1") }]);
    expect(check).toEqual({ ruleCount: 2, untested: [{ id: "AB-2", path: "docs/a.md" }], unknown: [] });
  });

  it("finds citations of rules that do not exist", () => {
    const check = checkRules([document], [{ path: "a.test.ts", text: cite("AB-1") + cite("AB-2") + cite("AB-3") }]);
    expect(check.untested).toEqual([]);
    expect(check.unknown).toEqual([{ id: "AB-3", path: "a.test.ts" }]);
  });
});
