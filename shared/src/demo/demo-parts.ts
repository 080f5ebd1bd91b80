/** The demonstration as the service loads it, for tests and for the repository's own command-line tools. */
import { builtInCatalog } from "../catalog/locate-built-in-catalog.ts";
import { demoCatalogDir } from "./demo.ts";
import { systemClock } from "../platform/clock.ts";
import { silentLogger } from "../platform/logger.ts";
import { loadTools } from "../tools/load-tools.ts";

/** What all agents share, and the demonstration's own folder over it. */
export const demoCatalogDirs: readonly string[] = [builtInCatalog().builtInDir, demoCatalogDir];

/** The built-in tools and those of the demonstration. */
export const { tools: demoTools } = await loadTools(
  { demoEnabled: true, catalogDir: undefined, toolsDir: undefined, environment: "development", telemetry: [] },
  { clock: systemClock, logger: silentLogger },
);
