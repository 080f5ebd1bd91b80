/**
 * Runs the tool calls of one model step. They run in parallel up to a limit, except that calls which take turns run in
 * order. Each has its own time-out, and the model always receives one answer per call. Any error inside a tool becomes
 * a result that the model can speak about or correct; nothing is thrown.
 */
import { packOf } from "../languages/packs.ts";
import { z } from "zod";
import { toVoiceError } from "../platform/errors.ts";
import { calledOff, callIsOver, tookTooLong } from "./called-off.ts";
import { limitResult } from "./limit-result.ts";
import type { Tool, ToolContext, ToolEffect, ToolOutcome } from "./tool.ts";

/** After this much silence a caller wonders whether they were heard. */
export const defaultSlowNoticeMs = 900;
const defaultParallelLimit = 4;
const unknownTool = "unknown_tool";

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote it. */
  readonly argumentsJson: string;
}

export interface ToolCallResult {
  readonly call: ToolCall;
  /** Empty if the arguments could not be parsed. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly status: "success" | "error";
  readonly durationMs: number;
  /** This call's change to the session's memory; `mergedMemory` combines those of all calls. */
  readonly memory: Readonly<Record<string, unknown>>;
  readonly effects: readonly ToolEffect[];
}

export interface RunToolsOptions {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly context: Omit<ToolContext, "signal">;
  /**
   * Aborted when the caller interrupts or the session ends. Tools with the policy `finish` continue, if they have begun:
   * the caller has spoken, or the call has left this host, which cannot know whether another one has it.
   */
  readonly interrupted: AbortSignal;
  /** Said once per step, however many tools are slow. */
  readonly onSlow?: ((text: string) => void) | undefined;
  readonly slowNoticeMs?: number | undefined;
  readonly parallelLimit?: number | undefined;
  /** TOOL-1: the most characters of a result, as JSON. */
  readonly resultLimit?: number | undefined;
}

/** In the order of the calls. */
export async function runTools(calls: readonly ToolCall[], options: RunToolsOptions): Promise<ToolCallResult[]> {
  const cancelNotice = scheduleSlowNotice(calls, options);
  const results: ToolCallResult[] = [];
  const waiting = [...calls.entries()];
  const { runInTurn } = takeTurns(options);
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, call] = next;
      const turns = options.tools.get(call.name)?.takesTurns === true;
      results[index] = await (turns ? runInTurn(call) : runTool(call, options));
    }
  };
  try {
    await Promise.all(Array.from({ length: options.parallelLimit ?? defaultParallelLimit }, worker));
  } finally {
    cancelNotice();
  }
  return results;
}

/** Whether there is no tool of the name that the model wrote. Such a name may be anything, so telemetry leaves it out. */
export function isUnknownTool(result: unknown): boolean {
  return typeof result === "object" && result !== null && "error" in result && result.error === unknownTool;
}

/** Memory patches of one step, merged in the order of the calls. */
export function mergedMemory(results: readonly ToolCallResult[]): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...results.map((result) => result.memory));
}

/**
 * Runs calls that take turns one after the other. Otherwise three guesses at a PIN in one step would count as one, and
 * the later of two changes to a list would undo the earlier one.
 */
function takeTurns(options: RunToolsOptions): { runInTurn(call: ToolCall): Promise<ToolCallResult> } {
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

async function runTool(call: ToolCall, options: RunToolsOptions): Promise<ToolCallResult> {
  const { clock } = options.context;
  const startedAt = clock.now();
  const finish = (args: ToolCallResult["args"], outcome: ToolOutcome): ToolCallResult => ({
    call,
    args,
    result: limitResult(outcome.result, options.resultLimit),
    status: outcome.result["success"] === false ? "error" : "success",
    durationMs: clock.now() - startedAt,
    memory: outcome.memory ?? {},
    effects: outcome.effects ?? [],
  });
  const tool = options.tools.get(call.name);
  if (tool === undefined) {
    const known = [...options.tools.keys()].join(", ");
    return finish({}, failure(unknownTool, `There is no tool "${call.name}". The tools are: ${known}.`));
  }
  const args = readArguments(tool, call.argumentsJson);
  if ("problem" in args) return finish({}, failure("invalid_arguments", args.problem));
  return finish(args.value, await runBounded(tool, args.value, options));
}

type Arguments = { readonly value: Readonly<Record<string, unknown>> } | { readonly problem: string };

function readArguments(tool: Tool, json: string): Arguments {
  let value: unknown;
  try {
    value = JSON.parse(json.trim() === "" ? "{}" : json);
  } catch (error) {
    return {
      problem: `The arguments are not JSON (${error instanceof Error ? error.message : "unreadable"}). Call again.`,
    };
  }
  const parsed = tool.parameters.safeParse(value);
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
  const { clock } = options.context;
  const abort = new AbortController();
  const bound = new Promise<ToolOutcome>((resolve) => {
    const stop = (outcome: ToolOutcome, reason: DOMException): void => {
      resolve(outcome);
      abort.abort(reason);
    };
    const cancelTimer = clock.setTimer(tool.timeoutMs, () =>
      stop(failure("timeout", `"${tool.name}" took too long. ${afterTimeout(tool)}`), tookTooLong),
    );
    const onInterrupted = (): void =>
      stop(failure("cancelled", "The caller interrupted; nothing was done."), calledOff);
    if (options.interrupted.aborted) onInterrupted();
    else if (tool.onInterruption === "cancel")
      options.interrupted.addEventListener("abort", onInterrupted, { once: true, signal: abort.signal });
    abort.signal.addEventListener("abort", cancelTimer, { once: true });
  });
  if (abort.signal.aborted) return await bound;
  const run = async (): Promise<ToolOutcome> => {
    try {
      return await tool.run(args, { ...options.context, signal: abort.signal });
    } catch (error) {
      return failure(toVoiceError(error).code, `"${tool.name}" failed. Tell the caller, and offer another way.`);
    }
  };
  const outcome = await Promise.race([run(), bound]);
  abort.abort(callIsOver);
  return outcome;
}

/** TOOL-2: a request that nobody has answered may have been carried out. */
function afterTimeout({ onInterruption, isRepeatable }: Tool): string {
  return onInterruption === "finish" && isRepeatable !== true
    ? "It may have been done all the same. Tell the caller that you cannot tell, and do not call it again unless the caller asks for that."
    : "Tell the caller, and offer to try again.";
}

function scheduleSlowNotice(calls: readonly ToolCall[], options: RunToolsOptions): () => void {
  const notice = calls.map((call) => options.tools.get(call.name)?.slowNotice).find((text) => text !== undefined);
  const { onSlow } = options;
  if (notice === undefined || onSlow === undefined) return () => undefined;
  return options.context.clock.setTimer(options.slowNoticeMs ?? defaultSlowNoticeMs, () => {
    if (options.interrupted.aborted) return;
    onSlow(typeof notice === "string" ? notice : packOf(options.context.language).sentences.toolIsSlow);
  });
}

function failure(error: string, message: string): ToolOutcome {
  return { result: { success: false, error, message } };
}
