/** What notes what came of conversations that are over: on every host, with the model that also writes summaries. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Prices } from "@voice/shared/costs/prices";
import type { State } from "@voice/shared/state/ports/state";
import type { Tool } from "@voice/shared/tools/tool";
import type { Host } from "../host/host.ts";
import { SessionCatalogs } from "../server/conversations/open/session-catalogs.ts";
import type { Providers } from "../server/conversations/providers.ts";
import { startAfterCallWriter, type AfterCallWriter } from "../server/host/after-call-writer.ts";

export interface AfterCallParts {
  readonly catalog: Catalog;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly providers: Pick<Providers, "summaryModel" | "billed">;
  readonly prices: Prices;
}

/** `state`: as other hosts see it. */
export function composeAfterCalls(
  host: Host,
  state: State,
  { isArchived, ...parts }: AfterCallParts & { readonly isArchived: boolean },
): AfterCallWriter {
  const { settings, random, telemetry, clock, logger } = host;
  const { providers, prices } = parts;
  const catalogs = new SessionCatalogs(host, parts.catalog, parts.tools);
  return startAfterCallWriter({
    state,
    catalogOf: ({ sessionId, scenario, release }) =>
      catalogs.live().compile(sessionId, { remembered: scenario, release }),
    model: providers.summaryModel,
    billed: providers.billed,
    prices,
    isArchived,
    urls: settings.webhookUrls ?? [],
    baseUrl: settings.baseUrl,
    random,
    telemetry,
    clock,
    logger,
  });
}
