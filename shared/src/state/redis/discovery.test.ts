import { describe, expect, it } from "vitest";
import { requireVersion } from "./discovery.ts";

describe("the version of the cache", () => {
  it.each([
    { version: "6.2.0", isCluster: false },
    { version: "7.0.15", isCluster: true },
    { version: "7.4.3", isCluster: true },
    { version: "10.0.0", isCluster: true },
  ])("may be $version", (facts) => {
    expect(() => requireVersion(facts)).not.toThrow();
  });

  it.each([
    {
      version: "6.0.14",
      isCluster: false,
      sentence: "the cache needs Redis 6.2 or newer, and the server says it is 6.0.14",
    },
    {
      version: "6.2.6",
      isCluster: true,
      sentence: "a cluster needs Redis 7.0 or newer, and the server says it is 6.2.6",
    },
  ])("is refused in one sentence when it is $version", ({ sentence, ...facts }) => {
    expect(() => requireVersion(facts)).toThrow(sentence);
  });
});
