/**
 * Sends a request of an HTTP tool, or a webhook: bounded in size, never redirected, and only to public addresses unless the
 * settings allow others.
 */
import { VoiceError } from "@voice/shared/platform/errors";
import { NotDoneError } from "@voice/shared/tools/not-done-error";
import { Agent, buildConnector, request, type Dispatcher } from "undici";
import { decodeText } from "./decode-text.ts";
import type { FilledRequest } from "./fill-in-request.ts";
import { lookUpPublic, refusePrivateAddress } from "./public-addresses.ts";
import type { HttpAnswer } from "./read-answer.ts";

/** Shorter than a tool's usual deadline, so that it is certain before the deadline that nothing was sent. */
const connectTimeoutMs = 5000;

export interface SendLimits {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface HttpSender {
  /**
   * Rejects with a `VoiceError`, or with a `NotDoneError` if nothing was sent. A response with an error status is a normal result, even if
   * its body cannot be read.
   */
  send(filled: FilledRequest, limits: SendLimits): Promise<HttpAnswer>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** `privateHosts`, written as in a URL, may resolve to any address. */
export function createHttpSender(privateHosts: readonly string[]): HttpSender {
  const anywhere = new Agent({ connect: connecting() });
  const publicOnly = new Agent({ connect: connecting({ lookup: lookUpPublic }) });
  return {
    async send({ method, url, headers, body }, { maxBytes, signal }) {
      const isPrivate = privateHosts.includes(url.host);
      if (!isPrivate) refusePrivateAddress(url.hostname);
      const dispatcher = isPrivate ? anywhere : publicOnly;
      try {
        const answer = await request(url, { method, headers, body: body ?? null, dispatcher, signal });
        return { status: answer.statusCode, ...(await readBody(answer, maxBytes)) };
      } catch (error) {
        if (signal.aborted || error instanceof VoiceError) throw error;
        throw new VoiceError("upstream_unavailable", "the host did not answer", { cause: error });
      }
    },
    async close() {
      await Promise.all([anywhere.destroy(), publicOnly.destroy()]);
    },
  };
}

/** A failure here (an unknown name, no connection, a certificate that is not accepted) means that nothing was sent. */
function connecting(options: buildConnector.BuildOptions = {}): buildConnector.connector {
  const connect = buildConnector({ ...options, timeout: connectTimeoutMs });
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(nothingSent(error), null);
    });
}

function nothingSent(cause: Error): NotDoneError {
  const { code, message } =
    cause instanceof VoiceError
      ? cause
      : ({ code: "upstream_unavailable", message: "the host could not be reached" } as const);
  return new NotDoneError(code, message, { cause });
}

/** A problem with the body does not change the meaning of the status. */
async function readBody(
  { body, headers }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Pick<HttpAnswer, "body" | "unread">> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      // Leaving the loop closes the connection, so the rest is never read.
      if (bytes > maxBytes) return { body: "", unread: "is too long" };
      chunks.push(chunk);
    }
  } catch {
    return { body: "", unread: "did not arrive as a whole" }; // interrupted, or not in time
  }
  return decodeText(Buffer.concat(chunks), headers);
}
