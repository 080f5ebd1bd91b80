import { describe, expect, it } from "vitest";
import { loadSettings } from "../config/load.ts";
import { foreignHostProblem } from "./foreign-host.ts";
import { originProblem } from "./origin.ts";

const local = loadSettings({});
const deployed = loadSettings({
  BASE_URL: "https://voice.example/base",
  STREAMING_HOST_URL: "wss://media.example",
  CORS_ALLOWED_ORIGINS: "https://desk.example:8443/",
});

function problemOf(headers: Readonly<Record<string, string>>, settings = local): string | undefined {
  return originProblem((name) => headers[name], settings);
}

describe("a request that changes something", () => {
  it("is not hindered where no browser sends it", () => {
    expect(problemOf({ host: "localhost:8080" })).toBeUndefined();
    expect(problemOf({ host: "localhost:8080", "sec-fetch-mode": "cors" })).toBeUndefined();
  });

  it.each([
    ["the address it calls", { origin: "http://localhost:8080", host: "localhost:8080" }],
    ["another name of this machine", { origin: "http://localhost:8080", host: "127.0.0.1:8080" }],
    ["the IPv6 name of this machine", { origin: "http://[::1]:8080", host: "[::1]:8080" }],
    ["the address of this machine in its network", { origin: "http://192.168.1.7:8080", host: "192.168.1.7:8080" }],
    ["the address it calls, at the usual port", { origin: "https://192.168.1.7", host: "192.168.1.7" }],
    ["the IPv6 address of this machine in its network", { origin: "http://[fd00::7]:8080", host: "[fd00::7]:8080" }],
    [
      "the address it calls, at the usual port of another scheme",
      { origin: "https://10.1.2.3:80", host: "10.1.2.3:80" },
    ],
    ["the address it calls, without an Origin", { "sec-fetch-site": "same-origin", host: "localhost:8080" }],
    ["nowhere: somebody typed the address", { "sec-fetch-site": "none", host: "localhost:8080" }],
  ])("[ACCESS-4] may come from a page of %s", (_whose, headers) => {
    expect(problemOf(headers)).toBeUndefined();
  });

  it.each(["https://voice.example", "https://media.example", "https://desk.example:8443"])(
    "may come from a page of %s, which a setting names, whatever a proxy made of Host",
    (origin) => {
      expect(problemOf({ origin, host: "internal:80" }, deployed)).toBeUndefined();
    },
  );

  it.each([
    ["another site", { origin: "https://evil.example", host: "localhost:8080" }],
    ["another port of this machine", { origin: "http://localhost:5173", host: "localhost:8080" }],
    ["another address with the same port", { origin: "http://10.9.9.9:8080", host: "192.168.1.7:8080" }],
    ["this machine that calls an address", { origin: "http://localhost:8080", host: "192.168.1.7:8080" }],
    ["an address with a path, which no browser sends", { origin: "http://localhost:8080/x", host: "localhost:8080" }],
    ["a name that was made to point here", { origin: "http://evil.example:8080", host: "evil.example:8080" }],
    ["an origin that the browser does not tell", { origin: "null", host: "localhost:8080" }],
    ["another site, without an Origin", { "sec-fetch-site": "cross-site", host: "localhost:8080" }],
    ["a sibling site, without an Origin", { "sec-fetch-site": "same-site", host: "localhost:8080" }],
    ["no page at all", { origin: "", host: "localhost:8080" }],
    ["a page that calls a broken Host", { origin: "http://localhost:8080", host: "local host" }],
  ])("[ACCESS-3] does not come from a page of %s", (_whose, headers) => {
    expect(problemOf(headers)).toContain("CORS_ALLOWED_ORIGINS");
  });

  it.each(["https://voice.example.evil.com", "http://voice.example", "https://desk.example"])(
    "does not come from a page of %s, which only looks like the own one",
    (origin) => {
      expect(problemOf({ origin, host: "voice.example" }, deployed)).toBeDefined();
    },
  );
});

describe("a Host", () => {
  it.each(["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "127.0.0.1", "10.1.2.3:80", undefined])(
    "%s is the service's own on this machine",
    (host) => {
      expect(foreignHostProblem(host, local)).toBeUndefined();
    },
  );

  it.each(["evil.example:8080", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example"])(
    "[ACCESS-5] %s is somebody else's while only this machine can call, without a proof",
    (host) => {
      expect(foreignHostProblem(host, local)).toContain("BASE_URL");
      expect(foreignHostProblem(host, { ...local, enableAuthValidation: true })).toBeUndefined();
      expect(foreignHostProblem(host, { ...local, host: "0.0.0.0" })).toBeUndefined();
    },
  );

  it("is the service's own where a setting names it", () => {
    for (const host of ["voice.example", "media.example:443", "desk.example"])
      expect(foreignHostProblem(host, deployed)).toBeUndefined();
  });
});
