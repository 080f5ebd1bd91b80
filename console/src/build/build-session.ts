/**
 * Agents, scenarios and the table of routes while they are viewed, edited and tried. A change is a draft in this tab, also after a reload,
 * until the user tries it (in a session that it is created for), applies it to all conversations, downloads or discards
 * it.
 */
import { z } from "zod";

import { sortedJson } from "@voice/shared/platform/sorted-json";

import { ApiProblem, describeProblem } from "../api/api-problem.ts";
import { agentDetails } from "../api/build-api.ts";
import type { AgentList, BuildApi, Document, ReleaseList, ToolList } from "../api/build-api.ts";
import type { ScenarioInfo } from "../api/service-api.ts";
import type { StoredValue } from "../stored-value.ts";
import { Store } from "@voice/client-kit/store";
import { isSameDocument, withValue } from "./document-path.ts";
import { isNothing, liveChangeOf } from "./live-change.ts";
import { keyOf, routesPart } from "./part.ts";
import type { Part, PartKind, PartName, PartProblem } from "./part.ts";
import { problemOfPublication } from "./published-problem.ts";
import { agentsIn, documentOf, partOf, withoutField } from "./read-parts.ts";

export interface BuildState {
  readonly agents: AgentList["agents"] | undefined;
  readonly voices: readonly string[];
  /** Undefined until they were read. */
  readonly tools: ToolList | undefined;
  readonly listProblem: string | undefined;
  /** Keyed by `keyOf`. */
  readonly parts: Readonly<Record<string, Part>>;
  readonly isBusy: boolean;
  readonly problem: PartProblem | undefined;
  /** The outcome of the last action, in words. */
  readonly done: string | undefined;
  /** What was published; undefined until it was read, and for those who may not read it. */
  readonly published: ReleaseList | undefined;
  /** The latest conversation that tried something here. */
  readonly trial: BegunTrial | undefined;
  /** False if the browser has no room for the drafts, so that a reload would lose them. */
  readonly areDraftsKept: boolean;
}

const document = z.record(z.string(), z.unknown());

/** What this tab keeps: the parts that were changed, by `keyOf`. */
export const storedDrafts = z.record(
  z.string(),
  z.object({
    kind: z.enum(["agent", "scenario", "routes"]),
    name: z.string(),
    original: document.optional(),
    document,
    effective: agentDetails.pick({ model: true, voice: true }).optional(),
  }),
);

type StoredDrafts = Pick<StoredValue<z.output<typeof storedDrafts>>, "get" | "set">;

/** The parameters of a conversation that tries a draft. */
export interface Trial {
  /** The session created for it; undefined if none was needed. */
  readonly preparedSessionId: string | undefined;
  readonly scenario: string | undefined;
  readonly agent: string | undefined;
}

/** What a conversation tries, as it was when the conversation began. */
interface BegunTrial {
  readonly part: string;
  /** Identifies the content of the documents that are tried. */
  readonly version: string;
  /** Undefined until the conversation has begun. */
  readonly sessionId: string | undefined;
}

export class BuildSession {
  readonly store = new Store<BuildState>({
    agents: undefined,
    voices: [],
    tools: undefined,
    trial: undefined,
    published: undefined,
    listProblem: undefined,
    parts: {},
    isBusy: false,
    problem: undefined,
    done: undefined,
    areDraftsKept: true,
  });
  readonly #api: BuildApi;
  readonly #drafts: StoredDrafts;

  constructor(api: BuildApi, drafts: StoredDrafts) {
    this.#api = api;
    this.#drafts = drafts;
    const kept = Object.entries(drafts.get() ?? {});
    this.store.update({
      parts: Object.fromEntries(
        kept.map(([key, { original, effective, ...draft }]) => [
          key,
          { ...draft, original, effective, isChanged: true },
        ]),
      ),
    });
  }

  /** Runs until the returned function is called. */
  load(): () => void {
    const abort = new AbortController();
    void this.#list(abort.signal);
    return () => abort.abort();
  }

  /** Changes made in this page are kept. */
  open(part: PartName): () => void {
    const abort = new AbortController();
    this.store.update({ done: undefined, problem: undefined });
    if (this.store.get().parts[keyOf(part)]?.isChanged !== true) void this.#read(part, abort.signal);
    return () => abort.abort();
  }

