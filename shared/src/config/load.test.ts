import { describe, expect, it } from "vitest";
import { problemsIn } from "../testing/problems-in.ts";
import { loadSettings } from "./load.ts";
import { namedSettings } from "./settings.ts";

const guid = "0a1b2c3d-0000-4000-8000-00000000000f";

describe("settings", () => {
  it("are frozen", () => {
    expect(Object.isFrozen(loadSettings({}))).toBe(true);
  });

  it("are all reported at once, each under the name it was given by", () => {
    const problems = problemsIn({ ACS_PHONE_NUMBER: "12", REDIS_PORT: "x", VAD_SENSITIVITY: "loud" });
    expect(new Set(problems.map((problem) => problem.split(" ")[0]))).toEqual(
      new Set(["ACS_PHONE_NUMBER", "REDIS_PORT", "VAD_SENSITIVITY"]),
    );
    expect(problems).toHaveLength(3);
  });

  it.each([
    ["CACHE_HOSTNAME", "cacheHost", "h"],
    ["REDIS_HOST", "cacheHost", "h"],
    ["REDIS_HOSTNAME", "cacheHost", "h"],
    ["ACS_STREAMING_MODE", "streamingMode", "TRANSCRIPTION"],
    ["AZURE_APPCONFIG_ENDPOINT", "appConfigEndpoint", "https://a.example"],
    ["AZURE_TENANT_ID", "cloudTenantId", guid],
    ["ACS_IMMUTABLE_ID", "commResourceId", guid],
  ] as const)("come under the vendor's name too: %s", (name, key, value) => {
    expect(loadSettings({ [name]: value })[key]).toBe(value);
  });

  it("may be given twice with one value, and not with two", () => {
    expect(loadSettings({ CACHE_HOST: "h", REDIS_HOST: "h" }).cacheHost).toBe("h");
    expect(problemsIn({ CACHE_HOST: "one", REDIS_HOST: "two" })).toEqual([
      "CACHE_HOST and REDIS_HOST are the same setting and have different values",
    ]);
  });

  it("never show a value in an error", () => {
    const value = "value-that-must-not-show";
    const names = namedSettings.map(({ name }) => name);
    const problems = problemsIn(Object.fromEntries(names.map((name) => [name, value])));
    expect(problems.length).toBeGreaterThan(20);
    expect(problems.join("\n")).not.toContain(value);
  });

  it.each([
    [
      { AZURE_OPENAI_ENDPOINT: "https://o" },
      "CLOUD_OPENAI_DEPLOYMENT is missing: AZURE_OPENAI_ENDPOINT is set and needs it",
    ],
    [
      { CLOUD_SPEECH_KEY: "k" },
      "CLOUD_SPEECH_REGION or CLOUD_SPEECH_ENDPOINT is missing: CLOUD_SPEECH_KEY is set and needs it",
    ],
    [
      { CLOUD_SPEECH_REGION: "r" },
      "CLOUD_SPEECH_KEY or CLOUD_SPEECH_RESOURCE_ID is missing: CLOUD_SPEECH_REGION is set and needs it",
    ],
    [{ CLOUD_VOICELIVE_MODEL: "m" }, "CLOUD_VOICELIVE_ENDPOINT is missing: CLOUD_VOICELIVE_MODEL is set and needs it"],
    [{ CACHE_PASSWORD: "p" }, "CACHE_HOST is missing: CACHE_PASSWORD is set and needs it"],
    [{ TELEPHONY_CLIENT_SECRET: "s" }, "TELEPHONY_API_KEY is missing: TELEPHONY_CLIENT_SECRET is set and needs it"],
    [{ VAD_SILENCE_TIMEOUT: "3000" }, "VAD_TIMEOUT_MS must not be shorter than VAD_SILENCE_TIMEOUT"],
    [
      { LOCAL_NOISE_SUPPRESSION: "true", RECOGNISER_MODULE: "./ear.ts" },
      "LOCAL_NOISE_SUPPRESSION is true, which only the recogniser on this machine can do, and the settings name another one",
    ],
  ])("do not describe half a part: %o", (environment, problem) => {
    expect(problemsIn(environment)).toEqual([problem]);
  });

  it("name all that calls from the real communication service need, in development as well", () => {
    const calls = { COMM_ENDPOINT: "https://c", COMM_PHONE_NUMBER: "+14255550100", BASE_URL: "https://b" };
    const because = "COMM_ENDPOINT is set and needs it";
    expect(problemsIn(calls)).toEqual([
      `COMM_RESOURCE_ID is missing: ${because}`,
      `COMM_WEBHOOK_SECRET or BACKEND_AUTH_CLIENT_ID is missing: ${because}`,
    ]);
    const proved = { ...calls, COMM_RESOURCE_ID: guid, COMM_WEBHOOK_SECRET: "s" };
    expect(problemsIn({ ...proved, BASE_URL: "https://func-voice.azurewebsites.net" })).toEqual([
      `STREAMING_HOST_URL is missing: ${because}`,
    ]);
    const emulated = { ...calls, COMM_ENDPOINT: "http://127.0.0.1:4100" };
    expect(loadSettings(emulated).commResourceId).toBeUndefined();
  });

  it.each([
    ["CACHE_PASSWORD", "@Microsoft.KeyVault(SecretUri=https://v.vault.azure.net/secrets/p/)"],
    ["TELEPHONY_API_KEY", "@Microsoft.KeyVault(VaultName=v;SecretName=s)"],
    ["ACS_WEBHOOK_SECRET", "@microsoft.appconfiguration(Endpoint=https://a; Key=k)"],
  ])("are never the text of a reference that was not resolved: %s", (name, reference) => {
    expect(problemsIn({ [name]: reference })).toEqual([
      expect.stringMatching(new RegExp(`^${name} is a reference that nobody has resolved`)),
    ]);
  });

  it.each(["cache.example.net", "redis_1", "10.0.0.7", "::1", "fe80::1"])("take %s as a host", (host) => {
    expect(loadSettings({ CACHE_HOST: host }).cacheHost).toBe(host);
  });

  it.each(["rediss://cache.example.net", "cache.example.net/0", "cache.example.net,password=p,ssl=True", "[::1]:6379"])(
    "do not take %s as a host, because no connection would be made",
    (host) => {
      expect(problemsIn({ CACHE_HOST: host })).toEqual([
        "CACHE_HOST must be a host name or an IP address, without a protocol and a port",
      ]);
    },
  );

  it.each([
    ["BASE_URL", "https://voice.example/api/v1/"],
    ["BASE_URL", "https://voice.example/#top"],
    ["STREAMING_HOST_URL", "wss://voice.example/api/v1"],
  ])("do not take a base URL with what is appended to it, or cannot be: %s=%s", (name, url) => {
    expect(problemsIn({ [name]: url })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must be .*, without a query and without /api/v1$`)),
    ]);
    expect(problemsIn({ BASE_URL: "https://gateway.example/voice" })).toEqual([]);
  });

  it("name everything that production lacks", () => {
    const missing = problemsIn({ ENVIRONMENT: "production" }).map((problem) => problem.split(" is missing")[0]);
    expect(missing).toEqual([
      "BASE_URL",
      "COMM_ENDPOINT or COMM_CONNECTION_STRING or TWILIO_ACCOUNT_SID",
      "COMM_PHONE_NUMBER",
      "COMM_RESOURCE_ID",
      "CLOUD_OPENAI_ENDPOINT",
      "CLOUD_OPENAI_DEPLOYMENT",
      "CLOUD_SPEECH_REGION or CLOUD_SPEECH_ENDPOINT",
      "CLOUD_SPEECH_KEY or CLOUD_SPEECH_RESOURCE_ID",
      "CACHE_HOST",
      "ENABLE_AUTH_VALIDATION=true",
    ]);
    const realtime = problemsIn({
      ENVIRONMENT: "production",
      COMM_STREAMING_MODE: "VOICE_LIVE",
      RECORDING_ENABLED: "1",
    });
    expect(realtime.join()).toContain("CLOUD_VOICELIVE_ENDPOINT");
    expect(realtime.join()).toContain("CLOUD_STORAGE_CONNECTION_STRING");
  });

  it("say what production needs the realtime model and the recordings' store for", () => {
    const reasonFor = (missing: string, environment: Readonly<Record<string, string>>) =>
      problemsIn({ ...completeProduction, ENABLE_AUTH_VALIDATION: "true", ...environment }).find((problem) =>
        problem.startsWith(`${missing} is missing`),
      );
    const because = "ENVIRONMENT is production, and";
    expect(reasonFor("CLOUD_VOICELIVE_MODEL", { ACS_STREAMING_MODE: "VOICE_LIVE" })).toContain(
      `${because} ACS_STREAMING_MODE is VOICE_LIVE`,
    );
    expect(reasonFor("CLOUD_VOICELIVE_MODEL", { TELEPHONY_API_KEY: "k" })).toContain(
      `${because} TELEPHONY_API_KEY lets a telephony platform in, whose conversations the realtime model holds`,
    );
    expect(
      reasonFor("CLOUD_STORAGE_ENDPOINT or CLOUD_STORAGE_CONNECTION_STRING", { RECORDING_ENABLED: "1" }),
    ).toContain(`${because} RECORDING_ENABLED is true`);
  });

  it("are enough for production when every part is there and nobody gets in without a token", () => {
    expect(loadSettings({ ...completeProduction, ENABLE_AUTH_VALIDATION: "true" }).environment).toBe("production");
  });

  it("[ACCESS-1] keep production closed unless a setting says by its name that it is open", () => {
    expect(problemsIn(completeProduction)).toEqual([expect.stringContaining("ALLOW_UNAUTHENTICATED_PRODUCTION")]);
    const open = loadSettings({ ...completeProduction, ALLOW_UNAUTHENTICATED_PRODUCTION: "true" });
    expect(open.enableAuthValidation).toBe(false);
  });
});

const completeProduction = {
  ENVIRONMENT: "production",
  BASE_URL: "https://api.example",
  ACS_CONNECTION_STRING: "endpoint=https://c;accesskey=k",
  ACS_PHONE_NUMBER: "+14255550100",
  COMM_RESOURCE_ID: guid,
  COMM_WEBHOOK_SECRET: "s",
  AZURE_OPENAI_ENDPOINT: "https://o.example",
  AZURE_OPENAI_DEPLOYMENT: "d",
  AZURE_SPEECH_REGION: "westeurope",
  AZURE_SPEECH_RESOURCE_ID: "/subscriptions/x",
  REDIS_HOST: "cache.example",
};
