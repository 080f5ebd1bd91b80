/** The HTTP tools of the catalog, as tools that agents can call. */
import type { HttpTool } from "@voice/shared/catalog/http-tool";
import type { Templates } from "@voice/shared/catalog/template";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { isCalledOff } from "@voice/shared/tools/called-off";
import { hideSecrets } from "@voice/shared/tools/hide-secrets";
import { faulted } from "@voice/shared/tools/outcome";
import { NotDoneError } from "@voice/shared/tools/not-done-error";
import type { Tool, ToolContext, ToolOutcome } from "@voice/shared/tools/tool";
import { forVerifiedCallers } from "@voice/shared/tools/verified-caller";
import { fillInRequest, type FilledRequest } from "./fill-in-request.ts";
import { isServersFault, isSuccess, readAnswer } from "./read-answer.ts";
import type { HttpSender } from "./send-request.ts";

export interface HttpToolsOptions {
  readonly templates: Templates;
  readonly secrets: ReadonlyMap<string, string>;
  readonly sender: Pick<HttpSender, "send">;
  readonly logger: Logger;
}

export function createHttpTools(
  tools: ReadonlyMap<string, HttpTool>,
  options: HttpToolsOptions,
): ReadonlyMap<string, Tool> {
  return new Map(
    [...tools].map(([name, tool]) => {
      const created = createHttpTool(tool, options);
      return [name, tool.needsVerifiedCaller ? forVerifiedCallers(created) : created];
    }),
  );
}

function createHttpTool(tool: HttpTool, { templates, secrets, sender, logger }: HttpToolsOptions): Tool {
  const fillIn = { templates, secrets };
  const namesCustomer = JSON.stringify(tool.request).includes("customer");
  return {
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    jsonSchema: tool.jsonSchema,
    timeoutMs: tool.timeoutMs,
    onInterruption: tool.hasSideEffects ? "finish" : "cancel",
    takesTurns: tool.hasSideEffects,
    isIdempotent: tool.isIdempotent,
    slowNotice: tool.slowNotice,
    async run(args, context): Promise<ToolOutcome> {
      let filled: FilledRequest;
      try {
        filled = fillInRequest(tool, { ...scopeOf(args, context), ...(namesCustomer && customerOf(context)) }, fillIn);
      } catch (error) {
        if (error instanceof BadRequestError) return faulted("invalid_arguments", error.message);
        const { code, message } = toVoiceError(error);
        throw new NotDoneError(code, message, { cause: error });
      }
      const { signal, sessionId } = context;
      // The model is only informed that the tool failed, so only the log can show why.
      const log = logger.child({ tool: tool.name, sessionId });
      try {
        const answer = await sender.send(filled, { maxBytes: tool.maxBytes, signal });
        const { status } = answer;
        let flaw: string | undefined;
        const body = hideSecrets(answer.body, secrets.values());
        const outcome = readAnswer(tool, { ...answer, body }, context, (what) => {
          flaw = what;
        });
        const { success, error } = outcome.result;
        if ((success === false && !tool.errors.has(status)) || flaw !== undefined)
          log.warn({ status, code: error, answer: flaw }, whatHappened(status));
        return outcome;
      } catch (error) {
        if (!isCalledOff(signal)) log.warn({ error }, "an HTTP tool failed");
        throw error;
      }
    },
  };
}

function whatHappened(status: number): string {
  if (isSuccess(status)) return "an HTTP tool got an answer that cannot be read, or lacks a field";
  return isServersFault(status) ? "the service of an HTTP tool failed" : "an HTTP tool was refused";
}

/** The values of the variables that `httpToolVariables` names, except the customer. */
function scopeOf(args: Readonly<Record<string, unknown>>, context: ToolContext): Readonly<Record<string, unknown>> {
  return {
    args,
    memory: context.memory,
    session_id: context.sessionId,
    agent_name: context.agent,
  };
}

/** Throws while customers are unreachable, so it is only called by tools that name one (CUSTOMER-4). */
function customerOf({ customer }: ToolContext): Readonly<Record<string, unknown>> {
  return { customer: customer?.document };
}
