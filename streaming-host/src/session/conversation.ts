/**
 * What a session knows and keeps: agent, history, memory. The copy in memory is the one the pipeline reads; every change
 * is written to the store behind the audio, in order, and nobody who speaks waits for it.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { VoiceError, toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type {
  BegunCalls,
  HistoryItem,
  SessionPatch,
  SessionRecord,
  SessionStore,
  TurnMetrics,
} from "@voice/shared/state/ports/session-store";
import { CondensedHistory } from "./condensed-history.ts";
import { resultsOfLostCalls, whereToGoOn } from "./going-on.ts";
import type { GoingOn } from "./going-on.ts";
import { owedTurn } from "./owed-turn.ts";
import type { OwedTurn } from "./owed-turn.ts";
import type { CondensedHistoryOptions } from "./condensed-history.ts";
import type { WriteSummary } from "../pipeline/cascade/write-summary.ts";
import type { HandoffTaken } from "../pipeline/cascade/plan-handoff.ts";

/** Where, in the history, the active agent's knowledge begins (a handoff that shares no context). */
const knownFromKey = "known_from";

export class Conversation {
  #catalog: SessionCatalog;
  readonly #store: SessionStore;
  readonly #logger: Logger;
  #record: SessionRecord;
  #agent: Agent;
  readonly #history: HistoryItem[];
  readonly #condensed: CondensedHistory;
  /** Of summaries, since it was last asked for. */
  #summaryTokens = 0;
  #memory: Readonly<Record<string, unknown>>;
  #visited: readonly string[];
  /** What the store has of memory and visited agents. */
  #saved: Pick<SessionRecord, "memory" | "visitedAgents">;
  readonly #onTakenOver: () => void;
  readonly #onTurnMetrics: (metrics: TurnMetrics) => void;
  /** Writes happen one after the other; `flush` waits for the last. */
  #writes: Promise<void> = Promise.resolve();

