/** Creates the configured state. */
import { partsOf } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { LifeSpans } from "./life-spans.ts";
import { createMemoryState } from "./memory/create-memory-state.ts";
import type { State } from "./ports/state.ts";
import type { TokenCredential } from "./redis/entra-token.ts";
import { queueEnds } from "./due-ends.ts";
import { tabulateConversations } from "./tabulated-state.ts";
import { announceState } from "../webhooks/announced-state.ts";

interface StateParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly identity: TokenCredential;
  /** In Redis; the usual ones where absent. */
  readonly lifeSpans?: LifeSpans;
}

export async function createState(settings: Settings, parts: StateParts): Promise<State> {
  const { webhookUrls: urls = [], baseUrl } = settings;
  const stored = tabulateConversations(await storeOf(settings, parts), parts.clock, parts.logger);
  const { toArchive, toNote } = stored;
  const state = queueEnds(stored, partsOf(settings).archive.kind === "none" ? [toNote] : [toNote, toArchive]);
  return announceState(state, urls, baseUrl, parts.clock);
}

async function storeOf(settings: Settings, parts: StateParts): Promise<State> {
  const { clock, logger, identity: credential, ...tuning } = parts;
  if (partsOf(settings).state.kind === "redis") {
    // Imported only if Redis is used, because its client takes a tenth of a cold start.
    const { createRedisState } = await import("./redis/create-redis-state.ts");
    return createRedisState({ settings, clock, logger, credential, ...tuning });
  }
  return createMemoryState({ clock, logger });
}
