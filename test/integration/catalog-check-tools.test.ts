/** `npm run catalog:check` with the tools of somebody's own: arguments of tool servers, and results of code. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { serveExampleOverHttp } from "@voice/local/mcp-example";
import { afterAll, beforeAll, expect, it } from "vitest";

let folder: string;
let server: Awaited<ReturnType<typeof serveExampleOverHttp>>;

const files = {
  "tools/package.json": '{ "type": "module" }',
  "tools/order.ts": `import { defineTool } from "@voice/tool-kit";
    import { z } from "zod";
    const [parameters, result] = [z.object({}), z.object({ state: z.string() })];
    export default defineTool({ name: "order_state", description: "x", parameters, result, run: () => ({ state: "x" }) });`,
  "catalog/agents/teller/agent.yaml": "description: A teller.\ntools: [exchange_convert, order_state]\n",
  "catalog/agents/teller/prompt.md": "You change money.",
  "catalog/agents/teller/rules.yaml": `intents:
    change:
      examples: [change twenty euros]
      call: { tool: exchange_convert, args: { amount: "20", from: EUR, into: USD } }
    order:
      examples: [where is my order]
      call: { tool: order_state, args: {} }
      after: { success: { say: "It is {{ result.stat }}." } }
`,
  "catalog/scenarios/change.yaml": "description: Money.\nagents: [teller]\nstart_agent: teller\n",
};

beforeAll(async () => {
  server = await serveExampleOverHttp();
  folder = mkdtempSync(path.join(tmpdir(), "catalog-check-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function check(url: string, toolsDir = path.join(folder, "tools")): Promise<string> {
  const script = path.join(import.meta.dirname, "../../local/catalog-check.ts");
  const kept = path.join(folder, "kept.json");
  const env = { ...process.env, MCP_SERVERS: `exchange=${url}`, TOOLS_DIR: toolsDir };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, "--tool-schemas", kept, path.join(folder, "catalog")],
      { env },
      (_error, _stdout, stderr) => resolve(stderr),
    );
  });
}

it("[MCP-4a] finds wrong arguments of a tool server, asked or kept, and fields that no result has", async () => {
  const mistakes = [
    'agents/teller/rules.yaml: intents.change.call.args.into: "exchange_convert" has no such argument',
    'agents/teller/rules.yaml: intents.change.call.args: "exchange_convert" needs the argument "to"',
    "agents/teller/rules.yaml: intents.order.after.success: unknown value result.stat",
  ];
  const found = await check(server.url);
  for (const mistake of mistakes) expect(found).toContain(mistake);
  expect(found).toContain("3 problems");
  const whileAway = await check("http://127.0.0.1:9/mcp");
  expect(whileAway).toContain("MCP_SERVERS: exchange: could not connect; what its tools take is taken from");
  for (const mistake of mistakes) expect(whileAway).toContain(mistake);
});

it("says which setting is missing in this terminal where a tool is not known", async () => {
  const found = await check(server.url, "");
  expect(found).toContain('agents/teller/agent.yaml: tools.1: unknown tool "order_state"');
  expect(found).toContain("TOOLS_DIR not set here: the tools that come from there are not known");
});
