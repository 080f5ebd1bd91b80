import { once } from "node:events";
import { createServer } from "node:http";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { describe, expect, it, onTestFinished } from "vitest";
import { holdVersions } from "../dialogues/hold-versions.ts";
import type { Dialogue } from "../dialogues/dialogue.ts";
import { createTypedLines } from "../dialogues/typed-line.ts";
import { publishedCatalogs } from "./published-catalogs.ts";

const known = { tools: demoTools, mcpServers: [] };
const files = await loadCatalog(demoCatalogDirs, known, { language: catalogLanguage });
const agent = { name: "front-desk", prompt: "You are the front desk.", greeting: "Good day to you." };
const dialogue = (name: string, has: string): Dialogue => ({
  file: "scenarios/default.dialogue.yaml",
  name,
  scenario: "default",
  greetingHas: [has],
  steps: [],
});

async function service(): Promise<string> {
  const server = createServer((request, response) => {
    const isOperator = request.headers.authorization === "Bearer operator";
    const isThere = request.url === "/api/v1/releases/3";
    response.writeHead(!isOperator ? 401 : isThere ? 200 : 404, { "content-type": "application/json" });
    const body = { version: 3, agent_documents: [agent], scenario_documents: [] };
    response.end(JSON.stringify(isOperator && isThere ? body : { detail: "There is no such version." }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it has a port");
  return `http://127.0.0.1:${address.port}`;
}

describe("[PUBLISH-20] published versions side by side", () => {
  it("show what each of them does in the same dialogues", async () => {
    const url = await service();
    const versions = await publishedCatalogs({ names: "0, 3", url, token: "operator" }, files, known);
    expect(versions.map(({ version }) => version)).toEqual([0, 3]);
    const lines = versions.map(({ version, catalog }) => ({ version, open: createTypedLines(catalog) }));
    const printed: string[] = [];
    const print = (text: string): void => void printed.push(text);
    const both = [dialogue("as before", "Thank you for calling"), dialogue("as published", "Good day")];
    expect(await holdVersions(both, lines, { json: false, transcripts: false, print })).toBe(1);
    const shown = printed.join("\n");
    expect(shown).toMatch(/dialogue +files +version 3\n/);
    expect(shown).toMatch(/as before +ok +step 0\n/);
    expect(shown).toMatch(/as published +step 0 +ok\n/);
    printed.length = 0;
    // What neither or only the last one does as written is no fall.
    expect(await holdVersions(both.slice(1), lines, { json: true, transcripts: false, print })).toBe(0);
    expect(printed.map((line) => JSON.parse(line))).toMatchObject([
      { version: 0, name: "as published", passed: false },
      { version: 3, name: "as published", passed: true },
    ]);
  });

  it.each([
    ["3", "operator", "expects two to 4 numbers"],
    ["0,latest", "operator", "expects two to 4 numbers"],
    ["0,7", "operator", "version 7: There is no such version."],
    ["0,3", undefined, "version 3: There is no such version."],
  ])("are refused in a sentence for %s as %s", async (names, token, sentence) => {
    const url = await service();
    await expect(publishedCatalogs({ names, url, token }, files, known)).rejects.toMatchObject({
      problems: [expect.stringContaining(sentence)],
    });
  });
});
