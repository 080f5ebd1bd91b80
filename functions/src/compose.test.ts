import { createEnvironmentConfiguration } from "@voice/shared/config/configuration-provider";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import { afterEach, describe, expect, it, vi } from "vitest";
import { closeDependencies, dependencies, provideDependencies, reportedDependencies } from "./compose.ts";

function provide(environment: Readonly<Record<string, string>>): void {
  provideDependencies({
    configuration: createEnvironmentConfiguration(loadSettings(environment)),
    logger: silentLogger,
  });
}

afterEach(async () => {
  vi.restoreAllMocks();
  await closeDependencies();
  provideDependencies({});
});

describe("the functions app's dependencies", () => {
  it("leave no exporter running when the catalog cannot be loaded, however many requests try", async () => {
    const started = vi.spyOn(globalThis, "setInterval");
    const stopped = vi.spyOn(globalThis, "clearInterval");
    provide({ TELEMETRY: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", CATALOG_DIR: "/no/such/catalog" });
    await expect(dependencies()).rejects.toThrow("/no/such/catalog");
    await expect(dependencies()).rejects.toThrow("/no/such/catalog");
    const timers = started.mock.results.map(({ value }) => value);
    expect(timers.length).toBeGreaterThanOrEqual(2);
    expect(stopped.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(timers));
  });

  it("are composed again by the request after a failure", async () => {
    provide({ CATALOG_DIR: "/no/such/catalog" });
    await expect(dependencies()).rejects.toThrow("/no/such/catalog");
    provide({});
    await expect(dependencies()).resolves.toHaveProperty("state.kind", "memory");
  });

  it("are reported as missing once while the reason stays the same, because every probe tries again", async () => {
    const lines: string[] = [];
    const logger = { ...silentLogger, error: (_fields: object, message: string) => void lines.push(message) };
    const configuration = createEnvironmentConfiguration(loadSettings({ CATALOG_DIR: "/no/such/catalog" }));
    provideDependencies({ configuration, logger });
    for (let request = 0; request < 3; request++)
      await expect(reportedDependencies()).rejects.toThrow("/no/such/catalog");
    expect(lines).toEqual(["the app could not be composed"]);
  });

  it("are composed once for requests that arrive together", async () => {
    provide({});
    const [first, second] = await Promise.all([dependencies(), dependencies()]);
    expect(first.state).toBe(second.state);
  });

  it("can be closed while they are being composed in vain", async () => {
    provide({ CATALOG_DIR: "/no/such/catalog" });
    const composing = dependencies();
    await expect(closeDependencies()).resolves.toBeUndefined();
    await expect(composing).rejects.toThrow("/no/such/catalog");
  });

  it("write times by the clock of the store that they share with the streaming hosts", async () => {
    const aheadMs = 600_000;
    const state: State = {
      ...createMemoryState({ clock: systemClock }),
      kind: "redis",
      time: async () => systemClock.wallNow() + aheadMs,
    };
    const configuration = createEnvironmentConfiguration(loadSettings({}));
    provideDependencies({ configuration, state, logger: silentLogger });
    const { clock } = await dependencies();
    expect(Math.abs(clock.wallNow() - systemClock.wallNow() - aheadMs)).toBeLessThan(1000);
  });
});
