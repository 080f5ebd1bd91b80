/** Settings from a store, which override those from the environment, except for the store's own address. */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../platform/clock.ts";
import { VoiceError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { namesOf } from "./aliases.ts";
import { ConfigurationError } from "./configuration-error.ts";
import type { ConfigurationProvider, ConfigurationStatus } from "./configuration-provider.ts";
import { loadSettings, type Environment } from "./load.ts";
import { namedSettings, type Settings } from "./settings.ts";

/** Reads all of the store's values, by key. Rejects if the store cannot be read. */
export type ConfigurationLoader = () => Promise<ReadonlyMap<string, string>>;

export interface OverlayOptions {
  readonly environment: Environment;
  readonly loader: ConfigurationLoader;
  readonly endpoint: string;
  readonly label?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * A snapshot older than this is refreshed in the background when it is read, which also picks up refreshes by other
   * instances.
   */
  readonly maxAgeMs?: number;
}

const defaultMaxAgeMs = 5 * 60_000;
/**
 * Until the store was read once, settings that only it contains (the webhook's secret, for example) are missing, and calls are rejected
 * because of that.
 */
const unreadRetryMs = 15_000;
const unreadable = "the configuration store cannot be read";

/** The store's own address cannot come from the store. */
const ownSettings: ReadonlySet<string> = new Set(["CLOUD_APPCONFIG_ENDPOINT", "CLOUD_APPCONFIG_LABEL"]);

/** What a successful read of the store gave. */
interface Reading {
  readonly settings: Settings;
  /** How many settings the store sets. */
  readonly keyCount: number;
  readonly atWallMs: number;
}

/**
 * Reads the store once. If it is unavailable, the environment alone is used if it is a valid configuration; otherwise
 * this rejects with what is missing.
 */
export async function createOverlaidConfiguration(options: OverlayOptions): Promise<ConfigurationProvider> {
  const configuration = new OverlaidConfiguration(options);
  try {
    await configuration.refresh();
  } catch (error) {
    options.logger.error({ error }, "the configuration store was not read; the environment alone is used");
    // An invalid value in the store prevents the start, so that the operator fixes it first.
    if (error instanceof ConfigurationError) throw error;
    configuration.useEnvironmentAlone();
  }
  return configuration;
}

class OverlaidConfiguration implements ConfigurationProvider {
  readonly #options: OverlayOptions;
  readonly #maxAgeMs: number;
  /** The last reading that was valid, which outlives later failures. */
  #reading: Reading | undefined;
  /** In use from the start until the store is read. */
  #environmentAlone: Settings | undefined;
  #atStart: Settings | undefined;
  #lastError: string | undefined;
  #triedAtMs = 0;
  #running: Promise<void> | undefined;

  constructor(options: OverlayOptions) {
    this.#options = options;
    this.#maxAgeMs = options.maxAgeMs ?? defaultMaxAgeMs;
  }

  settings(): Settings {
    const maxAgeMs = this.#reading === undefined ? Math.min(unreadRetryMs, this.#maxAgeMs) : this.#maxAgeMs;
    const isOld = this.#options.clock.now() - this.#triedAtMs > maxAgeMs;
    if (isOld && this.#running === undefined) this.#refreshBehind();
    return this.#current();
  }

  status(): ConfigurationStatus {
    const { endpoint, label } = this.#options;
    return {
      enabled: true,
      endpoint,
      label,
      loaded: this.#reading !== undefined,
      keyCount: this.#reading?.keyCount ?? 0,
      changedSinceStart: changedSettings(this.#atStart, this.#reading?.settings),
      refreshedAtMs: this.#reading?.atWallMs,
      lastError: this.#lastError,
    };
  }

  refresh(): Promise<void> {
    this.#running ??= this.#read()
      .catch((error: unknown) => {
        this.#lastError = error instanceof VoiceError ? error.message : unreadable;
        throw error;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Throws if the environment is no valid configuration by itself. */
  useEnvironmentAlone(): void {
    this.#environmentAlone = loadSettings(this.#options.environment);
    this.#atStart = this.#environmentAlone;
  }

  async #read(): Promise<void> {
    const { environment, loader, clock } = this.#options;
    this.#triedAtMs = clock.now();
    const values = await loader().catch((error: unknown) => {
      throw new VoiceError("upstream_unavailable", unreadable, { cause: error });
    });
    const { environment: overlaid, count } = overlay(environment, values);
    this.#reading = { settings: loadSettings(overlaid), keyCount: count, atWallMs: clock.wallNow() };
    this.#atStart ??= this.#reading.settings;
    this.#lastError = undefined;
  }

  #refreshBehind(): void {
    const { logger } = this.#options;
    this.refresh().catch((error: unknown) => logger.warn({ error }, "the settings could not be refreshed"));
  }

  #current(): Settings {
    const settings = this.#reading?.settings ?? this.#environmentAlone;
    if (settings === undefined) throw new Error("settings were read before the configuration was opened");
    return settings;
  }
}

function changedSettings(before: Settings | undefined, now: Settings | undefined): readonly string[] {
  if (before === undefined || now === undefined) return [];
  return namedSettings
    .filter(({ key }) => !isDeepStrictEqual(Reflect.get(before, key), Reflect.get(now, key)))
    .map(({ name }) => name);
}

/** A setting from the store, under any of its names, replaces the environment's under all of its names. */
function overlay(environment: Environment, values: ReadonlyMap<string, string>) {
  const result: Record<string, string | undefined> = { ...environment };
  let count = 0;
  for (const { name } of namedSettings) {
    const given = ownSettings.has(name) ? [] : namesOf(name).filter((alias) => values.has(alias));
    if (given.length === 0) continue;
    for (const alias of namesOf(name)) delete result[alias];
    for (const alias of given) result[alias] = values.get(alias);
    count += 1;
  }
  return { environment: result, count };
}
