/** Says why a tool server could not be connected to. An address or an argument may hold a secret, so neither is named. */
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";

import { isAccessProblem } from "./mcp-access.ts";

const systemError = z.object({ code: z.string(), syscall: z.string().optional(), path: z.string().optional() });

const addressProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at its address",
  ECONNRESET: "it closed the connection",
  ENOTFOUND: "the host of its address is not known",
  EAI_AGAIN: "the host of its address cannot be looked up at the moment",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted",
};

const streamableHttp = "its address must be that of MCP's streamable HTTP, often /mcp at the end";

export function connectionProblem(error: unknown): string {
  if (isAccessProblem(error)) return "it was given no token that it accepts";
  if (error instanceof StreamableHTTPError || error instanceof SyntaxError) return answerProblem(error);
  const found = systemErrorIn(error);
  if (found === undefined) return "could not connect";
  const { code, syscall = "", path = "" } = found;
  if (syscall.startsWith("spawn"))
    return code === "ENOENT" ? `command not found: ${path}` : `command cannot be started (${code}): ${path}`;
  return addressProblems[code] ?? `could not connect (${code})`;
}

/** Something responds at the address. An error of the library's own without a status means that the response has an unexpected form. */
function answerProblem(error: Error & { readonly code?: number | undefined }): string {
  const { code: status = 0 } = error;
  if (status < 400) return `what it answers is not the protocol's (${streamableHttp})`;
  const isElsewhere = status === 404 || status === 405;
  return isElsewhere ? `it answered ${status} (${streamableHttp})` : `it answered ${status}`;
}

/** `fetch` hides the system's error as the cause of its own. */
function systemErrorIn(error: unknown): z.infer<typeof systemError> | undefined {
  if (!(error instanceof Error)) return undefined;
  return systemError.safeParse(error).data ?? systemErrorIn(error.cause);
}
