import { expect, it } from "vitest";
import { requireNode } from "./require-node.ts";

it("refuses a Node that is too old, and says which one is needed", () => {
  expect(() => requireNode("20.20.2")).toThrow("Node: 22 or newer is needed, and this is 20.20.2");
});

it.each(["22.0.0", "24.21.0", process.versions.node])("takes Node %s", (version) => {
  expect(() => requireNode(version)).not.toThrow();
});
