/** What agents may look things up in. An agent names its sources in `knowledge`; `search_knowledge` searches them. */

/** A folder `knowledge/<name>/` of a catalog. */
export interface DocumentFolder {
  readonly kind: "documents";
  readonly dir: string;
  /** Relative to `dir`, with forward slashes on every system. */
  readonly documents: readonly string[];
}

/** A file `knowledge/<name>.yaml` of a catalog: an index of Azure AI Search. */
export interface SearchIndex {
  readonly kind: "index";
  readonly index: string;
  readonly fields: {
    readonly text: string;
    readonly title?: string | undefined;
    readonly source?: string | undefined;
    /** A vector field with a vectorizer of its own, which is then searched by meaning as well. */
    readonly vector?: string | undefined;
  };
  /** If given, the service ranks the results by meaning. */
  readonly semanticConfiguration?: string | undefined;
  /** An OData expression. */
  readonly filter?: string | undefined;
}

export type KnowledgeSource = DocumentFolder | SearchIndex;

/** Keyed by name. */
export type KnowledgeSources = ReadonlyMap<string, KnowledgeSource>;

/** A piece of a document, with where it stands. */
export interface Passage {
  readonly text: string;
  /** The headings above it, from the outermost. */
  readonly title: string;
  /** The document, and the page where it has pages. */
  readonly source: string;
}

/** Searches what an agent may know. */
export interface KnowledgeSearch {
  /**
   * The passages that may answer the question, the best first; empty if there are none. `names`: the agent's sources. Rejects with a
   * `VoiceError` if a service that was asked does not answer.
   */
  search(names: readonly string[], question: string, signal: AbortSignal): Promise<readonly Passage[]>;
}
