#!/usr/bin/env node
// Reads the queries of the workbook, of the alerts and of docs/ with Kusto's own parser, against the columns that Application Insights has.
// The parser is 31 MB, so it is no dependency: npm installs it into a cache outside the tree. Where it cannot be had, this
// says so and passes; QUERIES_REQUIRED=true fails instead.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const parser = "@kusto/language-service-next";
const version = "12.4.1";
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "voice-agents", `kusto-${version}`);
const infra = fileURLToPath(new URL("../infra", import.meta.url));
const docs = fileURLToPath(new URL("../docs", import.meta.url));

if (!existsSync(join(cache, "node_modules", parser))) {
  mkdirSync(cache, { recursive: true });
  const install = ["install", "--prefix", cache, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { status } = spawnSync("npm", [...install, `${parser}@${version}`], { stdio: "ignore", timeout: 120_000 });
  if (status !== 0) {
    console.log(`queries: ${parser} ${version} is not to be had from npm; nothing is parsed`);
    process.exit(process.env.QUERIES_REQUIRED === "true" ? 1 : 0);
  }
}
// Both files put what they define into the global scope.
const load = createRequire(join(cache, "here.js"));
load(`${parser}/bridge.min.js`);
load(`${parser}/Kusto.Language.Bridge.min.js`);
const { Kusto } = globalThis;

const common =
  "timestamp:datetime, name:string, itemType:string, customDimensions:dynamic, operation_Name:string, operation_Id:string, " +
  "operation_ParentId:string, cloud_RoleName:string, cloud_RoleInstance:string, itemCount:int";
const tables = {
  dependencies: `(${common}, id:string, target:string, type:string, data:string, success:string, resultCode:string, duration:real)`,
  requests: `(${common}, id:string, source:string, url:string, success:string, resultCode:string, duration:real)`,
  traces: `(${common}, message:string, severityLevel:int)`,
  customMetrics: `(${common}, value:real, valueCount:int, valueSum:real, valueMin:real, valueMax:real, valueStdDev:real)`,
};
const symbols = Object.entries(tables).map(([name, columns]) =>
  Kusto.Language.Symbols.TableSymbol.From(columns).WithName(name),
);
const insights = Kusto.Language.GlobalState.Default.WithDatabase(
  new Kusto.Language.Symbols.DatabaseSymbol.$ctor1("insights", symbols),
);

function problemsOf(query) {
  const found = Kusto.Language.KustoCode.ParseAndAnalyze(query.replaceAll("{grain}", "5m"), insights).GetDiagnostics();
  return Array.from({ length: found.Count }, (_, index) => found.getItem(index).Message);
}

const workbook = JSON.parse(readFileSync(join(infra, "dashboards/workbook.json"), "utf8"));
const alerts = readFileSync(join(infra, "modules/alerts.bicep"), "utf8");
const pages = readdirSync(docs).filter((name) => name.endsWith(".md"));
const documented = pages.flatMap((name) =>
  [...readFileSync(join(docs, name), "utf8").matchAll(/^```kusto\n([^]*?)^```$/gm)].map(([, query]) => ({
    name,
    query,
  })),
);
const queries = [
  ...documented,
  ...workbook.items.flatMap(({ name, content }) =>
    content.query === undefined ? [] : [{ name, query: content.query }],
  ),
  ...[...alerts.matchAll(/^ {4}name: '([\w-]+)'$[^]*?^ {4}query: '(.*)'$/gm)].map(([, name, query]) => ({
    name,
    query,
  })),
];
// A parser that finds nothing anywhere would pass everything.
if (problemsOf("customMetrics | where nobody == 1").length === 0) throw new Error("the parser finds no mistake");

const mistakes = queries.flatMap(({ name, query }) =>
  problemsOf(query).map((problem) => `queries: ${name}: ${problem}`),
);
for (const mistake of mistakes) console.log(mistake);
console.log(`queries: ${queries.length} parsed, ${mistakes.length} mistakes`);
process.exitCode = mistakes.length === 0 && queries.length > documented.length && documented.length > 0 ? 0 : 1;
