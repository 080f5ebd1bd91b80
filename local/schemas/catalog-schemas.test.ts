/** The schemas accept what the service accepts, and mark what it refuses wherever a schema can. */
import { readCatalogFiles } from "@voice/shared/catalog/read-catalog";
import { demoCatalogDirs } from "@voice/shared/demo/demo-parts";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { catalogSchemas, type SchemaName } from "./catalog-schemas.ts";

const schemas = catalogSchemas(["end_call", "order_status"]);
const ajv = new Ajv({ strict: false, formats: { uri: true } });

function problemsOf(name: SchemaName, document: unknown): readonly string[] {
  const validate = ajv.compile(schemas[name]);
  return validate(document)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function schemaOf(path: string): SchemaName | undefined {
  if (path.endsWith(".dialogue.yaml")) return "dialogue";
  if (path.startsWith("scenarios/")) return "scenario";
  if (path.startsWith("tools/")) return "tool";
  if (path.endsWith("/agent.yaml") || path === "agents/_defaults.yaml") return "agent";
  return path.endsWith("rules.yaml") ? "rules" : undefined;
}

const folders = [...demoCatalogDirs, new URL("../new-project/template", import.meta.url).pathname];

describe.each(folders)("the files of %s", async (folder) => {
  const files = [...(await readCatalogFiles(folder))].flatMap(([path, text]) => {
    const name = schemaOf(path);
    return name === undefined ? [] : [{ path, text, name }];
  });

  it.each(files)("$path is right by its schema", ({ text, name }) => {
    expect(problemsOf(name, parse(text))).toEqual([]);
  });
});

describe("a schema", () => {
  it.each<[SchemaName, string]>([
    ["agent", "greting: Hello."],
    ["agent", "voice: { rate: fast }"],
    ["agent", "model: { cascade: { temperature: 5 } }"],
    ["rules", "intents: { soup: { exmples: [soup], say: Soup. } }"],
    ["scenario", "description: S.\nagents: [desk]"],
    ["tool", "description: T.\nrequest: { url: https://a.example/, method: FETCH }"],
    ["dialogue", "scenario: default\ndialogues: [{ name: a, steps: [{ sya: hello }] }]"],
  ])("of %s marks %s", (name, text) => {
    expect(problemsOf(name, parse(text))).not.toEqual([]);
  });

  it("takes null, which removes what the defaults have, and the tools of servers that nobody has asked", () => {
    expect(problemsOf("agent", parse("greeting: null\nguardrails: { card_number: null }"))).toEqual([]);
    expect(problemsOf("rules", parse("intents: { goodbye: null }"))).toEqual([]);
    expect(problemsOf("agent", parse("tools: [order_status, shop_stock]"))).toEqual([]);
  });

  it("offers the names of tools", () => {
    expect(JSON.stringify(schemas.agent)).toContain('"enum":["end_call","order_status"]');
  });
});
