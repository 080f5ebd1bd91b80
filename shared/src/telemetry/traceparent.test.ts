import { describe, expect, it } from "vitest";
import { formatTraceparent, logFieldsOf, parseTraceparent } from "./traceparent.ts";

const valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("a trace's parent", () => {
  it("is read and written in the form of W3C Trace Context", () => {
    const parent = parseTraceparent(valid);
    expect(parent).toEqual({
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      isSampled: true,
    });
    expect(parent && formatTraceparent(parent)).toBe(valid);
    expect(parseTraceparent(valid.replace(/01$/, "00"))?.isSampled).toBe(false);
  });

  it.each([
    undefined,
    null,
    "",
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
    valid.replace("00-", "01-"),
    valid.toUpperCase(),
    `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    `00-0af7651916cd43dd8448eb211c80319c-${"0".repeat(16)}-01`,
    `${valid}, ${valid}`,
  ])("is nobody for %s", (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
    expect(logFieldsOf(text ?? undefined)).toEqual({});
  });
});
