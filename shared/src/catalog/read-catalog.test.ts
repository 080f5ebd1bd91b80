import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCatalogDirs, demoTools } from "../demo/demo-parts.ts";
import { loadCatalog } from "./load-catalog.ts";
import { readCatalogFiles } from "./read-catalog.ts";

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
  it("adds an agent to those of another folder by being there", async () => {
    const catalog = await loadCatalog([...demoCatalogDirs, folder], { tools: demoTools, mcpServers: [] });
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
    const file = join(folder, "agents", "greeter", "prompt.md");
    await expect(readCatalogFiles(file)).rejects.toThrow(`${file}: no catalog here`);
  });

  it("names the files that are no text, or cannot be read, all at once", async () => {
    const other = await mkdtemp(join(tmpdir(), "catalog-"));
    await mkdir(join(other, "scenarios"));
    await writeFile(join(other, "scenarios", "a.yaml"), Buffer.from("description: Caf\u00e9.\n", "latin1"));
    await writeFile(join(other, "scenarios", "b.yaml"), Buffer.from("\ufeffdescription: B.\n", "utf16le"));
    await symlink(join(other, "nowhere"), join(other, "scenarios", "c.yaml"));
    const reading = readCatalogFiles(other);
    await expect(reading).rejects.toThrow(
      [
        "scenarios/a.yaml: is not UTF-8; save it in that encoding",
        "scenarios/b.yaml: is not UTF-8; save it in that encoding",
        "scenarios/c.yaml: cannot be read (ENOENT)",
      ].join("\n"),
    );
    await rm(other, { recursive: true });
  });

  it("may begin its files with a byte order mark, as editors on Windows do", async () => {
    const other = await mkdtemp(join(tmpdir(), "catalog-"));
    await mkdir(join(other, "scenarios"));
    await writeFile(join(other, "scenarios", "a.yaml"), "\ufeffdescription: A.\r\n");
    expect([...(await readCatalogFiles(other)).values()]).toEqual(["description: A.\r\n"]);
    await rm(other, { recursive: true });
  });
});
