import { describe, expect, it } from "vitest";
import { toReportedResult } from "./azure/azure-event.ts";
import * as reasons from "./failure-reason.ts";
import { serviceCodes } from "./azure/service-codes.ts";

type Numbers = Parameters<typeof toReportedResult>[0];
type Direction = (typeof directions)[number];

/** As Azure's numbers are reported. */
const failureOf = (direction: Direction, result: Numbers) => reasons.failureOf(direction, toReportedResult(result));
const unansweredFailure = (direction: Direction, result: Numbers) =>
  reasons.unansweredFailure(direction, toReportedResult(result));
const describeFailure = (result: Numbers, direction: Direction) =>
  reasons.describeFailure(toReportedResult(result), direction);
const reasonForCaller = (result: Numbers) => reasons.reasonForCaller(toReportedResult(result));

const directions = ["inbound", "outbound"] as const;
const listed = serviceCodes.map(({ code = 400, subCode, cause }) => ({ code, subCode, cause }));
const numberless = /the number (?:does not exist|is not complete)/;

describe("what the far end's network answered", () => {
  it.each([
    [{ code: 404, subCode: 560_404 }, "pstn_number_invalid"],
    [{ code: 410, subCode: 560_410 }, "pstn_number_invalid"],
    [{ code: 484, subCode: 560_484 }, "pstn_number_invalid"],
    [{ code: 604, subCode: 560_604 }, "pstn_number_invalid"],
    [{ code: 408, subCode: 560_408 }, "no_answer"],
    [{ code: 480, subCode: 560_480 }, "no_answer"],
    [{ code: 486, subCode: 560_486 }, "busy"],
    [{ code: 486, subCode: 540_486 }, "busy"],
    [{ code: 600, subCode: 560_600 }, "busy"],
    [{ code: 487, subCode: 540_487 }, "cancelled"],
    [{ code: 497, subCode: 560_487 }, "cancelled"],
    [{ code: 603, subCode: 560_603 }, "declined"],
    [{ code: 403, subCode: 560_403 }, "not_permitted"],
    [{ code: 500, subCode: 560_500 }, "upstream_unavailable"],
    [{ code: 503, subCode: 560_503 }, "upstream_unavailable"],
    [{ code: 418, subCode: 560_418 }, "upstream_unavailable"],
  ])("[REASON-1a] is the reason of a call that we placed: %o is %s", (result, code) => {
    expect(failureOf("outbound", result)).toEqual({ code, reason: expect.stringMatching(/./) });
  });

  it("[REASON-1b] is never about a number where somebody called us", () => {
    for (let sip = 300; sip < 700; sip += 1)
      for (const family of [540_000, 560_000])
        expect(failureOf("inbound", { code: sip, subCode: family + sip }).code).toBe("caller_gone");
  });
});

describe("[REASON-2] a code of the service's own", () => {
  it.each(directions.flatMap((direction) => listed.map((row) => ({ ...row, direction }))))(
    "says nothing about the number: $direction $code/$subCode ($cause)",
    ({ direction, code, subCode }) => {
      const failure = failureOf(direction, { code, subCode });
      expect(failure.code).not.toBe("pstn_number_invalid");
      expect(failure.reason).not.toMatch(numberless);
    },
  );

  it.each([
    [{ code: 410, subCode: 531_004 }, "network_failed"],
    [{ code: 410, subCode: 301_005 }, "network_failed"],
    [{ code: 410, subCode: 3112 }, "network_failed"],
    [{ code: 404, subCode: 8522 }, "not_found"],
    [{ code: 405, subCode: 8522 }, "not_configured"],
    [{ code: 404, subCode: 8543 }, "not_found"],
    [{ code: 404, subCode: 511_404 }, "not_configured"],
    [{ code: 404, subCode: 8544 }, "no_answer"],
    [{ code: 480, subCode: 8538 }, "declined"],
    [{ code: 480, subCode: 8539 }, "busy"],
    [{ code: 600, subCode: 8540 }, "busy"],
    [{ code: 480, subCode: 8541 }, "no_answer"],
    [{ code: 480, subCode: 10_037 }, "no_answer"],
    [{ code: 408, subCode: 500_001 }, "no_answer"],
    [{ code: 408, subCode: 8587 }, "no_answer"],
    [{ code: 400, subCode: 8523 }, "request_refused"],
    [{ code: 403, subCode: 7507 }, "not_permitted"],
    [{ code: 403, subCode: 510_403 }, "not_permitted"],
    [{ code: 429, subCode: 8530 }, "rate_limited"],
    [{ code: 500, subCode: 9999 }, "upstream_unavailable"],
    [{ code: 404 }, "not_found"],
    [{ code: 404, subCode: 0 }, "not_found"],
    [{ code: 410 }, "network_failed"],
    [{ code: 486 }, "busy"],
    [{ code: 487, subCode: 0 }, "cancelled"],
    [{ code: 603 }, "declined"],
    [{ code: 403 }, "not_permitted"],
    [{ code: 503 }, "upstream_unavailable"],
    [{}, "call_failed"],
  ])("says what somebody can do about %o: %s", (result, code) => {
    expect(failureOf("outbound", result)).toEqual({ code, reason: expect.stringMatching(/./) });
  });

  it.each([
    [{ code: 404, subCode: 8522 }, "caller_gone"],
    [{ code: 487, subCode: 0 }, "caller_gone"],
    [{ code: 408, subCode: 8587 }, "not_handled_in_time"],
    [{ code: 480, subCode: 8538 }, "declined"],
    [{ code: 403, subCode: 7507 }, "not_permitted"],
    [{ code: 410, subCode: 531_004 }, "network_failed"],
    [{ code: 400, subCode: 8523 }, "request_refused"],
  ])("says it of a call to us as well: %o is %s", (result, code) => {
    expect(failureOf("inbound", result).code).toBe(code);
    expect(unansweredFailure("inbound", result).code).toBe(code);
  });

  it("is shown with both numbers, which the service's support asks for", () => {
    expect(failureOf("outbound", { code: 410, subCode: 531_004 }).reason).toMatch(/code 410, sub-code 531004/);
  });
});

