/**
 * The conversations of this host. To begin one takes four steps, each with a verb of its own:
 *
 * - **connect** (`connect/connection.ts`): a transport gets a conversation, perhaps several in a row, until its socket closes;
 * - **claim** (`directory.ts`): a session belongs to the newest socket that asks for it, and the older one lets go;
 * - **open** (`open/open-session.ts`): the stored session is found or made, with its customer, catalog, recording and watchers;
 * - **run** (`run/session-runner.ts`): the session runs in its mode.
 *
 * Each calls the next; `companions/` hear and see a session beside its peer. Nothing here names a vendor or a database.
 */
import { readOwner } from "@voice/shared/auth/tenant";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { noPrices, type Prices } from "@voice/shared/costs/prices";
import { createTurnstile } from "@voice/shared/platform/turnstile";
import { SharedQuota } from "@voice/shared/state/shared-quota";
import { noCustomers, type CustomerSource } from "@voice/shared/tools/customer";
import type { Tool } from "@voice/shared/tools/tool";
import type { CallControl } from "../../calls/call-control.ts";
import type { Host } from "../../host/host.ts";
import { gateLanguageModel } from "../../pipeline/ear/gated-model.ts";
import type { ConversationRequest } from "../../session/conversation/open-conversation.ts";
import type { LiveSession } from "../../session/modes/live-session.ts";
import { defaultIdleMs } from "../../session/turn/turn-settings.ts";
import { ConversationTelemetry } from "../../telemetry/session-telemetry.ts";
import type { LiveConnection } from "../accept/live-connections.ts";
import type { CheckNames } from "../accept/requested-names.ts";
import { AfterCallWriter } from "../host/after-call-writer.ts";
import { CompanionsOfHost } from "./companions/companions.ts";
import type { SessionRecordings } from "./companions/session-recordings.ts";
import { connectConversation } from "./connect/connection.ts";
import type { ConversationOnTransport, ConversationsOfConnection } from "./connect/connection.ts";
import { ConversationDirectory } from "./directory.ts";
import { ConversationMeters } from "./open/meter-conversation.ts";
import { openSession } from "./open/open-session.ts";
import type { SessionToOpen, SharedByOpenings } from "./open/open-session.ts";
import { SessionCatalogs } from "./open/session-catalogs.ts";
import type { Providers } from "./providers.ts";
import { SessionRunner } from "./run/session-runner.ts";
import { ToolTrials } from "./trial/tool-trials.ts";
import { findAgent } from "@voice/shared/catalog/catalog";
import { catalogOfTenant } from "@voice/shared/catalog/tenant-catalog";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { SessionStore } from "@voice/shared/state/ports/session-store";
import { noSuchAgent } from "../../session/conversation/open-conversation.ts";
import { noSuchProfile } from "./open/bound-customer.ts";

/** What only conversations need. */
export interface ConversationsOptions {
  readonly catalog: Catalog;
  /** The tools that ship with the product, which agents may list. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Finds one of these tools, or one of the tool servers', as they are now. */
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
  /** Whether the store has all that was written of a session; if absent, it always has. */
  readonly isStored?: ((sessionId: string) => boolean) | undefined;
  /** A conversation has left its socket, and everything is stored. */
  readonly onLeft?: ((sessionId: string) => void) | undefined;
  /** IDLE-1; if absent, the defaults for people. */
  readonly idleMs?: number | undefined;
}

export class Conversations implements ConversationsOfConnection {
  readonly host: Host;
  readonly checkNames: CheckNames;
  readonly resets: SharedQuota;
  readonly toolTrials: ToolTrials;
  readonly #onLeft: ((sessionId: string) => void) | undefined;
  readonly #directory = new ConversationDirectory<LiveSession>();
  readonly #shared: SharedByOpenings;
  readonly #options: Pick<ConversationsOptions, "providers" | "prices" | "findTool">;
  #noting: AfterCallWriter | undefined;

