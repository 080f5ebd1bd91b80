import { expect, it } from "vitest";
import { findMissingTools } from "./missing-tools.ts";

const shop = { name: "shop", state: "connected", toolsCount: 1, error: undefined } as const;

it("[MCP-4b] names what agents list and a connected server does not have, once", () => {
  const agents = [{ tools: ["shop_find", "shop_fnid", "end_call", "stock_count"] }, { tools: ["shop_fnid"] }];
  const stock = { name: "stock", state: "failed", toolsCount: 0, error: "nothing listens at its address" } as const;
  const look = findMissingTools((tool) => tool === "shop_find");
  expect(look(agents, [shop, stock])).toEqual(["shop_fnid"]);
  expect(look(agents, [shop, stock])).toEqual([]);
  expect(look(agents, [shop, { ...stock, state: "connected" }])).toEqual(["stock_count"]);
});

it("[MCP-4b] names a tool again that was there meanwhile", () => {
  const has = new Set(["shop_find"]);
  const look = findMissingTools((tool) => has.has(tool));
  const agents = [{ tools: ["shop_find"] }];
  expect(look(agents, [shop])).toEqual([]);
  has.clear();
  expect(look(agents, [shop])).toEqual(["shop_find"]);
  has.add("shop_find");
  expect(look(agents, [shop])).toEqual([]);
  has.clear();
  expect(look(agents, [shop])).toEqual(["shop_find"]);
});
