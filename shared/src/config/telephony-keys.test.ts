import { describe, expect, it } from "vitest";
import { telephonyKeyList } from "./telephony-keys.ts";

describe("the keys of telephony platforms", () => {
  it("belong to one organization or to any, with or without a secret", () => {
    expect(telephonyKeyList.schema.parse("D7934305-0972-4844-938e-9060eef73d05:a2V5MQ==:c2VjcmV0, *:key-2,")).toEqual([
      { organizationId: "d7934305-0972-4844-938e-9060eef73d05", apiKey: "a2V5MQ==", secret: "c2VjcmV0" },
      { organizationId: undefined, apiKey: "key-2", secret: undefined },
    ]);
  });

  it("are refused without being told", () => {
    const parsed = telephonyKeyList.schema.safeParse("*:key-1,harbor:hidden-key");
    expect(parsed.error?.issues[0]?.message).toBe(
      "must be organization:key or organization:key:secret entries; number 2 is not",
    );
  });
});
