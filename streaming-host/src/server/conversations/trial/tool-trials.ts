/** The tools of this host, tried by operators one at a time and in no conversation (BUILD-6 in docs/agents.md). */
import { ownerOf, type Caller } from "@voice/shared/auth/caller";
import { readOwner } from "@voice/shared/auth/tenant";
import type { ToolDescription, ToolTrialOutcome, TryTool } from "@voice/shared/contracts/stream/tool-trial";
import { packOf } from "@voice/shared/languages/packs";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import type { Customer, CustomerSource } from "@voice/shared/tools/customer";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { outcomeUnknown, succeeded } from "@voice/shared/tools/outcome";
import { runTools, type ToolCallResult } from "@voice/shared/tools/run-tools";
import { hasLastingEffect, type Tool, type ToolContext } from "@voice/shared/tools/tool";
import type { Host } from "../../../host/host.ts";
import { toolDefinition } from "../../../pipeline/cascade/tool-definition.ts";
import { createBoundCustomer, noSuchProfile } from "../open/bound-customer.ts";
import { guessCountKey } from "../run/guess-count-key.ts";
import type { SessionCatalogs } from "../open/session-catalogs.ts";

/** Running at the same time on a host: a trial may take half a minute, and callers' tools have the same connections. */
const mostRunning = 4;

interface TrialParts {
  readonly catalogs: Pick<SessionCatalogs, "deployedAgent">;
  readonly customers: CustomerSource;
  readonly findTool: (name: string) => Tool | undefined;
}

export class ToolTrials {
  readonly #parts: TrialParts;
  #running = 0;

  constructor(parts: TrialParts) {
    this.#parts = parts;
  }

  /** One for each socket. `from`: the client's address, as proxies report it. */
  begin(host: Host, caller: Caller, from: string | undefined): ToolTrial {
    return new ToolTrial(host, this.#parts, { caller, from, takePlace: () => this.#takePlace() });
  }

  /** Returns the function that frees the place, or undefined if there is none. */
  #takePlace(): (() => void) | undefined {
    if (this.#running >= mostRunning) return undefined;
    this.#running += 1;
    return () => {
      this.#running -= 1;
    };
  }
}

interface TrialOperator {
  readonly caller: Caller;
  readonly from: string | undefined;
  readonly takePlace: () => (() => void) | undefined;
}

type Memory = Readonly<Record<string, unknown>>;

/**
 * Runs tools for one operator as a conversation would: by the same runner, with the same time limits, checks and sizes. What tools remember
 * is held here and ends with the socket, so that one tool can rest on another and no caller's conversation has any of it.
 */
class ToolTrial {
  /** Takes the place of a session's id, for tools and in the log. */
  readonly sessionId = createId("trial");
  readonly #host: Host;
  readonly #parts: TrialParts;
  readonly #operator: TrialOperator;
  #memory: Memory = {};
  #isRunning = false;

  constructor(host: Host, parts: TrialParts, operator: TrialOperator) {
    this.#host = host;
    this.#parts = parts;
    this.#operator = operator;
  }

