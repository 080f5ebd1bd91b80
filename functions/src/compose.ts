/**
 * The one place where the functions app gets what it works with.
 *
 * Azure Functions loads main.ts with nothing provided: everything is then made from the settings, at the first request.
 * A process that also runs the streaming host calls `provideDependencies` before the first request, so that both sides
 * hold the same state; what it does not provide is made here all the same.
 */
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import { createArchive } from "@voice/shared/archive/create-archive";
import { createTokenVerifier } from "@voice/shared/auth/token-verifier";
import { agentDefaults } from "@voice/shared/catalog/agent-defaults";
import { requireCatalogOfSettings } from "@voice/shared/catalog/check-settings";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { identityOf, loadConfiguration } from "@voice/shared/config/load-configuration";
import type { Settings } from "@voice/shared/config/settings";
import { systemClock, type Clock } from "@voice/shared/platform/clock";
import { createLogger, type Logger } from "@voice/shared/platform/logger";
import { onceItWorked } from "@voice/shared/platform/once-it-worked";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { createRecordingStore } from "@voice/shared/recordings/create-recording-store";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import type { State } from "@voice/shared/state/ports/state";
import { createRedisState } from "@voice/shared/state/redis/create-redis-state";
import { createAuthorise } from "./http/authorise.ts";
import { catalogDirs, readEnvironment } from "./config.ts";
import { createEventCallAutomation } from "./services/call-automation.ts";
import type { Dependencies } from "./dependencies.ts";

/** `settings` follows from the configuration. */
export type Parts = Omit<Dependencies, "settings">;

interface Composition {
  readonly parts: Parts;
  /** Lets go of what was made here; what was provided belongs to its provider. */
  close(): Promise<void>;
}

const loadCloud = () => import("./lazy/cloud.ts");

let provided: Partial<Parts> = {};
let composition: Promise<Composition> | undefined;

/** Replaces everything that was provided or composed before. */
export function provideDependencies(parts: Partial<Parts>): void {
  provided = parts;
  composition = undefined;
}

export async function dependencies(): Promise<Dependencies> {
  try {
    composition ??= compose(provided);
    const { parts } = await composition;
    return { ...parts, settings: parts.configuration.settings() };
  } catch (error) {
    // The next request tries again: what was missing when the first one came may be there.
    composition = undefined;
    throw error;
  }
}

/** For requests, whose answer does not say why. */
export async function reportedDependencies(): Promise<Dependencies> {
  try {
    return await dependencies();
  } catch (error) {
    const logger = provided.logger ?? createLogger({ level: "error", name: "functions" });
    logger.error({ error }, "the app could not be composed");
    throw error;
  }
}

export async function closeDependencies(): Promise<void> {
  const closing = composition;
  composition = undefined;
  if (closing !== undefined) await (await closing).close();
}

async function compose(given: Partial<Parts>): Promise<Composition> {
  const clock = given.clock ?? systemClock;
  const configuration =
    given.configuration ??
    (await loadConfiguration({ environment: readEnvironment(), name: "functions", clock, loadCloud }));
  const settings = configuration.settings();
  const logger = given.logger ?? createLogger({ level: settings.logLevel, name: "functions" });
  const knownTools = given.knownTools ?? {
    tools: builtInTools,
    mcpServers: settings.mcpServers.map((server) => server.name),
  };
  // Before the state: a broken catalog must not leave connections behind.
  const catalog =
    given.catalog ?? (await loadCatalog(catalogDirs(settings.catalogDir), knownTools, agentDefaults(settings)));
  requireCatalogOfSettings(catalog, settings);
  const state = given.state ?? (await createState(settings, clock, logger));
  const authorise = given.authorise ?? createAuthorise(() => configuration.settings(), createTokenVerifier());
  return {
    parts: {
      configuration,
      clock,
      logger,
      state,
      knownTools,
      catalog,
      recordings: given.recordings ?? onceItWorked(() => createRecordings(settings)),
      archive: given.archive ?? onceItWorked(() => createArchiveOf(settings)),
      callAutomation: given.callAutomation ?? createEventCallAutomation(state.events, clock),
      authorise,
    },
    close: async () => {
      if (given.state === undefined) await state.close();
    },
  };
}

function createRecordings(settings: Settings): Promise<RecordingStore | undefined> {
  return createRecordingStore(settings, identityOf(settings, loadCloud), () => import("./lazy/recordings.ts"));
}

function createArchiveOf(settings: Settings): Promise<ConversationArchive | undefined> {
  return createArchive(settings, identityOf(settings, loadCloud), () => import("./lazy/archive.ts"));
}

async function createState(settings: Settings, clock: Clock, logger: Logger): Promise<State> {
  if (settings.cacheHost === undefined) {
    logger.warn({}, "no CACHE_HOST: state is kept in the memory of this process, and no other process sees it");
    return createMemoryState({ clock, logger });
  }
  return createRedisState({ settings, clock, logger, credential: identityOf(settings, loadCloud) });
}
