/** The smallest request that a server of OpenAI's protocol answers: its list of models. It costs nothing, and needs our key. */
import { UpstreamAccessError } from "@voice/shared/platform/errors";
import type OpenAI from "openai";
import { APIError } from "openai";
import { toUpstreamError } from "./errors.ts";

/** Rejects if the server was not reached, or does not accept our key. `service`: for the reason, such as `speech recognition`. */
export async function requestModels(client: OpenAI, service: string, signal: AbortSignal): Promise<void> {
  try {
    const response = await client.get("/models", { signal }).asResponse();
    await response.body?.cancel();
  } catch (error) {
    if (!isAnswer(error)) throw toUpstreamError(error, service);
  }
}

/** A server can do its work without a list of models; but a rejected key or an unreachable server is a problem. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof APIError) || error.status === undefined) return false;
  return !(toUpstreamError(error, "") instanceof UpstreamAccessError && error.status !== 404) && error.status < 500;
}
