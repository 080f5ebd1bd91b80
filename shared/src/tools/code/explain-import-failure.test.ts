import { expect, it } from "vitest";
import { explainImportFailure } from "./explain-import-failure.ts";

const module = "/tools/order-status.ts";

function failure(error: Error, stack: string, code?: string): Error {
  return Object.assign(error, { stack }, code === undefined ? {} : { code });
}

it("[CODE-2] names the line of a syntax error, which Node writes before its stack", () => {
  const error = failure(
    new SyntaxError("Expression expected"),
    `file://${module}:25\n  },\n});\n^\n\nSyntaxError: Expression expected\n    at parse (node:internal/modules/typescript:72:36)`,
    "ERR_INVALID_TYPESCRIPT_SYNTAX",
  );
  expect(explainImportFailure(error, module)).toBe("is no TypeScript: Expression expected (line 25)");
});

it("[CODE-2] names the file, too, where a module's helper has the syntax error", () => {
  const error = failure(
    new SyntaxError("Unexpected token ';'"),
    "file:///tools/lib/a%20price.js:2\nexport const b = ;\n\nSyntaxError: Unexpected token ';'",
  );
  expect(explainImportFailure(error, module)).toBe("cannot be read: Unexpected token ';' (/tools/lib/a price.js:2)");
});

it("[CODE-2] names the line of the module that threw, and none where a package did", () => {
  const inModule = `    at file://${module}:7:11\n    at ModuleJob.run (node:internal/modules/esm/module_job:561:25)`;
  const inFunction = `    at connect (file://${module}:12:9)`;
  const inPackage = "    at open (/tools/node_modules/pg/index.js:3:5)";
  const explained = (frames: string): string =>
    explainImportFailure(failure(new Error("no key"), `Error: no key\n${frames}`), module);
  expect(explained(inModule)).toBe("fails while it loads: no key (line 7)");
  expect(explained(inFunction)).toBe("fails while it loads: no key (line 12)");
  expect(explained(inPackage)).toBe("fails while it loads: no key");
});

it("[CODE-2] tells a module that does not exist from one that imports what does not", () => {
  const missing = (what: string): string =>
    explainImportFailure(
      failure(new Error(`Cannot find module '${what}' imported from /service/load.ts`), "", "ERR_MODULE_NOT_FOUND"),
      module,
    );
  expect(missing(module)).toBe("there is no such file");
  expect(missing("/tools/helper")).toBe(
    "Cannot find module '/tools/helper'; install it in the folder (npm install), and write the file's ending in a path",
  );
});

it("[CODE-2] says how a type is imported, because Node only says that there is no such export", () => {
  const message = "The requested module '@voice/tool-kit' does not provide an export named 'ToolContext'";
  const error = failure(
    new SyntaxError(message),
    `file://${module}:3\nimport { ToolContext } from "@voice/tool-kit";\n\n`,
  );
  expect(explainImportFailure(error, module)).toBe(`${message}; a type is imported with "import type" (line 3)`);
});
