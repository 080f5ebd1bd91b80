/** Adapts a tool from TOOLS_DIR to the tool type that the rest of the service uses. */
import { z } from "zod";
import type { DefinedTool, ToolContext as CodeToolContext } from "@voice/tool-kit";
import { VoiceError } from "../../platform/errors.ts";
import { countedTry } from "../identity/identity-checks.ts";
import type { Logger } from "../../platform/logger.ts";
import { isCalledOff, tookTooLong } from "../called-off.ts";
import { defaultTimeoutMs } from "../define-tool.ts";
import { doneUnread } from "../outcome.ts";
import { describesNothingThrown } from "./describe-thrown.ts";
import type { DescribeThrown } from "./describe-thrown.ts";
import { logAttributes } from "./log-attributes.ts";
import type { Tool, ToolContext, ToolOutcome } from "../tool.ts";
import { forVerifiedCallers } from "../verified-caller.ts";

/**
 * The limit of everything that a conversation remembers. Its record is written with every turn and read by every process that serves it, so
 * a memory of a megabyte would take the store's time from all other conversations.
 */
export const maxMemoryCharacters = 64_000;

export function createCodeTool(definition: DefinedTool, logger: Logger, words = describesNothingThrown): Tool {
  const tool = adapted(definition, logger, words);
  return definition.verifiedCaller === true ? forVerifiedCallers(tool) : tool;
}

function adapted(definition: DefinedTool, logger: Logger, words: DescribeThrown): Tool {
  const { name, description, parameters, sideEffects = false, timeoutMs = defaultTimeoutMs, slowNotice } = definition;
  return {
    name,
    description,
    parameters,
    resultFields: definition.result && Object.keys(definition.result.shape),
    timeoutMs,
    onInterruption: sideEffects ? "finish" : "cancel",
    takesTurns: sideEffects,
    slowNotice,
    async run(args, context): Promise<ToolOutcome> {
      const log = logger.child({ tool: name, sessionId: context.sessionId });
      const remembered: Record<string, unknown> = {};
      // Most code ignores the signal, and would otherwise exceed its time without any log line.
      const onAbort = (): void => {
        if (context.signal.reason === tookTooLong) log.warn({ timeoutMs }, "a tool of TOOLS_DIR took too long");
      };
      context.signal.addEventListener("abort", onAbort, { once: true });
      try {
        const told = await definition.run(args, contextFor(context, log, remembered));
        const result = readResult(definition, told);
        if (!(result instanceof VoiceError)) return { result, memory: remembered };
        if (!sideEffects) throw result;
        log.warn(
          { error: result, ...words(result) },
          "a tool of TOOLS_DIR has done its work, and its result cannot be used",
        );
        return { ...doneUnread("is not of the promised form", context), memory: remembered };
      } catch (error) {
        const said = failure.safeParse(error);
        if (said.success) return { result: asJson(said.data) };
        // The model is only informed that the tool failed, so only the log can show where.
        const isTold = isCalledOff(context.signal) || error === tookTooLong;
        if (!isTold) log.warn({ error, ...words(error) }, "a tool of TOOLS_DIR failed");
        throw error;
      } finally {
        context.signal.removeEventListener("abort", onAbort);
      }
    },
  };
}

function contextFor(context: ToolContext, log: Logger, remembered: Record<string, unknown>): CodeToolContext {
  const { sessionId, agent, memory, customer, signal, clock, checks, language, timeZone = "UTC" } = context;
  return {
    sessionId,
    agent,
    memory,
    customer,
    signal,
    language,
    timeZone,
    attempts: {
      count: (proof) => countedTry(checks, readProof(proof)),
      clear: (proof) => checks.clearTries(readProof(proof)),
    },
    isDevelopment: checks.showsCodes,
    log: {
      info: (message, attributes = {}) => log.info(logAttributes(attributes), message),
      warn: (message, attributes = {}) => log.warn(logAttributes(attributes), message),
    },
    now: () => clock.wallNow(),
    remember(values) {
      const merged = { ...remembered, ...asJson(values) };
      const held = JSON.stringify({ ...memory, ...merged }).length;
      // A client may have filled it with its context, so a change that makes it smaller is still allowed.
      if (held > maxMemoryCharacters && held > JSON.stringify(memory).length)
        throw new VoiceError(
          "internal_error",
          `remember: the conversation's memory would have ${held} characters of JSON, and may have ${maxMemoryCharacters}`,
        );
      Object.assign(remembered, merged);
    },
  };
}

/** It becomes part of a key in the store. */
function readProof(proof: string): string {
  if (/^[a-z][a-z0-9_]{0,63}$/.test(proof)) return proof;
  throw new VoiceError(
    "internal_error",
    "attempts: the name of a proof has lowercase letters, digits and _, and at most 64",
  );
}

const failure = z.looseObject({ success: z.literal(false), error: z.string(), message: z.string() });
const anyResult = z.record(z.string(), z.unknown()).default({});

/**
 * The result as JSON, which the model and the store need, or why it cannot be used. Values that JSON cannot represent are dropped as
 * `JSON.stringify` does.
 */
function readResult({ name, result }: DefinedTool, told: unknown): ToolOutcome["result"] | VoiceError {
  const unusable = (cause: unknown): VoiceError =>
    new VoiceError("internal_error", `the result of the tool ${name} is not of the form that it promises`, { cause });
  const said = failure.safeParse(told);
  const parsed = (result ?? anyResult).safeParse(told);
  if (!said.success && !parsed.success) return unusable(parsed.error);
  try {
    return asJson(said.success ? said.data : { success: true, ...parsed.data });
  } catch (error) {
    return unusable(error); // a value that JSON does not have
  }
}

function asJson(value: Readonly<Record<string, unknown>>): ToolOutcome["result"] {
  return anyResult.parse(JSON.parse(JSON.stringify(value)));
}
