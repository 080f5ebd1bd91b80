/** The tool by which agents of this host look things up, where the catalog has documents or names an index. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { identitiesOf } from "@voice/shared/config/cloud-environment";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { partsOf } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { createSearchTool } from "@voice/shared/knowledge/search-knowledge";
import type { Tool } from "@voice/shared/tools/tool";
import type { Embed } from "../knowledge/knowledge-base.ts";
import type { VendorContext } from "../providers/vendor-context.ts";

export interface Knowledge {
  /** Absent where no agent has anything to look up. */
  readonly tool?: Tool;
  close(): void;
}

/** Throws a `CatalogError` for documents that cannot be read, and a `ConfigurationError` for an index without a service. */
export async function composeKnowledge(
  { knowledge: sources, agents }: Catalog,
  settings: Settings,
  context: VendorContext,
): Promise<Knowledge> {
  if (sources.size === 0) return { close: () => undefined };
  const { searchEndpoint: endpoint, searchKey: key, cloudEnvironment } = settings;
  const index = [...sources].find(([, { kind }]) => kind === "index")?.[0];
  if (index !== undefined && endpoint === undefined)
    throw new ConfigurationError([`CLOUD_SEARCH_ENDPOINT: knowledge/${index}.yaml names an index of Azure AI Search`]);
  const [{ createKnowledgeBase }, { createAzureSearch }] = await Promise.all([
    import("../knowledge/knowledge-base.ts"),
    import("../knowledge/azure-search.ts"),
  ]);
  const languages = [...agents.values()].map(({ knowledge = [], speech }) => knowledge.length > 0 && speech.language);
  const base = await createKnowledgeBase({
    sources,
    language: languages.find((language) => typeof language === "string") || settings.sttLanguage,
    embed: await composeEmbed(settings, context),
    searchService: createAzureSearch({
      endpoint: endpoint ?? "",
      credential: key === undefined ? { token: context.tokens(identitiesOf(cloudEnvironment).searchScope) } : { key },
    }),
    logger: context.logger,
  });
  return { tool: createSearchTool(base), close: () => base.close() };
}

async function composeEmbed(settings: Settings, context: VendorContext): Promise<Embed | undefined> {
  const { embeddingModel: model } = settings;
  if (model === undefined) return undefined;
  const [{ createEmbed }, { modelAddress }] = await Promise.all([
    import("../providers/openai/embeddings.ts"),
    import("../providers/openai/from-settings.ts"),
  ]);
  const { languageModel } = partsOf(settings);
  const part =
    languageModel.kind === "openai" ? languageModel : { endpoint: settings.openaiBaseUrl, named: "openai" as const };
  return createEmbed({ ...modelAddress(part, settings, context.tokens), model }, context);
}
