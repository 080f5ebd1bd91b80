import { expect, it } from "vitest";
import { withCatalogTools } from "./known-tools.ts";

it("[PUBLISH-2] describes the tool that searches the catalog's documents, which lists of tools show", () => {
  const known = { tools: new Map(), mcpServers: [] };
  const folder = { kind: "documents", dir: "/catalog/knowledge/clinic", documents: ["hours.md"] } as const;
  const { tools } = withCatalogTools(known, { httpTools: new Map(), knowledge: new Map([["clinic", folder]]) });
  expect([...tools.keys()]).toEqual(["search_knowledge"]);
  expect(tools.get("search_knowledge")?.description).toMatch(/this service's own documents/);
});
