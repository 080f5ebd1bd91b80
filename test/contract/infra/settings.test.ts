/** What the templates tell the apps is what the apps read; and what both assume of each other holds. */
import { readFileSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import path from "node:path";
import { namesOf } from "@voice/shared/config/aliases";
import { loadSettings } from "@voice/shared/config/load";
import { namedSettings } from "@voice/shared/config/settings";
import { describe, expect, it } from "vitest";
import { socketChannels } from "../../../functions/src/docs/socket-channels.ts";
import { servePages } from "../../../streaming-host/src/server/pages/serve-pages.ts";
import { matchStreamRoute } from "../../../streaming-host/src/server/accept/stream-routes.ts";
import { entriesOf, textAt, valueAt, type Value } from "./bicep-value.ts";
import { readSizes } from "./sizes.ts";
import { infra, templateAt } from "./templates.ts";

const { variables } = templateAt("modules/app-settings.bicep");
const section = (name: string): readonly string[] => Object.keys(entriesOf(variables[name]));
const calls = namesBehind(variables["calls"]);
const signIn = namesBehind(variables["console"]);

const sections = {
  functions: [...section("common"), ...calls, ...section("protectedApi"), ...signIn],
  streamingHosts: [...section("common"), ...calls, ...section("protectedApi"), ...signIn, ...section("hostsOwn")],
};

describe("the apps' settings", () => {
  it("are joined from these sections", () => {
    const { text } = templateAt("modules/app-settings.bicep");
    expect(text).toContain("output functions object = union(common, own, catalog, calls, access, console)\n");
    expect(text).toContain(
      "output streamingHosts object = union(common, own, catalog, calls, access, console, hostsOwn)\n",
    );
    expect(section("openApi")).toEqual(["ENABLE_AUTH_VALIDATION"]);
    expect(calls).toHaveLength(5);
  });

  it.each(Object.entries(sections))(
    "of %s are all in the schema, under their canonical names, and none is a secret",
    (_app, names) => {
      const known = new Map(namedSettings.map((setting) => [setting.name, setting]));
      expect(names.filter((name) => !known.has(name))).toEqual([]);
      expect(names.filter((name) => known.get(name)?.secret)).toEqual([]);
    },
  );

  it.each(Object.entries(sections))("of %s are enough for production", (_app, names) => {
    const environment = Object.fromEntries(names.map((name) => [name, sampleOf(name)]));
    expect(loadSettings(environment)).toMatchObject({ environment: "production", enableAuthValidation: true });
    // With the realtime model and with recordings, which want more.
    const larger = { ...environment, COMM_STREAMING_MODE: "VOICE_LIVE", RECORDING_ENABLED: "true" };
    expect(loadSettings(larger)).toMatchObject({ streamingMode: "VOICE_LIVE", recordingEnabled: true });
  });

  it("are enough for development without a phone number, and without authentication", () => {
    const names = [...section("common"), ...section("openApi"), ...section("hostsOwn")];
    const environment = Object.fromEntries(names.map((name) => [name, sampleOf(name)]));
    const open = { ...environment, ENVIRONMENT: "development", ENABLE_AUTH_VALIDATION: "false" };
    expect(loadSettings(open)).toMatchObject({ environment: "development", enableAuthValidation: false });
  });

  it("[RELEASE-2] refuse secrets among the options, under every name that the settings' schema has for them", () => {
    const secrets = namedSettings.filter(({ secret }) => secret).flatMap(({ name }) => namesOf(name));
    expect(listAt(variables["secretSettings"])).toEqual(secrets);
  });

  it("[RELEASE-1] can be given by options, under the names that docs/settings.md has", () => {
    const parameters = readFileSync(path.join(infra, "main.bicepparam"), "utf8");
    const given = /^param given = union\(\n {2}\{([^}]*)\}/m.exec(parameters)?.[1] ?? "";
    const names = [...given.matchAll(/^ +([A-Z_]+): readEnvironmentVariable\('VOICE_\w+', ''\)$/gm)].map(
      ([, name]) => name ?? "",
    );
    const known = new Set(namedSettings.filter(({ secret }) => !secret).map(({ name }) => name));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    // Every other one.
    expect(parameters).toContain("json(readEnvironmentVariable('VOICE_SETTINGS', '{}'))");
    const { text } = templateAt("modules/app-settings.bicep");
    for (const app of ["functions", "streamingHosts"])
      expect(text).toContain(`output ${app} object = union(common, own,`);
  });

  it("name the secret of the webhook as the settings do", () => {
    const hook = readFileSync(path.join(infra, "hooks", "make-webhook-secret.sh"), "utf8");
    const key = /set-secret\.sh" (\w+)/.exec(hook)?.[1];
    expect(namedSettings.find(({ name }) => name === key)).toMatchObject({ key: "commWebhookSecrets", secret: true });
    expect(templateAt("incoming-calls.bicep").text).toContain("/api/v1/calls/answer?secret=");
  });
});

describe("the streaming hosts", () => {
  const template = templateAt("streaming-host.bicep");
  const [app] = template.resources;
  const probes = valueAt(app?.body, "properties.template.containers");

  it("get longer to end than they take to drain", () => {
    const drain = variables["drainSeconds"];
    const grace = template.variables["terminationGraceSeconds"];
    expect(Number(grace) - Number(drain)).toBeGreaterThanOrEqual(30);
    expect(valueAt(app?.body, "properties.template.terminationGracePeriodSeconds")).toBe("terminationGraceSeconds");
  });

  it("are asked on the paths and the port that they answer on", () => {
    const paths = [...JSON.stringify(probes).matchAll(/"path":"([^"]+)","port":(\d+)/g)].map(
      ([, at, number]) => `${number}${at}`,
    );
    const port = textAt(variables["hostsOwn"], "PORT");
    expect(paths).toEqual([`${port}/healthz`, `${port}/healthz`, `${port}/readyz`]);
    expect(valueAt(app?.body, "properties.configuration.ingress.targetPort")).toBe(Number(port));
    const source = readFileSync(path.join(infra, "../streaming-host/src/server/accept/probes.ts"), "utf8");
    for (const probed of ["/healthz", "/readyz"]) expect(source).toContain(`"${probed}"`);
  });

  it("are at least two, and more are added before they are full", () => {
    const { development, production } = readSizes();
    for (const { hosts, calls: promised } of [development, production]) {
      expect(hosts.minReplicas).toBeGreaterThanOrEqual(2);
      expect(hosts.sessionsPerReplica).toBeLessThan(hosts.maxSessions);
      // With one replica gone, the others hold all calls.
      expect((hosts.minReplicas - 1) * hosts.maxSessions).toBeGreaterThanOrEqual(promised);
    }
  });

  it("get every path that is documented as a socket's, and none that they do not know", () => {
    const routes = templateAt("main.bicep").modules.find(({ symbol }) => symbol === "routes");
    const patterns = listAt(routes?.params["socketPaths"]);
    const documented = socketChannels.map(({ path: at, outsideApi }) => (outsideApi === true ? at : `/api/v1${at}`));
    const isRouted = (at: string): boolean =>
      patterns.some((pattern) => (pattern.endsWith("/*") ? at.startsWith(pattern.slice(0, -1)) : at === pattern));
    expect(documented.length).toBeGreaterThan(5);
    expect(documented.filter((at) => !isRouted(at))).toEqual([]);
    const unknown = patterns.filter(
      (pattern) =>
        matchStreamRoute(new URL(pattern.replace("*", "session-1"), "wss://voice.example.com")).type === "unknown-path",
    );
    expect(unknown).toEqual([]);
  });

  it("get the console's pages, and the API keeps the rest", () => {
    const routes = templateAt("main.bicep").modules.find(({ symbol }) => symbol === "routes");
    const serve = servePages(Promise.resolve(new Map()), []);
    const isPage = (at: string): boolean => {
      const request = Object.assign(new IncomingMessage(new Socket()), { method: "GET", url: at });
      return serve(request, new ServerResponse(request));
    };
    const paths = listAt(routes?.params["pagePaths"]).map((pattern) => pattern.replace("*", "index-1.js"));
    expect(paths).toHaveLength(6);
    expect(paths.filter((at) => !isPage(at))).toEqual([]);
    expect(["/docs", "/api/v1/health"].filter(isPage)).toEqual([]);
  });
});

