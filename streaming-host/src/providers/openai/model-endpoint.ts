/** One model endpoint: its client, its deployments, and what is known about each of them. */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createUpstream } from "@voice/shared/platform/upstream";
import type { Upstream, UpstreamHealth } from "@voice/shared/platform/upstream";
import type OpenAI from "openai";
import type { ModelRequest } from "@voice/provider-kit/ports/language-model";
import { createClient } from "./client.ts";
import type { ModelAddress } from "./client.ts";
import { isFirstParty } from "./endpoint.ts";
import { openCompletion } from "./open-completion.ts";
import type { CompletionTimeouts, OpenCompletion } from "./open-completion.ts";
import type { ReasoningDefaults } from "./reasoning.ts";
import { requestModels } from "./request-models.ts";
import { LearntAboutModel } from "./repair/learnt-about-model.ts";
import type { RequestDialect } from "./request.ts";
import { SecondAttempts } from "./second-attempts.ts";

export type ModelEndpointOptions = ModelAddress & {
  /** Prefixes a deployment's name in the log and in health reports. */
  readonly label: string;
  /** The deployment that the settings name, if they name one. */
  readonly ownDeploymentId: string | undefined;
  readonly retry: RetrySettings;
  readonly timeouts: CompletionTimeouts;
  readonly reasoning: ReasoningDefaults;
  /** The token limit for input and output together; if it is not set, it is learnt from a rejection. */
  readonly contextTokens?: number | undefined;
  /** Called for each repair that made a refused request acceptable, with the repair's key. */
  readonly onRepaired?: ((repair: string) => void) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch: typeof fetch;
  readonly random?: (() => number) | undefined;
};

type Deployment = { readonly upstream: Upstream; readonly learnt: LearntAboutModel };

/**
 * The number of deployments that are remembered is limited, because they are named by agents, which can be created at run time. The
 * service's own deployment is never forgotten; of the others, the least recently used is. Otherwise somebody who makes up names could cause
 * a deployment that is down to be forgotten, and so to be tried again by every turn and reported as healthy.
 */
const rememberedDeployments = 64;

export class ModelEndpoint {
  readonly #options: ModelEndpointOptions;
  readonly #client: OpenAI;
  readonly #dialect: RequestDialect;
  readonly #deployments = new Map<string, Deployment>();
  readonly #secondAttempts = new SecondAttempts();

  constructor(options: ModelEndpointOptions) {
    const ofOpenAi = isFirstParty(options.endpoint);
    this.#options = options;
    this.#dialect = {
      limitsByCompletionTokens: ofOpenAi,
      takesCacheKey: ofOpenAi,
      reasoning: options.reasoning,
    };
    this.#client = createClient(options, options);
  }

  open(request: ModelRequest, deploymentId: string, signal: AbortSignal): Promise<OpenCompletion> {
    const { upstream, learnt } = this.#deploymentOf(deploymentId);
    const { timeouts, clock, logger } = this.#options;
    const context = {
      client: this.#client,
      request,
      deploymentId,
      dialect: this.#dialect,
      learnt,
      timeouts,
      secondAttempts: this.#secondAttempts,
      clock,
      logger,
    };
    return upstream.run(
      (attemptSignal) => openCompletion(context, attemptSignal),
      signal,
      (unwanted) => unwanted.close(),
    );
  }

  /** Rejects if the endpoint was not reached, or does not accept our key. */
  reach(signal: AbortSignal): Promise<void> {
    return requestModels(
      this.#client,
      `the language model${this.#options.label === "" ? "" : "'s second endpoint"}`,
      signal,
    );
  }

  /** For each deployment used so far. */
  health(): readonly (readonly [name: string, health: UpstreamHealth])[] {
    const { label } = this.#options;
    return [...this.#deployments].map(([name, { upstream }]) => [`${label}${name}`, upstream.health()]);
  }

  /** For each deployment used so far: what its requests need, as text. */
  learnt(): readonly (readonly [name: string, learnt: readonly string[]])[] {
    const { label } = this.#options;
    return [...this.#deployments].map(([name, { learnt }]) => [`${label}${name}`, learnt.descriptions]);
  }

  /** The token limit as a setting specifies it, or as it was learnt from a rejection. */
  contextTokens(deploymentId: string): number | undefined {
    return this.#deployments.get(deploymentId)?.learnt.contextTokens ?? this.#options.contextTokens;
  }

  #deploymentOf(deploymentId: string): Deployment {
    const known = this.#deployments.get(deploymentId);
    if (known !== undefined) {
      // The least recently used comes first.
      this.#deployments.delete(deploymentId);
      this.#deployments.set(deploymentId, known);
      return known;
    }
    const { label, retry, logger, random, ownDeploymentId, contextTokens, onRepaired } = this.#options;
    const oldest = [...this.#deployments.keys()].find((name) => name !== ownDeploymentId);
    if (oldest !== undefined && this.#deployments.size >= rememberedDeployments) this.#deployments.delete(oldest);
    const upstream = createUpstream({
      name: `language model ${label}${deploymentId}`,
      retry,
      logger,
      ...(random !== undefined && { random }),
    });
    const learnt = new LearntAboutModel({ deployment: `${label}${deploymentId}`, contextTokens, onRepaired, logger });
    const deployment = { upstream, learnt };
    this.#deployments.set(deploymentId, deployment);
    return deployment;
  }
}
