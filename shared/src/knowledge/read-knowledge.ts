/** The sources of knowledge in a catalog's folders. Documents are only listed here: the host that searches them reads them. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { z } from "zod";
import { parseYaml } from "../catalog/parse-yaml.ts";
import { schemaProblems, type CatalogProblem } from "../catalog/problems.ts";
import type { KnowledgeSource, KnowledgeSources, SearchIndex } from "./knowledge-source.ts";

const folder = "knowledge";
const namePattern = /^[a-z][a-z0-9_-]{0,63}$/;
export const documentKinds = [".md", ".markdown", ".txt", ".html", ".htm", ".pdf", ".docx"];

const indexFile = z.strictObject({
  index: z.string().min(1).max(128),
  fields: z.strictObject({
    text: z.string().min(1),
    title: z.string().min(1).optional(),
    source: z.string().min(1).optional(),
    vector: z.string().min(1).optional(),
  }),
  semantic_configuration: z.string().min(1).optional(),
  filter: z.string().min(1).optional(),
});

export interface ReadKnowledge {
  readonly sources: KnowledgeSources;
  readonly problems: readonly CatalogProblem[];
}

/** A source of a later folder replaces that of the same name. */
export async function readKnowledge(dirs: readonly string[]): Promise<ReadKnowledge> {
  const read = await Promise.all(dirs.map(readFolder));
  return {
    sources: new Map(read.flatMap(({ sources }) => [...sources])),
    problems: read.flatMap(({ problems }) => problems),
  };
}

async function readFolder(dir: string): Promise<ReadKnowledge> {
  const sources = new Map<string, KnowledgeSource>();
  const problems: CatalogProblem[] = [];
  const report = (file: string, message: string): void => void problems.push({ file, key: "", message });
  for (const entry of await entriesOf(join(dir, folder))) {
    const file = `${folder}/${entry.name}`;
    const name = entry.isDirectory() ? entry.name : entry.name.replace(/\.yaml$/, "");
    if (!entry.isDirectory() && name === entry.name) {
      if (entry.name !== "README.md")
        report(file, `expected a folder of documents (${folder}/<name>/…) or an index (${folder}/<name>.yaml)`);
    } else if (!namePattern.test(name)) report(file, `the name must match ${namePattern.source}`);
    else if (sources.has(name)) report(file, "is both a folder and an index; keep one of them");
    else {
      const source = entry.isDirectory()
        ? await listDocuments(dir, file, report)
        : await readIndex(dir, file, problems);
      if (source !== undefined) sources.set(name, source);
    }
  }
  return { sources, problems };
}

async function listDocuments(
  dir: string,
  file: string,
  report: (file: string, message: string) => void,
): Promise<KnowledgeSource> {
  const below = await readdir(join(dir, file), { recursive: true, withFileTypes: true });
  const documents = below
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dir, file).length + 1))
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted();
  for (const document of documents)
    if (!documentKinds.includes(extname(document).toLowerCase()))
      report(`${file}/${document}`, `is of no kind that can be searched; expected ${documentKinds.join(", ")}`);
  if (documents.length === 0) report(file, "there are no documents in this folder");
  return { kind: "documents", dir: join(dir, file), documents };
}

async function readIndex(dir: string, file: string, problems: CatalogProblem[]): Promise<SearchIndex | undefined> {
  const own = parseYaml(file, await readFile(join(dir, file), "utf8"), problems);
  if (own === undefined) return undefined;
  const parsed = indexFile.safeParse(own);
  if (!parsed.success) {
    problems.push(...schemaProblems(file, parsed.error, indexFile));
    return undefined;
  }
  const { semantic_configuration: semanticConfiguration, ...index } = parsed.data;
  return { kind: "index", ...index, semanticConfiguration };
}

async function entriesOf(dir: string) {
  const entries = await readdir(dir, { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  return entries
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
