/** Formats a tool's answer for the model. Pure. */
import type { HttpTool } from "@voice/shared/catalog/http-tool";
import type { ToolOutcome } from "@voice/shared/tools/tool";

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sentences that may be spoken to the caller unchanged, as the local model does. */
const refused = "That did not work: the service refused the request.";
const broken = "That did not work: the service is not working right now.";
const unreadable = "That did not work: the service answered in a form that cannot be read.";

/** The code of an answer that has no fields to pick from. */
export const unreadableAnswer = "unreadable_answer";

export function readAnswer(tool: Pick<HttpTool, "result" | "errors">, { status, body }: HttpAnswer): ToolOutcome {
  if (status < 200 || status > 299) {
    const message = tool.errors.get(status) ?? (isServersFault(status) ? broken : refused);
    return { result: { success: false, error: `http_${status}`, message } };
  }
  const value = parsed(body);
  if (tool.result === undefined) return { result: { success: true, ...(isRecord(value) ? value : { answer: value }) } };
  // A proxy's page or a sign-in form: told of a success without any fields, a model would make them up.
  if (typeof value === "string" && value.trim() !== "")
    return { result: { success: false, error: unreadableAnswer, message: unreadable } };
  const picked = Object.entries(tool.result).flatMap(([name, path]): [string, unknown][] => {
    const found = valueAt(value, path);
    return found === undefined ? [] : [[name, found]];
  });
  return { result: { success: true, ...Object.fromEntries(picked) } };
}

/** Whoever looks into it begins at the service, and not at what it was asked for (RFC 9110, section 15.6). */
export function isServersFault(status: number): boolean {
  return status >= 500;
}

/** JSON is parsed; everything else stays text. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not every service answers in JSON, and a model can read text as well.
    return body;
  }
}

function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
