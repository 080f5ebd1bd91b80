import { describe, expect, it } from "vitest";
import { loadSettings } from "./load.ts";
import { describeMisspelt, misspeltNames, reportMisspeltNames } from "./misspelt-names.ts";

/** What other software, shells and hosting platforms set. */
const ofOthers = [
  "APPLICATIONINSIGHTS_INSTRUMENTATION_KEY",
  "AZURE_AUTHORITY_HOST",
  "AZURE_CLIENT_CERTIFICATE_PATH",
  "AZURE_OPENAI_API_VERSION",
  "AZURE_STORAGE_KEY",
  "AZURE_SUBSCRIPTION_ID",
  "CONTAINER_APP_HOSTNAME",
  "EVAL_BASE_URL",
  "FUNCTIONS_WORKER_RUNTIME",
  "HOSTNAME",
  "KUBERNETES_SERVICE_HOST",
  "LANG",
  "LOGNAME",
  "NODE_ENV",
  "OPENAI_ORG_ID",
  "OTEL_EXPORTER_OTLP_PROTOCOL",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "PATH",
  "REDIS_SERVICE_HOST",
  "REDIS_URL",
  "USERNAME",
  "WEBSITE_HOSTNAME",
  "npm_config_cache",
];

const valued = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "s3cret"]));

describe("names that are nearly a setting's", () => {
  it.each([
    ["MAX_SESIONS", "MAX_SESSIONS"],
    ["AZURE_OPENAI_ENPOINT", "AZURE_OPENAI_ENDPOINT"],
    ["COMM_CONECTION_STRNG", "COMM_CONNECTION_STRING"],
    ["OPEN_AI_API_KEY", "OPENAI_API_KEY"],
    ["max_sessions", "MAX_SESSIONS"],
  ])("%s is taken for %s", (written, meant) => {
    expect(misspeltNames(valued(written))).toEqual([{ written, meant }]);
  });

  it("are not those of other software, of a setting under another name, or without a value", () => {
    expect(misspeltNames(valued(...ofOthers))).toEqual([]);
    expect(misspeltNames(valued("AZURE_OPENAI_ENDPOINT", "REDIS_HOST", "MAX_SESSIONS"))).toEqual([]);
    expect(misspeltNames({ MAX_SESIONS: " " })).toEqual([]);
  });

  it("are somebody else's where the setting has its value", () => {
    expect(misspeltNames(valued("REDIS_HOST", "REDIS_HOSTS"))).toEqual([]);
  });

  it("are told in one line, without their values", () => {
    const warned: unknown[] = [];
    const logger = { warn: (...line: readonly unknown[]) => void warned.push(line) };
    reportMisspeltNames(valued("MAX_SESIONS", "LOG_LEVL"), logger);
    reportMisspeltNames(valued("PATH"), logger);
    expect(warned).toHaveLength(1);
    expect(JSON.stringify(warned)).toContain(
      "MAX_SESIONS (did you mean MAX_SESSIONS?), LOG_LEVL (did you mean LOG_LEVEL?)",
    );
    expect(JSON.stringify(warned)).not.toContain("s3cret");
    expect(describeMisspelt({})).toBeUndefined();
  });

  it("stand beside what is missing, because that may be what they were meant for", () => {
    const environment = { CLOUD_OPENAI_ENDPOINT: "https://x.openai.azure.com", CLOUD_OPENAI_DEPLOYMNT: "chat" };
    expect(() => loadSettings(environment)).toThrow(
      /CLOUD_OPENAI_DEPLOYMENT is missing[^]*CLOUD_OPENAI_DEPLOYMNT \(did you mean CLOUD_OPENAI_DEPLOYMENT\?\)/,
    );
  });
});
