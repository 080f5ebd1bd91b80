/** The templates of `infra/`, read once. */
import { globSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readBicep, type BicepSource } from "./bicep-source.ts";

export const infra = fileURLToPath(new URL("../../../infra/", import.meta.url));

const read = (pattern: string): BicepSource[] =>
  globSync(pattern, { cwd: infra })
    .toSorted()
    .map((name) => ({ ...readBicep(path.join(infra, name)), path: name }));

export const templates = read("**/*.bicep");
export const parameterFiles = read("*.bicepparam");

export function templateAt(name: string): BicepSource {
  const template = templates.find((candidate) => candidate.path === name);
  if (template === undefined) throw new Error(`infra/${name} is not there`);
  return template;
}
