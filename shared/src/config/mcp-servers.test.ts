import { describe, expect, it } from "vitest";
import { problemsIn } from "../testing/problems-in.ts";
import { loadSettings } from "./load.ts";
import { fillInSecrets } from "./mcp-servers.ts";

const MCP_SERVERS = JSON.stringify([
  { name: "shop", url: "https://shop.example/mcp", headers: { Authorization: "Bearer {{ secrets.SHOP_KEY }}" } },
  { name: "stock", command: "node", args: ["stock.mjs"], env: { STOCK_KEY: "{{secrets.STOCK_KEY}}" } },
]);

describe("a tool server", () => {
  it("gets the secrets that its headers and its environment name", () => {
    const { mcpServers } = loadSettings({ MCP_SERVERS, TOOL_SECRETS: "SHOP_KEY=s1,STOCK_KEY=s2" });
    const secrets = new Map([
      ["SHOP_KEY", "s1"],
      ["STOCK_KEY", "s2"],
    ]);
    const [shop, stock] = mcpServers;
    expect(fillInSecrets((shop && "headers" in shop && shop.headers) || {}, secrets)).toEqual({
      Authorization: "Bearer s1",
    });
    expect(fillInSecrets((stock && "env" in stock && stock.env) || {}, secrets)).toEqual({ STOCK_KEY: "s2" });
  });

  it("may use OAuth client credentials, whose secret is masked and goes only to the configured issuer", () => {
    const shop = (oauth: object) => ({
      TOOL_SECRETS: "KEY=s",
      MCP_SERVERS: JSON.stringify([{ name: "shop", url: "https://shop.example/mcp", oauth }]),
    });
    const client = { client_id: "voice", client_secret: "{{ secrets.KEY }}" };
    const token_url = "https://identity.example/token";
    expect(problemsIn(shop({ ...client, token_url }))).toEqual([]);
    expect(problemsIn(shop({ ...client, issuer: "https://identity.example/" }))).toEqual([]);
    expect(problemsIn(shop(client))).toHaveLength(1);
    expect(problemsIn(shop({ ...client, token_url: "http://identity.example/token" }))).toHaveLength(1);
    expect(problemsIn(shop({ ...client, token_url, client_secret: "written-out" }))).toHaveLength(1);
    expect(problemsIn(shop({ ...client, token_url, client_secret: "{{ secrets.OTHER }}" }))).toEqual([
      "OTHER in TOOL_SECRETS is missing: MCP_SERVERS names it for shop",
    ]);
  });

  it.each([
    ['[{"name":"shop"', ". This is no JSON array of objects"],
    [[{ name: "shop", comand: "node" }], ". Server 1 of 1 has the unknown key comand"],
    [
      [
        { name: "a", command: "node" },
        { name: "b", command: "node", arg: [] },
      ],
      ". Server 2 of 2 has the unknown key arg",
    ],
    [[{ name: "shop" }], ". Server 1 of 1 has neither url nor command"],
    [[{ name: "Shop", command: "node" }], ". Server 1 of 1 has a mistake at name"],
    [[{ name: "shop", command: "node", args: "stock.mjs" }], ". Server 1 of 1 has a mistake at args"],
    [[{ name: "shop", url: "http://shop.example/?key=k3y" }], ". Server 1 of 1 has a mistake at url"],
    [
      [{ name: "shop", url: "https://shop.example/", oauth: { client_id: "a", client_secret: "{{ secrets.K3Y }}" } }],
      ". Server 1 of 1 has a mistake at oauth",
    ],
    [
      [
        { name: "a", command: "x" },
        { name: "a", command: "y" },
      ],
      ". This names a server twice",
    ],
    [
      [
        { name: "shop_a", command: "x" },
        { name: "shop", command: "y" },
      ],
      ". One server's name begins with another's and _",
    ],
  ])("is refused by its place and its key, without its values: %j", (list, problem) => {
    const value = typeof list === "string" ? list : JSON.stringify(list);
    const [told = ""] = problemsIn({ MCP_SERVERS: value, TOOL_SECRETS: "K3Y=1" });
    expect(told).toContain(problem);
    expect(told).not.toMatch(/k3y|stock\.mjs/);
  });

  it("is not asked with a secret that is missing", () => {
    expect(problemsIn({ MCP_SERVERS, TOOL_SECRETS: "SHOP_KEY=s1" })).toEqual([
      "STOCK_KEY in TOOL_SECRETS is missing: MCP_SERVERS names it for stock",
    ]);
  });

  it.each([
    [
      "in small letters",
      { url: "https://shop.example/mcp", headers: { Authorization: "Bearer {{ secrets.shop_key }}" } },
    ],
    ["with a hyphen", { url: "https://shop.example/mcp", headers: { Authorization: "Bearer {{ secrets.SHOP-KEY }}" } }],
    ["in an address", { url: "https://shop.example/mcp?key={{ secrets.SHOP_KEY }}" }],
    ["in an argument", { command: "node", args: ["stock.mjs", "--key={{secrets.SHOP_KEY}}"] }],
    ["as a variable in small letters", { command: "node", env: { KEY: "{{ secrets.key }}" } }],
  ])("refuses a secret %s, which would be sent as it is written", (_where, server) => {
    const problems = problemsIn({
      MCP_SERVERS: JSON.stringify([{ name: "shop", ...server }]),
      TOOL_SECRETS: "SHOP_KEY=s1",
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /^MCP_SERVERS.*\{\{ secrets\.NAME \}\}, which only headers, env and oauth may have, in capital letters/,
      ),
    ]);
  });
});
