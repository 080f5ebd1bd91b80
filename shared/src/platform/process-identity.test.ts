import { expect, it } from "vitest";
import { createProcessIdentity } from "./process-identity.ts";

it("loads the SDK with the first token, and once", async () => {
  let loads = 0;
  const identity = createProcessIdentity({ clientId: "me", isDevelopment: false }, async () => {
    loads++;
    return {
      createEntraCredential: ({ clientId }) => ({
        getToken: async (scope) => ({ token: `${clientId} for ${String(scope)}`, expiresOnTimestamp: 0 }),
        tokenFor: (scope) => async () => `${clientId} for ${scope}`,
      }),
    };
  });
  const token = identity.tokenFor("speech");
  expect(loads).toBe(0);
  expect(await Promise.all([token(), token(), identity.getToken("cache")])).toEqual([
    "me for speech",
    "me for speech",
    { token: "me for cache", expiresOnTimestamp: 0 },
  ]);
  expect(loads).toBe(1);
});
