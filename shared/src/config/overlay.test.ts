import { describe, expect, it } from "vitest";
import { silentLogger } from "../platform/logger.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createEnvironmentConfiguration } from "./configuration-provider.ts";
import { loadSettings, type Environment } from "./load.ts";
import { createOverlaidConfiguration } from "./overlay.ts";

function scene(environment: Environment, values: Record<string, string> | "away") {
  const clock = new VirtualClock();
  const store: { values: Record<string, string> | "away"; loads: number } = { values, loads: 0 };
  const opening = createOverlaidConfiguration({
    environment,
    endpoint: "https://store.example",
    label: "prod",
    clock,
    logger: silentLogger,
    maxAgeMs: 60_000,
    async loader() {
      store.loads += 1;
      if (store.values === "away") throw new Error("no route to the store, and here is a value: s3cret");
      return new Map(Object.entries(store.values));
    },
  });
  return { clock, store, opening };
}

describe("configuration overlay", () => {
  it("puts the store's values over the environment's and counts them", async () => {
    const { opening } = scene({ TTS_STYLE: "calm", LOG_LEVEL: "debug" }, { TTS_STYLE: "cheerful", UNKNOWN_KEY: "x" });
    const configuration = await opening;
    expect(configuration.settings()).toMatchObject({ ttsStyle: "cheerful", logLevel: "debug" });
    expect(configuration.status()).toMatchObject({
      enabled: true,
      endpoint: "https://store.example",
      label: "prod",
      loaded: true,
      keyCount: 1,
      lastError: undefined,
    });
  });

  it("replaces a setting whatever name either side uses", async () => {
    const { opening } = scene({ REDIS_HOST: "old" }, { CACHE_HOSTNAME: "new" });
    expect((await opening).settings().cacheHost).toBe("new");
  });

  it("does not let the store move itself", async () => {
    const environment = { CLOUD_APPCONFIG_ENDPOINT: "https://store.example", CLOUD_APPCONFIG_LABEL: "prod" };
    const { opening } = scene(environment, {
      CLOUD_APPCONFIG_ENDPOINT: "https://other.example",
      CLOUD_APPCONFIG_LABEL: "other",
    });
    expect((await opening).settings()).toMatchObject({
      appConfigEndpoint: "https://store.example",
      appConfigLabel: "prod",
    });
  });

  it("shows new values after a refresh", async () => {
    const { opening, store } = scene({}, { TTS_STYLE: "calm" });
    const configuration = await opening;
    store.values = { TTS_STYLE: "cheerful", TTS_RATE: "+5%" };
    expect(configuration.settings().ttsStyle).toBe("calm");
    await configuration.refresh();
    expect(configuration.settings()).toMatchObject({ ttsStyle: "cheerful", ttsRate: "+5%" });
    expect(configuration.status()).toMatchObject({ keyCount: 2, changedSinceStart: ["TTS_STYLE", "TTS_RATE"] });
    store.values = { TTS_STYLE: "calm" };
    await configuration.refresh();
    expect(configuration.status().changedSinceStart).toEqual([]);
  });

  it("keeps the old snapshot when the store is away, and says so without the cause's words", async () => {
    const { opening, store } = scene({}, { TTS_STYLE: "calm" });
    const configuration = await opening;
    store.values = "away";
    await expect(configuration.refresh()).rejects.toMatchObject({ code: "upstream_unavailable" });
    expect(configuration.settings().ttsStyle).toBe("calm");
    expect(configuration.status()).toMatchObject({ loaded: true, lastError: "the configuration store cannot be read" });
    store.values = { TTS_STYLE: "sad" };
    await configuration.refresh();
    expect(configuration.status().lastError).toBeUndefined();
  });

  it("keeps the old snapshot when the new values are no good, and names the bad one", async () => {
    const { opening, store } = scene({}, { TTS_RATE: "+1%" });
    const configuration = await opening;
    store.values = { TTS_RATE: "quick" };
    await expect(configuration.refresh()).rejects.toThrow("TTS_RATE must be");
    expect(configuration.settings().ttsRate).toBe("+1%");
    expect(configuration.status().lastError).toContain("TTS_RATE must be");
    expect(configuration.status().lastError).not.toContain("quick");
  });

  it("starts on the environment alone when the store is away", async () => {
    const { opening, store } = scene({ TTS_STYLE: "calm" }, "away");
    const configuration = await opening;
    expect(configuration.settings().ttsStyle).toBe("calm");
    expect(configuration.status()).toMatchObject({ enabled: true, loaded: false, keyCount: 0 });
    store.values = { TTS_STYLE: "cheerful" };
    await configuration.refresh();
    expect(configuration.settings().ttsStyle).toBe("cheerful");
  });

  it("does not start when the store is away and the environment is not enough", async () => {
    const { opening } = scene({ ENVIRONMENT: "production" }, "away");
    await expect(opening).rejects.toThrow("CACHE_HOST is missing");
  });

  it("does not start on a bad value in the store", async () => {
    const { opening } = scene({}, { PORT: "many" });
    await expect(opening).rejects.toThrow("PORT must be");
  });

  it("reads the store again behind a reader once the snapshot is old", async () => {
    const { clock, opening, store } = scene({}, { TTS_STYLE: "calm" });
    const configuration = await opening;
    store.values = { TTS_STYLE: "cheerful" };
    clock.advance(60_001);
    expect(configuration.settings().ttsStyle).toBe("calm");
    await clock.advanceAsync(1);
    expect(configuration.settings().ttsStyle).toBe("cheerful");
    expect(store.loads).toBe(2);
  });

  it("asks a store that was away at the start again soon, because what only the store has is missing until then", async () => {
    const { opening, store, clock } = scene({ TTS_STYLE: "calm" }, "away");
    const configuration = await opening;
    store.values = { COMM_WEBHOOK_SECRET: "s" };
    await clock.advanceAsync(10_000, 1000);
    configuration.settings();
    expect(store.loads).toBe(1);
    await clock.advanceAsync(6000, 1000);
    configuration.settings();
    await clock.advanceAsync(1000, 1000);
    expect(configuration.settings().commWebhookSecrets).toEqual(["s"]);
    expect(store.loads).toBe(2);
  });

  it("reads the store once for refreshes that come together", async () => {
    const { opening, store } = scene({}, {});
    const configuration = await opening;
    await Promise.all([configuration.refresh(), configuration.refresh()]);
    expect(store.loads).toBe(2);
  });
});

describe("configuration by the environment alone", () => {
  it("is disabled, and a refresh changes nothing", async () => {
    const configuration = createEnvironmentConfiguration(loadSettings({ TTS_STYLE: "calm" }));
    await configuration.refresh();
    expect(configuration.status()).toEqual({ enabled: false, loaded: false, keyCount: 0 });
    expect(configuration.settings().ttsStyle).toBe("calm");
  });
});
