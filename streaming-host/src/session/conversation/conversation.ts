/**
 * A conversation's state: agent, history (`conversation-history.ts`), memory. The pipeline reads the copy in memory; changes are written to the
 * store in the background, in order, and no turn waits for them.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import { catalogInLanguage, type SpeechDefaults } from "@voice/shared/catalog/catalog-in-language";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { languageIn, timeZoneIn } from "@voice/shared/conversation/spoken-language";
import type { LanguagePack } from "@voice/shared/languages/language-pack";
import { packOf } from "@voice/shared/languages/packs";
import { VoiceError } from "@voice/shared/platform/errors";
import type {
  BegunCalls,
  HistoryItem,
  SessionFailure,
  SessionPatch,
  SessionRecord,
  TurnMetrics,
} from "@voice/shared/state/ports/session-store";
import { ConversationHistory } from "./conversation-history.ts";
import type { ConversationOptions, HistoryLimit } from "./conversation-options.ts";
import { LateResults } from "./late-results.ts";
import { doneInTurn } from "./done-in-turn.ts";
import { turnsSoFar } from "./known-history.ts";
import { StoredConversation, type MessagesOfTurns } from "./stored-conversation.ts";
import { resultsOfLostCalls } from "./takeover-point.ts";
import { arrivalBy, type Arrival } from "./arrival.ts";
import { TurnPlaces } from "./turn-places.ts";
import { turnIdOf } from "../turn/turn-state.ts";
import { budgetWithin } from "@voice/shared/conversation/history-budget";
import type { StorageOutcome } from "../../pipeline/cascade/until-stored.ts";
import type { UsageMeter } from "../usage/usage-meter.ts";
import type { HandoffTaken } from "../../pipeline/cascade/plan-handoff.ts";

/** What is stored with the conversation's words as it is used. */
type MeteredUsage = Pick<UsageMeter, "take" | "takeTurn">;

/** A service that is away fails in every turn, and the record is read in every one. */
const keptFailures = 20;

export class Conversation {
  readonly lateResults: LateResults;
  readonly places: TurnPlaces;
  readonly #stored: StoredConversation;
  readonly #isStored: (sessionId: string) => boolean;
  readonly #history: ConversationHistory;
  readonly #historyLimit: HistoryLimit | undefined;
  /** The ids of the calls with a lasting effect. */
  readonly #changes = new Set<string>();
  readonly #speechDefaults: SpeechDefaults | undefined;
  #usage: MeteredUsage | undefined;
  /** The catalog as compiled, whichever agent is active. */
  #compiled: SessionCatalog;
  #catalog: SessionCatalog;
  #agent: Agent;
  #turnCount: number;
  #endReason: string | undefined;
  #hasEnded = false;
  #isTakenOver = false;
  #failures: readonly SessionFailure[];
  #memory: Readonly<Record<string, unknown>>;
  #visited: readonly string[];
  #arrival: Arrival | undefined;
  /** The memory and visited agents last written to the store. */
  #saved: Pick<SessionRecord, "memory" | "visitedAgents">;