  change(part: PartName, path: string, value: unknown): void {
    const known = this.store.get().parts[keyOf(part)];
    if (known === undefined) return;
    const document = withValue(known.document, path, value);
    this.#put({
      ...known,
      document,
      isChanged: known.original === undefined || !isSameDocument(document, known.original),
    });
    this.store.update({ problem: withoutField(this.store.get().problem, keyOf(part), path), done: undefined });
  }

  discard(part: PartName): void {
    const { parts } = this.store.get();
    const known = parts[keyOf(part)];
    this.store.update({ problem: undefined, done: undefined });
    if (known?.original !== undefined) this.#put({ ...known, document: known.original, isChanged: false });
    else this.#putAll(Object.fromEntries(Object.entries(parts).filter(([key]) => key !== keyOf(part))));
  }

  /** False if there is one of that name already. */
  create(part: PartName, document: Document): boolean {
    const { parts, agents } = this.store.get();
    const isTaken = part.kind === "agent" && agents?.some(({ name }) => name.toLowerCase() === part.name.toLowerCase());
    if (isTaken === true || parts[keyOf(part)] !== undefined) return false;
    this.#put({ ...part, original: undefined, document, isChanged: true, effective: undefined });
    return true;
  }

  changed(kind: PartKind): readonly Part[] {
    return Object.values(this.store.get().parts).filter((part) => part.kind === kind && part.isChanged);
  }

  /**
   * Creates the changed documents for a new session and returns how to begin it. Undefined if the service refuses one.
   */
  async tryOut(part: PartName, scenarioOf: ScenarioInfo | undefined): Promise<Trial | undefined> {
    const own = this.store.get().parts[keyOf(part)];
    const scenario = this.#scenarioToTry(part, scenarioOf);
    const takePart = new Set([part.name, ...agentsIn(scenario?.document ?? scenarioOf)]);
    const agents = this.changed("agent").filter(({ name }) => takePart.has(name));
    const startAgent = scenario?.document["start_agent"];
    let preparedSessionId: string | undefined;
    const isMade = await this.#request(async () => {
      for (const agent of agents)
        preparedSessionId = await this.#blaming(agent, this.#api.makeAgent(agent.document, preparedSessionId));
      if (scenario?.isChanged === true)
        preparedSessionId = await this.#blaming(scenario, this.#api.makeScenario(scenario.document, preparedSessionId));
      return undefined;
    });
    if (!isMade || own === undefined) return undefined;
    const starts = part.kind === "agent" ? part.name : typeof startAgent === "string" ? startAgent : undefined;
    return { preparedSessionId, scenario: scenario?.name ?? scenarioOf?.name, agent: starts };
  }

  /** Names the documents that a trial would begin with: another one after every change to one of them. */
  versionOf(part: PartName, scenarioOf: ScenarioInfo | undefined): string {
    const own = this.store.get().parts[keyOf(part)];
    const scenario = this.#scenarioToTry(part, scenarioOf);
    const takePart = new Set([part.name, ...agentsIn(scenario?.document ?? scenarioOf)]);
    const agents = this.changed("agent").filter(({ name }) => takePart.has(name));
    return sortedJson([scenarioOf?.name, scenario?.document, own?.document, agents.map(({ document: one }) => one)]);
  }

  /** From now on the page's conversation is a trial of this part. */
  beginTrial(part: PartName, version: string): void {
    this.store.update({ trial: { part: keyOf(part), version, sessionId: undefined } });
  }

  /** The trial's conversation has begun. */
  bindTrial(sessionId: string): void {
    const { trial } = this.store.get();
    if (trial !== undefined && trial.sessionId === undefined) this.store.update({ trial: { ...trial, sessionId } });
  }

  /** The parts of an agent that can be changed in a running service: its model and its voice. */
  async applyToAll(part: PartName): Promise<void> {
    const known = this.store.get().parts[keyOf(part)];
    if (known?.original === undefined) return;
    const change = liveChangeOf(known.original, known.document);
    if (isNothing(change)) return;
    await this.#request(() => this.#blaming(known, this.#api.changeAgent(part.name, change)));
  }

  /** Read by operators. */
  async loadPublished(): Promise<void> {
    this.store.update({ published: await this.#api.releases().catch(() => undefined) });
  }

  /** Puts everything that was changed in this tab over the files, for this share of new conversations. */
  async publish(note: string, share: number): Promise<boolean> {
    const [agents, scenarios, [table]] = [this.changed("agent"), this.changed("scenario"), this.changed("routes")];
    const isDone = await this.#request(async () => {
      const documents = (parts: readonly Part[]) => parts.map(({ document: one }) => one);
      const sent = { note, share, agents: documents(agents), scenarios: documents(scenarios) };
      const { version } = await this.#api.publish({ ...sent, route_table: table?.document }).catch((error: unknown) => {
        this.store.update({ problem: problemOfPublication(error, { agents, scenarios, table }) });
        throw error;
      });
      return `Published as version ${version}, for ${share === 100 ? "all" : `${share} % of`} new conversations.`;
    });
    if (!isDone) return false;
    const published = [...agents, ...scenarios, ...(table === undefined ? [] : [table])];
    for (const part of published) this.#put({ ...part, original: part.document, isChanged: false });
    await Promise.all([this.loadPublished(), this.#readTableAgain()]);
    return true;
  }

  /** Rolls back, or shares new conversations out anew. What was read of the parts is of the version before, and is read again. */
  async shareOut(live: ReleaseList["live"]): Promise<void> {
    this.store.update({ isBusy: true, problem: undefined });
    try {
      const published = await this.#api.shareOut(live);
      const { parts } = this.store.get();
      const drafts = Object.entries(parts).filter(([, { isChanged, kind }]) => isChanged || kind === "routes");
      this.store.update({ published, parts: Object.fromEntries(drafts) });
      await this.#readTableAgain();
    } catch (error) {
      this.store.update({ problem: { part: "", sentence: describeProblem(error), fields: [] } });
    } finally {
      this.store.update({ isBusy: false });
    }
  }

  release(version: number) {
    return this.#api.release(version);
  }

  /** It names the version that it is of. */
  async #readTableAgain(): Promise<void> {
    const isShown = this.store.get().parts[keyOf(routesPart)]?.isChanged === false;
    if (isShown) await this.#read(routesPart, new AbortController().signal);
  }

  #scenarioToTry(part: PartName, scenarioOf: ScenarioInfo | undefined): Part | undefined {
    const { parts } = this.store.get();
    if (part.kind === "scenario") return parts[keyOf(part)];
    return scenarioOf === undefined ? undefined : parts[keyOf({ kind: "scenario", name: scenarioOf.name })];
  }

  async #list(signal: AbortSignal): Promise<void> {
    try {
      const [{ agents, available_voices: voices }, tools] = await Promise.all([
        this.#api.agents(signal),
        this.#api.tools(signal).catch(() => undefined), // an older service has no such list, and names can be typed
      ]);
      if (signal.aborted) return;
      this.store.update({ agents, tools, voices: Object.values(voices).flat(), listProblem: undefined });
    } catch (error) {
      if (!signal.aborted) this.store.update({ listProblem: describeProblem(error) });
    }
  }

  async #read(part: PartName, signal: AbortSignal): Promise<void> {
    try {
      const read = await this.#readPart(part, signal);
      if (!signal.aborted) this.#put(read);
    } catch (error) {
      if (!signal.aborted) this.#blame(part, error);
    }
  }

  async #readPart(part: PartName, signal: AbortSignal): Promise<Part> {
    switch (part.kind) {
      case "agent":
        return this.#readAgent(part, signal);
      case "scenario":
        return this.#readScenario(part, signal);
      case "routes":
        return partOf("routes", part.name, await this.#api.routeTable(signal), undefined);
    }
  }

  async #readAgent({ name }: PartName, signal: AbortSignal): Promise<Part> {
    const details = await this.#api.agent(name, signal);
    return partOf("agent", details.name, details.definition, details);
  }

  async #readScenario({ name }: PartName, signal: AbortSignal): Promise<Part> {
    const details = await this.#api.scenario(name, signal);
    return partOf("scenario", details.name, documentOf(details), undefined);
  }

  #put(part: Part): void {
    this.#putAll({ ...this.store.get().parts, [keyOf(part)]: part });
  }

  #putAll(parts: BuildState["parts"]): void {
    this.store.update({ parts, areDraftsKept: this.#keep(parts) });
  }

  /** False if the browser's storage is full or switched off. */
  #keep(parts: BuildState["parts"]): boolean {
    const changed = Object.entries(parts).filter(([, { isChanged }]) => isChanged);
    try {
      this.#drafts.set(changed.length === 0 ? undefined : Object.fromEntries(changed));
      return true;
    } catch (error) {
      if (error instanceof DOMException) return false;
      throw error;
    }
  }

  async #request(ask: () => Promise<string | undefined>): Promise<boolean> {
    this.store.update({ isBusy: true, done: undefined, problem: undefined });
    try {
      this.store.update({ isBusy: false, done: await ask() });
      return true;
    } catch (error) {
      this.store.update({ isBusy: false });
      if (this.store.get().problem === undefined) throw error;
      return false;
    }
  }

  async #blaming<T>(part: PartName, asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      this.#blame(part, error);
      throw error;
    }
  }

  #blame(part: PartName, error: unknown): void {
    const fields = error instanceof ApiProblem ? error.fields : [];
    const sentence =
      fields.length === 0 ? describeProblem(error) : `${part.name} cannot be made as it is: see what is marked.`;
    this.store.update({ problem: { part: keyOf(part), sentence, fields } });
  }
}
