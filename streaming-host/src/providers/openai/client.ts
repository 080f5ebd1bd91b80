/**
 * Configures the vendor's client for us: our retries, our deadlines, and connections that stay open between two turns.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import OpenAI from "openai";
import { Agent } from "undici";
import { askAgainWhenSilent } from "./ask-again.ts";
import type { Connections } from "./ask-again.ts";
import { keyHeaders, toBaseUrl } from "./endpoint.ts";
import type { ModelCredential } from "./endpoint.ts";
import { keepConnections } from "./keep-connection.ts";

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
    fetch: keepConnections(askAgainWhenSilent({ createConnections, clock, logger }), clock),
  });
}

function apiKeyOf(credential: ModelCredential): string | (() => Promise<string>) {
  if (credential.kind === "token") return credential.token;
  // The client requires a key in any case; without a header it is never sent.
  return credential.kind === "none" ? "none" : credential.key;
}
