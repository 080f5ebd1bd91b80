import { describe, expect, it } from "vitest";
import { describeFailure } from "./failure-reason.ts";

describe("describeFailure", () => {
  it.each([
    [{ code: 486, subCode: 560_486, message: "Busy Here" }, "busy"],
    [{ code: 480, subCode: 560_480 }, "no answer"],
    [{ code: 603 }, "declined"],
    [{ code: 404, subCode: 560_404 }, "pstn_number_invalid: the number does not exist"],
    [{ code: 500, subCode: 7000, message: "Internal" }, "Internal"],
  ])("says what %o means", (result, reason) => {
    expect(describeFailure(result)).toBe(reason);
  });

  it("says nothing where nothing is known", () => {
    expect(describeFailure({})).toBeUndefined();
  });
});
