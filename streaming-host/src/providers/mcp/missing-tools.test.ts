import { expect, it } from "vitest";
import { missingTools } from "./missing-tools.ts";

it("names what agents list and a connected server does not have, once", () => {
  const agents = [{ tools: ["shop_find", "shop_fnid", "end_call", "stock_count"] }, { tools: ["shop_fnid"] }];
  const servers = [
    { name: "shop", state: "connected" as const, toolsCount: 1, error: undefined },
    { name: "stock", state: "failed" as const, toolsCount: 0, error: "nothing listens at its address" },
  ];
  expect(missingTools(agents, servers, (tool) => tool === "shop_find")).toEqual(["shop_fnid"]);
});