  /** Undefined if there is no such tool on this host now. */
  async describe(name: string, agent: string | undefined): Promise<ToolDescription | undefined> {
    const tool = this.#parts.findTool(name);
    if (tool === undefined) return undefined;
    const { description, parameters } = toolDefinition(tool);
    return {
      tool: tool.name,
      description,
      parameters,
      changes: changesOf(tool),
      timeout_ms: tool.timeoutMs,
      slow_notice: slowNoticeOf(tool, (await this.#settingOf(agent)).language),
      memory: this.#memory,
    };
  }

  /** Never rejects. `left`: the operator's page is gone. */
  async attempt(request: TryTool, left: AbortSignal): Promise<ToolTrialOutcome> {
    const tool = this.#parts.findTool(request.tool);
    if (tool === undefined) return this.#notRun(request, undefined, `There is no tool "${request.tool}" here now.`);
    if (this.#isRunning) return this.#notRun(request, tool, "The tool before it is still running. Wait for it.");
    const leave = this.#operator.takePlace();
    if (leave === undefined)
      return this.#notRun(request, tool, "As many tools are being tried as this host takes at a time. Try again soon.");
    this.#isRunning = true;
    try {
      return await this.#run(request, tool, left);
    } catch (error) {
      if (error instanceof BadRequestError) return this.#notRun(request, tool, error.message);
      const { code } = toVoiceError(error);
      this.#host.logger.warn({ error, code, tool: tool.name, sessionId: this.sessionId }, "a tool could not be tried");
      return this.#notRun(request, tool, "What the tool needs cannot be read now. Try again.");
    } finally {
      this.#isRunning = false;
      leave();
    }
  }

  async #run(request: TryTool, tool: Tool, left: AbortSignal): Promise<ToolTrialOutcome> {
    const context = await this.#contextFor(request);
    const changes = changesOf(tool);
    const isHeld = changes !== "nothing" && !request.confirmed;
    let wasSlow = false;
    const [ran] = await runTools(
      [{ id: request.id, name: tool.name, argumentsJson: JSON.stringify(request.arguments) }],
      {
        tools: new Map([[tool.name, isHeld ? onlyChecked(tool) : tool]]),
        context,
        interrupted: left,
        onSlow: () => {
          wasSlow = true;
        },
        resultLimit: this.#host.settingsNow().toolResultLimit,
      },
    );
    if (ran === undefined) throw new Error("the runner gives one result for each call");
    const isChecked = isHeld && ran.status === "success";
    const outcome = isChecked ? "needs_confirmation" : outcomeOf(ran);
    this.#memory = { ...this.#memory, ...ran.memory };
    if (!isHeld) this.#note(request, ran, changes);
    return {
      id: request.id,
      tool: tool.name,
      outcome,
      problem: null,
      changes,
      result: isChecked ? null : ran.result,
      duration_ms: ran.durationMs,
      was_slow: wasSlow,
      effects: ran.effects.map((effect) => ({ ...effect })),
      memory: this.#memory,
    };
  }

  async #contextFor({ profile_id: profileId, agent = "" }: TryTool): Promise<Omit<ToolContext, "signal">> {
    const { state, clock, settings, settingsNow } = this.#host;
    const { sessionId } = this;
    const { language, knowledge } = await this.#settingOf(agent);
    const customer = profileId === null ? undefined : await this.#customer(profileId);
    const guesser = ownerOf(this.#operator.caller);
    return {
      sessionId,
      turnId: createId("turn"),
      agent,
      memory: this.#memory,
      clock,
      customer,
      // An operator may not guess at anybody more often than a caller.
      checks: createIdentityChecks(
        state.counters,
        () => guessCountKey(profileId ?? undefined, guesser, sessionId),
        settings.environment === "development",
      ),
      knowledge,
      language,
      timeZone: settingsNow().timeZone,
    };
  }

  /** An agent that nobody has deployed speaks the service's language, and has no documents. */
  async #settingOf(agent: string | undefined): Promise<Pick<ToolContext, "knowledge" | "language">> {
    const deployed = agent === undefined ? undefined : await this.#parts.catalogs.deployedAgent(agent);
    const language = deployed?.speech.language ?? this.#host.settingsNow().sttLanguage;
    return { language, knowledge: deployed?.knowledge };
  }

  /** Rejects if there is none of this id, or not for this operator (CUSTOMER-1). */
  async #customer(customerId: string | undefined): Promise<Customer | undefined> {
    const { customers } = this.#parts;
    const { caller } = this.#operator;
    const facts = { subject: readOwner(ownerOf(caller)).subject };
    const bound = createBoundCustomer(customers, facts);
    if (customerId !== undefined) {
      const found = await customers.find({ ...facts, sessionId: this.sessionId, customerId, namedBy: caller });
      if (found === undefined) throw noSuchProfile();
      await bound.bind(customerId);
    }
    return bound.forTools(this.sessionId);
  }

  /** BUILD-10: names and ids, never what the tool was given or has answered. */
  #note({ agent, profile_id: profileId }: TryTool, ran: ToolCallResult, changes: ToolTrialOutcome["changes"]): void {
    const { auditTrail, logger } = this.#host;
    const { caller, from } = this.#operator;
    const { name: tool } = ran.call;
    const names = {
      tool,
      ...(agent !== undefined && { agent }),
      ...(typeof profileId === "string" && { profile_id: profileId }),
    };
    auditTrail.record({
      subject: caller.subject,
      action: "tryTool",
      what: names,
      outcome: ran.status === "success" ? "done" : "failed",
      status: 200,
      from,
      isRepeatable: changes === "nothing",
    });
    logger.info(
      { tool, sessionId: this.sessionId, subject: caller.subject, outcome: outcomeOf(ran), durationMs: ran.durationMs },
      "an operator tried a tool",
    );
  }

  #notRun({ id, tool: name }: TryTool, tool: Tool | undefined, problem: string): ToolTrialOutcome {
    return {
      id,
      tool: name,
      outcome: "not_run",
      problem,
      changes: tool === undefined ? "not_known" : changesOf(tool),
      result: null,
      duration_ms: 0,
      was_slow: false,
      effects: [],
      memory: this.#memory,
    };
  }
}

function changesOf(tool: Tool): ToolTrialOutcome["changes"] {
  if (!hasLastingEffect(tool)) return "nothing";
  return tool.hasUnknownEffect === true ? "not_known" : "something";
}

/** BUILD-7: the runner checks the arguments as it does before a run. */
function onlyChecked(tool: Tool): Tool {
  return { ...tool, run: () => Promise.resolve(succeeded({})) };
}

function slowNoticeOf({ slowNotice }: Tool, language: string | undefined): string | null {
  if (slowNotice === undefined) return null;
  return typeof slowNotice === "string" ? slowNotice : packOf(language).sentences.toolIsSlow;
}

function outcomeOf({ status, result: { error }, isFault }: ToolCallResult): ToolTrialOutcome["outcome"] {
  if (status === "success") return "done";
  if (error === outcomeUnknown) return "not_known";
  if (isFault !== true) return "not_done";
  if (error === "invalid_arguments") return "invalid_arguments";
  return error === "timeout" ? "timed_out" : "failed";
}
