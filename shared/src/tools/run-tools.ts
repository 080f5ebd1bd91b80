/**
 * Runs the tool calls of one model step. They run in parallel up to a limit, except that calls which take turns run in
 * order. Each has its own time-out, and the model always receives one answer per call. Any error inside a tool becomes
 * a result that the model can speak about or correct; nothing is thrown.
 */
import { packOf } from "../languages/packs.ts";
import { z } from "zod";
import { BadRequestError, toVoiceError } from "../platform/errors.ts";
import { sortedJson } from "../platform/sorted-json.ts";
import { calledOff, callIsOver, tookTooLong } from "./called-off.ts";
import { limitResult } from "./limit-result.ts";
import { failed, faulted, outcomeUnknown, unknownOutcome } from "./outcome.ts";
import { NotDoneError } from "./not-done-error.ts";
import { hasLastingEffect } from "./tool.ts";
import type { ToolCall } from "./tool-call.ts";
import type { Tool, ToolContext, ToolEffect, ToolOutcome } from "./tool.ts";
import { readWritten, shownArguments } from "./written-arguments.ts";

/** After this much silence a caller wonders whether they were heard. */
export const slowNoticeMs = 900;
const defaultParallelLimit = 4;
const unknownTool = "unknown_tool";

export interface ToolCallResult {
  readonly call: ToolCall;
  /** In the model's own text if they do not fit the tool. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly status: "success" | "error";
  /** See `ToolOutcome`. */
  readonly isFault?: true | undefined;
  readonly durationMs: number;
  /** This call's change to the session's memory; those of one step are merged in the order of the calls. */
  readonly memory: Readonly<Record<string, unknown>>;
  readonly effects: readonly ToolEffect[];
}

export interface RunToolsOptions {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly context: Omit<ToolContext, "signal">;
  /**
   * Aborted when the caller interrupts or the session ends. Tools with the policy `finish` continue if they have started: either the caller
   * has spoken, or the call has left this host, which cannot know whether another host has it.
   */
  readonly interrupted: AbortSignal;
  /** Aborted when the results of running look-ups are no longer needed. If absent, look-ups end with `interrupted`. */
  readonly dropped?: AbortSignal | undefined;
  /** Running look-ups, by the key under which calls are the same; an identical call waits for the one that is running (TOOL-10). */
  readonly running?: Map<string, Promise<ToolCallResult>> | undefined;
  /** The results of the calls just before these in the same turn (TOOL-9). */
  readonly before?: readonly Pick<ToolCallResult, "call" | "args" | "result" | "effects">[] | undefined;
  /** Said once per step, however many tools are slow. */
  readonly onSlow?: ((text: string) => void) | undefined;
  readonly parallelLimit?: number | undefined;
  /** TOOL-1: the most characters of a result, as JSON. */
  readonly resultLimit?: number | undefined;
}

/** In the order of the calls. Identical ones run once (TOOL-8). */
export async function runTools(calls: readonly ToolCall[], options: RunToolsOptions): Promise<ToolCallResult[]> {
  const cancelNotice = scheduleSlowNotice(calls, options);
  const results: ToolCallResult[] = [];
  const waiting = [...calls.entries()];
  const { runInTurn } = takeTurns(options);
  const begun = new Map<string, Promise<ToolCallResult>>();
  const runOnce = async (call: ToolCall): Promise<ToolCallResult> => {
    const read = readCall(call, options.tools);
    const key = keyOf(read);
    const same = begun.get(key) ?? options.running?.get(key);
    if (same !== undefined) return sameResult(call, await same);
    const running = "tool" in read && read.tool.takesTurns === true ? runInTurn(read) : runTool(read, options);
    begun.set(key, running);
    return "tool" in read && !hasLastingEffect(read.tool) ? shared(key, running, options) : running;
  };
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, call] = next;
      results[index] = await runOnce(call);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.parallelLimit ?? defaultParallelLimit }, worker));
  } finally {
    cancelNotice();
  }
  return results;
}

/** The memory change and the effect of a call are applied once, for the call that ran. */
function sameResult(call: ToolCall, result: ToolCallResult): ToolCallResult {
  return { ...result, call, memory: {}, effects: [] };
}

