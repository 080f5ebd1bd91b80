/**
 * Configures the vendor's client for us: our retries, our deadlines, and connections that stay open between two turns.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { unlessLate } from "@voice/shared/platform/within-time";
import OpenAI from "openai";
import { Agent } from "undici";
import { askAgainWhenSilent } from "./ask-again.ts";
import type { Connections } from "./ask-again.ts";
import { keyHeaders, toBaseUrl } from "./endpoint.ts";
import type { ModelCredential } from "./endpoint.ts";

export type ModelAddress = {
  /** The Azure resource (`https://name.openai.azure.com`) or the base URL of a compatible server or gateway. */
  readonly endpoint: string;
  readonly credential: ModelCredential;
  /** The header in which a gateway expects the key. */
  readonly keyHeader?: string | undefined;
  /** Headers sent with every request, for gateways that require them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/**
 * A caller speaks for longer than the 4 s after which Node's fetch closes an idle connection; without this, nearly every turn would begin
 * with a TLS handshake. Well below the minutes after which the service's front end disconnects.
 */
const keptConnectionMs = 60_000;

/**
 * For one response: three minutes of speech, or twenty times the longest text. A server that never ends a response would otherwise fill the
 * host's memory, and keep it busy if it never ends a line.
 */
const longestAnswerBytes = 8 * 1024 * 1024;

interface ClientParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch?: typeof fetch | undefined;
}

export function createClient(
  { endpoint, credential, keyHeader, headers }: ModelAddress,
  { clock, logger, fetch: send = fetch }: ClientParts,
): OpenAI {
  const createConnections = (): Connections => {
    const dispatcher = new Agent({ keepAliveTimeout: keptConnectionMs, maxResponseSize: longestAnswerBytes });
    return {
      // Not a spread: the types of undici and of Node's own copy of it differ in a method that fetch does not use.
      send: (input, init) => send(input, Object.assign({}, init, { dispatcher })),
      close: () => dispatcher.close(),
    };
  };
  return new OpenAI({
    baseURL: toBaseUrl(endpoint),
    apiKey: apiKeyOf(credential),
    defaultHeaders: {
      ...headers,
      ...keyHeaders(credential, endpoint, keyHeader),
      ...(credential.kind === "none" && { authorization: null }),
    },
    organization: null,
    project: null,
    // We retry ourselves, because the SDK's retries know neither the circuit breaker nor that a caller is waiting in
    // silence.
    maxRetries: 0,
    logLevel: "off",
    fetch: keepConnections(askAgainWhenSilent(createConnections, clock, logger), clock),
  });
}

function apiKeyOf(credential: ModelCredential): string | (() => Promise<string>) {
  if (credential.kind === "token") return credential.token;
  // The client requires a key in any case; without a header it is never sent.
  return credential.kind === "none" ? "none" : credential.key;
}

/** The end of the body comes with the last event or right after it. */
const longestDrainMs = 1_000;

/**
 * Makes a connection reusable after a streamed response. The SDK stops reading at the last event and cancels the rest
 * of the body, of which only the end is missing. Cancelling closes the connection, so every turn would begin with a
 * TLS handshake.
 */
function keepConnections(send: typeof fetch, clock: Clock): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(readToItsEnd(response.body, clock), { status, statusText, headers });
  };
}

/** An abort of the request still ends the body at once, because its reads then reject. */
function readToItsEnd(body: ReadableStream<Uint8Array>, clock: Clock): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      const isAtItsEnd = await unlessLate(clock, longestDrainMs, drain(reader));
      if (isAtItsEnd !== true) await reader.cancel(reason);
    },
  });
}

/** False if the connection broke or was aborted, so it cannot be reused. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  try {
    while (!(await reader.read()).done);
    return true;
  } catch {
    return false;
  }
}