  constructor(options: {
    readonly record: SessionRecord;
    readonly history: readonly HistoryItem[];
    readonly catalog: SessionCatalog;
    readonly store: SessionStore;
    readonly logger: Logger;
    /** Another host has the session now: its socket is the newer one. */
    readonly onTakenOver?: (() => void) | undefined;
    readonly onTurnMetrics?: ((metrics: TurnMetrics) => void) | undefined;
    /** Absent: what is long ago is summed up without a model. */
    readonly writeSummary?: WriteSummary | undefined;
  }) {
    this.#catalog = options.catalog;
    this.#store = options.store;
    this.#logger = options.logger;
    this.#onTakenOver = options.onTakenOver ?? (() => undefined);
    this.#onTurnMetrics = options.onTurnMetrics ?? (() => undefined);
    this.#condensed = new CondensedHistory({
      summarise: options.writeSummary && this.#summariser(options.writeSummary),
      onFailed: (error) => this.#logger.warn({ error, code: error.code }, "a summary could not be written"),
    });
    this.#record = options.record;
    this.#history = [...options.history];
    this.#memory = options.record.memory;
    this.#visited = options.record.visitedAgents;
    this.#saved = options.record;
    const agent = options.catalog.agent(options.record.activeAgent);
    if (agent === undefined)
      throw new VoiceError("not_found", `agent ${options.record.activeAgent} is not in the scenario`);
    this.#agent = agent;
  }

  get sessionId(): string {
    return this.#record.sessionId;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get catalog(): SessionCatalog {
    return this.#catalog;
  }

  get agent(): Agent {
    return this.#agent;
  }

  get memory(): Readonly<Record<string, unknown>> {
    return this.#memory;
  }

  get visitedAgents(): readonly string[] {
    return this.#visited;
  }

  /** What the active agent may know of what was said. */
  get knownHistory(): readonly HistoryItem[] {
    const from = this.#memory[knownFromKey];
    if (typeof from !== "number") return [...this.#history];
    // As in the turn of the handoff itself: what the agent was called for, and nothing before it.
    const request = this.#history.slice(0, from).findLast(({ role }) => role === "user");
    return [...(request === undefined ? [] : [request]), ...this.#history.slice(from)];
  }

  /** The same within the model's budget: what is long ago only as a summary. */
  get modelHistory(): readonly HistoryItem[] {
    return this.#condensed.read(this.knownHistory);
  }

  /** Between turns: what does not fit any more is summed up now, so that the next turn finds it done. */
  condense(): void {
    this.#condensed.read(this.knownHistory);
  }

  takeSummaryTokens(): number {
    const tokens = this.#summaryTokens;
    this.#summaryTokens = 0;
    return tokens;
  }

  /** TAKE-2: the caller's last words, for whoever answers them in place of another. */
  get owedTurn(): OwedTurn | undefined {
    return owedTurn(this.modelHistory);
  }

  /** Turn ids go on where a resumed session stopped. */
  get turnCount(): number {
    return this.#history.reduce(
      (count, item) => Math.max(count, Number(/^turn-(\d+)$/.exec(item.turnId)?.[1] ?? 0)),
      0,
    );
  }

  renderGreeting(): string | undefined {
    return this.#catalog.renderGreeting(this.#agent, {
      memory: this.#memory,
      isReturn: this.#visited.includes(this.#agent.name),
    });
  }

  markVisited(): void {
    if (!this.#visited.includes(this.#agent.name)) this.#visited = [...this.#visited, this.#agent.name];
  }

  remember(memory: Readonly<Record<string, unknown>>): void {
    this.#memory = { ...this.#memory, ...memory };
  }

  /**
   * Between replies only. The agent that has the floor keeps it; in a scenario that does not have it, the start agent
   * takes it.
   */
  replaceCatalog(catalog: SessionCatalog): void {
    const agent = catalog.agent(this.#agent.name) ?? catalog.agent(catalog.scenario.startAgent);
    if (agent === undefined) throw new VoiceError("not_found", "the scenario has no start agent");
    const isSameAgent = agent.name === this.#agent.name;
    const isSameScenario = catalog.scenario.name === this.#catalog.scenario.name;
    this.#catalog = catalog;
    this.#agent = agent;
    if (!isSameAgent || !isSameScenario)
      this.#update({ scenario: catalog.scenario.name, activeAgent: agent.name, visitedAgents: this.#visited });
  }

  takeHandoff(handoff: HandoffTaken): void {
    this.#agent = handoff.to;
    this.markVisited();
    if (!handoff.shareContext) this.remember({ [knownFromKey]: this.#history.length });
    this.#update({ activeAgent: handoff.to.name, visitedAgents: this.#visited, memory: this.#memory });
  }

  /** Appends to the history and writes it, with what has become known, in one go. */
  append(items: readonly HistoryItem[], metrics?: TurnMetrics): void {
    if (items.length === 0 && metrics === undefined) return;
    this.#history.push(...items);
    if (metrics !== undefined) this.#onTurnMetrics(metrics);
    const appendId = `${this.#record.version}-${this.#history.length}-${metrics?.turnId ?? ""}`;
    this.#enqueue(() => this.#store.appendTurn(this.sessionId, { items, metrics, appendId }));
  }

  /** Costs nothing in a turn that taught the session nothing. */
  saveMemory(): void {
    if (this.#saved.memory === this.#memory && this.#saved.visitedAgents === this.#visited) return;
    this.#update({ memory: this.#memory, visitedAgents: this.#visited });
  }

  /** Resolves when it is stored, or waits to be: see `BufferedSessionStore`. */
  beginCalls(begunCalls: BegunCalls): Promise<void> {
    this.#update({ begunCalls });
    return this.flush();
  }

  end(): void {
    this.#condensed.close();
    this.#update({ status: "ended", memory: this.#memory, visitedAgents: this.#visited });
  }

  /** Another host goes on. `isComplete`: nobody was in the middle of anything, so nothing can have been lost on the way. */
  handOver(isComplete: boolean): void {
    const { hostId } = this.#record;
    this.#update({ memory: this.#memory, visitedAgents: this.#visited, hostId: isComplete ? undefined : hostId });
  }

  /** For the host that takes over: what is known of the conversation, with tool calls that the last one left open. */
  takeOver(nowMs: number): GoingOn {
    this.append(resultsOfLostCalls(this.#record.begunCalls, this.#history, nowMs));
    return whereToGoOn(this.knownHistory);
  }

  /** Everything said so far is stored, or its failure is logged. */
  flush(): Promise<void> {
    return this.#writes;
  }

  #summariser(write: WriteSummary): CondensedHistoryOptions["summarise"] {
    return async (previous, items, signal) => {
      const { text, usage } = await write({ agent: this.#agent, previous, items }, signal);
      this.#summaryTokens += (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
      return text;
    };
  }

  #update(patch: SessionPatch): void {
    this.#saved = { memory: patch.memory ?? this.#saved.memory, visitedAgents: this.#visited };
    this.#enqueue(async () => {
      this.#record = await this.#updateLatest(patch);
    });
  }

  /**
   * Somebody else may have written in between. An HTTP request: take its version and try once more. Another host that has
   * the session now: what we know of agent, memory and status is old, and writing it would undo what happens there.
   */
  async #updateLatest(patch: SessionPatch): Promise<SessionRecord> {
    try {
      return await this.#store.update(this.sessionId, this.#record.version, patch);
    } catch (error) {
      if (toVoiceError(error).code !== "conflict") throw error;
      const latest = await this.#store.get(this.sessionId);
      if (typeof latest === "string") throw error;
      if (latest.hostId !== this.#record.hostId) {
        this.#onTakenOver();
        return this.#record;
      }
      return this.#store.update(this.sessionId, latest.version, patch);
    }
  }

  #enqueue(write: () => Promise<void>): void {
    this.#writes = Promise.all([this.#writes, afterAudio()])
      .then(write)
      .catch((error: unknown) => {
        this.#logger.error({ error, code: toVoiceError(error).code }, "a turn could not be stored");
      });
  }
}

/** Whatever of this moment is for the caller's ear has been sent by then. */
function afterAudio(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
