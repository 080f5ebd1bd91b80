/** The HTTP tools that the catalog describes, with what the settings allow them. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { requireSettingsOfHttpTools } from "@voice/shared/catalog/check-http-tools";
import type { Settings } from "@voice/shared/config/settings";
import type { Logger } from "@voice/shared/platform/logger";
import type { Tool } from "@voice/shared/tools/tool";

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
