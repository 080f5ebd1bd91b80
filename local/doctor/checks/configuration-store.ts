/** App Configuration: it was already read at the start, and this check reports how that went. */
import type { ConfigurationProvider } from "@voice/shared/config/configuration-provider";
import { CheckFailure, type Check } from "../check.ts";

export function configurationStoreChecks(configuration: ConfigurationProvider): Check[] {
  const { enabled, endpoint, loaded, keyCount, lastError } = configuration.status();
  if (!enabled) return [];
  const advice =
    "the identity needs the role App Configuration Data Reader, and Key Vault Secrets User for what it refers to";
  return [
    {
      name: "App Configuration",
      advice,
      run() {
        if (!loaded) throw new CheckFailure(lastError ?? "it was not read", advice);
        if (keyCount === 0)
          throw new CheckFailure(
            "it has none of our settings",
            "CLOUD_APPCONFIG_LABEL must be the label of the values",
          );
        return Promise.resolve(`${keyCount} settings from ${endpoint}`);
      },
    },
  ];
}
