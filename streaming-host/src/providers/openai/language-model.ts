/**
 * The chat model behind Azure OpenAI, OpenAI, or any server that speaks the same protocol. What a listener would notice
 * is decided here: an attempt is repeated, or moved to the fallback deployment, only until the first event has been
 * handed out; after that the answer ends where it broke.
 */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createUpstream } from "@voice/shared/platform/upstream";
import type { Upstream, UpstreamHealth } from "@voice/shared/platform/upstream";
import OpenAI from "openai";
import { Agent } from "undici";
import type { LanguageModel, ModelEvent, ModelRequest } from "../ports/language-model.ts";
import { isAzureEndpoint, limitsByCompletionTokens, toBaseUrl } from "./endpoint.ts";
import type { ModelCredential } from "./endpoint.ts";
import { keepConnections } from "./keep-connection.ts";
import { openCompletion } from "./open-completion.ts";
import type { OpenCompletion } from "./open-completion.ts";
import type { AdjustableParameter } from "./refused-parameters.ts";

export type OpenAiLanguageModelOptions = {
  /** The Azure resource (`https://name.openai.azure.com`) or the base URL of a compatible server. */
  readonly endpoint: string;
  readonly credential: ModelCredential;
  /** Asked when the agent's own deployment fails before its first word. */
  readonly fallbackDeploymentId?: string | undefined;
  readonly retry: RetrySettings;
  /** Until the first event, per attempt. */
  readonly firstEventTimeoutMs?: number;
  /** Between two chunks of a stream that has begun. */
  readonly stallTimeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch?: typeof fetch;
  readonly random?: () => number;
};

export interface OpenAiLanguageModel extends LanguageModel {
  /** Of each deployment used so far. */
  health(): Readonly<Record<string, UpstreamHealth>>;
}

type Deployment = { readonly upstream: Upstream; readonly refused: Set<AdjustableParameter> };

const defaultFirstEventTimeoutMs = 8_000;
const defaultStallTimeoutMs = 8_000;
/**
 * A caller speaks for longer than the 4 s after which Node's fetch closes an idle connection; without this, nearly every
 * turn would begin with a TLS handshake. Well below the minutes after which the service's front end hangs up.
 */
const keptConnectionMs = 60_000;
/** Deployments come from agents, which can be made at run time; what is remembered of them is bounded. */
const rememberedDeployments = 64;

export function createOpenAiLanguageModel(options: OpenAiLanguageModelOptions): OpenAiLanguageModel {
  const { endpoint, credential, retry, clock, logger, fallbackDeploymentId } = options;
  const client = new OpenAI({
    baseURL: toBaseUrl(endpoint),
    apiKey: credential.kind === "key" ? credential.key : credential.token,
    defaultHeaders: credential.kind === "key" && isAzureEndpoint(endpoint) ? { "api-key": credential.key } : {},
    organization: null,
    project: null,
    // Retries are ours: the SDK's know neither the circuit breaker nor that a caller is listening to the silence.
    maxRetries: 0,
    logLevel: "off",
    fetchOptions: { dispatcher: new Agent({ keepAliveTimeout: keptConnectionMs }) },
    fetch: keepConnections(options.fetch ?? fetch, clock),
  });
  const dialect = { limitsByCompletionTokens: limitsByCompletionTokens(endpoint) };
  const timeouts = {
    firstEventMs: options.firstEventTimeoutMs ?? defaultFirstEventTimeoutMs,
    stallMs: options.stallTimeoutMs ?? defaultStallTimeoutMs,
  };
  const deployments = new Map<string, Deployment>();

  function deploymentOf(deploymentId: string): Deployment {
    const known = deployments.get(deploymentId);
    if (known !== undefined) return known;
    const [oldest] = deployments.keys();
    if (oldest !== undefined && deployments.size >= rememberedDeployments) deployments.delete(oldest);
    const upstream = createUpstream({
      name: `language model ${deploymentId}`,
      retry,
      logger,
      ...(options.random !== undefined && { random: options.random }),
    });
    const deployment = { upstream, refused: new Set<AdjustableParameter>() };
    deployments.set(deploymentId, deployment);
    return deployment;
  }

  function open(request: ModelRequest, deploymentId: string, signal: AbortSignal): Promise<OpenCompletion> {
    const { upstream, refused } = deploymentOf(deploymentId);
    const context = { client, request, deploymentId, dialect, refused, timeouts, clock };
    return upstream.run(
      (attemptSignal) => openCompletion(context, attemptSignal),
      signal,
      (unwanted) => unwanted.close(),
    );
  }

  async function openAnywhere(request: ModelRequest, signal: AbortSignal): Promise<OpenCompletion> {
    const { deploymentId } = request.settings;
    try {
      return await open(request, deploymentId, signal);
    } catch (error) {
      if (signal.aborted || fallbackDeploymentId === undefined || fallbackDeploymentId === deploymentId) throw error;
      logger.warn(
        { deploymentId, fallbackDeploymentId, error },
        "language model failed, using the fallback deployment",
      );
      return await open(request, fallbackDeploymentId, signal);
    }
  }

  return {
    followsPrompts: true,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
      signal.throwIfAborted();
      const completion = await openAnywhere(request, signal);
      try {
        yield* completion.events();
      } finally {
        completion.close();
      }
    },
    health: () => Object.fromEntries([...deployments].map(([name, { upstream }]) => [name, upstream.health()])),
  };
}
