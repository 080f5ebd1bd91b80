/**
 * A realtime model of a service, chosen by the agent (`deployment_id`) or by the settings. Each has a client of its own, because what is
 * learnt about one model does not hold for another.
 */
import type { RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import type { RealtimeClient } from "@voice/provider-kit/realtime-protocol/realtime-client";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { RecentlyUsed } from "@voice/shared/platform/recently-used";

export interface ClientsByModelOptions {
  /** The one of agents that name none. */
  readonly model: string;
  /** `serves`: whether a session of these settings can be one of this client's. */
  readonly create: (model: string, serves: (settings: RealtimeSettings) => boolean) => RealtimeClient;
  readonly logger: Logger;
}

/** Agents that clients make may name any number of models. */
const mostModels = 20;

export function clientsByModel({ model: own, create, logger }: ClientsByModelOptions): RealtimeClient {
  const clients = new RecentlyUsed<RealtimeClient>(mostModels);
  /** Models that agents name and the service does not have. */
  const missing = new RecentlyUsed<true>(mostModels);
  const modelOf = ({ model = own }: RealtimeSettings): string => (missing.get(model) === undefined ? model : own);
  const createFor = (model: string): RealtimeClient => create(model, (settings) => modelOf(settings) === model);
  const ofOwn = createFor(own);

  function clientOf(model: string): RealtimeClient {
    const known = model === own ? ofOwn : clients.get(model);
    if (known !== undefined) return known;
    const made = createFor(model);
    clients.set(model, made, 1);
    return made;
  }

  return {
    async open(settings, listener, signal) {
      const model = modelOf(settings);
      try {
        return await clientOf(model).open(settings, listener, signal);
      } catch (error) {
        if (model === own || !isRefusal(error)) throw error;
        missing.set(model, true, 1);
        logger.warn(
          { model, instead: own, error },
          "the realtime service refused the model that an agent names; the agent has the one of the settings",
        );
        return await ofOwn.open(settings, listener, signal);
      }
    },
    health: () => ofOwn.health(),
  };
}

/** The connection itself was refused, which is where a service says that it has no such model. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof UpstreamAccessError ||
    (error instanceof VoiceError && error.code === "upstream_unavailable" && !error.retryable)
  );
}
