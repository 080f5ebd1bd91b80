/**
 * Sends a request of an HTTP tool, or a webhook: bounded in size, never redirected, and only to public addresses unless the
 * settings allow others.
 */
import { VoiceError } from "@voice/shared/platform/errors";
import { Agent, request } from "undici";
import type { FilledRequest } from "./fill-in-request.ts";
import { lookUpPublic, refusePrivateAddress } from "./public-addresses.ts";
import type { HttpAnswer } from "./read-answer.ts";

export interface SendLimits {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface HttpSender {
  /** Rejects with a `VoiceError`; an error status is an ordinary answer. */
  send(filled: FilledRequest, limits: SendLimits): Promise<HttpAnswer>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** `privateHosts`, written as in a URL, may have any address. */
export function createHttpSender(privateHosts: readonly string[]): HttpSender {
  const anywhere = new Agent();
  const publicOnly = new Agent({ connect: { lookup: lookUpPublic } });
  return {
    async send({ method, url, headers, body }, { maxBytes, signal }) {
      const isPrivate = privateHosts.includes(url.host);
      if (!isPrivate) refusePrivateAddress(url.hostname);
      const dispatcher = isPrivate ? anywhere : publicOnly;
      try {
        const answer = await request(url, { method, headers, body: body ?? null, dispatcher, signal });
        return { status: answer.statusCode, body: await readText(answer.body, maxBytes) };
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

async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop ends the connection, so the rest is never read.
    if (bytes > maxBytes) throw new VoiceError("upstream_unavailable", "the host's answer is too long");
    chunks.push(chunk);
  }
  // Unlike a buffer's own text, without the byte order mark that some services put before their JSON.
  return new TextDecoder().decode(Buffer.concat(chunks));
}
