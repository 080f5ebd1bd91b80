/** The settings of a process: the environment, overridden by App Configuration if a store is configured. */
import type { Clock } from "../platform/clock.ts";
import type { EntraCredential, EntraIdentity } from "../platform/entra-credential.ts";
import { createLogger } from "../platform/logger.ts";
import { createProcessIdentity } from "../platform/process-identity.ts";
import type { IdentityModule } from "../platform/process-identity.ts";
import { identitiesOf } from "./cloud-environment.ts";
import { namesOf } from "./aliases.ts";
import type { AppConfigurationOptions } from "./app-configuration.ts";
import { createEnvironmentConfiguration } from "./configuration-provider.ts";
import type { ConfigurationProvider } from "./configuration-provider.ts";
import { loadSettings } from "./load.ts";
import type { Environment } from "./load.ts";
import { createOverlaidConfiguration } from "./overlay.ts";
import type { ConfigurationLoader } from "./overlay.ts";
import { requireNode } from "./require-node.ts";
import type { Settings } from "./settings.ts";

/** The large SDKs, imported when they are needed. */
export interface CloudModule extends IdentityModule {
  readonly createAppConfigurationLoader: (options: AppConfigurationOptions) => ConfigurationLoader;
}

export interface ConfigurationOptions {
  readonly environment: Environment;
  /** The process's name in the log. */
  readonly name: string;
  readonly clock: Clock;
  readonly loadCloud: () => Promise<CloudModule>;
}

export async function loadConfiguration(options: ConfigurationOptions): Promise<ConfigurationProvider> {
  requireNode();
  const { environment, name, clock, loadCloud } = options;
  const store = readStoreSettings(environment);
  const { appConfigEndpoint: endpoint, appConfigLabel: label } = store;
  if (endpoint === undefined) return createEnvironmentConfiguration(loadSettings(environment));
  const isDevelopment = environment["ENVIRONMENT"] !== "production";
  const credential = createProcessIdentity({ ...toIdentity(store), isDevelopment }, loadCloud);
  const { createAppConfigurationLoader } = await loadCloud();
  const loader = createAppConfigurationLoader({ source: { endpoint, credential }, label });
  const logger = createLogger({ level: store.logLevel, name });
  return createOverlaidConfiguration({ environment, loader, endpoint, label, clock, logger });
}

/** The identity with which the process calls the services that its settings name. */
export function identityOf(settings: Settings, loadCloud: () => Promise<IdentityModule>): EntraCredential {
  return createProcessIdentity(toIdentity(settings), loadCloud);
}

function toIdentity(settings: Settings): EntraIdentity {
  const { cloudTenantId: tenantId, cloudClientId: clientId, cloudClientSecret: clientSecret, environment } = settings;
  const { authority } = identitiesOf(settings.cloudEnvironment);
  return { tenantId, clientId, clientSecret, isDevelopment: environment === "development", authority };
}

const storeSettings = [
  "CLOUD_APPCONFIG_ENDPOINT",
  "CLOUD_APPCONFIG_LABEL",
  "CLOUD_TENANT_ID",
  "CLOUD_CLIENT_ID",
  "CLOUD_ENVIRONMENT",
  "CLOUD_CLIENT_SECRET",
  "LOG_LEVEL",
];

/**
 * The configuration store's address and our identity. The environment alone need not be a valid configuration yet, because the other
 * settings may be in the store.
 */
function readStoreSettings(environment: Environment): Settings {
  const names = storeSettings.flatMap((name) => namesOf(name));
  return loadSettings(Object.fromEntries(names.map((name) => [name, environment[name]])));
}
