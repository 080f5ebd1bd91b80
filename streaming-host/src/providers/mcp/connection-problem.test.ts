import { expect, it } from "vitest";

import { connectionProblem } from "./connection-problem.ts";

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
  ["a code of which nothing is known", systemError({ code: "EPIPE" }), "could not connect (EPIPE)"],
  ["an error that may quote a secret", new Error("refused at https://secret@host"), "could not connect"],
  ["something that is no error", "refused", "could not connect"],
])("names the cause of %s", (_, error, words) => {
  expect(connectionProblem(error)).toBe(words);
});
