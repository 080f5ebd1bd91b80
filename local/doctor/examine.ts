/** Checks the settings first, because nothing else can be checked without them; then everything that they name, in parallel. */
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { settingProblemsOfHttpTools } from "@voice/shared/catalog/check-http-tools";
import { catalogProblemsOfSettings } from "@voice/shared/catalog/check-settings";
import { loadServiceCatalog } from "@voice/shared/catalog/load-service-catalog";
import { CatalogError } from "@voice/shared/catalog/problems";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import type { Environment } from "@voice/shared/config/load";
import { identityOf, loadConfiguration } from "@voice/shared/config/load-configuration";
import { describeMisspelt } from "@voice/shared/config/misspelt-names";
import { partsOf } from "@voice/shared/config/parts";
import type { Clock } from "@voice/shared/platform/clock";
import { runChecks, type Finding } from "./check.ts";
import { addressChecks } from "./checks/addresses.ts";
import { callerChecks } from "./checks/callers.ts";
import { callChecks } from "./checks/calls.ts";
import { configurationStoreChecks } from "./checks/configuration-store.ts";
import { identityChecks } from "./checks/identity.ts";
import { languageModelChecks } from "./checks/language-models.ts";
import { realtimeModelChecks } from "./checks/realtime-model.ts";
import { speechChecks } from "./checks/speech.ts";
import { stateChecks } from "./checks/state.ts";
import { storeChecks } from "./checks/stores.ts";
import { telephonyChecks } from "./checks/telephony.ts";
import { twilioChecks } from "./checks/twilio.ts";
import { toolServerChecks } from "./checks/tool-servers.ts";
import { voiceChecks } from "./checks/voices.ts";
import type { DoctorContext } from "./context.ts";
import { createMask } from "./mask-secrets.ts";

export async function examine(environment: Environment, clock: Clock): Promise<readonly Finding[]> {
  const findings = await examineUnmasked(environment, clock);
  const mask = createMask(environment);
  return findings.map((finding) => ({ ...finding, detail: mask(finding.detail) }));
}

async function examineUnmasked(environment: Environment, clock: Clock): Promise<readonly Finding[]> {
  const loadCloud = () => import("@voice/shared/config/cloud");
  try {
    const silent = { ...environment, LOG_LEVEL: "silent" };
    const configuration = await loadConfiguration({ environment: silent, name: "doctor", clock, loadCloud });
    const settings = configuration.settings();
    const catalog = await loadServiceCatalog(settings, catalogLanguage);
    const context: DoctorContext = {
      settings,
      parts: partsOf(settings),
      catalog,
      identity: identityOf(settings, loadCloud),
      clock,
    };
    const read: Finding = { name: "settings", ok: true, detail: `complete for ${settings.environment}`, tookMs: 0 };
    const checks = [
      ...configurationStoreChecks(configuration),
      ...identityChecks(context),
      ...addressChecks(context),
      ...stateChecks(context),
      ...speechChecks(context),
      ...voiceChecks(context),
      ...languageModelChecks(context),
      ...realtimeModelChecks(context),
      ...callerChecks(context),
      ...callChecks(context),
      ...twilioChecks(context),
      ...telephonyChecks(context),
      ...storeChecks(context),
      ...toolServerChecks(context),
    ];
    // What a start would refuse.
    const unmet = [
      ...catalogProblemsOfSettings(catalog, settings),
      ...settingProblemsOfHttpTools(catalog.httpTools, settings),
    ].map(toFinding("settings", "the service does not start like this"));
    const misspelt = describeMisspelt(environment);
    const mistakes = misspelt === undefined ? [] : [toFinding("settings", "rename it")(misspelt)];
    return [read, ...mistakes, ...unmet, ...(await runChecks(checks, clock))];
  } catch (error) {
    if (error instanceof ConfigurationError)
      return error.problems.map(toFinding("settings", "docs/settings.md says what each is"));
    if (error instanceof CatalogError)
      return [error.message].map(toFinding("catalog", "npm run catalog:check shows all of it"));
    throw error;
  }
}

function toFinding(name: string, advice: string): (detail: string) => Finding {
  return (detail) => ({ name, ok: false, detail, advice, tookMs: 0 });
}
