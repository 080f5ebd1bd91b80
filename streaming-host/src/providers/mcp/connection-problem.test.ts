import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, it } from "vitest";

import { connectionProblem } from "./connection-problem.ts";

const mcpAddress = "its address must be that of MCP's streamable HTTP, often /mcp at the end";
const systemError = (values: object) => Object.assign(new Error("the system says no"), values);

it.each<[string, unknown, string]>([
  [
    "a command that does not exist",
    systemError({ code: "ENOENT", syscall: "spawn exchange-tools", path: "exchange-tools" }),
    "command not found: exchange-tools",
  ],
  [
    "a file that may not be executed",
    systemError({ code: "EACCES", syscall: "spawn ./tools.py", path: "./tools.py" }),
    "command cannot be started (EACCES): ./tools.py",
  ],
  [
    "a port that nothing listens on",
    new TypeError("fetch failed", { cause: systemError({ code: "ECONNREFUSED", syscall: "connect" }) }),
    "nothing listens at its address",
  ],
  ["an address with nothing at it", new StreamableHTTPError(404, "no secret@host"), `it answered 404 (${mcpAddress})`],
  ["a server of the older transport", new StreamableHTTPError(405, "no"), `it answered 405 (${mcpAddress})`],
  ["a server that fails", new StreamableHTTPError(500, "secret"), "it answered 500"],
  ["a web page", new StreamableHTTPError(-1, "html"), `what it answers is not the protocol's (${mcpAddress})`],
  ["an answer that is no JSON", new SyntaxError("secret"), `what it answers is not the protocol's (${mcpAddress})`],
  ["a code of which nothing is known", systemError({ code: "EPIPE" }), "could not connect (EPIPE)"],
  ["an error that may quote a secret", new Error("refused at https://secret@host"), "could not connect"],
  ["something that is no error", "refused", "could not connect"],
])("names the cause of %s", (_, error, words) => {
  expect(connectionProblem(error)).toBe(words);
});
