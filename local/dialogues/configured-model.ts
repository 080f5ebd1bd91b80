/** The language model that the settings name, for conversations on a clock that jumps: it stands still while the model answers. */
import { identityOf } from "@voice/shared/config/load-configuration";
import { loadSettings } from "@voice/shared/config/load";
import type { Environment } from "@voice/shared/config/load";
import type { Settings } from "@voice/shared/config/settings";
import { partsOf } from "@voice/shared/config/parts";
import { loadPrices } from "@voice/shared/costs/price-file";
import type { Prices } from "@voice/shared/costs/prices";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { agentDefaults } from "@voice/shared/catalog/agent-defaults";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { LanguageModel, ModelEvent } from "@voice/provider-kit/ports/language-model";
import { composeModel } from "@voice/streaming-host/compose/providers";
import { withSettingsFile } from "../settings-file.ts";
import type { OutsideTools } from "./outside-tools.ts";

export interface DialogueModel {
  readonly languageModel: LanguageModel;
  /** As the price file names it. */
  readonly name: string;
  readonly prices: Prices;
  readonly settings: Settings;
}

export const noModel =
  "no language model is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_CHAT_MODEL, or CLOUD_OPENAI_ENDPOINT (docs/models.md)";

/** For the catalog: agents that name no model use the configured one, as in the service. */
export function defaultsOfSettings(environment: Environment = withSettingsFile(process.env)) {
  const settings = loadSettings(environment);
  return { agentDefaults: agentDefaults(settings, partsOf(settings)) };
}

/** Undefined where the rules on this machine answer. */
export async function configuredModel(
  catalog: Catalog,
  environment: Environment = withSettingsFile(process.env),
): Promise<DialogueModel | undefined> {
  const settings = loadSettings(environment);
  const part = partsOf(settings).languageModel;
  if (part.kind === "local") return undefined;
  const name = part.kind === "own" ? part.module : (part.deployment ?? "unnamed");
  const { tokenFor: tokens } = identityOf(settings, () => import("@voice/shared/config/cloud"));
  const { languageModel } = await composeModel({ settings, tokens, clock: systemClock, logger: silentLogger }, catalog);
  return { languageModel, name, prices: await loadPrices(settings.pricesFile), settings };
}

/** The model, and the tools, with the model included in what the clock waits for. */
export function waitForModel(
  model: LanguageModel,
  outside: OutsideTools,
): { model: LanguageModel; outside: OutsideTools } {
  const asked = new Set<Promise<void>>();
  async function* watched(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
    const over = Promise.withResolvers<void>();
    asked.add(over.promise);
    try {
      yield* events;
    } finally {
      asked.delete(over.promise);
      over.resolve();
    }
  }
  return {
    model: { stream: (request, signal) => watched(model.stream(request, signal)) },
    outside: {
      tools: outside.tools,
      async settled() {
        while (asked.size > 0) await Promise.all(asked);
        await outside.settled();
      },
    },
  };
}
