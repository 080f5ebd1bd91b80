import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInTools } from "../tools/built-in-tools.ts";
import { loadCatalog } from "./load-catalog.ts";
import { builtInCatalogDir, readCatalogFiles } from "./read-catalog.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "catalog-"));
  await mkdir(join(folder, "agents", "greeter"), { recursive: true });
  await writeFile(join(folder, "agents", "greeter", "agent.yaml"), "description: Says hello.\ngreeting: Hello.\n");
  await writeFile(join(folder, "agents", "greeter", "prompt.md"), "You say hello.\n");
  await writeFile(join(folder, "agents", ".DS_Store"), "");
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe("a catalog folder", () => {
  it("adds an agent to the built-in ones by being there", async () => {
    const catalog = await loadCatalog([builtInCatalogDir(), folder], { tools: builtInTools, mcpServers: [] });
    expect(catalog.agents.get("greeter")).toMatchObject({
      greeting: "Hello.",
      configPath: "agents/greeter/agent.yaml",
      voice: { name: expect.stringMatching(/^en-US-/) },
    });
    expect(catalog.agents.has("front-desk")).toBe(true);
  });

  it("is read with forward slashes and without hidden files", async () => {
    expect([...(await readCatalogFiles(folder)).keys()]).toEqual([
      "agents/greeter/agent.yaml",
      "agents/greeter/prompt.md",
    ]);
  });

  it("says so when it holds no catalog", async () => {
    const missing = join(folder, "nowhere");
    await expect(readCatalogFiles(missing)).rejects.toThrow(`${missing}: no catalog here`);
  });
});
