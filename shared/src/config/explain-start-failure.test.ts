import { describe, expect, it } from "vitest";
import { CatalogError } from "../catalog/problems.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { explainStartFailure } from "./explain-start-failure.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(`listen ${code}: 127.0.0.1:80`), { code, syscall: "listen" });
}

const command = "PORT=8081 npm start";

describe("why a process does not start", () => {
  it.each([
    [
      "a bad setting",
      new ConfigurationError(["PORT must be a number"]),
      "The settings need attention:\n  PORT must be a number",
    ],
    [
      "a broken catalog file",
      new CatalogError([{ file: "agents/a/agent.yaml", key: "voice", message: "unknown key" }]),
      "agents/a/agent.yaml: voice: unknown key",
    ],
    [
      "a port in use",
      systemError("EADDRINUSE"),
      "listen EADDRINUSE: 127.0.0.1:80. Choose another port: PORT=8081 npm start",
    ],
    ["a port of the administrator", systemError("EACCES"), /choose one from 1024 on: PORT=8081 npm start$/],
    ["an address of another machine", systemError("EADDRNOTAVAIL"), /HOST must be an address of this machine/],
    ["anything else of the system", systemError("EMFILE"), "listen EMFILE: 127.0.0.1:80"],
    ["no error at all", "text", "text"],
  ])("is said in one line for %s", (_what, error, line) => {
    if (line instanceof RegExp) expect(explainStartFailure(error, command)).toMatch(line);
    else expect(explainStartFailure(error, command)).toBe(line);
  });

  it.each([
    new TypeError("x is not a function"),
    Object.assign(new Error("no such module"), { code: "ERR_MODULE_NOT_FOUND" }),
  ])("keeps the stack of what only a developer can mend: %s", (error) => {
    expect(explainStartFailure(error, command)).toContain("\n    at ");
  });
});
