/** The parts that all conversations of a host share: those it was composed of, and those created from them once. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { ConversationSettings } from "@voice/shared/config/conversation-settings";
import type { Settings } from "@voice/shared/config/settings";
import type { Prices } from "@voice/shared/costs/prices";
import { createTurnstile, type Turnstile } from "@voice/shared/platform/turnstile";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import { noCustomers, type CustomerSource } from "@voice/shared/tools/customer";
import type { Tool } from "@voice/shared/tools/tool";
import type { CallControl } from "../../calls/call-control.ts";
import { createSummaryWriter } from "../../pipeline/cascade/write-summary.ts";
import type { WriteSummary } from "../../pipeline/cascade/write-summary.ts";
import type { NewestConversations } from "../../session/conversation/late-results.ts";
import { createPlayoutTicker } from "../../session/playout/playout-ticker.ts";
import type { PlayoutTicker } from "../../session/playout/playout-ticker.ts";
import { defaultIdleMs } from "../../session/turn/turn-settings.ts";
import { KeepAlive } from "./companions/keep-alive.ts";
import type { OperatorDesk } from "./companions/operator-desk.ts";
import { Reclaimer } from "./companions/reclaimer.ts";
import { noTelemetry } from "@voice/shared/telemetry/telemetry";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { gateLanguageModel } from "../../pipeline/ear/gated-model.ts";
import type { Providers } from "./providers.ts";
import { createCatalogSettingsNow, type CatalogSettings } from "./open/catalog-settings-now.ts";
import type { SessionCatalogSources } from "./open/session-catalogs.ts";
import type { SessionRecordings } from "./companions/session-recordings.ts";
import { withNamesOfService } from "../../telemetry/names-of-service.ts";
import type { RecentFailures } from "../../telemetry/recent-failures.ts";

export interface ConversationsOptions {
  readonly hostId: string;
  /** As they were when the host started. */
  readonly settings: Settings;
  /** Settings that a conversation reads when it begins; if absent, those of the host's start are used. */
  readonly settingsNow?: (() => ConversationSettings) | undefined;
  readonly state: State;
  /** Whether the store has all that was written of a session; if absent, it always has. */
  readonly isStored?: ((sessionId: string) => boolean) | undefined;
  readonly catalog: Catalog;
  /** The tools that ship with the product, which agents may list. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Those and the tool servers' tools, as they are now. */
  readonly findTool: (name: string) => Tool | undefined;
  /** If absent, nobody is known. */
  readonly customers?: CustomerSource | undefined;
  readonly providers: Providers;
  /** If absent, nothing has a price. */
  readonly prices?: Prices | undefined;
  /** Carries out the effects that an agent requests for the call. Absent without a communication service. */
  readonly callControl?: Pick<CallControl, "carryOut" | "recordAnswer"> | undefined;
  /** If absent, nobody is recorded. */
  readonly recordings?: SessionRecordings | undefined;
  /** A conversation has left its socket, and everything is stored. */
  readonly onLeft?: ((sessionId: string) => void) | undefined;
  /** If absent, nobody watches the host as a whole. */
  readonly telemetry?: Telemetry | undefined;
  readonly failures?: Pick<RecentFailures, "note"> | undefined;
  /** IDLE-1; if absent, the defaults for people. */
  readonly idleMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SharedParts extends ConversationsOptions {
  readonly customers: CustomerSource;
  readonly telemetry: Telemetry;
  readonly failures: Pick<RecentFailures, "note">;
  readonly idleMs: number;
  readonly settingsNow: () => ConversationSettings;
  readonly catalogSettingsNow: () => CatalogSettings;
  readonly catalogs: SessionCatalogSources;
  /** One timer paces the audio of all conversations. */
  readonly ticker: PlayoutTicker;
  /** A host's conversations are opened one per round of the event loop: each takes about a millisecond. */
  readonly openingTurn: Turnstile;
  /** The newest conversation of each session, to which results go that an earlier one has waited for (EFFECT-18). */
  readonly newest: NewestConversations;
  readonly retry: RetrySettings;
  readonly operators: OperatorDesk;
  readonly reclaimer: Reclaimer;
  readonly keepAlive: KeepAlive;
  /** If absent, older history is summarised without a model. */
  readonly writeSummary: WriteSummary | undefined;
}

export function createSharedParts(options: ConversationsOptions, operators: OperatorDesk): SharedParts {
  const { settings, state, catalog, tools, clock, logger } = options;
  const providers = withGatedModels(options);
  const { summaryModel } = providers;
  const settingsNow = options.settingsNow ?? (() => settings);
  const catalogSettingsNow = createCatalogSettingsNow({ settings, settingsNow, catalog, logger });
  const mcpServers = settings.mcpServers.map(({ name }) => name);
  return {
    ...options,
    providers,
    customers: options.customers ?? noCustomers,
    operators,
    reclaimer: new Reclaimer({ sessions: state.sessions, clock, logger }),
    keepAlive: new KeepAlive({
      sessions: state.sessions,
      mediaSessions: state.mediaSessions,
      random: Math.random,
      clock,
      logger,
    }),
    telemetry: withNamesOfService(options.telemetry ?? noTelemetry, catalog),
    failures: options.failures ?? { note: () => undefined },
    idleMs: options.idleMs ?? defaultIdleMs,
    settingsNow,
    catalogSettingsNow,
    catalogs: { settingsNow: catalogSettingsNow, state, catalog, known: { tools, mcpServers }, logger },
    ticker: createPlayoutTicker(clock, logger),
    newest: new Map(),
    openingTurn: createTurnstile(),
    retry: {
      maxAttempts: settings.retryMaxAttempts,
      backoffFactor: settings.retryBackoffFactor,
      jitter: settings.retryJitter,
    },
    writeSummary: summaryModel && createSummaryWriter(summaryModel, clock),
  };
}

/** Whichever model answers, one gate stands behind it (EAR-1). */
function withGatedModels({ providers, clock, logger }: ConversationsOptions): Providers {
  const { languageModel, summaryModel } = providers;
  const gated = gateLanguageModel(languageModel, { clock, logger });
  const gatedSummary =
    summaryModel === languageModel ? gated : summaryModel && gateLanguageModel(summaryModel, { clock, logger });
  return { ...providers, languageModel: gated, summaryModel: gatedSummary };
}
