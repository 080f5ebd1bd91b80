import { describe, expect, it } from "vitest";
import { loadSettings } from "../config/load.ts";
import { openAccessWarning } from "./open-access.ts";

describe("the warning about open access", () => {
  it.each([
    ["on every interface", { HOST: "0.0.0.0" }, "listens on 0.0.0.0"],
    ["behind a public address", { BASE_URL: "https://voice.example" }, "reached at voice.example"],
    ["behind a public address of sockets", { STREAMING_HOST_URL: "wss://media.example" }, "reached at media.example"],
  ])("[ACCESS-2a] comes while anybody can call a service %s", (_where, environment, words) => {
    expect(openAccessWarning(loadSettings(environment))).toContain(words);
  });

  it("comes in production that is open on purpose", () => {
    expect(openAccessWarning({ ...loadSettings({}), environment: "production" })).toContain("in production");
  });

  it.each([
    ["only this machine can call", {}],
    ["only this machine can call, by name", { HOST: "localhost", BASE_URL: "http://localhost:8080" }],
    ["callers prove themselves", { HOST: "0.0.0.0", ENABLE_AUTH_VALIDATION: "true" }],
  ])("does not come where %s", (_case, environment) => {
    expect(openAccessWarning(loadSettings(environment))).toBeUndefined();
  });
});
