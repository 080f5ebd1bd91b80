import { expect, it } from "vitest";
import { releaseOfSession } from "./released-catalogs.ts";

it("[PUBLISH-4] gives each version its share of the sessions, and each session the same on every host", () => {
  const live = [
    { version: 7, share: 10 },
    { version: 6, share: 90 },
  ];
  const ids = Array.from({ length: 2000 }, (_, index) => `session-${index}`);
  const versions = ids.map((id) => releaseOfSession(live, id));
  expect(ids.map((id) => releaseOfSession(live, id))).toEqual(versions);
  const share = versions.filter((version) => version === 7).length / ids.length;
  expect(share).toBeGreaterThan(0.07);
  expect(share).toBeLessThan(0.13);
  expect(releaseOfSession([{ version: 3, share: 100 }], "any")).toBe(3);
});