  constructor(options: ConversationOptions) {
    const { record, history, store, logger } = options;
    this.#stored = new StoredConversation({
      record,
      store,
      logger,
      onTakenOver: () => {
        this.#isTakenOver = true;
        options.onTakenOver?.();
      },
    });
    this.#isStored = options.isStored ?? (() => true);
    this.#speechDefaults = options.speechDefaults;
    this.#compiled = options.catalog;
    this.#memory = record.memory;
    this.#failures = record.failures ?? [];
    this.#catalog = this.#spoken();
    this.#history = new ConversationHistory({
      items: history,
      knownFrom: record.knownFrom,
      activeAgent: () => this.#agent,
      writeSummary: options.writeSummary,
      budget: () =>
        budgetWithin({
          contextTokens: options.contextTokens?.(this.#agent),
          prompt: () => this.#catalog.renderPrompt(this.#agent, { memory: this.#memory }),
          answerTokens: this.#agent.model.cascade.maxTokens,
        }),
      logger,
    });
    this.#historyLimit = options.historyLimit;
    this.lateResults = new LateResults(this, () => this.#history.all, options.newest);
    this.#turnCount = turnsSoFar(record, history);
    this.places = new TurnPlaces(history);
    this.#visited = record.visitedAgents;
    this.#saved = record;
    const agent = this.#catalog.agent(record.activeAgent);
    if (agent === undefined) throw new VoiceError("not_found", `agent ${record.activeAgent} is not in the scenario`);
    this.#agent = agent;
  }

  get sessionId(): string {
    return this.record.sessionId;
  }

  get record(): SessionRecord {
    return this.#stored.record;
  }

  get catalog(): SessionCatalog {
    return this.#catalog;
  }

  get agent(): Agent {
    return this.#agent;
  }

  /** What the agent that has the floor speaks. */
  get language(): LanguagePack {
    return packOf(this.#agent.speech.language);
  }

  get memory(): Readonly<Record<string, unknown>> {
    return this.#memory;
  }

  get visitedAgents(): readonly string[] {
    return this.#visited;
  }

  /** How the active agent came to have the conversation; undefined if nobody has handed over to it on this host. */
  get arrival(): Arrival | undefined {
    return this.#arrival;
  }

  /** The part of the history that the active agent may see. */
  get knownHistory(): readonly HistoryItem[] {
    return this.#history.known;
  }

  /** The same within the model's budget; the same array until something changes. */
  get modelHistory(): readonly HistoryItem[] {
    return this.#history.forModel;
  }

  /** Tokens used for summaries since this was last called. */
  takeSummaryTokens(): number {
    return this.#history.takeSummaryTokens();
  }

  /** TOOL-12. */
  get doneInTurn(): ReturnType<typeof doneInTurn> {
    return doneInTurn(this.knownHistory, (id) => this.#changes.has(id));
  }

  /** The number of turns begun, across all hosts. */
  get turnCount(): number {
    return this.#turnCount;
  }

  /** The count is stored with the turn's first words. */
  beginTurn(turnCount: number, nowMs: number): void {
    this.#turnCount = turnCount;
    this.places.beginTurn(turnIdOf(turnCount), nowMs);
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

  /** REC-3: the caller knows that the conversation is recorded. */
  markAnnounced(): void {
    this.#update({ recordingAnnounced: true });
  }

  remember(memory: Readonly<Record<string, unknown>>): void {
    this.lateResults.successor?.remember(memory);
    const before = this.#memory;
    this.#memory = { ...before, ...memory };
    if (languageIn(before) === languageIn(this.#memory) && timeZoneIn(before) === timeZoneIn(this.#memory)) return;
    this.#catalog = this.#spoken();
    this.#agent = this.#catalog.agent(this.#agent.name) ?? this.#agent;
  }

  /**
   * Called between replies only. The active agent stays active; if the new scenario does not have it, the start agent
   * takes over.
   */
  replaceCatalog(compiled: SessionCatalog): void {
    const former = this.#catalog.scenario.name;
    this.#compiled = compiled;
    const catalog = this.#spoken();
    const agent = catalog.agent(this.#agent.name) ?? catalog.agent(catalog.scenario.startAgent);
    if (agent === undefined) throw new VoiceError("not_found", "the scenario has no start agent");
    const isSameAgent = agent.name === this.#agent.name;
    const isSameScenario = catalog.scenario.name === former;
    this.#catalog = catalog;
    this.#agent = agent;
    if (!isSameAgent) this.#arrival = undefined;
    if (!isSameAgent || !isSameScenario)
      this.#update({ scenario: catalog.scenario.name, activeAgent: agent.name, visitedAgents: this.#visited });
  }

  /** Returns what takes it back, while nobody has heard the next agent (EFFECT-19). */
  takeHandoff(handoff: HandoffTaken): () => void {
    const from = this.#agent.name;
    const [{ boundary }, visited, arrival] = [this.#history, this.#visited, this.#arrival];
    this.#agent = handoff.to;
    this.markVisited();
    if (!handoff.shareContext) this.#history.beginAfresh();
    this.#arrival = arrivalBy(handoff, arrival, this.#history.boundary);
    this.#update({
      activeAgent: handoff.to.name,
      visitedAgents: this.#visited,
      memory: this.#memory,
      knownFrom: this.#history.knownFrom,
    });
    return () => {
      const agent = this.#catalog.agent(from);
      if (agent === undefined) return; // a new scenario does not have it (LIVE-2)
      this.#agent = agent;
      this.#visited = visited;
      this.#arrival = arrival;
      this.#history.goBackTo(boundary);
      this.#update({ activeAgent: from, visitedAgents: visited, knownFrom: this.#history.knownFrom });
    };
  }

  get isFull(): boolean {
    return this.#historyLimit !== undefined && this.#history.size >= this.#historyLimit.maxCharacters;
  }

  /** Adds to the history, each item in the place of its turn, and writes it in one operation. Returns the items as they are stored. */
  append(items: readonly HistoryItem[], metrics?: TurnMetrics): readonly HistoryItem[] {
    if (items.length === 0 && metrics === undefined) return items;
    if (metrics === undefined && this.lateResults.successor?.lateResults.take(items) === true) return items;
    const placed = items.map((item) => this.places.put(item));
    const told = placed.map((item) => (item.role === "assistant" ? this.#withPromptVersion(item) : item));
    const wasFull = this.isFull;
    const { knownFrom } = this.#history;
    this.#history.add(told);
    if (told.some(({ role, content, agent }) => role === "assistant" && content !== "" && agent === this.#agent.name))
      this.#arrival = this.#arrival && { ...this.#arrival, unheardGreeting: undefined };
    const appendId = this.#appendId(metrics?.turnId ?? "");
    const usedInTurn = metrics && this.#usage?.takeTurn();
    const ofTurn = metrics && { ...this.#withPromptVersion(metrics), ...(usedInTurn && { usage: usedInTurn }) };
    const turnCount = this.#turnCount;
    this.#stored.append(() => ({ items: told, metrics: ofTurn, appendId, turnCount, usage: this.#usage?.take() }));
    if (this.#history.knownFrom !== knownFrom) this.#update({ knownFrom: this.#history.knownFrom });
    if (!wasFull && this.isFull) this.#historyLimit?.onReached();
    return told;
  }

  /** From now on, what the conversation uses is stored with it. */
  meterUsage(usage: MeteredUsage): void {
    this.#usage = usage;
  }

  readonly storesWithTurns = (messages: MessagesOfTurns): unknown => (this.#stored.messages = messages);

  /** What was used since the last words. Requests that have just been cancelled count themselves a moment later. */
  #saveUsage(): void {
    const appendId = this.#appendId("usage");
    const turnCount = this.#turnCount;
    this.#stored.append(() => {
      const usage = this.#usage?.take();
      return usage && { items: [], appendId, turnCount, usage };
    });
  }

  /** Another host that has the session meanwhile may have come to the same version and length. */
  #appendId(purpose: string): string {
    const { claimedAtMs = "", version } = this.record;
    return `${claimedAtMs}-${version}-${this.#history.all.length}-${purpose}`;
  }

  #withPromptVersion<Said extends { readonly agent: string }>(said: Said): Said {
    const promptVersion = this.#catalog.agent(said.agent)?.promptVersion;
    return promptVersion === undefined ? said : { ...said, promptVersion };
  }

  /** Whoever looks for the reason later has no log of what the peer was told. */
  noteFailure(failure: SessionFailure): void {
    this.#failures = [...this.#failures, failure].slice(-keptFailures);
    this.#stored.update({ failures: this.#failures });
  }

  /** Writes nothing if the turn changed nothing else. */
  saveMemory(): void {
    if (this.#saved.memory === this.#memory && this.#saved.visitedAgents === this.#visited) return;
    this.#update({ memory: this.#memory, visitedAgents: this.#visited });
  }

  /** Resolves when it is stored or buffered (see `BufferedSessionStore`), or another host turns out to have the conversation. */
  async beginCalls(begunCalls: BegunCalls): Promise<StorageOutcome> {
    for (const { id } of begunCalls.calls) this.#changes.add(id);
    this.#update({ begunCalls });
    await this.flush();
    if (this.#isTakenOver) return "taken over";
    return this.#isStored(this.sessionId) ? "stored" : "waits";
  }

  /** PERSON-8: on whichever host it continues. Undefined: the agent speaks again. */
  setPerson(person: SessionRecord["person"]): void {
    this.#update({ person });
  }

  /** Sets the end reason, which may become known only when the socket is closed. */
  endsBecause(reason: string): void {
    this.#endReason = reason;
    if (this.#hasEnded) this.#update({ endReason: reason });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Another host has ended the conversation, because it took this host for dead. */
  goOn(): void {
    this.#update({ status: "active", endReason: undefined });
  }

  end(): void {
    this.#hasEnded = true;
    this.lateResults.forget();
    this.#history.close();
    const endReason = this.#endReason;
    this.#saveUsage();
    this.#update({ status: "ended", endReason, person: undefined, memory: this.#memory, visitedAgents: this.#visited });
  }

  /**
   * Another host continues the conversation. `isComplete`: nothing was in progress, so nothing can be lost in between.
   */
  release({ isComplete }: { readonly isComplete: boolean }): void {
    this.lateResults.forget();
    this.#saveUsage();
    this.#update({
      memory: this.#memory,
      visitedAgents: this.#visited,
      hostId: isComplete ? undefined : this.record.hostId,
    });
  }

  /** TAKE-4: tool calls that were left open where the conversation was before. */
  noteLostCalls(nowMs: number): void {
    const { language } = this.#agent.speech;
    this.append(resultsOfLostCalls(this.record.begunCalls, this.#history.all, { nowMs, language }));
  }

  /** Resolves when everything so far is stored or its failure is logged. */
  flush(): Promise<void> {
    return this.#stored.flush();
  }

  #spoken(): SessionCatalog {
    if (this.#speechDefaults === undefined) return this.#compiled;
    return catalogInLanguage(this.#compiled, this.#memory, this.#speechDefaults);
  }

  #update(patch: SessionPatch): void {
    this.#saved = { memory: patch.memory ?? this.#saved.memory, visitedAgents: this.#visited };
    this.#stored.update(patch);
  }
}
