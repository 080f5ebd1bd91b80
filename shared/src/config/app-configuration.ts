/**
 * Azure App Configuration as a loader. Keys are the settings' names; references to Key Vault are resolved. Import this
 * file only when a store is configured: the SDK is large.
 */
import { load, LabelFilter, type AzureAppConfigurationOptions } from "@azure/app-configuration-provider";
import type { ConfigurationLoader } from "./overlay.ts";

type Credential = Parameters<typeof load>[1];

export type AppConfigurationSource =
  | { readonly endpoint: string; readonly credential: Credential }
  | { readonly connectionString: string };

export interface AppConfigurationOptions {
  readonly source: AppConfigurationSource;
  readonly label?: string | undefined;
  /** Options of the SDK's client; tests use them to point it at a loopback server. */
  readonly clientOptions?: NonNullable<AzureAppConfigurationOptions["clientOptions"]>;
}

/** The SDK never fails sooner than after five seconds, so that a restarting service does not hammer the store. */
const timeoutMs = 5000;

/**
 * Each call reads the store from scratch. If the store is unavailable, the SDK's own refresh silently returns the old values, and a refresh
 * that failed would be reported as successful.
 */
export function createAppConfigurationLoader(options: AppConfigurationOptions): ConfigurationLoader {
  const { source, label, clientOptions } = options;
  const loadOptions: AzureAppConfigurationOptions = {
    selectors: [{ keyFilter: "*", labelFilter: label ?? LabelFilter.Null }],
    startupOptions: { timeoutInMs: timeoutMs },
    replicaDiscoveryEnabled: false,
    ...("credential" in source ? { keyVaultOptions: { credential: source.credential } } : {}),
    ...(clientOptions === undefined ? {} : { clientOptions }),
  };
  return async () => {
    const store =
      "credential" in source
        ? await load(source.endpoint, source.credential, loadOptions)
        : await load(source.connectionString, loadOptions);
    const values = new Map<string, string>();
    store.forEach((value: unknown, key) => {
      if (typeof value === "string") values.set(key, value);
      // Values with a JSON content type arrive parsed.
      else if (value !== null && value !== undefined) values.set(key, JSON.stringify(value));
    });
    return values;
  };
}