async function shared(
  key: string,
  call: Promise<ToolCallResult>,
  { running }: RunToolsOptions,
): Promise<ToolCallResult> {
  running?.set(key, call);
  const result = await call;
  running?.delete(key);
  return result;
}

/** Whether there is no tool with the name that the model wrote. Such a name may be any text, so telemetry omits it. */
export function isUnknownTool(result: unknown): boolean {
  return typeof result === "object" && result !== null && "error" in result && result.error === unknownTool;
}

/**
 * Runs calls that take turns one after the other. Otherwise three guesses at a PIN in one step would count as one, and
 * the later of two changes to a list would undo the earlier one.
 */
function takeTurns(options: RunToolsOptions): { runInTurn(call: ReadCall): Promise<ToolCallResult> } {
  let { memory } = options.context;
  let last: Promise<unknown> | undefined;
  return {
    runInTurn(call) {
      const before = last;
      const mine = (async () => {
        if (before !== undefined) await before;
        const result = await runTool(call, { ...options, context: { ...options.context, memory } });
        memory = { ...memory, ...result.memory };
        return result;
      })();
      last = mine;
      return mine;
    },
  };
}

type ReadCall =
  | { readonly call: ToolCall; readonly tool: Tool; readonly args: Readonly<Record<string, unknown>> }
  /** What the model has to correct. */
  | { readonly call: ToolCall; readonly refusal: ToolOutcome };

function readCall(call: ToolCall, tools: ReadonlyMap<string, Tool>): ReadCall {
  const tool = tools.get(call.name);
  if (tool === undefined) {
    const known = [...tools.keys()].join(", ");
    return { call, refusal: faulted(unknownTool, `There is no tool "${call.name}". The tools are: ${known}.`) };
  }
  const args = readArguments(tool, call.argumentsJson);
  return "problem" in args
    ? { call, refusal: faulted("invalid_arguments", args.problem) }
    : { call, tool, args: args.value };
}

/** The name, and the arguments in whatever order their keys were written. */
function callKey(name: string, args: unknown): string {
  return `${name} ${sortedJson(args)}`;
}

/** The key under which two calls are the same (TOOL-8, TOOL-10). */
export function sameCallKey(call: ToolCall, tools: ReadonlyMap<string, Tool>): string {
  return keyOf(readCall(call, tools));
}

/** The arguments as the tool reads them, including its defaults; if they do not fit, the model's own text. */
function keyOf(read: ReadCall): string {
  return callKey(read.call.name, "args" in read ? read.args : read.call.argumentsJson);
}

async function runTool(read: ReadCall, options: RunToolsOptions): Promise<ToolCallResult> {
  const { clock } = options.context;
  const { call } = read;
  const startedAt = clock.now();
  const finish = (args: ToolCallResult["args"], outcome: ToolOutcome): ToolCallResult => ({
    call,
    args,
    result: limitResult(outcome.result, options.resultLimit),
    status: outcome.result["success"] === false ? "error" : "success",
    ...(outcome.isFault === true && { isFault: true }),
    durationMs: clock.now() - startedAt,
    memory: outcome.memory ?? {},
    effects: outcome.effects ?? [],
  });
  if ("refusal" in read) return finish(shownArguments(call.argumentsJson), read.refusal);
  const { tool, args } = read;
  return finish(args, alreadyDone(read, options) ?? (await runBounded(tool, args, options)));
}

/**
 * TOOL-9: a model that repeats a call immediately has not understood its result; a second booking is not what the caller asked for. A call
 * whose effect the host carries out, such as pressing a key, may be meant twice.
 */
function alreadyDone(
  { tool, args }: Extract<ReadCall, { readonly tool: Tool }>,
  { before = [] }: RunToolsOptions,
): ToolOutcome | undefined {
  if (!hasLastingEffect(tool)) return undefined;
  const key = callKey(tool.name, args);
  const same = before.find((earlier) => callKey(earlier.call.name, earlier.args) === key);
  if (same === undefined || same.effects.length > 0) return undefined;
  const isUnknown = same.result["error"] === outcomeUnknown;
  if (same.result["success"] === false && !isUnknown) return undefined;
  if (isUnknown && tool.isIdempotent === true) return undefined;
  const note = "This is the result of the same call just before; it was not made again.";
  const { note: first } = same.result;
  return { result: { ...same.result, note: typeof first === "string" ? `${first} ${note}` : note } };
}

