/** What agents of this host can do: the built-in tools, the catalog's own HTTP requests, and those of tool servers. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { requireSettingsOfHttpTools } from "@voice/shared/catalog/check-http-tools";
import type { Settings } from "@voice/shared/config/settings";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { Logger } from "@voice/shared/platform/logger";
import type { McpServerStatus } from "@voice/shared/state/ports/host-registry";
import { offerDestinations } from "@voice/shared/tools/service/offer-destinations";
import type { Tool } from "@voice/shared/tools/tool";
import type { Host } from "../host/host.ts";
import type { McpTools, McpToolsOptions } from "../providers/mcp/mcp-tools.ts";
import { findMissingTools } from "../providers/mcp/missing-tools.ts";
import { hostVersion } from "../server/host/describe-host.ts";
import { identitiesOf } from "@voice/shared/config/cloud-environment";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import type { Parts } from "@voice/shared/config/parts";
import { createSearchTool } from "@voice/shared/knowledge/search-knowledge";
import type { Embed } from "../knowledge/knowledge-base.ts";
import type { VendorContext } from "../providers/vendor-context.ts";

export interface HostTools {
  /** The tools that do not depend on a tool server. */
  readonly known: ReadonlyMap<string, Tool>;
  find(name: string): Tool | undefined;
  /** Whether each tool server was tried once. */
  readonly areTried: boolean;
  readonly tried: Promise<void>;
  servers(): readonly McpServerStatus[];
  close(): Promise<void>;
}

/** A tool server that is away keeps no conversation waiting: its tools are there once it answers. */
export async function composeTools(
  { settings, parts, clock, logger }: Pick<Host, "settings" | "parts" | "clock" | "logger">,
  builtIn: ReadonlyMap<string, Tool>,
  catalog: Catalog,
  identity: EntraCredential,
): Promise<HostTools> {
  const http = await composeHttpTools(catalog, settings, logger);
  const knowledge = await composeKnowledge(catalog, settings, parts, { tokens: identity.tokenFor, clock, logger });
  const known = new Map([...offerDestinations(builtIn, settings.commDestinations), ...http.tools]);
  if (knowledge.tool !== undefined) known.set(knowledge.tool.name, knowledge.tool);
  const mcp = await composeMcpTools({
    servers: settings.mcpServers,
    secrets: settings.toolSecrets ?? new Map(),
    version: hostVersion,
    clock,
    logger,
    onTools: () => tellOfMissingTools(),
  });
  const find = (name: string): Tool | undefined => known.get(name) ?? mcp.get(name);
  let areTried = false;
  const lookForMissing = findMissingTools((name) => find(name) !== undefined);
  const tellOfMissingTools = (): void => {
    if (!areTried) return;
    const tools = lookForMissing(catalog.agents.values(), mcp.statuses());
    if (tools.length > 0) logger.warn({ tools }, "agents list tools that their tool server does not have");
  };
  const tryServers = async (): Promise<void> => {
    await mcp.start().catch((error: unknown) => logger.error({ error }, "the tool servers could not be tried"));
    areTried = true;
    tellOfMissingTools();
  };
  const tried = tryServers();
  return {
    known,
    find,
    get areTried() {
      return areTried;
    },
    tried,
    servers: () => mcp.statuses(),
    async close() {
      knowledge.close();
      await Promise.all([http.close(), mcp.close()]);
    },
  };
}

/** The tools that the catalog describes as HTTP requests, with what the settings allow them. */
export interface HttpTools {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Ends open connections. */
  close(): Promise<void>;
}

/** Throws a `ConfigurationError` when a tool wants more than it may. Loads what makes requests only where there is a tool. */
export async function composeHttpTools(
  { httpTools, templates }: Catalog,
  settings: Settings,
  logger: Logger,
): Promise<HttpTools> {
  if (httpTools.size === 0) return { tools: new Map(), close: async () => undefined };
  requireSettingsOfHttpTools(httpTools, settings);
  const [{ createHttpTools }, { createHttpSender }] = await Promise.all([
    import("../providers/http-tools/http-tools.ts"),
    import("../providers/http-tools/send-request.ts"),
  ]);
  const sender = createHttpSender(settings.toolPrivateHosts);
  const secrets = settings.toolSecrets ?? new Map<string, string>();
  return { tools: createHttpTools(httpTools, { templates, secrets, sender, logger }), close: () => sender.close() };
}

/** The protocol's library is read where the settings name a server. */
async function composeMcpTools(
  options: McpToolsOptions & Pick<Required<McpToolsOptions>, "secrets">,
): Promise<McpTools> {
  if (options.servers.length === 0) return noMcpTools;
  const { createMcpTools } = await import("../providers/mcp/mcp-tools.ts");
  return createMcpTools(options);
}

const noMcpTools: McpTools = {
  get: () => undefined,
  list: () => [],
  statuses: () => [],
  start: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** The tool by which agents of this host look things up, where the catalog has documents or names an index. */
interface Knowledge {
  /** Absent where no agent has anything to look up. */
  readonly tool?: Tool;
  close(): void;
}

/** Throws a `CatalogError` for documents that cannot be read, and a `ConfigurationError` for an index without a service. */
async function composeKnowledge(
  { knowledge: sources, agents }: Catalog,
  settings: Settings,
  parts: Parts,
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
    embed: await composeEmbed(settings, parts, context),
    searchService: createAzureSearch(
      endpoint ?? "",
      key === undefined ? { token: context.tokens(identitiesOf(cloudEnvironment).searchScope) } : { key },
    ),
    logger: context.logger,
  });
  return { tool: createSearchTool(base), close: () => base.close() };
}

async function composeEmbed(
  settings: Settings,
  { languageModel }: Parts,
  context: VendorContext,
): Promise<Embed | undefined> {
  const { embeddingModel: model } = settings;
  if (model === undefined) return undefined;
  const [{ createEmbed }, { modelAddress }] = await Promise.all([
    import("../providers/openai/embeddings.ts"),
    import("../providers/openai/from-settings.ts"),
  ]);
  const part =
    languageModel.kind === "openai" ? languageModel : { endpoint: settings.openaiBaseUrl, named: "openai" as const };
  return createEmbed({ ...modelAddress(part, settings, context.tokens), model }, context);
}
