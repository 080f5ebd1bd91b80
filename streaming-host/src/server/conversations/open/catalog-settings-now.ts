/**
 * The current settings that name something in the catalog. A wrong one is refused at the start; if the configuration
 * store brings one to a running host, it is logged once, and the last valid one stays in force.
 */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { catalogProblemsOfSettings } from "@voice/shared/catalog/check-settings";
import type { ConversationSettings } from "@voice/shared/config/conversation-settings";
import type { Host } from "../../../host/host.ts";

export type CatalogSettings = Pick<ConversationSettings, "agentScenario" | "commVoicemailMessage">;

export function createCatalogSettingsNow(
  { settings, settingsNow, logger }: Pick<Host, "settings" | "settingsNow" | "logger">,
  catalog: Catalog,
): () => CatalogSettings {
  // As they were when the host started, when they were checked.
  let sound: CatalogSettings = settings;
  let lastSeen: CatalogSettings = settings;
  return () => {
    const now = settingsNow();
    if (now.agentScenario === lastSeen.agentScenario && now.commVoicemailMessage === lastSeen.commVoicemailMessage)
      return sound;
    lastSeen = now;
    // Calls get theirs from the functions app, not from here.
    const problems = catalogProblemsOfSettings(catalog, { ...now, commScenarios: new Map() });
    if (problems.length === 0) sound = now;
    else logger.error({ problems }, "a changed setting asks for what the catalog does not have, and is not taken");
    return sound;
  };
}
