/** What the agents of this host may look things up in: its documents, indexed once, and the indexes of a search service. */
import { join } from "node:path";
import { CatalogError } from "@voice/shared/catalog/problems";
import type {
  DocumentFolder,
  KnowledgeSearch,
  KnowledgeSources,
  Passage,
  SearchIndex,
} from "@voice/shared/knowledge/knowledge-source";
import type { Logger } from "@voice/shared/platform/logger";
import { nameOfDocument, readDocument } from "./document-blocks.ts";
import { createPassageIndex } from "./passage-index.ts";
import type { PassageIndex } from "./passage-index.ts";
import { passagesOf } from "./passages.ts";

/** Turns texts into vectors, in their order. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly (readonly number[])[]>;

export type SearchService = (source: SearchIndex, question: string, signal: AbortSignal) => Promise<readonly Passage[]>;

export interface KnowledgeParts {
  readonly sources: KnowledgeSources;
  /** The language of the documents. */
  readonly language: string;
  /** Computes vectors of texts; if absent, passages are found by their words alone. */
  readonly embed?: Embed | undefined;
  readonly searchService: SearchService;
  readonly logger: Logger;
}

/** So many texts are embedded in one request; servers take a few hundred at most. */
const batchSize = 64;
/** The most passages of one source: the text of some 3,000 pages. More belongs into a search service. */
const mostPassages = 20_000;
/** The most passages in one result of the tool. */
const mostFound = 4;

/** Throws a `CatalogError` that names each document that cannot be read. */
export async function readPassages(name: string, { dir, documents }: DocumentFolder): Promise<readonly Passage[]> {
  const passages: Passage[] = [];
  const problems: { file: string; key: string; message: string }[] = [];
  for (const document of documents) {
    const report = (message: string): void =>
      void problems.push({ file: `knowledge/${name}/${document}`, key: "", message });
    try {
      const found = passagesOf(await readDocument(join(dir, document)), { document, name: nameOfDocument(document) });
      if (found.length === 0)
        report("there is no text in it (a scanned page is a picture; it needs text recognition first)");
      passages.push(...found);
    } catch (error) {
      report(`cannot be read: ${error instanceof Error ? error.message : "unknown reason"}`);
    }
  }
  if (passages.length > mostPassages)
    problems.push({
      file: `knowledge/${name}`,
      key: "",
      message: `has ${passages.length} passages, and ${mostPassages} are kept in memory; use an index of a search service`,
    });
  if (problems.length > 0) throw new CatalogError(problems);
  return passages;
}

interface Folder {
  readonly passages: readonly Passage[];
  index: PassageIndex;
  byMeaning: boolean;
}

export async function createKnowledgeBase(parts: KnowledgeParts): Promise<KnowledgeSearch & { close(): void }> {
  const { sources, language, embed, searchService, logger } = parts;
  const folders = new Map<string, Folder>();
  const closed = new AbortController();
  for (const [name, source] of sources) {
    if (source.kind !== "documents") continue;
    const passages = await readPassages(name, source);
    folders.set(name, { passages, index: await createPassageIndex(passages, language), byMeaning: false });
  }

  /** Conversations need not wait for it: until then passages are found by their words. */
  async function addVectors(name: string, folder: Folder): Promise<void> {
    if (embed === undefined) return;
    const vectors: (readonly number[])[] = [];
    for (let from = 0; from < folder.passages.length; from += batchSize) {
      const batch = folder.passages.slice(from, from + batchSize);
      vectors.push(
        ...(await embed(
          batch.map(({ title, text }) => `${title}\n${text}`),
          closed.signal,
        )),
      );
    }
    const indexed = folder.passages.map((passage, index) => ({ ...passage, vector: vectors[index] }));
    folder.index = await createPassageIndex(indexed, language);
    folder.byMeaning = true;
    logger.info({ source: name, passages: indexed.length }, "the documents can be searched by meaning");
  }
  for (const [name, folder] of folders)
    void addVectors(name, folder).catch((error: unknown) => {
      if (!closed.signal.aborted)
        logger.warn({ source: name, error }, "the documents cannot be searched by meaning, only by their words");
    });

  /** A question of which the meaning cannot be had now is answered by its words. */
  async function vectorOf(
    question: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly number[] | undefined> {
    if (embed === undefined || !names.some((name) => folders.get(name)?.byMeaning === true)) return undefined;
    try {
      return (await embed([question], signal))[0];
    } catch (error) {
      if (signal.aborted) throw error;
      logger.warn({ error }, "a question was looked up by its words only, because it could not be embedded");
      return undefined;
    }
  }

  return {
    async search(names, question, signal) {
      const vector = await vectorOf(question, names, signal);
      const found = await Promise.all(
        names.map(async (name) => {
          const source = sources.get(name);
          if (source?.kind === "index") return await searchService(source, question, signal);
          return (await folders.get(name)?.index.find(question, vector)) ?? [];
        }),
      );
      return takeTurns(found).slice(0, mostFound);
    },
    close: () => closed.abort(),
  };
}

/** Scores of different sources cannot be compared, so the best of each come first. */
function takeTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => list.slice(rank, rank + 1))).flat();
}
