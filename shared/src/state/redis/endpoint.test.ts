import { describe, expect, it } from "vitest";
import { loadSettings } from "../../config/load.ts";
import { toCacheEndpoint } from "./endpoint.ts";

const credential = { getToken: async () => null };

describe("cache endpoint", () => {
  it.each([
    { CACHE_HOST: "cache.example.net", tls: {} },
    { CACHE_HOST: "localhost", tls: undefined },
    { CACHE_HOST: "127.0.0.1", tls: undefined },
    { CACHE_HOST: "::1", tls: undefined },
    { CACHE_HOST: "localhost", CACHE_TLS: "true", tls: {} },
    { CACHE_HOST: "redis", CACHE_TLS: "false", tls: undefined },
  ])(
    "uses TLS for every host but loopback, unless told otherwise: $CACHE_HOST $CACHE_TLS",
    ({ tls, ...environment }) => {
      expect(toCacheEndpoint(loadSettings(environment), credential).tls).toEqual(tls);
    },
  );

  it("authenticates by password, by Entra, or not at all, as the settings say", () => {
    const host = { CACHE_HOST: "localhost" };
    const authentication = (environment: Record<string, string>) =>
      toCacheEndpoint(loadSettings({ ...host, ...environment }), credential).authentication;
    expect(authentication({})).toEqual({ type: "none" });
    expect(authentication({ CACHE_PASSWORD: "p" })).toEqual({ type: "password", username: undefined, password: "p" });
    expect(authentication({ CACHE_USERNAME: "u", CACHE_PASSWORD: "p" })).toMatchObject({
      type: "password",
      username: "u",
    });
    expect(authentication({ CACHE_USERNAME: "oid" })).toEqual({
      type: "entra",
      username: "oid",
      credential,
      scope: "https://redis.azure.com/.default",
    });
  });

  it("takes port, time-outs and the connection limit from the settings", () => {
    const settings = loadSettings({
      REDIS_HOST: "localhost",
      REDIS_PORT: "10000",
      CACHE_MAX_CONNECTIONS: "7",
      CACHE_CONNECTION_TIMEOUT: "1.5",
      CACHE_OPERATION_TIMEOUT: "2",
    });
    expect(toCacheEndpoint(settings, credential)).toMatchObject({
      host: "localhost",
      port: 10_000,
      maxConnections: 7,
      connectionTimeoutMs: 1500,
      operationTimeoutMs: 2000,
    });
  });

  it("refuses Entra without a credential", () => {
    const settings = loadSettings({ CACHE_HOST: "localhost", CACHE_USERNAME: "oid" });
    expect(() => toCacheEndpoint(settings, undefined)).toThrow("needs Entra");
  });
});
