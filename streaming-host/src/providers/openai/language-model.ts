/**
 * The chat model behind Azure OpenAI, OpenAI, or any server that speaks the same protocol. An attempt is repeated, or
 * moved to another deployment or endpoint, only until the first event has been delivered; after that, a listener would
 * notice a repetition, so the answer ends where it broke off.
 */
import type { UpstreamHealth } from "@voice/shared/platform/upstream";
import type { LanguageModel, ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import type { ModelAddress } from "./client.ts";
import { isFirstParty } from "./endpoint.ts";
import { ModelEndpoint } from "./model-endpoint.ts";
import type { ModelEndpointOptions } from "./model-endpoint.ts";
import type { OpenCompletion } from "./open-completion.ts";
import { defaultReasoning } from "./reasoning.ts";
import type { ReasoningDefaults } from "./reasoning.ts";

type SharedOptions = "retry" | "contextTokens" | "onRepaired" | "clock" | "logger" | "random";

export type OpenAiLanguageModelOptions = ModelAddress &
  Pick<ModelEndpointOptions, SharedOptions> & {
    /** Used if the agent's own deployment fails before its first event. */
    readonly fallbackDeploymentId?: string | undefined;
    /** Used if the first endpoint fails before its first event. */
    readonly second?: (ModelAddress & { readonly deploymentId: string }) | undefined;
    /** The longest wait for the first event, per attempt. */
    readonly firstEventTimeoutMs?: number;
    /** The longest wait between two chunks of a stream that has started. */
    readonly stallTimeoutMs?: number;
    readonly reasoning?: ReasoningDefaults;
    readonly fetch?: typeof fetch;
  };

export interface OpenAiLanguageModel extends LanguageModel {
  /**
   * The health of each deployment used so far, limited to those that the settings name and these. Clients can create agents, and the
   * deployments that those name say nothing about the service.
   */
  health(deploymentsOfAgents: ReadonlySet<string>): Readonly<Record<string, UpstreamHealth>>;
  /** MODEL-11: what was learnt about each of the same deployments from rejections, as text. */
  learnt(deploymentsOfAgents: ReadonlySet<string>): Readonly<Record<string, readonly string[]>>;
  /** Rejects if an endpoint that the settings name was not reached, or does not accept our key. */
  reach(signal: AbortSignal): Promise<void>;
}

/** A deployment at an endpoint that may be used. */
type Route = { readonly endpoint: ModelEndpoint; readonly deploymentId: string };

const defaultFirstEventTimeoutMs = 8_000;
const defaultStallTimeoutMs = 8_000;
/** If another deployment or endpoint is available, a silent one may not use up the time that the next one needs (FAIL-1). */
const longestFirstTryMs = 4_000;

export function createOpenAiLanguageModel(options: OpenAiLanguageModelOptions): OpenAiLanguageModel {
  const { second, logger } = options;
  const first = createEndpoint(options, options, {
    label: "",
    ownDeploymentId: options.fallbackDeploymentId,
    hasSuccessor: second !== undefined,
  });
  const reserve =
    second &&
    createEndpoint(second, options, {
      label: "second endpoint, ",
      ownDeploymentId: second.deploymentId,
      hasSuccessor: false,
    });

  function routesOf(request: ModelRequest): Route[] {
    const deployments = new Set([request.settings.deploymentId, options.fallbackDeploymentId ?? []].flat());
    const routes = [...deployments].map((deploymentId): Route => ({ endpoint: first, deploymentId }));
    if (second !== undefined && reserve !== undefined)
      routes.push({ endpoint: reserve, deploymentId: second.deploymentId });
    return routes;
  }

  /** What is known of the deployments that the settings name, and of these. */
  function ofService<Value>(
    read: (endpoint: ModelEndpoint) => readonly (readonly [deploymentId: string, value: Value])[],
    deploymentsOfAgents: ReadonlySet<string>,
  ): readonly (readonly [deploymentId: string, value: Value])[] {
    const own = new Set([...deploymentsOfAgents, options.fallbackDeploymentId]);
    const ofFirst = read(first).filter(([deploymentId]) => own.has(deploymentId));
    return [...ofFirst, ...(reserve === undefined ? [] : read(reserve))];
  }

  async function openAnywhere(request: ModelRequest, signal: AbortSignal): Promise<OpenCompletion> {
    const routes = routesOf(request);
    for (;;) {
      const route = routes.shift();
      if (route === undefined) throw new RangeError("a request has at least one route");
      const { endpoint, deploymentId } = route;
      try {
        return await endpoint.open(request, deploymentId, signal);
      } catch (error) {
        const next = routes[0];
        if (signal.aborted || next === undefined) throw error;
        logger.warn({ deploymentId, next: next.deploymentId, error }, "language model failed, asking the next one");
      }
    }
  }

  return {
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
      signal.throwIfAborted();
      const completion = await openAnywhere(request, signal);
      try {
        yield* completion.events();
      } finally {
        completion.close();
      }
    },
    contextTokens: (deploymentId) => first.contextTokens(deploymentId),
    // OpenAI's and Azure's services keep thoughts out of the text; for other servers it depends on how they were started.
    mayBeginInThought: () => !isFirstParty(options.endpoint),
    health: (deploymentsOfAgents) => Object.fromEntries(ofService((one) => one.health(), deploymentsOfAgents)),
    async reach(signal) {
      await Promise.all([first.reach(signal), reserve?.reach(signal)]);
    },
    learnt: (deploymentsOfAgents) =>
      Object.fromEntries(
        ofService((one) => one.learnt(), deploymentsOfAgents).filter(([, learnt]) => learnt.length > 0),
      ),
  };
}

function createEndpoint(
  { endpoint, credential, keyHeader, headers }: ModelAddress,
  options: OpenAiLanguageModelOptions,
  {
    label,
    ownDeploymentId,
    hasSuccessor,
  }: Pick<ModelEndpointOptions, "label" | "ownDeploymentId"> & { readonly hasSuccessor: boolean },
): ModelEndpoint {
  const { retry, clock, logger, random, reasoning = defaultReasoning } = options;
  const firstEventMs = options.firstEventTimeoutMs ?? defaultFirstEventTimeoutMs;
  return new ModelEndpoint({
    endpoint,
    credential,
    keyHeader,
    headers,
    label,
    ownDeploymentId,
    // Switching to another deployment or endpoint is faster than retrying.
    retry: hasSuccessor ? { ...retry, maxAttempts: 0 } : retry,
    timeouts: {
      firstEventMs: hasSuccessor ? Math.min(firstEventMs, longestFirstTryMs) : firstEventMs,
      stallMs: options.stallTimeoutMs ?? defaultStallTimeoutMs,
    },
    reasoning,
    contextTokens: options.contextTokens,
    onRepaired: options.onRepaired,
    clock,
    logger,
    fetch: options.fetch ?? fetch,
    random,
  });
}
