import { describe, expect, it } from "vitest";
import { entraRules } from "../auth/verify-client.ts";
import { toCacheEndpoint } from "../state/redis/endpoint.ts";
import { cloudEnvironments, identitiesOf } from "./cloud-environment.ts";
import { loadSettings } from "./load.ts";

describe("a sovereign cloud", () => {
  it("has an authority and names of services of its own, from one setting", () => {
    const settings = loadSettings({
      CLOUD_ENVIRONMENT: "usgovernment",
      CLOUD_TENANT_ID: "tenant",
      CACHE_HOST: "cache.example",
      CACHE_USERNAME: "me",
    });
    expect(entraRules(settings)).toMatchObject({
      jwksUrl: "https://login.microsoftonline.us/tenant/discovery/v2.0/keys",
      issuers: ["https://login.microsoftonline.us/tenant/v2.0", expect.any(String)],
    });
    const credential = { getToken: async () => null };
    expect(toCacheEndpoint(settings, credential).authentication).toMatchObject({
      scope: identitiesOf("usgovernment").cacheScope,
    });
  });

  it("shares neither authority nor scopes of its models with another", () => {
    for (const key of ["authority", "cognitiveScope", "realtimeScope"] as const)
      expect(new Set(cloudEnvironments.map((environment) => identitiesOf(environment)[key])).size).toBe(3);
  });
});