describe("[REASON-3] a pair that no source lists", () => {
  const unknown = [
    { code: 404, subCode: 8599 },
    { code: 410, subCode: 531_005 },
    { code: 404, subCode: 301_005 },
    { code: 486, subCode: 10_038 },
    { code: 499, subCode: 0 },
    { code: 404, subCode: 561_404 },
    { code: 404, subCode: 560_999 },
    { code: 499 },
    { subCode: 123 },
  ];

  it.each(directions.flatMap((direction) => unknown.map((result) => ({ direction, result }))))(
    "is said to be unknown, with both numbers: $direction $result",
    ({ direction, result }) => {
      const { code, subCode } = result;
      for (const failure of [failureOf(direction, result), unansweredFailure(direction, result)]) {
        expect(failure).toEqual({ code: "call_failed", reason: expect.stringContaining("not known here") });
        expect(failure.reason).toContain(`code ${code ?? "none"}, sub-code ${subCode ?? "none"}`);
      }
      expect(describeFailure(result, direction)).toContain("not known here");
      expect(reasonForCaller(result)).toBeUndefined();
    },
  );

  it("has unlisted neighbours at every listed one", () => {
    const pairs = new Set(serviceCodes.map(({ code, subCode }) => `${code}/${subCode}`));
    expect(pairs.size).toBe(serviceCodes.length);
    for (const { code, subCode } of serviceCodes) {
      if (code === undefined || subCode === undefined) continue;
      const isListed = serviceCodes.some((row) => row.subCode === subCode && row.code === undefined);
      if (!isListed) expect(failureOf("outbound", { code: 418, subCode }).reason).toContain("not known here");
    }
  });
});

describe("the end of a call", () => {
  it.each([
    [{ code: 200, subCode: 560_000, message: "The conversation has ended." }],
    [{ code: 0, subCode: 0, message: "ended" }],
    [{ code: 0, subCode: 7000, message: "ended" }],
    [{ code: 200, subCode: 18_503, message: "ended" }],
  ])("that was talked on is no failure where the service reports none: %o", (result) => {
    expect(describeFailure(result, "outbound")).toBe(result.message);
    expect(unansweredFailure("outbound", result).code).toBe("no_answer");
    expect(unansweredFailure("inbound", result).code).toBe("caller_gone");
  });

  it("says nothing where nothing is known", () => {
    expect(describeFailure({}, "outbound")).toBeUndefined();
  });

  it("is told a caller only as far as it is about the person who was called", () => {
    expect(reasonForCaller({ code: 486, subCode: 560_486 })).toBe("busy");
    expect(reasonForCaller({ code: 480, subCode: 8538 })).toBe("declined");
    expect(reasonForCaller({ code: 410, subCode: 531_004 })).toBeUndefined();
    expect(reasonForCaller({ code: 403, subCode: 7507 })).toBeUndefined();
  });
});
