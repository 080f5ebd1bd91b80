import { VoiceError } from "../../platform/errors.ts";
import type { AgentOverride, AgentStore } from "../ports/agent-store.ts";
import type { JsonDocument } from "../ports/session-documents.ts";
import { ExpiringMap } from "./expiring-map.ts";
import { MemorySessionDocuments } from "./session-documents.ts";
import type { SessionScope } from "./session-scope.ts";

/** All overrides expire together, as the fields of one hash do. */
const everything = "overrides";

export class MemoryAgentStore extends MemorySessionDocuments implements AgentStore {
  readonly #clock;
  readonly #lifeSpanMs: number;
  readonly #overrides: ExpiringMap<ReadonlyMap<string, AgentOverride>>;

  constructor(scope: SessionScope, overrideMs: number) {
    super(scope);
    this.#clock = scope.clock;
    this.#lifeSpanMs = overrideMs;
    this.#overrides = new ExpiringMap(scope.clock);
  }

  async overrides(): Promise<readonly AgentOverride[]> {
    return [...this.#current().values()];
  }

  async override(agentName: string): Promise<AgentOverride | undefined> {
    return this.#current().get(agentName.toLowerCase());
  }

  async putOverride(agentName: string, version: number, document: JsonDocument): Promise<AgentOverride> {
    const current = this.#current();
    if ((current.get(agentName.toLowerCase())?.version ?? 0) !== version)
      throw new VoiceError("conflict", "the agent was changed by someone else");
    const written = {
      agentName,
      document: structuredClone(document),
      updatedAtMs: this.#clock.wallNow(),
      version: version + 1,
    };
    this.#overrides.set(everything, new Map(current).set(agentName.toLowerCase(), written), this.#lifeSpanMs);
    return written;
  }

  #current(): ReadonlyMap<string, AgentOverride> {
    return this.#overrides.get(everything) ?? new Map<string, AgentOverride>();
  }
}
