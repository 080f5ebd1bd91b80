/**
 * A realtime model of a service, selected by the agent (`deployment_id`) or by the settings. Each has a client of its own, because what is
 * learnt about one model does not apply to another.
 */
import type { RealtimeListener, RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import type { RealtimeClient } from "@voice/provider-kit/realtime-protocol/realtime-client";
import { NoSuchModelError } from "@voice/provider-kit/realtime-protocol/session-opening";
import type { Logger } from "@voice/shared/platform/logger";

/** Usage is priced by the model. */
function withModelInUsage(listener: RealtimeListener, model: string): RealtimeListener {
  return {
    onEvent(event) {
      if (event.type === "response-finished" && event.usage !== undefined)
        listener.onEvent({ ...event, usage: { ...event.usage, model } });
      else if (event.type === "used" && event.what === "response")
        listener.onEvent({ ...event, usage: { ...event.usage, model } });
      else listener.onEvent(event);
    },
    onEnded: (error) => listener.onEnded(error),
  };
}

/** Agents that clients make may name any number of models. */
const mostModels = 20;

export function clientsByModel(
  /** The model for agents that name none. */
  own: string,
  /** `serves`: whether a session with these settings can use this client. */
  create: (model: string, serves: (settings: RealtimeSettings) => boolean) => RealtimeClient,
  logger: Logger,
): RealtimeClient {
  /** The newest last. */
  const clients = new Map<string, RealtimeClient>();
  /** Models that agents name but the service does not have. */
  const missing = new Set<string>();
  const modelOf = ({ model = own }: RealtimeSettings): string => (missing.has(model) ? own : model);
  const createFor = (model: string): RealtimeClient => create(model, (settings) => modelOf(settings) === model);
  const ofOwn = createFor(own);

  function clientOf(model: string): RealtimeClient {
    const known = model === own ? ofOwn : clients.get(model);
    if (known !== undefined) return known;
    const made = createFor(model);
    clients.set(model, made);
    const [oldest] = clients.keys();
    if (clients.size > mostModels && oldest !== undefined) clients.delete(oldest);
    return made;
  }

  return {
    async open(settings, listener, signal) {
      const model = modelOf(settings);
      try {
        const used = model === own ? listener : withModelInUsage(listener, model);
        return await clientOf(model).open(settings, used, signal);
      } catch (error) {
        if (model === own || !(error instanceof NoSuchModelError)) throw error;
        missing.add(model);
        const [oldest] = missing;
        if (missing.size > mostModels && oldest !== undefined) missing.delete(oldest);
        // This client is not used from now on, so it says nothing about the service's health.
        clients.delete(model);
        logger.warn(
          { model, instead: own, error },
          "the realtime service refused the model that an agent names; the agent has the one of the settings",
        );
        return await ofOwn.open(settings, listener, signal);
      }
    },
    health() {
      const notes = [...missing].map((model) => `model ${model} was refused and is replaced by ${own}`);
      const all = [ofOwn, ...clients.values()].map((client) => client.health());
      const worst =
        all.find(({ status }) => status === "down") ?? all.find(({ lastReason }) => lastReason !== undefined);
      return { ...(worst ?? ofOwn.health()), learnt: [...notes, ...all.flatMap(({ learnt }) => learnt)] };
    },
  };
}