  constructor(host: Host, options: ConversationsOptions) {
    const { settingsNow, state, clock, logger } = host;
    const { customers = noCustomers, callControl } = options;
    const catalogs = new SessionCatalogs(host, options.catalog, options.tools);
    this.checkNames = createNameCheck(catalogs, state.sessions, customers);
    this.host = host;
    this.#options = options;
    this.#onLeft = options.onLeft;
    this.resets = new SharedQuota({
      name: "resets",
      problem: "You have begun afresh as often as you may in an hour.",
      limit: () => settingsNow().maxResetsPerHour,
      counters: state.counters,
      clock,
      logger,
    });
    this.#shared = {
      host,
      customers,
      catalogs,
      meters: new ConversationMeters(withGatedModels(options.providers, host), options.prices ?? noPrices, clock),
      telemetry: new ConversationTelemetry(host, options.catalog),
      companions: new CompanionsOfHost(host, catalogs, callControl, options.recordings, (sessionId) =>
        this.#directory.find(sessionId),
      ),
      runner: new SessionRunner(host, options.findTool, callControl, options.idleMs ?? defaultIdleMs),
      openingTurn: createTurnstile(),
      newest: new Map(),
      isStored: options.isStored,
    };
    this.toolTrials = new ToolTrials({
      catalogs: this.#shared.catalogs,
      customers: this.#shared.customers,
      findTool: (name) => this.#options.findTool(name),
    });
  }

  /** Rejects if the first conversation cannot be opened; later ones are refused on the transport. */
  connect(conversation: ConversationOnTransport): Promise<LiveConnection> {
    return connectConversation(conversation, this);
  }

  claim(session: SessionToOpen): Promise<LiveSession> {
    return this.#directory.claim(session.request.sessionId, () => openSession(session, this.#shared));
  }

  left(sessionId: string): void {
    this.#onLeft?.(sessionId);
  }

  /** HS-12: the host can be reached again, and others may have taken it for dead. */
  returned(): void {
    this.#shared.companions.returned();
  }

  /** AFTER-2: from now on, this host notes what came of conversations that have ended, here or on another one. */
  startNoting(isArchived: boolean): void {
    const { settings, state, random, telemetry, clock, logger } = this.host;
    const { providers, prices = noPrices } = this.#options;
    const { catalogs } = this.#shared;
    this.#noting = new AfterCallWriter({
      state,
      catalogOf: ({ sessionId, scenario, release }) =>
        catalogs.live().compile(sessionId, { remembered: scenario, release }),
      // Not the gated one: what it writes is not for the ear.
      model: providers.summaryModel,
      billed: providers.billed,
      prices,
      isArchived,
      urls: settings.webhookUrls ?? [],
      baseUrl: settings.baseUrl,
      random,
      telemetry,
      clock,
      logger,
    });
  }

  /** Called after the last conversation. */
  async close(): Promise<void> {
    await this.#shared.companions.close();
    await this.#noting?.close();
  }

  async boundCustomer(
    bound: string,
    { phoneNumber, owner, profileId: named }: Pick<ConversationRequest, "phoneNumber" | "owner" | "profileId">,
  ): Promise<string | undefined> {
    const record = await this.host.state.sessions.get(bound);
    // The service may have forgotten the session, but not whom its client has named.
    const customerId = typeof record === "string" ? named : record.profileId;
    if (customerId === undefined) return undefined;
    const { subject } = readOwner(owner);
    return (await this.#shared.customers.find({ sessionId: undefined, customerId, phoneNumber, subject }))?.id;
  }
}

/** Whichever model answers, one gate stands behind it (EAR-1). */
function withGatedModels(providers: Providers, { clock, logger }: Host): Providers {
  const { languageModel, summaryModel } = providers;
  const gated = gateLanguageModel(languageModel, { clock, logger });
  return {
    ...providers,
    languageModel: gated,
    summaryModel:
      summaryModel === languageModel ? gated : summaryModel && gateLanguageModel(summaryModel, { clock, logger }),
  };
}

/** Checks that what a client names exists: its scenario, its agent and its customer profile (HS-2). */
function createNameCheck(catalogs: SessionCatalogs, sessions: SessionStore, customers: CustomerSource): CheckNames {
  return async ({ caller, sessionId, scenario, agent, profileId }, config) => {
    if (profileId !== undefined) {
      const found = await customers.find({ sessionId, customerId: profileId, namedBy: caller });
      if (found === undefined) throw noSuchProfile();
    }
    const changed = Object.keys(config?.agent_overrides ?? {});
    if (scenario === undefined && agent === undefined && changed.length === 0) return;
    const known = sessionId === undefined ? "unknown" : await sessions.get(sessionId);
    const { scenario: remembered, release } = typeof known === "string" ? {} : known;
    const catalog = await catalogs
      .live(config, caller?.tenant)
      .compile(sessionId ?? "", { asked: scenario, remembered, release });
    if (agent !== undefined && catalog.agent(agent) === undefined) throw noSuchAgent();
    // A client may change the agents of every scenario, whichever it is in.
    const unknown = changed.find(
      (name) =>
        catalog.agent(name) === undefined &&
        findAgent(catalogOfTenant(catalogs.files, caller?.tenant), name) === undefined,
    );
    if (unknown !== undefined) throw noAgentToChange();
  };
}

function noAgentToChange(): BadRequestError {
  return new BadRequestError("not_found", "`agent_overrides` names an agent that does not exist.", [
    { field: "agent_overrides", message: "no agent of this name", code: "not_found" },
  ]);
}