type Arguments = { readonly value: Readonly<Record<string, unknown>> } | { readonly problem: string };

function readArguments(tool: Tool, json: string): Arguments {
  const written = readWritten(json);
  if ("problem" in written) return { problem: `The arguments are not JSON (${written.problem}). Call again.` };
  const parsed = tool.parameters.safeParse(written.value);
  if (parsed.success) return { value: parsed.data };
  return {
    problem: `The arguments do not fit: ${z.prettifyError(parsed.error).replaceAll("\n", " ")}. Correct them and call again.`,
  };
}

/**
 * A rejection of the tool becomes data, and the losing side of the race keeps a handler, so that no rejection is
 * unhandled.
 */
async function runBounded(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  options: RunToolsOptions,
): Promise<ToolOutcome> {
  const { context, interrupted, dropped = interrupted } = options;
  const { clock } = context;
  const abort = new AbortController();
  const bound = new Promise<ToolOutcome>((resolve) => {
    // A tool that is stopped may still report what it knows, such as that nothing was sent; that has priority.
    const stop = (outcome: ToolOutcome, reason: DOMException): void => {
      abort.abort(reason);
      setImmediate(() => resolve(outcome));
    };
    const cancelTimer = clock.setTimer(tool.timeoutMs, () => stop(afterTimeout(tool, context), tookTooLong));
    const onInterrupted = (): void => stop(failed("cancelled", "The caller interrupted; nothing was done."), calledOff);
    if (interrupted.aborted) onInterrupted();
    else if (tool.onInterruption === "cancel")
      dropped.addEventListener("abort", onInterrupted, { once: true, signal: abort.signal });
    abort.signal.addEventListener("abort", cancelTimer, { once: true });
  });
  if (abort.signal.aborted) return await bound;
  const run = async (): Promise<ToolOutcome> => {
    try {
      return await tool.run(args, { ...context, signal: abort.signal });
    } catch (error) {
      if (abort.signal.aborted && !saysNothingDone(error)) return await bound;
      return afterFailure(tool, error, context);
    }
  };
  const outcome = await Promise.race([run(), bound]);
  abort.abort(callIsOver);
  return outcome;
}

/** TOOL-2: a request without a response may have been carried out. */
function afterTimeout(tool: Tool, context: RunToolsOptions["context"]): ToolOutcome {
  const why = `"${tool.name}" took too long.`;
  if (hasLastingEffect(tool)) return unknownOutcome(why, tool, context);
  return faulted("timeout", `${why} Tell the caller, and offer to try again.`);
}

/** TOOL-4: a tool that failed in the middle of a change may have made it. */
function afterFailure(tool: Tool, error: unknown, context: RunToolsOptions["context"]): ToolOutcome {
  const { code } = toVoiceError(error);
  if (!hasLastingEffect(tool)) return faulted(code, `"${tool.name}" failed. Tell the caller, and offer another way.`);
  if (!saysNothingDone(error)) return unknownOutcome(`"${tool.name}" failed while it ran.`, tool, context);
  return faulted(code, `"${tool.name}" failed, and nothing was done. Tell the caller, and offer another way.`);
}

function saysNothingDone(error: unknown): boolean {
  return error instanceof NotDoneError || error instanceof BadRequestError;
}

function scheduleSlowNotice(calls: readonly ToolCall[], options: RunToolsOptions): () => void {
  const notice = calls.map((call) => options.tools.get(call.name)?.slowNotice).find((text) => text !== undefined);
  const { onSlow } = options;
  if (notice === undefined || onSlow === undefined) return () => undefined;
  return options.context.clock.setTimer(slowNoticeMs, () => {
    if (options.interrupted.aborted) return;
    onSlow(typeof notice === "string" ? notice : packOf(options.context.language).sentences.toolIsSlow);
  });
}
