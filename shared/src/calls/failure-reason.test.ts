import { describe, expect, it } from "vitest";
import { describeFailure, failureOf } from "./failure-reason.ts";

describe("describeFailure", () => {
  it.each([
    [{ code: 486, subCode: 560_486, message: "Busy Here" }, "busy"],
    [{ code: 480, subCode: 560_480 }, "no answer"],
    [{ code: 603 }, "declined"],
    [{ code: 404, subCode: 560_404 }, "the number does not exist"],
    [{ code: 500, subCode: 7000, message: "Internal" }, "Internal"],
  ])("says what %o means", (result, reason) => {
    expect(describeFailure(result)).toBe(reason);
  });

  it("says nothing where nothing is known", () => {
    expect(describeFailure({})).toBeUndefined();
  });
});

describe("failureOf", () => {
  it.each([
    [{ code: 486, subCode: 560_486 }, "busy"],
    [{ code: 487 }, "cancelled"],
    [{ code: 603 }, "declined"],
    [{ code: 408 }, "no_answer"],
    [{ code: 404, subCode: 560_404, message: "Not Found" }, "pstn_number_invalid"],
    [{ code: 500, subCode: 7000, message: "Internal" }, "call_failed"],
    [{}, "call_failed"],
  ])("[OUT-3] gives %o the code %s, and words", (result, code) => {
    expect(failureOf(result)).toEqual({ code, reason: expect.stringMatching(/./) });
  });
});