it("archives into the container that the code writes to", () => {
  const resources = templateAt("modules/archive.bicep").resources;
  const container = resources.find(({ symbol }) => symbol === "conversations");
  const source = readFileSync(path.join(infra, "../shared/src/archive/cosmos-archive.ts"), "utf8");
  expect(source).toContain(`const container = "${textAt(container?.body, "name")}"`);
  expect(valueAt(container?.body, "properties.resource.partitionKey.paths")).toEqual(["/session_id"]);
  expect(valueAt(container?.body, "properties.resource.defaultTtl")).toBe("keepDays * secondsPerDay");
});

function listAt(value: Value | undefined): string[] {
  if (!Array.isArray(value)) throw new TypeError("no list");
  return value.filter((item) => typeof item === "string");
}

/** The keys of the object behind a condition: `empty(…) ? {} : { … }`. */
function namesBehind(condition: Value | undefined): string[] {
  if (typeof condition !== "string") throw new TypeError("no condition");
  const otherwise = condition.slice(condition.indexOf(": {"));
  return [...otherwise.matchAll(/^\s*([A-Z_]+):/gm)].map(([, name]) => name ?? "");
}

/** Something of the kind that the setting wants, as Azure would put it. */
function sampleOf(name: string): string {
  const exact: Readonly<Record<string, string>> = {
    APPLICATIONINSIGHTS_CONNECTION_STRING: "InstrumentationKey=55555555-5555-4555-8555-555555555555",
    CACHE_PORT: "10000",
    CACHE_TLS: "true",
    CALL_ALLOWED_DESTINATIONS: "US",
    COMM_PHONE_NUMBER: "+12025550100",
    DRAIN_TIMEOUT: "540",
    ENABLE_AUTH_VALIDATION: "true",
    ENVIRONMENT: "production",
    MAX_SESSIONS: "150",
    PORT: "8080",
    TELEMETRY: "application-insights",
    STREAMING_HOST_URL: "wss://ca-streaming-host.example.eastus2.azurecontainerapps.io",
  };
  const guids = [
    "ALLOWED_CLIENT_IDS",
    "BACKEND_AUTH_CLIENT_ID",
    "CLOUD_CLIENT_ID",
    "CLOUD_TENANT_ID",
    "COMM_RESOURCE_ID",
    "SIGN_IN_CLIENT_ID",
  ];
  if (guids.includes(name)) return "55555555-5555-4555-8555-555555555555";
  if (/_(?:ENDPOINT|ORIGINS)$|^BASE_URL$/.test(name)) return "https://voice.example.com";
  return exact[name] ?? "text";
}
