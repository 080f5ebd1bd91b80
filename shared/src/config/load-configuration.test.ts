import { expect, it } from "vitest";
import { systemClock } from "../platform/clock.ts";
import type { AppConfigurationSource } from "./app-configuration.ts";
import { loadSettings } from "./load.ts";
import { identityOf, loadConfiguration } from "./load-configuration.ts";
import type { CloudModule } from "./load-configuration.ts";

function cloud(values: Readonly<Record<string, string>>) {
  const sources: AppConfigurationSource[] = [];
  const identities: unknown[] = [];
  const loadCloud = async (): Promise<CloudModule> => ({
    createAppConfigurationLoader: ({ source }) => {
      sources.push(source);
      return async () => {
        if ("credential" in source) await source.credential.getToken("store");
        return new Map(Object.entries(values));
      };
    },
    createEntraCredential: (identity) => {
      identities.push(identity);
      return {
        getToken: async () => ({ token: "token", expiresOnTimestamp: 0 }),
        tokenFor: () => async () => "token",
      };
    },
  });
  return { loadCloud, sources, identities };
}

const common = { name: "test", clock: systemClock };

it("is the environment where no store is named, and loads no SDK", async () => {
  const configuration = await loadConfiguration({
    ...common,
    environment: { MAX_SESSIONS: "7" },
    loadCloud: () => Promise.reject(new Error("not needed")),
  });
  expect(configuration.settings().maxSessions).toBe(7);
  expect(configuration.status().enabled).toBe(false);
});

it("reads the store as the identity in the environment, and lets the store decide", async () => {
  const { loadCloud, sources, identities } = cloud({ MAX_SESSIONS: "9" });
  const configuration = await loadConfiguration({
    ...common,
    environment: {
      LOG_LEVEL: "silent",
      MAX_SESSIONS: "7",
      CLOUD_APPCONFIG_ENDPOINT: "https://store.example",
      CLOUD_TENANT_ID: "6f9619ff-8b86-4011-b42d-00c04fc964ff",
      AZURE_CLIENT_ID: "6f9619ff-8b86-4011-b42d-00c04fc964fe",
      ENVIRONMENT: "production",
    },
    loadCloud: async () => ({ ...(await loadCloud()) }),
  }).catch((error: unknown) => error);
  // Production needs more than this store provides, but the test still shows that the store was asked, and with which
  // identity.
  expect(configuration).toMatchObject({ name: "ConfigurationError" });
  expect(sources).toMatchObject([{ endpoint: "https://store.example" }]);
  expect(identities).toMatchObject([{ clientId: "6f9619ff-8b86-4011-b42d-00c04fc964fe", isDevelopment: false }]);

  const development = await loadConfiguration({
    ...common,
    environment: { LOG_LEVEL: "silent", MAX_SESSIONS: "7", CLOUD_APPCONFIG_ENDPOINT: "https://store.example" },
    loadCloud,
  });
  expect(development.settings().maxSessions).toBe(9);
  expect(development.status()).toMatchObject({ enabled: true, loaded: true, keyCount: 1 });
});

it.each(["development", "production"] as const)(
  "calls the cloud's services as the identity in the settings, and only in development as the developer: %s",
  async (environment) => {
    const { loadCloud, identities } = cloud({});
    const clientId = "6f9619ff-8b86-4011-b42d-00c04fc964fe";
    const settings = { ...loadSettings({ CLOUD_CLIENT_ID: clientId }), environment };
    await identityOf(settings, loadCloud).getToken("scope");
    expect(identities).toMatchObject([{ clientId, isDevelopment: environment === "development" }]);
  },
);
